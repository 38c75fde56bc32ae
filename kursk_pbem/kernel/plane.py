"""Geometry of a table top in whole hundredths of an inch, exact: nothing is rounded before a comparison.

Distances are compared as squares, sides by the sign of a cross product, and lengths of paths as sums of square roots,
to as many digits as necessary. A point exactly on a limit counts as inside. A single common point counts as contact
with ground. ``x`` counts from the left edge of the table, ``y`` from the lower edge. The module is independent of
games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from math import gcd, isqrt

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.picture import Point

INCH = 100
FRONT, SIDE, REAR = "front", "side", "rear"
_PARTS = 1 << 32
"""Number of parts of a leg in the search for its first illegal point."""

_POINT = re.compile(r"(0|[1-9][0-9]{0,2})\.([0-9]{2}), (0|[1-9][0-9]{0,2})\.([0-9]{2})")
_FIRST = ((0, 1000000), (258819, 965926), (500000, 866025), (707107, 707107), (866025, 500000), (965926, 258819))


def point(written: str) -> Point:
    """Convert '12.50, 30.00' to (1250, 3000). Raises ValueError for any other spelling of a point."""
    match = _POINT.fullmatch(written)
    if match is None:
        raise ValueError(f"{written!r} is no place such as '12.50, 30.00'")
    return int(match[1] + match[2]), int(match[3] + match[4])


def inches(value: int) -> str:
    """Convert 1250 to '12.50'."""
    return f"{value // INCH}.{value % INCH:02d}"


def text(place: Point) -> str:
    """Convert (1250, 3000) to '12.50, 30.00'."""
    return f"{inches(place[0])}, {inches(place[1])}"


def _make_clock() -> Iterator[tuple[str, Point]]:
    for number in range(24):
        x, y = _FIRST[number % 6]
        for _quarter in range(number // 6):
            x, y = y, -x
        hour = number // 2 or 12
        yield f"{hour}{':30' if number % 2 else ''}", (x, y)


CLOCK: dict[str, Point] = dict(_make_clock())
"""Half hours of a clock face on the table, 12 at the upper edge, with their vectors.

Measurements use these vectors. The vectors of every quarter are the vectors of the first quarter, rotated."""


# Distances and lengths


def square(a: Point, b: Point) -> int:
    """Return the square of the distance between two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def is_within(a: Point, b: Point, far: int) -> bool:
    """Return whether the distance between two points is at most ``far``."""
    return square(a, b) <= far * far


def distance(a: Point, b: Point) -> int:
    """Return the distance between two points, rounded down. This is for display only: no decision depends on it."""
    return isqrt(square(a, b))


def compare_length(path: Sequence[Point], limit: int) -> int:
    """Return 1 if a path is longer than ``limit``, 0 if its length is equal, -1 if it is shorter. The result is exact.

    A sum of square roots of whole numbers is whole only if every root is whole, so more digits always decide.
    """
    squares = [square(a, b) for a, b in pairwise(path)]
    roots = [isqrt(area) for area in squares]
    if all(root * root == area for root, area in zip(roots, squares, strict=True)):
        return _sign_of(sum(roots) - limit)
    bits = 0
    while True:
        low, goal = sum(isqrt(area << 2 * bits) for area in squares), limit << bits
        if low >= goal:
            return 1
        if low + len(squares) <= goal:
            return -1
        bits += 16


def measure_path(path: Sequence[Point]) -> int:
    """Return the length of a path, rounded to a whole number, for display only."""
    low = sum(distance(a, b) for a, b in pairwise(path))
    while compare_length(path, low + 1) >= 0:
        low += 1
    return low


def are_together(points: Sequence[Point], far: int, *, chain: bool = False) -> bool:
    """Return whether all points are at most ``far`` apart or, with ``chain``, steps of at most ``far`` connect them."""
    return not split_chain(points, far)[1] if chain else all(is_within(a, b, far) for a, b in combinations(points, 2))


def split_chain(points: Sequence[Point], far: int) -> tuple[list[Point], list[Point]]:
    """Return the points that steps of at most ``far`` connect to the first point, and the remaining points."""
    joined, open_ = list(points[:1]), list(points[1:])
    for here in joined:  # the loop also visits appended points
        joined += [there for there in open_ if is_within(here, there, far)]
        open_ = [there for there in open_ if not is_within(here, there, far)]
    return joined, open_


# Segments


def _sign_of(value: int) -> int:
    return (value > 0) - (value < 0)


def _cross_product(a: Point, b: Point) -> int:
    return a[0] * b[1] - a[1] * b[0]


def _dot_product(a: Point, b: Point) -> int:
    return a[0] * b[0] + a[1] * b[1]


def _vector_to(a: Point, b: Point) -> Point:
    return b[0] - a[0], b[1] - a[1]


def _scale_vector(factor: int, a: Point) -> Point:
    return factor * a[0], factor * a[1]


