"""Running deadlines by a game folder's papers, arrival times, and late messages that the director has accepted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import receipts
from kursk_pbem.game.games import Game
from kursk_pbem.post.mailbox import arrival, store
from kursk_pbem.post.round import early_turns
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper


@frozen
class Running:
    """The running deadline of the answer to message ``seq``, from the valid receipt and its extensions.

    ``first``: the deadline before extensions.
    """

    seq: int
    received: str
    due: str
    first: str = ""

    def reminder(self, now: str) -> str:
        """Return the kind of reminder due now, or '': ``day`` on the last day, ``half`` after half of a longer time."""
        whole, left = times.seconds_between(self.received, self.due), times.seconds_between(now, self.due)
        if 0 < left <= times.DAY:
            return "day"
        return "half" if 0 < 2 * left <= whole and whole > 2 * times.DAY else ""


def running_term(seat: GameMail) -> Running | None:
    """Return the time limit that runs in a game, or None without a receipt or after the end of the game."""
    seq = seat.known.newest
    papers = _read_papers(seat, f"receipt-{seq:04d}*.yaml")
    if not papers or not seat.known.writer:
        return None
    first = max(paper.text("due") for paper in papers)
    longer = (paper.text("due") for paper in _read_papers(seat, f"extension-{seq:04d}-*.yaml"))
    return Running(seq, min(paper.text("received") for paper in papers), max((first, *longer)), first)


def _read_papers(seat: GameMail, which: str) -> list[Paper]:
    """Return the papers of a game with such names. Raises TrustError if a signature is wrong."""
    there = ((path, receipts.NAMES.fullmatch(path.name)) for path in sorted(seat.folder.glob(which)))
    papers = [receipts.read_named(path, said) for path, said in there if said is not None]
    for paper in papers:  # a damaged digit could set an absurd term
        paper.check_signature(seat.keys.get(REFEREE, ""))
    return papers


def signed_term(game: Game, seq: int) -> Running | None:
    """Return the time limit for the answer to a message of a verified game, or None without a receipt."""
    receipt = game.papers.receipts.get(seq)
    if receipt is None:
        return None
    return Running(seq, receipt.text("received"), game.papers.due(seq), receipt.text("due"))


def arrival_time(home: Path, desk: Desk, seq: int, turn: str) -> str:
    """Return a message's time of arrival for its receipt (docs/auditors.md 2.12), or '' without a mail.

    The returned time is never earlier than the last receipt, and never in the future.
    """
    game = desk.game
    if not (at := arrival.best_time(arrival.load_arrival(home, game.chain.game, seq, turn))):
        return ""
    held = [paper.text("received") for number, paper in game.papers.receipts.items() if number < seq]
    return max([min(at, clock.now()), *held])


def list_unreceipted(seat: GameMail) -> list[int]:
    """Return the numbers of messages that need a receipt. All are newer than the newest receipt.

    If a referee rolls the dice, only the referee's newest message needs a receipt. Otherwise every message does.
    """
    newest, held = seat.known.newest, seat.receipts
    if seat.rolled:
        own = newest >= 0 and seat.senders[newest] == REFEREE
        return [newest] if own and newest not in held else []
    return [seq for seq in range(max(held, default=-1) + 1, newest + 1) if held]


def list_late(home: Path, seat: GameMail) -> list[Message]:
    """Return the late versions of the game's next message. They wait for the director."""
    owed, writer = seat.known.newest + 1, seat.known.writer
    there = (turn for turn in early_turns.list_turns(home, seat.game) if isinstance(turn, Message))
    return [turn for turn in there if (turn.seq, turn.sender) == (owed, writer)]


def is_passed(home: Path, game: str, message: Message) -> bool:
    """Return whether the director has accepted this late message. Raises DiskError."""
    return bool(store.load_setting(home, f"pass {game} {message.id}"))


def pass_messages(home: Path, game: str, there: Iterable[Message]) -> None:
    """Record that the director accepts late messages, but no other versions of these messages. Raises DiskError."""
    for message in there:
        store.save_setting(home, f"pass {game} {message.id}", clock.now())
