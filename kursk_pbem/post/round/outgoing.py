"""The owner's view of the outbox: due letters, reasons why letters wait, drafts, letters marked as sent by hand.

An unsent letter is composed anew each time, from the journal. A letter sent or marked as sent never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from kursk_pbem.desk.deals import offers
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import remembered
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import events, people, task_guard
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import MESSAGE, Letter, Picture, Reader
from kursk_pbem.post.mailbox.outbox import BOUNCED, REFUSED, SENT, WORDS, Box
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.round import game_mail, repeats, tournament_letters
from kursk_pbem.post.round.due import list_due, list_last
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.round.writing import Desks, Writer, compose_letter
from kursk_pbem.trust import link

LABEL = re.compile(r"(?:game-)?([0-9a-f]{4,64})(?:/([0-9]{1,5}))?(?:/(.+))?")


@frozen
class OutgoingLetter:
    """A letter in the outbox, about a game or a tournament.

    ``written``: the letter is saved and must not change. ``again``: the marks of readers who get a sent letter again.
    """

    about: GameMail | Event
    box: Box
    letter: Letter
    written: bool
    again: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        """The name of the letter: the game, then the number of the newest message or log paper."""
        return f"{self.about.short}/{self.letter.seq}"

    @property
    def relayed(self) -> bool:
        """True if a tournament's director, the last reader, forwards the letter to the other readers."""
        return isinstance(self.about, GameMail) and self.about.relayed and bool(self.letter.to[-1].address)

    def is_newer_than(self, path: Path) -> bool:
        """Return whether all messages or drafts in the letter are newer than the file ``path``."""
        items, about = self.letter.items, self.about
        if isinstance(about, Event):
            own = [about.record.letters / f"{item.kind}.eml" for item in items]
        else:
            own = [folders.message_path(about.folder, item.seq) for item in items if item.kind == MESSAGE]
        return bool(own) and all(one.exists() and one.stat().st_mtime_ns > path.stat().st_mtime_ns for one in own)

    def has(self, reader: Reader) -> bool:
        """Return whether the reader surely has the letter: a later message or a receipt proves it."""
        about, letter = self.about, self.letter
        return about.has_arrived(letter) if isinstance(about, Event) else about.has(letter, reader.mark)

    @property
    def moot(self) -> bool:
        """True if a game's letter need not be sent: a newer edition, a void letter, or no reader still needs it."""
        letter, box, about = self.letter, self.box, self.about
        void = isinstance(about, GameMail) and not about.holds(letter)
        return void or not box.is_newest(letter) or not any(map(self.is_open, letter.to))

    def is_open(self, reader: Reader) -> bool:
        """Return whether the letter must still be sent to this reader."""
        if reader.mark in self.again:
            return True
        return not self.has(reader) and self.box.delivery_of(self.letter, reader.mark).state != SENT

    @property
    def needless(self) -> str:
        """The reason why the letter must not be sent again as a new edition, or ''."""
        if not self.written:
            return f"{self.label} was not sent yet: type 'kursk post send'"
        arrived = all(map(self.has, self.letter.to))
        return f"{self.label} is not needed again: later mail proves the arrival" if arrived else ""


