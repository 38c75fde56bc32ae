"""Land instead of single hexes: areas, rivers and railways as smooth lines, in whole numbers.

A path counts in tens of map units (``transform="scale(10)"``, class ``land``). Each line is a chain of quadratic curves
that meet halfway between two control points, so a path needs only the ends (``t``). Control points are even, so the
ends are exact. Irregularities depend only on places: machines draw equal bytes, and regions agree about a common side.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, starmap

from kursk_pbem.kernel.picture import Edge, Point, Region, find_middle

Side = tuple[Point, Point]
Frame = tuple[int, int, int, int]
_ASIDE, _CORNER, _ROUNDED = 180, 20, 10
"""Irregularity of a hexside's middle (at least half) and of a corner; hundredths of a corner's move towards the middles
beside. Together, no line is farther than a sixth of a hexside from its hexside."""
WET = ("river", "major-river")
_RIM = 1_800  # farthest middle of a hex at the rim from the frame, in map units
_LONE = ((100,) * 6, (100, 62, 62, 100, 62, 62), (98, 98, 50, 98, 98, 64))
"""Distances of the corners of a lone hex from its middle, in hundredths, for each shape."""
OLDEST = 6  # hexsides from the source of a river to its full width


def wrap(drawn: str) -> str:
    """Return a drawing as an SVG group. In the group, one unit of length is ten map units."""
    return f'<g class="land" transform="scale(10)">{drawn}</g>' if drawn else ""


def vary(point: Point, far: int, salt: int = 0) -> int:
    """Return a number from ``-far`` to ``far`` that depends only on the point and ``salt``."""
    mixed = (point[0] * 73_856_093 ^ point[1] * 19_349_663 ^ (salt + 1) * 83_492_791) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return (mixed ^ mixed >> 15) % (2 * far + 1) - far


def find_between(a: Point, b: Point, part: int = 50) -> Point:
    """Return the point between ``a`` and ``b`` that is ``part`` hundredths of the way from ``a``."""
    return a[0] + (b[0] - a[0]) * part // 100, a[1] + (b[1] - a[1]) * part // 100


def bend(a: Point, b: Point, far: int = _ASIDE) -> Point:
    """Return the middle of a hexside, moved a little to a side. Swapping the ends gives the same point."""
    if b < a:
        a, b = b, a
    (x, y), off = find_between(a, b), vary((a[0] + b[0], a[1] + b[1]), far)
    off = (off + (far if off > 0 else -far)) // 2
    return x - (b[1] - a[1]) * off // 1_000, y + (b[0] - a[0]) * off // 1_000


def shake(point: Point, far: int = _CORNER) -> Point:
    """Return a point, moved a little. The same point always moves to the same place."""
    return point[0] + vary(point, far, 5), point[1] + vary(point, far, 6)


def _count_tens(point: Point) -> Point:
    """Return a point in tens of map units, to the nearest even numbers."""
    return (point[0] + 10) // 20 * 2, (point[1] + 10) // 20 * 2


def join(numbers: Iterable[int]) -> str:
    """Return numbers as the text of an SVG path."""
    return " ".join(map(str, numbers)).replace(" -", "-")


def curve(points: Sequence[Point], first: int = 0, last: int | None = None) -> str:
    """Return a smooth line from the first to the last point. ``first``, ``last``: the parts of the line to draw.

    A line of n points has n - 2 parts. The line does not touch the points between its ends, which only shape it.
    """
    spots = [*map(_count_tens, points)]
    if len(spots) == 2:
        return f"M{join(spots[0])}L{join(spots[1])}"
    middles = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in pairwise(spots[1:-1])]
    ends = [spots[0], *middles, spots[-1]][first : None if last is None else last + 1]
    return _write(ends, spots[first + 1])


def curve_loop(points: Sequence[Point]) -> str:
    """Return a closed smooth line. Its points shape the line, but the line does not touch the points."""
    spots = [*map(_count_tens, points)]
    ends = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in zip((spots[-1], *spots), spots, strict=False)]
    return _write([*ends, ends[0]], spots[0]) + "z"


def _write(ends: Sequence[Point], control: Point) -> str:
    """Return curves through ``ends``; the first has a ``control``, and each further one continues smoothly."""
    (x, y), *rest = ends
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(ends)]
    head = f"M{x} {y}q{join((control[0] - x, control[1] - y, *steps[0]))}"
    return head + ("t" + join(number for step in steps[1:] for number in step) if len(rest) > 1 else "")


def _list_spots(line: Sequence[Point]) -> list[Point]:
    """Return the control points of a line of hexsides: corners, rounded except both ends, and middles between."""
    spots = [spot for a, b in pairwise(line) for spot in (shake(a), bend(a, b))]
    spots.append(shake(line[-1]))
    for at in range(2, len(spots) - 1, 2):
        (ax, ay), (x, y), (bx, by) = spots[at - 1 : at + 2]
        spots[at] = x + (ax + bx - 2 * x) * _ROUNDED // 100, y + (ay + by - 2 * y) * _ROUNDED // 100
    return spots


def soften(loop: Sequence[Point], frame: Frame) -> str:
    """Return an irregular outline of an area of hexes, cut off at a frame."""
    left, top, right, bottom = frame
    spots = _list_spots((*loop, loop[0], loop[1]))[2:-1]
    return curve_loop([(max(left, min(right, x)), max(top, min(bottom, y))) for x, y in spots])


def reshape(loop: Sequence[Point]) -> Sequence[Point]:
    """Return an outline unchanged. The outline of a single hex becomes one of three shapes: round, long or bent."""
    if len(loop) != len(_LONE[0]) or sum(ax * by - ay * bx for (ax, ay), (bx, by) in _list_pairs(loop)) < 0:
        return loop  # a larger area, or a hole
    middle = find_middle(loop)
    turn, kind = divmod(vary(middle, 9, 9) + 9, len(_LONE))
    return [find_between(middle, spot, _LONE[kind][(at + turn) % len(loop)]) for at, spot in enumerate(loop)]


def blunt(loop: Sequence[Point], part: int = 30) -> str:
    """Return an outline with round corners. The middle part of every side stays straight."""
    words = []
    for a, b, c in zip((loop[-1], *loop[:-1]), loop, (*loop[1:], loop[0]), strict=True):
        start, end = find_between(a, b, 100 - part), find_between(b, c, part)
        words.append("L{} {}Q{} {} {} {}".format(*_count_tens(start), *_count_tens(b), *_count_tens(end)))
    return f"M{''.join(words)[1:]}z"


def write_outline(points: Sequence[Point]) -> str:
    """Return a closed SVG line of straight parts."""
    return f"M{join(number for point in points for number in _count_tens(point))}z"


def find_frame(regions: Sequence[Region]) -> Frame:
    """Return the frame around a map of hexes as left, top, right, bottom."""
    corners = [point for region in regions for point in region.outline]
    xs, ys = [x for x, _y in corners], [y for _x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def draw_neat(frame: Frame) -> str:
    """Return the double line that frames a map."""
    left, top, right, bottom = (end // 10 for end in frame)
    paths = (f"M{left - far} {top - far}H{right + far}V{bottom + far}H{left - far}z" for far in (0, 17))
    return '<path class="neat" d="{}"/><path class="neat outer" d="{}"/>'.format(*paths)


def find_borders(outlines: Iterable[Sequence[Point]]) -> Iterator[list[Point]]:
    """Yield the corners of each outline of an area of adjacent hexes. Outlines of holes run the other way."""
    ends: dict[tuple[Point, Point], None] = {}
    for points in dict.fromkeys(map(tuple, outlines)):
        for a, b in _list_pairs(points):
            if (b, a) in ends:
                del ends[b, a]
            else:
                ends[a, b] = None
    after: dict[Point, list[Point]] = {}
    for a, b in ends:
        after.setdefault(a, []).append(b)
    for first in list(after):
        while after[first]:
            loop = [first]
            while after[loop[-1]]:
                loop.append(after[loop[-1]].pop())
            yield loop[:-1]


def list_rim(regions: Sequence[Region], frame: Frame) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """Yield (terrain, outline) for missing hexes at a map's rim: a neighbor's terrain, '' for a hole in the map."""
    at = {find_middle(region.outline): region for region in regions}
    rim: dict[Point, list[str]] = {}
    for (x, y), region in at.items():
        for a, b in _list_pairs(region.outline):
            to = (a[0] + b[0] - x, a[1] + b[1] - y)
            if to not in at:
                rim.setdefault(to, []).append(region.terrain)
    (mx, my), (left, top, right, bottom) = find_middle(regions[0].outline), frame
    for (x, y), kinds in rim.items():
        outline = tuple((x + a - mx, y + b - my) for a, b in regions[0].outline)
        hole = left + 300 < x < right - 300 and top + 300 < y < bottom - 300
        yield "" if hole else kinds[vary((x, y), 7) % len(kinds)], outline


def _list_pairs(points: Sequence[Point]) -> Iterator[Side]:
    return pairwise((*points, points[0]))


def order(a: Point, b: Point) -> Side:
    """Return the two ends of a hexside in a fixed order. The ordered pair identifies the hexside."""
    return (a, b) if a < b else (b, a)


def list_sides(regions: Iterable[Region]) -> str:
    """Return all hexsides as one path, without repeated hexsides."""
    sides = dict.fromkeys(order(a, b) for region in regions for a, b in _list_pairs(region.outline))
    tens = ((_count_tens(a), _count_tens(b)) for a, b in sides)
    return "".join(f"M{join((x, y))}l{join((to_x - x, to_y - y))}" for (x, y), (to_x, to_y) in tens)


def chain(links: Mapping[Side, Hashable]) -> list[list[Point]]:
    """Return lines made of links between points. At a fork a line goes on to its own name, or else straight on."""
    near: dict[Point, list[Point]] = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    mate: dict[Side, Point] = {}  # (from, at) -> to
    for at, others in near.items():
        pairs = sorted(
            (links[order(at, one)] != links[order(at, other)], _turn(one, at, other), one, other)
            for place, one in enumerate(others)
            for other in others[place + 1 :]
        )
        used: set[Point] = set()
        for _apart, _bend, one, other in pairs:
            if not {one, other} & used:
                used |= {one, other}
                mate[one, at], mate[other, at] = other, one
    done: set[Side] = set()
    lines = []
    starts = [(a, b) for a, b in links if (b, a) not in mate] + [(b, a) for a, b in links if (a, b) not in mate]
    for first in (*starts, *links):
        if order(*first) in done:
            continue
        line = [*first]
        done.add(order(*first))
        while (to := mate.get((line[-2], line[-1]))) and order(line[-1], to) not in done:
            done.add(order(line[-1], to))
            line.append(to)
        lines.append(line)
    return lines


def _turn(a: Point, at: Point, b: Point) -> int:
    """Return how far a way is from straight on, for steps of equal length."""
    return (a[0] - at[0]) * (b[0] - at[0]) + (a[1] - at[1]) * (b[1] - at[1])


@lru_cache(maxsize=8)
def find_streams(regions: tuple[Region, ...], edges: tuple[Edge, ...]) -> dict[Side, Edge]:
    """Return the river of each hexside that has a river."""
    outlines = {region.id: region.outline for region in regions}
    found = {}
    for edge in edges:
        if edge.kind in WET:
            there = {*outlines.get(edge.b, ())}
            shared = [point for point in outlines.get(edge.a, ()) if point in there]
            if len(shared) == 2:
                found[order(*shared)] = edge
    return found


def _measure_ages(lines: Sequence[Sequence[Point]], rim: set[Point], frame: Frame) -> dict[Side, int]:
    """Return the distance of each hexside from the source: the end inside the map, farther from the frame."""
    near: dict[Point, list[Point]] = {}
    for a, b in (side for line in lines for side in pairwise(line)):
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    ends = {point for point, others in near.items() if len(others) == 1 and point not in rim}
    for first, *_way, last in lines:
        if {first, last} <= ends:
            ends.remove(min(first, last, key=lambda at: find_exit(at, frame)))
    queue = deque((point, 0) for point in near if point in ends)
    ages: dict[Side, int] = {}
    while queue:
        point, far = queue.popleft()
        for to in near[point]:
            if (side := order(point, to)) not in ages:
                ages[side] = far
                queue.append((to, far + 1))
    return ages


@lru_cache(maxsize=8)
def draw_rivers(regions: tuple[Region, ...], edges: tuple[Edge, ...]) -> str:
    """Return the rivers: thin at the source, and drawn up to the frame at the map's rim. Major rivers have banks."""
    wet = find_streams(regions, edges)
    meeting = Counter(point for region in regions for point in region.outline)
    rim = {point for point, many in meeting.items() if many < 3}
    lines, frame = chain({side: edge.name or edge.kind for side, edge in wet.items()}), find_frame(regions)
    ages = _measure_ages(lines, rim, frame)
    ways = [*map(_list_spots, lines)]
    passed = {  # where a line passes its corners: other rivers end there
        line[at]: find_between(find_between(way[2 * at - 1], way[2 * at + 1]), way[2 * at], 75)
        for line, way in zip(lines, ways, strict=True)
        for at in range(1, len(line) - 1)
    }
    drawn: dict[str, list[str]] = {}
    for line, way in zip(lines, ways, strict=True):
        names = ((wet[side].kind, min(ages.get(side, OLDEST), OLDEST)) for side in starmap(order, pairwise(line)))
        kinds = [kind if kind != WET[0] else f"{kind} w{age}" for kind, age in names]
        for end in (0, -1):
            way[end] = passed.get(line[end], find_exit(way[end], frame)[1] if line[end] in rim else way[end])
        end = 0
        for kind, same in groupby(kinds):
            start, end = end, end + len([*same])
            drawn.setdefault(kind, []).append(curve(way, 2 * start, 2 * end - (end == len(kinds))))
    paths = sorted(((kind, "".join(parts)) for kind, parts in drawn.items()), reverse=True)
    banks = [f'<path class="edge casing {kind}" d="{path}"/>' for kind, path in paths if kind == WET[1]]
    return "".join((*banks, *(f'<path class="edge {kind}" d="{path}"/>' for kind, path in paths)))


