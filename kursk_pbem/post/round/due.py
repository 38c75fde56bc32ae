"""What of a game is signed and in no letter yet, for each group of readers. The journal is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, receipts
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.mailbox.letter import Item
from kursk_pbem.post.mailbox.outbox import Box
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, RECEIPT


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
