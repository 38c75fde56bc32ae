"""What is to be mailed: own messages and papers that no letter carries yet, and letters that are not through.

The journal is the truth, and this follows from it. Of a letter ``out/GAME/`` holds what it is (``.json``), its bytes
(``.eml``), and for each reader what happened to it: ``try-N`` before each attempt, ``later-N`` where the server put it
off, then ``sent``, ``refused`` or ``bounced``; ``doubted`` where a report says that it may not have arrived. Each of
these files is written once; the state is which of them exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.errors import SpoiltError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, receipts
from kursk_pbem.post import letter as letters
from kursk_pbem.post import people, place
from kursk_pbem.post.letter import Item, Letter, Reader
from kursk_pbem.post.seat import Seat
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, RECEIPT

SENT, REFUSED, BOUNCED = "sent", "refused", "bounced"
AS_SENT, _OVER = "as-sent-", "over"
_WAITS = (5 * 60, 15 * 60, 60 * 60)
_LONG = 4 * 3600
_DOUBTS = (0, *_WAITS, _LONG, _LONG, _LONG)
"""Seconds between tries of which nobody knows what became."""
GIVEN_UP, LEAST_TRIES = 3 * times.DAY, 5
"""For how long a server puts a letter off before it is given up, and how often it must have been asked in that time."""
MOST_DOUBTS = 8
LATER = "later"
STOPPED = "; 'kursk outbox --sent' says that it did, '--again' tries anew"
"""What is said of a letter that is not tried any more before its owner says so."""


class Box:
    """The letters of one game, and what happened to each. It shows how things were when it was opened, and what it did.

    ``files``: for each letter the endings of its files, such as ``json`` or ``MARK.try-1``.
    """

    def __init__(self, home: Path, game: str) -> None:
        self.game = game
        self.folder = place.root(home) / "out" / game[:16]
        self.files: dict[str, set[str]] = {}
        for name in place.names(self.folder):
            self._add(name)

    def _add(self, file: str) -> None:
        name, _dot, ending = file.partition(".")
        self.files.setdefault(name, set()).add(ending)

    @property
    def written(self) -> list[str]:
        """The names of the letters, those about the newest message first."""
        return sorted((name for name, endings in self.files.items() if "json" in endings), reverse=True)

    def newest(self, letter: Letter) -> bool:
        """Whether no newer edition of a letter is written down."""
        stem = f"{letter.name.rpartition('-')[0]}-"
        return letter.edition == max(int(name.removeprefix(stem)) for name in self.written if name.startswith(stem))

    def read(self, name: str) -> Letter:
        """A letter by its name. DiskError if its file is damaged."""
        path = self.folder / f"{name}.json"
        try:
            letter = letters.from_plain(place.load(path))
        except (KeyError, TypeError, ValueError):
            raise SpoiltError(f"{path} cannot be read: it describes no letter; move it away") from None
        if letter.name != name or letter.game != self.game:
            raise SpoiltError(f"{path} cannot be read: it describes another letter; move it away")
        return letter

    @property
    def as_sent(self) -> int:
        """Everything up to this number counts as mailed, by the word of the owner of this desk; -1: nothing does."""
        said = [name.removeprefix(AS_SENT) for name in self.files if name.startswith(AS_SENT)]
        return max((int(number) for number in said if number.isdigit()), default=-1)

    def count_as_sent(self, mailed: Sequence[Letter]) -> None:
        """Put down that what these letters hold, and all about earlier messages, was mailed otherwise."""
        newest = max(letter.seq for letter in mailed)
        papers = {item.id for letter in mailed for item in letter.carried if item.kind != letters.MESSAGE}
        self._once(f"{AS_SENT}{newest:04d}", {"papers": sorted(papers)})

    def mailed(self, item: Item) -> bool:
        """Whether this counts as mailed: of papers about the newest message those that had been signed then."""
        newest = self.as_sent
        if item.seq != newest or item.kind == letters.MESSAGE:
            return item.seq <= newest
        path = self.folder / f"{AS_SENT}{item.seq:04d}"
        return not path.stat().st_size or item.id in place.load(path).get("papers", ())  # it was empty once

    def carries(self, item: Item, mark: str) -> bool:
        """Whether a letter to somebody holds this, or it counts as mailed."""
        if self.mailed(item):
            return True
        for name in self.written:
            if int(name[:4]) < item.seq:
                return False
            letter = self.read(name)
            if item in letter.carried and any(reader.mark == mark for reader in letter.to):
                return True
        return False

    def holds(self, digest: str) -> bool:
        """Whether a letter with this digest is written down."""
        return any(f"-{digest}-" in name for name in self.written)

    def through(self, digest: str) -> bool:
        """Whether an edition of it has come through to all of its readers."""
        return any(f"-{digest}-" in name and _OVER in self.files[name] for name in self.written)

    def happened(self, letter: Letter, mark: str, what: str) -> bool:
        """Whether something was put down of a letter for one reader."""
        return f"{mark}.{what}" in self.files.get(letter.name, ())

    def count(self, letter: Letter, mark: str, what: str) -> int:
        """How many files ``try-N``, or ``later-N``, there are for one reader."""
        number = 0
        while f"{mark}.{what}-{number + 1}" in self.files.get(letter.name, ()):
            number += 1
        return number

    def ended(self, letter: Letter, mark: str) -> str:
        """How it ended for one reader: bounced, refused, sent; '' while it has not."""
        endings = self.files.get(letter.name, set())
        return next((end for end in (BOUNCED, REFUSED, SENT) if f"{mark}.{end}" in endings), "")

    def note(self, letter: Letter, mark: str, what: str, **said: Any) -> None:
        """Put down what has happened to a letter for one reader; once the last has it, that it is over."""
        self._once(f"{letter.name}.{mark}.{what}", said)
        if what == SENT:
            self._close(letter)

    def noted(self, letter: Letter, mark: str, what: str) -> dict[str, Any]:
        """What was put down then."""
        return place.load(self.folder / f"{letter.name}.{mark}.{what}")

    def freeze(self, letter: Letter) -> Letter:
        """Write a letter down for good, or take the one that was written first. UsageError."""
        return letter if self._once(f"{letter.name}.json", letter.to_plain()) else self.read(letter.name)

    def keep(self, letter: Letter, raw: bytes) -> bytes:
        """Write down the bytes of a letter for good, or take those that were written first. UsageError."""
        path = self.folder / f"{letter.name}.eml"
        if self._once(path.name, raw):
            return raw
        try:
            return place.read(path)
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None

    def _once(self, file: str, data: bytes | Mapping[str, Any]) -> bool:
        fresh = place.once(self.folder / file, data)
        self._add(file)
        return fresh

    def undone(self) -> Iterator[Letter]:
        """The letters that are not through to all of their readers, those about the oldest message first."""
        for name in reversed(self.written):
            endings = self.files[name]
            bounced = any(ending.endswith(BOUNCED) for ending in endings)
            if _OVER in endings and not bounced:
                continue
            letter = self.read(name)
            if bounced or not self._close(letter):
                yield letter

    def _close(self, letter: Letter) -> bool:
        """Put down that a letter is over, if the last of its readers has it; whether it is."""
        over = all(self.ended(letter, reader.mark) == SENT for reader in letter.to)
        if over:
            self._once(f"{letter.name}.{_OVER}", b"")
        return over


@dataclass(frozen=True)
class Due:
    """What is to be mailed and is in no letter yet: to these sides, the first in To, the others in Cc."""

    seat: Seat
    sides: tuple[str, ...]
    items: tuple[Item, ...]
    others: tuple[Item, ...]

    @property
    def seq(self) -> int:
        """The newest message that it is about."""
        return max(item.seq for item in self.items)


def due(seat: Seat, box: Box, passes: Callable[[], bool]) -> Iterator[Due]:
    """What of a game is to be mailed and is in no letter yet, for each group of readers.

    ``passes``: asked at the desk of a referee who rolls and has a player's message last, whether they write nothing
    behind it: it ends the game, or the other player answers it.
    """
    lacked = _lacked(seat, box)
    for sides in seat.addressees:
        reader = sides[0]
        if reader not in seat.keys:
            continue
        mark, above = people.mark(seat.keys[reader]), seat.newest_of(reader)
        items: list[Item] = []
        for item in seat.own_messages(above):
            if box.carries(item, mark):
                break
            items.append(item)
        if (last := _last(seat, reader, above)) is not None and not box.carries(last, mark) and passes():
            items.append(last)
        for item in seat.own_papers():
            if item.seq < above or (box.carries(item, mark) and item.kind != EXTENSION):
                break
            items += [] if box.carries(item, mark) else [item]
        if items:
            others = (*_others(seat, reader, above, items), *_relayed(seat, reader, items), *_grounds(seat, items))
            more, lacked = (lacked, ()) if REFEREE in sides else ((), lacked)
            yield Due(seat, sides, tuple(items), (*others, *_first(seat, items), *more))
    if lacked:
        yield Due(seat, (REFEREE,), lacked, _first(seat, list(lacked)))


def _lacked(seat: Seat, box: Box) -> tuple[Item, ...]:
    """What an opponent has answered, and a referee who relays may lack.

    No letter to them carries it, and no receipt is here of it or of what came later: the outbox was lost, or the
    opponent had it in another way.
    """
    if seat.side == REFEREE or seat.rolled or REFEREE not in seat.keys:
        return ()
    mark, above = people.mark(seat.keys[REFEREE]), max(seat.receipts, default=-1)
    answered = max((seat.newest_of(side) for side in seat.keys if side not in (REFEREE, seat.side)), default=-1)
    own = seat.own_messages(above)
    return tuple(item for item in own if item.seq < answered and not box.carries(item, mark))


def _last(seat: Seat, reader: str, above: int) -> Item | None:
    """Where a referee rolls: the other player's message that is the newest of all, if it is."""
    own, seq = seat.known.own, seat.known.newest
    if own is None or seat.side != REFEREE or seq <= above or seat.senders[seq] in (reader, REFEREE):
        return None
    slot = own.slot(seq)
    return Item(letters.MESSAGE, seq, slot.id) if slot is not None else None


