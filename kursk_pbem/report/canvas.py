"""Characters on a page with styles. Lines are plain, or in color for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

RIVER, RAILWAY, NAME, ZONE, SIDE = "river", "railway", "name", "zone", "side-"
_COLOURS = {RIVER: "34", RAILWAY: "33", NAME: "1", ZONE: "2;35", f"{SIDE}0": "1;36", f"{SIDE}1": "1;31"}
"""Style -> terminal code. The two sides differ in color for most eyes, and in letters for all."""


class Ink(NamedTuple):
    """Text in one style. The style '' is the usual one."""

    text: str
    style: str = ""


def clean_text(text: str) -> str:
    """Return a scenario's text without terminal codes. Every character left is one column wide."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)


def clip_line(inks: Sequence[Ink], width: int, fill: Ink | None = None) -> list[Ink]:
    """Return the part of a line that fits ``width``. With ``fill``, a blank and copies of ``fill`` end the line."""
    fitting, left = [], width
    for ink in inks:
        fitting.append(Ink(ink.text[:left], ink.style))
        left -= len(fitting[-1].text)
    if fill is not None and left:
        gap = " " if left < width else ""
        fitting.append(Ink(gap + fill.text * (left - len(gap)), fill.style))
    return fitting


class Canvas:
    """Rows of characters. At first all are blank."""

    def __init__(self, width: int, height: int) -> None:
        self._cells = [[Ink(" ")] * width for _ in range(height)]

    def put(self, x: int, y: int, inks: Sequence[Ink]) -> None:
        """Write styled text at a position. A question mark replaces each control character."""
        for text, style in inks:
            cells = [Ink(character, style) for character in clean_text(text)]
            self._cells[y][x : x + len(cells)] = cells
            x += len(cells)

    def lines(self, *, colour: bool = False) -> list[str]:
        """Return the rows, without blanks at the ends of rows and without empty rows at the bottom."""
        texts = [_join_line(row, colour=colour) for row in self._cells]
        while texts and not texts[-1]:
            texts.pop()
        return texts


def _join_line(row: Sequence[Ink], *, colour: bool) -> str:
    length = len("".join(cell.text for cell in row).rstrip())
    if not colour:
        return "".join(cell.text for cell in row[:length])
    runs = groupby(row[:length], key=lambda cell: _COLOURS.get(cell.style, "") if cell.text != " " else "")
    texts = ((code, "".join(cell.text for cell in cells)) for code, cells in runs)
    return "".join(f"\x1b[{code}m{text}\x1b[0m" if code else text for code, text in texts)
