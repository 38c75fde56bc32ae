"""Where turns begin and end in a mail: in its own lines, and in what its encoded parts say. In linear time.

Everything is done by searches over the whole text, which cost no more for a million short lines than for one long one;
what has to be done once for each thing found is limited in number.
"""

from __future__ import annotations

import binascii
import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import mailbroken, mailhtml, sshsig
from kursk_pbem.trust.mailbytes import NOT_BASE64, Lines, base64, first_of, last_line_end, plain_blanks

MAX_MAIL = 32 * 1024 * 1024
MAX_MARKS = 20_000
"""First and last lines of turns, and mentions of them, that are looked at."""
MAX_PARTS = 5_000
"""Headers of encoded parts that are looked at."""
MAX_UNPACKED = 3 * MAX_MAIL // 2
"""Bytes that encoded parts may say, together."""
MAX_HTML, MAX_PAGES = 100_000, MAX_MAIL // 2
"""Marks and entities, and bytes, of pages of HTML that are read as they are shown; a turn has fewer."""
MAX_DEPTH = 8
"""Mails packed into mails."""
MAX_REGION = 2 * MAX_BYTES
"""Bytes from the first line of a turn to its last: marks of quotation may be as long as the text."""
TOO_LONG = (
    f"the turn that begins here is longer than the {MAX_BYTES} bytes that a turn may have; ask its writer for "
    "one that says less"
)

TURN = b"kursk-pbem:"
"""How a turn begins."""
_END = sshsig.END.encode("ascii")
BLANK = rb"(?:[ \t]|\xc2?\xa0|\x9a)"
_MARKS = re.compile(rb"(?:[ \t>|]|\xc2?\xa0|\x9a|\xef\xbb\xbf)*")
VERSION = rb"%b{0,9}['\"]?[0-9]{1,9}['\"]?%b{0,99}(?:#[^\n]*)?(?:\n|\Z)" % (BLANK, BLANK)
_LAST_LINE = re.compile(rb"%b%b{0,99}(?:\n|\Z)" % (_END, BLANK))
MAX_PREFIX = 200
_UTF16 = ("utf-16-le", "utf-16-be")
_ENCODING = b"content-transfer-encoding"
_HOW = re.compile(rb"content-transfer-encoding[ \t]{0,9}:[ \t\n]{0,9}\"?(base64|quoted-printable)")
_ALTERNATIVES = 4


@dataclass(frozen=True)
class Region:
    """A stretch of text that may be a turn: from its first line to the END of its signature, if there is one.

    ``line`` is that of the file a person sees, or that of the part it is ``packed`` in; ``exact``: the lines after it
    can be counted on from there. ``prefix``: the marks of quotation or blanks before the first line. ``shown``: it
    stands in a page of HTML, as that is shown.
    """

    data: bytes
    start: int
    end: int
    prefix: bytes
    line: int
    exact: bool
    packed: bool
    complete: bool
    shown: bool = False

    @property
    def place(self) -> str:
        """Where it is, for a person."""
        return f"the part at line {self.line}" if self.packed else f"line {self.line}"

    @property
    def size(self) -> int:
        """Bytes from the first line to the last."""
        return self.end - self.start

    def text(self) -> bytes:
        """From the beginning of the first line to the end of the last."""
        return plain_blanks(self.data[self.start : self.end])

    def after(self) -> bytes:
        """What follows the last line, as much as could belong to a turn, with odd blanks (:func:`plain_blanks`)."""
        return self.data[self.end : self.end + MAX_REGION]


@dataclass(frozen=True)
class _Text:
    """Something to look through: the file itself, or what it says when a part or quoted-printable is read.

    ``line`` is that of the part in the file; ``lines``, of quoted-printable, those of the beginnings of turns.
    ``page``: it was HTML, and is read as it is shown.
    """

    data: bytes
    depth: int = 0
    line: int = 1
    packed: bool = False
    lines: tuple[int, ...] | None = None
    page: bool = False

    def in_words(self) -> _Text:
        """The same page of HTML as it is shown; its lines cannot be counted."""
        return replace(self, data=mailhtml.plain(self.data), depth=MAX_DEPTH, packed=True, lines=None, page=True)


def regions(raw: bytes, name: str, start: bytes = TURN, left: list[FileError] | None = None) -> list[Region]:
    """Every stretch that may be a turn, in order of the file; ``name`` is the file. FileError if there is too much.

    ``start``: how what is looked for begins, if it is no turn. Stretches may overlap, where a turn seems to begin twice
    before one signature ends; the nearest comes first. ``left``: is given why pages of HTML are not read beside turns
    that stand elsewhere.
    """
    if len(raw) > MAX_MAIL:
        why = f"more than {MAX_MAIL // 1024 // 1024} MiB; save the one mail with the turn by itself"
        raise FileError(why, Where(name))
    search = _Search(name, start)
    there, shown = _through(search, [_Text(raw)]), list[tuple[int, int, Region]]()
    whole = any(region.complete for _order, _depth, region in there)
    try:
        shown = _through(search, search.shown())
    except FileError as error:
        if not whole:
            raise
        if left is not None:
            left.append(error)
    if not whole:  # otherwise what stands in the file itself comes first
        there, shown = there + shown, []
    return [region for part in (there, shown) for _order, _depth, region in sorted(part, key=lambda one: one[:2])]


