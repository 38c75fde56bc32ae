"""The first words of a mail: its first part of text, as far as a person would write it. In linear time.

Only as much of the tree of a mail is looked at as leads to those words. The library's own reader of whole mails costs
the length of a mail times its depth, and the square of the length of a Content-Type.
"""

from __future__ import annotations

import re
from collections.abc import Collection
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
    rb"(?<![-a-z])(?:display\s*+:\s*+(?:none|var)|(?:content-)?visibility\s*+:\s*+(?!visible|auto|inherit)"
    rb"|(?:opacity|zoom|scale)\s*+:\s*+[0.]*+(?![1-9]|inherit|unset|initial|none)"
    rb"|font(?:-size)?\s*+:[^;'\"{}]{0,50}(?<![\d.])[0.]++(?![\d.])|font-size\s*+:\s*+[-+]"
    rb"|(?:max-)?(?:height|width|inline-size|block-size)\s*+:\s*+(?:calc\(|\+)?+[0.]++(?![\d.])"
    rb"|color\s*+:\s*+transparent|position\s*+:\s*+(?!relative|static|initial|inherit|unset)"
    rb"|(?:transform|translate|rotate|offset(?:-path)?|filter|mask)\s*+:\s*+(?!none)|clip(?:-path)?\s*+:\s*+(?!auto|none)"
    rb"|(?:text-indent|margin(?:-[-\w]{1,20})?|left|top|right|bottom|inset(?:-[-\w]{1,20})?"
    rb"|(?:letter|word)-spacing)\s*+:[^;{}]{0,50}(?:-\d{3}|-\d\d(?:\.\d{0,9})?(?:r?em|ch|v[wh]|%)|\d{3}%)"
    rb"|mso-hide\s*+:\s*+(?!none))",
    re.IGNORECASE,
)
"""What says that words are not shown, in a mark or a sheet of styles. In which colours they stand is not looked at."""
_ATTRIBUTE = re.compile(
    rb"""([^ \t\n\f\r/>="'][^ \t\n\f\r/>=]*+)"""
    rb"""(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:"([^"]*+)|'([^']*+)|([^ \t\n\f\r>]*+)))?+"""
)
_EMPTY = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())
"""Marks that hold no words: what hides one hides nothing else."""
_COMMENT = re.compile(
    rb"""(?P<kept>\\.)|"(?:[^"\\\n]++|\\.)*+"?+|'(?:[^'\\\n]++|\\.)*+'?+|url\([ \t\n\f\r]*+(?!["'])[^)]*+\)?+"""
    rb"|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+",
    re.IGNORECASE | re.DOTALL,
)
"""What is no style, an escape apart: comments, strings and addresses, in which what looks like one is none."""
_ESCAPE = re.compile(rb"\\([0-9a-f]{1,6}+[ \t\n\f\r]?+|.)", re.IGNORECASE | re.DOTALL)
_BRACES = re.compile(rb"([^{}]*+)([{}]|\Z)")
_PLAIN = re.compile(rb"[-\w\s.#,>+~:*\\@!]*+")
"""Selectors of which it is seen what they name."""
_WORD = re.compile(rb"[-\w]++")
_MOST_HIDDEN = 100
"""Rules of a page that hide something; of more nobody looks what they name."""
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
    kept, depth, hidden = list[bytes](), 0, _Hidden()
    page = page.partition(b"\x1b")[0]  # in ISO 2022 letters behind it may look like marks
    for sheet in filter(None, (piece["sheet"] for piece in _PIECE.finditer(page))):  # it may stand behind what it hides
        _hide(sheet, hidden)
    for piece in _PIECE.finditer(page):
        name = (piece["mark"] or b"").lower()
        if name in _ODD or (not depth and name and name not in _EMPTY and _hides(piece, name, hidden)):
            break
        depth = max(0, depth + _DEEPER.get(name, 0))
        if not depth:
            kept.append(b"<%b>" % name[:17].replace(b"<", b"") if name else piece["text"] or b"")
    return b"".join(kept)


class _Hidden:
    """What the sheets of a page hide: sets of a mark, classes and ids that hide together; an empty one hides all.

    ``by_word``: each lies with one of its words, for a page has a hundred thousand marks.
    """

    def __init__(self) -> None:
        self.number, self.by_word = 0, dict[bytes, set[frozenset[bytes]]]()

    def add(self, names: Collection[bytes]) -> None:
        """Put one down."""
        self.number += 1
        self.by_word.setdefault(min(names, default=b""), set()).add(frozenset(names))

    def holds(self, called: Collection[bytes]) -> bool:
        """Whether a mark with these names is hidden."""
        there = (names for word in (b"", *called) for names in self.by_word.get(word, ()))
        return any(names.issubset(called) for names in there)


def _hide(sheet: bytes, hidden: _Hidden) -> None:
    """Add what a sheet of styles hides to what others of its page do."""
    sheet = _plain_style(sheet)
    if b"@import" in sheet.lower():
        hidden.add(())
    around, told = list[bytes](), set[bytes]()  # of rules that lie in others; of those that hide, each once
    for piece in _BRACES.finditer(sheet):
        said, _end, selectors = piece[1].rpartition(b";") if piece[2] == b"{" else (piece[1], b"", b"")
        if _HIDES.search(said) and (named := around[-1] if around else b"") not in told:
            told.add(named)
            _hides_what(named, hidden)
        if piece[2] == b"{":
            named = selectors.replace(b"<!--", b"").strip().lower()
            outer = around[-1] if around else b""
            around.append(outer if named.startswith(b"@") else named)
        elif around:
            around.pop()


def _hides_what(selectors: bytes, hidden: _Hidden) -> None:
    """Add what some selectors name to what is hidden; everything where that is not seen."""
    for selector in selectors.split(b","):
        if hidden.number > _MOST_HIDDEN:  # all is hidden
            return
        last = (selector.replace(b">", b" ").replace(b"+", b" ").replace(b"~", b" ").split() or [b""])[-1]
        seen = _PLAIN.fullmatch(selector) and hidden.number < _MOST_HIDDEN
        hidden.add(_WORD.findall(last.partition(b":")[0]) if seen else ())


def _plain_style(style: bytes) -> bytes:
    """Styles without comments and escapes."""
    return _ESCAPE.sub(_escaped, _COMMENT.sub(lambda found: found["kept"] or b"", style))


def _escaped(found: re.Match[bytes]) -> bytes:
    digits = found[1].strip()
    try:
        return bytes((int(digits, 16),)) if len(digits) > 1 or digits in b"0123456789abcdefABCDEF" else digits
    except ValueError:  # no letter of ASCII, or no number
        return digits


def _hides(piece: re.Match[bytes], name: bytes, hidden: _Hidden) -> bool:
    """Whether a mark says that what is in it is not shown. Where that ends is not looked for: nothing more counts."""
    if name.startswith(b"/"):
        return False
    called = {name}
    for said in _ATTRIBUTE.finditer(piece[0], len(name) + 1):
        key, value = said[1].lower(), mailhtml.plain(said[2] or said[3] or said[4] or b"").lower()
        if key in (b"hidden", b"popover") or (key == b"style" and _HIDES.search(_plain_style(value))):
            return True
        if key in (b"class", b"id"):
            called |= set(_WORD.findall(value))
    return hidden.holds(called)
