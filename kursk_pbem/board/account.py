"""A report as a page shows it: headings, lines, cards of battles, tables; every word in its order.

The layout of a report says its structure: what stands two columns deeper belongs to the line above, what stands four
columns deeper goes on with it (in a list with dashes: two), columns apart by two blanks are a table, and between parts
is an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

CARD = 2
"""How deep a line must reach for a card of its own: a battle, with its strengths below their sum."""
_GOES_ON = 4  # columns deeper than its beginning
_ITEM = "- "  # an entry of a list goes on below its first word
_CELLS = re.compile(r" {2,}")
_RUN = re.compile(r"(?P<hash>\b[0-9a-f]{16,}\b)|(?P<rule>\[[0-9A-Z][^\[\]\s]*\])|(?P<die>(?<=[,:d] )[1-6](?=,| |$))")
_CHECKED = re.compile("Game [0-9a-f]{16}|Type [a-z]+, from |Opened: |Head of the chain: |Follows message |How to ")
_DICE = re.compile(r"(?:Die|Dice)\b.*: [1-6](?:(?:,| and) [1-6])*")


@dataclass
class Line:
    """One line, unwrapped, and what belongs to it. ``rows`` are the cells of a table that stands in its place."""

    words: str
    column: int
    lines: list[Line] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """How many levels stand below it."""
        return max((1 + line.depth for line in self.lines), default=0)

    @property
    def card(self) -> bool:
        """Whether it is shown as a card."""
        return self.depth >= CARD

    @property
    def proof(self) -> bool:
        """Whether it, or what belongs to it, is there for whoever checks hashes."""
        return any("hash" in kinds(line.words) or line.proof for line in self.lines)

    @property
    def runs(self) -> list[tuple[str, str]]:
        """Its words piece by piece, each with what it is: 'hash', 'rule', 'die' or ''."""
        return list(_runs(self.words))


def parts(text: str) -> list[list[Line]]:
    """The parts of a report, each as its lines."""
    blocks = re.split(r"\n[ ]*\n", text.strip("\n"))
    return [_forest([line for line in block.split("\n") if line.strip()]) for block in blocks if block.strip()]


def arranged(text: str, skipped: int = 0) -> tuple[list[list[Line]], list[Line]]:
    """A report without its first parts, as a page shows it: what tells of the game, then what only identifies it.

    The second are the lines that nobody needs who does not check anything: title, number and type of the message,
    openings, hashes. A note of the writer stays where it is.
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
    """What a line has beside plain words."""
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
    """The lines of a part by their columns."""
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
    """A row more of the table that stands last below a line."""
    if not parent.lines or not parent.lines[-1].rows:
        parent.lines.append(Line("", parent.column + 2))
    parent.lines[-1].rows.append(cells)
