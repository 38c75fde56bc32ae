"""Characters on a page, each with the name of a style; lines come out plain, or in colour for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

RIVER, RAILWAY, NAME, ZONE, SIDE = "river", "railway", "name", "zone", "side-"
_COLOURS = {RIVER: "34", RAILWAY: "33", NAME: "1", ZONE: "2;35", f"{SIDE}0": "1;36", f"{SIDE}1": "1;31"}
"""Style -> what a terminal is told: two sides that differ for most eyes, and by their letters for all."""


class Ink(NamedTuple):
    """Text in one style; '' is the usual one."""

    text: str
    style: str = ""


def plain(text: str) -> str:
    """A text from a scenario in characters that take one column each and tell a terminal nothing."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)


def clipped(inks: Sequence[Ink], width: int, fill: Ink | None = None) -> list[Ink]:
    """As much of a line as fits, filled up to ``width`` with a sign behind a blank."""
    fitting, left = [], width
    for ink in inks:
        fitting.append(Ink(ink.text[:left], ink.style))
        left -= len(fitting[-1].text)
    if fill is not None and left:
        gap = " " if left < width else ""
        fitting.append(Ink(gap + fill.text * (left - len(gap)), fill.style))
    return fitting


class Canvas:
    """Rows of characters, blank at first."""

    def __init__(self, width: int, height: int) -> None:
        self._cells = [[Ink(" ")] * width for _ in range(height)]

    def put(self, x: int, y: int, inks: Sequence[Ink]) -> None:
        """Write a line of ink; control characters become question marks."""
        for text, style in inks:
            cells = [Ink(character, style) for character in plain(text)]
            self._cells[y][x : x + len(cells)] = cells
            x += len(cells)

    def lines(self, *, colour: bool = False) -> list[str]:
        """All rows, without blanks at their ends and without empty rows at the end."""
        texts = [_line(row, colour=colour) for row in self._cells]
        while texts and not texts[-1]:
            texts.pop()
        return texts


def _line(row: Sequence[Ink], *, colour: bool) -> str:
    length = len("".join(cell.text for cell in row).rstrip())
    if not colour:
        return "".join(cell.text for cell in row[:length])
    runs = groupby(row[:length], key=lambda cell: _COLOURS.get(cell.style, "") if cell.text != " " else "")
    texts = ((code, "".join(cell.text for cell in cells)) for code, cells in runs)
    return "".join(f"\x1b[{code}m{text}\x1b[0m" if code else text for code, text in texts)