def said(raw: bytes, name: str) -> tuple[list[bytes], list[bytes]]:
    """What a mail says: the whole as quoted-printable says it, if any of it is written so, and each part in base64.

    Parts of what is packed in such a part are among those, too. FileError if there is too much.
    """
    search = _Search(name, TURN)
    search.kept = [], []
    _through(search, [_Text(raw)])
    return search.kept


def _through(search: _Search, waiting: list[_Text]) -> list[tuple[int, int, Region]]:
    """What there is in some texts and in all that is packed in them: with the line to sort by, and how deep it lies."""
    stretches: list[tuple[int, int, Region]] = []
    while waiting:
        text = waiting.pop()
        more, texts = search.through(text)
        stretches += [(order, text.depth, region) for order, region in more]
        waiting += texts
    return stretches


class _Search:
    """One search, and how much it has found and unpacked; ``pages``: texts of HTML in which a turn may begin.

    ``wide``: how what is looked for begins in UTF-16, both ways. ``kept``: what :func:`said` is asked for; otherwise
    nothing of it is held.
    """

    def __init__(self, name: str, start: bytes) -> None:
        self.name = name
        self.start = start
        self.first_line = re.compile(re.escape(start) + VERSION)
        self.wide = [(encoding, start.decode("ascii").encode(encoding)) for encoding in _UTF16]
        self.marks = 0
        self.parts = 0
        self.unpacked = 0
        self.known: set[int] = set()
        self.pages: list[_Text] = []
        self.looks = mailbroken.Looks(MAX_HTML)
        self.kept: tuple[list[bytes], list[bytes]] | None = None

    def through(self, text: _Text) -> tuple[list[tuple[int, Region]], list[_Text]]:
        """The stretches of one text, each with the line it is sorted by, and the texts that are packed in this one."""
        wide, data, also = self._wide(text.data), text.data, list[_Text]()
        if self.start in data:  # five letters in UTF-16 may look so: it is read both ways
            also = [_Text(self._unpack(more), MAX_DEPTH, text.line, packed=True) for more in wide]
        data = (data if self.start in data else next(wide, data)).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not text.page and (mailhtml.is_page(data) if self.start in data else self._shows(text)):
            self.pages.append(replace(text, data=data))
        starts = list(self._marked(data, self.start, self.first_line))
        ends = list(self._marked(data, _END, _LAST_LINE))
        own = text.depth == 0
        count = Lines(data)
        lines = text.lines
        if lines is None or len(lines) != len(starts):
            lines = tuple(count.at(head) if own else text.line for head, _mark, _end in starts)
        packed = text.packed or (not own and lines is not text.lines)
        stretches = []
        for k, end, complete, order in _stretches(starts, ends, len(data)):
            head, mark, _end = starts[k]
            prefix = plain_blanks(data[head:mark])
            stretches.append(
                (lines[order], Region(data, head, end, prefix, lines[k], own, packed, complete, text.page))
            )
        return stretches, [*also, *(self._parts(data, text, lines) if text.depth < MAX_DEPTH else ())]

    def _marked(self, data: bytes, mark: bytes, whole: re.Pattern[bytes]) -> Iterator[tuple[int, int, int]]:
        """Lines with ``mark`` after nothing but marks of quotation: where the line begins, where ``mark``, its end."""
        self.marks += data.count(mark)
        self._limit(self.marks, MAX_MARKS, "turns")
        at = data.find(mark)
        while at >= 0:
            head = data.rfind(b"\n", max(at - MAX_PREFIX, 0), at) + 1
            if (head or at <= MAX_PREFIX) and _MARKS.fullmatch(data, head, at):
                match = whole.match(data, at)
                if match:
                    yield head, at, match.end() - match[0].endswith(b"\n")
            at = data.find(mark, at + len(mark))

    def _parts(self, data: bytes, text: _Text, starts: tuple[int, ...]) -> list[_Text]:
        """What the parts of a mail say that are written in base64; and the whole, if any is in quoted-printable."""
        lower = data.lower()
        self.parts += lower.count(_ENCODING)
        self._limit(self.parts, MAX_PARTS, "encoded parts")
        result = []
        quoted, padded = 0, list[int]()
        count = Lines(data)
        at = lower.find(_ENCODING)
        while at >= 0:
            next_from = at + len(_ENCODING)
            how = _HOW.match(lower, at)
            line = count.at(at) if text.depth == 0 else text.line
            if how and how[1] == b"quoted-printable":
                quoted = quoted or line
            elif how:
                begin = data.find(b"\n\n", at)
                if begin < 0:
                    break
                begin = last_line_end(data, begin)
                end = first_of(data, begin, b"\n\n", b"\n--")
                padded += [end - 1] if data[end - 2 : end].endswith(b"=") and data[end - 2 : end] != b"==" else []
                plain = self._unpack(self._once(data[begin:end]))
                if self.kept is not None:
                    self.kept[1].append(plain)
                if self._promising(plain):
                    result.append(_Text(plain, text.depth + 1, line, packed=True))
                elif self._shows(page := _Text(plain, text.depth + 1, line, packed=True)):
                    self.pages.append(page)
                next_from = end
            at = lower.find(_ENCODING, next_from)
        if quoted and text.lines is None:
            whole = self._unpack(binascii.a2b_qp(_written_out(data, padded)))
            if self.kept is not None:  # what a part in base64 says in it stands for that part, not for the mail
                self.kept[1 if text.depth else 0].append(whole)
            result.append(_Text(whole, text.depth + 1, quoted, text.packed, starts))
        return result

    def _shows(self, text: _Text) -> bool:
        """Whether a turn may begin in a page, whose source does not say so, as it is shown.

        What is written in quoted-printable comes again as that says it; :func:`said` asks for no pages.
        """
        if self.kept is not None or (text.lines is None and b"quoted-printable" in text.data):
            return False
        return self.start in self.looks.shown(text.data)

    def shown(self) -> list[_Text]:
        """The pages of HTML as they are shown. FileError for too much in them."""
        self._limit(sum(mailhtml.marks(page.data) for page in self.pages), MAX_HTML, "marks of HTML")
        self._limit(sum(len(page.data) for page in self.pages), MAX_PAGES, "pages of HTML")
        return [page.in_words() for page in self.pages]

    def _wide(self, data: bytes) -> Iterator[bytes]:
        """What a text says in UTF-16, as far as a turn may begin in it."""
        for encoding, mark in self.wide:
            if (at := data.find(mark)) >= 0:
                pairs = data[at % 2 :]
                try:
                    yield pairs.decode(encoding).encode("utf-8")
                except UnicodeDecodeError as error:  # what follows is no UTF-16, or a byte is missing at the end
                    yield pairs[: error.start].decode(encoding).encode("utf-8")

    def _promising(self, data: bytes) -> bool:
        """Whether a turn may be in it, or a part with one."""
        return self.start in data or any(mark in data for _how, mark in self.wide) or _ENCODING in data.lower()

    def _limit(self, number: int, most: int, what: str) -> None:
        if number > most:
            why = f"too much in it looks like {what}; save the one mail with the turn by itself"
            raise FileError(why, Where(self.name))

    def _once(self, coded: bytes) -> bytes:
        """What base64 says; nothing where the same has been unpacked before, as when the whole is read again."""
        digits = coded.translate(None, NOT_BASE64)
        if hash(digits) in self.known:
            return b""
        self.known.add(hash(digits))
        return base64(digits)

    def _unpack(self, data: bytes) -> bytes:
        self.unpacked += len(data)
        if self.unpacked > MAX_UNPACKED:
            why = "more is packed in this file than is looked through; save the one mail with the turn by itself"
            raise FileError(why, Where(self.name))
        return data


