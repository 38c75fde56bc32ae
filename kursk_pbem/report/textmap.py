"""A position as a text map, plain ASCII, drawn from the same picture as every other map.

Hexes are staggered blocks of four lines: the number with its ground, a name, and what stands there. ``+`` and ``|``
mark the left edge of each, or what runs along its sides. A table top is drawn to scale in ``textplane``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.kernel.picture import EDGES, FLAT, MARKS, PLACES, PLANE, POINTY, TERRAIN, Picture, Piece, Point, Region
from kursk_pbem.report import textplane
from kursk_pbem.report.layout import wrap

HEIGHT = 4
WINDOW = 3
"""Columns and rows shown on each side of a hex: seven columns of ten characters fit in 80."""
_LEAST = 9  # characters inside a hex
_USUAL = "+|||"
# Step to the region beyond an edge -> the lines of the left border where it shows.
_BESIDE: Mapping[str, Mapping[Point, tuple[int, ...]]] = {
    FLAT: {(0, -2): (0,), (-1, -1): (1,), (-1, 1): (2, 3)},
    POINTY: {(-1, -1): (0,), (-2, 0): (1, 2), (-1, 1): (3,)},
}
_EDGE_WORDS = {
    FLAT: "In place of + it runs along the upper side, on line 2 along the upper left, on 3 and 4 the lower left.",
    POINTY: "In place of + it runs along the upper left, on lines 2 and 3 along the left, on 4 along the lower left.",
}


def render(
    picture: Picture,
    around: str | None = None,
    radius: int | None = None,
    marked: Mapping[str, str] | None = None,
    legend: Sequence[str] | None = None,
) -> str:
    """The map as text that ends in a newline: all of it, or what lies within ``radius`` (hexes, inches) of ``around``.

    ``around``: a region, a piece or a place, by id or name; UsageError if there is none. ``marked``: region -> what
    stands in it instead of a piece. ``legend`` takes the place of the usual one.
    """
    centre = find(picture, around) if around else None
    if picture.form == PLANE:
        lines, usual = textplane.draw(picture, centre, radius), [textplane.LEGEND]
    else:
        far = WINDOW if radius is None else radius
        shown = [each for each in picture.regions if centre is None or _near(picture, each, centre, far)]
        lines, usual = _draw(picture, shown, marked or {}) if shown else [], _legend(picture)
    words = [line for text in (usual if legend is None else legend) for line in wrap(text, "", "  ")]
    return "\n".join((*lines, *(["", *words] if words else []), ""))


def find(picture: Picture, wanted: str) -> Region | Piece:
    """The region of an id, of a piece's id or of a place's name; on a table top the piece. UsageError if none."""
    regions = {each.id: each for each in picture.regions}
    if wanted in regions:
        return regions[wanted]
    for piece in picture.pieces:
        if piece.id == wanted.lower():
            return regions.get(piece.at, piece)
    for place in picture.places:
        if place.name.lower() == wanted.lower() and place.at in regions:
            return regions[place.at]
    example = f" (a place such as {picture.regions[0].id})" if picture.regions else ""
    raise UsageError(f"{show(wanted)} is no place of this map{example}, no name on it and no unit on it")


def _near(picture: Picture, region: Region, centre: Region | Piece, radius: int) -> bool:
    """Whether a hex stands within so many columns and rows of another."""
    (x, y), (a, b) = region.spot, centre.spot
    if picture.form == FLAT:
        return abs(x - a) <= radius and abs(y // 2 - b // 2) <= radius
    return abs(y - b) <= radius and abs(x // 2 - a // 2) <= radius


def _draw(picture: Picture, shown: Sequence[Region], marked: Mapping[str, str]) -> list[str]:
    """Write every hex into a canvas of characters and return its lines without blanks at the end."""
    texts = _texts(picture, shown, marked)
    width = 1 + max(_LEAST, *(len(line) for lines in texts.values() for line in lines))
    across, down = (width, HEIGHT // 2) if picture.form == FLAT else (width // 2, HEIGHT)
    left, right = min(each.spot[0] for each in shown), max(each.spot[0] for each in shown)
    top, bottom = min(each.spot[1] for each in shown), max(each.spot[1] for each in shown)
    canvas = [[" "] * (across * (right - left) + width) for _ in range(down * (bottom - top) + HEIGHT)]
    borders = _borders(picture)
    for region in shown:
        x, y = across * (region.spot[0] - left), down * (region.spot[1] - top)
        for number, text in enumerate(texts[region.id]):
            line = borders.get(region.id, _USUAL)[number] + text
            canvas[y + number][x : x + len(line)] = line
    lines = ["".join(line).rstrip() for line in canvas]
    while not lines[-1]:
        lines.pop()
    return lines


@dataclass
class _Hex:
    """What of each line of a hex comes from which shapes."""

    head: str
    flag: str = ""
    name: str = ""
    pieces: list[Piece] = field(default_factory=list)


def _texts(picture: Picture, shown: Iterable[Region], marked: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The four lines of each hex: number and ground, name, the piece on top and its figures."""
    found = {each.id: _Hex(f"{each.id} {TERRAIN[each.terrain][0]}") for each in shown}
    for place in picture.places:
        if place.at in found:
            found[place.at].head += PLACES[place.kind][0] + place.owner[:1]
            found[place.at].name = place.name
    for mark in picture.marks:
        if mark.at in found:
            sign, _legend, on_name = MARKS[mark.kind]
            found[mark.at].head += "" if on_name else sign
            found[mark.at].flag += sign if on_name else ""
    for piece in picture.pieces:
        if piece.at in found:
            found[piece.at].pieces.append(piece)
    return {
        label: (
            each.head,
            _ascii(each.flag + each.name)[:_LEAST],
            *((marked[label], "") if label in marked else _pieces(each.pieces)),
        )
        for label, each in found.items()
    }


