"""4.3, 4.5: the reach of a model straight ahead in all directions, as an outline of the legal ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cmp_to_key
from itertools import pairwise
from math import isqrt

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Place, Point
from kursk_pbem.kernel.plane import CLOCK, Polygon
from kursk_pbem.rulesets.armor_commander.ahead import LONG, divide
from kursk_pbem.rulesets.armor_commander.position import Field
from kursk_pbem.rulesets.armor_commander.setting import COHESION, EXCLUSION, Setting

HALVED = 2
"""The number of halvings between two directions of the clock: 96 directions in all."""
BESIDE = 250
"""Next to each corner of terrain are two more directions, turned by one part in this number."""


@cache
def _list_directions() -> tuple[Point, ...]:
    """Return all directions; every quarter is the turned first quarter."""
    quarter = [*list(CLOCK.values())[:6], (LONG, 0)]
    for _again in range(HALVED):
        between = [[one, _scale_vector((one[0] + two[0], one[1] + two[1]))] for one, two in pairwise(quarter)]
        quarter = [*(way for both in between for way in both), quarter[-1]]
    kept: list[Point] = []
    for number in range(4):
        for x, y in quarter[:-1]:
            kept.append([(x, y), (y, -x), (-x, -y), (-y, x)][number])
    return tuple(kept)


def _scale_vector(way: Point) -> Point:
    """Return a direction in its usual length, in whole parts."""
    far = isqrt(way[0] ** 2 + way[1] ** 2)
    return divide(way[0] * LONG, far), divide(way[1] * LONG, far)


def find_outline(table: Field, mid: str) -> tuple[Point, ...]:
    """4.3, 4.5: return the farthest points of straight moves, clockwise. Friendly bases do not shorten these moves."""
    model, start = table.setting.models[mid], table.at[mid]
    limit = table.setting.moves[model.kind]
    grounds = [polygon for polygon in table.setting.all_ground if not polygon.beside(start, start, limit)]
    if any(ground.holds(start) for ground in grounds):
        return (start,)
    foes = [
        table.at[foe]
        for foe in table.list_enemies(model.side)
        if plane.is_within(start, table.at[foe], limit + EXCLUSION)
    ]
    ways = {*_list_directions(), *_list_corners(start, limit, grounds)}
    points = [_find_end(table, start, limit, way, grounds, foes) for way in sorted(ways, key=cmp_to_key(_compare_ways))]
    return tuple(dict.fromkeys(points))


def _list_corners(start: Point, limit: int, grounds: Sequence[Polygon]) -> Iterator[Point]:
    """Yield directions to the corners of terrain and close to both sides."""
    for ground in grounds:
        for corner in ground.outline:
            if corner != start and plane.is_within(start, corner, limit):
                x, y = _scale_vector((corner[0] - start[0], corner[1] - start[1]))
                yield x, y
                for part in (BESIDE, -BESIDE):
                    yield _scale_vector((x - divide(y, part), y + divide(x, part)))


def _compare_ways(a: Point, b: Point) -> int:
    """Compare two directions clockwise from 12 o'clock."""
    halves = [0 if (x > 0 or (x == 0 and y > 0)) else 1 for x, y in (a, b)]
    if halves[0] != halves[1]:
        return halves[0] - halves[1]
    turn = a[0] * b[1] - a[1] * b[0]
    return (turn > 0) - (turn < 0) or (a > b) - (a < b)


def _find_end(
    table: Field, start: Point, limit: int, way: Point, grounds: Sequence[Polygon], foes: Sequence[Point]
) -> Point:
    """Return the farthest legal end in a direction, in whole hundredths, by bisection."""
    edges = [edge for ground in grounds for edge in ground.along(start, way, 2 * LONG)]

    def end(far: int) -> Point:
        return start[0] + divide(way[0] * far), start[1] + divide(way[1] * far)

    def legal(far: int) -> bool:
        there = end(far)
        return (
            plane.is_within(start, there, limit)
            and table.setting.is_on_table(there)
            and not any(plane.meet(start, there, *edge) for edge in edges)
            and not any(plane.is_near(start, there, foe, EXCLUSION) for foe in foes)
        )

    low, high = 0, limit
    if legal(high):
        return end(high)
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if legal(middle) else (low, middle)
    return end(low)


def list_mates(setting: Setting, mid: str, places: Mapping[str, Point]) -> tuple[Place, ...]:
    """4.4, A-18: return the circles of cohesion around the other models of a unit; () if they may form a chain."""
    mates = () if setting.chain else setting.units[setting.models[mid].unit].models
    return tuple(
        Place("", "", "near", spot=places[mate], far=COHESION) for mate in mates if mate != mid and mate in places
    )


def list_holes(table: Field, mid: str) -> tuple[tuple[Point, int], ...]:
    """4.3: return the circles in which no straight move may end, because bases would overlap: (center, radius)."""
    model, start = table.setting.models[mid], table.at[mid]
    circles = ((place, model.radius + theirs) for place, theirs in table.list_bases({mid}))
    limit = table.setting.moves[model.kind]
    return tuple((place, far) for place, far in circles if plane.is_within(start, place, limit + far))
