"""Successor games. A successor sets no deadlines until both players of the earlier game have agreed."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import folders, histories, journal, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History


def check_agreement(folder: Path, new: Game, home: Path | None = None) -> str:
    """Check that both players have agreed to a successor game. Return the time of agreement; '' without a receipt.

    ``new``: the successor game after message 0. The earlier game is in a folder next to ``folder``, or where the
    private record says. The earlier game's last receipt gives the time. Raises UsageError or TrustError without
    agreement.
    """
    said = new.chain.head.get("continues")
    if said is None:
        return ""
    name = folders.folder_name(said["game"])
    old = folder.resolve().parent / name
    own = journal.find(home, said["game"]) if home is not None else None
    if own is not None and not folders.message_path(old, 0).is_file():
        old = Path(own.folder)
    if not folders.message_path(old, 0).is_file():
        why = f"put your folder of {name} next to the game's folder"
        raise UsageError(f"the game continues {name}, and begins only after an agreement in {name}: {why}")
    elder = histories.load(old).games
    if not successor.is_accepted(elder, new):
        raise UsageError(f"no player owes a message: the players have not agreed in {name} to continue the game")
    return max((paper.text("received") for paper in elder[-1].papers.receipts.values()), default="")


def is_message_owed(folder: Path, history: History, home: Path) -> bool:
    """Return whether a side must write a message in a game. In a successor game, both players must agree first."""
    game = history.game
    if "continues" not in game.chain.head or game.papers.receipts:
        return True
    try:
        check_agreement(folder, history.steps[0].after, home)
    except (UsageError, TrustError):
        return False
    return True
