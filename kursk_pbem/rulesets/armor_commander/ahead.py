"""4.3, 4.5: how far a model comes straight ahead, and whether its base may stand there."""

from __future__ import annotations

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.rulesets.armor_commander import movement
from kursk_pbem.rulesets.armor_commander.position import Field

LONG = 1_000_000
"""The length of a direction, as those of the clock have it."""
STEP = 25
"""Hundredths of an inch between the places that are tried along a straight line."""


def cut(value: int, by: int = LONG) -> int:
    """A quotient without its fraction, to the same length in each direction."""
    return value // by if value >= 0 else -(-value // by)


def straight(table: Field, mid: str, vector: Point) -> Point | None:
    """4.3, 4.5: how far a model comes straight along a vector of the clock, by quarters of an inch; None: nowhere."""
    model, start = table.setting.models[mid], table.at[mid]
    limit = table.setting.moves[model.kind]
    tried = [(start[0] + cut(vector[0] * far), start[1] + cut(vector[1] * far)) for far in range(limit, 0, -STEP)]
    low, high = 0, len(tried)  # what bars a way bars all that are longer
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if movement.legal(table, model.side, start, tried[middle]) else (middle + 1, high)
    return next((end for end in tried[low:] if free(table, mid, end)), None)


def free(table: Field, mid: str, end: Point) -> bool:
    """4.3, A-32: whether a base may stand there."""
    radius = table.setting.models[mid].radius
    return not any(plane.over(end, place, radius + theirs) for place, theirs in table.bases({mid}))
