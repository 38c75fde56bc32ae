"""A turn in a page of HTML: the text that a mail program would show, line by line. In linear time.

Marks between ``<`` and ``>`` go away, those that begin a line become line ends, entities become what they stand for.
What comes out is believed no more than any other copy: its signature decides.
"""

from __future__ import annotations

import html
import re

_TAG = re.compile(rb"<(/?[A-Za-z][A-Za-z0-9]{0,15})?[^<>]{0,4000}>")
_BREAKS = frozenset(
    (b"br", b"p", b"div", b"li", b"tr", b"pre", b"table", b"blockquote", b"body", b"ul", b"ol", b"section", b"article")
)
_BLANK = re.compile(r"^[ \t\xa0]+$", re.MULTILINE)


def is_page(data: bytes) -> bool:
    """Whether there are marks of HTML in it."""
    lower = data.lower()
    return b"</" in lower or b"<br" in lower


def plain(data: bytes) -> bytes:
    """The text of a page, a line for each of its lines, in UTF-8."""
    text = _TAG.sub(_line_end, data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    return _BLANK.sub("", html.unescape(text.decode("utf-8", "replace"))).encode("utf-8", "replace")


def _line_end(tag: re.Match[bytes]) -> bytes:
    name = (tag[1] or b"").lower()
    return b"\n" if name.removeprefix(b"/") in _BREAKS else b""