def find_exit(point: Point, frame: Frame) -> tuple[int, Point]:
    """Return the nearest point of a frame, where a line leaves the map: (distance, point)."""
    (x, y), (left, top, right, bottom) = point, frame
    ways = ((x - left, (left, y)), (y - top, (x, top)), (right - x, (right, y)), (bottom - y, (x, bottom)))
    return min(ways)


@lru_cache(maxsize=8)
def draw_rails(regions: tuple[Region, ...], links: tuple[tuple[str, str], ...]) -> str:
    """Return the railways as one path through hexes, straight through stations and curved elsewhere.

    A railway that ends in a hex at the map's rim continues off the map.
    """
    frame = find_frame(regions)
    middles = {region.id: find_middle(region.outline) for region in regions}
    ways = dict.fromkeys((order(middles[a], middles[b]) for a, b in links if {a, b} <= middles.keys()), "")
    meeting = Counter(point for side in ways for point in side)
    drawn = []
    for way in chain(ways):
        leaves = [
            [out] * (meeting[end] == 1 and far <= _RIM)
            for end in (way[0], way[-1])
            for far, out in [find_exit(end, frame)]
        ]
        line = [*leaves[0], *way, *leaves[1]]
        spots = [line[0]]
        for a, b in pairwise(line):
            spots += [find_between(a, b), *([b, b] if meeting[b] > 2 and b != line[-1] else [shake(b, 120)])]
        drawn.append(curve([*spots[:-1], line[-1]]))
    return "".join(drawn)


@lru_cache(maxsize=8)
def draw_sea(regions: tuple[Region, ...], sea: tuple[tuple[Point, ...], ...]) -> str:
    """Return the outline of the sea hexes, continued up to the frame."""
    frame, wet = find_frame(regions), dict.fromkeys(sea)
    for outline in sea:
        x, y = find_middle(outline)
        for a, b in _list_pairs(outline):
            across, down = a[0] + b[0] - 2 * x, a[1] + b[1] - 2 * y
            if not frame[0] < x + across < frame[2] or not frame[1] < y + down < frame[3]:
                wet[tuple((left + across, top + down) for left, top in outline)] = None
    return "".join(soften(loop, frame) for loop in find_borders(wet)) if sea else ""