@dataclass
class Outbox:
    """The letters of one private folder, as read when the object is made.

    ``here``: the folder of game folders; ``key``: the key of a relaying referee; ``faults``: errors of some games'
    letters found so far.
    """

    home: Path
    here: Path
    key: Path | None = None
    faults: list[KurskError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desks, self.words = Desks(self.home, {}), Box(self.home, WORDS)

    @cached_property
    def seats(self) -> list[GameMail]:
        """The games that this owner plays, or referees with the key."""
        return game_mail.list_games(self.home, self.here, self.key)

    @cached_property
    def by_mark(self) -> dict[str, Person]:
        """All known people, by the mark of their key."""
        return {person.mark: person for person in people.list_people(self.home, [seat.known for seat in self.seats])}

    @cached_property
    def writer(self) -> Writer:
        """The object that writes this owner's letters."""
        return Writer(self.home, self.by_mark, people.load_own(self.home))

    def name(self, reader: Reader) -> str:
        """Return the name of a letter's reader, as known here."""
        person = self.by_mark.get(reader.mark)
        return person.called if person else reader.mark

    def list_letters(self) -> Iterator[OutgoingLetter]:
        """Yield each due or returned letter, tournaments first. An error in a game stops only this game."""
        self.faults[:] = game_mail.list_faults(self.home, self.here)
        for event in events.list_tournaments(self.home):
            with task_guard.guard_task(self.home, f"tournament {event.game[:8]}", b"", self.faults.append):
                box = Box(self.home, event.game)
                tournament_letters.mark_sent(event, box, self.writer)
                for letter, written in tournament_letters.list_pending(event, box, self.writer):
                    yield self._update_readers(OutgoingLetter(event, box, letter, written))
        for seat in self.seats:
            with task_guard.guard_task(self.home, f"game {seat.game[:8]}", b"", self.faults.append):
                yield from self._list_game(seat, Box(self.home, seat.game))

    def _list_game(self, seat: GameMail, box: Box) -> Iterator[OutgoingLetter]:
        """Yield the letters of one game; nothing for a successor not yet offered or agreed."""
        written = (OutgoingLetter(seat, box, letter, written=True) for letter in box.list_open())
        yield from (self._update_readers(entry) for entry in written if not entry.moot)
        new = set[str]()
        for due in (*list_due(seat, box, lambda: not self.desks.at(seat).mine), *list_last(seat, box)):
            desk = self.desks.at(seat)
            if offers.find_unoffered(desk) is not None:
                return
            letter = compose_letter(due, desk, self.writer)
            new |= {reader.mark for reader in letter.to}
            yield OutgoingLetter(seat, box, letter, written=False)
        for letter, marks in repeats.list_repeats(seat, box):
            if new.isdisjoint(marks):
                anew = self.writer.edition(letter, self._current_readers(letter), again=True)
                yield OutgoingLetter(seat, box, anew, written=False, again=marks)

    def _update_readers(self, entry: OutgoingLetter) -> OutgoingLetter:
        """Return an open letter, or a new edition if a reader's address has changed."""
        letter, to = entry.letter, self._current_readers(entry.letter)
        moved = entry.written and any(
            not addresses.is_same(one.address, now.address) and not entry.box.delivery_of(letter, one.mark).end
            for one, now in zip(letter.to, to, strict=True)
        )
        return replace(entry, letter=self.writer.edition(letter, to), written=False) if moved else entry

    def _current_readers(self, letter: Letter) -> tuple[Reader, ...]:
        """Return the readers of a letter with their current addresses."""
        there = ((one, self.by_mark.get(one.mark)) for one in letter.to)
        return tuple(replace(one, address=person.reached if person is not None else "") for one, person in there)

    def choose_letters(self, label: str, *, gone: bool = False) -> list[OutgoingLetter]:
        """Return the letters with a label: ``all``, a game, ``1a2b/7`` (message 7), ``1a2b/7/anna`` (reader).

        ``gone``: also return a letter sent to all readers: the game's newest letter, or the numbered letter. Raises
        UsageError if no letter is found.
        """
        letters, said = list(self.list_letters()), LABEL.fullmatch(label.strip())
        game, seq, who = said.groups() if said else ("?", None, None)
        there: tuple[GameMail | Event, ...] = (*self.seats, *events.list_tournaments(self.home)) if gone else ()
        for about in (about for about in there if about.game.startswith(game)):
            box = Box(self.home, about.game)
            last = max((letter.seq for letter in box.letters()), default=0) if not seq else int(seq)
            sent = (letter for letter in box.letters() if box.is_newest(letter) and box.is_through(letter))
            letters += [OutgoingLetter(about, box, letter, written=True) for letter in sent if letter.seq == last]
        if label != "all":
            letters = [entry for entry in letters if entry.about.game.startswith(game)]
            letters = [entry for entry in letters if not seq or int(seq) == entry.letter.seq]
            who = (who or "").casefold()
            letters = [one for one in letters if any(self.name(to).casefold().startswith(who) for to in one.letter.to)]
        if not letters:
            raise UsageError(f"no letter to send has the name {label}; 'kursk outbox' lists the letters")
        return letters

    def write_down(self, entry: OutgoingLetter) -> OutgoingLetter:
        """Save a letter, unless it is saved. Every attempt to send the letter uses these bytes. Raises KurskError."""
        if entry.written:
            return entry
        writer, picture = self.writer, self._draw_picture(entry)
        letter = entry.box.write(entry.letter, lambda one: writer.render(one, entry.about, picture=picture))
        people.note_cards(self.home, letter.cards)
        return replace(entry, letter=letter, written=True)

    def draft(self, entry: OutgoingLetter, folder: Path) -> Path:
        """Write a letter as a draft file for a mail program; return the file's path. Raises KurskError."""
        marks = {reader.mark for reader in entry.letter.to}
        sides = "-".join(side for side, key in entry.about.keys.items() if people.mark_of(key) in marks)
        path = folder / f"kursk-{entry.about.short}-{entry.letter.seq:04d}-to-{sides}-{entry.letter.digest[:8]}.eml"
        raw = self.writer.render(entry.letter, entry.about, draft=True, picture=self._draw_picture(entry))
        folders.make(folder)
        disk.replace(path, raw, 0o600)
        return path

    def _draw_picture(self, entry: OutgoingLetter) -> Picture | None:
        """Return the picture of a game's letter, if the owner wants pictures. Raises KurskError."""
        if not self.writer.own.pictures or not isinstance(entry.about, GameMail):
            return None
        from kursk_pbem.post.round import pictures  # noqa: PLC0415  slow to load

        return pictures.draw_picture(entry.about, entry.letter, self.desks.at(entry.about).history)

    def remember_page(self, address: str) -> None:
        """Save the address of the web page that opens links to turns. Raises UsageError."""
        remembered.remember(self.home, page=link.check_address(address))

    def make_link(self, entry: OutgoingLetter) -> tuple[str, str]:
        """Return a link that contains the files of a letter, and a warning or ''. Raises KurskError."""
        files = (raw for _name, raw in entry.about.files(entry.letter))
        made = link.make_link(files, remembered.recall(self.home).page)
        return made, link.describe_length(made)

    def mark_sent_by_hand(self, entry: OutgoingLetter) -> None:
        """Record that the owner has mailed a letter by hand. Raises KurskError."""
        written = self.write_down(entry)
        for reader in written.letter.to:
            written.box.note(written.letter, reader.mark, SENT, "by hand")
        self.settle()

    def settle(self) -> None:
        """Record the sent letters of tournaments in the tournaments' own records. Raises KurskError."""
        for event in events.list_tournaments(self.home):
            tournament_letters.mark_sent(event, Box(self.home, event.game), self.writer)

    def again(self, label: str) -> list[OutgoingLetter]:
        """Prepare the named letters to be sent again, to the current addresses. Raises UsageError.

        A letter that was sent becomes a new edition.
        """
        letters = self.choose_letters(label, gone=True)
        needed = [entry for entry in letters if not entry.needless]
        if not needed:
            raise UsageError(letters[0].needless)
        anew = ((entry, self.writer.edition(entry.letter, self._current_readers(entry.letter))) for entry in needed)
        return [self.write_down(replace(entry, letter=letter, written=False)) for entry, letter in anew]

    def describe_unreached(self, reader: Reader) -> str:
        """Return a line about a reader without an address, with the command that adds one."""
        name, person = self.name(reader), self.by_mark.get(reader.mark)
        known = f"no address of {name} is known: 'kursk people add NAME ADDRESS'"
        return person.question(name) if person is not None else known

    def describe_hindrance(self, entry: OutgoingLetter) -> str:
        """Return the reason why a letter cannot be sent now, or ''."""
        told, label = list[str](), entry.label
        for reader in entry.letter.to:
            said = entry.box.delivery_of(entry.letter, reader.mark)
            (why, stopped), state = said.waiting_reason(clock.now()), said.state if entry.written else ""
            if state in (REFUSED, BOUNCED):
                what = "refused" if state == REFUSED else "could not deliver"
                told.append(f"the server {what} it for {reader.address}: {said.words}; 'kursk outbox --again {label}'")
            elif not reader.address and state != SENT and not entry.relayed:
                told.append(self.describe_unreached(reader))
            elif entry.written and stopped and not said.end:
                how = f"'kursk outbox --sent {label}' marks the letter as sent, '--again {label}' sends again"
                told.append(f"{reader.address}: {why}; {how}")
        return "; ".join(told)
