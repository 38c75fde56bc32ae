"""A table top: its ground, and overlays for planning: lines of sight, ranges, possible ends of moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from math import isqrt

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.picture import SIGHTS, Picture, Piece, Place, Point, Region, Sight, find_middle
from kursk_pbem.report.pictures import svgland
from kursk_pbem.report.pictures.svgcounters import find_label
from kursk_pbem.report.pictures.svgtext import attribute, element, escape

LEGEND = 800
"""Height of the legend below a picture, in map units."""
_SEEN = ("clear", "obscured")
_BEYOND = 112  # place of an arc's word on its line, in hundredths: after the end
_GROUP = (3_500, 3_500)  # targets nearer to each other than this share a pill
_APART = 9_500
_BESIDE = tuple((x, y) for far in (800, 1_300) for y in (-far, far, 0) for x in (far, -far))
"""Places of a sign, from the middle of a model: the first that is clear is taken."""
_LETTER = 132  # half the width of a letter of a model's name
_AWAY = 560  # distance between the middles of a sign and of a name or number
_WORDS = 5_000  # half the width of a range's words
_FLANKS = ((866, 500), (-866, 500), (707, 707), (-707, 707), (500, 866), (-500, 866), (259, 966), (-259, 966))

NAME = 700
"""Size of a name on a table top, which is seen from farther away than hexes."""
_TABLE = ("table", "mottle", "turf")
_CLEAR, _BESIDE_GROUND = 200, 320  # distances of a name from an objective's ring and from the ground that it names
_CORNERS, _ROWS, _HALFWAY = 4, 10, 50  # of a roof: corners, hundredths between rows of tiles, the ridge
_BUSH = 1_100  # distance of the bulges of a wood's edge
_SLOPES, _STROKE = {"hill": 420, "rough": -300}, 300  # length of the strokes by ground, distance between strokes
_QUARTER = ((1000, 0), (866, 500), (500, 866))
_ROUND = (*_QUARTER, *((-y, x) for x, y in _QUARTER), *((-x, -y) for x, y in _QUARTER), *((y, -x) for x, y in _QUARTER))
"""Points of a circle, in thousandths of its radius."""
_CHIMNEY = '<path class="chimney" d="M40-50h34v34h-34z"/>'
_HOUSES = {
    "church": '<path class="roof" d="M-62-62h124v124h-124z"/><path class="tiles" d="M-62-62l124 124m0-124l-124 124"/>'
    '<path class="cross" d="M0-38v76M-24-12h48"/>',
    "mill": '<circle class="roof" r="48"/><path class="sails" d="M-130-130l260 260m0-260l-260 260"/>',
}
"""Signs of houses by a word of the name."""

HILLS = ("the hill with the dug-out",)
"""Names of the objectives that are hills. No other objective has a drawn hill, whatever its name."""
OUTCOMES = {
    "missed": ("\u2013", "the last shot at the model missed"),
    "saved": ("\u2713", "the model was hit and saved"),
    "struck": ("\u2715", "the model was hit and did not save"),
}
"""Result of shots -> sign on the table and explanation."""


def draw_table(picture: Picture) -> str:
    """Return the ground of a table top: roads, woods, water, orchards and houses, and a line every six inches."""
    kinds: dict[str, list[Region]] = {}
    for region in picture.regions:
        kinds.setdefault(region.terrain, []).append(region)
    out = []
    for edge in ("", " rut"):
        path = "".join(svgland.curve(way) for way in picture.roads)
        out += [f'<path class="lane{edge}" d="{path}"/>'] if path else []
    out += [draw_areas(kind, regions) for kind, regions in sorted(kinds.items())]
    out.append(svgland.draw_neat((0, 0, *picture.size)))
    ground = [element("rect", class_=kind, width=picture.size[0], height=picture.size[1]) for kind in _TABLE]
    return element("g", "".join(ground) + svgland.wrap("".join(out)) + _draw_grid(picture), class_="tabletop")


def draw_areas(kind: str, regions: Sequence[Region]) -> str:
    """Return the areas with one kind of ground, to be wrapped (``svgland.wrap``)."""
    if kind == "village":
        yards = "".join(svgland.blunt(_grow(region.outline, 130)) for region in regions)
        return f'<path class="yard" d="{yards}"/>' + "".join(draw_house(each.outline, each.id) for each in regions)
    write = svgland.blunt if kind == "water" else svgland.write_outline
    path = "".join(write(region.outline) for region in regions)
    drawn = f'<path class="ground {kind}" d="{path}"/>'
    if kind == "forest":
        canopy = "".join(svgland.curve_loop(_divide(_grow(region.outline, 97))) for region in regions)
        drawn += f'<path class="canopy" d="{canopy}" transform="translate(14,20)"/>'
        return f'{drawn}<path class="canopy top" d="{canopy}"/><path class="over forest" d="{canopy}"/>'
    drawn += f'<path class="over {kind}" d="{path}"/>'
    if kind in _SLOPES:
        slopes = "".join(_hachure(region.outline, _SLOPES[kind]) for region in regions)
        drawn += f'<path class="slopes" d="{slopes}"/><path class="crest {kind}" d="{path}"/>'
    elif kind == "water":
        ripples = "".join(svgland.blunt(_grow(region.outline, part)) for region in regions for part in (86, 66))
        drawn += f'<path class="shore" d="{path}"/><path class="ripple" d="{ripples}"/>'
    elif kind == "orchard":
        drawn += f'<path class="hedge" d="{path}"/><path class="hedge top" d="{path}"/>'
    return drawn


def _hachure(outline: Sequence[Point], far: int) -> str:
    """Return strokes from an outline to its inside, like the slopes of a drawn hill; to the outside if ``far`` < 0."""
    (mx, my), strokes = find_middle(outline), []
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        right, down = bx - ax, by - ay
        long = max(1, isqrt(right**2 + down**2))
        deep = far if right * (my - ay) > down * (mx - ax) else -far
        for at in range(_STROKE // 2, long, _STROKE):
            spot = ax + right * at // long, ay + down * at // long
            length = deep * (100 + svgland.vary(spot, 30)) // 100
            strokes.append([spot, (spot[0] - down * length // long, spot[1] + right * length // long)])
    return "".join(map(svgland.curve, strokes))


def draw_hill(middle: Point, far: int) -> str:
    """Return a round hill in tints that grow darker towards its top, with hachures."""
    (left, top), rings = middle, list[list[Point]]()
    for part in (far * 96 // 100, far * 70 // 100, far * 42 // 100):
        around = ((left + x * part // 1000, top + y * part // 1000) for x, y in _ROUND)
        rings.append([svgland.shake(spot, far // 25) for spot in around])
    tints = "".join(f'<path class="rise" d="{svgland.curve_loop(ring)}"/>' for ring in rings)
    return svgland.wrap(f'{tints}<path class="slopes" d="{"".join(_hachure(ring, far // 9) for ring in rings)}"/>')


def _grow(outline: Sequence[Point], part: int) -> list[Point]:
    """Return an outline in another size, in hundredths, around the same middle."""
    middle = find_middle(outline)
    return [svgland.find_between(middle, spot, part) for spot in outline]


def _divide(outline: Sequence[Point]) -> list[Point]:
    """Return an outline with more corners, moved a little, for the edge of a wood."""
    spots: list[Point] = []
    for a, b in pairwise((*outline, outline[0])):
        many = max(1, isqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) // _BUSH)
        spots += [svgland.shake(svgland.find_between(a, b, 100 * step // many), _BUSH // 4) for step in range(many)]
    return spots


def draw_house(outline: Sequence[Point], name: str = "") -> str:
    """Return a house from its four corners: a shadow, a tiled roof with a ridge, and the sign of its kind."""
    if len(outline) != _CORNERS:
        return f'<path class="ground village" d="{svgland.write_outline(outline)}"/>'
    long = [(bx - ax) ** 2 + (by - ay) ** 2 for (ax, ay), (bx, by) in pairwise((*outline, outline[0]))]
    a, b, c, d = outline if long[0] + long[2] >= long[1] + long[3] else (*outline[1:], outline[0])
    if a[1] + b[1] + a[0] + b[0] < c[1] + d[1] + c[0] + d[0]:
        a, b, c, d = c, d, a, b
    between = svgland.find_between
    rows = [(between(d, a, part), between(c, b, part)) for part in range(_ROWS, 100, _ROWS) if part != _HALFWAY]
    start, end = between(d, a, _HALFWAY), between(c, b, _HALFWAY)
    tiles, ridge = ("".join(map(svgland.curve, way)) for way in (rows, [(start, end)]))
    sign = next((sign for word, sign in _HOUSES.items() if word in name), _CHIMNEY)
    roof, x, y = svgland.write_outline(outline), *(at // 10 for at in find_middle(outline))
    return (
        f'<path class="shade" d="{roof}" transform="translate(20,26)"/><path class="roof" d="{roof}"/>'
        f'<path class="roof dark" d="{svgland.write_outline((a, b, end, start))}"/>'
        f'<path class="tiles" d="{tiles}"/><path class="ridge" d="{ridge}"/>'
        f'<g transform="translate({x},{y})">{sign}</g>'
    )


def _draw_grid(picture: Picture) -> str:
    """Return lines every six inches across a table top, numbered from the left and from the lower edge."""
    (width, height), unit = picture.size, picture.unit
    down, up = range(0, width + 1, 6 * unit), range(0, height + 1, 6 * unit)
    lines = [*(f"M{x} 0V{height}" for x in down), *(f"M0 {height - y}H{width}" for y in up)]
    inches = [
        *(f'<text class="inch" x="{x}" y="-330">{x // unit}</text>' for x in down),
        *(f'<text class="inch left" x="-330" y="{height - y + 200}">{y // unit}</text>' for y in up),
    ]
    return f'<path class="grid" d="{"".join(lines)}"/>{"".join(inches)}'


def draw_ground_name(region: Region, goals: Sequence[tuple[Point, int]]) -> str:
    """Return the name of an area of ground: below the area, or at the first edge free of objectives and models."""
    name, high = region.id.replace("-", " "), 2 * NAME  # as large as on a telephone
    (x, y), wide = find_middle(region.outline), len(name) * high * 2 // 5
    xs, ys = [x for x, _y in region.outline], [y for _x, y in region.outline]
    spots = (  # the last two: how far the letters reach to the left and upwards
        ("middle", x, max(ys) + _BESIDE_GROUND, ".8em", wide // 2, 0),
        ("end", min(xs) - _BESIDE_GROUND, y, ".35em", wide, high // 2),
        ("start", max(xs) + _BESIDE_GROUND, y, ".35em", 0, high // 2),
        ("middle", x, min(ys) - _BESIDE_GROUND, "0", wide // 2, high),
    )
    clear = (
        spot
        for spot in spots
        if not any(_reaches((spot[1] - spot[4], spot[2] - spot[5], wide, high), *goal) for goal in goals)
    )
    anchor, x, y, down, *_far = next(clear, spots[0])
    look = attribute(text_anchor="" if anchor == "middle" else anchor, x=x, y=y, dy=down, font_size=NAME * 9 // 10)
    return f'<text class="name of-ground"{look}>{escape(name)}</text>'


def _reaches(box: tuple[int, int, int, int], middle: Point, far: int) -> bool:
    """Return whether a box, as left, top, width, height, reaches into a circle."""
    left, top, wide, high = box[0] - middle[0], box[1] - middle[1], box[2], box[3]
    return max(left, 0, -left - wide) ** 2 + max(top, 0, -top - high) ** 2 < (far + _CLEAR) ** 2


def draw_zone(place: Place, owner: str) -> str:
    """Return an area of a table top that belongs to a side, with the area's name at the left edge."""
    left, low = min(x for x, _y in place.outline), place.spot[1]
    return (
        svgland.wrap(f'<path class="start {owner}" d="{svgland.write_outline(place.outline)}"/>')
        + f'<text class="name of-goal" text-anchor="start" x="{left + 300}" y="{low}" font-size="{NAME}">'
        f"{escape(place.name)}</text>"
    )


