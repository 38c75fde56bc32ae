"""A position as an SVG picture from the same shapes as the text map; layout only, without words of a game.

The unit is the map unit of the picture: 1,000 for a hexside, or a number for an inch. ``svgstyle`` has the looks,
``svgground`` the ground, ``svgcounters`` the counters. Later layers cover earlier layers, and no text lies below or
above a counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isqrt
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Point, find_middle
from kursk_pbem.report.pictures import svgcounters, svgfront, svgground, svgstyle, svgtable
from kursk_pbem.report.pictures.svgtext import attribute, element, escape, fit_letters
from kursk_pbem.report.textmap import find_region

MARGIN = 600
"""Space around the map, in map units."""
INCH = 1_000
"""Map units for an inch of a drawn table top."""
NEAR = 4
"""Default radius around a place, in hexes or inches."""
TAG = 330
"""Size of letters on a pill; a page enlarges unreadable letters (``svgstyle``)."""
CAST = 460
"""Side of a die next to a pill."""
SHEET = 1_414
"""Width of a sheet in landscape, in thousandths of the height."""
ABOVE = svgcounters.HALF + 215
"""Distance of a pill's middle from the middle of the attacked counter. On pages, ``tags.js`` moves pills."""
Frame = tuple[int, int, int, int]
"""A part of the plane in map units of the drawing: left, top, width, height."""
_DIE = f'<rect x="-{CAST // 2}" y="-{CAST // 2}" width="{CAST}" height="{CAST}" rx="90"/>'

_BLOCK = 1_150  # size of a counter in map units
_LARGER, _SMALLER = 3, 3  # enlargement of models; how much smaller than a sheet a page shows a map
_PIXELS = 1_600  # usual width of a drawn table top in pixels, for the size of models and letters
_AROUND = 5_000  # margin around the models of a table, in map units
_LEAST, _SPACE = 21_000, 2_600  # width of the smallest part of a map, and space around an action, in map units
_SMALL = """
.kursk-map{color-scheme:light dark}
.kursk-map .grid,.kursk-map .inch{display:none}.block{stroke:#fffdf4;stroke-width:70}
.block.side-0{fill:#5d6b62}.block.side-1{fill:#c9791f}.edge.river{stroke-width:11}.front{stroke-width:42;opacity:.6}.neat.outer{display:none}
.town{fill:var(--town)}.ground.forest{fill:var(--crowns)}text.model,.facing{display:none}
@supports (color:light-dark(#000,#fff)){.block.side-0{fill:light-dark(#5d6b62,#ccd8d2)}
.kursk-map{--clear:light-dark(#f3ebd3,#636857);--table:light-dark(#dde1b6,#5c6950);
--patch:light-dark(#c3cd92,#6d7a5c);--crowns:light-dark(#93b374,#4f8a5c);--marsh:light-dark(#d5e4da,#5f7a66);
--rough:light-dark(#e6d6b4,#7d6c4e);--hill:light-dark(#e8d6ad,#7d6c4e);--sea:light-dark(#b8d6e4,#2d6480);
--leaf:light-dark(#a9c184,#4f8a5c);--river:light-dark(#4c8fbd,#7cc4ea)}}
"""


@frozen
class Arrow:
    """A movement, past or planned, from hex to hex or, on a table top, from point to point.

    ``kind``: move, rail, retreat, advance or attack. ``old``: from an earlier message, so it is drawn thinner.
    """

    points: tuple[Point, ...]
    kind: str
    side: str
    old: bool = False


@frozen
class Burst:
    """A battle at a point, shown as a pill with a ``word``: the result or the odds. The ``dice`` follow.

    ``title``: the explanation of the word.
    """

    at: Point
    text: str = ""
    dice: str = ""
    title: str = ""


