"""SIGKILL at random moments of 'kursk post' and 'kursk referee run --once': no loss, no second version.

KURSK_KILLS is the number of kills ('make kills KILLS=200'); KURSK_SEED repeats a run.
"""

import os
import random
import signal
import time

import pytest
from helpers import mail_servers, postal
from helpers.mail_servers import Imap, Smtp

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it forks")
KILLS = int(os.environ.get("KURSK_KILLS", "2"))
SEED = int(os.environ.get("KURSK_SEED", "0")) or random.randrange(1, 10**6)


class Desks:
    """Two players and a referee with a mailbox each; mail arrives immediately."""

    def __init__(self, world, certificates, smtp, boxes):
        self.world, self.smtp, self.boxes = world, smtp, boxes
        self.friends = {"anna": world.anna, "boris": world.boris, "ref": world.ref}
        self.seen, self.killed = {}, 0
        for name, friend in self.friends.items():
            mail_servers.account(friend, certificates, boxes[name].port, smtp.port)

    def round(self, name, seconds=None):
        """Run a round in a separate process, killed after some seconds; return the duration."""
        words = ["referee", "run", "--once", "-q"] if name == "ref" else ["post", "-q"]
        began, child = time.monotonic(), os.fork()
        if child == 0:
            try:
                self.friends[name].kursk(*words, status=0)
                os._exit(0)
            finally:
                os._exit(1)
        if seconds is not None:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, -signal.SIGKILL), (name, status)
        self.killed += status != 0
        self.deliver()
        self.world.time.passes(3600)  # a term has seven days
        return time.monotonic() - began

    def deliver(self):
        """Deliver the sent mail; check that one Message-ID has one set of bytes."""
        for _sender, reader, raw in self.smtp.post.mails:
            mid = raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0]
            assert self.seen.setdefault((mid, reader), raw) == raw
            self.boxes[reader.partition("@")[0]].add(raw)
        self.smtp.post.mails.clear()

    def signs(self):
        """Write the due message."""
        for who in (self.world.anna, self.world.boris):
            if not who.desk(self.world.game).game.over:
                who.sign(self.world.game)

    def messages(self, name):
        return postal.read_signed_parts(self.friends[name].folder(self.world.game))


def test_T48_killed_at_random_moments_nothing_is_lost_and_nothing_has_two_versions(world, certificates, capfd):
    print(f"KURSK_SEED={SEED}")
    dice = random.Random(SEED)
    with Smtp(certificates) as smtp, Imap(certificates) as one, Imap(certificates) as two, Imap(certificates) as three:
        desks = Desks(world, certificates, smtp, {"anna": one, "boris": two, "ref": three})
        took = {name: desks.round(name) for name in desks.friends}
        while desks.killed < KILLS:
            desks.signs()
            name = dice.choice(list(desks.friends))
            if dice.random() < 0.2:  # a complete round continues the game and measures the present duration
                took[name] = desks.round(name)
            else:
                desks.round(name, dice.uniform(0, took[name]))
        for _round in range(12):
            agreed = desks.messages("anna") == desks.messages("boris") == desks.messages("ref")
            for name in desks.friends:
                desks.round(name)
            if agreed:
                break
    there = desks.messages("anna")
    assert len(there) > 1
    assert desks.messages("boris") == desks.messages("ref") == there
    papers = world.papers()
    assert [name for name in papers if name.startswith("receipt")] == [
        f"receipt-{n:04d}.yaml" for n in range(len(there))
    ]
