"""Bids for sides by commands: a player opens to the director and to the opponent (directors.md 8.3)."""

from __future__ import annotations

import pytest
from helpers.tourney import begin_two

from kursk_pbem.post.mailbox import events
from kursk_pbem.tournament.proof import verify
from tournament.conftest import copied

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _world(tmp_path_factory):
    """Return a tournament with two logged bids, opened by the players' programs."""
    bids = {"sides: balance": "sides: bids"}
    made = begin_two(tmp_path_factory.mktemp("bids"), "--swiss", 1, edit=bids)
    for who, price in zip(made.entrants.values(), (5, 3), strict=True):
        who.kursk("tournament", "bid", "1-1", "german", price, "--in", who.tournament)
    made.collect()
    made.pair()
    made.inform()
    return made


@pytest.fixture
def world(_world, tmp_path):
    return copied(_world, tmp_path / "copy")


def status(who):
    return who.kursk("tournament", "status", who.tournament)


def test_an_opening_that_only_the_opponent_got_counts(world):
    anna, boris = world.entrants.values()
    (event,) = events.list_tournaments(anna.home)
    own, copy = (path.stem for path in sorted(anna.letters(), key=lambda path: "-" in path.stem[:8], reverse=True))
    assert (event.reader(own), event.reader(copy)) == (world.director.public, boris.public)
    assert (boris.public, "boris") in event.list_recipients()
    assert "'kursk post' opens your bid; it must have come by 2027-01-08" in status(anna)
    world.post()
    for path in world.director.inbox.glob("anna-bid-open-*"):
        path.unlink()
    world.inbox()
    world.exchange()
    assert "your bid is open" in status(boris)
    assert "bids for 1 board opened" in world.pair()
    board = world.book().boards["1-1"]
    assert board.paid == {"german": 5}
    assert world.book().entrant(board.sides["german"]).name == "anna"
    assert verify.verify_tournament(world.folder).notes == ()


def test_a_copy_shows_when_an_opening_that_the_director_left_out_was_written(world):
    world.post()
    for path in world.director.inbox.glob("anna-*"):
        path.unlink()
    world.inbox()
    world.later(8)
    assert "bids for 1 board opened" in world.pair()
    assert world.book().boards["1-1"].paid == {"german": 3}
    world.inform()
    told = verify.verify_tournament(world.entrants["boris"].tournament).notes
    assert told[0] == "board 1-1: anna did not reveal the sealed bid"
    assert told[1].startswith("evidence/bid-open-")
