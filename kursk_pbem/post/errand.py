"""A round of post: fetch, take, send. What the commands and the board call, each step by itself or all of them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk import elsewhere
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.post import clerk
from kursk_pbem.post.chair import Chair
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.mailbox import arrival, card, people, place, spool, store
from kursk_pbem.post.referee import terms as terms_file
from kursk_pbem.post.round import delivery, fetch, notes
from kursk_pbem.post.round.delivery import Step
from kursk_pbem.post.round.fetch import Fetched
from kursk_pbem.post.round.office import Office
from kursk_pbem.post.round.servers import FETCHING, Servers
from kursk_pbem.post.told.day import Day
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.account import Account
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.password import Ask
from kursk_pbem.post.wire.smtp import Transport, UnreachableError


@dataclass
class Errand:
    """Whose post it is: the private folder, the account, the key of a director; ``ask``: how a password is asked.

    ``intake`` and what it has verified stay from round to round. ``chair``: that of a mailbox that referees;
    ``complete``: whether the last fetch came to the end of the mailbox, ``broke``: whether the line broke off in it.
    ``faults``: why the letters of some games could not be sent in the last round.
    """

    home: Path
    account: Account
    key: Path | None
    ask: Ask
    intake: Intake = field(init=False)
    chair: Chair | None = None
    complete: bool = False
    broke: bool = False
    faults: list[KurskError] = field(default_factory=list)
    servers: Servers = field(init=False)

    def __post_init__(self) -> None:
        self.intake = Intake(self.home, self.account.games, self.key)
        self.servers = Servers(self.home, self.account, self.ask)

    def mailbox(self) -> AbstractContextManager[Mailbox]:
        """Return a connection to the mailbox. Raises UsageError, UnreachableError."""
        return self.servers.mailbox()

    def fetch(self, mailbox: Mailbox, *, everything: bool = False) -> Fetched:
        """Keep what is new in the mailbox. UsageError."""
        self._seated()
        known = people.all_known_at(self.home)
        self.complete = False
        got = fetch.fetch(self.home, self.account, mailbox, known, everything=everything)
        self.complete, self.broke = got.stopped is None, isinstance(got.stopped, UnreachableError)
        self.servers.note(FETCHING, got.stopped)
        return got

    def _seated(self) -> None:
        """A mailbox referees from the round on in which its terms are there, whatever it did before. DiskError.

        Its director may be writing them: who goes round after round tells it, and tries again.
        """
        if self.chair is None and _referees(self.home):
            try:
                seat(self)
            except UsageError as error:
                raise DiskError(error.message) from None

    def named(self) -> None:
        """Whoever asked has been told of every mail that was not fetched."""
        fetch.named(self.home)

    def take(self, mailbox: Mailbox | None = None) -> Day:
        """Take what was fetched, and flag it on the server if there is a connection. KurskError."""
        self._seated()
        box = spool.Spool(self.home)
        wrong = list[KurskError]()
        if self.chair is not None:
            try:  # the director may have edited them
                self.chair.judges_by(terms_file.load(self.home))
            except KurskError as error:
                wrong.append(error)
        day = clerk.work(self.intake, [box], self.chair.ear if self.chair is not None else None)
        if self.chair is not None:
            for fault in wrong:
                day.add_fault(fault)
            day.done += self.chair.work()  # a referee reads all of it, however many games there are
        if mailbox is not None:
            fetch.mark(self.account, mailbox, box.taken)
            if self.complete:
                elsewhere.looked(self.home)
        return day

    @property
    def can_send(self) -> bool:
        """Whether the account says how letters are sent."""
        return bool(self.account.smtp or self.account.sendmail)

    def transport(self) -> AbstractContextManager[Transport]:
        """Return what sends letters. Raises UsageError, UnreachableError."""
        return self.servers.transport()

    def office(self) -> Office:
        """The outbox, as it is now."""
        office = Office(self.home, self.intake.here, self.key)
        office.desks.open = self.intake.open
        return office

    def send(self) -> list[Step]:
        """Send all that may go out now; no connection is made where there is nothing. KurskError."""
        office = self.office()
        if not office.writer.own.address:
            raise UsageError("say your own address first: 'kursk people card ADDRESS'")
        self.faults = office.faults
        steps, wrong = list[Step](), list[KurskError]()
        if self._words(wrong) or any(True for _slate in office.slates()):
            with self.transport() as transport:
                steps += delivery.send(office, transport)
                self._speak(transport, wrong, {step.reader.mark for step in steps if step.answer is not None})
        self.faults += wrong
        return steps

    def _words(self, wrong: list[KurskError]) -> bool:
        """Whether letters in words are to go out; where nobody can tell, what is ``wrong``."""
        try:
            return self.chair is not None and notes.waiting(self.home)
        except DiskError as error:
            wrong.append(error)
        return False

    def _speak(self, transport: Transport, wrong: list[KurskError], busy: set[str]) -> None:
        """Send them, unless something is ``wrong``. ``busy``: the readers of other letters of this round wait."""
        if self.chair is None or wrong:
            return
        try:
            wrong.extend(map(UsageError, notes.send(self.home, transport, self.chair.terms.director, busy)))
        except (DiskError, OSError) as error:
            wrong.append(place.fault(error))

    def tidy(self) -> None:
        """Forget what is too old to matter."""
        spool.tidy(self.home)


def begin(home: Path, ask: Ask, key: Path | None = None, here: Path | None = None) -> Errand:
    """The errand of a private folder's account. UsageError without one."""
    account = accounts.load(home)
    if account is None:
        why = "no mail account is set up here: 'kursk post setup' does that"
        raise UsageError(f"{why}; 'kursk inbox FILE' and 'kursk outbox --eml DIR' need none")
    errand = Errand(home, account, key, ask)
    if here is not None:
        errand.intake.here = here
    place.folder(place.root(home))
    return errand


