"""The first words of a mail: its first part of text, as far as a person would write it. In linear time.

Only as much of the tree of a mail is looked at as leads to those words. The library's own reader of whole mails costs
the length of a mail times its depth, and the square of the length of a Content-Type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message as Headers
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import cached_property
from itertools import islice

from kursk_pbem.post.envelope import MAX_HEADER
from kursk_pbem.trust import mailhtml

MAX_WORDS = 256 * 1024
"""Bytes of a mail that are read for words."""
_PARTS = 20
"""Parts of a mail that are looked at, whatever lies in what."""
_KIND = 2000
"""Characters of a Content-Type that names a boundary."""
_BEHIND = (
    rb"(?:[ \t\n\f\r/]++|[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+"
    rb"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^ \t\n\f\r>"'][^ \t\n\f\r>]*+)?+)?+)*+(?:>|\Z)"""
)
"""What stands behind the name of a mark, its end included: a value in quotes may hold anything."""
_PIECE = re.compile(
    rb"<!---?>|<!--(?:[^-]++|-(?!-!?>))*+(?:--!?>)?+|<(?:[!?]|/(?![a-z]))[^>]*+>?+"
    rb"|<(?P<raw>style|title)(?=[ \t\n\f\r/>])%b(?P<sheet>(?:[^<]++|<(?!/(?P=raw)[ \t\n\f\r/>]))*+)"
    rb"|<(?P<mark>/?[a-z][^ \t\n\f\r/>]*+)%b|(?P<text>(?:[^<]++|<(?![!?/a-z]))++)" % (_BEHIND, _BEHIND),
    re.IGNORECASE,
)
"""A page as browsers read it: comments, elements without words, marks, text. What has no end goes on to the last."""
_ODD = frozenset(
    b"script template noscript noembed noframes iframe object select textarea datalist xmp plaintext svg math"
    b" audio video canvas dialog details option optgroup progress meter rp frameset".split()
)
"""Programs differ in what they read within these, or show nothing of it: nothing behind one is a person's words."""
_HIDES = re.compile(
    rb"(?<![-a-z])(?:display\s*+:\s*+none|visibility\s*+:\s*+(?!visible)|opacity\s*+:\s*+[0.]*+(?![1-9])"
    rb"|font(?:-size)?\s*+:[^;'\"{}]{0,50}(?<![\d.])[0.]++(?![\d.])|(?:max-)?(?:height|width)\s*+:\s*+[0.]++(?![\d.])"
    rb"|color\s*+:\s*+transparent|position\s*+:\s*+(?!relative|static)|clip(?:-path)?\s*+:|mso-hide)",
    re.IGNORECASE,
)
"""What says that words are not shown, in a mark or a sheet of styles. In which colours they stand is not looked at."""
_HIDDEN = re.compile(rb"""[ \t\n\f\r"'/]hidden(?![-\w])""", re.IGNORECASE)
_CODED = re.compile(rb"\\|/\*|&(?!quot;|apos;|amp;|#39;)")
"""Ways to write a style that is not to be recognized."""
_DEEPER = {b"blockquote": 1, b"/blockquote": -1}


def words(raw: bytes) -> str:
    """The text of the first part of a mail that is text and no attachment; '' where its beginning holds none."""
    waiting = [_Part(raw[:MAX_WORDS].replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip())]
    for _number in range(_PARTS):
        if not waiting:
            break
        part = waiting.pop()
        try:
            if part.is_text:
                return part.text
            waiting += reversed(part.inner)
        except (ValueError, LookupError, AttributeError, TypeError):
            break  # whatever it is, it is no mail that a person wrote
    return ""


@dataclass(frozen=True)
class _Part:
    """A mail, or a part of one, with LF at line ends."""

    raw: bytes

    @cached_property
    def begin(self) -> int:
        """Where its body begins."""
        if self.raw.startswith(b"\n"):
            return 1
        end = self.raw.find(b"\n\n", 0, MAX_HEADER)
        return end + 2 if end >= 0 else len(self.raw)

    @cached_property
    def headers(self) -> Headers:
        """Its header fields."""
        return BytesHeaderParser(policy=compat32).parsebytes(self.raw[: min(self.begin, MAX_HEADER)])

    @property
    def is_text(self) -> bool:
        """Whether it is what its reader is shown."""
        return self.headers.get_content_maintype() == "text" and self.headers.get_content_disposition() != "attachment"

    @property
    def text(self) -> str:
        """Its text, decoded; of HTML the words that are shown."""
        self.headers.set_payload(self.raw[self.begin :].decode("ascii", "surrogateescape"))
        data = self.headers.get_payload(decode=True)
        if not isinstance(data, bytes):
            return ""
        shown = mailhtml.plain(_unquoted(data)) if self.headers.get_content_subtype() == "html" else data
        return shown.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")

    @property
    def inner(self) -> list[_Part]:
        """The first of the parts that it is made of."""
        if self.headers.get_content_maintype() != "multipart" or len(str(self.headers["Content-Type"])) > _KIND:
            return []
        mark = str(self.headers.get_boundary("")).encode("ascii", "surrogateescape")
        line = re.compile(rb"^--%b(--)?[ \t]*(?:\n|\Z)" % re.escape(mark), re.MULTILINE)
        marks = list(islice(line.finditer(self.raw, self.begin), _PARTS + 1)) if mark else []
        ends = [*(boundary.start() for boundary in marks[1:]), len(self.raw)]
        return [
            _Part(self.raw[boundary.end() : end]) for boundary, end in zip(marks, ends, strict=False) if not boundary[1]
        ]


def _unquoted(page: bytes) -> bytes:
    """A page without what it quotes, or hides; of its marks the names."""
    kept, depth = list[bytes](), 0
    for piece in _PIECE.finditer(page.partition(b"\x1b")[0]):  # in ISO 2022 letters behind it may look like marks
        name = (piece["mark"] or b"").lower()
        if name in _ODD or _HIDES.search(piece["sheet"] or b"") or (not depth and _hides(piece)):
            break
        depth = max(0, depth + _DEEPER.get(name, 0))
        if not depth:
            kept.append(b"<%b>" % name[:17].replace(b"<", b"") if name else piece["text"] or b"")
    return b"".join(kept)


def _hides(piece: re.Match[bytes]) -> bool:
    """Whether a mark says that what is in it is not shown. Where that ends is not looked for: nothing more counts."""
    mark = piece[0] if piece["mark"] else b""
    styled = b"style" in mark.lower() and (_HIDES.search(mark) or _CODED.search(mark))
    return bool(styled or _HIDDEN.search(mark))
