"""Bytes of a mail: lines that are counted, digits of base64, blanks that mail programs put in the place of blanks."""

from __future__ import annotations

import binascii
import re

NOT_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
NOT_ALNUM = NOT_BASE64 + b"+/"
"""All but letters and digits: what programs put between those changes."""
_LINE_ENDS = re.compile(rb"\n+")
_ESCAPE = re.compile(rb"\x1b[$(]{1,2}[@-Z]")
"""Between the character sets of a text in Japanese (ISO-2022)."""


def in_one_set(text: bytes) -> bytes:
    """A text with a blank where another character set begins in it: the letter behind the sign is none of the text."""
    return _ESCAPE.sub(b" ", text) if b"\x1b" in text else text


class Lines:
    """Counts lines up to places that come in order."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0
        self.line = 1

    def at(self, place: int) -> int:
        """The line of a place, not before the last one asked for."""
        self.line += self.data.count(b"\n", self.place, place)
        self.place = place
        return self.line


def base64(digits: bytes) -> bytes:
    """What digits of base64 say; of the last one alone nothing can be told."""
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def last_line_end(data: bytes, at: int) -> int:
    """The last of the line ends that stand at ``at``."""
    match = _LINE_ENDS.match(data, at)
    return match.end() - 1 if match else at


def first_of(data: bytes, at: int, *marks: bytes) -> int:
    """The first place from ``at`` on where one of ``marks`` stands, or the end."""
    end = len(data)
    for mark in marks:
        place = data.find(mark, at, end)
        end = place if place >= 0 else end
    return end


def plain_blanks(data: bytes) -> bytes:
    """Blanks that mail programs put in the place of blanks, as UTF-8, Latin 1 and KOI8-R write them; no BOM.

    A turn is plain ASCII: bytes like these are refused if they are left.
    """
    if data.isascii():
        return data
    for odd in (b"\xef\xbb\xbf", b"\xc2\xa0", b"\xa0", b"\x9a"):
        data = data.replace(odd, b"" if len(odd) == 3 else b" ")
    return data
