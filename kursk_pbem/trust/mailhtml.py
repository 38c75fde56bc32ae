"""A turn in a page of HTML: the text that a mail program would show, line by line. In linear time.

Marks between ``<`` and ``>`` go away, those that begin a line become line ends, entities become what they stand for.
What comes out is believed no more than any other copy: its signature decides.
"""

from __future__ import annotations

import html
import re
from html.entities import html5

_TAG = re.compile(rb"<(/?[A-Za-z][A-Za-z0-9]{0,15}+)?+[^<>]{0,4000}+>")
_CLOSES = re.compile(rb"</[a-z]")
"""People write </3 by hand."""
_BREAKS = frozenset(
    (
        b"br",
        b"p",
        b"div",
        b"li",
        b"tr",
        b"pre",
        b"table",
        b"blockquote",
        b"body",
        b"ul",
        b"ol",
        b"section",
        b"article",
        b"hr",
    )
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,9}+|#[xX][0-9A-Fa-f]{1,8}+|[A-Za-z][A-Za-z0-9]{1,31}+);?")
"""What may stand for a letter of a turn. The library stumbles over numbers of more than 4,300 digits."""


def is_page(data: bytes) -> bool:
    """Whether there are marks of HTML in it."""
    lower = data.lower()
    return b"<br" in lower or (b"</" in lower and _CLOSES.search(lower) is not None)


def marks(data: bytes) -> int:
    """How many marks and entities there may be in it."""
    return data.count(b"<") + data.count(b"&")


def plain(data: bytes) -> bytes:
    """The text of a page, a line for each of its lines, in UTF-8."""
    text = _TAG.sub(_line_end, data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    return _ENTITY.sub(_letter, text.decode("utf-8", "replace")).encode("utf-8", "replace")


def _letter(entity: re.Match[str]) -> str:
    """What an entity stands for. The library tries each beginning of a long name: half a second for many (T27)."""
    said = entity[0]
    return html.unescape(said) if said[1] == "#" else html5.get(said[1:], said)


def _line_end(tag: re.Match[bytes]) -> bytes:
    name = (tag[1] or b"").lower()
    return b"\n" if name.removeprefix(b"/") in _BREAKS else b""
