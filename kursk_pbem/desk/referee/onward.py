"""Games that continue another: nobody owes anything in one before it is agreed to there. Anybody can propose one."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import folders, histories, journal, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History


def need_agreement(folder: Path, new: Game, home: Path | None = None) -> str:
    """Return when the game before ended by agreement to a game, as its last receipt says; '' without a receipt.

    ``new``: the game after its message 0. The game before is in the folder next to ``folder``, or where the private
    record in ``home`` says. Raises UsageError or TrustError if nobody agreed: anybody can write such a proposal.
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
        why = "put your folder of that game beside this one"
        raise UsageError(f"it continues {name}, and only if that was agreed to there does anybody owe a message: {why}")
    elder = histories.load(old).games
    if not successor.accepted(elder, new):
        raise UsageError(f"it continues {name}, and no offer of it was accepted there: nobody owes a message")
    return max((paper.text("received") for paper in elder[-1].papers.receipts.values()), default="")


def owed(folder: Path, history: History, home: Path) -> bool:
    """Return whether anybody owes a message in a game: not before both agreed to continue another game so."""
    game = history.game
    if "continues" not in game.chain.head or game.papers.receipts:
        return True
    try:
        need_agreement(folder, history.steps[0].after, home)
    except (UsageError, TrustError):
        return False
    return True
