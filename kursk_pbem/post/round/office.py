"""The outbox as its owner sees it: each letter that is to go out, what stands in its way, drafts, marks by hand.

A letter is composed anew from the journal each time, until it is sent, or is said to be. Then it is written for good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from kursk_pbem.desk import clock, offers
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import disk
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import events, people, shunt
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import Letter, Reader
from kursk_pbem.post.mailbox.outbox import BOUNCED, REFUSED, SENT, WORDS, Box
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.round import drafts
from kursk_pbem.post.round import seat as seats
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.post.round.writing import Desks, Writer, compose, list_due

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
        return self.box.raw(self.letter)

    def has(self, reader: Reader) -> bool:
        """Return whether what came since shows that a reader has the letter: a later message, or a receipt."""
        about, seq = self.about, self.letter.seq
        if isinstance(about, Event):
            return about.has_arrived(self.letter)
        received = REFEREE in about.keys and max(about.receipts, default=-1) >= seq
        return (received and reader.mark == people.mark_of(about.keys[REFEREE])) or about.heard(reader.mark, seq)

    @property
    def moot(self) -> bool:
        """Whether a letter of a game is written anew, or everybody has it or was sent it."""
        letter, box = self.letter, self.box
        return not box.is_newest(letter) or all(
            self.has(one) or box.delivery_of(letter, one.mark).state == SENT for one in letter.to
        )

    @property
    def needless(self) -> str:
        """Why no new edition of the letter is needed, in words; '' if one may be."""
        if not self.written:
            return f"{self.label} was not sent yet: 'kursk post send' sends it"
        arrived = all(map(self.has, self.letter.to))
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
        self.desks, self.words = Desks(self.home, {}), Box(self.home, WORDS)

    @cached_property
    def seats(self) -> list[Seat]:
        """The games that are played here, and those refereed with the key."""
        return seats.every(self.home, self.here, self.key)

    @cached_property
    def by_mark(self) -> dict[str, Person]:
        """Everybody this desk knows, by the mark of the key."""
        return {person.mark: person for person in people.list_people(self.home, [seat.known for seat in self.seats])}

    @property
    def writer(self) -> Writer:
        """Who writes letters here."""
        return Writer(self.home, self.by_mark, people.load_own(self.home))

    def name(self, reader: Reader) -> str:
        """Return what this desk calls the reader of a letter."""
        person = self.by_mark.get(reader.mark)
        return person.called if person else reader.mark

    def slates(self) -> Iterator[Slate]:
        """Yield each letter that is to go out, or came back: tournaments first. What is wrong stops one game only."""
        self.faults[:] = seats.faults(self.home, self.here)
        for event in events.list_tournaments(self.home):
            with shunt.guard_task(self.home, f"tournament {event.game[:8]}", b"", self.faults.append):
                box = Box(self.home, event.game)
                drafts.settle(event, box, self.writer)
                for letter, written in drafts.pending(event, box, self.writer):
                    yield self._as_now(Slate(event, box, letter, written))
        for seat in self.seats:
            with shunt.guard_task(self.home, f"game {seat.game[:8]}", b"", self.faults.append):
                yield from self._of_game(seat, Box(self.home, seat.game))

    def _of_game(self, seat: Seat, box: Box) -> Iterator[Slate]:
        """Yield the same of one game; nothing of a successor that nobody has offered, or that was not agreed to."""
        written = (Slate(seat, box, letter, written=True) for letter in box.list_open())
        yield from (self._as_now(slate) for slate in written if not slate.moot)
        for owed in list_due(seat, box, lambda: not self.desks.at(seat).mine):
            desk = self.desks.at(seat)
            if offers.idle(desk) is not None:
                return
            yield Slate(seat, box, compose(owed, desk, self.writer), written=False)

    def _as_now(self, slate: Slate) -> Slate:
        """Return a letter that is not through; a new edition if somebody is reached elsewhere now."""
        letter, to = slate.letter, self._readers(slate.letter)
        moved = slate.written and any(
            not (slate.box.delivery_of(letter, one.mark).end or addresses.is_same(one.address, now.address))
            for one, now in zip(letter.to, to, strict=True)
        )
        return replace(slate, letter=self.writer.edition(letter, to), written=False) if moved else slate

    def _readers(self, letter: Letter) -> tuple[Reader, ...]:
        """Return who a letter goes to, with their addresses as they are now."""
        there = ((one, self.by_mark.get(one.mark)) for one in letter.to)
        return tuple(replace(one, address=person.reached if person is not None else "") for one, person in there)

    def chosen(self, label: str, *, gone: bool = False) -> list[Slate]:
        """Return the letters that a label names: ``all``, a game, ``1a2b/7``, ``1a2b/7/anna``.

        ``gone``: by the label of a letter those that all their readers were sent, too. Raises UsageError for none.
        """
        slates, said = list(self.slates()), LABEL.fullmatch(label.strip())
        game, seq, who = said.groups() if said else ("?", None, None)
        there: tuple[Seat | Event, ...] = (*self.seats, *events.list_tournaments(self.home)) if gone and seq else ()
        for about in (about for about in there if about.game.startswith(game)):
            box = Box(self.home, about.game)
            sent = (letter for letter in box.letters() if box.is_newest(letter) and box.is_through(letter))
            slates += [Slate(about, box, letter, written=True) for letter in sent]
        if label != "all":
            slates = [slate for slate in slates if slate.about.game.startswith(game)]
            slates = [slate for slate in slates if not seq or int(seq) == slate.letter.seq]
            slates = [slate for slate in slates if not who or self._goes_to(slate, who)]
        if not slates:
            raise UsageError(f"{label}: no such letter is to go out; 'kursk outbox' lists them")
        return slates

    def _goes_to(self, slate: Slate, who: str) -> bool:
        return any(self.name(reader).casefold().startswith(who.casefold()) for reader in slate.letter.to)

    def write_down(self, slate: Slate) -> Slate:
        """Write a letter for good, unless it is written. Raises KurskError."""
        if slate.written:
            return slate
        writer = self.writer
        letter = slate.box.write(slate.letter, lambda one: writer.render(one, slate.about))
        people.note_cards(self.home, letter.cards)
        return replace(slate, letter=letter, written=True)

    def draft(self, slate: Slate, folder: Path) -> Path:
        """Write a letter as a file that a mail program opens ready to send; return its path. Raises KurskError."""
        marks = {reader.mark for reader in slate.letter.to}
        sides = "-".join(side for side, key in slate.about.keys.items() if people.mark_of(key) in marks)
        path = folder / f"kursk-{slate.about.short}-{slate.letter.seq:04d}-to-{sides}-{slate.letter.digest[:8]}.eml"
        raw = self.writer.render(slate.letter, slate.about, draft=True)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            disk.replace(path, raw, 0o600)
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
        for event in events.list_tournaments(self.home):
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

    def unreached(self, reader: Reader) -> str:
        """Return that nobody knows where a reader is reached, and what to type."""
        name, person = self.name(reader), self.by_mark.get(reader.mark)
        known = f"no address of {name} is known: 'kursk people add NAME ADDRESS'"
        return person.question(name) if person is not None else known

    def hindrance(self, slate: Slate) -> str:
        """Return why a letter cannot go out as it is, in words; '' if nothing stands in its way."""
        told, label = list[str](), slate.label
        for reader in slate.letter.to:
            said = slate.box.delivery_of(slate.letter, reader.mark)
            (why, stopped), state = said.waiting_reason(clock.now()), said.state if slate.written else ""
            if state in (REFUSED, BOUNCED):
                what = "refused" if state == REFUSED else "could not deliver"
                told.append(f"the server {what} it for {reader.address}: {said.words}; 'kursk outbox --again {label}'")
            elif not reader.address and state != SENT:
                told.append(self.unreached(reader))
            elif slate.written and stopped and not said.end:
                how = f"'kursk outbox --sent {label}' says that it arrived, '--again {label}' tries anew"
                told.append(f"{reader.address}: {why}; {how}")
        return "; ".join(told)
