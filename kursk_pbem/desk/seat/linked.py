"""Links at the board: what a link or a pasted mail contains, shown before anything is taken."""

from __future__ import annotations

from typing import Any

from kursk_pbem.desk import remembered
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.seat import posting
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError
from kursk_pbem.game import histories, inbox
from kursk_pbem.game.inbox import Message, Paper
from kursk_pbem.kernel.words import party
from kursk_pbem.trust import link, mail, sshsig


def make_link(room: Room, desk: Desk) -> dict[str, Any]:
    """Return the player's newest message as a link in parts: the page adds its own address. Raises KurskError."""
    return describe_link(room, posting.find_newest(desk).data)


def describe_link(room: Room, data: bytes) -> dict[str, Any]:
    """Return a signed file as a link in parts."""
    address = remembered.recall(room.home).page or link.ADDRESS
    return {"fragment": link.make_link([data]), "address": address, "most": link.MAX_CHAT, "long": link.TOO_LONG}


def show_text(room: Room, text: str) -> dict[str, Any]:
    """Return what a link or a pasted mail contains. Nothing is taken; an error becomes the result."""
    shown: dict[str, Any] = {"text": text, "seen": link.SEEN if link.is_link(text) else "", "bad": False}
    try:
        turns = inbox.read_each(text.encode("utf-8", "replace"), "the text")
        return shown | {"lines": [_describe_turn(room, turn) for turn in turns]}
    except KurskError as error:
        return shown | {"bad": True, "lines": [str(error)]}


def _describe_turn(room: Room, turn: Message | Paper) -> str:
    """Return game, number, sender and fingerprint of a message. The names are claims of the writer."""
    about = turn.id if turn.type == "propose" else str(turn.content.get("game", ""))
    title = "a game that is not here"
    if isinstance(turn, Message) and turn.type == "propose":
        title = histories.begin(turn).game.title
    elif any(known.game == about for known in room.known()):
        title = room.desk(about).game.title
    what = f"{turn.type} about message {turn.seq}" if isinstance(turn, Paper) else f"message {turn.seq} ({turn.type})"
    armour = turn.armour or ""
    sshsig.verify(key := mail.find_signer(armour), sshsig.NAMESPACE, turn.signed, armour)
    sender = party(turn.sender, turn.sender)
    return f"{title} ({about[:8]}): {what} from {sender}, signed by the key {sshsig.fingerprint(key)}."
