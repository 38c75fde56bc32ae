"""Every command of tournaments works with --json, and prints only records of its schema (decision 67)."""

from __future__ import annotations

import io
import json
import shutil
import sys
from contextlib import redirect_stdout

import pytest
from helpers import person, printed
from helpers.four import enter_four
from helpers.tourney import World, begin_two

from kursk_pbem.tournament.papers import fields
from tournament.lying import draws_twice, proves

pytestmark = pytest.mark.slow


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


@pytest.mark.long
def test_a_tournament_with_json_alone(tmp_path, done):
    world = World(tmp_path / "world")
    zoe = world.person("zoe")
    assisted = ("--assistant", zoe.place / "me.pub")
    world.new("--swiss", 1, "--system", "kursk-1971/july4", *assisted, edit={"begin: '14'": "begin: '5'"})
    world.enter(["anna", "boris", "carla", "dmitri", "eva", "fritz"])
    zoe.kursk("tournament", "enter", world.folder / "log" / "0000.yaml", "zoe", "--dir", zoe.place, "--yes")
    (zoe.tournament,) = zoe.place.glob("tournament-*")
    anna = world.entrants["anna"]
    anna.kursk("tournament", "plays", "yes", "--in", anna.tournament)
    world.begin()
    first, second, third = world.book().boards.values()
    world.play(first, 3, next(iter(first.sides)))
    world.play(second, 3)
    world.inbox()
    world.pair()
    world.inform()
    players = [world.by_number(number) for number in second.sides.values()]
    _players_sign(world, zoe, players, second.name, next(iter(second.sides)))
    world.collect()
    _director_decides(world, players, first, second, third)
    world.collect()
    world.pair()
    _anybody_looks(world, tmp_path)
    _director_draws_twice(world, tmp_path)
    shutil.rmtree(world.director.home)
    world.director.kursk("tournament", "restore", world.folder, "--answered")
    _by_silence(enter_four(tmp_path / "silence"))
    _by_bids(begin_two(tmp_path / "bids", "--swiss", 1, edit={"sides: balance": "sides: bids"}))
    assert done == printed.OF_TOURNAMENTS


def _players_sign(world, zoe, players, board, side):
    """Sign every paper of players of an unfinished board, and the assistant's paper."""
    one, other = players
    for who in players:
        who.kursk("tournament", "agree", board, side, "--yes", "--in", who.tournament)
    papers = sorted((*world.folder.glob("log/*.yaml"), *world.folder.glob("papers/*")))
    zoe.kursk("tournament", "inbox", *papers, "--in", zoe.tournament)
    game = next(one.place.glob("game-*"))
    zoe.kursk("tournament", "rule-on", board, side, "the time", "--game", game, "--in", zoe.tournament)
    away = ("2027-01-05 10:00", "2027-01-09T00:00:00Z")
    for words in (("absent", *away), ("claim", board, "it is a draw")):
        one.kursk("tournament", *words, "--in", one.tournament)
    new = world.person("new-key").key
    other.kursk("tournament", "new-key", new, "--yes", "--in", other.tournament)
    one.kursk("tournament", "status", one.tournament)


def _director_decides(world, players, first, second, third):
    """Answer every waiting paper; judge a board that never began, at first wrongly."""
    claim = next(paper for paper in world.book().papers.values() if paper.type == fields.CLAIM)
    changed = next(number for number in second.sides.values() if world.by_number(number) is players[1])

    def decide(*words):
        world.director.kursk("tournament", *words, "--in", world.folder)

    decide("refuse", claim.id[:8], "no", "--yes")
    decide("grant", "all", 2, "flood", "--yes")
    decide("judge", second.name, "agree", "--yes")
    decide("key", changed)
    world.later(9)
    wrong, right = third.sides
    decide("judge", third.name, "silence", wrong, "--yes")
    decide("correct", world.book().head.seq, "the other side had written", "--now", f"winner={right}", "--yes")
    gone = world.by_number(next(iter(first.sides.values())))
    gone.kursk("tournament", "withdraw", "--why", "no time", "--yes", "--in", gone.tournament)


def _anybody_looks(world, place):
    """Decide the boards, end the tournament, verify it and write the pages."""
    site = ("publish", "--no-pictures", world.folder, "-o", place / "site")
    looks = [("status",), ("standings",), ("times",), ("letters",), ("letters", "--sent"), ("end",), ("verify",)]
    for words in looks:
        world.director.kursk("tournament", words[0], world.folder, *words[1:])
    for words in (site, (*site, "--check"), ("export", world.folder, "-o", place / "archive")):
        world.director.kursk("tournament", *words)
    world.director.kursk("rating", world.folder)


def _director_draws_twice(world, place):
    """Convict a director of two draws of different matter."""
    main, other = draws_twice()
    proves(main, place / "twice", other)
    world.director.kursk("tournament", "prove", place / "twice", place / "twice", "-o", place / "proof.yaml")


def _by_silence(world):
    """Miss a deadline: both games are lost, and a substitute joins for the next round."""
    for board in list(world.book().boards.values()):
        world.play(board, 3)
    world.inbox()
    board = world.book().boards["1-1"]
    world.later(8)
    for name in ("1-1", "1-2"):
        world.director.kursk("tournament", "forfeit", name, "--yes", "--in", world.folder)
    world.pair()
    silent = next(number for side, number in board.sides.items() if side != world.book().boards["1-1"].outcome.winner)
    world.stand_in("greta", silent)
    world.director.kursk("tournament", "substitute", silent, "fell silent", "--yes", "--in", world.folder)


def _by_bids(world):
    """Bid for sides; log a withdrawal."""
    for who, price in zip(world.entrants.values(), (2, 3), strict=True):
        who.kursk("tournament", "bid", "1-1", "german", price, "--in", who.tournament)
    who.kursk("tournament", "withdraw", "--yes", "--in", who.tournament)
    world.collect()
    world.director.kursk("tournament", "withdraw", who.name, "--yes", "--in", world.folder)