def find_side(a: Point, b: Point, place: Point) -> int:
    """Return on which side of the line from ``a`` to ``b`` a point is: 1 left, 0 on the line, -1 right."""
    return _sign_of(_cross_product(_vector_to(a, b), _vector_to(a, place)))


def is_on(a: Point, b: Point, place: Point) -> bool:
    """Return whether a point is on the segment from ``a`` to ``b``, including its ends."""
    return find_side(a, b, place) == 0 and _dot_product(_vector_to(place, a), _vector_to(place, b)) <= 0


def meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments have a common point."""
    sides = find_side(a, b, c), find_side(a, b, d), find_side(c, d, a), find_side(c, d, b)
    if not any(sides):
        return is_on(a, b, c) or is_on(a, b, d) or is_on(c, d, a)
    return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0


def is_near(a: Point, b: Point, place: Point, far: int) -> bool:
    """Return whether the distance of a point from the segment from ``a`` to ``b`` is at most ``far``."""
    along, whole = _dot_product(_vector_to(a, b), _vector_to(a, place)), square(a, b)
    if along <= 0 or along >= whole:
        return is_within(a if along <= 0 else b, place, far)
    return bool(_cross_product(_vector_to(a, b), _vector_to(a, place)) ** 2 <= far * far * whole)


def whole_points(a: Point, b: Point) -> list[Point]:
    """Return the points of a segment whose coordinates are whole numbers, from end to end."""
    across, up = _vector_to(a, b)
    parts = gcd(across, up)
    if not parts:
        return [a]
    return [(a[0] + across // parts * number, a[1] + up // parts * number) for number in range(parts + 1)]


def measure_legal(path: Sequence[Point], wrong: Callable[[Point, Point, int], bool]) -> int:
    """Return the length of a path up to the first illegal point, rounded up, for display.

    ``wrong(a, place, scale)``: whether the way from ``a`` to ``place`` is illegal, with both points multiplied by
    ``scale``. On the last leg, all points after the first illegal point must be illegal too.
    """
    a, b = path[-2:]
    start, step = _scale_vector(_PARTS, a), _vector_to(a, b)
    low, high = 0, _PARTS
    while low < high:
        middle = (low + high) // 2
        way = start[0] + step[0] * middle, start[1] + step[1] * middle
        low, high = (low, middle) if wrong(start, way, _PARTS) else (middle + 1, high)
    gone = sum(isqrt(square(*leg) * _PARTS**2) for leg in pairwise(path[:-1]))
    right = isqrt(square(a, b) * max(0, low - 1) ** 2)  # the last legal point, so a whole hundredth is not rounded up
    return -(-(gone + right) // _PARTS)


# Ground


Edge = tuple[Point, Point]


@frozen
class Polygon:
    """An area of ground with straight edges. The outline is part of the ground. The last corner joins the first."""

    outline: tuple[Point, ...]

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges of the outline, in order."""
        return tuple(pairwise((*self.outline, self.outline[0])))

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """The box around the ground: left, lower, right and upper limit."""
        xs, ys = zip(*self.outline, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def holds(self, place: Point) -> bool:
        """Return whether a point is inside the ground or on its outline."""
        left, low, right, high = self.box
        x, y = place
        if not (left <= x <= right and low <= y <= high):
            return False
        inside = False
        for a, b in self.edges:
            if (a[1] > y and b[1] > y) or (a[1] < y and b[1] < y):
                continue
            if is_on(a, b, place):
                return True
            if (a[1] > y) != (b[1] > y) and (find_side(a, b, place) > 0) == (b[1] > a[1]):
                inside = not inside
        return inside

    def touches(self, a: Point, b: Point) -> bool:
        """Return whether a segment has at least one point in the ground."""
        return not self.beside(a, b) and (self.holds(a) or any(True for _edge in self.met(a, b)))

    def met(self, a: Point, b: Point) -> Iterator[Edge]:
        """Yield the edges of the outline that a segment touches or crosses."""
        return (edge for edge in self.along(a, _vector_to(a, b), 0) if meet(a, b, *edge))

    def along(self, start: Point, way: Point, far: int) -> Iterator[Edge]:
        """Yield the edges perhaps near the line through ``start`` in the direction ``way``.

        Left-out edges are entirely on one side of the line, more than ``far`` / length of ``way`` away. This test is
        fast.
        """
        (x, y), (across, up) = start, way
        lies = [across * (py - y) - up * (px - x) for px, py in self.outline]
        if min(lies) <= far and max(lies) >= -far:
            for edge, one, other in zip(self.edges, lies, (*lies[1:], lies[0]), strict=True):
                if min(one, other) <= far and max(one, other) >= -far:
                    yield edge

    def beside(self, a: Point, b: Point, far: int = 0) -> bool:
        """Return whether a segment is entirely beyond one side of the box around the ground, by more than ``far``."""
        left, low, right, high = self.box
        (ax, ay), (bx, by) = a, b
        aside = max(ax, bx) < left - far or min(ax, bx) > right + far
        return aside or max(ay, by) < low - far or min(ay, by) > high + far

    def apart(self, other: Polygon, far: int) -> bool:
        """Return whether every point of one ground is more than ``far`` away from every point of the other ground."""
        if self.holds(other.outline[0]) or other.holds(self.outline[0]):
            return False
        for mine in self.edges:
            for theirs in other.edges:
                ends = (is_near(*mine, theirs[0], far), is_near(*theirs, mine[0], far))
                if meet(*mine, *theirs) or any(ends):
                    return False
        return True

    def fault(self) -> str:
        """Return why the outline encloses no proper ground, or '' for a proper one."""
        edges = list(self.edges)
        if len(edges) < 3:
            return "has fewer than three corners"
        for (a, b), (_b, c) in pairwise([*edges, edges[0]]):
            if a == b:
                return f"has the corner {text(a)} twice running"
            if find_side(a, b, c) == 0 and _dot_product(_vector_to(a, b), _vector_to(b, c)) < 0:
                return f"turns back on itself at {text(b)}"
        for (number, one), (later, two) in combinations(enumerate(edges), 2):
            joined = later == number + 1 or (number, later) == (0, len(edges) - 1)
            if not joined and meet(*one, *two):
                return f"meets itself between {text(one[0])} and {text(one[1])}"
        return ""


# Sight, facing, blast

RAYS = (-2, -1, 0, 1, 2)
"""Ends of the rays on the width of a target: halves of its radius, on both sides of its centre."""


def root_sign(whole: int, factor: int, of: int) -> int:
    """Return the sign of ``whole + factor * sqrt(of)``."""
    if _sign_of(whole) * _sign_of(factor) >= 0:
        return _sign_of(whole) or (_sign_of(factor) if of else 0)
    return _sign_of(whole) * _sign_of(whole * whole - factor * factor * of)


def ray_meets(eye: Point, target: Point, half: int, edge: Edge) -> bool:
    """Return whether an edge meets the ray from ``eye`` to a point beside the target.

    The point is ``half`` 200ths of an inch left of the target, at a right angle to the line of sight. It is to the
    right if ``half`` is negative. The result is exact, without fractions. If the ray has no length, it meets nothing.
    """
    line, (u, v) = _vector_to(eye, target), edge
    whole = _dot_product(line, line)
    along, ends = _vector_to(u, v), [_vector_to(eye, u), _vector_to(eye, v)]
    over = [root_sign(-half * _dot_product(line, end), 2 * _cross_product(line, end), whole) for end in ends]
    eye_side = _sign_of(_cross_product(along, _vector_to(u, eye)))
    end_side = root_sign(half * _dot_product(along, line), 2 * _cross_product(along, _vector_to(u, target)), whole)
    if any((*over, eye_side, end_side)):
        return bool(whole) and over[0] * over[1] <= 0 and eye_side * end_side <= 0
    return bool(whole) and any(0 <= _dot_product(line, end) <= whole for end in ends)  # ray along the edge


def count_hidden(eye: Point, target: Point, radius: int, grounds: Sequence[Polygon]) -> int:
    """Return how many of five rays, spread over the width of a round target, meet ground."""
    if any(ground.holds(eye) for ground in grounds):
        return len(RAYS)
    edges = [edge for ground in grounds for edge in _in_fan(eye, target, radius, ground)]
    return sum(any(ray_meets(eye, target, ray * radius, edge) for edge in edges) for ray in RAYS)


def _in_fan(eye: Point, target: Point, radius: int, ground: Polygon) -> Iterator[Edge]:
    """Yield the edges that can meet one of the five rays: those at most ``radius`` away from the line of sight."""
    if ground.beside(eye, target, radius):
        return
    line, whole = _vector_to(eye, target), square(eye, target)
    for edge in ground.along(eye, line, isqrt(radius * radius * whole) + 1):
        ahead = [_dot_product(line, _vector_to(eye, end)) for end in edge]
        if max(ahead) >= 0 and min(ahead) <= whole:
            yield edge


def find_arc(facing: Point, here: Point, there: Point) -> str:
    """Return the arc that contains ``there``: front up to 45 degrees from ``facing``, rear from 135, or else side."""
    bearing = _vector_to(here, there)
    ahead = _dot_product(facing, bearing)
    steep = 2 * ahead * ahead >= _dot_product(facing, facing) * _dot_product(bearing, bearing)
    return (FRONT if ahead >= 0 else REAR) if steep else SIDE


def over(a: Point, b: Point, reach: int) -> bool:
    """Return whether two round bases overlap, more than touch. ``reach``: the sum of their radii."""
    return square(a, b) < reach * reach
