"""Points given: victory points that the players agree on before a game, as an option in message 0.

Only systems with a margin have the option. A side gets the points at the end; a tie goes to the other side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kursk_pbem.kernel.ruleset import Option

KEY, MOST = "given", 99
NOTHING = "none"


def make_option(sides: Sequence[str], rule: str) -> Option:
    """Return the game option by which one side begins with victory points. ``rule``: the ruling about ties."""
    values = tuple(f"{side}-{number}" for side in sides for number in range(1, MOST + 1))
    what = f"SIDE-N: the side gets N victory points at the end, and a tie goes to the other side ({rule})"
    return Option(KEY, (NOTHING, *values), what, many=True)


def read_points(options: Mapping[str, str], sides: Sequence[str]) -> dict[str, int]:
    """Return how many points the option gives to each side. Unknown values were refused before."""
    whose, _dash, number = options.get(KEY, NOTHING).rpartition("-")
    return {side: int(number) if side == whose and number.isdecimal() else 0 for side in sides}


def find_giver(points: Mapping[str, int]) -> str:
    """Return the side whose opponent begins with victory points, or '' if no points were given."""
    return next((side for side in points if any(points[other] for other in points if other != side)), "")


def list_notes(points: Mapping[str, int], rule: str) -> list[str]:
    """Return a sentence about the given points for the table of victory levels; [] without points."""
    return [f"Points given: {side.capitalize()} {number} [{rule}]." for side, number in points.items() if number]


def make_value(side: str, number: str) -> str:
    """Return the option's value for a side and a number: 'german-10'. The check of options refuses bad values."""
    return f"{side.lower()}-{number}"
