"""docs/directors.md 5, 6.1: referees' papers in games of tournaments name the log, by any command."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from helpers.postmen import Faults, Member, PostOffice, Time
from helpers.tourney import World

from kursk_pbem.game import folders, histories
from kursk_pbem.tournament import boards
from tournament.dated import place_of


@pytest.mark.parametrize(
    ("command", "remedy"),
    [
        (("referee", "forfeit", "--yes"), "'kursk tournament forfeit 1-2'"),
        (("referee", "receipt", "--days", 7), "'kursk tournament inbox FILE'"),
    ],
)
def test_a_director_signs_nothing_in_a_game_that_the_log_does_not_know(four, command, remedy):
    place = place_of(four)
    before = sorted(path.name for path in place.iterdir())
    four.later(30)
    said = four.director.kursk(*command, place, status=2)
    assert "board 1-2 of the tournament" in said
    assert remedy in said
    assert sorted(path.name for path in place.iterdir()) == before


def test_a_message_that_lies_here_without_a_receipt_gets_it_when_it_is_taken_again(four):
    place = place_of(four)
    (place / "receipt-0003.yaml").unlink()
    shutil.copyfile(place / "0003.yaml", four.director.inbox / "0003.yaml")
    four.inbox()
    assert (place / "receipt-0003.yaml").is_file()
    four.verify()


@pytest.fixture
def assisted(tmp_path):
    """Return a tournament of two players with Zoe as the director's assistant, who has message 0."""
    world = World(tmp_path / "world")
    zoe = world.person("zoe")
    named = ("--assistant", zoe.place / "me.pub")
    world.new("--round-robin", "--system", "kursk-1971/july4", *named)
    world.enter(["anna", "boris"])
    zoe.kursk("tournament", "enter", world.folder / "log" / "0000.yaml", "zoe", "--dir", zoe.place, "--yes")
    (zoe.tournament,) = zoe.place.glob("tournament-*")
    world.begin()
    zoe.kursk("tournament", "inbox", world.folder / "log", world.folder / "papers", "--in", zoe.tournament)
    return world, zoe, played(world, zoe)


def played(world, keeper):
    """Return the folder of a timekeeper for the director's own game, with four messages of board 1-1."""
    book = world.book()
    board = book.boards["1-1"]
    field = {boards.FIELD: boards.build_field(book, board)}
    game = world.wild(board, world.players_of(board), field, "", keeper)
    return keeper.place / folders.folder_name(game)


def test_an_assistant_signs_receipts_and_forfeits_that_verify(assisted, monkeypatch):
    world, zoe, place = assisted
    monkeypatch.chdir(zoe.place)
    (zoe.home / "tournaments").rename(zoe.place / "lost")
    assert "has no copy of the tournament's log" in zoe.kursk("referee", "receipt", place, status=2)
    (zoe.place / "lost").rename(zoe.home / "tournaments")
    told = "paper 0 of the tournament gives 7 days for an answer"
    zoe.kursk("referee", "receipt", place, "--days", 3, status=2, told=told)
    zoe.kursk("referee", "receipt", place)
    receipt = histories.load(place).game.papers.receipts[3]
    assert receipt.content["log"]["id"] == world.book().head.id
    world.director.kursk("tournament", "grant", "all", 2, "flood", "--yes", "--in", world.folder)
    zoe.kursk("tournament", "inbox", world.folder / "log", "--in", zoe.tournament)
    world.later(8)
    assert "was due" not in zoe.kursk("referee", "--key", zoe.key)
    assert "has time until" in zoe.kursk("referee", "forfeit", place, "--yes", status=2)
    world.later(2)
    assert "was due" in zoe.kursk("referee", "--key", zoe.key)
    zoe.kursk("referee", "forfeit", place, "--yes")
    for path in place.glob("*.yaml"):
        shutil.copyfile(path, world.director.inbox / path.name)
    world.inbox()
    world.pair()
    assert world.book().boards["1-1"].outcome.how == "forfeit"
    world.verify()


@pytest.mark.long
def test_assistants_mailbox_ends_no_game_of_a_tournament(assisted, monkeypatch, tmp_path):
    """Bug: without the newest log the mailbox ended a game despite granted days, and the tournament became invalid."""
    world, zoe, placed = assisted
    monkeypatch.chdir(zoe.place)
    zoe.kursk("referee", "receipt", placed)
    time = Time()
    time.now = datetime.strptime(world.time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    time.set(monkeypatch)
    friend = SimpleNamespace(
        name="zoe", home=zoe.home, place=zoe.place, key=zoe.key, public=zoe.public, address="zoe@example.test"
    )
    member = Member(friend, PostOffice(tmp_path, time, Faults()), director=True)
    member.terms(7, director="boss@example.test")
    member.sits()
    world.director.kursk("tournament", "grant", "all", 10, "flood", "--yes", "--in", world.folder)
    for _half_day in range(28):
        member.post()
        time.passes(12 * 3600)
    assert not (placed / "forfeit.yaml").exists()
    assert "another machine directs the tournament" in str(member.session.referee.list_pending())
