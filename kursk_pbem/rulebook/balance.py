"""Who wins a scenario, and the points that make the game even, by the page docs/balance.md."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from kursk_pbem.formats import data

PAGE = "balance.md"
DATA = "partly reconstructed data"
_ROW = re.compile(
    r"^\| ([a-z0-9-]+/[a-z0-9-]+) \| ([0-9]) \| ([0-9,]+) \| ([^|]+?) \| [^|]+ \| ([^|]+?) \|", re.MULTILINE
)

_WINS = re.compile(r"\b((?!draw)\w+) ([0-9.]+)%")


class Row(NamedTuple):
    """Figures of a scenario, as text. ``even``: (side, points) that make the game even, or the two nearest; or ()."""

    level: str
    games: str
    wins: str
    even: tuple[tuple[str, str], ...]

    @property
    def by(self) -> str:
        """Return whose games the row counts: 'programs of level 1, 2,000 games, partly reconstructed data'."""
        return f"programs of level {self.level}, {self.games} games, {DATA}"


@cache
def find_row(scenario: str) -> Row | None:
    """Return the row of a scenario with the most games; None without figures or without the page."""
    try:
        text = (data.find_folder("docs") / PAGE).read_text(encoding="utf-8")
    except OSError:
        return None
    rows = [cells for named, *cells in _ROW.findall(text) if named == scenario]
    if not rows:
        return None
    level, games, wins, even = max(rows, key=lambda cells: (int(cells[1].replace(",", "")), cells[0]))
    points = (each.rpartition(" ") for each in even.split(" or ") if each != "-")
    return Row(level, games, wins, tuple((side, number) for side, _blank, number in points))


def find_points(scenario: str) -> tuple[str, str, str]:
    """Return whose games, side and points make a scenario even; ('', '', '') if each side wins a third or more."""
    row = find_row(scenario)
    if row is None or not row.even or all(Fraction(wins) * 3 >= 100 for _side, wins in _WINS.findall(row.wins)):
        return "", "", ""
    return row.by, *row.even[0]


def find_sentence(scenario: str) -> str:
    """Return words such as 'by programs of level 1, 2,000 games, ...: German 4.5%', '' without figures.

    Where points can be given: also the points that make the game even, or the two nearest numbers.
    """
    row = find_row(scenario)
    if row is None:
        return ""
    told = f"by {row.by}: {row.wins}"
    how = "nearest to even" if len(row.even) > 1 else "even"
    points = " or ".join(f"{side} {number}" for side, number in row.even)
    return f"{told}; {how} with points given: {points}" if points else told
