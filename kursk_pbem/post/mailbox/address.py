"""What may be in the header of a mail that we write: closed alphabets, plain ASCII, one line (T46).

A mail address is an RFC 5321 mailbox without quotes, comments or other scripts; a Message-ID is one word in angle
brackets. And the addresses in the fields of other people's mails, as far as the library reads them.
"""

from __future__ import annotations

import re
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header, make_header
from email.utils import getaddresses

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
_MESSAGE_ID = re.compile(r"<[!#-'*+./0-9:=?@A-Z^_`a-z{|}~\[\]-]{3,250}>")
LONGEST = 254
_MAX_FIELD = 1000
"""Characters of a field that holds addresses: the library needs the square of its length."""
_BRACKETED = re.compile(r"[^<>]*<([^<>\s]+)>\s*")
"""A field that ends with an address in its only angle brackets."""


def is_address(text: str) -> bool:
    """Return whether a text is an address that mail can be sent to: ``boris@example.org``."""
    local = text.partition("@")[0]
    return len(text) <= LONGEST and len(local) <= 64 and "=?" not in text and _ADDRESS.fullmatch(text) is not None


def check(text: str) -> str:
    """Return an address with its domain in small letters. Raises UsageError."""
    if not is_address(text):
        raise UsageError(f"{show(text)} is no address for mail, such as boris@example.org, in plain letters")
    local, _at, domain = text.partition("@")
    return f"{local}@{domain.lower()}"


def same(one: str, other: str) -> bool:
    """Return whether two addresses are one: nobody tells them apart by capital letters."""
    return one.lower() == other.lower()


def is_message_id(text: str) -> bool:
    """Return whether a text is a Message-ID that can be in a header as it is."""
    return _MESSAGE_ID.fullmatch(text) is not None and "=?" not in text


def decoded(text: str) -> str:
    """Return a field as it is read; if it cannot be decoded, as it is written."""
    with suppress(MessageError, LookupError, ValueError):
        text = str(make_header(decode_header(text)))
    return " ".join(text.split())


def sender(said: str) -> str:
    """Return the first address of a From field, '' if it is none that could be used."""
    named = _BRACKETED.fullmatch(said[:_MAX_FIELD])
    try:
        found = [named[1]] if named else [address for _name, address in getaddresses([said[:_MAX_FIELD]])]
    except (ValueError, IndexError, RecursionError):  # brackets within brackets
        found = []
    return next((check(address) for address in found if is_address(address)), "")