def for_rounds(home: Path, ask: Ask, key: Path | None) -> Errand:
    """The same for rounds that take what came: of a mailbox that referees with its chair, whatever command it is.

    Otherwise a damaged or late turn would count as if none had come, and questions would go unheard. UsageError.
    """
    errand = begin(home, ask, key)
    if _referees(home):
        seat(errand)
    return errand


def _referees(home: Path) -> bool:
    """Whether a mailbox referees by itself: its terms are there."""
    return terms_file.path_of(home).exists()


def need_no_chair(home: Path) -> None:
    """UsageError where a mailbox referees, for half a round: its chair has to see all that came."""
    if _referees(home):
        raise UsageError("this mailbox referees: 'kursk referee run --once' fetches what came, and takes it")


def of_files(home: Path, key: Path | None) -> Intake:
    """Who takes what somebody has saved in files: at a mailbox that referees by the rules of its rounds.

    What waits is woken whatever file it is: a late message would be taken without the director's word. UsageError.
    """
    if not _referees(home):
        return Intake(home, Path(), key)
    if key is None:
        raise UsageError("this mailbox referees: name its key with --key FILE (or KURSK_KEY)")
    return looking(home, key).intake


def seat(errand: Errand) -> Chair:
    """Seat a referee at an errand: the chair. UsageError without terms, a key, or an address of one's own."""
    own = card.own(errand.home).address
    if errand.key is None or not own:
        raise UsageError("a referee's mailbox needs --key FILE (or KURSK_KEY), and 'kursk people card ADDRESS'")
    errand.chair = Chair(errand.intake, errand.key, terms_file.load(errand.home), own)
    return errand.chair


def looking(home: Path, key: Path) -> Chair:
    """The chair of a director who only looks: whoever referees by hand has neither account, terms nor address."""
    account = accounts.load(home)
    said = terms_file.load(home) if _referees(home) else terms_file.Terms(terms_file.MOST_DAYS, 0)
    here, own = (account.games, card.own(home).address) if account else (Path(), "")
    return Chair(Intake(home, here, key), key, said, own)


def host_to_name(home: Path) -> str:
    """Return the server by which mails seem to come in, '' if the account names an arrival host. Raises DiskError."""
    account = accounts.load(home)
    return store.setting(home, arrival.SEEN) if account is not None and not account.arrival else ""
