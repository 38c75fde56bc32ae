"""Every command of tournaments works with --json, and prints only records of its schema (decision 67)."""

from __future__ import annotations

import io
import json
import shutil
import sys
from contextlib import redirect_stdout

import pytest
from helpers import person, printed
from helpers.tourney import World

from kursk_pbem.tournament.papers import fields
from tournament.conftest import copied
from tournament.lying import draws_twice, proves


@pytest.fixture
def done(monkeypatch):
    """Let all persons add --json to commands of tournaments; return the commands that succeeded."""
    names: set[str] = set()
    plain = person.run

    def run(words):
        if words[0] not in ("tournament", "rating"):
            return plain(words)
        name = " ".join(words[: 1 + (words[0] == "tournament")])
        with redirect_stdout(io.StringIO()) as out:
            status = plain([*words, "--json"])
        records = [json.loads(line) for line in out.getvalue().splitlines()]
        for record in records:
            printed.check(record)
        kinds = [record["format"] for record in records]
        if status == 0:
            assert kinds == [f"kursk {name} 1"], words
            names.add(name)
        sys.stdout.write(out.getvalue())
        return status

    monkeypatch.setattr(person, "run", run)
    return names


def direct(world, *words):
    world.director.kursk("tournament", *words, "--in", world.folder)


@pytest.mark.long
def test_a_tournament_with_json_alone(four, ended, done, tmp_path):
    late = copied(four, tmp_path / "late")
    late.later(8)
    direct(late, "forfeit", "1-2", "--yes")
    _decide(four)
    _begin_and_end(tmp_path / "bids")
    _look(ended, tmp_path)
    main, other = draws_twice()
    proves(main, tmp_path / "twice", other)
    twice = (tmp_path / "twice", tmp_path / "twice", "-o", tmp_path / "proof.yaml")
    ended.director.kursk("tournament", "prove", *twice)
    assert done == printed.OF_TOURNAMENTS


def _decide(world):
    """Sign every paper of the players of an unfinished board; answer every waiting paper."""
    one, other = (world.by_number(number) for number in world.book().boards["1-2"].sides.values())
    for who in (one, other):
        who.kursk("tournament", "agree", "1-2", "german", "--yes", "--in", who.tournament)
    away = ("2027-01-05 10:00", "2027-01-09T00:00:00Z")
    for words in (("absent", *away), ("claim", "1-2", "it is a draw"), ("plays", "no"), ("withdraw", "--yes")):
        one.kursk("tournament", *words, "--in", one.tournament)
    other.kursk("tournament", "new-key", world.person("new-key").key, "--yes", "--in", other.tournament)
    world.collect()
    book = world.book()
    claim = next(paper for paper in book.papers.values() if paper.type == fields.CLAIM)
    left, changed = (book.by_key(who.public).number for who in (one, other))
    direct(world, "refuse", claim.id[:8], "no", "--yes")
    direct(world, "grant", "all", 2, "flood", "--yes")
    direct(world, "correct", world.book().head.seq, "more water", "--now", "days=3", "--yes")
    direct(world, "judge", "1-2", "agree", "--yes")
    direct(world, "key", changed)
    direct(world, "withdraw", left, "--yes")
    world.stand_in("greta", left)
    direct(world, "substitute", left, "no time", "--yes")
    one.kursk("tournament", "status", one.tournament)


def _begin_and_end(root):
    """Play a tournament of one board with bids and an assistant; the director loses the private folder."""
    world = World(root)
    zoe = world.person("zoe")
    options = ("--swiss", 1, "--system", "battle-for-kursk/citadel", "--assistant", zoe.place / "me.pub")
    world.new(*options, edit={"sides: balance": "sides: bids"})
    world.enter(["anna", "boris"])
    zoe.kursk("tournament", "enter", world.folder / "log" / "0000.yaml", "zoe", "--dir", zoe.place, "--yes")
    (zoe.tournament,) = zoe.place.glob("tournament-*")
    world.begin()
    for who in world.entrants.values():
        who.kursk("tournament", "bid", "1-1", "german", 3, "--in", who.tournament)
    world.collect()
    world.next_round()
    playing = world.play(world.book().boards["1-1"], 3)
    world.inbox()
    world.pair()
    zoe.kursk("tournament", "inbox", world.folder / "log", world.folder / "papers", "--in", zoe.tournament)
    game = next(iter(playing.desks.values())).folder
    zoe.kursk("tournament", "rule-on", "1-1", "german", "the time", "--game", game, "--in", zoe.tournament)
    playing.go(3, "german")
    world.inbox()
    world.pair()
    world.director.kursk("tournament", "end", world.folder)
    shutil.rmtree(world.director.home)
    world.director.kursk("tournament", "restore", world.folder, "--answered")


def _look(world, place):
    """Read, verify and rate a finished tournament, and write its pages."""
    for words in (("status",), ("standings",), ("times",), ("letters",), ("verify",)):
        world.director.kursk("tournament", *words, world.folder)
    publish = ("publish", "--no-pictures", world.folder, "-o", place / "site")
    for words in (publish, (*publish, "--check"), ("export", world.folder, "-o", place / "archive")):
        world.director.kursk("tournament", *words)
    world.director.kursk("rating", world.folder)
