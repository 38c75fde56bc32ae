"""Who has which side: docs/directors.md 8.2. A side is FIRST or SECOND, in the order in which the ruleset names them.

Only games of the scenario that is played now count. A forfeited game counts (the side was prepared), a bye does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FIRST, SECOND = "F", "S"


@dataclass(frozen=True)
class Candidate:
    """One who is to be paired: number, points, how often who was met (``bye`` too), sides so far, the oldest first.

    ``apart``: whom paper 0 keeps them from meeting.
    """

    number: str
    points: int = 0
    met: Mapping[str, int] = field(default_factory=dict)
    sides: str = ""
    apart: frozenset[str] = frozenset()

    @property
    def balance(self) -> int:
        """Games with the first side minus games with the other."""
        return self.sides.count(FIRST) - self.sides.count(SECOND)

    @property
    def run(self) -> int:
        """How often the same side in a row, up to now: above 0 the first, below 0 the second."""
        if not self.sides:
            return 0
        last = self.sides[-1]
        length = len(self.sides) - len(self.sides.rstrip(last))
        return length if last == FIRST else -length

    @property
    def needs(self) -> str:
        """The side that must come next, if it can be: of a balance of 2 the other one, then of two in a row; or ''."""
        if abs(self.balance) >= 2:
            return SECOND if self.balance > 0 else FIRST
        if abs(self.run) >= 2:
            return SECOND if self.run > 0 else FIRST
        return ""

    @property
    def leans(self) -> str:
        """The side that balances; where it is even, the other one than the last time; '' before the first game."""
        tilt = self.balance or self.run
        return "" if not tilt else SECOND if tilt > 0 else FIRST


def first_side(one: Candidate, other: Candidate, bit: int) -> str:
    """The number that gets the first side in a pair; ``bit`` is the seed's, 1 for the lower number.

    The first rule that tells the two apart decides.
    """
    if one.needs != other.needs:
        wish = one.needs or (SECOND if other.needs == FIRST else FIRST)
        return one.number if wish == FIRST else other.number
    for mine, theirs in ((one.balance, other.balance), (one.run, other.run)):
        if mine != theirs:
            return one.number if mine < theirs else other.number
    for mine_then, theirs_then in zip(reversed(one.sides), reversed(other.sides), strict=False):
        if mine_then != theirs_then:  # the last time that one had each: now the other way round
            return one.number if mine_then == SECOND else other.number
    if one.points != other.points and one.sides:
        higher, lower = (one, other) if one.points > other.points else (other, one)
        return higher.number if higher.sides[-1] == SECOND else lower.number
    lower_number, upper_number = sorted((one.number, other.number), key=order)
    return lower_number if bit else upper_number


def order(number: str) -> tuple[bool, int]:
    """How numbers are sorted: entrants, then guests."""
    return number.startswith("g"), int(number.removeprefix("g"))
