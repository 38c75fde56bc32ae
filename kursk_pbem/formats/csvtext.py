"""Comma-separated values for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def format_rows(head: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    """Return a table as comma-separated values, with cells that no spreadsheet takes for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_quote_formula(str(cell)) for cell in row] for row in rows)
    return out.getvalue()


def _quote_formula(cell: str) -> str:
    """Return a cell, quoted if a spreadsheet would read a formula (P12). Negative numbers and "-" stay."""
    plain = cell == "-" or cell.removeprefix("-").replace("/", "").isdigit()
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not plain else cell
