"""The outbox as its owner sees it: each letter that is to go out, what stands in its way, drafts, marks by hand.

A letter is composed anew from the journal each time, until it is sent, or is said to be. Then it is written for good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from kursk_pbem.desk import clock, offers
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import disk
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import card, events, people, place, shunt
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import Letter, Reader
from kursk_pbem.post.mailbox.outbox import BOUNCED, REFUSED, SENT, Box, standing
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.round import drafts, due
from kursk_pbem.post.round import seat as seats
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.post.round.writing import Desks, Writer, compose, files

LABEL = re.compile(r"(?:game-)?([0-9a-f]{4,64})(?:/([0-9]{1,5}))?(?:/(.+))?")


@dataclass(frozen=True)
class Slate:
    """A letter in the outbox, about a game or a tournament. ``written``: it is written and must not change."""

    about: Seat | Event
    box: Box
    letter: Letter
    written: bool

    @property
    def label(self) -> str:
        """The name of the letter: its game, and the number of its newest message or log paper."""
        return f"{self.about.short}/{self.letter.seq}"

    @property
    def raw(self) -> bytes:
        """The bytes of a letter that is written. OSError."""
        return place.read(self.box.folder / f"{self.letter.name}.eml")

    def lacks(self, reader: Reader) -> bool:
        """Return whether a reader may not have the letter; a later message of theirs shows that they have it."""
        return not (isinstance(self.about, Seat) and self.about.heard(reader.mark, self.letter.seq))

    @property
    def needless(self) -> str:
        """Why no new edition of the letter is needed, in words; '' if one may be."""
        about, letter = self.about, self.letter
        if not self.written:
            return f"{self.label} was not sent yet: 'kursk post send' sends it"
        arrived = about.arrived(letter) if isinstance(about, Event) else not any(map(self.lacks, letter.to))
        return f"{self.label} is not needed again: what came since shows that it arrived" if arrived else ""


@dataclass
class Office:
    """The post of one private folder, as it was when it was opened.

    ``here``: where folders of games are looked for; ``key``: that of a referee who relays; ``faults``: what is wrong
    with letters of some games, as far as it was looked at.
    """

    home: Path
    here: Path
    key: Path | None = None
    faults: list[KurskError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desks = Desks(self.home, {})

    @cached_property
    def seats(self) -> list[Seat]:
        """The games that are played here, and those refereed with the key."""
        return seats.every(self.home, self.here, self.key)

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
        """Return what this desk calls the reader of a letter."""
        person = self.by_mark.get(reader.mark)
        return person.name or person.fingerprint if person else reader.mark

    def slates(self) -> Iterator[Slate]:
        """Yield each letter that is to go out, or came back: tournaments first. What is wrong stops one game only."""
        self.faults[:] = seats.faults(self.home, self.here)
        for event in events.every(self.home):
            with shunt.guarded(self.home, f"tournament {event.game[:8]}", b"", self.faults.append):
                yield from self._of_event(event)
        for seat in self.seats:
            with shunt.guarded(self.home, f"game {seat.game[:8]}", b"", self.faults.append):
                yield from self.of_game(seat, Box(self.home, seat.game))

    def _of_event(self, event: Event) -> Iterator[Slate]:
        box = Box(self.home, event.game)
        drafts.settle(event, box, self.writer)
        for letter, written in drafts.pending(event, box, self.writer):
            slate = Slate(event, box, letter, written)
            yield self._as_now(slate) if written else slate

    def of_game(self, seat: Seat, box: Box) -> Iterator[Slate]:
        """Yield the same of one game; nothing of a successor that nobody has offered, or that was not agreed to."""
        for letter in box.undone():
            if box.newest(letter) and not self._moot(seat, box, letter):
                yield self._as_now(Slate(seat, box, letter, written=True))
        for owed in due.due(seat, box, lambda: not self.desks.at(seat).mine):
            desk = self.desks.at(seat)
            if offers.idle(desk) is not None:
                return
            yield Slate(seat, box, compose(owed, desk, self.writer), written=False)

    def _as_now(self, slate: Slate) -> Slate:
        """Return a letter that is not through; a new edition if somebody is reached elsewhere now."""
        letter, to = slate.letter, self._readers(slate.letter)
        moved = any(
            not (slate.box.ended(letter, one.mark) or addresses.same(one.address, now.address))
            for one, now in zip(letter.to, to, strict=True)
        )
        return replace(slate, letter=self.writer.edition(letter, to), written=False) if moved else slate

    def _readers(self, letter: Letter) -> tuple[Reader, ...]:
        """Return who a letter goes to, with their addresses as they are now."""
        there = ((one, self.by_mark.get(one.mark)) for one in letter.to)
        return tuple(replace(one, address=person.reached if person is not None else "") for one, person in there)

    @staticmethod
    def _moot(seat: Seat, box: Box, letter: Letter) -> bool:
        """Return whether everybody has a letter, or it counts as mailed; whoever has written since has it."""
        if all(map(box.mailed, letter.items)):
            return True
        first = letter.to[0]
        left = [reader for reader in letter.to if box.ended(letter, reader.mark) != SENT]
        if not seat.heard(first.mark, letter.seq):
            return not left
        # once the answer is here a copy needs no more attempts, but the referee takes no answer before its copy
        keeps = REFEREE in seat.keys and max(seat.receipts, default=-1) < letter.seq
        lack = people.mark(seat.keys[REFEREE]) if keeps else ""
        return all(
            reader == first or (reader.mark != lack and (not reader.address or box.ended(letter, reader.mark)))
            for reader in left
        )

    def _gone(self, about: Seat | Event) -> Iterator[Slate]:
        """Yield the newest edition of each letter about a game or tournament that all its readers were sent."""
        box = Box(self.home, about.game)
        for letter in filter(box.newest, map(box.read, box.written)):
            if box.through(letter):
                yield Slate(about, box, letter, written=True)

    def chosen(self, label: str, *, gone: bool = False) -> list[Slate]:
        """Return the letters that a label names: ``all``, a game, ``1a2b/7``, ``1a2b/7/anna``.

        ``gone``: by the label of a letter those that were sent, too. Raises UsageError for none.
        """
        slates, said = list(self.slates()), LABEL.fullmatch(label.strip())
        if gone and said is not None and said[2]:
            there: tuple[Seat | Event, ...] = (*self.seats, *events.every(self.home))
            slates += chain.from_iterable(self._gone(about) for about in there if about.game.startswith(said[1]))
        if label != "all":
            slates = [slate for slate in slates if said and self.named(slate, *said.groups())]
        if not slates:
            raise UsageError(f"{label}: no such letter is to go out; 'kursk outbox' lists them")
        return slates

    def named(self, slate: Slate, game: str, seq: str | None, who: str | None) -> bool:
        """Return whether a letter is meant by the parts of a label."""
        if not slate.about.game.startswith(game) or (seq and int(seq) != slate.letter.seq):
            return False
        return not who or any(self.name(reader).casefold().startswith(who.casefold()) for reader in slate.letter.to)

    def write_down(self, slate: Slate) -> Slate:
        """Write a letter for good, unless it is written. Raises KurskError."""
        if slate.written:
            return slate
        writer = self.writer
        letter = slate.box.write(slate.letter, lambda one: letters.render(one, files(one, slate.about, writer)))
        if writer.own.cards and letter.card == writer.own.address:
            for mark in filter(self.by_mark.__contains__, letter.told):
                card.sent(self.home, self.by_mark[mark])
        return replace(slate, letter=letter, written=True)

    def draft(self, slate: Slate, folder: Path) -> Path:
        """Write a letter as a file that a mail program opens ready to send; return its path. Raises KurskError."""
        marks = {reader.mark for reader in slate.letter.to}
        sides = "-".join(side for side, key in slate.about.keys.items() if people.mark(key) in marks)
        path = folder / f"kursk-{slate.about.short}-{slate.letter.seq:04d}-to-{sides}-{slate.letter.digest[:8]}.eml"
        held = files(slate.letter, slate.about, self.writer)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            disk.replace(path, letters.render(slate.letter, held, draft=True), 0o600)
        except OSError as error:
            raise DiskError(f"{path} cannot be written: {error.strerror}") from None
        return path

    def sent_by_hand(self, slate: Slate) -> None:
        """Record that the owner of this desk has mailed a letter. Raises KurskError."""
        written = self.write_down(slate)
        for reader in written.letter.to:
            written.box.note(written.letter, reader.mark, SENT, "by hand")
        self.settle()

    def settle(self) -> None:
        """Count letters of tournaments that are through as sent at their desks. Raises KurskError."""
        for event in events.every(self.home):
            drafts.settle(event, Box(self.home, event.game), self.writer)

    def again(self, label: str) -> list[Slate]:
        """Let the letters that a label names go out once more, to the addresses as they are now. Raises UsageError.

        Of those that were sent there are new editions.
        """
        slates = self.chosen(label, gone=True)
        needed = [slate for slate in slates if not slate.needless]
        if not needed:
            raise UsageError(slates[0].needless)
        anew = ((slate, self.writer.edition(slate.letter, self._readers(slate.letter))) for slate in needed)
        return [self.write_down(replace(slate, letter=letter, written=False)) for slate, letter in anew]


def hindrance(office: Office, slate: Slate) -> str:
    """Return why a letter cannot go out as it is, in words; '' if nothing stands in its way."""
    told, box, letter = list[str](), slate.box, slate.letter
    for reader in letter.to:
        end = box.ended(letter, reader.mark) if slate.written else ""
        if end in (REFUSED, BOUNCED):
            what, words = "refused" if end == REFUSED else "could not deliver", box.noted(letter, reader.mark, end)[1]
            told.append(f"the server {what} it for {reader.address}: {words}; 'kursk outbox --again {slate.label}'")
        elif not reader.address and end != SENT:
            told.append(unreached(office, reader))
        elif slate.written and not end and (hold := standing(box, letter, reader, clock.now())) and hold.stopped:
            how = f"'kursk outbox --sent {slate.label}' says that it arrived, '--again {slate.label}' tries anew"
            told.append(f"{reader.address}: {hold.why}; {how}")
    return "; ".join(told)


def unreached(office: Office, reader: Reader) -> str:
    """Return that nobody knows where a reader is reached, and what to type."""
    name, person = office.name(reader), office.by_mark.get(reader.mark)
    if person is None:
        return f"no address of {name} is known: 'kursk people add NAME ADDRESS'"
    return person.question(name)
