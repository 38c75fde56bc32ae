"""Rounds of post: fetch, take, send. Commands and the board call them: step by step, once, or again and again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk import clock, elsewhere
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.post import clerk
from kursk_pbem.post.chair import Chair
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.mailbox import people, place, shunt, spool
from kursk_pbem.post.mailbox.place import BusyError
from kursk_pbem.post.referee import terms
from kursk_pbem.post.referee.ear import Ear
from kursk_pbem.post.round import delivery, fetch
from kursk_pbem.post.round.delivery import Step
from kursk_pbem.post.round.fetch import Fetched
from kursk_pbem.post.round.office import Office
from kursk_pbem.post.round.servers import FETCHING, Servers
from kursk_pbem.post.told.day import Day
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.password import Ask
from kursk_pbem.post.wire.smtp import UnreachableError

Told = Fetched | Day | list[Step] | KurskError
_FIRST, _MOST = 5, 15 * 60
"""Seconds before the first and the last new attempt, where a server cannot be reached."""
_PATIENCE = 10 * 60
"""Seconds for which a round waits for a command that is at work."""


@dataclass
class Errand(Servers):
    """The post of an account; ``key``: that of a director.

    ``intake`` and what it has verified stay from round to round. ``chair``: that of a mailbox that referees;
    ``complete``: whether the last fetch came to the end of the mailbox. ``faults``: why letters could not be sent.
    """

    key: Path | None = None
    intake: Intake = field(init=False)
    chair: Chair | None = None
    complete: bool = False
    faults: list[KurskError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.intake = Intake(self.home, self.account.games, self.key)

    def seat(self) -> Errand:
        """Let this mailbox referee by its terms as they are now. Raises UsageError without terms, key or address."""
        own = people.load_own(self.home).address
        if self.key is None or not own:
            raise UsageError("a referee's mailbox needs --key FILE (or KURSK_KEY), and 'kursk people card ADDRESS'")
        said = terms.load(self.home)
        self.chair = self.chair or Chair(self.intake, self.key, said, own)
        self.chair.judges_by(said)
        return self

    def line(self) -> AbstractContextManager[Mailbox | None]:
        """Return a connection to the mailbox, None for an account without. Raises UsageError, UnreachableError."""
        return self.mailbox() if self.account.imap is not None else nullcontext()

    def fetch(self, mailbox: Mailbox, *, everything: bool = False) -> Fetched:
        """Keep what is new in the mailbox. Raises UsageError."""
        self.complete = False
        known = set[str]().union(*(person.known_at for person in people.load_people(self.home)))
        got = fetch.fetch(self.home, self.account, mailbox, known, everything=everything)
        self.complete = got.stopped is None
        self.note(FETCHING, got.stopped)
        return got

    def take(self, mailbox: Mailbox | None = None) -> Day:
        """Take what was fetched, and flag it on the server if there is a connection. Raises KurskError.

        Where the director has spoilt the terms nothing is taken, and the mails wait.
        """
        if _referees(self.home):
            try:
                self.seat()
            except UsageError as error:
                raise DiskError(error.message) from None
        box = spool.Spool(self.home)
        day = clerk.work(self.intake, [box], self.chair.ear if self.chair is not None else None)
        if self.chair is not None:
            day.done += self.chair.work()  # a referee reads all of it, however many games there are
        if mailbox is not None:
            with shunt.guard_task(self.home, "the mailbox", b"", day.add_fault):
                fetch.mark(self.account, mailbox, box.taken)
            if self.complete:
                elsewhere.looked(self.home)
        return day

    def office(self) -> Office:
        """Return the outbox, as it is now."""
        office = Office(self.home, self.intake.here, self.key)
        office.desks.open = self.intake.open
        return office

    def send(self) -> list[Step]:
        """Send all that may go out now; no connection is made where there is nothing. Raises KurskError."""
        office = self.office()
        if not office.writer.own.address:
            raise UsageError("say your own address first: 'kursk people card ADDRESS'")
        self.faults = office.faults
        if not office.words.list_open() and not any(True for _slate in office.slates()):
            return []
        with self.transport() as transport:
            return list(delivery.send(office, transport))

    def received(self, mailbox: Mailbox | None) -> Iterator[Told]:
        """Fetch and take what came."""
        if mailbox is not None:
            yield self.fetch(mailbox)
        yield self.take(mailbox)

    def sent(self) -> Iterator[Told]:
        """Send what is due. A server that cannot be reached for sending stops no fetching."""
        steps: list[Step] = []
        try:
            steps = self.send() if self.can_send else []
        except UnreachableError as error:
            yield error
        yield steps

    def try_out(self) -> None:
        """Connect to both servers once. Raises UsageError, UnreachableError."""
        with self.line():
            pass
        if self.can_send:
            with self.transport():
                pass

    def once(self) -> Iterator[Told]:
        """Fetch and take, inside a lock that somebody holds; what was fetched before if no server can be reached."""
        try:
            with self.line() as mailbox:
                yield from self.received(mailbox)
        except UnreachableError as error:
            yield error
            yield from self.received(None)

    def watch(self, every: int, number: int | None = None) -> Iterator[Told]:
        """Do round after round, each with the post for itself; yield what came of it, and what went wrong.

        ``every``: seconds after which it looks, whether something came or not; ``number``: how many, None without end.
        """
        left, rest = number or -1, _FIRST
        while left:
            try:
                with self.line() as mailbox:
                    while left:
                        with place.lock_post(self.home, _PATIENCE):
                            yield from self.received(mailbox)
                            yield from self.sent()
                        left, rest = left - 1, _FIRST if self.complete else rest
                        if left and mailbox is not None:
                            mailbox.wait(every)
                        elif left:
                            clock.rest(every)
            except (UnreachableError, BusyError, DiskError) as error:
                yield error
                left -= 1
                if left:
                    clock.rest(rest)
                rest = min(2 * rest, _MOST)


def begin(home: Path, ask: Ask, key: Path | None = None, *, rounds: bool = False) -> Errand:
    """Return the errand of a private folder's account; ``rounds``: with the chair of a mailbox that referees.

    Without its chair a damaged or late turn would count as if none had come. Raises UsageError without an account.
    """
    account = accounts.load_account(home)
    if account is None:
        why = "no mail account is set up here: 'kursk post setup' does that"
        raise UsageError(f"{why}; 'kursk inbox FILE' and 'kursk outbox --eml DIR' need none")
    errand = Errand(home, account, ask, key)
    if rounds and _referees(home):
        errand.seat()
    place.make_folder(place.post_folder(home))
    return errand


def _referees(home: Path) -> bool:
    return terms.path_of(home).exists()


def of_files(home: Path, key: Path | None) -> tuple[Intake, Ear | None]:
    """Return who takes what is here: where a mailbox referees by the rules of its rounds, with the ear for commands.

    A late message would be taken without the director's word. Raises UsageError.
    """
    if not _referees(home):
        return Intake(home, Path(), key), None
    if key is None:
        raise UsageError("this mailbox referees: name its key with --key FILE (or KURSK_KEY)")
    chair = looking(home, key)
    return chair.intake, chair.ear


def looking(home: Path, key: Path) -> Chair:
    """Return the chair of a director who only looks, who may have neither account, terms nor address."""
    account = accounts.load_account(home)
    said = terms.load(home) if _referees(home) else terms.Terms(terms.MOST_DAYS, 0)
    here, own = (account.games, people.load_own(home).address) if account else (Path(), "")
    return Chair(Intake(home, here, key), key, said, own)
