"""Checks of a single message, without its chain: type, fields, signature."""

from __future__ import annotations

from typing import NoReturn

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.messages import FIELDS, Message, find_misfits


def check_signature(message: Message, key: str) -> None:
    """Check the signature of a message by this key (protocol 2.6 step 4). Raises TrustError (signature)."""
    if message.armour is None:
        refuse("signature", "it is not signed", message)
    try:
        sshsig.verify(key, sshsig.NAMESPACE, message.signed, message.armour)
    except TrustError as error:
        raise TrustError(error.fault, error.message, message.where("signature")) from None


def check_fields(message: Message, *, refereed: bool) -> None:
    """Check the fields of a message against its type (protocol 2.2). The schema has checked their form."""
    missing, surplus = find_misfits(message.content, refereed=refereed)
    if surplus:
        refuse("order", f"a message of type {message.type} cannot hold {', '.join(surplus)}", message, surplus[0])
    if missing:
        refuse("order", f"a message of type {message.type} must hold {', '.join(missing)}", message)
    if (offer := message.mapping("offer")) and (offer["kind"] == "successor") != ("game" in offer):
        refuse("order", "an offer names a game if it is of a successor, and only then", message, "offer")


def check_supported(message: Message) -> None:
    """Raise FileError if this version does not support the type of the message."""
    if message.type not in FIELDS:
        msg = "this version of the program knows no messages of this type"
        raise FileError(msg, message.where("type"))


def refuse(fault: str, why: str, message: Message, *path: str | int) -> NoReturn:
    """Raise TrustError with the fault, the reason, and the place in the message."""
    raise TrustError(fault, why, message.where(*path))
