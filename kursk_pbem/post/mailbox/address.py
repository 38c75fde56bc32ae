"""Header values of our own mails: closed alphabets, plain ASCII, one line (T46).

A mail address is an RFC 5321 mailbox without quotes, comments or other scripts; a Message-ID is one word in angle
brackets. This module also reads the addresses in fields of received mails.
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
"""Maximum characters of an address field: the library's time grows with the square of the length."""
_BRACKETED = re.compile(r"[^<>]*<([^<>\s]+)>\s*")
"""A field with an address in its only angle brackets, at the end."""


def is_address(text: str) -> bool:
    """Return whether a text is a mail address such as ``boris@example.org``."""
    local = text.partition("@")[0]
    return len(text) <= LONGEST and len(local) <= 64 and "=?" not in text and _ADDRESS.fullmatch(text) is not None


def check_address(text: str) -> str:
    """Return a mail address with the domain in lower case. Raises UsageError if the text is no address."""
    if not is_address(text):
        raise UsageError(f"{show(text)} is no mail address; type an address like boris@example.org, in plain letters")
    local, _at, domain = text.partition("@")
    return f"{local}@{domain.lower()}"


def is_same(one: str, other: str) -> bool:
    """Return whether two addresses are equal, regardless of case."""
    return one.lower() == other.lower()


def is_message_id(text: str) -> bool:
    """Return whether a text is a Message-ID that is safe in a header."""
    return _MESSAGE_ID.fullmatch(text) is not None and "=?" not in text


def decode_field(text: str) -> str:
    """Return a decoded header field, or the raw field if decoding fails."""
    with suppress(MessageError, LookupError, ValueError):
        text = str(make_header(decode_header(text)))
    return " ".join(text.split())


def read_sender(said: str) -> str:
    """Return the first address in a From field, or '' if the field has no usable address."""
    named = _BRACKETED.fullmatch(said[:_MAX_FIELD])
    try:
        found = [named[1]] if named else [address for _name, address in getaddresses([said[:_MAX_FIELD]])]
    except (ValueError, IndexError, RecursionError):  # nested brackets
        found = []
    return next((check_address(address) for address in found if is_address(address)), "")
