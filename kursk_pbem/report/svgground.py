"""The fixed parts of an SVG map: ground, hexsides, zones, places, marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from kursk_pbem.kernel.picture import PLANE, Edge, Picture, Place, Point, Region, find_middle
from kursk_pbem.report.svgstyle import HUES, of_side
from kursk_pbem.report.svgtext import attribute, element, escape, fit_letters

NAME, NUMBER = 205, 150
"""Size of a place's name, and of a hex's number."""
TABLE_NAME = 700
"""Size of a name on a table top, which is seen from farther away."""
_ROOM = 1_900  # maximum width of a name inside a hex, in map units
_INSET = 70  # distance of a fortified zone's line from the hex edge
_REACH = 18  # hexsides of a river for each name
_TABLE = ("table", "mottle", "turf")
_WET = ("river", "major-river")
_CLEAR = 200  # distance of a name from an objective's ring
_CORNERS, _ROWS, _HALFWAY = 4, 10, 50  # of a roof: corners, hundredths between rows of tiles, the ridge
_BUILT = 84  # size of a city in hundredths of a hex


def draw_ground(picture: Picture, *, grid: bool = True) -> str:
    """Return regions by terrain, each kind as one path; a table top with its edge. ``grid``: show the hexes."""
    kinds: dict[str, list[Region]] = {}
    for region in picture.regions:
        kinds.setdefault(region.terrain, []).append(region)
    out = []
    if picture.form == PLANE:
        out += [element("rect", class_=kind, width=picture.size[0], height=picture.size[1]) for kind in _TABLE]
    drawn = {kind: area(region.outline for region in regions) for kind, regions in sorted(kinds.items())}
    out += [f'<path class="ground {kind}" d="{path}"/>' for kind, path in drawn.items()]
    out += [f'<path class="over {kind}" d="{path}"/>' for kind, path in drawn.items() if kind != "clear"]
    if picture.form == PLANE:
        out += [draw_roof(region.outline) for region in picture.regions if region.terrain == "village"]
        out.append(_draw_grid(picture))
    elif grid:
        out.append(f'<path class="grid" d="{"".join(_outline(region.outline) for region in picture.regions)}"/>')
    return element("g", "".join(out), class_="tabletop" if picture.form == PLANE else "")


def draw_roof(outline: Sequence[Point]) -> str:
    """Return the roof of a house with four corners: the ridge along the longer side, and the half out of the sun."""
    if len(outline) != _CORNERS:
        return ""
    long = [(bx - ax) ** 2 + (by - ay) ** 2 for (ax, ay), (bx, by) in pairwise((*outline, outline[0]))]
    a, b, c, d = outline if long[0] + long[2] >= long[1] + long[3] else (*outline[1:], outline[0])
    if a[1] + b[1] + a[0] + b[0] < c[1] + d[1] + c[0] + d[0]:
        a, b, c, d = c, d, a, b
    rows = [
        (_find_between(d, a, part), _find_between(c, b, part)) for part in range(_ROWS, 100, _ROWS) if part != _HALFWAY
    ]
    start, end = _find_between(d, a, _HALFWAY), _find_between(c, b, _HALFWAY)
    tiles, ridge = (
        "".join(f"M{x} {y}L{to_x} {to_y}" for (x, y), (to_x, to_y) in way) for way in (rows, [(start, end)])
    )
    return (
        f'<path class="roof" d="{_outline(outline)}"/><path class="roof dark" d="{_outline((a, b, end, start))}"/>'
        f'<path class="tiles" d="{tiles}"/><path class="ridge" d="{ridge}"/>'
    )


def _find_between(a: Point, b: Point, part: int) -> Point:
    """Return the point at a hundredth of the way from ``a`` to ``b``."""
    return a[0] + (b[0] - a[0]) * part // 100, a[1] + (b[1] - a[1]) * part // 100


def _draw_grid(picture: Picture) -> str:
    """Return lines every six inches across a table top, numbered from the left and from the lower edge."""
    (width, height), unit = picture.size, picture.unit
    down, up = range(0, width + 1, 6 * unit), range(0, height + 1, 6 * unit)
    lines = [*(f"M{x} 0V{height}" for x in down), *(f"M0 {height - y}H{width}" for y in up)]
    inches = [
        *(f'<text class="inch" x="{x}" y="-150">{x // unit}</text>' for x in down),
        *(f'<text class="inch left" x="-150" y="{height - y + 200}">{y // unit}</text>' for y in up),
    ]
    return f'<path class="grid" d="{"".join(lines)}"/>{"".join(inches)}'


def draw_numbers(picture: Picture) -> str:
    """Return the number of each hex at the upper side, clear of counters. A table top has no numbers."""
    labels = [
        f'<text x="{x}" y="{y - 700}">{escape(region.id)}</text>'
        for region in (() if picture.form == PLANE else picture.regions)
        for x, y in (find_middle(region.outline),)
    ]
    return element("g", "".join(labels), class_="numbers") if labels else ""


def area(outlines: Iterable[Sequence[Point]]) -> str:
    """Return the outline of regions that may touch. Shared sides are omitted."""
    return "".join(map(_outline, find_borders(outlines)))


def find_borders(outlines: Iterable[Sequence[Point]]) -> Iterator[list[Point]]:
    """Yield the corners of each outline of touching regions; holes run the other way."""
    ends: dict[tuple[Point, Point], None] = {}
    for points in dict.fromkeys(map(tuple, outlines)):
        for a, b in pairwise((*points, points[0])):
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


def inset_border(border: Sequence[Point], far: int) -> list[Point]:
    """Return a border of hexes ``far`` inside the hexes if clockwise: each corner turns by 60 degrees."""
    out = []
    for (ax, ay), (bx, by), (cx, cy) in zip((border[-1], *border[:-1]), border, (*border[1:], border[0]), strict=True):
        long = isqrt((bx - ax) ** 2 + (by - ay) ** 2) * 3
        right, down = -(by - ay) - (cy - by), (bx - ax) + (cx - bx)
        out.append((bx + right * 2 * far // long, by + down * 2 * far // long))
    return out


def find_direction(points: Sequence[Point]) -> int:
    """Return 1 for a clockwise line, otherwise -1."""
    turned = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*points, points[0])))
    return 1 if turned > 0 else -1


def _outline(points: Sequence[Point]) -> str:
    """Return a closed line, written as steps from corner to corner."""
    (x, y), *rest = points
    steps = []
    for to_x, to_y in rest:
        steps += [to_x - x, to_y - y]
        x, y = to_x, to_y
    first = " ".join(map(str, points[0]))
    return f"M{first}l{' '.join(map(str, steps)).replace(' -', '-')}z"


def draw_hit_areas(picture: Picture) -> str:
    """Return each hex as a separate shape, for clicks on a page."""
    return "".join(f'<path id="at-{escape(region.id)}" d="{_outline(region.outline)}"/>' for region in picture.regions)


def _find_sides(picture: Picture) -> Iterator[tuple[Edge, Point, Point]]:
    """Yield the features along hexsides, each with both ends of its side."""
    outlines = {region.id: region.outline for region in picture.regions}
    for edge in picture.edges:
        shared = [point for point in outlines.get(edge.a, ()) if point in set(outlines.get(edge.b, ()))]
        if len(shared) == 2:
            yield edge, shared[0], shared[1]


def draw_edges(picture: Picture) -> str:
    """Return the features along hexsides: one path a kind, for round joints."""
    kinds: dict[str, list[str]] = {}
    for edge, (x, y), (to_x, to_y) in _find_sides(picture):
        kinds.setdefault(edge.kind, []).append(f"M{x} {y}L{to_x} {to_y}")
    paths = {kind: "".join(strokes) for kind, strokes in sorted(kinds.items())}
    banks = [f'<path class="edge casing {kind}" d="{path}"/>' for kind, path in paths.items() if kind in _WET]
    return "".join((*banks, *(f'<path class="edge {kind}" d="{path}"/>' for kind, path in paths.items())))


def draw_river_names(picture: Picture) -> str:
    """Write each river's name along the river, once in every few hexsides, if possible away from pieces."""
    taken = {piece.at for piece in picture.pieces} | {place.at for place in picture.places}
    courses: dict[str, list[tuple[tuple[bool, int, bool], Point]]] = {}
    for edge, (x, y), (to_x, to_y) in _find_sides(picture):
        if edge.name:
            worth = (bool({edge.a, edge.b} & taken), abs(to_y - y), edge.a not in taken)
            courses.setdefault(edge.name, []).append((worth, ((x + to_x) // 2, (y + to_y) // 2)))
    out = []
    for name, course in sorted(courses.items()):
        course.sort(key=lambda side: side[1][::-1])
        for first in range(0, max(1, len(course) - _REACH // 2), _REACH):
            _worth, (x, y) = min(course[first : first + _REACH])
            out.append(f'<text class="stream" x="{x}" y="{y + 65}">{escape(name)}</text>')
    return "".join(out)


def draw_lines(picture: Picture) -> str:
    """Return lines between middles of hexes, such as railways: with ticks, one path a kind."""
    middles = {region.id: find_middle(region.outline) for region in picture.regions}
    kinds: dict[str, list[str]] = {}
    for line in picture.lines:
        if line.a in middles and line.b in middles:
            (x, y), (to_x, to_y) = middles[line.a], middles[line.b]
            kinds.setdefault(line.kind, []).append(f"M{x} {y}L{to_x} {to_y}")
    return "".join(
        f'<path class="line {kind}" d="{"".join(strokes)}"/><path class="line ties {kind}" d="{"".join(strokes)}"/>'
        for kind, strokes in sorted(kinds.items())
    )


def draw_zones(picture: Picture, side: str, sides: Sequence[str]) -> str:
    """Return the zones of control of a side, hatched."""
    outlines = {region.id: region.outline for region in picture.regions}
    return "".join(
        f'<path class="zone {of_side(side, sides)}" d="{area(outlines[at] for at in zone.at)}"/>'
        for zone in picture.zones
        if zone.side == side and zone.at
    )


def shade_unreached(picture: Picture, side: str, sides: Sequence[str]) -> str:
    """Return the area out of communication for a side, shaded; '' in systems without communication."""
    for zone in picture.reached:
        if zone.side == side:
            inside = set(zone.at)
            out = area(region.outline for region in picture.regions if region.id not in inside)
            return f'<path class="unreached {of_side(side, sides)}" d="{out}"/>'
    return ""


def draw_formations(picture: Picture, hues: Mapping[str, int]) -> str:
    """Return the hexes of each formation in the color of its stripe."""
    outlines = {region.id: region.outline for region in picture.regions}
    areas: dict[str, list[Sequence[Point]]] = {}
    for piece in picture.pieces:
        if piece.formation and piece.at in outlines:
            areas.setdefault(piece.formation, []).append(outlines[piece.at])
    return "".join(
        f'<path class="formation hue-{hues[name] % HUES}" d="{area(drawn)}"><title>{escape(name)}</title></path>'
        for name, drawn in sorted(areas.items())
    )


def draw_places(picture: Picture, sides: Sequence[str] = ()) -> str:
    """Return cities and other named places: the ground, and the names clear of counters."""
    regions = {region.id: region for region in picture.regions}
    out: list[str] = []
    for place in picture.places:
        if place.at in regions:
            out += _draw_place(regions[place.at], place.name, place.kind)
        elif place.outline:
            out.append(_draw_zone(place, of_side(place.owner, sides)))
        elif picture.form == PLANE:
            x, y = place.spot
            out.append(f'<circle class="goal" cx="{x}" cy="{y}" r="{place.far}"/>')
            out.append(f'<circle class="goal middle" cx="{x}" cy="{y}" r="150"/>')
            out.append(f'<text class="name" x="{x}" y="{y + 850}" font-size="{TABLE_NAME}">{escape(place.name)}</text>')
    goals = [(place.spot, place.far) for place in picture.places if place.far]
    out += [_draw_ground_name(region, goals) for region in (picture.regions if picture.form == PLANE else ())]
    return element("g", "".join(out)) if out else ""


def _draw_ground_name(region: Region, goals: Sequence[tuple[Point, int]]) -> str:
    """Return the name of ground on a table top: below the ground, or at the first side outside of all objectives."""
    size, name = TABLE_NAME * 3 // 4, region.id.replace("-", " ")
    (x, y), wide = find_middle(region.outline), len(name) * size * 3 // 5
    xs, ys = [x for x, _y in region.outline], [y for _x, y in region.outline]
    spots = (
        ("middle", x, max(ys) + 700, wide // 2),
        ("end", min(xs) - 250, y + 200, wide),
        ("start", max(xs) + 250, y + 200, 0),
        ("middle", x, min(ys) - 250, wide // 2),
    )
    clear = (
        spot
        for spot in spots
        if not any(_reaches((spot[1] - spot[3], spot[2] - size, wide, size), *goal) for goal in goals)
    )
    anchor, x, y, _left = next(clear, spots[0])
    held = "" if anchor == "middle" else f' text-anchor="{anchor}"'
    return f'<text class="name of-ground"{held} x="{x}" y="{y}" font-size="{size}">{escape(name)}</text>'


def _reaches(box: tuple[int, int, int, int], middle: Point, far: int) -> bool:
    """Return whether a box, as left, top, width, height, reaches into a circle."""
    left, top, wide, high = box[0] - middle[0], box[1] - middle[1], box[2], box[3]
    return max(left, 0, -left - wide) ** 2 + max(top, 0, -top - high) ** 2 < (far + _CLEAR) ** 2


def _draw_zone(place: Place, owner: str) -> str:
    """Return owned ground on a table top, with the name at the left edge."""
    left, low = min(x for x, _y in place.outline), place.spot[1]
    return (
        f'<path class="start {owner}" d="{_outline(place.outline)}"/>'
        f'<text class="name" text-anchor="start" x="{left + 300}" y="{low}" font-size="{TABLE_NAME}">'
        f"{escape(place.name)}</text>"
    )


def draw_flags(picture: Picture, sides: Sequence[str]) -> str:
    """Return the flag of the owner next to each place."""
    regions = {region.id: region for region in picture.regions}
    out = []
    for place in picture.places:
        if place.at in regions and place.owner:
            (x, y), owner = find_middle(regions[place.at].outline), of_side(place.owner, sides)
            out.append(f'<use href="#flag-{owner}" class="flag {owner}" x="{x - 930}" y="{y - 90}"/>')
    return element("g", "".join(out)) if out else ""


def _draw_place(region: Region, name: str, kind: str) -> Iterator[str]:
    x, y = find_middle(region.outline)
    built = [(x + (a - x) * _BUILT // 100, y + (b - y) * _BUILT // 100) for a, b in region.outline]
    yield f'<path class="place {kind}" d="{_outline(built)}"/>'
    yield f'<circle class="town {kind}" cx="{x}" cy="{y}" r="{300 if kind == "major-city" else 200}"/>'
    size, _long = fit_letters(name, NAME, _ROOM)
    yield f'<text class="name {kind}" x="{x}" y="{y + 812}" font-size="{size}">{escape(name)}</text>'


@lru_cache(maxsize=64)
def _draw_fortifications(outlines: tuple[tuple[Point, ...], ...]) -> tuple[tuple[str, str], ...]:
    """Return the line inside fortified hexes with teeth. Most positions of a game share the result."""
    loops, way = list(find_borders(outlines)), find_direction(outlines[0])
    return tuple(
        (kind, "".join(_outline(inset_border(loop, way * far)) for loop in loops))
        for kind, far in (("", _INSET), (" teeth", _INSET // 2))
    )


def draw_marks(picture: Picture, sides: Sequence[str]) -> str:
    """Return the marks of regions: a line with outward teeth round fortified hexes, a star for the objective."""
    regions = {region.id: region for region in picture.regions}
    out = []
    forts: dict[str, list[tuple[Point, ...]]] = {}
    for mark in picture.marks:
        if mark.at not in regions:
            continue
        owner = of_side(mark.side, sides) if mark.side else "nobody"
        if mark.kind == "fortification":
            forts.setdefault(owner, []).append(regions[mark.at].outline)
        else:
            x, y = find_middle(regions[mark.at].outline)
            out.append(f"<use{attribute(href=f'#{mark.kind}', class_=f'mark {mark.kind} {owner}', x=x + 700, y=y)}/>")
    for owner, outlines in sorted(forts.items()):
        for kind, line in _draw_fortifications(tuple(outlines)):
            out.append(f'<path class="fortification{kind} {owner}" d="{line}"/>')
    return element("g", "".join(out)) if out else ""