@frozen
class Outcome:
    """The result of the shots at a model: ``kind``, a key of OUTCOMES, and ``text``, the result in words.

    ``unit``: the model, '' for a sign without a model.
    """

    at: Point
    kind: str
    text: str
    unit: str = ""


def draw_outcome(came: Outcome, models: Sequence[Piece] = ()) -> str:
    """Return a small round sign next to a model, clear of names and numbers, and a ring where the model stood."""
    places = [(came.at[0] + x, came.at[1] + y) for x, y in _BESIDE]
    clear = (place for place in places if not any(_is_on_words(place, model) for model in models))
    x, y = next(clear, places[0])
    moved = models and all(model.spot != came.at for model in models)
    ring = f'<circle class="ghost" cx="{came.at[0] - x}" cy="{came.at[1] - y}" r="600"/>' if moved else ""
    for right, down in (model.spot for model in models if moved and model.id == came.unit):
        start = f"{came.at[0] - x} {came.at[1] - y}"
        ring += f'<path class="ghost" d="M{start}L{right - x} {down - y}" marker-end="url(#tip)"/>'
    return (
        f'<g class="outcome {came.kind}" transform="translate({x},{y})">{ring}<g class="tag">'
        f'<title>{escape(came.text)}</title><circle r="250"/><text y="118">{OUTCOMES[came.kind][0]}</text></g></g>'
    )


