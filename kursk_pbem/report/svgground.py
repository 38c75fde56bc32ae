"""What of an SVG map does not move: ground, hexsides, zones, places, marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from kursk_pbem.kernel.picture import PLANE, Picture, Place, Point, Region
from kursk_pbem.report.svgstyle import HUES, of_side
from kursk_pbem.report.svgtext import attribute, element, escape, fitted

NAME, NUMBER = 205, 150
"""Size of a place's name, and of a hex's number."""
TABLE_NAME = 700
"""Size of a name on a table top, which is seen from farther away."""
_ROOM = 1_900  # map units that a name may take inside its hex
_INSET = 70  # how far inside its hexes the line round a fortified zone runs
_REACH = 18  # hexsides of a river to each of its names
_TABLE = ("table", "mottle", "turf")
_WET = ("river", "major-river")
_BUILT = 84  # hundredths of a hex that a city takes


def ground(picture: Picture, *, grid: bool = True) -> str:
    """Regions by terrain, each kind one path; a table top first gets its edge. Without a ``grid`` no hexes show."""
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
        out.append(_feet(picture))
    elif grid:
        out.append(f'<path class="grid" d="{"".join(_outline(region.outline) for region in picture.regions)}"/>')
    return element("g", "".join(out), class_="tabletop" if picture.form == PLANE else "")


def _feet(picture: Picture) -> str:
    """Lines every six inches across a table top, with the inches from the left and from the lower edge."""
    (width, height), unit = picture.size, picture.unit
    down, up = range(0, width + 1, 6 * unit), range(0, height + 1, 6 * unit)
    lines = [*(f"M{x} 0V{height}" for x in down), *(f"M0 {height - y}H{width}" for y in up)]
    inches = [
        *(f'<text class="inch" x="{x}" y="-150">{x // unit}</text>' for x in down),
        *(f'<text class="inch left" x="-150" y="{height - y + 200}">{y // unit}</text>' for y in up),
    ]
    return f'<path class="grid" d="{"".join(lines)}"/>{"".join(inches)}'


def numbers(picture: Picture) -> str:
    """The number of each hex at its upper side, clear of its counter; a table top has none."""
    labels = [
        f'<text x="{x}" y="{y - 700}">{escape(region.id)}</text>'
        for region in (() if picture.form == PLANE else picture.regions)
        for x, y in (_middle(region),)
    ]
    return element("g", "".join(labels), class_="numbers") if labels else ""


def area(outlines: Iterable[Sequence[Point]]) -> str:
    """The line round regions that may touch: a side that two of them share, one there and one back, is left out."""
    return "".join(map(_outline, borders(outlines)))


def borders(outlines: Iterable[Sequence[Point]]) -> Iterator[list[Point]]:
    """The same as corners: one line round each piece of ground, and one round each hole in it, the other way round."""
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


def inset(border: Sequence[Point], far: int) -> list[Point]:
    """A border of hexes, ``far`` inside them if it runs clockwise: it turns by 60 degrees at each corner."""
    out = []
    for (ax, ay), (bx, by), (cx, cy) in zip((border[-1], *border[:-1]), border, (*border[1:], border[0]), strict=True):
        long = isqrt((bx - ax) ** 2 + (by - ay) ** 2) * 3
        right, down = -(by - ay) - (cy - by), (bx - ax) + (cx - bx)
        out.append((bx + right * 2 * far // long, by + down * 2 * far // long))
    return out


def clockwise(points: Sequence[Point]) -> int:
    """1 if a line goes round as the hands of a clock do, -1 if the other way."""
    turned = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*points, points[0])))
    return 1 if turned > 0 else -1


def _outline(points: Sequence[Point]) -> str:
    """A closed line, written with steps from corner to corner."""
    (x, y), *rest = points
    steps = []
    for to_x, to_y in rest:
        steps += [to_x - x, to_y - y]
        x, y = to_x, to_y
    first = " ".join(map(str, points[0]))
    return f"M{first}l{' '.join(map(str, steps)).replace(' -', '-')}z"


def _middle(region: Region) -> Point:
    xs, ys = [x for x, _y in region.outline], [y for _x, y in region.outline]
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def hits(picture: Picture) -> str:
    """Every hex for itself, as the grid of a page that wants to know where one clicks."""
    return "".join(f'<path id="at-{escape(region.id)}" d="{_outline(region.outline)}"/>' for region in picture.regions)


def edges(picture: Picture) -> str:
    """What runs along hexsides: one path a kind, so that its joints are round."""
    outlines = {region.id: region.outline for region in picture.regions}
    kinds: dict[str, list[str]] = {}
    for edge in picture.edges:
        shared = [point for point in outlines.get(edge.a, ()) if point in set(outlines.get(edge.b, ()))]
        if len(shared) == 2:
            (x, y), (to_x, to_y) = shared
            kinds.setdefault(edge.kind, []).append(f"M{x} {y}L{to_x} {to_y}")
    paths = {kind: "".join(strokes) for kind, strokes in sorted(kinds.items())}
    banks = [f'<path class="edge casing {kind}" d="{path}"/>' for kind, path in paths.items() if kind in _WET]
    return "".join((*banks, *(f'<path class="edge {kind}" d="{path}"/>' for kind, path in paths.items())))


def streams(picture: Picture) -> str:
    """The names of rivers along them, one for so many hexsides: where nobody stands, if there is such a place."""
    outlines = {region.id: region.outline for region in picture.regions}
    taken = {piece.at for piece in picture.pieces} | {place.at for place in picture.places}
    courses: dict[str, list[tuple[tuple[bool, int, bool], Point]]] = {}
    for edge in picture.edges:
        shared = [point for point in outlines.get(edge.a, ()) if point in set(outlines.get(edge.b, ()))]
        if edge.name and len(shared) == 2:
            (x, y), (to_x, to_y) = shared
            worth = (bool({edge.a, edge.b} & taken), abs(to_y - y), edge.a not in taken)
            courses.setdefault(edge.name, []).append((worth, ((x + to_x) // 2, (y + to_y) // 2)))
    out = []
    for name, course in sorted(courses.items()):
        course.sort(key=lambda side: side[1][::-1])
        for first in range(0, max(1, len(course) - _REACH // 2), _REACH):
            _worth, (x, y) = min(course[first : first + _REACH])
            out.append(f'<text class="stream" x="{x}" y="{y + 65}">{escape(name)}</text>')
    return "".join(out)


def lines(picture: Picture) -> str:
    """What leads from the middle of one hex to the next, such as railways: a line with ticks, one path a kind."""
    middles = {region.id: _middle(region) for region in picture.regions}
    kinds: dict[str, list[str]] = {}
    for line in picture.lines:
        if line.a in middles and line.b in middles:
            (x, y), (to_x, to_y) = middles[line.a], middles[line.b]
            kinds.setdefault(line.kind, []).append(f"M{x} {y}L{to_x} {to_y}")
    return "".join(
        f'<path class="line {kind}" d="{"".join(strokes)}"/><path class="line ties {kind}" d="{"".join(strokes)}"/>'
        for kind, strokes in sorted(kinds.items())
    )


def zones(picture: Picture, side: str, sides: Sequence[str]) -> str:
    """The zones of control of a side, hatched."""
    outlines = {region.id: region.outline for region in picture.regions}
    return "".join(
        f'<path class="zone {of_side(side, sides)}" d="{area(outlines[at] for at in zone.at)}"/>'
        for zone in picture.zones
        if zone.side == side and zone.at
    )


def reached(picture: Picture, side: str, sides: Sequence[str]) -> str:
    """What lies out of communication for a side, shaded; '' where the system has no communication."""
    for zone in picture.reached:
        if zone.side == side:
            inside = set(zone.at)
            out = area(region.outline for region in picture.regions if region.id not in inside)
            return f'<path class="unreached {of_side(side, sides)}" d="{out}"/>'
    return ""


def formations(picture: Picture, hues: Mapping[str, int]) -> str:
    """The hexes of each formation in the colour of its stripe."""
    outlines = {region.id: region.outline for region in picture.regions}
    areas: dict[str, list[Sequence[Point]]] = {}
    for piece in picture.pieces:
        if piece.formation and piece.at in outlines:
            areas.setdefault(piece.formation, []).append(outlines[piece.at])
    return "".join(
        f'<path class="formation hue-{hues[name] % HUES}" d="{area(drawn)}"><title>{escape(name)}</title></path>'
        for name, drawn in sorted(areas.items())
    )


def places(picture: Picture, sides: Sequence[str] = ()) -> str:
    """Cities and other named places: their ground, and their names where no counter reaches."""
    regions = {region.id: region for region in picture.regions}
    out: list[str] = []
    for place in picture.places:
        if place.at in regions:
            out += _place(regions[place.at], place.name, place.kind)
        elif place.outline:
            out.append(_zone(place, of_side(place.owner, sides)))
        elif picture.form == PLANE:
            x, y = place.spot
            out.append(f'<circle class="goal" cx="{x}" cy="{y}" r="{place.far}"/>')
            out.append(f'<circle class="goal middle" cx="{x}" cy="{y}" r="150"/>')
            out.append(f'<text class="name" x="{x}" y="{y + 850}" font-size="{TABLE_NAME}">{escape(place.name)}</text>')
    for region in picture.regions if picture.form == PLANE else ():
        x, low = _middle(region)[0], max(y for _x, y in region.outline)
        name = escape(region.id.replace("-", " "))
        size = TABLE_NAME * 3 // 4
        out.append(f'<text class="name of-ground" x="{x}" y="{low + 700}" font-size="{size}">{name}</text>')
    return element("g", "".join(out)) if out else ""


def _zone(place: Place, owner: str) -> str:
    """Ground on a table top that is somebody's, with its name at its left edge."""
    left, low = min(x for x, _y in place.outline), place.spot[1]
    return (
        f'<path class="start {owner}" d="{_outline(place.outline)}"/>'
        f'<text class="name" text-anchor="start" x="{left + 300}" y="{low}" font-size="{TABLE_NAME}">'
        f"{escape(place.name)}</text>"
    )


