"""Protocol 2.10 and docs/directors.md 6.3: somebody takes over a game whose player has fallen silent."""

from __future__ import annotations

import shutil

import pytest
from helpers.substituting import catch_up, handed_on, proposed, silent_one, stand_in

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Opened, Term
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, histories
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score.counted import count

pytestmark = pytest.mark.slow


def test_a_substitute_takes_over_a_game_and_the_points_go_to_the_number(four):
    playing, place, side = handed_on(four)
    assert (place / "forfeit.yaml").is_file()
    old = histories.load(place).game
    assert old.verdict.how == "successor"
    assert "fell silent" in old.verdict.text
    loser = next(each for each in playing.people if each != side)
    playing.go(3, loser)
    four.inbox()
    said = four.pair()
    assert "board 1-2: " in said
    assert "resignation" in said
    four.verify()
    book = four.book()
    assert len(book.boards["1-2"].games) == 2
    number = book.boards["1-2"].sides[side]
    assert book.entrant(number).name == "Greta"
    assert count(book).points(number) == 4


def test_before_the_game_is_handed_on_verify_says_what_is_missing(four):
    number, _side, _place = silent_one(four)
    four.later(8)
    stand_in(four, number)
    proof = verify.verify(four.folder)
    assert proof.status == 1
    assert any("nothing here shows that number" in each for each in proof.missing)


def test_nobody_is_replaced_before_their_term_is_over(four):
    number, side, place = silent_one(four)
    stand_in(four, number)
    catch_up(four)
    _people, _proposer, path = proposed(four, side, four.entrants["greta"], place)
    shutil.copyfile(path, four.director.inbox / "0000.yaml")
    four.inbox()
    said = four.director.kursk("tournament", "vacate", "1-2", "--yes", "--in", four.folder, status=2)
    assert "that is not before" in said


def test_a_game_that_allows_no_substitutes_is_handed_on_to_nobody(four):
    """Protocol 2.10: the referee's word does it only where message 0 says that both sides agree to it."""
    board = four.book().boards["1-2"]
    people = {side: four.by_number(number) for side, number in board.sides.items()}
    game = four.wild(board, people, {}, loser="")
    place = four.folder / "games" / folders.folder_name(game)
    with four.director.at_home():
        timekeeper.receipt(Opened(place, histories.load(place)), four.director.key, Term(days=7))
    four.later(8)
    with four.director.at_home(), pytest.raises(UsageError, match="message 0 allows no substitutes"):
        timekeeper.forfeit(place, four.director.key, "", None, "a" * 64)
    with four.director.at_home():
        timekeeper.forfeit(place, four.director.key)
    assert histories.load(place).game.verdict.how == "forfeit"
