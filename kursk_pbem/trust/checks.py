"""Checks of a single message, without its chain: the fields of its type."""

from __future__ import annotations

from typing import NoReturn

from kursk_pbem.errors import TrustError
from kursk_pbem.trust.messages import Message, Signed, find_misfits


def check_fields(message: Message, *, refereed: bool) -> None:
    """Raise TrustError unless a message has the fields of the message's type (2.2). A schema has checked the values."""
    missing, surplus = find_misfits(message.content, refereed=refereed)
    if surplus:
        refuse("order", f"a message of type {message.type} cannot hold {', '.join(surplus)}", message, surplus[0])
    if missing:
        refuse("order", f"a message of type {message.type} must hold {', '.join(missing)}", message)
    if (offer := message.mapping("offer")) and (offer["kind"] == "successor") != ("game" in offer):
        refuse("order", "an offer of a successor names its game; other offers name none", message, "offer")


def check_kept(message: Message, *, keeps: bool) -> None:
    """Raise TrustError unless ``kept`` has the labels of ``secret`` (2.5). ``keeps``: whether ``kept`` is allowed."""
    if "kept" in message.content and not keeps:
        refuse("order", "the game began without 'kept', so no message can hold this field", message, "kept")
    sealed = message.mapping("secret").keys()
    if keeps and message.mapping("kept").keys() != sealed:
        refuse("order", f"'kept' must have the labels of 'secret': {', '.join(sealed) or 'nothing'}", message, "kept")


def refuse(fault: str, why: str, signed: Signed, *path: str | int) -> NoReturn:
    """Raise TrustError with a fault (one word), a reason, and the ``path`` of the place in the message or paper."""
    raise TrustError(fault, why, signed.where(*path))