def flags(picture: Picture, sides: Sequence[str]) -> str:
    """Beside each place the flag of the side that holds it."""
    regions = {region.id: region for region in picture.regions}
    out = []
    for place in picture.places:
        if place.at in regions and place.owner:
            (x, y), owner = _middle(regions[place.at]), of_side(place.owner, sides)
            out.append(f'<use href="#flag-{owner}" class="flag {owner}" x="{x - 930}" y="{y - 90}"/>')
    return element("g", "".join(out)) if out else ""


def _place(region: Region, name: str, kind: str) -> Iterator[str]:
    x, y = _middle(region)
    built = [(x + (a - x) * _BUILT // 100, y + (b - y) * _BUILT // 100) for a, b in region.outline]
    yield f'<path class="place {kind}" d="{_outline(built)}"/>'
    yield f'<circle class="town {kind}" cx="{x}" cy="{y}" r="{300 if kind == "major-city" else 200}"/>'
    size, _long = fitted(name, NAME, _ROOM)
    yield f'<text class="name {kind}" x="{x}" y="{y + 812}" font-size="{size}">{escape(name)}</text>'


@lru_cache(maxsize=64)
def _fortified(outlines: tuple[tuple[Point, ...], ...]) -> tuple[tuple[str, str], ...]:
    """The line inside of these hexes and its teeth. Most positions of a game have the same ones."""
    loops, way = list(borders(outlines)), clockwise(outlines[0])
    return tuple(
        (kind, "".join(_outline(inset(loop, way * far)) for loop in loops))
        for kind, far in (("", _INSET), (" teeth", _INSET // 2))
    )


def marks(picture: Picture, sides: Sequence[str]) -> str:
    """What lies in a region: one line round fortified hexes that touch, its teeth outwards; the objective a star."""
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
            x, y = _middle(regions[mark.at])
            out.append(f"<use{attribute(href=f'#{mark.kind}', class_=f'mark {mark.kind} {owner}', x=x + 700, y=y)}/>")
    for owner, outlines in sorted(forts.items()):
        for kind, line in _fortified(tuple(outlines)):
            out.append(f'<path class="fortification{kind} {owner}" d="{line}"/>')
    return element("g", "".join(out)) if out else ""
