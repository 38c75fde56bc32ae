"""A simulated post office with a clock, and people who run rounds of post without any server.

The post office writes posted mails to a folder, so a killed program has posted a mail or not.
"""

import copy
import hashlib
import os
import random
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta

import pytest

from helpers import crash_play
from helpers.memory_mailbox import MemoryMailbox
from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import KurskError
from kursk_pbem.game import disk
from kursk_pbem.post.mail_session import MailSession
from kursk_pbem.post.mailbox import people, post_folder, store
from kursk_pbem.post.referee import terms
from kursk_pbem.post.round import early_turns
from kursk_pbem.post.round.digest import Digest
from kursk_pbem.post.wire import account
from kursk_pbem.post.wire.smtp import DOUBT, LATER, SENT, Answer

BEGIN = datetime(2026, 9, 1, tzinfo=UTC)
MX = "mx.example.test"


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class Time:
    """The time of day in this world."""

    def __init__(self):
        self.now = BEGIN

    @contextmanager
    def rules(self):
        with pytest.MonkeyPatch.context() as patch:
            yield self.set(patch)

    def set(self, patch):
        """Replace the clock until the patch ends. Use the test's own patch if the test sets the clock."""
        patch.setattr(clock, "now", lambda: text(self.now))
        patch.setattr(clock, "read_monotonic", self.ticks)
        patch.setattr(clock, "read_file_time", lambda _path: text(self.now))
        patch.setattr(clock, "sleep", self.passes)
        return self

    def ticks(self):
        return (self.now - BEGIN).total_seconds()

    def passes(self, seconds):
        self.now += timedelta(seconds=seconds)


class Faults:
    """The percentage of letters for each fault."""

    def __init__(self, *, seed=1, late=0, doubled=0, lost=0, grey=0, doubt=0):
        self.dice = random.Random(seed)
        self.late, self.doubled, self.lost, self.grey, self.doubt = late, doubled, lost, grey, doubt
        self.counts = dict.fromkeys(("late", "doubled", "lost", "grey", "doubt"), 0)

    def hits(self, what):
        hit = self.dice.random() * 100 < getattr(self, what)
        self.counts[what] += hit
        return hit


class PostOffice:
    """All mailboxes with arrival times. ``wire``: the folder of posted letters not carried yet."""

    def __init__(self, root, time, faults):
        self.time, self.faults, self.wire = time, faults, root / "wire"
        self.wire.mkdir()
        self.boxes, self.mails, self.carried, self.numbers = {}, [], 0, {}
        self.grey = set()

    def post(self, raw, sender, reader):
        """Carry a letter: late, twice, or never if a fault hits."""
        self.carried += 1
        self.mails.append((text(self.time.now), sender, reader, raw))
        if self.faults.hits("lost"):
            return
        for _copy in range(2 if self.faults.hits("doubled") else 1):
            hours = (
                self.faults.dice.uniform(0.01, 2) if not self.faults.hits("late") else self.faults.dice.uniform(6, 60)
            )
            self.put(raw, reader, self.time.now + timedelta(hours=hours))

    def put(self, raw, reader, arrives=None):
        arrives = arrives or self.time.now
        line = f"Received: from a by {MX}; {arrives.strftime('%a, %d %b %Y %H:%M:%S +0000')}\r\n".encode()
        self.boxes.setdefault(reader, []).append((arrives, line + raw))

    def collect(self):
        """Carry the letters on the wire."""
        for path in sorted(self.wire.iterdir()):
            if path.suffix != ".mail":
                continue
            sender, reader, raw = path.read_bytes().split(b"\n", 2)
            path.unlink()
            self.post(raw, sender.decode(), reader.decode())

    def take(self, reader):
        """Return the arrived mails of a reader as (arrival, mail)."""
        box = self.boxes.get(reader, [])
        here = sorted((entry for entry in box if entry[0] <= self.time.now), key=lambda entry: entry[0])
        self.boxes[reader] = [entry for entry in box if entry[0] > self.time.now]
        return here


class Line:
    """A connection for sending. Posted mails stay on the wire until the post office collects them."""

    def __init__(self, office, act=None):
        self.office, self.act = office, act

    def ready(self):
        return True

    def send(self, raw, sender, reader):
        office = self.office
        key = hashlib.sha256(raw + reader.encode()).hexdigest()
        if key not in office.grey and office.faults.hits("grey"):
            office.grey.add(key)
            return Answer(LATER, 450, "later")
        number = len(list(office.wire.iterdir()))
        if self.act is not None:
            self.act("send", ())
        path = office.wire / f"{text(office.time.now).replace(':', '')}-{number:05d}-{key[:8]}"
        path.write_bytes(f"{sender}\n{reader}\n".encode() + raw)
        path.rename(path.with_suffix(".mail"))
        if self.act is not None:
            self.act("send", ())
        return Answer(DOUBT, 0, "cut off") if office.faults.hits("doubt") else Answer(SENT, 250, "ok")


