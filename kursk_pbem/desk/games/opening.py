"""The desk of a path: a game folder, or a game file in its folder."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.own import desks, register
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders


def open_desk_at(path: Path, home: Path) -> Desk:
    """Return the desk of a game folder or of a game file's folder.

    Raises UsageError if the file does not belong to that game, such as a key in a game folder.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if path.is_dir():
        return desks.open_desk(path, home)
    if not any((path.parent / f"0000.{kind}").exists() for kind in ("yaml", "json")):
        raise UsageError(f"{path} is no draft of a game: the folder is no game folder; 'kursk status' lists your games")
    if not register.is_game_file(path) and path.suffix != ".yaml":  # the reader reports faults of a damaged draft
        raise UsageError(f"{path} is no message or draft of a game; 'kursk status' lists your games")
    desk = desks.open_desk(path.parent, home)
    said, game = register.read_fields(path), desk.game.chain.game
    its = folders.read_message(path).id if said.get("type") == "propose" else str(said.get("game", game))
    if its != game:
        raise UsageError(f"{path} belongs to another game ({its[:8]!a}) than the folder")
    return desk
