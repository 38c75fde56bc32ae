"""What waits for files of this desk and is not kept: it may be what somebody owes, and no game ends by that."""

import pytest
from helpers.mailbags import letter, turn
from helpers.refereed_mail import damages, ends_by_itself, played_on

from kursk_pbem.post import spool
from kursk_pbem.post.referee import deadlines
from kursk_pbem.trust import messages


@pytest.fixture
def broken(automatic):
    """Message 1 cannot be read at the referee's, Boris has written message 3; and what heals the file."""
    played_on(automatic)
    automatic.boris.sign(automatic.game)
    path = automatic.folder / "0001.yaml"
    whole = path.read_bytes()
    damages(path)
    automatic.director.sits()
    return automatic, lambda: (damages(path, whole), automatic.director.sits())


def mails_it(world):
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    return world.director.post()


def test_T49_copies_of_an_old_message_that_crowd_out_a_new_one_end_no_game(broken):
    """Each had another position below it, which nobody signs, and took a place: the message that was owed had none."""
    world, heal = broken
    old = messages.read(turn(world.anna, world.game, 2), "message 2")
    for number in range(66):
        raw = messages.mailed(old.content, old.armour, {**(old.state or {}), "stage": f"x{number}"}).encode()
        world.office.put(letter(raw, world.anna.address), world.ref.address)
    world.director.post()
    mails_it(world)
    heal()
    world.director.post()
    assert world.ref.desk(world.game).seq == 3
    assert not ends_by_itself(world)


def test_a_mail_that_waited_too_long_ends_no_game(broken, monkeypatch):
    """It was told once that it is kept no longer."""
    world, heal = broken
    monkeypatch.setattr(spool, "AGAIN", 3)
    days = [mails_it(world)]
    for _day in range(3):
        world.time.passes(24 * 3600)
        days.append(world.director.post())
    assert "is kept no longer" in str([day.faults for day in days])
    heal()
    world.director.post()
    assert deadlines.damaged_at(world.ref.home, world.game)
    assert not ends_by_itself(world)
