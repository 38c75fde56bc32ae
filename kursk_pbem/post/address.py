"""What may stand in the headers of a mail that we write: closed alphabets, plain ASCII, one line (T46).

A mail address is an RFC 5321 mailbox without quotes, comments or other scripts; a Message-ID one word between angle
brackets. Words, such as titles and names, keep only letters, digits and harmless marks.
"""

from __future__ import annotations

import re

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
_MESSAGE_ID = re.compile(r"<[!#-'*+./0-9:=?@A-Z^_`a-z{|}~\[\]-]{3,250}>")
_ODD = re.compile(r"[^A-Za-z0-9 .,:;'()/&+!?\[\]-]+")
LONGEST = 254


def is_address(text: str) -> bool:
    """Whether a text is an address that mail can be sent to: ``boris@example.org``."""
    local = text.partition("@")[0]
    return len(text) <= LONGEST and len(local) <= 64 and "=?" not in text and _ADDRESS.fullmatch(text) is not None


def check(text: str) -> str:
    """An address, its domain in small letters. UsageError."""
    if not is_address(text):
        raise UsageError(f"{show(text)} is no address for mail, such as boris@example.org, in plain letters")
    local, _at, domain = text.partition("@")
    return f"{local}@{domain.lower()}"


def same(one: str, other: str) -> bool:
    """Whether two addresses are one: nobody tells them apart by capital letters."""
    return one.lower() == other.lower()


def domain(text: str) -> str:
    """What stands behind the ``@``."""
    return text.partition("@")[2]


def is_message_id(text: str) -> bool:
    """Whether a text is a Message-ID that can stand in a header as it is."""
    return _MESSAGE_ID.fullmatch(text) is not None and "=?" not in text


def words(text: str, most: int) -> str:
    """A text as a header may hold it: one line, at most so many characters, odd ones left out."""
    kept = " ".join(_ODD.sub(" ", text).split())
    return kept if len(kept) <= most else f"{kept[: most - 3].rstrip()}..."
