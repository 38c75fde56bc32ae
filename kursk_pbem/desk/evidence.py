"""A second message for a number that is taken: refused, and kept if it is good, because it convicts its sender (T9)."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from kursk_pbem.desk.desks import Desk
from kursk_pbem.errors import KurskError, TrustError
from kursk_pbem.formats.canonical import apart
from kursk_pbem.game import folders, games
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message


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
        if error.fault == "signature":  # nobody needs to send again what is here
            why = f"message {message.seq} is here already, and this copy of it is not what was signed: it counts for"
            raise TrustError(error.fault, f"{why} nothing and accuses nobody", error.where) from None
        if message.seq < desk.game.chain.bound or not _is_good(desk, message):
            raise
        refuse_good(desk, message, desk.game.chain.ids[message.seq], error.fault)
    raise AssertionError(f"message {message.seq} is not taken")


def refuse_good(desk: Desk, message: Message, first: str, fault: str = "chain") -> NoReturn:
    """Keep a second good message for the number that the message with the id ``first`` has, and refuse it: TrustError.

    Where the game is not bound yet nothing is kept.
    """
    bound = desk.game.chain.bound
    said = f"another message {message.seq} was accepted before this one ({', now '.join(apart(first, message.id))})"
    if message.seq < bound:
        then = f"before message {bound} the game is not bound, so two convict nobody; the first one counts here"
        raise TrustError(fault, f"{said}; {then}", message.where("seq")) from None
    path = path_of(desk.folder, message)
    if folders.evidence_wanted(path):
        folders.write(path, messages.emit(message.content, message.armour))
    kept = f"is kept as {path}" if path.exists() else f"is one of more than {folders.MOST_EVIDENCE}, and not kept"
    raise TrustError(
        fault,
        f"{said}, and both are good and signed by {message.sender}: that is fraud. This one {kept}; 'kursk prove "
        f"{desk.folder}' makes the proof",
        message.where("seq"),
    ) from None


def _is_good(desk: Desk, message: Message) -> bool:
    """Whether it would have been accepted, had it come first."""
    try:
        games.extend(desk.history.step(message.seq - 1).after, message)
    except KurskError:
        return False
    return True