def _relayed(seat: Seat, reader: str, items: list[Item]) -> tuple[Item, ...]:
    """Where a referee relays: the other side's messages that the papers are about, in case their letters were lost."""
    if seat.rolled:
        return ()
    about = sorted({item.seq for item in items if item.kind != letters.MESSAGE and seat.senders[item.seq] != reader})
    paths = ((seq, folders.message_path(seat.folder, seq)) for seq in about)
    return tuple(Item(letters.MESSAGE, seq, folders.read_message(path).id) for seq, path in paths)


def _first(seat: Seat, items: list[Item]) -> tuple[Item, ...]:
    """The proposal, as long as no word of the referee is here: they can take nothing before it, and it may be lost."""
    if seat.side == REFEREE or REFEREE not in seat.keys or not seat.known.here or min(item.seq for item in items) == 0:
        return ()
    heard = seat.newest_of(REFEREE) >= 0 or any(
        receipts.NAMES.fullmatch(path.name) for path in seat.folder.glob("*.yaml")
    )
    return () if heard else (Item(letters.MESSAGE, 0, seat.game),)


def _grounds(seat: Seat, items: list[Item]) -> tuple[Item, ...]:
    """What a forfeit or an extension rests on: it says the term, and the letter that brought it may have been lost."""
    about = {item.seq for item in items if item.kind in (EXTENSION, FORFEIT)}
    grounds = (item for item in seat.own_papers() if item.kind in (RECEIPT, EXTENSION) and item.seq in about)
    return tuple(item for item in grounds if item not in items)


