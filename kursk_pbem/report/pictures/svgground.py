"""The fixed parts of an SVG map: ground, hexsides, zones, places, marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise, starmap
from textwrap import wrap

from kursk_pbem.kernel.picture import PLANE, Picture, Point, Region, find_middle
from kursk_pbem.report.pictures import svgfront, svgland, svgtable, svgtext
from kursk_pbem.report.pictures.svgstyle import HUES, of_side
from kursk_pbem.report.pictures.svgtext import attribute, element, escape

Name = tuple[str, str, svgtext.Spot]
NAME = 205
"""Size of a place's name."""
BELOW = 812
"""Distance of a name that a page places from the middle of its hex."""
_ABOVE = 140  # distance of a river's name from the river
_SPOTS = (((0, -720), {"up", "rail up"}), ((-240, -720), {"up", "up left"}), ((240, -720), {"up", "up right"}))
_LOW_SPOTS = (
    ((0, 815), {"down", "rail down"}),
    ((-240, 815), {"down", "down left"}),
    ((240, 815), {"down", "down right"}),
)
_INNER_SPOTS = (
    ((0, -672), {"rail up"}),
    ((-225, -672), {"up left"}),
    ((225, -672), {"up right"}),
    ((-225, -672), set[str]()),
)
"""Places of a hex's number from its middle, the best first, with the sides that must have no water and no railway.
The low places are for hexes without a city, because its name is there; the inner places almost touch a counter."""
_STAR = 260  # half the width of the objective's star
_REACH = 18  # hexsides of a river for each name
_BUILT = {"major-city": 84, "city": 70}  # size of a city in hundredths of a hex


def draw_ground(picture: Picture, *, grid: bool = True, texture: bool = True) -> str:
    """Return the ground: a path for the hexes of each terrain, and a frame; or the table top with its edge.

    ``grid``: show the hexes. ``texture``: show trees, reeds and hills.
    """
    if picture.form == PLANE:
        return svgtable.draw_table(picture)
    return _draw_land(picture.regions, grid=grid, texture=texture) if picture.regions else ""


