"""Reports as parts of a page: headings, lines, cards of battles and tables. All words keep their order.

A line two columns deeper belongs to the line above. A line four columns deeper (in a list: two) continues that line.
Two blanks separate the cells of a table. An empty line separates parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from kursk_pbem.desk.ground import machine

CARD = 2
"""A line with this many levels below is a card, such as a battle with sums and the strengths in each sum."""
_GOES_ON = 4  # indent of the second half of a wrapped line
_ITEM = "- "  # a wrapped list entry continues below its first word
_CELLS = re.compile(r" {2,}")
_RUN = re.compile(r"(?P<hash>\b[0-9a-f]{16,}\b)|(?P<rule>\[[0-9A-Z][^\[\]\s]*\])|(?P<die>(?<=[,:d] )[1-6](?=,| |$))")
_CHECKED = re.compile("Game [0-9a-f]{16}|Type [a-z]+, from |Opened: |Head of the chain: |Follows message |How to ")
_SUBJECT = re.compile(
    r"(?P<who>.+? \([a-z]-[\w-]+\))(?: in \w+(?: [A-Z][^ ]*)*)? (?=[a-z])"
)  # '3rd Army (r-3) in 2309 '
MANY = 4
"""This many equal lines in a row become one line with a list."""
_DICE = re.compile(r"(?:Die|Dice)\b.*: [1-6](?:(?:,| and) [1-6])*")


@dataclass
class Line:
    """A line of a report with the ``lines`` below; or a table, with the cells of its ``rows``.

    ``equal``: the lines below report the same event for several units.
    """

    words: str
    column: int
    lines: list[Line] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    equal: bool = False

    @property
    def depth(self) -> int:
        """The number of levels of lines below this line."""
        return max((1 + line.depth for line in self.lines), default=0)

    @property
    def card(self) -> bool:
        """Whether the page shows the line as a card, in a box."""
        return self.depth >= CARD

    @property
    def proof(self) -> bool:
        """Whether a line below this line contains a hash."""
        return any(line.proof or any(kind == "hash" for _piece, kind in line.runs) for line in self.lines)

    @property
    def runs(self) -> list[tuple[str, str]]:
        """The pieces of the line's text with a kind: 'hash', 'rule', 'die', or '' for other text."""
        return list(_split_runs(self.words))


def split_parts(text: str) -> list[list[Line]]:
    """Split a report into its parts; return the lines of each part."""
    blocks = re.split(r"\n[ ]*\n", text.strip("\n"))
    return [_build_tree([line for line in block.split("\n") if line.strip()]) for block in blocks if block.strip()]


def arrange_report(text: str, skipped: int = 0) -> tuple[list[list[Line]], list[Line]]:
    """Return the parts of a report about the game, and separately the lines that only help to check hashes.

    These lines: title, number and type of the message, openings, hashes. ``skipped``: number of first parts to omit.
    """
    told: list[list[Line]] = []
    checked: list[Line] = []
    for part in split_parts(text)[skipped:]:
        heads = any(line.words.startswith("Game ") for line in part)
        kept: list[Line] = []
        for number, line in enumerate(part):
            if machine.leave_out_commands(line.words) != line.words:
                continue  # how to check the dice in a terminal
            technical = _CHECKED.match(line.words) or line.proof or (heads and number == 0)
            (checked if technical else kept).append(line)
        told += [kept] if kept else []
    return told, checked


def group_equal(lines: Sequence[Line]) -> list[Line]:
    """Return the lines. MANY or more lines that differ only in unit and place become one line.

    The new line gives the event and the number of units. The field ``lines`` has the replaced lines.
    """
    grouped: list[Line] = []
    for told, run in groupby(lines, _leave_out_subject):
        equal = [*run]
        if told and len(equal) >= MANY:
            grouped.append(
                Line(f"{told[:1].upper()}{told[1:]}: {len(equal)} units", equal[0].column, equal, equal=True)
            )
        else:
            grouped += equal
    return grouped


def _leave_out_subject(line: Line) -> str:
    """Return a line without its unit and place, '' for a line without a unit or with deeper lines."""
    found = _SUBJECT.match(line.words)
    return line.words[found.end() :] if found and not (line.lines or line.rows) else ""


def _split_runs(words: str) -> Iterator[tuple[str, str]]:
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


def _build_tree(block: Sequence[str]) -> list[Line]:
    """Return the lines of a part, nested by their indents."""
    root = Line("", -2)
    above = [root]
    for raw in block:
        column, words = len(raw) - len(raw.lstrip(" ")), raw.strip(" ")
        cells = _CELLS.split(words)
        if len(cells) > 1:
            while above[-1] is not root and above[-1].column >= min(column, 2):
                above.pop()
            _add_row(above[-1], cells)
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


def _add_row(parent: Line, cells: list[str]) -> None:
    """Append a row to the last table below a line, or to a new table."""
    if not parent.lines or not parent.lines[-1].rows:
        parent.lines.append(Line("", parent.column + 2))
    parent.lines[-1].rows.append(cells)
