"""Assignment of sides (docs/directors.md 8.2): FIRST or SECOND, in the ruleset's order.

Only games of the present scenario count. Forfeited games count, because a player prepared a side. Byes do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kursk_pbem.frozen import frozen

FIRST, SECOND = "F", "S"


@frozen
class Candidate:
    """An entrant to pair. ``met``: meetings by opponent (``bye`` too); ``apart``: excluded opponents."""

    number: str
    points: int = 0
    met: Mapping[str, int] = field(default_factory=dict)
    sides: str = ""  # oldest first
    apart: frozenset[str] = frozenset()

    @property
    def balance(self) -> int:
        """Number of games with the first side minus number of games with the second side."""
        return self.sides.count(FIRST) - self.sides.count(SECOND)

    @property
    def run(self) -> int:
        """How many games in a row had the latest side: above 0 for the first side, below 0 for the second."""
        if not self.sides:
            return 0
        last = self.sides[-1]
        length = len(self.sides) - len(self.sides.rstrip(last))
        return length if last == FIRST else -length

    @property
    def needs(self) -> str:
        """The side that the entrant must get, or '': after a balance of 2, or two games in a row with one side."""
        if abs(self.balance) >= 2:
            return SECOND if self.balance > 0 else FIRST
        if abs(self.run) >= 2:
            return SECOND if self.run > 0 else FIRST
        return ""

    @property
    def leans(self) -> str:
        """The side that makes the balance even. At balance 0: the side not played last, or '' before the first game."""
        tilt = self.balance or self.run
        return "" if not tilt else SECOND if tilt > 0 else FIRST


def first_side(one: Candidate, other: Candidate, bit: int) -> str:
    """Return the number of the candidate who gets the first side, by the first rule that decides."""
    if one.needs != other.needs:
        wish = one.needs or (SECOND if other.needs == FIRST else FIRST)
        return one.number if wish == FIRST else other.number
    for mine, theirs in ((one.balance, other.balance), (one.run, other.run)):
        if mine != theirs:
            return one.number if mine < theirs else other.number
    for mine_then, theirs_then in zip(reversed(one.sides), reversed(other.sides), strict=False):
        if mine_then != theirs_then:  # exchange the sides of the latest round with different sides
            return one.number if mine_then == SECOND else other.number
    if one.points != other.points and one.sides:
        higher, lower = (one, other) if one.points > other.points else (other, one)
        return higher.number if higher.sides[-1] == SECOND else lower.number
    lower_number, upper_number = sorted((one.number, other.number), key=number_order)
    return lower_number if bit else upper_number


def number_order(number: str) -> tuple[bool, int]:
    """Return a key to sort entrant numbers: entrants first, then guests."""
    return number.startswith("g"), int(number.removeprefix("g"))
