"""Terms that run, as the papers in a game folder say, and late messages that the director lets pass.

``referee/pass`` in the post folder holds the latter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import receipts
from kursk_pbem.game.games import Game
from kursk_pbem.post.mailbox import place
from kursk_pbem.post.round import waiting
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

HALF, DAY_BEFORE = "half", "day"


def _root(home: Path) -> Path:
    return place.root(home) / "referee"


@dataclass(frozen=True)
class Running:
    """The term of the answer to message ``seq``, by the receipt that counts and what extends it.

    ``first``: when it was due before anything extended it.
    """

    seq: int
    received: str
    due: str
    first: str = ""

    def reminder(self, now: str) -> str:
        """Which reminder is due: a day before the end, or at half of a term of more than two days; '' for none."""
        whole, left = times.between(self.received, self.due), times.between(now, self.due)
        if left <= 0:
            return ""
        if left <= times.DAY:
            return DAY_BEFORE
        return HALF if 2 * left <= whole and whole > 2 * times.DAY else ""

    def key(self, game: str, which: str) -> str:
        """What names a reminder."""
        return f"remind {game} {self.seq} {which}"


def running(seat: Seat) -> Running | None:
    """The term that runs in a game; None if the newest message has no receipt, or the game is over."""
    seq = seat.known.newest
    papers = _papers(seat, f"receipt-{seq:04d}*.yaml")
    if not papers or not seat.known.writer:
        return None
    counts = min(papers, key=lambda paper: (paper.text("received"), paper.text("due")))
    longer = _papers(seat, f"extension-{seq:04d}-*.yaml")
    due = max(paper.text("due") for paper in (counts, *longer))
    return Running(seq, counts.text("received"), due, counts.text("due"))


def _papers(seat: Seat, which: str) -> list[Paper]:
    """The papers of a game with such names. TrustError where one is not what its name says, or what was signed."""
    there = ((path, receipts.NAMES.fullmatch(path.name)) for path in sorted(seat.folder.glob(which)))
    papers = [receipts.read_named(path, said) for path, said in there if said is not None]
    for paper in papers:  # a spoilt digit may set a term that nobody lives to see, and nobody would be told
        referee.check_signature(paper, seat.keys.get(REFEREE, ""))
    return papers


def signed(game: Game, seq: int) -> Running | None:
    """The term of the answer to a message by the papers of a verified game; None without a receipt."""
    receipt = game.papers.receipts.get(seq)
    if receipt is None:
        return None
    return Running(seq, receipt.text("received"), game.papers.due(seq), receipt.text("due"))


def without_receipt(seat: Seat) -> list[int]:
    """The messages that are to have a receipt and have none, after the newest that has one.

    Where the referee rolls, that is their own newest message: a player answers it. Otherwise every message.
    """
    newest, held = seat.known.newest, seat.receipts
    if seat.rolled:
        own = newest >= 0 and seat.senders[newest] == REFEREE
        return [newest] if own and newest not in held else []
    return [seq for seq in range(max(held, default=-1) + 1, newest + 1) if held]


def late(home: Path, seat: Seat) -> list[Message]:
    """The different messages that wait, of the side that owes it, with the number that is owed: each came late.

    Or it is not known when.
    """
    owed, writer = seat.known.newest + 1, seat.known.writer
    there = (turn for turn in waiting.turns(home, seat.game) if isinstance(turn, Message))
    return [turn for turn in there if (turn.seq, turn.sender) == (owed, writer)]


def let_pass(home: Path, game: str, message: Message) -> bool:
    """Whether the director lets this message pass although it is late; former releases let all of its number pass."""
    number = f"{game[:16]}-{message.seq:04d}"
    return any((_root(home) / "pass" / name).exists() for name in (f"{number}-{message.id[:16]}", number))


def pass_(home: Path, game: str, there: Iterable[Message]) -> None:
    """Put down that they let these pass, which wait; what their writer signs instead of them is late. UsageError."""
    for message in there:
        name = f"{game[:16]}-{message.seq:04d}-{message.id[:16]}"
        place.once(_root(home) / "pass" / name, clock.now().encode("ascii"))


def evidence(folder: Path) -> str:
    """That somebody has signed two messages for one number, or two receipts, in words; '' if that is not known."""
    told = f"somebody has signed two things of which one must be false: 'kursk prove {shell_word(folder)}' says who"
    return told if any(folder.glob("evidence-*.yaml")) else ""