class Round(MailSession):
    """A mail session with a post office for servers; ``act`` is called before and after sending a letter."""

    world = None
    act = None
    box = None

    def connect_mailbox(self):
        return nullcontext(self.box)

    @contextmanager
    def transport(self):
        yield Line(self.world, self.act)

    @property
    def can_send(self):
        return True


class Member:
    """A person with a desk and a mailbox; ``director``: the person is the referee."""

    def __init__(self, friend, office, *, director=False):
        self.friend, self.office, self.director = friend, office, director
        self.address = friend.address
        self.session, self.days = None, []
        self.inbox, self.sent = {}, office.wire.parent / "sent" / self.address
        disk.make_private(post_folder.locate(friend.home))
        people.save_own(friend.home, self.address, cards=False)
        store.save_setting(friend.home, "begun", "2026-06-01T00:00:00Z")

    def __deepcopy__(self, memo):
        """Copy the desk for a kept world; a new program replaces a running program."""
        memo[id(self)] = found = copy.copy(self)
        found.friend, found.office = copy.deepcopy((self.friend, self.office), memo)
        found.session, found.days, found.inbox = None, [], dict(self.inbox)
        found.sent = found.sent and found.office.wire.parent / "sent" / found.address
        if self.session is not None:
            found.sits()
        return found

    def knows(self, *others):
        for other in others:
            person = people.person_of(self.friend.home, other.friend.public)
            people.save_person(self.friend.home, person.put(other.address, people.SAID, "said"))

    def terms(self, *said, **more):
        path = terms.terms_path(self.friend.home)
        post_folder.write_file(path, terms.format_terms(terms.Terms(*said, **more)).encode())

    def sits(self):
        """Start a new program at this desk."""
        server = account.Server("imap.example.test", 993, account.TLS, self.address)
        made = account.Account(self.address, server, None, days=3660, arrival=(MX,), games=self.friend.place)
        self.session = Round(self.friend.home, made, lambda _question: "", self.friend.key)
        self.session.world = self.office
        self.session.box = MemoryMailbox(made, self.inbox, self.sent, lambda: self.office.time.now)
        if self.director:
            self.session.load_terms()
            self.session.complete = True
        return self.session

    def arrive(self):
        """Put the arrived mails into the mailbox."""
        for arrives, raw in self.office.take(self.address):
            self.inbox[max(self.inbox, default=0) + 1] = raw, arrives

    def fetch(self):
        """Save the arrived mails in the spool, with their times."""
        self.arrive()
        session = self.session or self.sits()
        session.fetch(session.box)

    def post(self, act=None):
        """Run a round of post: fetch, take, send; return the digest."""
        session = self.session or self.sits()
        session.act = act
        self.arrive()
        return self.rest(session)

    def rest(self, session):
        told = [*session.run_once(), *session.send_due()]
        if session.act is None:  # otherwise a child process collects
            self.office.collect()
        return merge_digests(told)

    def accepts(self):
        """Accept all proposals that wait at this desk."""
        for short in early_turns.list_games(self.friend.home):
            self.friend.kursk("accept", short)

    def dies(self, at):
        """Kill the program in its round at its n-th call or letter; return whether the program died.

        ``at()`` returns n, called in the child process.
        """
        self.arrive()

        def work():
            session = self.sits()
            session.act = crash_play.kill(at())
            crash_play.watch_statements(session.act)
            self.rest(session)

        status = run_in_child(work)
        assert status in (0, crash_play.KILLED), status
        self.office.collect()
        self.sits()
        return status == crash_play.KILLED


def merge_digests(told):
    """Return one digest of all results of a round; raise the errors of a server."""
    whole = Digest()
    for one in told:
        if isinstance(one, KurskError):
            raise one
        if isinstance(one, Digest):
            for game in one.games:
                whole.add_game(game)
            for name in ("cards", "returned", "done", "faults", "strange"):
                getattr(whole, name).extend(getattr(one, name))
            whole.mails, whole.talk = whole.mails + one.mails, whole.talk + one.talk
            whole.more, whole.status = whole.more + one.more, max(whole.status, one.status)
    return whole


def run_in_child(work):
    """Do some work in a child process; return its exit status."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
