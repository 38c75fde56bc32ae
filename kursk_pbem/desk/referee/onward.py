"""Games that continue another: nobody owes anything in one before it is agreed to there. Anybody can propose one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.errors import DiskError, KurskError, TrustError, UsageError
from kursk_pbem.game import folders, histories, journal, receipts, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.trust.papers import EXTENSION, HOLIDAY, PAUSE

AWAY = (HOLIDAY, PAUSE)
"""Causes of more time that hold for the next terms too."""


def need_agreement(folder: Path, new: Game, home: Path | None = None) -> str:
    """UsageError, TrustError for a game that continues another and was not agreed to there: nobody owes anything in it.

    ``new`` is the game as it is after its message 0. Anybody can write such a proposal. When the other one ended by it,
    as its last receipt says; '' where none does. The other one lies beside the ``folder``, or where the private record
    in ``home`` says.
    """
    said = new.chain.head.get("continues")
    if said is None:
        return ""
    name, old = folders.folder_name(said["game"]), _elder(folder, said["game"], home)
    if not folders.message_path(old, 0).is_file():
        why = "put your folder of that game beside this one"
        raise UsageError(f"it continues {name}, and only if that was agreed to there does anybody owe a message: {why}")
    elder = histories.load(old).games
    if not successor.accepted(elder, new):
        raise UsageError(f"it continues {name}, and no offer of it was accepted there: nobody owes a message")
    return max((paper.text("received") for paper in elder[-1].papers.receipts.values()), default="")


def _elder(folder: Path, game: str, home: Path | None) -> Path:
    """The folder of the game that the one in a folder continues: beside it, or where the private record says."""
    old = folder.resolve().parent / folders.folder_name(game)
    own = journal.find(home, game) if home is not None else None
    return Path(own.folder) if own is not None and not folders.message_path(old, 0).is_file() else old


def elders(folder: Path, game: Game, home: Path | None) -> Iterator[tuple[str, Path]]:
    """The games that a game continues, the last first, each with its folder. DiskError.

    What was granted there holds here, too.
    """
    head, known = game.chain.head, {game.chain.game}
    while "continues" in head:
        former = head["continues"]["game"]
        if former in known:  # a message 0 that was copied into the folder of another game, say
            raise DiskError(f"{folder} holds message 0 of another game, so what was granted before cannot be read")
        known.add(former)
        folder = _elder(folder, former, home)
        first = folders.message_path(folder, 0)
        if not first.is_file():
            whose = f"what was granted in {folder} holds here, too, and that folder is gone"
            raise DiskError(f"{whose}: put it back beside this one, perhaps from a player who has that game")
        yield former, folder
        try:
            head = folders.read_message(first).content
        except KurskError as error:
            raise _unread(folder, error) from None


def _unread(folder: Path, error: KurskError) -> DiskError:
    return DiskError(f"what was granted in {folder} holds here, too, and cannot be read: {error}")


def away(folder: Path, game: Game, side: str, since: str, home: Path | None) -> str:
    """Until when nothing is due of a side, by what was granted to its key in the games that a game continues.

    '' if nothing was that ends after ``since``. DiskError.
    """
    found, key = "", game.chain.keys[side]
    for _game, elder in elders(folder, game, home):
        try:
            found = max(found, _granted(elder, key, since))
        except KurskError as error:
            raise _unread(elder, error) from None
    return found


def _granted(folder: Path, key: str, since: str) -> str:
    """Until when the holidays and pauses in a game's folder last, of the owner of a key; '' if none ends after that."""
    there = (receipts.read_file(path) for path in folder.glob("extension-*.yaml"))
    if not any(paper.text("cause") in AWAY and paper.text("due") > since for paper in there):
        return ""
    game = histories.load(folder).game
    away = (paper for paper in game.papers.all if paper.type == EXTENSION and paper.text("cause") in AWAY)
    theirs = (paper for paper in away if game.chain.keys.get(game.chain.writer(paper.seq + 1)) == key)
    return max((paper.text("due") for paper in theirs), default="")


def owed(folder: Path, history: History, home: Path) -> bool:
    """Whether anybody owes a message in a game: not in one that would continue another, before that is agreed to."""
    game = history.game
    if "continues" not in game.chain.head or game.papers.receipts:
        return True
    try:
        need_agreement(folder, history.steps[0].after, home)
    except (UsageError, TrustError):
        return False
    return True
