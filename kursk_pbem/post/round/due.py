"""Due items of a game: signed messages and papers without a letter, for each group of readers; names for the reader."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, receipts, reports
from kursk_pbem.kernel.words import party
from kursk_pbem.post.mailbox import arrival, people
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.letter import Item
from kursk_pbem.post.mailbox.outbox import Box
from kursk_pbem.post.round import repeats
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.trust.papers import EXTENSION, RECEIPT, Paper

_HOW = {"forfeit": " by time", "agreed draw": " by agreement"}


@frozen
class Due:
    """Messages and papers that need a letter, and the sides that get the letter: the first in To, others in Cc."""

    seat: GameMail
    sides: tuple[str, ...]
    items: tuple[Item, ...]
    others: tuple[Item, ...]

    @property
    def seq(self) -> int:
        """The number of the newest message in the letter."""
        return max(item.seq for item in self.items)

    @property
    def oldest(self) -> int:
        """The number of the oldest new message in the letter."""
        return min((item.seq for item in self.items if item.kind == letters.MESSAGE), default=self.seq)

    @property
    def arrival(self) -> str:
        """A sentence that the reader's message has arrived, or ''. Only a referee with the dice sends the sentence."""
        seq = self.oldest - 1
        answers = self.seat.rolled and seq >= 0 and self.seat.senders[seq] == self.sides[0]
        return f"your message {seq} has arrived" if answers else ""

    @property
    def back(self) -> bool:
        """True if the letter returns a game's last message: to its writer, or to the referee who forwards mails."""
        writer = self.seat.senders[self.seq]
        carries = any(item.kind == letters.MESSAGE and item.seq == self.seq for item in self.items)
        return carries and writer != self.seat.side and (self.seat.side != REFEREE or writer == self.sides[0])


def list_due(seat: GameMail, box: Box, passes: Callable[[], bool]) -> Iterator[Due]:
    """Yield the unsent messages and papers of a game, for each group of readers.

    ``passes``: a function. It returns True if the referee with the dice will not answer a player's last message,
    because the game has ended or the other player answers.
    """
    for sides in seat.addressees:
        reader = sides[0]
        if reader not in seat.keys:
            continue
        mark, above = people.mark_of(seat.keys[reader]), seat.newest_of(reader)
        items: list[Item] = []
        for item in seat.own_messages(above):
            if box.carries(item, mark):
                break
            items.append(item)
        if (last := _opponents_last(seat, reader, above)) is not None and not box.carries(last, mark) and passes():
            items.append(last)
        for item in seat.own_papers():
            if item.seq < above or (box.carries(item, mark) and item.kind != EXTENSION):
                break
            items += [] if box.carries(item, mark) else [item]
        if items and not _can_wait(seat, reader, items):
            yield Due(seat, sides, tuple(items), _others_messages(seat, reader, above, items))


def list_last(seat: GameMail, box: Box) -> Iterator[Due]:
    """Yield letters with the other side's newest message, and with the player's own newest message.

    In a game with a relaying referee: if the referee asks for a message that has no receipt. In other games: once,
    after the end, if ``post`` fetched the last message. The reader is the referee who rolls, otherwise the message's
    writer.
    """
    last, own = seat.known.newest, seat.newest_of(seat.side)
    if not 0 <= own < last:
        return
    relays = REFEREE in seat.keys and not seat.rolled
    side = REFEREE if REFEREE in seat.keys and seat.side != REFEREE else seat.senders[last]
    if side not in seat.keys or (seat.known.writer and not relays):
        return
    mark = people.mark_of(seat.keys[side])
    lacked = repeats.find_event(box.home, repeats.LACKS, seat.game, mark)
    if relays and (max(seat.receipts, default=-1) >= last or not lacked):
        return
    item = Item(letters.MESSAGE, last, folders.read_message(folders.message_path(seat.folder, last)).id)
    fetched = arrival.load_arrival(box.home, seat.game, last, item.id).get("fetched")
    if box.carries(item, mark) or not (relays or fetched):
        return
    mine = tuple(itertools.islice(seat.own_messages(-1), 1))
    yield Due(seat, (side,), mine, (item,)) if relays else Due(seat, (side,), (item,), mine)


def _can_wait(seat: GameMail, reader: str, items: list[Item]) -> bool:
    """Return whether receipts of the reader's own messages wait up to a day for the next letter to the reader."""
    if not seat.known.writer or any(item.kind != RECEIPT or seat.senders[item.seq] != reader for item in items):
        return False
    papers = map(receipts.read_file, seat.folder.glob(f"{RECEIPT}-{max(item.seq for item in items):04d}*.yaml"))
    since = max((paper.text("received") for paper in papers), default="")
    return bool(since) and 0 <= times.seconds_between(since, clock.now()) < times.DAY


