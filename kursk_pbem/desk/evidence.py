"""A second message for a number that is taken: refused, and kept if it is good, for it convicts its sender (T9)."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.desk import Desk
from kursk_pbem.errors import KurskError, TrustError
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.trust import message as messages
from kursk_pbem.trust.message import Message


def path_of(folder: Path, message: Message) -> Path:
    """Where such a message is kept; it is never one of the game's own files."""
    return folder / f"evidence-{message.seq:04d}-{message.id[:16]}.yaml"


def refuse_second(desk: Desk, message: Message) -> None:
    """Refuse a message whose number another one has in the game at this desk; TrustError always.

    One that is good in every respect goes into the game folder beside the other. Before the game is bound two messages
    convict nobody (protocol 2.3), and nothing is kept.
    """
    try:
        desk.game.chain.extend(message)
    except TrustError as error:
        if message.seq < desk.game.chain.bound or not _is_good(desk, message):
            raise
        path = path_of(desk.folder, message)
        if not path.exists():
            folders.write(path, messages.emit(message.content, message.armour))
        first = desk.game.chain.ids[message.seq]
        raise TrustError(
            error.fault,
            f"another message {message.seq} was accepted before this one ({first[:16]}, now {message.id[:16]}), and "
            f"both are good and signed by {message.sender}: that is fraud. This one is kept as {path}; 'kursk prove "
            f"{desk.folder}' makes the proof",
            message.where("seq"),
        ) from None
    raise AssertionError(f"message {message.seq} is not taken")


def _is_good(desk: Desk, message: Message) -> bool:
    """Whether it would have been accepted, had it come first."""
    try:
        games.extend(desk.history.steps[message.seq - 1].after, message)
    except KurskError:
        return False
    return True
