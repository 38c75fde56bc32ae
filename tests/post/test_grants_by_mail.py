"""What the director gives, and says anew: no board ends by itself in time that was given, or in another absence."""

import pytest
from helpers.boards_by_mail import Board


@pytest.fixture
def board(relayed):
    return Board(relayed)


@pytest.mark.parametrize("way", ["why", "no"])
def test_a_grant_whose_reason_is_put_right_answers_no_absence_that_was_signed_since(board, way):
    """Its correction counted as given since, and the board was lost in the absence."""
    board.passes(days=1)
    board.says(board.late, "absent", "2026-09-04", "2026-09-06")
    board.directs("grant", board.number, "5", "frist", "--holiday")
    seq = board.cup.book().head.seq
    board.says(board.late, "absent", "2026-09-07", "2026-10-05")
    if way == "why":
        board.directs("correct", seq, "first")
    board.moves()
    board.moves()
    board.passes(days=14)
    assert not board.lost


def test_T53_a_grant_is_not_taken_back_by_a_correction(board):
    """The players had been mailed a holiday, and a board was lost within it."""
    board.directs("grant", board.number, "20", "a holiday", "--holiday")
    seq = board.cup.book().head.seq
    for said in ("until=2026-09-09T05:00:00Z", "who=all"):
        with pytest.raises(AssertionError, match="correct"):
            board.directs("correct", seq, "a slip", "--now", said)
    board.directs("correct", seq, "another reason")