def _is_on_words(at: Point, model: Piece) -> bool:
    """Return whether a sign lies on the name or the number of a model."""
    x, y = (one - middle for one, middle in zip(at, model.spot, strict=True))
    name_x, name_y = find_label(model)
    named = abs(x - name_x) < _LETTER * len(model.id) + 290 and abs(y - name_y + 150) < _AWAY
    return named or (abs(x) < _AWAY and abs(y) < _AWAY)


def sights(lines: Iterable[Sight], models: Iterable[Piece] = ()) -> str:
    """Return lines of sight, with a dash pattern for each kind. Pills ahead of targets show the needed die rolls."""
    drawn, signs, aims = [], [], dict[str, list[Sight]]()
    for line in lines:
        (ax, ay), (bx, by) = line.a, line.b
        title = f"<title>{escape(line.text)}</title>" if line.text else ""
        drawn.append(f'<line class="sight {line.kind}" x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}">{title}</line>')
        if line.sign and line.kind in _SEEN:
            aims.setdefault(line.sign, []).append(line)
        elif line.sign:
            x, y = ax + (bx - ax) * _BEYOND // 100, ay + (by - ay) * _BEYOND // 100
            signs.append(f'<text class="sight-text" x="{x}" y="{y + 130}">{escape(line.sign)}</text>')
    taken = [model.spot for model in models] + [line.b for group in aims.values() for line in group]
    signs += [_draw_need(sign, group, taken) for sign, same in aims.items() for group in _list_groups(same)]
    return element("g", "".join((*drawn, *signs)), class_="sights") if drawn else ""


