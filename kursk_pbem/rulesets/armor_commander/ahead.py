"""4.3, 4.5: how far a model can move straight ahead, and where a base has room."""

from __future__ import annotations

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.rulesets.armor_commander import movement
from kursk_pbem.rulesets.armor_commander.position import Field

LONG = 1_000_000
"""The length of a direction, as in ``CLOCK``."""
STEP = 25
"""The step between tried places on a straight line, in hundredths of an inch."""


def divide(value: int, by: int = LONG) -> int:
    """Divide and round toward zero, so that opposite directions give equal lengths."""
    return value // by if value >= 0 else -(-value // by)


def find_straight_end(table: Field, mid: str, vector: Point) -> Point | None:
    """4.3, 4.5: return the farthest legal end of a straight move, or None. Steps are quarters of an inch."""
    model, start = table.setting.models[mid], table.at[mid]
    limit = table.setting.moves[model.kind]
    tried = [(start[0] + divide(vector[0] * far), start[1] + divide(vector[1] * far)) for far in range(limit, 0, -STEP)]
    low, high = 0, len(tried)  # a barred way bars every longer way
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if movement.is_legal(table, model.side, start, tried[middle]) else (middle + 1, high)
    return next((end for end in tried[low:] if has_room(table, mid, end)), None)


def has_room(table: Field, mid: str, end: Point) -> bool:
    """4.3, A-32: return whether a model's base has room at a place."""
    radius = table.setting.models[mid].radius
    return not any(plane.over(end, place, radius + theirs) for place, theirs in table.list_bases({mid}))
