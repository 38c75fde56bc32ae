"""A director who plays in a game that somebody else referees: its own referee judges when its messages came."""

import pytest
from helpers import postal
from helpers.mailbags import letter, states, turn
from helpers.postmen import text
from helpers.refereed_mail import DAY

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.post.round.outcome import TAKEN


def comes(world, raw):
    world.office.put(raw, world.ref.address)
    world.time.passes(60)
    return world.director.post()


class UnderCarla:
    """The director of a mailbox plays Anna; Carla referees that game. The director has sent message 3 with a term."""

    def __init__(self, world, carla, days=2):
        self.world, self.carla, self.days = world, carla, days
        self.game = postal.began(world.anna, world.ref, relay=carla.public)
        proposal = carla.place / "0000.yaml"
        proposal.write_bytes(turn(world.anna, self.game, 0))
        timekeeper.receipt(timekeeper.open_folder(proposal, carla.home, Term(days=days)), carla.key, Term(days=days))
        proposal.unlink()
        self.mails(0)
        for who, seq in ((world.ref, 1), (world.anna, 2), (world.ref, 3)):
            who.sign(self.game)
            for other in (world.anna, world.ref):
                if other is not who:
                    postal.carried(self.game, seq, who, other)
            self.takes(who, seq)
            self.mails(seq)
            world.time.passes(3600)

    def takes(self, who, seq, *, late=False):
        """Carla takes a message, and signs when she has it."""
        postal.carried(self.game, seq, who, self.carla)
        opened = timekeeper.open_folder(self.carla.folder(self.game), self.carla.home, Term(days=self.days))
        term = Term(text(self.world.time.now), days=self.days, late=late)
        timekeeper.receipt(opened, self.carla.key, term, seq)

    def mails(self, seq):
        """Her receipt is mailed to the director; the day."""
        path = self.carla.folder(self.game) / f"receipt-{seq:04d}.yaml"
        return comes(self.world, letter(path.read_bytes(), self.carla.address))


@pytest.mark.parametrize("late", [True, False], ids=["their referee let it pass", "their referee has it in time"])
def test_2_12_what_comes_late_of_a_game_under_another_referee_is_taken(directed, friends, late):
    """It waited for a word that nobody could say, and the owner of the mailbox lost that game at its referee's."""
    world = directed
    there = UnderCarla(world, friends("carla")[0])
    world.time.now += (6 if late else 1) * DAY
    world.anna.sign(there.game)
    there.takes(world.anna, 4, late=late)
    world.time.now += (0 if late else 5) * DAY
    day = comes(world, letter(turn(world.anna, there.game, 4), world.anna.address))
    assert states(day) == [(4, TAKEN)]
    there.mails(4)
    assert world.ref.desk(there.game).seq == 5
    assert "receipt-0004.yaml" in [path.name for path in world.ref.folder(there.game).glob("receipt-*")]
