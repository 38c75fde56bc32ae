"""What every message of a chain is held to, whatever stands before it: its type, its fields, its signature."""

from __future__ import annotations

from typing import NoReturn

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.messages import FIELDS, Message, misfits


def signature(message: Message, key: str) -> None:
    """Protocol 2.6 step 4: a message is signed by this key. TrustError (signature)."""
    if message.armour is None:
        refuse("signature", "it is not signed", message)
    try:
        sshsig.verify(key, sshsig.NAMESPACE, message.signed, message.armour)
    except TrustError as error:
        raise TrustError(error.fault, error.message, message.where("signature")) from None


def fields(message: Message, *, refereed: bool) -> None:
    """Which fields a type holds (protocol 2.2). The schema has seen their form; a signed misfit is a fault of order."""
    missing, surplus = misfits(message.content, refereed=refereed)
    if surplus:
        refuse("order", f"a message of type {message.type} cannot hold {', '.join(surplus)}", message, surplus[0])
    if missing:
        refuse("order", f"a message of type {message.type} must hold {', '.join(missing)}", message)
    if (offer := message.mapping("offer")) and (offer["kind"] == "successor") != ("game" in offer):
        refuse("order", "an offer names a game if it is of a successor, and only then", message, "offer")


def supported(message: Message) -> None:
    """FileError for a type that this version does not know."""
    if message.type not in FIELDS:
        msg = "messages of this type are not in this version of the program"
        raise FileError(msg, message.where("type"))


def refuse(fault: str, why: str, message: Message, *path: str | int) -> NoReturn:
    """TrustError with the fault, what was found, and where in the message."""
    raise TrustError(fault, why, message.where(*path))
