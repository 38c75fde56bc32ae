"""When a message came, as its receipt says (docs/auditors.md 2.12)."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import kept
from kursk_pbem.post.mailbox import arrival, came


def of_turn(home: Path, desk: Desk, seq: int, turn: str) -> str:
    """Return when a message came by mail, '' if it came by no mail.

    The time is not before the receipts of earlier messages, nor after now.
    """
    game = desk.game
    if not (at := arrival.when(came.said(home, game.chain.game, seq, turn))):
        return ""
    held = [paper.text("received") for number, paper in game.papers.receipts.items() if number < seq]
    unsigned = range(max(game.papers.receipts, default=-1) + 1, seq)  # what their receipts will say is kept already
    said = (kept.said(kept.path_of(home, game.chain, number)) for number in unsigned)
    return max([min(at, clock.now()), *held, *(one[0] for one in said if one is not None)])
