"""What may be in the header of a mail that we write: closed alphabets, plain ASCII, one line (T46).

A mail address is an RFC 5321 mailbox without quotes, comments or other scripts; a Message-ID is one word in angle
brackets. And the addresses in the fields of other people's mails, as far as the library reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.errors import MessageError
from email.header import Header, decode_header, make_header
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
_MAX_FOUND = 10
"""Addresses of a mail that are looked at."""
_BRACKETED = re.compile(r"[^<>]*<([^<>\s]+)>\s*")
"""A field that ends with an address in its only angle brackets."""
_CHARSET = re.compile(
    r"(us-)?ascii|utf-?(8|16|32)([bl]e)?|latin-?[0-9]+|(iso|windows|cp|ibm|koi8|gb|euc|big5|shift|tis|mac)[a-z0-9_-]*",
    re.IGNORECASE,
)
"""The character sets of mails; Python would take rot13, zip and its own escapes for some, too."""


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


def domain(text: str) -> str:
    """Return what is after the ``@``."""
    return text.partition("@")[2]


def is_message_id(text: str) -> bool:
    """Return whether a text is a Message-ID that can be in a header as it is."""
    return _MESSAGE_ID.fullmatch(text) is not None and "=?" not in text


def text(value: str | Header) -> str:
    """Return a field of a mail in one line; letters that are not ASCII are taken for UTF-8 (RFC 6532)."""
    if isinstance(value, Header):  # how the library gives such a field
        value = b"".join(part for part, _charset in decode_header(value)).decode("utf-8", "replace")
    return " ".join(value.split())


def decoded(text: str) -> str:
    """Return a field as it is read; if it cannot be decoded, as it is written."""
    try:
        parts = decode_header(text)
        if all(charset is None or _CHARSET.fullmatch(charset) for _part, charset in parts):
            return " ".join(str(make_header(parts)).split())
    except (MessageError, LookupError, ValueError):
        pass
    return " ".join(text.split())


def sender(said: str) -> str:
    """Return the first address of a From field, '' if it is none that could be used."""
    named = _BRACKETED.fullmatch(said[:_MAX_FIELD])
    found = _found([named[1]] if named else [said])
    return check(found[0]) if found else ""


def every(values: Iterable[str]) -> frozenset[str]:
    """Return the addresses in some fields, in small letters, as far as they are looked at."""
    return frozenset(address.lower() for address in _found(values))


def _found(values: Iterable[str]) -> list[str]:
    short = [value for value in values if len(value) <= _MAX_FIELD]
    try:
        there = [address for _name, address in getaddresses(short[:_MAX_FOUND])]
    except (ValueError, IndexError, RecursionError):  # brackets within brackets
        there = []
    return [address for address in there if is_address(address)][:_MAX_FOUND]
