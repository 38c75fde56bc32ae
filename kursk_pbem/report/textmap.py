"""A position as a text map, plain ASCII, from the same picture as other maps.

Hexes are staggered blocks of four lines: the number with the ground, a name, and the units. ``+`` and ``|`` mark the
left edge, or features along the sides. If a whole map is wider than the page, the hexes shrink (``smallmap``).
``textplane`` draws a table top to scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import names
from kursk_pbem.kernel.picture import (
    EDGES,
    FLAT,
    LINES,
    MARKS,
    PLACES,
    PLANE,
    POINTY,
    TERRAIN,
    Picture,
    Piece,
    Point,
    Region,
    find_middle,
)
from kursk_pbem.report import smallmap, textplane
from kursk_pbem.report.canvas import NAME, RAILWAY, RIVER, SIDE, ZONE, Canvas, Ink, clean_text, clip_line
from kursk_pbem.report.layout import wrap
from kursk_pbem.report.smallmap import Hex

HEIGHT = 4
WINDOW = 3
"""Columns and rows around a hex: seven columns of ten characters fit in 80."""
_LEAST = 9  # characters inside a hex
_USUAL = "+|||"
_BOTH = "%"
SHADE = ":"
_STYLES = {**{sign: RIVER for sign, _word in EDGES.values()}, LINES["railway"][0]: RAILWAY, _BOTH: RIVER}
# Step to the region beyond an edge -> lines of the left border with the edge.
_BESIDE: Mapping[str, Mapping[Point, tuple[int, ...]]] = {
    FLAT: {(0, -2): (0,), (-1, -1): (1,), (-1, 1): (2, 3)},
    POINTY: {(-1, -1): (0,), (-2, 0): (1, 2), (-1, 1): (3,)},
}
_EDGE_WORDS = {
    FLAT: "Instead of +, the sign is on the upper side, on line 2 along the upper left, on 3 and 4 the lower left.",
    POINTY: "Instead of +, the sign is on the upper left, on lines 2 and 3 along the left, on 4 along the lower left.",
}


@frozen
class Page:
    """How to print a map. ``width``: columns, 0 for no limit. ``colour``: use colors.

    ``zone``: the side whose zone of control is shaded, or ''.
    """

    width: int = 0
    colour: bool = False
    zone: str = ""


USUAL = Page()


def render_map(
    picture: Picture,
    around: str | None = None,
    radius: int | None = None,
    marked: Mapping[str, str] | None = None,
    legend: Sequence[str] = (),
    page: Page = USUAL,
) -> str:
    """Return the map as text: the whole map, or the part within ``radius`` (hexes, inches) of ``around``.

    ``around``: a hex, a piece or a place, by id or name. ``marked``: texts by hex, shown in place of a piece.
    ``legend``: sentences below the map (as from `explain_signs`). Raises UsageError if ``around`` is unknown.
    """
    centre = find_region(picture, around) if around else None
    if picture.form == PLANE:
        find_zone(picture, page.zone)  # a table has none
        lines = [clean_text(line) for line in textplane.draw_table(picture, centre, radius, page.width)]
    else:
        shown = window(picture, centre, radius, page.width)
        lines = _draw_hexes(picture, shown, marked or {}, page) if shown else []
    words = [line for text in legend for line in wrap(text, "", "  ")]
    return "\n".join((*lines, *(["", *words] if words else []), ""))


def find_spot(picture: Picture, wanted: str) -> str:
    """Return the hex with a name; on a table top the point 'X, Y' (the middle of named ground). Raises UsageError."""
    if picture.form != PLANE:
        return find_region(picture, wanted).id
    if written := textplane.format_places(wanted):
        return written
    there = find_region(picture, wanted)
    point = there.spot if isinstance(there, Piece) else find_middle(there.outline)
    return textplane.show_spot(point, picture.unit)


def find_region(picture: Picture, wanted: str) -> Region | Piece:
    """Return the hex named by an id, a piece or (part of) a place name; on a table top return the piece.

    Raises UsageError if no piece or place fits, or if several pieces fit.
    """
    if picture.form == PLANE:
        return _find_on_table(picture, wanted)
    regions = {region.id: region for region in picture.regions}
    if wanted in regions:
        return regions[wanted]
    spelt = [label for label in regions if label.lower() == wanted.lower()]  # 'a1' is A1, not a part of 'A12 Tula'
    if len(spelt) == 1:
        return regions[spelt[0]]
    exact = [piece for piece in picture.pieces if piece.id == wanted.lower()]
    if called := exact or [piece for piece in picture.pieces if _strip(wanted) in _list_names(piece)]:
        uid = called[0].id if len(called) == 1 else names.find(wanted, {one.id: (one.name,) for one in called}, "unit")
        return next(regions.get(piece.at, piece) for piece in called if piece.id == uid)
    spoken = (*picture.names, *((place.at, place.name) for place in picture.places))
    known = {at: (name,) for at, name in spoken if at in regions}
    if names.match(wanted, known):
        return regions[names.find(wanted, known, "place")]
    example = f" (for example {picture.regions[0].id})" if picture.regions else ""
    what = f"is not on the map: type a place{example}, or the id or name of a unit"
    raise UsageError(f"{show(wanted)} {what}{names.near(wanted, known)}")


def _list_names(piece: Piece) -> set[str]:
    """Return the short name, the id, and the id without the side: '24 pz' is g-24-pz and '8g' is 8G."""
    return {_strip(piece.id), _strip(piece.id.partition("-")[2] or piece.id), _strip(piece.name or piece.id)}


def _strip(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def _find_on_table(picture: Picture, wanted: str) -> Region | Piece:
    """Return the ground, model or spot of a name or part of a name. Raises UsageError."""
    goals = [Region(place.name, (place.spot,), "clear") for place in picture.places if not place.outline]
    known: dict[str, Region | Piece] = {shape.id: shape for shape in (*picture.regions, *goals)}
    known |= {piece.id: piece for piece in picture.pieces}
    if wanted[:1].isdigit():
        raise UsageError(f"{show(wanted)} is no place: type inches from the left and lower edges, as in '12.50, 30.00'")
    return known[names.find(wanted.lower().removeprefix("the "), dict.fromkeys(known, ()), "place or model")]


def window(picture: Picture, centre: Region | Piece | None, radius: int | None, width: int = 0) -> list[Region]:
    """Return the visible hexes: all, or those within ``radius`` of the center. Without ``radius``, as many as fit."""
    if centre is None:
        return list(picture.regions)
    wide = max(WINDOW if not width else 1, (width // (_LEAST + 1) - 1) // 2)
    across, down = (wide, WINDOW) if radius is None else (radius, radius)
    return [region for region in picture.regions if _is_near(picture, region, centre, across, down)]


def _is_near(picture: Picture, region: Region, centre: Region | Piece, across: int, down: int) -> bool:
    """Return whether a hex is within some columns and rows of another hex."""
    (x, y), (a, b) = region.spot, centre.spot
    if picture.form == FLAT:
        return abs(x - a) <= across and abs(y // 2 - b // 2) <= down
    return abs(y - b) <= down and abs(x // 2 - a // 2) <= across


def sides(picture: Picture) -> dict[str, str]:
    """Return the style of each side. The sides are sorted by name."""
    side_names = {piece.side for piece in picture.pieces} | {mark.side for mark in picture.marks}
    side_names |= {place.owner for place in picture.places}
    return {side: f"{SIDE}{number}" for number, side in enumerate(sorted(side_names - {""}))}


def _draw_hexes(picture: Picture, shown: Sequence[Region], marked: Mapping[str, str], page: Page) -> list[str]:
    """Draw every hex on a canvas and return the lines."""
    texts = _write_hexes(picture, shown, marked)
    width = 1 + max(_LEAST, *(sum(len(ink.text) for ink in line) for lines in texts.values() for line in lines))
    across, down = (width, HEIGHT // 2) if picture.form == FLAT else (width // 2, HEIGHT)
    left, right = min(region.spot[0] for region in shown), max(region.spot[0] for region in shown)
    top, bottom = min(region.spot[1] for region in shown), max(region.spot[1] for region in shown)
    total = across * (right - left) + width
    if 0 < page.width < total:
        part, zone = replace(picture, regions=tuple(shown)), find_zone(picture, page.zone)
        return smallmap.draw(part, sides(picture), zone, page.width, colour=page.colour)
    canvas = Canvas(total, down * (bottom - top) + HEIGHT)
    borders, shaded = _draw_borders(picture), find_zone(picture, page.zone)
    for region in shown:
        x, y = across * (region.spot[0] - left), down * (region.spot[1] - top)
        border = borders.get(region.id, _USUAL)
        for number, text in enumerate(texts[region.id]):
            shade = Ink(SHADE, ZONE) if region.id in shaded and number == HEIGHT - 1 else None
            edge = Ink(border[number], _STYLES.get(border[number], ""))
            canvas.put(x, y + number, [edge, *clip_line(text, width - 1, shade)])
    return canvas.lines(colour=page.colour)


def find_zone(picture: Picture, side: str) -> frozenset[str]:
    """Return the hexes in a side's zone of control. A part of the side's name is enough. Raises UsageError."""
    if not side:
        return frozenset()
    zones = [zone for zone in picture.zones if zone.side.startswith(side.lower())]
    if len(zones) != 1:
        known = ", ".join(zone.side for zone in picture.zones)
        raise UsageError(f"{show(side)} has no zones of control on this map" + (f"; {known} have" if known else ""))
    return frozenset(zones[0].at)


Lines = tuple[list[Ink], ...]


def _write_hexes(picture: Picture, shown: Iterable[Region], marked: Mapping[str, str]) -> dict[str, Lines]:
    """Return the four lines of each hex: number and ground, name, top piece and figures."""
    style = sides(picture)
    hexes = smallmap.read_hexes(picture, shown, style)
    return {label: _write_hex(label, hex_, marked.get(label), style) for label, hex_ in hexes.items()}


def _write_hex(label: str, hex_: Hex, mark: str | None, style: Mapping[str, str]) -> Lines:
    room = _LEAST - len(label) - sum(len(ink.text) for ink in hex_.signs)
    head = [Ink(label), Ink(f" {hex_.ground}" if room >= len(hex_.ground) + 1 else hex_.ground), *hex_.signs]
    name = [Ink((hex_.flag + hex_.name)[:_LEAST], NAME)]
    if mark is not None:
        return head, name, [Ink(mark)], []
    return head, name, *_write_pieces(hex_.pieces, style)


def _write_pieces(pieces: Sequence[Piece], style: Mapping[str, str]) -> tuple[list[Ink], list[Ink]]:
    """Return the top piece, the figures, and the number of further pieces in the stack."""
    if not pieces:
        return [], []
    top = pieces[0]
    more = f"+{len(pieces) - 1}" if len(pieces) > 1 else ""
    more = f" {more}" if len(top.id) + len(more) < _LEAST else more  # a long id replaces the blank, not the number
    own = style.get(top.side, "")
    return [Ink(top.id + more, own)], [Ink(f"({top.figures})" if top.band else top.figures, own)]


def _draw_borders(picture: Picture) -> dict[str, str]:
    """Return the left borders of hexes with a feature along the sides or across."""
    spots = {region.id: region.spot for region in picture.regions}
    borders: dict[str, str] = {}
    for a, b, sign, over in _find_crossings(picture):
        for here, there in ((a, b), (b, a)):
            if here in spots and there in spots:
                step = spots[there][0] - spots[here][0], spots[there][1] - spots[here][1]
                border = list(borders.get(here, _USUAL))
                lines = _BESIDE[picture.form].get(step, ())
                for number in lines[-1:] if over else lines:
                    taken = over and len(lines) == 1 and border[number] in _STYLES and border[number] != sign
                    border[number] = _BOTH if taken else sign
                borders[here] = "".join(border)
    return borders


def _find_crossings(picture: Picture) -> Iterator[tuple[str, str, str, bool]]:
    """Yield two regions, the sign between, and whether the sign crosses the side: edges first."""
    for edge in picture.edges:
        yield edge.a, edge.b, EDGES[edge.kind][0], False
    for line in picture.lines:
        yield line.a, line.b, LINES[line.kind][0], True


def explain_signs(
    picture: Picture, around: str | None = None, radius: int | None = None, page: Page = USUAL
) -> list[str]:
    """Return sentences about the signs on the map. A sentence explains one line of text in a hex."""
    if picture.form == PLANE:
        return [textplane.LEGEND]
    if 0 < page.width < _count_map_columns(picture, _find_shown(picture, around, radius, page)):
        legend = [*_explain_grounds(picture, ""), *smallmap.LEGEND]
    else:
        legend = [*_explain_grounds(picture, "number; "), *_explain_lines(picture)]
    if page.zone:
        legend.append(f"{SHADE} a zone of control of the {page.zone} side.")
    return legend


def formations(picture: Picture, around: str | None = None, radius: int | None = None, page: Page = USUAL) -> list[str]:
    """Return a line for each formation of the visible units: '4th Panzer Army (german): g-3-pz 2116, ...'."""
    shown = {region.id for region in _find_shown(picture, around, radius, page)} if picture.form != PLANE else {""}
    members: dict[tuple[str, str], list[str]] = {}
    for piece in picture.pieces:
        if piece.at in shown and piece.formation:
            members.setdefault((piece.side, piece.formation), []).append(f"{piece.id} {piece.at}".strip())
    return [f"{name} ({side}): {', '.join(sorted(units))}" for (side, name), units in sorted(members.items())]


def _find_shown(picture: Picture, around: str | None, radius: int | None, page: Page) -> list[Region]:
    return window(picture, find_region(picture, around) if around else None, radius, page.width)


def _count_map_columns(picture: Picture, shown: Sequence[Region]) -> int:
    """Return the columns of the shown part with hexes of normal size."""
    across = [region.spot[0] for region in shown]
    step = _LEAST + 1 if picture.form == FLAT else (_LEAST + 1) // 2
    return step * (max(across) - min(across)) + _LEAST + 1 if across else 0


def _explain_grounds(picture: Picture, before: str) -> list[str]:
    order, kinds = list(TERRAIN), {(region.terrain, region.kind or region.terrain) for region in picture.regions}
    drawn = sorted(kinds, key=lambda kind: (order.index(kind[0]), kind[1]))
    grounds = [f"{TERRAIN[kind][0]} {called}" for kind, called in drawn]
    lines = [f"Line 1 of a hex: {before}ground {', '.join(grounds)}."]
    places = [f"{sign} {word}" for kind, (sign, word) in PLACES.items() if kind in {one.kind for one in picture.places}]
    owner = "with the first letter of the controlling side"
    if places:
        lines.append(f"Behind it {' or '.join(places)}, {owner}.")
    marks = {kind: mark for kind, mark in MARKS.items() if kind in {one.kind for one in picture.marks}}
    own = "with the first letter of the owner"
    return lines + [f"{sign} {word}, {own}." for sign, word, on_name in marks.values() if not on_name]


def _explain_brackets(picture: Picture) -> str:
    """Return an explanation of brackets: some counters have brackets around figures."""
    inside = [piece.figures[1:-1] for piece in picture.pieces if "(" in piece.figures or "[" in piece.figures]
    if not inside:
        return "(in brackets) if the unit is reduced"
    whole = not any("(" in figures or ")" in figures for figures in inside)
    return (
        "with the brackets of the counter; (in brackets) also if the unit is reduced or Disrupted"
        if whole
        else "as on the counter"
    )


def _explain_lines(picture: Picture) -> list[str]:
    marks = [mark for kind, mark in MARKS.items() if kind in {one.kind for one in picture.marks}]
    flags = "".join(f", after {sign} if {word}" for sign, word, on_name in marks if on_name)
    lines = [
        f"Line 2: the name{flags}.",
        "Line 3: the id of the top unit; +2: two more units below.",
        f"Line 4: the figures, {_explain_brackets(picture)}.",
    ]
    edges = [f"{sign} {word}" for kind, (sign, word) in EDGES.items() if kind in {one.kind for one in picture.edges}]
    if edges:
        lines.append(f"Left edge of a hex: {', '.join(edges)}. {_EDGE_WORDS[picture.form]}")
    rails = [f"{sign} {word}" for kind, (sign, word) in LINES.items() if kind in {one.kind for one in picture.lines}]
    if rails:
        lines.append(f"Where a railway crosses the edge: {', '.join(rails)}; {_BOTH} with a river along it.")
    return lines
