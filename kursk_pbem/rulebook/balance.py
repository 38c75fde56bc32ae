"""Who wins a scenario, in how many messages, and the points that make the game even, by the page docs/balance.md."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from kursk_pbem.formats import data

PAGE = "balance.md"
DATA = "partly reconstructed data"
ENOUGH = 200
"""Least number of games for points that make a scenario even."""
_ROW = re.compile(
    r"^\| (?P<scenario>[a-z0-9-]+/[a-z0-9-]+) \| (?P<level>[0-9]) \| (?P<games>[0-9,]+) \| (?P<wins>[^|]+?) "
    r"\| [^|]+ \| (?P<even>[^|]+?) \| (?:(?P<messages>[0-9][^|]*?) \|)?",
    re.MULTILINE,
)
_WINS = re.compile(r"\b((?!draw)\w+) ([0-9.]+)%")


class Row(NamedTuple):
    """The figures of a scenario, as text. ``even``: (side, points) for an even game, or the two nearest; or ().

    ``messages``: the median, the bounds of nine games in ten, the least and the most; () if messages were not counted.
    """

    level: str
    games: str
    wins: str
    even: tuple[tuple[str, str], ...]
    messages: tuple[int, ...]

    @property
    def number(self) -> int:
        """The number of games in this row."""
        return int(self.games.replace(",", ""))

    @property
    def by(self) -> str:
        """Return which games the row counts: 'programs of level 1, 2,000 games, partly reconstructed data'."""
        return f"programs of level {self.level}, {self.games} games, {DATA}"

    @property
    def shares(self) -> tuple[tuple[str, str], ...]:
        """The two sides, each with its percentage of games won."""
        return tuple(_WINS.findall(self.wins))

    @property
    def one_sided(self) -> bool:
        """Return whether one of the sides wins less than a third of the games."""
        return any(Fraction(wins) * 3 < 100 for _side, wins in self.shares)


@cache
def list_rows(scenario: str) -> tuple[Row, ...]:
    """Return the rows of figures of a scenario, highest level first; () without figures or without the page."""
    try:
        text = (data.find_folder("docs") / PAGE).read_text(encoding="utf-8")
    except OSError:
        return ()
    rows = [_read_row(match) for match in _ROW.finditer(text) if match["scenario"] == scenario]
    return tuple(sorted(rows, key=lambda row: row.level, reverse=True))


def _read_row(match: re.Match[str]) -> Row:
    points = (each.rpartition(" ") for each in match["even"].split(" or ") if each != "-")
    messages = tuple(map(int, re.findall(r"[0-9]+", match["messages"] or "")))
    even = tuple((side, number) for side, _blank, number in points)
    return Row(match["level"], match["games"], match["wins"], even, messages)


def find_row(scenario: str) -> Row | None:
    """Return the highest level's row with enough games to judge points, or else the row with the most games."""
    rows = list_rows(scenario)
    return max(rows, key=lambda row: min(row.number, ENOUGH), default=None)


def find_length(scenario: str) -> Row | None:
    """Return the row of the highest level for which messages were counted, or None."""
    return next((row for row in list_rows(scenario) if row.messages), None)


def find_points(scenario: str) -> tuple[str, str, str]:
    """Return (games, side, points for an even game); ('', '', '') if every side wins a third of the games."""
    row = find_row(scenario)
    if row is None or not row.even or not row.one_sided:
        return "", "", ""
    return row.by, *row.even[0]


def find_sentence(scenario: str) -> str:
    """Return a text like 'by programs of level 1, 2,000 games, ...: German 4.5%', '' without figures.

    If players can give points, the text includes the points for an even game, or the two nearest numbers.
    """
    row = find_row(scenario)
    if row is None:
        return ""
    told = f"by {row.by}: {row.wins}"
    how = "nearest to even" if len(row.even) > 1 else "even"
    points = " or ".join(f"{side} {number}" for side, number in row.even)
    return f"{told}; {how} with points given: {points}" if points else told


def describe_length(scenario: str) -> str:
    """Return the length of a game: '43 mails (...): 43 weeks at the usual 7 days an answer', or ''."""
    if not (row := find_length(scenario)):
        return ""
    usual, low, high, least, most = row.messages
    games = f"nine games in ten {low} to {high}, all {least} to {most}; {row.games} games of level {row.level}"
    return f"{usual} mails ({games}): {usual} weeks if every answer takes the usual 7 days"


def count_longer(scenario: str, messages: int) -> int | None:
    """Return how many games of 100 need more messages than a number, or None if messages were not counted.

    The figures are least, 5 %, half, 95 % and most. Between these figures the function interpolates.
    """
    if not (row := find_length(scenario)):
        return None
    usual, low, high, least, most = row.messages
    known = [(least - 1, 0), (low, 5), (usual, 50), (high, 95), (most, 100)]
    if messages >= most:
        return 0
    ended = 0
    for (one, share), (other, more) in pairwise(known):
        if one <= messages < other:
            ended = share + (more - share) * (messages - one) // (other - one)
    return 100 - ended