@lru_cache(maxsize=8)
def _draw_land(regions: tuple[Region, ...], *, grid: bool, texture: bool) -> str:
    """Return areas with irregular edges to the frame, over clear ground; then the hexes as thin lines."""
    frame = svgland.find_frame(regions)
    kinds: dict[str, list[Sequence[Point]]] = {}
    for region in regions:
        kinds.setdefault(region.terrain, []).append(region.outline)
    for kind, outline in svgland.list_rim(regions, frame):
        kinds.setdefault(kind or "void", []).append(outline)
    left, top, right, bottom = (end // 10 for end in frame)
    out = []
    for kind in ("clear", *sorted(kinds.keys() - {"clear", "void"}, reverse=True), "void"):
        if kind == "clear":
            path = f"M{left} {top}H{right}V{bottom}H{left}z"
        else:
            path = "".join(
                svgland.soften(loop, frame) for loop in map(svgland.reshape, svgland.find_borders(kinds.get(kind, ())))
            )
        if path:
            out.append(f'<path class="{"void" if kind == "void" else f"ground {kind}"}" d="{path}"/>')
            out += [f'<path class="over {kind}" d="{path}"/>'] if texture and kind != "void" else []
    if grid:
        out.append(f'<path class="grid" d="{svgland.list_sides(regions)}"/>')
    return svgland.wrap("".join((*out, svgland.draw_neat(frame))))


def draw_numbers(picture: Picture) -> str:
    """Return the numbers of the hexes, clear of counters, water and railways. A table top has no numbers: ''."""
    if picture.form == PLANE or not picture.regions:
        return ""
    middles = {region.id: find_middle(region.outline) for region in picture.regions}
    crossed = _find_crossed(picture, middles)
    cities = {place.at for place in picture.places}
    labels = []
    for region in picture.regions:
        (x, y), sides = middles[region.id], crossed.get(region.id, set())
        spots = (*_SPOTS, *(() if region.id in cities else _LOW_SPOTS), *_INNER_SPOTS)
        right, down = next(spot for spot, needed in spots if not needed & sides)
        labels.append(f'<text x="{x + right}" y="{y + down}">{escape(region.id)}</text>')
    return element("g", "".join(labels), class_="numbers")


def _find_crossed(picture: Picture, middles: Mapping[str, Point]) -> dict[str, set[str]]:
    """Return the sides of each hex with water ("up", "up left") or with a railway ("rail up")."""
    found: dict[str, set[str]] = {}
    links = [("", edge.a, edge.b) for edge in picture.edges if edge.kind in svgland.WET]
    links += [("rail ", line.a, line.b) for line in picture.lines]
    for word, a, b in links:
        if a in middles and b in middles:
            for one, other in ((a, b), (b, a)):
                (x, y), (to_x, to_y) = middles[one], middles[other]
                aside = "" if x == to_x else " left" if to_x < x else " right"
                found.setdefault(one, set()).add(f"{word}{'up' if to_y < y else 'down'}{aside}")
    return found


def area(outlines: Iterable[Sequence[Point]]) -> str:
    """Return the outline of several hexes as one path. Hexsides between these hexes are left out."""
    return "".join(map(_outline, svgland.find_borders(outlines)))


def _outline(points: Sequence[Point]) -> str:
    """Return a closed line, written as steps from corner to corner."""
    steps = (number for (ax, ay), (bx, by) in pairwise(points) for number in (bx - ax, by - ay))
    return f"M{points[0][0]} {points[0][1]}l{svgland.join(steps)}z"


def draw_hit_areas(picture: Picture) -> str:
    """Return every hex as a separate shape that a page can click."""
    return "".join(f'<path id="at-{escape(region.id)}" d="{_outline(region.outline)}"/>' for region in picture.regions)


def draw_edges(picture: Picture) -> str:
    """Return the rivers, and the sea drawn over the mouths of the rivers."""
    sea = svgland.draw_sea(picture.regions, picture.sea)
    drawn = f'<path class="sea" d="{sea}"/>' if sea else ""
    return svgland.wrap(svgland.draw_rivers(picture.regions, picture.edges) + drawn)


def draw_river_names(picture: Picture, names: Sequence[Name] | None = None) -> str:
    """Return the names of the rivers, written along the river every few hexsides, if possible away from pieces.

    ``names``: the names of places in a file (``list_names``). A river's name is left out where it would touch a counter
    or a place's name.
    """
    said = [] if names is None else _list_boxes(picture, names)
    wet = svgland.find_streams(picture.regions, picture.edges)
    taken = {a.at for a in picture.pieces} | {b.at for b in picture.places} | {c.at for c in picture.marks}
    crowded = {side: len({edge.a, edge.b} & taken) for side, edge in wet.items()}
    out = list[str]()
    for line in svgland.chain({side: edge.name for side, edge in wet.items() if edge.name}):
        name, sides = wet[svgland.order(*line[:2])].name, [*starmap(svgland.order, pairwise(line))]
        need = max(3, len(name) * 2 // 5 + 1)
        for first in range(0, max(1, len(sides) - _REACH // 2), _REACH):
            spans = sorted(
                (sum(crowded[side] for side in sides[at : at + need]), abs(line[at + need][1] - line[at][1]), at)
                for at in range(first, min(first + _REACH - need, len(sides) - need + 1))
                if all(wet[side].name == name for side in sides[at : at + need])
            )
            ways = ((way, _find_course(way)) for *_rank, at in spans for way in [line[at : at + need + 1]])
            free = (way for way, box in ways if not any(svgtext.share(box, other) for other in said))
            out += [_write_along(name, way, len(out)) for way in islice(free, 1)]
    return svgland.wrap("".join(out))


def _find_course(way: Sequence[Point]) -> svgtext.Box:
    """Return a box around the name on a stretch of a river: letters end before the ends of the stretch."""
    cut = len(way) // 6
    xs, ys = zip(*map(svgland.find_between, way[cut:], way[cut + 1 : len(way) - cut]), strict=False)
    return min(xs) - 200, min(ys) - 300, max(xs) + 200, max(ys) + 150


def _write_along(name: str, way: Sequence[Point], number: int) -> str:
    """Return a name above a stretch of a river, from left to right."""
    way = way if way[0][0] <= way[-1][0] else way[::-1]
    spots = (way[0], *map(svgland.find_between, way[:-1], way[1:]), way[-1])  # shorter, it would cut off letters
    up = svgland.curve([(x, y - _ABOVE) for x, y in spots])
    return (
        f'<path id="course-{number}" fill="none" d="{up}"/><text class="stream">'
        f'<textPath href="#course-{number}" startOffset="50%">{escape(name)}</textPath></text>'
    )


def draw_lines(picture: Picture) -> str:
    """Return the lines between the centers of hexes, one path for each kind. Railways have ties."""
    kinds = sorted({line.kind for line in picture.lines})
    links = {kind: tuple((line.a, line.b) for line in picture.lines if line.kind == kind) for kind in kinds}
    paths = {kind: svgland.draw_rails(picture.regions, ways) for kind, ways in links.items()}
    return svgland.wrap(
        "".join(
            f'<path class="line{more} {kind}" d="{path}"/>' for kind, path in paths.items() for more in ("", " ties")
        )
    )


def draw_zones(picture: Picture, side: str, sides: Sequence[str]) -> str:
    """Return the zones of control of a side as a hatched area."""
    outlines = {region.id: region.outline for region in picture.regions}
    return "".join(
        f'<path class="zone {of_side(side, sides)}" d="{area(outlines[at] for at in zone.at)}"/>'
        for zone in picture.zones
        if zone.side == side and zone.at
    )


def shade_unreached(picture: Picture, side: str, sides: Sequence[str]) -> str:
    """Return the hexes without communication for a side, shaded, or '' in systems without communication."""
    for zone in picture.reached:
        if zone.side == side:
            inside = set(zone.at)
            out = area(region.outline for region in picture.regions if region.id not in inside)
            return f'<path class="unreached {of_side(side, sides)}" d="{out}"/>'
    return ""


def draw_formations(picture: Picture, hues: Mapping[str, int]) -> str:
    """Return the hexes of every formation, filled with the color of the formation's stripe."""
    outlines = {region.id: region.outline for region in picture.regions}
    areas: dict[str, list[Sequence[Point]]] = {}
    for piece in picture.pieces:
        if piece.formation and piece.at in outlines:
            areas.setdefault(piece.formation, []).append(outlines[piece.at])
    return "".join(
        f'<path class="formation hue-{hues[name] % HUES}" d="{area(drawn)}"><title>{escape(name)}</title></path>'
        for name, drawn in sorted(areas.items())
    )


def draw_places(picture: Picture, sides: Sequence[str] = (), names: Sequence[Name] | None = None) -> str:
    """Return cities and other named places: their ground and their names. ``names``: the result of ``list_names``."""
    regions = {region.id: region for region in picture.regions}
    out = [draw_town(regions[each.at].outline, each.kind) for each in picture.places if each.at in regions]
    towns = (find_middle(regions[at].outline) for at, _name in picture.names if at in regions)
    out.append(svgland.wrap("".join(f'<circle class="town" cx="{x // 10}" cy="{y // 10}" r="8"/>' for x, y in towns)))
    for kind, name, (x, y, size) in list_names(picture) if names is None else names:
        out.append(f'<text class="name {kind}" x="{x}" y="{y}" font-size="{size}">{escape(name)}</text>')
    for place in picture.places:
        if place.at in regions:
            continue
        if place.outline:
            out.append(svgtable.draw_zone(place, of_side(place.owner, sides)))
        elif picture.form == PLANE:
            x, y = place.spot
            out.append(svgtable.draw_hill(place.spot, place.far) if place.name in svgtable.HILLS else "")
            rings = ((place.far, ""), (150, " middle"))
            out += [f'<circle class="goal{kind}" cx="{x}" cy="{y}" r="{far}"/>' for far, kind in rings]
            lines = svgtable.stack(wrap(place.name, max(10, len(place.name) // 2 + 2)), x)
            out.append(f'<text class="name of-goal" x="{x}" y="{y + 200}" dy="1em">{lines}</text>')
    goals = [(place.spot, place.far) for place in picture.places if place.far]
    goals += [(piece.spot, 1_600) for piece in picture.pieces]  # a model with its barrel
    out += [svgtable.draw_ground_name(region, goals) for region in (picture.regions if picture.form == PLANE else ())]
    return element("g", "".join(out)) if any(out) else ""


def list_names(picture: Picture, frame: svgtext.Box | None = None, sheet: int = 0) -> list[Name]:
    """Return the names of cities as (kind, name, position). If a page moves names (``names.js``), all are below cities.

    ``frame``: the frame of a file. In a file the names are clear of counters. A place without room has no name.
    ``sheet``: the width of a printed sheet in map units, which decides the size of the letters.
    """
    middles = {region.id: find_middle(region.outline) for region in picture.regions}
    places = [(place.at, place.kind, place.name) for place in picture.places]
    places += [(at, svgtext.RANKS[-1], name) for at, name in picture.names]
    named = [(middles[at], kind, name) for at, kind, name in places if at in middles]
    spots: list[svgtext.Spot | None] = [(x, y + BELOW, NAME) for (x, y), _kind, _name in named]
    if frame is not None and named:
        left, top, right, bottom = svgland.find_frame(picture.regions)
        frame = max(frame[0], left), max(frame[1], top), min(frame[2], right), min(frame[3], bottom)
        ranked = [(at, svgtext.measure(name), svgtext.RANKS.index(kind)) for at, kind, name in named]
        stood = [middles[at] for at in dict.fromkeys(piece.at for piece in picture.pieces) if at in middles]
        stars = [
            find_star(middles[mark.at]) for mark in picture.marks if mark.kind == "objective" and mark.at in middles
        ]
        boxes = [(x - _STAR, y - _STAR, x + _STAR, y + _STAR) for x, y in stars]
        spots = svgtext.place_names(ranked, stood, frame, svgtext.find_sizes(sheet), boxes)
    return [(kind, name, spot) for (_at, kind, name), spot in zip(named, spots, strict=True) if spot]


def find_star(middle: Point) -> Point:
    """Return the place of the objective's star next to the middle of a hex."""
    return middle[0] + 700, middle[1]


def _list_boxes(picture: Picture, names: Sequence[Name]) -> list[svgtext.Box]:
    """Return the boxes of names and of counters."""
    there, far = {piece.at for piece in picture.pieces}, svgtext.COUNTER
    middles = (find_middle(region.outline) for region in picture.regions if region.id in there)
    boxes = [(x - far, y - far, x + far, y + far) for x, y in middles]
    return boxes + [svgtext.draw_box((x, y), svgtext.measure(name), size) for _kind, name, (x, y, size) in names]


def draw_flags(picture: Picture, sides: Sequence[str]) -> str:
    """Return a flag next to every place. The flag shows the place's owner."""
    regions = {region.id: region for region in picture.regions}
    out = []
    for place in picture.places:
        if place.at in regions and place.owner:
            (x, y), owner = find_middle(regions[place.at].outline), of_side(place.owner, sides)
            out.append(f'<use href="#flag-{owner}" class="flag {owner}" x="{x - 930}" y="{y - 90}"/>')
    return element("g", "".join(out)) if out else ""


def draw_town(outline: Sequence[Point], kind: str) -> str:
    """Return the buildings of a city with its sign."""
    at = x, y = find_middle(outline)
    part = _BUILT.get(kind, 62)
    built = svgland.blunt([svgland.find_between(at, spot, part + svgland.vary(spot, 9)) for spot in outline], 35)
    ground = f'<path class="place {kind}" d="{built}"/><path class="blocks" d="{built}"/>'
    x, y = x // 10, y // 10
    sign = f'<circle class="town {kind}" cx="{x}" cy="{y}" r="{25 if kind == "major-city" else 17}"/>'
    core = f'<circle class="town core" cx="{x}" cy="{y}" r="11"/>' if kind == "major-city" else ""
    return svgland.wrap(ground + sign + core)


def draw_marks(picture: Picture, sides: Sequence[str]) -> str:
    """Return the signs of marked hexes: teeth along fortified hexes, a star for the objective."""
    regions = {region.id: region for region in picture.regions}
    out = [svgland.wrap(svgfront.draw_works(picture, sides))]
    for mark in picture.marks:
        if mark.kind != "fortification" and mark.at in regions:
            x, y = find_star(find_middle(regions[mark.at].outline))
            words = f"mark {mark.kind} {of_side(mark.side, sides) if mark.side else 'nobody'}"
            out.append(f"<use{attribute(href=f'#{mark.kind}', class_=words, x=x, y=y)}/>")
    return element("g", "".join(out)) if any(out) else ""
