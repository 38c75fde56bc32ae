"""Printed tables as text: columns that fit the page, notes below, and the origin of the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.kernel.brief import Table
from kursk_pbem.report.layout import WIDTH, count_columns, wrap

_LEAST = 12  # minimum columns of a cell in a narrow table
_GAP = "  "


def render_tables(tables: Sequence[Table], width: int = WIDTH) -> str:
    """Return the tables as text, one below the other, if possible at most ``width`` columns wide.

    A wider table is cut into strips, and every strip repeats the first column.
    """
    return "\n".join(line for number, table in enumerate(tables) for line in _show_table(table, number, width)) + "\n"


def find_tables(tables: Sequence[Table], wanted: str) -> tuple[Table, ...]:
    """Return the tables whose title or paragraph contains the words ``wanted``. Raises UsageError if none does."""
    words = wanted.lower().split()
    fitting = tuple(table for table in tables if _matches_words(table, words))
    if not fitting:
        known = ", ".join(f"{table.title} [{table.rule}]" for table in tables)
        raise UsageError(f"no table is called {show(wanted)}; choose from {known}")
    return fitting


def _matches_words(table: Table, words: Sequence[str]) -> bool:
    title = table.title.lower()
    initials = "".join(word[0] for word in title.split())
    return all(word in title or word in initials or word == table.rule.lower() for word in words)


def _show_table(table: Table, number: int, width: int) -> Iterator[str]:
    if number:
        yield ""
    yield from wrap(f"{table.title} [{table.rule}]", "", "  ", width)
    widths = fit_widths((table.head, *table.rows), width - len(_GAP))
    for first, last in _cut_strips(widths, width - len(_GAP)):
        for row in (table.head, *table.rows):
            yield from _make_lines((row[0], *row[first:last]), (widths[0], *widths[first:last]))
    for note in table.notes:
        yield from wrap(note, _GAP, _GAP * 2, width)
    if table.provenance:
        yield from wrap(f"Data: {table.provenance}.", _GAP, _GAP * 2, width)


def fit_widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the width of every column. The widest column gets narrower until all columns fit ``room``."""
    widths = [max(count_columns(cell) for cell in line) for line in zip_longest(*rows, fillvalue="")]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > room and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _cut_strips(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last column of each strip, both without the column that all strips repeat."""
    first, taken = 1, widths[0]
    for place, width in enumerate(widths[1:], 1):
        if place > first and taken + len(_GAP) + width > room:
            yield first, place
            first, taken = place, widths[0]
        taken += len(_GAP) + width
    yield first, len(widths)


def _make_lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    pairs = zip(row, widths, strict=False)
    cells = [[cell] if count_columns(cell) <= width else wrap(cell, "", "", width) for cell, width in pairs]
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (part + " " * (width - count_columns(part)) for part, width in zip(parts, widths, strict=False))
        yield (_GAP + _GAP.join(padded)).rstrip()


def to_json(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """Return the tables as plain data for ``--json``."""
    return [
        {
            "title": table.title,
            "rule": table.rule,
            "head": list(table.head),
            "rows": [list(row) for row in table.rows],
            "notes": list(table.notes),
            "data": table.provenance,
        }
        for table in tables
    ]
