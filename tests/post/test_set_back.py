"""The folder of a game is put back as it was some days before, while the referee's mailbox knows what it has mailed."""

import shutil
from contextlib import contextmanager

import pytest
from helpers.mailbags import turn
from helpers.refereed_mail import ends_by_itself, hours

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Term


@contextmanager
def set_back(world, place):
    """What happens inside here the game's folder forgets, and nothing else does."""
    shutil.copytree(world.folder, place)
    yield
    shutil.rmtree(world.folder)
    shutil.copytree(place, world.folder)


def by_hand(world, seq):
    """The director takes a message out of a file, and signs its receipt."""
    file = world.ref.place / "mail.yaml"
    file.write_bytes(turn(world.boris, world.game, seq))
    timekeeper.receipt(timekeeper.open_folder(file, world.ref.home, Term(days=7)), world.ref.key, Term(days=7))
    file.unlink()


def test_T48_a_folder_set_back_behind_what_the_director_put_in_ends_no_game_by_itself(owed, tmp_path):
    """It came by no mail, so nothing but its receipt says that it did."""
    hours(owed, 3 * 24, step=6)
    with set_back(owed, tmp_path / "before"):
        by_hand(owed, 3)
    assert not ends_by_itself(owed)
    assert any("a receipt was signed here of a message" in line for line in owed.director.errand.chair.pending())


def test_T48_a_folder_set_back_behind_a_receipt_that_was_mailed_ends_no_game_by_itself(owed, tmp_path):
    hours(owed, 3 * 24, step=6)
    with set_back(owed, tmp_path / "before"):
        by_hand(owed, 3)
        hours(owed, 2)
    shutil.rmtree(owed.ref.home / "receipts")
    assert not ends_by_itself(owed)
    assert any("a receipt about message 3 was mailed" in line for line in owed.director.errand.chair.pending())


def test_T48_in_a_folder_set_back_no_second_forfeit_is_signed(owed, tmp_path):
    """Two of them decide nothing (protocol 2.10)."""
    hours(owed, 6 * 24, step=6)
    with set_back(owed, tmp_path / "before"):
        assert ends_by_itself(owed)
    assert not ends_by_itself(owed)
    assert any("a forfeit about message 2 was mailed" in line for line in owed.director.errand.chair.pending())


def test_T53_in_a_folder_set_back_no_second_extension_is_signed_for_a_pause(owed, tmp_path):
    """It would be declared at another time: two tales."""
    with set_back(owed, tmp_path / "before"):
        list(owed.director.errand.chair.pause("2026-09-20T00:00:00Z"))
        owed.director.post()
        assert any("extension" in name for name in owed.papers())
    owed.time.passes(60)
    day = owed.director.post()
    assert not any("extension" in name for name in owed.papers())
    assert any("an extension about message 2 was mailed" in line for line in day.done)


@pytest.mark.parametrize("digit", [b"2036", b"2026"])
def test_2_12_a_receipt_with_a_spoilt_digit_is_told(owed, digit):
    """Its term ran for ten years: no reminder, no end, and no word of it in any list."""
    path = owed.folder / "receipt-0002.yaml"
    path.write_bytes(path.read_bytes().replace(b"due: '2026", b"due: '" + digit))
    told = owed.director.post().done
    assert ("does not fit the text" in str(told)) == (digit == b"2036")
    assert ends_by_itself(owed) == (digit == b"2026")
