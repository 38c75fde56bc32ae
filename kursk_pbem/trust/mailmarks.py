"""Signatures in a mail that no line begins with: what it holds of a turn is joined, or has something before each line.

A person writes none by hand. What is here counts as no turn: its sender is asked for it. In linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kursk_pbem.trust import mailhtml, sshsig, strays
from kursk_pbem.trust.mailbytes import NOT_ALNUM
from kursk_pbem.trust.mailcopies import MAGIC
from kursk_pbem.trust.mailtext import MAX_HTML

_FIRST = sshsig.BEGIN.encode("ascii")
_BEGIN = _FIRST.translate(None, NOT_ALNUM)
_END = sshsig.END.encode("ascii").translate(None, NOT_ALNUM)
_LEAD = re.compile(rb"(?:[ \t]|\xc2?\xa0|\x9a|\xef\xbb\xbf)*+([>|]?+)")
"""What may stand before a line in which a turn is looked for; a mark of quotation behind it."""
_SAYS = re.compile(rb"[^-]*+")
_NEAR, _MOST = 70, 600
"""Letters between the first line of a signature and what it says, and of that; what stands before lines counts."""


def hidden(texts: Iterable[bytes]) -> bool:
    """Whether the texts of a mail hold a signature that stands in none of them where a turn is looked for.

    One that is quoted, or read, may stand in a page or a table as well: then nothing is missed.
    """
    there, seen, left, many = set[bytes](), set[bytes](), MAX_HTML, 0
    for text in texts:
        said = text.translate(None, NOT_ALNUM)
        if _BEGIN not in said:
            continue
        many += said.count(_BEGIN)
        if many > strays.MANY:
            return True
        if mailhtml.is_page(text):  # the lines of its source are not those that it shows
            left -= mailhtml.marks(text)
            text = mailhtml.plain(text) if left >= 0 else b""  # noqa: PLW2901
            said = text.translate(None, NOT_ALNUM)
        there.update(_said(said))
        lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        seen.update(*(_said(_BEGIN + one.translate(None, NOT_ALNUM)) for one in _at_lines(lines)))
    return not there <= seen


def _at_lines(lines: bytes) -> Iterator[bytes]:
    """What signatures say that begin where a turn is looked for, or anywhere in a line that is quoted.

    Only lines with one are looked at: a mail may be made of empty lines.
    """
    at, before = lines.find(_FIRST), 0
    lead = _LEAD.match(lines)
    while at >= 0:
        end = lines.rfind(b"\n", before, at)
        if end >= 0:
            lead = _LEAD.match(lines, end + 1)
        said = _SAYS.match(lines, at + len(_FIRST))
        if lead is not None and said is not None and (lead[1] or lead.end() == at):
            yield said[0]
        before, at = at, lines.find(_FIRST, at + 1)


def _said(letters: bytes) -> Iterator[bytes]:
    """What signatures say, of which nothing but letters and digits is left."""
    for one in letters.split(_BEGIN)[1:]:
        at = one.find(MAGIC, 0, _NEAR)
        if at >= 0:
            yield one[at : at + _MOST].partition(_END)[0]
