"""A report as a page: headings, lines, cards of battles, tables; all words in order.

The layout of a report gives the structure. A line two columns deeper belongs to the line above. A line four columns
deeper (in a list with dashes: two) continues the line above. Columns separated by two blanks are a table. Empty lines
separate parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

CARD = 2
"""Minimum depth of a line with a card: a battle, with strengths below a sum."""
_GOES_ON = 4  # columns of indentation of a continued line
_ITEM = "- "  # a list entry continues below its first word
_CELLS = re.compile(r" {2,}")
_RUN = re.compile(r"(?P<hash>\b[0-9a-f]{16,}\b)|(?P<rule>\[[0-9A-Z][^\[\]\s]*\])|(?P<die>(?<=[,:d] )[1-6](?=,| |$))")
_CHECKED = re.compile("Game [0-9a-f]{16}|Type [a-z]+, from |Opened: |Head of the chain: |Follows message |How to ")
_DICE = re.compile(r"(?:Die|Dice)\b.*: [1-6](?:(?:,| and) [1-6])*")


@dataclass
class Line:
    """One unwrapped line with the lines below. ``rows``: the cells of a table."""

    words: str
    column: int
    lines: list[Line] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """The number of levels below the line."""
        return max((1 + line.depth for line in self.lines), default=0)

    @property
    def card(self) -> bool:
        """Whether the line is shown as a card."""
        return self.depth >= CARD

    @property
    def proof(self) -> bool:
        """Whether the line or a line below is only for checking hashes."""
        return any("hash" in kinds(line.words) or line.proof for line in self.lines)

    @property
    def runs(self) -> list[tuple[str, str]]:
        """The words in pieces, each with a kind: 'hash', 'rule', 'die' or ''."""
        return list(_runs(self.words))


def parts(text: str) -> list[list[Line]]:
    """Return the parts of a report as lines."""
    blocks = re.split(r"\n[ ]*\n", text.strip("\n"))
    return [_forest([line for line in block.split("\n") if line.strip()]) for block in blocks if block.strip()]


def arranged(text: str, skipped: int = 0) -> tuple[list[list[Line]], list[Line]]:
    """Return a report without the first parts: the lines about the game, then the lines for checks only.

    The second list has title, number and type of the message, openings and hashes. The writer's note keeps the place.
    """
    told: list[list[Line]] = []
    checked: list[Line] = []
    for part in parts(text)[skipped:]:
        heads = any(line.words.startswith("Game ") for line in part)
        kept: list[Line] = []
        for number, line in enumerate(part):
            technical = _CHECKED.match(line.words) or line.proof or (heads and number == 0)
            (checked if technical else kept).append(line)
        told += [kept] if kept else []
    return told, checked


def kinds(words: str) -> set[str]:
    """Return the kinds of words in a line besides plain words."""
    return {kind for _piece, kind in _runs(words)}


def _runs(words: str) -> Iterator[tuple[str, str]]:
    at = 0
    dice = _DICE.fullmatch(words) is not None
    for match in _RUN.finditer(words):
        kind = match.lastgroup or ""
        if kind == "die" and not dice:
            continue
        if match.start() > at:
            yield words[at : match.start()], ""
        yield match.group(), kind
        at = match.end()
    if at < len(words):
        yield words[at:], ""


def _forest(block: Sequence[str]) -> list[Line]:
    """Return the lines of a part as a tree, by columns."""
    root = Line("", -2)
    above = [root]
    for raw in block:
        column, words = len(raw) - len(raw.lstrip(" ")), raw.strip(" ")
        cells = _CELLS.split(words)
        if len(cells) > 1:
            while above[-1] is not root and above[-1].column >= min(column, 2):
                above.pop()
            _row(above[-1], cells)
            continue
        last = above[-1]
        deeper = len(_ITEM) if last.words.startswith(_ITEM) else _GOES_ON
        if last is not root and column == last.column + deeper and not last.lines and not last.rows:
            last.words += f" {words}"
            continue
        while above[-1] is not root and above[-1].column >= column:
            above.pop()
        above[-1].lines.append(Line(words, column))
        above.append(above[-1].lines[-1])
    return root.lines


def _row(parent: Line, cells: list[str]) -> None:
    """Add a row to the last table below a line."""
    if not parent.lines or not parent.lines[-1].rows:
        parent.lines.append(Line("", parent.column + 2))
    parent.lines[-1].rows.append(cells)
