"""What a player mails in time so that a message that comes late seems to have come in time."""

import pytest
from helpers import sweeps
from helpers.mailbags import letter, turn
from helpers.refereed_mail import DAY, HOUR, played_on

from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust import keys, messages, sshsig


def mailed(world, raw):
    world.office.put(letter(raw, world.boris.address), world.ref.address)
    return world.director.post()


def signed(friend, content):
    armour = keys.load(friend.key).sign(sshsig.NAMESPACE, canon(content))
    return messages.mailed(content, armour, None).encode("ascii")


def late(world, seq):
    """The message is mailed long after its term; whether it waits for the director."""
    world.time.passes((9 * DAY + HOUR).total_seconds())
    day = mailed(world, turn(world.boris, world.game, seq))
    (outcome,) = (outcome for outcome in day.games[0].outcomes if outcome.piece.turn.seq == seq)
    return outcome.state == "waits" and "it is late" in outcome.told[0]


def test_T51_a_message_came_when_it_came_signed(world):
    """Many orders could be mailed in time with signatures that do not hold, and one of them signed at leisure."""
    world.boris.sign(world.game)
    message = messages.read(turn(world.boris, world.game, 1), "0001.yaml")
    other = keys.load(world.anna.key).sign(sshsig.NAMESPACE, message.signed)
    mailed(world, messages.mailed(message.content, other, message.state).encode("ascii"))
    assert late(world, 1)


@pytest.mark.parametrize("ahead", sweeps.some([1, 2, 3], 3))
def test_T51_what_was_not_written_upon_a_message_says_nothing_of_when_it_came(world, ahead):
    """A message that waits for others is only known to be signed: its writer may have made it up."""
    played_on(world)
    world.boris.sign(world.game)
    message = messages.read(turn(world.boris, world.game, 3), "0003.yaml")
    for prev in (message.content["prev"], message.id):
        mailed(world, signed(world.boris, {**message.content, "prev": prev, "seq": str(3 + ahead)}))
    assert late(world, 3)