def _list_groups(lines: Iterable[Sight]) -> list[list[Sight]]:
    """Return lines of sight in groups with targets near to each other."""
    groups: list[list[Sight]] = []
    for line in lines:
        near = [group for group in groups if any(_is_near(line.b, other.b, _GROUP) for other in group)]
        groups = [*(group for group in groups if group not in near), [line, *chain(*near)]]
    return groups


def _is_near(a: Point, b: Point, far: Point) -> bool:
    return abs(a[0] - b[0]) < far[0] and abs(a[1] - b[1]) < far[1]


def _draw_need(sign: str, group: Sequence[Sight], taken: list[Point]) -> str:
    """Return a pill with the roll that a group of targets needs, on the way to the group. ``taken``: grows by it."""
    many = len({line.b for line in group})
    text = f"{many} \u00d7 {sign}" if many > 1 else sign
    wide = 210 * len(text) + 240
    a, b = (find_middle(ends) for ends in ([line.a for line in group], [line.b for line in group]))
    way = [svgland.find_between(b, a, part) for part in range(4, 96, 4)]
    clear = (spot for spot in way if not any(_is_near(spot, other, (1_300 + wide, 2_100)) for other in taken))
    taken.append(spot := next(clear, way[len(way) // 2]))
    pill = f'<rect x="-{wide // 2}" y="-235" width="{wide}" height="470" rx="235"/><text y="118">{escape(text)}</text>'
    return f'<g transform="translate({spot[0]},{spot[1]})"><g class="tag aimed">{pill}</g></g>'


def draw_legend(lines: Iterable[Sight], below: int) -> str:
    """Return an explanation of the dash patterns in a picture, to be drawn below the picture."""
    kinds = [kind for kind in SIGHTS if kind in {line.kind for line in lines}]
    out = []
    for number, kind in enumerate(kinds):
        x = number * _APART
        out.append(f'<line class="sight {kind}" x1="{x}" y1="{below}" x2="{x + 2200}" y2="{below}"/>')
        out.append(f'<text class="sight-word" x="{x + 2400}" y="{below + 150}">{SIGHTS[kind]}</text>')
    return element("g", "".join(out)) if out else ""


def draw_ranges(places: Iterable[Place], wide: int, others: Iterable[Piece | Place] = ()) -> str:
    """Return weapon ranges as circles. Words are beside the model, clear of the lines of sight ahead.

    ``wide``: the width of the table. If possible, the words stay on the table, clear of ``others``: models, and places
    with a name of two lines.
    """
    taken = [box for thing in others for box in _list_boxes(thing)]
    out = []
    for place in places:
        (x, y), far = place.spot, place.far
        ways = [(right, way * up) for way in (1, -1) for right, up in _FLANKS]
        spots = [(x + far * right // 1_000, y - far * up // 1_000) for right, up in ways]
        fits = [spot for spot in spots if _WORDS < spot[0] < wide - _WORDS and 900 < spot[1] < wide - 1_600]
        across, down = min(fits or spots[:1], key=lambda spot: sum(_is_near(spot, at, far) for at, far in taken))
        out.append(
            f'<circle class="range" cx="{x}" cy="{y}" r="{far}"/>'
            f'<text class="range-text" x="{across}" y="{down}">{stack(place.name.split(", "), across)}</text>'
        )
    return element("g", "".join(out)) if out else ""


def _list_boxes(thing: Piece | Place) -> list[tuple[Point, Point]]:
    """Return points of a thing on a table, each with how far the middle of a range's words stays from it.

    A place counts with both lines of its name.
    """
    x, y = thing.spot
    if isinstance(thing, Place):
        return [((x, y), (10_500, 1_500)), ((x, y + 2 * NAME), (10_500, 1_500))]
    return [((x, y), (6_000, 1_500))]


def stack(lines: Sequence[str], x: int) -> str:
    """Return lines of a text below each other, each around the same middle."""
    first, *others = map(escape, lines)
    return first + "".join(f' <tspan x="{x}" dy="1.05em">{other}</tspan>' for other in others)


def clip_to_circles(outline: Sequence[Point], circles: Iterable[Place]) -> str:
    """Return the part of an outline inside all circles: the places near enough to the other models of a unit."""
    within = list(circles)
    clips = "".join(
        f'<clipPath id="near-{number}"><circle cx="{near.spot[0]}" cy="{near.spot[1]}" r="{near.far}"/></clipPath>'
        for number, near in enumerate(within)
    )
    shape = " ".join(f"{x},{y}" for x, y in outline)
    drawn = f'<polygon class="together" points="{shape}"/>' if within and len(outline) > 2 else ""
    for number in range(len(within)):
        drawn = f'<g clip-path="url(#near-{number})">{drawn}</g>'
    return f"<defs>{clips}</defs>{drawn}" if drawn else ""


def draw_allowance(outline: Sequence[Point], holes: Iterable[Place]) -> str:
    """Return a bright area where a straight move can end, and the bases that are in the way."""
    if len(outline) < 3:
        return ""
    shape = " ".join(f"{x},{y}" for x, y in outline)
    gone = "".join(
        f'<circle class="gone" cx="{place.spot[0]}" cy="{place.spot[1]}" r="{place.far}"/>' for place in holes
    )
    return f'<polygon class="allowance" points="{shape}"/>{gone}'
