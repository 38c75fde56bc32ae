"""The legend of a map: signs as small pictures with words, for a page; and the cartouche of a printed map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kursk_pbem.kernel.picture import EDGES, LINES, PLACES, PLANE, Picture, Piece
from kursk_pbem.report import svgcounters, svgground, svgsights
from kursk_pbem.report.svgstyle import of_side
from kursk_pbem.report.svgtext import element, escape, fit_letters

_HEX = "M-350-606H350L700 0L350 606H-350L-700 0z"
_HOUSE = ((-600, -400), (600, -400), (600, 400), (-600, 400))
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

_COLUMN, _ROW, _EDGE = 12_000, 1_700, 600
_HEAD = 4_200
_ON_BOARD = re.compile("lit-sign|unreached")  # signs that only the board draws
_VIEW = re.compile(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"')
_LOOK = 'style="text-anchor:start" fill="#222" font-family="Arial, Liberation Sans, sans-serif"'


def list_signs(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Return (picture, words) for the signs on this map and on the board. ``names``: the names of the sides."""
    return [
        (f'<svg class="kursk-map sign" viewBox="-800 -700 1600 1400" aria-hidden="true">{drawn}</svg>', words)
        for drawn, words in draw_signs(picture, sides, names)
    ]


def draw_signs(picture: Picture, sides: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (drawing around the origin, words) for the signs on this map and on the board."""
    for kind, called in sorted({(region.terrain, region.kind or region.terrain) for region in picture.regions}):
        ground = f'<path class="ground {kind}" d="{_HEX}"/><path class="over {kind}" d="{_HEX}"/>'
        roof = svgground.draw_roof(_HOUSE) if picture.form == PLANE and kind == "village" else ""
        yield roof or f'{ground}<path class="grid" d="{_HEX}"/>', called
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


def add_cartouche(
    drawn: str, picture: Picture, sides: Sequence[str], names: Sequence[str], lines: Sequence[str]
) -> str:
    """Return a map with a cartouche and a legend below. ``lines``: the title, then smaller lines."""
    view = _VIEW.search(drawn)
    if view is None:
        return drawn
    left, top, width, height = map(int, view.groups())
    signs = [each for each in draw_signs(picture, sides, names) if not _ON_BOARD.search(each[0])]
    columns = max(1, (width - 2 * _EDGE) // _COLUMN)
    more = _HEAD + _ROW * -(-len(signs) // columns) + _EDGE
    room = width - 2 * _EDGE
    x, y = left + _EDGE, top + height
    parts = [
        element("rect", class_="paper", x=left, y=y, width=width, height=more),
        *(_write(line, (x, y + 1_300 + 1_000 * row), 600 if row else 1_100, room) for row, line in enumerate(lines)),
        _draw_scale(picture, (left + width - _EDGE, y + 900)),
    ]
    for number, (sign, words) in enumerate(signs):
        at = x + _COLUMN * (number % columns), y + _HEAD + _ROW * (number // columns)
        parts.append(f'<g transform="translate({at[0] + 800},{at[1]})">{sign}</g>')
        parts.append(_write(words, (at[0] + 1_900, at[1] + 200), 560, min(_COLUMN, room) - 2_100))
    sheet = f'<g class="sheet">{"".join(parts)}</g>\n</svg>'
    grown = f'viewBox="{left} {top} {width} {height + more}"'
    return drawn.replace(view[0], grown, 1).removesuffix("</svg>\n") + sheet + "\n"


def _write(words: str, at: tuple[int, int], size: int, room: int) -> str:
    """Return a line of letters that fits its room."""
    size, long = fit_letters(words, size, room)
    where = f'x="{at[0]}" y="{at[1]}" font-size="{size}" textLength="{long}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {where} {_LOOK}>{escape(words)}</text>"


def _draw_scale(picture: Picture, end: tuple[int, int]) -> str:
    """Return a bar of five hexes, or of six inches of a table top, that ends at a point."""
    words, step, many = ("6 inches", 1_000, 6) if picture.form == PLANE else ("5 hexes", 1_732, 5)
    left = end[0] - many * step
    bars = "".join(
        f'<rect x="{left + step * each}" y="{end[1]}" width="{step}" height="220" stroke="#222" stroke-width="40" '
        f'fill="{"#fff" if each % 2 else "#222"}"/>'
        for each in range(many)
    )
    return bars + _write(words, (left, end[1] + 850), 560, many * step)