def render(  # noqa: PLR0913 - layers of one picture
    picture: Picture,
    sides: Sequence[str],
    *,
    title: str = "",
    zoc: str = "",
    around: str | None = None,
    radius: int | None = None,
    frame: Frame | None = None,
    arrows: Sequence[Arrow] = (),
    bursts: Sequence[Burst] = (),
    styled: bool = True,
    moving: bool = False,
) -> str:
    """Return the picture as one SVG element, ending in a newline.

    ``sides``: sides in the order of their counter shapes. ``zoc``: the side whose zones of control are shown.
    ``around``: show the part within ``radius`` hexes or inches of a hex, piece or place (UsageError if unknown).
    ``frame``: show this part. ``styled``: with paper and style sheet (`svgstyle.make_style_sheet`), for a file; a page
    includes :data:`svgstyle.CSS`. ``moving``: whether the page will move the names of cities.
    """
    picture = to_scale(picture)
    x, y, width, height = shown = frame or find_frame(picture, around, radius)
    legend = svgtable.draw_legend(picture.sights, y + height + svgtable.LEGEND // 3)
    height += svgtable.LEGEND if legend else 0
    whole = around is None and frame is None
    across = max(width, height * SHEET // 1_000) * (1 if styled else _SMALLER) if whole else 0
    picture = picture if whole else crop_picture(picture, shown)
    names = svgground.list_names(picture, None if moving else (x, y, x + width, y + height), across)
    name = [element("title", escape(title))] if title else []
    paper = element("rect", class_="paper", x=x, y=y, width=width, height=height)
    sheet = [element("style", svgstyle.make_style_sheet(_find_scale(picture, width)))] if styled else []
    below = [arrow for arrow in arrows if arrow.old or _is_raid(arrow)]
    layers = [
        svgground.draw_ground(picture),
        svgground.draw_edges(picture),
        svgground.draw_lines(picture),
        svgground.draw_zones(picture, zoc, sides),
        svgfront.draw_front(picture, sides),
        svgground.draw_places(picture, sides, names),
        svgground.draw_numbers(picture),
        svgground.draw_flags(picture, sides),
        svgground.draw_marks(picture, sides),
        svgground.draw_river_names(picture, None if moving else names),
        svgtable.sights(picture.sights, picture.pieces),
        legend,
        arrows_of(below, sides),
        svgcounters.draw_counters(picture, sides),
        arrows_of([arrow for arrow in arrows if arrow not in below], sides),
        "".join(map(burst, bursts)),
    ]
    inner = [
        *name,
        *sheet,
        svgstyle.make_defs(table=picture.form == PLANE),
        *([paper] if styled else []),
        *filter(None, layers),
    ]
    head = attribute(
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{x} {y} {width} {height}",
        role="img",
        aria_label=title or "map",
        class_="kursk-map",
    )
    return f"<svg{head}>\n" + "\n".join(inner) + "\n</svg>\n"


def _find_scale(picture: Picture, width: int) -> str:
    """Return the map units a pixel in a file, which decide the sizes of models and letters on a table top."""
    return str(min(45, width // _PIXELS)) if picture.form == PLANE else "1"


def to_scale(picture: Picture) -> Picture:
    """Return a table top with 1,000 map units an inch, so lines and letters are as large as on hexes.

    Y coordinates are turned over: tables count from the lower edge, and drawings count from the upper edge.
    """
    if picture.form != PLANE or picture.unit == INCH:
        return picture
    height = picture.size[1]

    def far(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x * INCH // picture.unit, (height - y) * INCH // picture.unit) for x, y in points)

    regions = tuple(replace(region, outline=far(region.outline)) for region in picture.regions)
    sights = tuple(replace(sight, a=far((sight.a,))[0], b=far((sight.b,))[0]) for sight in picture.sights)
    pieces = tuple(
        replace(piece, spot=far((piece.spot,))[0], reach=piece.reach * INCH // picture.unit) for piece in picture.pieces
    )
    places = tuple(
        replace(place, spot=far((place.spot,))[0], far=place.far * INCH // picture.unit, outline=far(place.outline))
        for place in picture.places
    )
    roads = tuple(map(far, picture.roads))
    size = picture.size[0] * INCH // picture.unit, height * INCH // picture.unit
    return replace(
        picture, regions=regions, pieces=pieces, places=places, size=size, unit=INCH, sights=sights, roads=roads
    )


def find_frame(picture: Picture, around: str | None = None, radius: int | None = None) -> Frame:
    """Return the visible part of the map: left, top, width, height."""
    table = [(0, 0), picture.size] if picture.form == PLANE else []
    corners = [*table, *(point for region in picture.regions for point in region.outline)]
    xs, ys = [x for x, _y in corners], [y for _x, y in corners]
    left, top, right, bottom = min(xs, default=0), min(ys, default=0), max(xs, default=0), max(ys, default=0)
    if around is not None:
        target = find_region(picture, around)
        x, y = target.spot if isinstance(target, Piece) else find_middle(target.outline)
        far = (NEAR if radius is None else radius) * (picture.unit if picture.form == PLANE else 1732) + MARGIN
        left, top, right, bottom = max(left, x - far), max(top, y - far), min(right, x + far), min(bottom, y + far)
    room = 3 * MARGIN if picture.form == PLANE else MARGIN  # with numbers of inches
    return left - room, top - room, right - left + 2 * room, bottom - top + 2 * room


def fit_frame(whole: Frame, spots: Sequence[Point], least: int = _LEAST, space: int = _SPACE) -> Frame:
    """Return the part of a frame that shows some places, in a usual shape. Without places return the whole frame.

    ``least``: the smallest width of the part. ``space``: the room around the places. Both are in map units.
    """
    left, top, wide, high = whole
    if not spots:
        return whole
    (x, right), (y, low) = ((min(ends), max(ends)) for ends in zip(*spots, strict=True))
    width = min(wide, max(least, right - x + 2 * space, (low - y + 2 * space) * 4 // 5))
    height = min(high, max(low - y + 2 * space, width * 2 // 3))
    x, y = (x + right - width) // 2, (y + low - height) // 2
    return max(left, min(x, left + wide - width)), max(top, min(y, top + high - height)), width, height


def crop_picture(picture: Picture, shown: Frame) -> Picture:
    """Return the visible part of a picture, with a margin of one hex on every side."""
    x, y, width, height = shown
    far = 2 * INCH

    def inside(point: Point) -> bool:
        return x - far < point[0] < x + width + far and y - far < point[1] < y + height + far

    regions = tuple(
        region for region in picture.regions if picture.form == PLANE or inside(find_middle(region.outline))
    )
    ids = {region.id for region in regions}
    return replace(
        picture,
        regions=regions,
        edges=tuple(edge for edge in picture.edges if {edge.a, edge.b} <= ids),
        lines=tuple(line for line in picture.lines if {line.a, line.b} <= ids),
        places=tuple(place for place in picture.places if place.at in ids or not place.at),
        marks=tuple(mark for mark in picture.marks if mark.at in ids),
        pieces=tuple(piece for piece in picture.pieces if piece.at in ids or (not piece.at and inside(piece.spot))),
        zones=tuple(replace(zone, at=tuple(at for at in zone.at if at in ids)) for zone in picture.zones),
    )


def _is_raid(arrow: Arrow) -> bool:
    """Return whether an arrow of an attack crosses hexes, so that other counters must cover it."""
    (x, y), (to_x, to_y) = arrow.points[0], arrow.points[-1]
    return arrow.kind == "attack" and abs(to_x - x) + abs(to_y - y) > 4 * svgcounters.HALF


def clip_arrow(arrow: Arrow) -> list[Point]:
    """Return the points of an arrow. Its tip ends before a counter; an attack's arrow also begins after a counter."""
    points = list(arrow.points)
    points[-1] = _nearer(points[-1], points[-2])
    if arrow.kind == "attack":
        points[0] = _nearer(points[0], points[1])
    return points


def _nearer(end: Point, other: Point) -> Point:
    """Return a point at a counter's distance from ``end`` towards another point."""
    far = isqrt((other[0] - end[0]) ** 2 + (other[1] - end[1]) ** 2)
    off = min(svgcounters.HALF + 60, far // 2)
    return end if not far else (end[0] + (other[0] - end[0]) * off // far, end[1] + (other[1] - end[1]) * off // far)


def arrows_of(arrows: Iterable[Arrow], sides: Sequence[str]) -> str:
    """Return the arrows as an SVG layer, or '' without arrows."""
    lines = []
    for arrow in arrows:
        if len(arrow.points) > 1:
            points = " ".join(f"{x},{y}" for x, y in clip_arrow(arrow))
            words = f"arrow {arrow.kind} {svgstyle.of_side(arrow.side, sides)}{' old' if arrow.old else ''}"
            lines.append(f"<polyline{attribute(class_=words, points=points, marker_end='url(#tip)')}/>")
    return f'<g class="arrows">{"".join(lines)}</g>' if lines else ""


def burst(burst: Burst) -> str:
    """Return a battle as a pill above the attacked counter."""
    text = burst.text or "\u2217"
    _size, long = fit_letters(text, TAG, 3 * svgcounters.HALF)
    rect = f'<rect x="{-long // 2 - 130}" y="-185" width="{long + 260}" height="370" rx="185"/>'
    letters = f'<text y="118" textLength="{long}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    where = f"translate({burst.at[0]},{burst.at[1] - ABOVE})"
    first = long // 2 + 130 + CAST * 3 // 5
    spots = (first + place * CAST * 11 // 10 for place in range(len(burst.dice)))
    cast = "".join(
        f'<g class="cast" transform="translate({x},0)">{_DIE}<text y="125">{digit}</text></g>'
        for x, digit in zip(spots, burst.dice, strict=True)
    )
    title = f"<title>{escape(burst.title)}</title>" if burst.title else ""
    inner = f'{title}<g class="tag">{rect}{letters}{cast}</g>'
    return f'<g class="burst" data-middle="{burst.at[0]},{burst.at[1]}" transform="{where}">{inner}</g>'


def draw_thumbnail(picture: Picture, sides: Sequence[str], *, whole: bool = False) -> str:
    """Return the picture as one small SVG element without letters, ending with a newline.

    Unless ``whole`` is set, a table top shows only the part with models.
    """
    picture = to_scale(picture)
    x, y, width, height = find_frame(picture)
    middles = {region.id: find_middle(region.outline) for region in picture.regions}
    on_table = picture.form == PLANE
    if on_table and picture.pieces and not whole:
        x, y, width, height = fit_frame((x, y, width, height), [piece.spot for piece in picture.pieces], 0, _AROUND)
    units = (piece for piece in reversed(picture.pieces) if piece.at in middles)
    spots = {middles[piece.at]: svgstyle.of_side(piece.side, sides) for piece in units}
    towns = [middles[place.at] for place in picture.places if place.at in middles and "city" in place.kind]
    half = _BLOCK // 2
    blocks = (
        f'<rect class="block {side}" x="{across - half}" y="{down - half}" width="{_BLOCK}" height="{_BLOCK}"/>'
        for (across, down), side in spots.items()
    )
    models = (
        f'<g transform="translate({piece.spot[0]},{piece.spot[1]}) scale({_LARGER})">'
        f"{svgcounters.draw_model(replace(piece, reach=1), (0, 0), sides)}</g>"
        for piece in (picture.pieces if on_table else ())
    )
    goals = (
        f'<circle class="goal" cx="{at.spot[0]}" cy="{at.spot[1]}" r="{at.far}"/>' for at in picture.places if at.far
    )
    inner = [
        f"<style>{svgstyle.CSS}{svgstyle.PAGE}{_SMALL}</style>",
        svgstyle.make_defs(table=on_table, texture=on_table),
        svgground.draw_ground(picture, grid=False, texture=False),
        svgground.draw_edges(picture),
        *(f'<circle class="town" cx="{across}" cy="{down}" r="420"/>' for across, down in towns),
        *goals,
        svgfront.draw_front(picture, sides),
        *blocks,
        *models,
    ]
    head = attribute(xmlns="http://www.w3.org/2000/svg", viewBox=f"{x} {y} {width} {height}", class_="kursk-map")
    return f"<svg{head}>{''.join(inner)}</svg>\n"


def draw_figure(picture: Picture, sides: Sequence[str], **looks: Any) -> str:
    """Return the picture as an SVG file in the reader's light or dark theme. ``looks``: arguments of `render`."""
    head, rest = render(picture, sides, styled=False, **looks).split("\n", 1)
    return f"{head}\n<style>{svgstyle.CSS}{svgstyle.PAGE}.kursk-map{{color-scheme:light dark}}</style>\n{rest}"