def _others(seat: Seat, reader: str, above: int, items: list[Item]) -> tuple[Item, ...]:
    """Where a referee rolls: the other side's messages that a reader cannot have yet, before the referee's newest."""
    if not seat.rolled or seat.known.own is None:
        return ()
    newest = max((item.seq for item in items if item.kind == letters.MESSAGE), default=-1)
    own = seat.known.own
    others = (seq for seq in range(above + 1, newest) if seat.senders[seq] not in (reader, seat.side))
    slots = ((seq, own.slot(seq)) for seq in others)
    return tuple(Item(letters.MESSAGE, seq, slot.id) for seq, slot in slots if slot is not None)


def standing(box: Box, letter: Letter, reader: Reader, now: str) -> str:
    """Why a letter is not tried for a reader now, '' if it is."""
    if box.ended(letter, reader.mark):
        return box.ended(letter, reader.mark)
    if not reader.address:
        return "no address"
    tries = box.count(letter, reader.mark, "try")
    put_off = [number for number in range(1, tries + 1) if box.happened(letter, reader.mark, f"{LATER}-{number}")]
    if tries - len(put_off) >= MOST_DOUBTS:
        return f"{tries - len(put_off)} times nobody knows whether it arrived{STOPPED}"
    if not put_off or put_off[-1] != tries:
        return _in_doubt(str(box.noted(letter, reader.mark, f"try-{tries}").get("at", now)), tries - len(put_off), now)
    last = str(box.noted(letter, reader.mark, f"{LATER}-{tries}").get("at", now))
    passed = _since(last, now)
    if passed < 0:  # the clock was ahead then
        return ""
    if tries >= LEAST_TRIES and _for_long(box, letter, reader, put_off, last):
        return f"given up after three days{STOPPED}"
    wait = _WAITS[len(put_off) - 1] if len(put_off) <= len(_WAITS) else _LONG
    return f"put off by the server; again in {times.in_words(wait - passed)}" if passed < wait else ""


def _for_long(box: Box, letter: Letter, reader: Reader, put_off: Sequence[int], last: str) -> bool:
    """Whether servers have put a letter off for too long; a program that reached none does not count."""
    asked = [n for n in put_off if not box.noted(letter, reader.mark, f"{LATER}-{n}").get("away")]
    made = [str(box.noted(letter, reader.mark, f"try-{n}").get("at", last)) for n in asked]
    if made and _since(made[0], last) < 0:  # the clock was ahead when the first was made
        return _since(min(made), last) > GIVEN_UP
    return bool(made) and _since(made[0], last) > GIVEN_UP


def _in_doubt(last: str, doubts: int, now: str) -> str:
    """How long a letter waits of which nobody knows whether it arrived; '' where it is tried now.

    Once it is tried again at once, then later and later: a server that hangs takes the letter, perhaps, each time.
    """
    passed, wait = _since(last, now), _DOUBTS[doubts - 1] if 0 < doubts <= len(_DOUBTS) else 0
    if not 0 <= passed < wait:
        return ""
    return f"nobody knows whether it arrived; again in {times.in_words(wait - passed)}"


def _since(text: str, now: str) -> int:
    return times.between(text, now) if times.is_time(text) and times.is_time(now) else 0
