"""A message is late by the previous receipt, even if the receipt is signed later in the round."""

import pytest
from helpers.mailbags import letter, turn
from helpers.postmen import text

from kursk_pbem.game import receipts
from post.conftest import share
from post.refereed_mail import DAY, HOUR, World, ahead_of_referee, lets_pass, played_on


def mails(world, who, seq, at=None):
    """Mail a message to the referee."""
    world.office.put(letter(turn(who, world.game, seq), who.address), world.ref.address, at)


def says(world, seq):
    """Return the arrival and the deadline in a message's receipt."""
    paper = receipts.read_file(world.folder / f"receipt-{seq:04d}.yaml")
    return paper.text("received"), paper.text("due")


def told(day, seq):
    return next(outcome.told for game in day.games for outcome in game.outcomes if outcome.piece.turn.seq == seq)


def get_ahead(root, time):
    """Return a game with messages 3, 4 and 5 written and not mailed to the referee."""
    directed = World.with_director(root, time)
    played_on(directed)
    ahead_of_referee(directed)
    directed.boris.sign(directed.game)
    directed.time.passes(3600)
    return directed


_ahead, ahead = share("ahead", get_ahead)


def test_a_message_is_late_whose_predecessor_came_in_the_same_round(ahead):
    """One fetch brings three messages after a pause of the mailbox."""
    for who, seq, days in ((ahead.boris, 3, 1), (ahead.anna, 4, 2), (ahead.boris, 5, 18)):
        mails(ahead, who, seq, at=ahead.time.now + days * DAY)
    due = text(ahead.time.now + 9 * DAY)
    ahead.time.passes((20 * DAY).total_seconds())
    assert f"late: due {due}" in told(ahead.director.post(), 5)[0]
    assert says(ahead, 4)[1] == due


@pytest.mark.parametrize(("hour", "late"), [(-1, False), (1, True)])
def test_the_grace_is_the_same_with_a_receipt_and_without_one(ahead, hour, late):
    mails(ahead, ahead.boris, 3)
    mails(ahead, ahead.anna, 4, at=ahead.time.now + 8 * DAY + hour * HOUR)
    ahead.time.passes((9 * DAY).total_seconds())
    ahead.director.post()
    assert (ahead.ref.desk(ahead.game).seq == 4) is late


def test_a_pause_counts_before_the_receipt_is_signed(ahead):
    list(ahead.director.session.referee.pause(text(ahead.time.now + 20 * DAY)))
    mails(ahead, ahead.boris, 3)
    mails(ahead, ahead.anna, 4, at=ahead.time.now + 20 * DAY)
    ahead.time.passes((20 * DAY).total_seconds())
    ahead.director.post()
    assert ahead.ref.desk(ahead.game).seq == 5


def test_a_late_message_counts_if_the_other_side_has_answered_it_and_no_later_one(ahead):
    """Message 4 answers message 3, so the players have accepted it; message 5 waits for the director."""
    for who, seq, days in ((ahead.boris, 3, 9), (ahead.anna, 4, 1), (ahead.boris, 5, 20)):
        ahead.time.passes((days * DAY).total_seconds())
        mails(ahead, who, seq)
        ahead.director.post()
    assert ahead.ref.desk(ahead.game).seq == 5
    assert any("message 5 is late" in line for line in ahead.director.session.referee.list_pending())
    lets_pass(ahead)
    ahead.director.post()
    assert ahead.ref.desk(ahead.game).seq == 6
