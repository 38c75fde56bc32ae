"""The legend of a map: each sign as a small picture with words, for a page with the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursk_pbem.kernel.picture import EDGES, LINES, PLACES, PLANE, Picture, Piece
from kursk_pbem.report import svgcounters, svgsights
from kursk_pbem.report.svgstyle import of_side
from kursk_pbem.report.svgtext import escape

_HEX = "M-350-606H350L700 0L350 606H-350L-700 0z"
MARKS = {
    "uncommunicated": "out of communication",
    "disrupted": "disrupted",
    "moved": "has moved",
    "pinned": "pinned",
    "immobilised": "immobilised",
    "interdicted": "interdicted",
    "objective": "the objective",
}
"""Signs at the corners of a counter and next to a place."""


def list_signs(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Return (picture, words) for the signs on this map and on the board. ``names``: the names of the sides."""
    return [
        (f'<svg class="kursk-map sign" viewBox="-800 -700 1600 1400" aria-hidden="true">{drawn}</svg>', words)
        for drawn, words in _draw_signs(picture, sides, names)
    ]


def _draw_signs(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for kind, called in sorted({(region.terrain, region.kind or region.terrain) for region in picture.regions}):
        ground = f'<path class="ground {kind}" d="{_HEX}"/><path class="over {kind}" d="{_HEX}"/>'
        yield f'{ground}<path class="grid" d="{_HEX}"/>', called
    for kind in sorted({edge.kind for edge in picture.edges}):
        yield f'<path class="edge {kind}" d="M-600 200L0-200L600 200"/>', EDGES[kind][1]
    for kind in sorted({line.kind for line in picture.lines}):
        way = 'd="M-600 0H600"'
        yield f'<path class="line {kind}" {way}/><path class="line ties {kind}" {way}/>', LINES[kind][1]
    for kind in sorted({place.kind for place in picture.places} & {"city", "major-city"}):
        yield f'<path class="place {kind}" d="{_HEX}"/><circle class="town {kind}" r="200"/>', PLACES[kind][1]
    if any(place.owner for place in picture.places):
        for side, name in zip(sides, names, strict=True):
            flag = of_side(side, sides)
            yield f'<use href="#flag-{flag}" class="flag {flag}" transform="scale(2)"/>', f"held by the {name} side"
    if any(mark.kind == "fortification" for mark in picture.marks):
        yield f'<path class="fortification side-1" d="{_HEX}"/>', "an active fortification, in the owner's color"
    yield from _draw_counters(picture, sides, names)
    for came, (_sign, words) in svgsights.OUTCOMES.items() if picture.form == PLANE else ():
        yield svgsights.draw_outcome(svgsights.Outcome((-800, 800), came, "")), words
    if picture.form != PLANE:
        yield f'<path class="lit-sign" d="{_HEX}"/>', "the chosen unit may end a move here, for the cost shown"
        yield (f'<path class="lit-sign danger" d="{_HEX}"/>', "a move with a warning; see the card of the unit")
        yield f'<path class="unreached side-0" d="{_HEX}"/>', "out of communication or supply, for your side"


def _draw_counters(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    if picture.form == PLANE:
        return
    for side, name in zip(sides, names, strict=True):
        figures = next((piece.figures for piece in picture.pieces if piece.side == side), "")
        yield svgcounters.draw_counter(Piece("", "", side, figures, "infantry"), (0, 0), sides, {}), f"a {name} unit"
    if any(piece.facing != (0, 0) for piece in picture.pieces):
        faces = Piece("", "", sides[0], "", "armor", facing=(0, 1))
        yield svgcounters.draw_counter(faces, (0, 0), sides, {}), "the arrowhead: the facing"
    if any(piece.band for piece in picture.pieces):
        reduced = Piece("", "", sides[0], "2-6", "infantry", band=True)
        yield svgcounters.draw_counter(reduced, (0, 0), sides, {}), "reduced: a white band, the symbol faded"
    if any(piece.formation for piece in picture.pieces):
        striped = Piece("", "", sides[0], "4-6", "armor", formation="one")
        yield svgcounters.draw_counter(striped, (0, 0), sides, {"one": 4}), "the stripe: the formation"
    for mark in sorted({mark for piece in picture.pieces for mark in piece.marks} & MARKS.keys()):
        yield f'<use href="#{escape(mark)}" class="mark {escape(mark)}" transform="scale(2.5)"/>', MARKS[mark]
