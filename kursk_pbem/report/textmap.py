"""A position as a text map: flat-top hexes as staggered blocks of text, plain ASCII.

Columns stand side by side, every second one half a hex higher. ``+`` and ``|`` mark the left edge of each hex,
or what else the cell says of its sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.ruleset import Cell
from kursk_pbem.report.layout import wrap

HEIGHT = 4
WINDOW = 3
"""Columns and rows shown on each side of a hex: seven columns of ten characters fit in 80."""
_LEAST = 9  # characters inside a hex, if nothing asks for more


def render(
    grid: Grid, cells: Iterable[Cell], around: str | None = None, radius: int = WINDOW, legend: Sequence[str] = ()
) -> str:
    """The map as text that ends in a newline: all of it, or the columns and rows within ``radius`` of ``around``.

    UsageError if ``around`` is no hex of the map.
    """
    shown = {place: cell for cell in cells if (place := grid.place(cell.label)) is not None}
    if around is not None:
        centre = grid.place(around)
        if centre is None or centre not in shown:
            raise UsageError(f"{around!r} is not a hex of this map; its labels are four digits, column and row")
        shown = {
            (column, row): cell
            for (column, row), cell in shown.items()
            if abs(column - centre[0]) <= radius and abs(row - centre[1]) <= radius
        }
    lines = _draw(grid, shown) if shown else []
    if legend:
        lines += ["", *(line for text in legend for line in wrap(text, "", "  "))]
    return "\n".join((*lines, ""))


def _draw(grid: Grid, shown: dict[tuple[int, int], Cell]) -> list[str]:
    """Write every hex into a canvas of characters and return its lines without blanks at the end."""
    width = 1 + max(_LEAST, *(len(line) for cell in shown.values() for line in cell.lines))
    columns = [column for column, _row in shown]
    left, right = min(columns), max(columns)
    top = min(row for _column, row in shown)
    bottom = max(row for _column, row in shown)
    canvas = [[" "] * (width * (right - left + 1)) for _ in range(HEIGHT * (bottom - top + 1) + HEIGHT // 2)]
    for (column, row), cell in shown.items():
        high = (column % 2 == 1) == grid.odd_high
        y = HEIGHT * (row - top) + (0 if high else HEIGHT // 2)
        x = width * (column - left)
        for number in range(HEIGHT):
            text = cell.lines[number] if number < len(cell.lines) else ""
            line = cell.edge[number] + text
            canvas[y + number][x : x + len(line)] = line
    lines = ["".join(line).rstrip() for line in canvas]
    while not lines[-1]:
        lines.pop()
    return lines
