"""The desk of a path: a game folder, a game file in its folder, or a draft anywhere."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.own import desks, lookup, register
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError, shell_word
from kursk_pbem.game import folders
from kursk_pbem.trust import earlier
from kursk_pbem.trust.messages import Message


def open_desk_at(path: Path, home: Path) -> Desk:
    """Return the desk of a game folder, or of the folder that contains a file of the game.

    Raises UsageError if the file, such as a key in a game folder, does not belong to the game.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if path.is_dir():
        return desks.open_desk(path, home)
    if folders.read_game_id(path.parent, "damaged") == "":
        if not register.read_fields(path).get("game"):
            raise UsageError(f"{path} is no draft: its folder contains no game; 'kursk status' lists your games")
        return _open_draft_elsewhere(path, home)
    if not register.is_game_file(path) and path.suffix != ".yaml":  # the reader reports faults of a damaged draft
        raise UsageError(f"{path} is no message or draft of a game; 'kursk status' lists your games")
    desk = desks.open_desk(path.parent, home)
    said, game = register.read_fields(path), desk.game.chain.game
    its = folders.read_message(path).id if said.get("type") == "propose" else str(said.get("game", game))
    if its != game:
        raise UsageError(f"{path} belongs to the game {its[:8]!a}, but is in the folder of another game")
    return desk


def _open_draft_elsewhere(path: Path, home: Path) -> Desk:
    """Return the desk of the game that a draft names, with the messages beside the draft that the desk lacks.

    ``adjudicate -o`` writes such a draft beside the message that it follows. Nothing is written here.
    """
    try:
        desk = desks.open_desk(lookup.find_draft_folder(folders.read_bytes(path), str(path), home, Path()), home)
    except lookup.NoGameError as error:
        how = f"'kursk restore . {shell_word(path.parent)}' brings the game here, if you play it"
        raise UsageError(f"{error.message}: {how}") from None
    seq = str(register.read_fields(path).get("seq", ""))
    before = folders.message_path(path.parent, int(seq) - 1) if seq.isdecimal() and seq != "0" else path
    if desk.own is None or before == path or not before.is_file():
        return desk
    message = folders.read_message(before)
    lacking = [*earlier.open_block(message), message] if message.seq >= desk.seq else []
    for turn in lacking:
        if isinstance(turn, Message) and turn.seq == desk.seq and turn.content.get("game") == desk.game.chain.game:
            desk = desks.add_message(desk, turn)
    return desk
