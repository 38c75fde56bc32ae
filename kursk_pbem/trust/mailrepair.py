"""What mails do to a turn, undone: marks of quotation, space-stuffing, blanks at line ends, the lines below it.

Each repair may be wrong; a copy is taken only where its signature then fits it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

from kursk_pbem.formats import strictyaml
from kursk_pbem.trust.allowance import Allowance
from kursk_pbem.trust.mailbytes import plain_blanks
from kursk_pbem.trust.mailtext import Region

_STATE = re.compile(rb"state:[ \t]*(?:#.*)?\Z")
_ESCAPED_FROM = re.compile(rb"^>(?=>*From )", re.MULTILINE)
_BLANK_LINE = re.compile(rb"^[ \t\r\x0b\x0c]+$", re.MULTILINE)
_STUFFED = re.compile(rb"^ ", re.MULTILINE)
_MAX_EMPTY = 1000

_Repair = Callable[[bytes], bytes]


def _as_it_stands(text: bytes) -> bytes:
    return text + b"\n"


def _unstuffed(text: bytes) -> bytes:
    return _STUFFED.sub(b"", text) + b"\n"


def _closed_up(text: bytes) -> bytes:
    return b"".join(line.rstrip() + b"\n" for line in text.split(b"\n") if line)


def _unstuffed_and_closed_up(text: bytes) -> bytes:
    return _closed_up(_STUFFED.sub(b"", text))


REPAIRS: tuple[tuple[_Repair, bool], ...] = (
    (_as_it_stands, True),
    (_unstuffed, True),
    (_closed_up, False),
    (_unstuffed_and_closed_up, False),
)
"""What a copy may have been before the mail, and whether its lines are still those of the region: as it stands, without
space-stuffing, without blanks at line ends and empty lines."""


def unquoted(region: Region, text: bytes) -> bytes:
    """The text without the marks of quotation, or the blanks, that stand before its first line; no ``>`` before From.

    Lines that have none stay as they are; those with nothing but blanks are emptied.
    """
    return _unquoter(region.prefix)(text)


def _unquoter(prefix: bytes) -> _Repair:
    """What takes marks away: found once for a region, for it may have 40,000 lines below it (T27)."""
    prefix = prefix.replace(b"|", b">")
    tail = re.escape(prefix[prefix.rfind(b">") + 1 :])
    marks = re.compile(rb"(?m)^(?:(?:[ \t]{0,4}[>|]){%d})?(?:%b)?" % (prefix.count(b">"), tail)) if prefix else None

    def unquote(text: bytes) -> bytes:
        text = marks.sub(b"", text) if marks is not None else text
        return _ESCAPED_FROM.sub(b"", _BLANK_LINE.sub(b"", text))

    return unquote


def position(region: Region, allowance: Allowance) -> bytes:
    """The lines below the signature that belong to the turn: ``state:`` and what is indented under it; '' if none do.

    What has more lines than a position can have is none.
    """
    lines: list[bytes] = []
    empty: list[bytes] = []
    following, unquote = BytesIO(region.after()), _unquoter(region.prefix)
    following.readline()  # the rest of the last line
    for raw_line in following:
        allowance.take_good(40 + len(raw_line) // 4)
        line = unquote(plain_blanks(raw_line.removesuffix(b"\n")))
        if not line:
            empty.append(line)
            if len(empty) > _MAX_EMPTY:
                break
            continue
        if not (line.startswith((b" ", b"\t")) if lines else _STATE.match(line)):
            break
        lines += [*empty, line]
        empty.clear()
        if len(lines) > 2 * strictyaml.MAX_NODES:
            return b""
    return b"\n".join(lines)
