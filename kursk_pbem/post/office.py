"""The outbox as its owner sees it: every letter that is to go out, what stands in its way, drafts, marks by hand.

A letter that is not sent yet is composed anew each time from the journal; once it is sent, or is said to be, it is
written down and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count
from pathlib import Path

from kursk_pbem.desk import clock, offers
from kursk_pbem.errors import UNFORESEEN, KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import disk
from kursk_pbem.post import address as addresses
from kursk_pbem.post import card, outbox, people, place
from kursk_pbem.post import letter as letters
from kursk_pbem.post import seat as seats
from kursk_pbem.post.letter import Letter, Reader
from kursk_pbem.post.outbox import BOUNCED, REFUSED, SENT, STOPPED, Box, standing
from kursk_pbem.post.people import Person
from kursk_pbem.post.referee import timing
from kursk_pbem.post.seat import Seat
from kursk_pbem.post.tournaments import drafts, events
from kursk_pbem.post.tournaments.events import Event
from kursk_pbem.post.writing import Desks, Source, Writer, compose, files

LABEL = re.compile(r"(?:game-)?([0-9a-f]{4,64})(?:/([0-9]{1,5}))?(?:/(.+))?")


@dataclass(frozen=True)
class Slate:
    """A letter in the outbox, about a game or a tournament. ``written``: it is written down already, and stays so."""

    about: Source
    box: Box
    letter: Letter
    written: bool

    @property
    def label(self) -> str:
        """What names it: the game and the number of the newest message, or of the newest log paper of a tournament."""
        return f"{self.about.short}/{self.letter.seq}"

    def lacks(self, reader: Reader) -> bool:
        """Whether a reader may lack it still: whoever has written since has had it."""
        return not (isinstance(self.about, Seat) and self.about.heard(reader.mark, self.letter.seq))


@dataclass
class Office:
    """The post of one private folder, as it was when it was opened. ``here``: where folders of games are looked for.

    ``key``: that of a referee who relays and so has no private record of their games; None without one. ``faults``: why
    the letters of some games could not be found out, when that was tried last. ``doubt``: as :func:`timing.noted` wants
    it.
    """

    home: Path
    here: Path
    key: Path | None = None
    faults: list[KurskError] = field(default_factory=list)
    doubt: Callable[[], str] | None = None

    def __post_init__(self) -> None:
        self.desks = Desks(self.home, {})

    @cached_property
    def seats(self) -> list[Seat]:
        """The games that are played here, and those refereed with the key."""
        return seats.every(self.home, self.here, self.key)

    @cached_property
    def unread(self) -> list[KurskError]:
        """What is wrong with games and tournaments that cannot be read."""
        return seats.faults(self.home, self.here)

    @cached_property
    def people(self) -> dict[str, Person]:
        """Everybody this desk knows, by key."""
        return {person.key: person for person in people.every(self.home, [seat.known for seat in self.seats])}

    @cached_property
    def by_mark(self) -> dict[str, Person]:
        """The same, by the mark of the key."""
        return {person.mark: person for person in self.people.values()}

    @property
    def writer(self) -> Writer:
        """Who writes letters here."""
        return Writer(self.home, self.people, card.own(self.home))

    def name(self, reader: Reader) -> str:
        """What this desk calls the reader of a letter."""
        person = self.by_mark.get(reader.mark)
        return person.name or person.fingerprint if person else reader.mark

    def slates(self) -> Iterator[Slate]:
        """Every letter that is to go out, tournaments first, then game by game; what was refused or came back too.

        A game or tournament with a damaged file stops no other: it is one of the ``faults``.
        """
        self.faults[:] = self.unread
        for event in events.every(self.home):
            with self._alone(event.folder):
                yield from self.of_event(event)
        for seat in self.seats:
            with self._alone(seat.folder):
                yield from self.of_game(seat)

    @contextmanager
    def _alone(self, folder: Path) -> Iterator[None]:
        """Inside here whatever is wrong with the game or tournament of a folder is one of the ``faults``."""
        try:
            yield
        except (KurskError, OSError, *UNFORESEEN) as error:
            self.faults.append(place.fault(error, folder))

    def of_event(self, event: Event) -> Iterator[Slate]:
        """The same of one tournament; what is through counts as sent at its desk."""
        box = Box(self.home, event.game)
        drafts.settle(event, box, self.writer)
        for letter, written in drafts.pending(event, box, self.writer):
            slate = Slate(event, box, letter, written)
            yield self._as_now(slate) if written else slate

    def of_game(self, seat: Seat, box: Box | None = None) -> Iterator[Slate]:
        """The same of one game; nothing of a successor that nobody has offered, or that was not agreed to."""
        box = box or Box(self.home, seat.game)
        for letter in box.undone():
            if box.newest(letter) and not self._moot(seat, box, letter):
                yield self._as_now(Slate(seat, box, letter, written=True))
        for due in outbox.due(seat, box, lambda: not self.desks.at(seat).mine):
            desk = self.desks.at(seat)
            if offers.idle(desk) is not None:
                return
            yield Slate(seat, box, compose(due, desk, self.writer), written=False)

    def _as_now(self, slate: Slate) -> Slate:
        """A letter that is not through; a new edition where somebody is reached elsewhere now, or at last."""
        letter, to = slate.letter, self._readers(slate.letter)
        ends = [slate.box.ended(letter, reader.mark) for reader in letter.to]
        moved = any(
            not (end or addresses.same(one.address, now.address))
            for one, end, now in zip(letter.to, ends, to, strict=True)
        )
        return replace(slate, letter=self.writer.edition(letter, to), written=False) if moved else slate

    def _readers(self, letter: Letter) -> tuple[Reader, ...]:
        """Who a letter goes to, with their addresses as they are now; without one whose file is gone, or damaged."""
        known = self.by_mark
        there = ((one, known.get(one.mark)) for one in letter.to)
        return tuple(replace(one, address=person.reached if person is not None else "") for one, person in there)

    @staticmethod
    def _moot(seat: Seat, box: Box, letter: Letter) -> bool:
        """Whether everybody it is for has it, or it counts as mailed; whoever has written since has had it."""
        if all(map(box.mailed, letter.items)):
            return True
        first = letter.to[0]
        left = [reader for reader in letter.to if box.ended(letter, reader.mark) != SENT]
        if not seat.heard(first.mark, letter.seq):
            return not left
        # a copy that cannot be delivered is no more than a copy once the answer is here, unless it is that of whoever
        # keeps time: they take no answer before it
        keeps = REFEREE in seat.keys and max(seat.receipts, default=-1) < letter.seq
        lack = people.mark(seat.keys[REFEREE]) if keeps else ""
        return all(
            reader == first or (reader.mark != lack and (not reader.address or box.ended(letter, reader.mark)))
            for reader in left
        )

    def gone(self, about: Seat | Event) -> Iterator[Slate]:
        """The letters of a game or tournament that all they are for were sent, of each the newest edition."""
        box, digests = Box(self.home, about.game), set()
        for letter in sorted(map(box.read, box.written), key=lambda letter: letter.edition, reverse=True):
            if letter.digest not in digests and all(box.ended(letter, reader.mark) == SENT for reader in letter.to):
                yield Slate(about, box, letter, written=True)
            digests.add(letter.digest)

    def chosen(self, label: str, *, gone: bool = False) -> list[Slate]:
        """The letters that a label names: ``all``, a game, ``1a2b/7``, ``1a2b/7/anna``. UsageError for none.

        ``gone``: by the label of a letter those that were sent, too.
        """
        slates, said = list(self.slates()), LABEL.fullmatch(label.strip())
        if gone and said is not None and said[2]:
            there: tuple[Seat | Event, ...] = (*self.seats, *events.every(self.home))
            slates += chain.from_iterable(self.gone(about) for about in there if about.game.startswith(said[1]))
        if label != "all":
            slates = [slate for slate in slates if said and self.named(slate, *said.groups())]
        if not slates:
            raise UsageError(f"{label}: no such letter is to go out; 'kursk outbox' lists them")
        return slates

    def named(self, slate: Slate, game: str, seq: str | None, who: str | None) -> bool:
        """Whether a letter is meant by the parts of a label."""
        if not slate.about.game.startswith(game) or (seq and int(seq) != slate.letter.seq):
            return False
        return not who or any(self.name(reader).casefold().startswith(who.casefold()) for reader in slate.letter.to)

    def raw(self, slate: Slate) -> bytes:
        """The bytes of a letter that is written down. KurskError."""
        path = slate.box.folder / f"{slate.letter.name}.eml"
        try:
            return place.read(path)
        except FileNotFoundError:
            held = files(slate.letter, slate.about, self.writer)
            return slate.box.keep(slate.letter, letters.render(slate.letter, held))
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None

    def write_down(self, slate: Slate) -> Slate:
        """Write a letter down for good; the same with what stands there, if another program was first. UsageError."""
        letter = slate.letter if slate.written else slate.box.freeze(slate.letter)
        own = self.writer.own
        if own.cards and letter.card == own.address:
            for mark in letter.told:
                if mark in self.by_mark:
                    card.sent(self.home, self.by_mark[mark])
        return Slate(slate.about, slate.box, letter, written=True)

    def draft(self, slate: Slate, folder: Path, taken: Container[Path] = ()) -> Path:
        """Write a letter as a file that a mail program opens ready to send; its path. KurskError.

        ``taken``: files of other letters, which may be about the same message and for the same reader.
        """
        held = files(slate.letter, slate.about, self.writer)
        sides = "-".join(
            side
            for side, key in slate.about.keys.items()
            if people.mark(key) in {reader.mark for reader in slate.letter.to}
        )
        stem = f"kursk-{slate.about.short}-{slate.letter.seq:04d}-to-{sides}"
        names = chain([stem], (f"{stem}-{number}" for number in count(2)))
        path = next(path for name in names if (path := folder / f"{name}.eml") not in taken)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            disk.replace(path, letters.render(slate.letter, held, draft=True), 0o600)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        return path

    def sent_by_hand(self, slate: Slate) -> None:
        """Put down that the owner of this desk has mailed a letter. UsageError."""
        written = self.write_down(slate)
        for reader in written.letter.to:
            if written.box.ended(written.letter, reader.mark) != SENT:
                at = timing.noted(self.home, self.doubt)
                written.box.note(written.letter, reader.mark, SENT, at=at, how="by hand")
        self.settle()

    def settle(self) -> None:
        """Count letters of tournaments that are through as sent at their desks. KurskError."""
        for event in events.every(self.home):
            drafts.settle(event, Box(self.home, event.game), self.writer)

    def lost(self, label: str) -> list[Slate]:
        """The letters that a label names, and of which a new edition can be made. UsageError where there are none."""
        slates = self.chosen(label, gone=True)
        needed = [slate for slate in slates if not _needless(slate)]
        if not needed:
            raise UsageError(_needless(slates[0]))
        return needed

    def again(self, slate: Slate) -> Slate:
        """The same letter as a new edition, to the addresses as they are known now.

        UsageError if it was never sent, or has been answered.
        """
        if why := _needless(slate):
            raise UsageError(why)
        anew = self.writer.edition(slate.letter, self._readers(slate.letter))
        return self.write_down(replace(slate, letter=anew, written=False))


def _needless(slate: Slate) -> str:
    """Why no new edition of a letter is needed, in words; '' if one may be."""
    about, letter = slate.about, slate.letter
    if not slate.written:
        return f"{slate.label} was not sent yet: 'kursk outbox --send' sends it"
    if isinstance(about, Seat):
        arrived = all(about.heard(reader.mark, letter.seq) for reader in letter.to)
    else:
        arrived = isinstance(about, Event) and about.arrived(letter)
    if arrived:
        return f"{slate.label} is not needed again: what came since shows that it arrived"
    return ""


def hindrance(office: Office, slate: Slate) -> str:
    """Why a letter cannot go out as it is, in words; '' if nothing stands in its way."""
    told = []
    for reader in slate.letter.to:
        end = slate.box.ended(slate.letter, reader.mark) if slate.written else ""
        if end in (REFUSED, BOUNCED):
            what = "refused it" if end == REFUSED else "could not deliver it"
            words = slate.box.noted(slate.letter, reader.mark, end).get("words", "")
            told.append(f"the server {what} for {reader.address}: {words}; 'kursk outbox --again {slate.label}'")
        elif not reader.address and end != SENT:
            told.append(unreached(office, reader))
        elif slate.written and (why := standing(slate.box, slate.letter, reader, clock.now())).endswith(STOPPED):
            how = f"'kursk outbox --sent {slate.label}' says that it arrived, '--again {slate.label}' tries anew"
            told.append(f"{reader.address}: {why.removesuffix(STOPPED)}; {how}")
    return "; ".join(told)


def unreached(office: Office, reader: Reader) -> str:
    """That nobody knows where a reader is reached, and what to type."""
    name, person = office.name(reader), office.by_mark.get(reader.mark)
    if person is None:
        return f"no address of {name} is known: 'kursk people add NAME ADDRESS'"
    if person.fault:
        return person.fault
    others = {one.reached.lower() for one in office.by_mark.values() if one.mark != person.mark}
    if asked := person.apart(others).asked:  # where somebody else is reached they may have sent on a turn
        where = asked[-1].text
        return f"{name} may be at {where} ({asked[-1].source}): {person.command('confirm', where)}"
    return f"no address of {name} is known: 'kursk people add {person.typed} ADDRESS'"


def deliverable(slate: Slate) -> bool:
    """Whether anybody whom a letter is for can be reached at all: the referee who keeps time must have it, too."""
    return any(reader.address for reader in slate.letter.to)