def _pieces(pieces: Sequence[Piece]) -> tuple[str, str]:
    """The piece on top and its figures; of a stack how many more there are."""
    if not pieces:
        return "", ""
    top = pieces[0]
    more = f" +{len(pieces) - 1}" if len(pieces) > 1 else ""
    return top.id + more, f"({top.figures})" if top.band else top.figures


def _borders(picture: Picture) -> dict[str, str]:
    """The left border of each hex along whose sides something runs."""
    spots = {each.id: each.spot for each in picture.regions}
    beside, found = _BESIDE[picture.form], dict[str, str]()
    for edge in picture.edges:
        for here, there in ((edge.a, edge.b), (edge.b, edge.a)):
            if here in spots and there in spots:
                step = spots[there][0] - spots[here][0], spots[there][1] - spots[here][1]
                border = list(found.get(here, _USUAL))
                for number in beside.get(step, ()):
                    border[number] = EDGES[edge.kind][0]
                found[here] = "".join(border)
    return found


def _legend(picture: Picture) -> list[str]:
    """What the signs mean that this map has."""
    grounds = [f"{sign} {word}" for kind, (sign, word) in TERRAIN.items() if _has(picture.regions, "terrain", kind)]
    lines = [f"Line 1 of a hex: number; ground {', '.join(grounds)}."]
    places = [f"{sign} {word}" for kind, (sign, word) in PLACES.items() if _has(picture.places, "kind", kind)]
    if places:
        lines.append(f"Behind it {' or '.join(places)}, with the first letter of the side that controls it.")
    signs = {kind: each for kind, each in MARKS.items() if _has(picture.marks, "kind", kind)}
    lines += [f"{sign} {word}." for sign, word, on_name in signs.values() if not on_name]
    flags = "".join(f", after {sign} if {word}" for sign, word, on_name in signs.values() if on_name)
    lines.append(f"Line 2: its name{flags}.")
    lines.append("Line 3: the unit by its id; +2: two more under it.")
    lines.append("Line 4: its figures, (in brackets) if it is reduced.")
    edges = [f"{sign} {word}" for kind, (sign, word) in EDGES.items() if _has(picture.edges, "kind", kind)]
    if edges:
        lines.append(f"Left edge of a hex: {', '.join(edges)}. {_EDGE_WORDS[picture.form]}")
    return lines


def _has(shapes: Iterable[object], field_: str, value: str) -> bool:
    return any(getattr(each, field_) == value for each in shapes)


def _ascii(text: str) -> str:
    """A name from a scenario in characters that take one column each."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)
