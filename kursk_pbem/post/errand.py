"""A round of post: fetch, take, send. What the commands and the board call, each step by itself or all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from kursk_pbem.desk import elsewhere
from kursk_pbem.desk.shelf import register
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game.games import Game
from kursk_pbem.post import card, clerk, delivery, people, place, sorting, spool, waiting
from kursk_pbem.post.delivery import Step
from kursk_pbem.post.envelope import MAX_MAIL, Mail
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.office import Office
from kursk_pbem.post.referee import damage, deadlines, lateness, lost, notes, timing, wrote
from kursk_pbem.post.referee import terms as terms_file
from kursk_pbem.post.referee.chair import Chair
from kursk_pbem.post.referee.damage import Concern
from kursk_pbem.post.referee.timing import Watch
from kursk_pbem.post.seat import Seat
from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers import imap, line, marking, password, smtp
from kursk_pbem.post.servers.account import Account
from kursk_pbem.post.servers.imap import Fetched
from kursk_pbem.post.servers.password import Ask, Secret
from kursk_pbem.post.servers.smtp import Command, Transport, UnreachableError
from kursk_pbem.post.told import untold
from kursk_pbem.post.told.day import Day
from kursk_pbem.post.tournaments import events


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
    secrets: dict[str, Secret] = field(default_factory=dict, repr=False)
    chair: Chair | None = None
    complete: bool = False
    broke: bool = False
    faults: list[KurskError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.intake = Intake(self.home, self.account.games, self.key)

    def secret(self, which: str) -> Secret:
        """The secret for ``imap`` or ``smtp``; a password is asked once, and once for both if the user is the same.

        UsageError, UnreachableError where it could be had before.
        """
        server = self.account.imap if which == "imap" else self.account.smtp
        if server is None:
            raise AssertionError(which)
        if self.account.token_command or server.user not in self.secrets:  # a token is soon out of date
            try:
                self.secrets[server.user] = password.of(self.account, server, self.ask)
            except UsageError as error:
                if server.user not in self.secrets:
                    raise
                raise UnreachableError(error.message) from None  # it was had before: the network is down, say
        return self.secrets[server.user]

    @contextmanager
    def mailbox(self) -> Iterator[Any]:
        """A connection to the mailbox. UsageError, UnreachableError."""
        if self.account.imap is None:
            raise UsageError(f"{accounts.path_of(self.home)} has no [imap]: 'kursk inbox' takes mails from files")
        line.library()
        with imap.connected(self.account, self.account.imap, self.secret("imap")) as client:
            yield client

    def fetch(self, client: Any, *, everything: bool = False) -> Fetched:
        """Keep what is new in the mailbox. UsageError."""
        self._seated()
        known = waiting.addresses(self.home) | spool.senders(self.home) | people.all_known_at(self.home)
        self.complete = False
        concern, doubt = self.intake.damaged, self.intake.doubt
        got = imap.fetch(self.home, self.account, client, known, everything=everything, damaged=concern, doubt=doubt)
        self.complete, self.broke = got.whole, got.broke  # of what was not given it is put down whose it may be
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
        imap.named(self.home, self.account)

    def take(self, client: Any = None) -> Day:
        """Take what was fetched, and flag it on the server if there is a connection. KurskError."""
        self._seated()
        box = spool.Spool(self.home)
        self.intake.stuck.clear()
        wrong = list[KurskError]()
        if self.chair is not None:
            if not self.intake.doubt():
                timing.settle(self.home)
            try:  # the director may have edited them
                self.chair.judges_by(terms_file.load(self.home))
            except KurskError as error:
                wrong.append(error)
            self.chair.ear.begin()
        unheard = lost.unheard(self.home) if self.chair is None else []
        day = clerk.work(self.intake, [box], self.chair.ear if self.chair is not None else None)
        day.done += unheard
        if self.chair is not None:
            day.faults += wrong
            day.done += self.chair.work(complete=self.complete and not (wrong or box.unread or day.unsettled))
            try:
                untold.put(self.home, (*day.before, *day.words), wrong=day.status > 0)
            except DiskError as error:
                day.faults.append(error)
        if client is not None:
            marking.mark(self.account, client, box.taken)
            if self.complete:
                elsewhere.looked(self.home)
        return day

    @property
    def can_send(self) -> bool:
        """Whether the account says how letters are sent."""
        return bool(self.account.smtp or self.account.sendmail)

    @contextmanager
    def transport(self) -> Iterator[Transport]:
        """What sends letters. UsageError, UnreachableError."""
        if self.account.sendmail:
            yield Command(self.account.sendmail)
        elif self.account.smtp is None:
            why = f"{accounts.path_of(self.home)} has neither [smtp] nor sendmail"
            raise UsageError(f"{why}: 'kursk outbox --eml DIR' writes drafts for your mail program")
        else:
            with smtp.connected(self.account, self.account.smtp, self.secret("smtp")) as mailer:
                yield mailer

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
                self._speak(transport, wrong)
        self.faults += wrong
        return steps

    def _words(self, wrong: list[KurskError]) -> bool:
        """Whether letters in words are to go out; where nobody can tell, what is ``wrong``.

        None does while the clock is in doubt: a game may end a day after a reminder.
        """
        try:
            return self.chair is not None and not self.intake.doubt() and notes.waiting(self.home)
        except DiskError as error:
            wrong.append(error)
        return False

    def _speak(self, transport: Transport, wrong: list[KurskError]) -> None:
        """Send them, unless something is ``wrong``; what did not go out is told at once."""
        if self.chair is None or wrong or self.intake.doubt():
            return
        try:
            wrong.extend(map(UsageError, notes.send(self.home, transport, self.chair.terms.director)))
        except (DiskError, OSError) as error:
            wrong.append(place.fault(error))

    def tidy(self) -> None:
        """Forget what is too old to matter, by a clock that is believed."""
        if not self.intake.doubt():
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


def seat(errand: Errand, *, looks: bool = True) -> Chair:
    """Seat a referee at an errand: the chair. UsageError without terms, a key, or an address of one's own.

    ``looks``: whether it looks at the clock for the mailbox, as its rounds do.
    """
    own = card.own(errand.home).address
    if errand.key is None or not own:
        raise UsageError("a referee's mailbox needs --key FILE (or KURSK_KEY), and 'kursk people card ADDRESS'")
    watch = Watch(errand.home, looks=looks)
    errand.chair = Chair(errand.intake, errand.key, terms_file.load(errand.home), own, watch)
    return errand.chair


def looking(home: Path, key: Path) -> Chair:
    """The chair of a director who only looks: whoever referees by hand has neither account, terms nor address."""
    account = accounts.load(home)
    said = terms_file.load(home) if _referees(home) else terms_file.Terms(terms_file.MOST_DAYS, 0)
    here, own = (account.games, card.own(home).address) if account else (Path(), "")
    intake = Intake(home, here, key)
    intake.stuck |= unfiled(home)
    return Chair(intake, key, said, own, Watch(home, looks=False))


def _by_hand(home: Path) -> Concern | None:
    """Whose a file may be that the owner of a private folder names: at a mailbox that referees no game ends by it.

    Of the games at hand it is put down whatever key referees them. None where no mailbox referees. UsageError.
    """
    if not _referees(home):
        return None
    account = accounts.load(home)
    here = account.games if account else Path()

    def games() -> list[Seat]:
        known = {game.game: game for game in (*register.at_hand(Path()), *register.met(home, here))}
        known |= {game.game: game for game, _key in events.games(home)}
        return [Seat(game, REFEREE) for game in known.values()]

    return lost.concern(home, games)


def spoilt(home: Path, raw: bytes, name: str) -> None:
    """Put down that a file which the owner named is damaged or refused. UsageError."""
    if (concern := _by_hand(home)) is not None:
        concern.hear({damage.damage_of(Mail(raw[:MAX_MAIL], name), concern.games())})


def spoilt_in(home: Path, games: Iterable[str]) -> None:
    """The same of one of many files, which may be of any of some games: those of a tournament. UsageError."""
    if (concern := _by_hand(home)) is not None:
        concern.hear({damage.Damage(frozenset(), frozenset(game[:8] for game in games if game))})


def against(home: Path, folder: Path, game: Game) -> Iterator[str]:
    """What a director should know who ends a game by hand because a term was missed, in words. UsageError."""
    owed, id_ = game.chain.next_seq, game.chain.game
    if id_ in unfiled(home):
        yield "a mail of this game was fetched and is not filed: 'kursk inbox', or 'kursk referee run --once', does"
    if deadlines.answered(home, id_, owed, game.chain.writer(owed)):
        yield f"{deadlines.WAITS}: 'kursk referee' lists what came late"
    if (receipt := game.papers.receipts.get(owed - 1)) is not None:
        since = receipt.text("received")
        seat = Seat(Known(id_, folder, None), REFEREE)
        yield from chain(deadlines.doubts(home, seat, since), wrote.doubts(home, seat, since))
        yield from filter(None, [lateness.unbegun(seat, bound=True)])
        if notes.troubled(home, people.mark(game.chain.keys.get(game.chain.writer(owed), "")), since):
            yield "since the term began a letter in words to whoever owes the message came back, or was put off"


def unfiled(home: Path) -> set[str]:
    """The games of which something was fetched and is not filed: files of this desk stand in its way, say."""
    games, mails, full = set[str](), spool.Spool(home).mails(), True
    while full:
        held = sorting.read(mails)
        games |= set(held.games)
        full = held.room <= 0
    return games
