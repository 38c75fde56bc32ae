"""Terms that run, as the papers in a game folder say; when messages came; late messages that the director lets pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import kept
from kursk_pbem.errors import shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import receipts
from kursk_pbem.game.games import Game
from kursk_pbem.post.mailbox import arrival, store
from kursk_pbem.post.round import waiting
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper


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
        """Return which reminder is due: a day before the end, or at half of a term of more than two days."""
        whole, left = times.between(self.received, self.due), times.between(now, self.due)
        if 0 < left <= times.DAY:
            return "day"
        return "half" if 0 < 2 * left <= whole and whole > 2 * times.DAY else ""


def running(seat: Seat) -> Running | None:
    """Return the term that runs in a game; None if the newest message has no receipt, or the game is over."""
    seq = seat.known.newest
    papers = _papers(seat, f"receipt-{seq:04d}*.yaml")
    if not papers or not seat.known.writer:
        return None
    counts = min(papers, key=lambda paper: (paper.text("received"), paper.text("due")))
    longer = _papers(seat, f"extension-{seq:04d}-*.yaml")
    due = max(paper.text("due") for paper in (counts, *longer))
    return Running(seq, counts.text("received"), due, counts.text("due"))


def _papers(seat: Seat, which: str) -> list[Paper]:
    """Return the papers of a game with such names. Raises TrustError if one is not what was signed."""
    there = ((path, receipts.NAMES.fullmatch(path.name)) for path in sorted(seat.folder.glob(which)))
    papers = [receipts.read_named(path, said) for path, said in there if said is not None]
    for paper in papers:  # a spoilt digit may set a term that nobody lives to see
        referee.check_signature(paper, seat.keys.get(REFEREE, ""))
    return papers


def signed(game: Game, seq: int) -> Running | None:
    """Return the term of the answer to a message by the papers of a verified game; None without a receipt."""
    receipt = game.papers.receipts.get(seq)
    if receipt is None:
        return None
    return Running(seq, receipt.text("received"), game.papers.due(seq), receipt.text("due"))


def received(home: Path, desk: Desk, seq: int, turn: str) -> str:
    """Return when a message came, for its receipt (docs/auditors.md 2.12); '' if it came by no mail.

    The time is not before the receipts of earlier messages, nor after now.
    """
    game = desk.game
    if not (at := arrival.best_time(arrival.load_arrival(home, game.chain.game, seq, turn))):
        return ""
    held = [paper.text("received") for number, paper in game.papers.receipts.items() if number < seq]
    unsigned = range(max(game.papers.receipts, default=-1) + 1, seq)  # what their receipts will say is kept already
    said = (kept.said(kept.path_of(home, game.chain, number)) for number in unsigned)
    return max([min(at, clock.now()), *held, *(one[0] for one in said if one is not None)])


def without_receipt(seat: Seat) -> list[int]:
    """Return the messages that are to have a receipt and have none, after the newest that has one.

    If the referee rolls, that is their own newest message: a player answers it. Otherwise every message.
    """
    newest, held = seat.known.newest, seat.receipts
    if seat.rolled:
        own = newest >= 0 and seat.senders[newest] == REFEREE
        return [newest] if own and newest not in held else []
    return [seq for seq in range(max(held, default=-1) + 1, newest + 1) if held]


def late(home: Path, seat: Seat) -> list[Message]:
    """Return the different messages that wait, with the number that is owed: each came late."""
    owed, writer = seat.known.newest + 1, seat.known.writer
    there = (turn for turn in waiting.turns(home, seat.game) if isinstance(turn, Message))
    return [turn for turn in there if (turn.seq, turn.sender) == (owed, writer)]


def let_pass(home: Path, game: str, message: Message) -> bool:
    """Return whether the director lets this message pass although it is late. Raises DiskError."""
    return bool(store.load_setting(home, f"pass {game} {message.id}"))


def pass_(home: Path, game: str, there: Iterable[Message]) -> None:
    """Save that the director lets messages pass, which wait; no other message of their number. Raises DiskError."""
    for message in there:
        store.save_setting(home, f"pass {game} {message.id}", clock.now())


def evidence(folder: Path) -> str:
    """Return that somebody has signed two messages for one number, or two receipts; '' if that is not known."""
    told = f"somebody has signed two things of which one must be false: 'kursk prove {shell_word(folder)}' says who"
    return told if any(folder.glob("evidence-*.yaml")) else ""
