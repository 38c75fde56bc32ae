"""What the home page of the board says of tournaments: a director sees all of it, an entrant their place."""

from __future__ import annotations

import shutil

import pytest
from board.seats import Client, Seat
from helpers.tourney import Playing

from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import folders
from kursk_pbem.tournament import glance
from kursk_pbem.tournament.entrant import games

pytestmark = pytest.mark.slow


def test_a_director_sees_boards_what_waits_and_what_comes(four):
    four.later(20)
    (seen,) = glance.every(four.director.home, four.time)
    assert (seen.role, seen.fault) == ("director", "")
    late = seen.rows[0]
    assert late.late
    assert late.due.startswith("late by")
    assert "writes" in late.stands
    assert any("boards are not decided" in line for line in seen.next)
    assert "round 1" in seen.lines[0]


def test_an_entrant_sees_place_and_boards(four):
    four.pair()
    four.post()
    four.take()
    for who in four.entrants.values():
        (seen,) = glance.every(who.home, four.time)
        assert seen.role == "entrant"
        assert "of 4 with" in seen.lines[0]
        assert len(seen.rows) == 1


def test_the_time_that_everybody_was_given_counts(four):
    anna = four.entrants["anna"]
    (before,) = glance.every(anna.home, four.time)
    four.director.kursk("tournament", "grant", "all", 3, "flood", "--yes", "--in", four.folder)
    four.post()
    four.take()
    (after,) = glance.every(anna.home, four.time)
    assert (before.rows[0].due, after.rows[0].due) == ("in 90 days", "in 93 days")


def test_a_folder_that_is_gone_says_so_and_hides_nothing(four):
    anna = four.entrants["anna"]
    shutil.rmtree(anna.tournament)
    (seen,) = glance.every(anna.home, four.time)
    assert "no folder of a tournament" in seen.fault


def test_the_home_page_of_a_board_shows_it(four):
    for who, words in ((four.director, "you direct it"), (four.entrants["anna"], "You are number")):
        page = Client(Seat("german", who.place)).enter().get("/").text
        assert words in page
        assert "1-2" in page or who is not four.director


def test_a_proposal_that_is_not_as_paired_is_not_accepted_on_the_board(four):
    """The same guard as that of 'kursk accept'."""
    board = four.book().boards["1-2"]
    people = Playing(four, board).people
    more = {"tournament": {"id": four.book().id, "board": "1-1", "seq": "5", "head": four.book().log[5].id}}
    proposal = folders.proposal_path(four.folder / "games" / folders.folder_name(four.wild(board, people, more)))
    other = next(iter(reversed(people.values())))
    with pytest.raises(TrustError):
        games.guard_text(proposal.read_text(), other.home)
    with pytest.raises(UsageError, match="no copy"):
        games.guard_text(proposal.read_text(), four.director.place / "nobody")