def _written_out(data: bytes, padded: Sequence[int]) -> bytes:
    """A text with the last sign of these stretches of base64 as quoted-printable writes it.

    As it stands it would end a line that goes on, and with it the stretch: the next part would be read as base64.
    """
    places = [0, *(at + 1 for at in padded), len(data)]
    pieces = [data[begin:end] for begin, end in itertools.pairwise(places)]
    return b"3D".join(pieces)


def _stretches(
    starts: list[tuple[int, int, int]], ends: list[tuple[int, int, int]], size: int
) -> Iterator[tuple[int, int, bool, int]]:
    """From each first line to the next END: (number of the first line, end, whole, number of the line to sort by).

    Where several first lines come before one END the nearest stands first, and all but the last few are not whole.
    """
    heads = [head for head, _mark, _end in ends]
    upto = [bisect_left(heads, mark) for _head, mark, _end in starts]
    for k in reversed(range(len(starts))):
        nearest = bisect_right(upto, upto[k]) - 1
        head = starts[k][0]
        if upto[k] < len(ends) and ends[upto[k]][2] - head <= MAX_REGION and k > nearest - _ALTERNATIVES:
            yield k, ends[upto[k]][2], True, nearest
        else:
            following = starts[k + 1][0] if k + 1 < len(starts) else size
            yield k, min(following, head + MAX_REGION), False, k
