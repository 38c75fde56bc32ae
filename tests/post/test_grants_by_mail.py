"""What the director gives, and says anew: no board ends by itself in time that was given, or in another absence."""

from datetime import timedelta

import pytest
from helpers import postal
from helpers.boards_by_mail import Board
from helpers.mailbags import letter, turn
from helpers.postmen import text

from kursk_pbem.desk.referee import kept
from kursk_pbem.formats import times
from kursk_pbem.game import folders, receipts


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


def test_T53_a_grant_whose_reason_is_put_right_makes_no_extension_false(board):
    """It counted as given by the correction: the extension, which names the log of before, gave more than that."""
    board.directs("grant", board.number, "10", "ill")
    seq = board.cup.book().head.seq
    assert len([*board.folder.glob("extension-0004*.yaml")]) == 1
    board.directs("correct", seq, "another reason")
    board.cup.direct("tournament", "verify", board.cup.folder)


def test_T53_no_receipt_gives_a_holiday_that_came_behind_its_term(board):
    """A player mailed a message to the opponent alone, who answered, and asked for a holiday eight days later.

    The receipt of the answer gave it, the log did not: an honest director stood convicted by ``verify``.
    """
    board.passes(hours=5)
    board.directs("grant", board.number, "10", "ill")
    board.passes(hours=20)
    late, other = (board.cup.players[name].friend for name in (board.late, board.other))
    texts = []
    for writer, reader in ((late, other), (other, late)):
        writer.sign(board.game)
        seq = len(folders.message_files(writer.folder(board.game))) - 1
        postal.carried(board.game, seq, writer, reader)
        texts.append((letter(turn(writer, board.game, seq), writer.address), board.cup.ref.address))
    board.cup.office.put(*texts[1])
    board.passes(days=8)
    board.directs("grant", board.number, "10", "away", "--holiday")
    board.cup.office.put(*texts[0])
    board.passes(hours=12)
    receipt = receipts.read_file(board.folder / f"receipt-{seq:04d}.yaml")
    assert times.between(receipt.text("received"), receipt.text("due")) == 7 * times.DAY
    board.cup.direct("tournament", "verify", board.cup.folder)


def test_T48_the_receipt_of_a_board_that_was_put_down_before_a_kill_is_signed(board):
    """A copy that had come earlier, and was fetched later, made another of it: none was signed in any round."""
    late, other = (board.cup.players[name].friend for name in (board.late, board.other))
    late.sign(board.game)
    desk = late.desk(board.game)
    since = text(board.cup.time.now + timedelta(hours=1))
    path = kept.path_of(board.cup.ref.friend.home, desk.game.chain, desk.last.seq)
    kept.keep(path, since, times.until(since, 7))
    postal.carried(board.game, desk.last.seq, late, other)
    board.cup.office.put(letter(turn(late, board.game, desk.last.seq), late.address), board.cup.ref.address)
    board.passes(hours=12)
    receipt = receipts.read_file(board.folder / f"receipt-{desk.last.seq:04d}.yaml")
    assert (receipt.text("received"), receipt.text("due")) == (since, times.until(since, 7))
    board.cup.direct("tournament", "verify", board.cup.folder)