def _opponents_last(seat: GameMail, reader: str, above: int) -> Item | None:
    """Return the opponent's message for a reader if it is the newest of all, with the referee's dice."""
    own, seq = seat.known.own, seat.known.newest
    if own is None or seat.side != REFEREE or seq <= above or seat.senders[seq] in (reader, REFEREE):
        return None
    slot = own.read_slot(seq)
    return Item(letters.MESSAGE, seq, slot.id) if slot is not None else None


def _others_messages(seat: GameMail, reader: str, above: int, items: list[Item]) -> tuple[Item, ...]:
    """Return the opponent's messages new to a reader: with the referee's dice those before the referee's newest.

    A reader who has written nothing may lack message 0, and gets the proposal from any referee.
    """
    first, own = Item(letters.MESSAGE, 0, seat.game), seat.known.own
    if not seat.rolled:
        return (first,) if seat.side == REFEREE and above < 0 else ()
    if own is None:
        return ()
    newest = max((item.seq for item in items if item.kind == letters.MESSAGE), default=-1)
    others = (seq for seq in range(above + 1, newest) if seat.senders[seq] not in (reader, seat.side))
    slots = ((seq, own.read_slot(seq)) for seq in others)
    there = [Item(letters.MESSAGE, seq, slot.id) for seq, slot in slots if slot is not None]
    return (*([first] if above < 0 < newest and first not in items else []), *there)


def _side_name(desk: Desk, side: str) -> str:
    """Return the game's name of a side; '' for the referee."""
    return "" if side == REFEREE else desk.game.ruleset.seen.words(desk.game.setting).side(side)


def name_player(due: Due, desk: Desk, side: str) -> str:
    """Return what a letter calls a player: 'you' for its reader, or 'Boris (German)', 'the director'."""
    if side == due.sides[0]:
        return "you"
    if side == REFEREE:
        return "the director" if desk.game.chain.head.get("tournament") else "the referee"
    name = " ".join(str(desk.game.chain.head["names"].get(side, "")).split())
    title = _side_name(desk, side)
    return f"{name} ({title.capitalize()})" if name not in ("", f"{side} player") else party(side, title)


def name_message(due: Due, desk: Desk, seq: int) -> str:
    """Return what a letter calls a message: 'your message 3' for its reader, or 'message 3 of Boris (German)'."""
    side = desk.game.chain.writer(seq)
    return f"your message {seq}" if side == due.sides[0] else f"message {seq} of {name_player(due, desk, side)}"


def name_sides(due: Due, desk: Desk) -> str:
    """Return who plays, for the reader of a letter: 'you play Violet against Anna (Amber)'."""
    reader, sides = due.sides[0], desk.game.ruleset.sides
    if reader not in sides:
        return " against ".join(name_player(due, desk, side) for side in sides)
    other = name_player(due, desk, next(side for side in sides if side != reader))
    return f"you {'played' if desk.game.over else 'play'} {_side_name(desk, reader).capitalize()} against {other}"


def describe_end(due: Due, desk: Desk) -> str:
    """Return the result of a game for the reader of a letter."""
    verdict, reader = desk.game.verdict, due.sides[0]
    if verdict is None or (verdict.winner and reader not in desk.game.ruleset.sides):
        return f"The game is over. {verdict.text if verdict else ''}".rstrip()
    text = reports.remove_paragraph(verdict.text).rpartition(" victory: ")[2]
    how = _HOW.get(verdict.how, f" ({text})")
    if not verdict.winner:
        return f"This game is a draw{how}."
    if desk.game.resigned:
        other = name_player(due, desk, desk.game.ruleset.other(reader))
        won = verdict.winner == reader
        return f"{other} has resigned: you have won." if won else f"Your resignation has arrived: {other} has won."
    return f"You have {'won' if verdict.winner == reader else 'lost'} this game{how}."


def describe_paper(paper: Paper, due: Due, desk: Desk) -> str:
    """Return a referee's paper as a sentence for the reader of a letter."""
    chain, seq, until = desk.game.chain, paper.seq, times.tell(paper.text("due"))
    owed, keeper = name_message(due, desk, seq + 1), name_player(due, desk, REFEREE).capitalize()
    if paper.type == RECEIPT:
        return f"{keeper} had {name_message(due, desk, seq)} on {times.tell(paper.text('received'))}."
    if paper.type == EXTENSION:
        mine = chain.writer(seq + 1) == due.sides[0]
        who = "You have" if mine else f"{name_player(due, desk, chain.writer(seq + 1))} has"
        return f"{who} more time: {owed} is due {until}."
    if desk.game.chain.writer(seq + 1) != paper.text("side"):
        return f"{reports.describe_paper(chain, paper)}."
    late = times.tell(paper.text("declared"))
    return f"{owed[:1].upper()}{owed[1:]} was due {times.tell(paper.text('due'))}, and had not come on {late}."
