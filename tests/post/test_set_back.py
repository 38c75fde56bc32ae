"""The folder of a game is put back as it was some days before, while the referee's mailbox knows what it has mailed."""

import shutil
from contextlib import contextmanager

import pytest
from helpers import postal
from helpers.mailbags import turn
from helpers.postmen import text
from helpers.refereed_mail import DAY, comes, ends_by_itself, hours, played_on

from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.trust.papers import HOLIDAY


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


@pytest.fixture
def away(automatic, tmp_path):
    """Boris owes message 3; a folder set back has lost the holiday that he was given, and mailed, until then."""
    world = automatic
    played_on(world)
    until = text(world.time.now + 45 * DAY)
    with set_back(world, tmp_path / "before"):
        paper = grants.extend(world.folder, world.ref.key, Grant(until=until, cause=HOLIDAY)).path
        kept = paper.read_bytes()
        hours(world, 6, step=3)
    return world, until, paper, kept


def answered(world):
    """Messages 3 and 4 come: Boris owes the next one."""
    for who, other, seq in ((world.boris, world.anna, 3), (world.anna, world.boris, 4)):
        comes(world, who, seq)
        postal.carried(world.game, seq, who, other)
        world.time.passes(60)
    return world.director.post()


def test_2_12_a_holiday_that_went_with_a_folder_set_back_ends_no_game_two_messages_later(away):
    """Only while message 3 was owed was it missed: then a term of seven days was signed, and the game ended in it."""
    world, until, paper, kept = away
    day = answered(world)
    assert "receipt-0004.yaml" not in world.papers()
    for told in (day.done, world.director.errand.chair.pending()):
        assert any("an extension about message 2 was mailed" in line for line in told)
    assert not ends_by_itself(world)
    paper.write_bytes(kept)
    answered_now = world.director.post()
    assert not any("extension" in line for line in answered_now.done)
    assert world.ref.desk(world.game).game.papers.due(4) == until


def test_2_12_whoever_has_lost_it_for_good_names_the_term(away):
    world, until, _paper, _kept = away
    assert f"'kursk receipt {world.folder} --seq 4 --due TIME'" in str(answered(world).done)
    comes(world, world.boris, 5)
    assert not (world.folder / "0005.yaml").exists()  # whether it is late nobody knows
    world.ref.kursk("receipt", world.folder, "--seq", 4, "--due", until)
    world.director.sits()
    world.director.post()
    assert world.ref.desk(world.game).game.papers.due(4) == until
    assert {"0005.yaml", "receipt-0005.yaml"} <= {path.name for path in world.folder.iterdir()}


def test_2_12_a_whole_folder_holds_no_receipt_though_time_was_given_in_it(automatic):
    world = automatic
    played_on(world)
    grants.extend(world.folder, world.ref.key, Grant(days=2))
    hours(world, 6, step=3)
    answered(world)
    assert "receipt-0004.yaml" in world.papers()
    assert ends_by_itself(world)
