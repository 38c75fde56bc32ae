"""'redo' restores orders exactly until the next order; orders change places."""

import pytest

from desk.sheets import order, sheet, text
from kursk_pbem.desk.draft import ordering, orderlines
from kursk_pbem.errors import UsageError

MOVES = "posture deploy, move 24 pz 2219, move 40 pz 2320"


def test_several_are_taken_back_and_done_again_in_their_order(player):
    texts = [text(player)]
    for each in MOVES.split(", "):
        order(player, each)
        texts.append(text(player))
    for earlier in reversed(texts[:-1]):
        ordering.undo_command(sheet(player))
        assert text(player) == earlier
    for later in texts[1:]:
        assert ordering.redo_command(sheet(player)).said[0].startswith("redone")
        assert text(player) == later
    with pytest.raises(UsageError, match="last order; 'undo' takes back the last command, even an 'undo N'"):
        ordering.redo_command(sheet(player))


def test_redo_promises_of_undo_only_what_it_does(player):
    order(player, "move 24 pz 2219")
    ordering.take_out_order(sheet(player), len(sheet(player).orders))
    order(player, "move 40 pz 2320")
    with pytest.raises(UsageError, match="'undo' takes back the last command, even"):
        ordering.redo_command(sheet(player))
    assert "g-40-pz 2320" in ordering.undo_command(sheet(player)).said[0]
    assert ordering.undo_command(sheet(player)).said[0].startswith("undone; restored")


@pytest.mark.parametrize("meanwhile", ["order", "edit"])
def test_nothing_is_done_again_over_something_else(player, meanwhile):
    order(player, "posture deploy")
    ordering.undo_command(sheet(player))
    if meanwhile == "order":
        order(player, "posture engage reaction")
    else:
        player.draft().write_text(text(player) + "# mine\n", encoding="ascii")
    before = text(player)
    with pytest.raises(UsageError, match="is not possible"):
        ordering.redo_command(sheet(player))
    assert text(player) == before


def test_an_order_goes_before_the_one_above_it_in_its_list(player):
    order(player, MOVES)
    words = [words for _path, words in orderlines.list_lines(sheet(player).choices)]
    number = next(number for number, each in enumerate(words, 1) if "g-40-pz" in each and "to 2320" in each)
    done = ordering.move_order_up(sheet(player), number)
    after = [words for _path, words in orderlines.list_lines(done.sheet.choices)]
    assert after[number - 2 : number] == [words[number - 1], words[number - 2]]
    assert sorted(after) == sorted(words)
    ordering.undo_command(sheet(player))
    assert [words for _path, words in orderlines.list_lines(sheet(player).choices)] == words
    for wrong in (0, 1, 99, number - 1):
        with pytest.raises(UsageError, match="is already the first of the list"):
            ordering.move_order_up(sheet(player), wrong)
