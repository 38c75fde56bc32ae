"""Counters in the manner of wargames: side by shape and colour, branch in a frame, figures below, the id above.

A counter is 1,200 map units wide on a hex map, so it keeps clear of the hex's number above and its name below.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Point
from kursk_pbem.report.svgstyle import HUES, SYMBOLS, of_side
from kursk_pbem.report.svgtext import element, escape

HALF = 575
"""Half the side of a counter."""
FAN = 120, 50
"""How far a counter of a stack stands off the one above it: more to the side, for above and below stand words."""
SHOWN = 2
"""Counters of a stack that are drawn; the rest are counted."""
_CUT = 190
_MARK_SPOTS = ((-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF))


def counters(picture: Picture, sides: Sequence[str], *, buried: bool = False) -> str:
    """Every piece on the map; of a stack the top ones, fanned out, with their number.

    With ``buried`` those under them are there too, in the class ``under``: a page spreads the stack out.
    """
    stripes = hues({piece.formation for piece in picture.pieces})
    if picture.form == PLANE:
        return _layer(model(piece, piece.spot, sides) for piece in picture.pieces)
    middles = {region.id: _middle(region.outline) for region in picture.regions}
    stacks: dict[str, list[Piece]] = {}
    for piece in picture.pieces:
        if piece.at in middles:
            stacks.setdefault(piece.at, []).append(piece)
    deep = len(picture.pieces) if buried else SHOWN
    return _layer(_stack(found[:deep], len(found), middles[at], sides, stripes) for at, found in stacks.items())


def _layer(found: Iterator[str]) -> str:
    inner = "".join(found)
    return element("g", inner, class_="counters") if inner else ""


def _middle(outline: Sequence[Point]) -> Point:
    xs, ys = [x for x, _y in outline], [y for _x, y in outline]
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def hues(formations: Collection[str]) -> dict[str, int]:
    """Formations by name -> the number of their stripe; the same from picture to picture while they are the same."""
    return {name: number for number, name in enumerate(sorted(name for name in formations if name))}


def _stack(stack: Sequence[Piece], count: int, at: Point, sides: Sequence[str], stripes: dict[str, int]) -> str:
    """Counters of a hex from the top down, as ``count`` of which they are the first."""
    x, y = at
    right, down = FAN if count > 1 else (0, 0)
    drawn = []
    for place, piece in reversed(list(enumerate(stack))):
        off = 1 - 2 * min(place, SHOWN - 1)
        spot = x + right * off // 2, y - down * off // 2
        drawn.append(counter(piece, spot, sides, stripes, under=place >= SHOWN))
    if count > 1:
        ring = f'<circle class="count" cx="{x + HALF}" cy="{y + HALF}" r="190"/>'
        told = f'<text class="count" x="{x + HALF}" y="{y + HALF + 85}">{count}</text>'
        drawn.append(f'<g data-stack="{escape(stack[0].at)}">{ring}{told}</g>')
    return "".join(drawn)


def counter(piece: Piece, at: Point, sides: Sequence[str], stripes: dict[str, int], *, under: bool = False) -> str:
    """One counter with its middle at a point."""
    side = of_side(piece.side, sides)
    words = f"counter {side}{' reduced' if piece.band else ''}{' under' if under else ''}"
    inner = [f"<title>{escape(_told(piece))}</title>", f'<path class="card" d="{_card(side)}"/>']
    if piece.band:
        inner.append(f'<path class="band" d="M{-HALF + 20} 115H{HALF - 20}V330H{-HALF + 20}z"/>')
    if piece.formation in stripes:
        hue = stripes[piece.formation]
        inner.append(f'<path class="stripe hue-{hue % HUES}" d="M{-HALF + 20} -350h110v700h-110z"/>')
        if hue >= HUES:
            inner.append(f'<path class="stripe-line" d="M{-HALF + 75} -350v700"/>')
    figures = f"({piece.figures})" if piece.band else piece.figures
    size = 380 if len(figures) < 6 else max(150, 2200 // len(figures))
    inner += [
        f'<text class="id" x="0" y="-395">{escape(piece.id)}</text>',
        f'<use href="#{_symbol(piece.symbol)}" y="-130" class="symbol"/>',
        f'<text class="figures" x="40" y="455" font-size="{size}">{escape(figures)}</text>',
    ]
    if piece.size:
        inner.append(f'<text class="size" x="438" y="-95">{escape(piece.size)}</text>')
    if piece.facing != (0, 0):
        inner.append(f'<path class="faces" d="{_arrow(piece.facing)}"/>')
    for (x, y), mark in zip(_MARK_SPOTS, piece.marks, strict=False):
        inner.append(f'<use href="#{escape(mark)}" class="mark {escape(mark)}" x="{x}" y="{y}"/>')
    return _group(piece, words, at, inner)


def _group(piece: Piece, words: str, at: Point, inner: Sequence[str]) -> str:
    """A counter as a group that a page can find by its unit."""
    there = f' data-at="{escape(piece.at)}"' if piece.at else ""
    place = f'class="{words}" data-unit="{escape(piece.id)}"{there} transform="translate({at[0]},{at[1]})"'
    return f"<g {place}>{''.join(inner)}</g>"


def _told(piece: Piece) -> str:
    words = [piece.id, piece.symbol, piece.figures, piece.formation, "reduced" if piece.band else "", *piece.marks]
    return ", ".join(word for word in words if word)


def _card(side: str) -> str:
    """The outline of a counter: square corners for the first side, cut ones for the second."""
    if side == "side-0":
        return f"M{-HALF} {-HALF}H{HALF}V{HALF}H{-HALF}z"
    inner = HALF - _CUT
    return f"M{-inner} {-HALF}H{inner}L{HALF} {-inner}V{inner}L{inner} {HALF}H{-inner}L{-HALF} {inner}V{-inner}z"


def _symbol(symbol: str) -> str:
    return f"branch-{symbol}" if symbol in SYMBOLS else "branch-other"


def model(piece: Piece, at: Point, sides: Sequence[str]) -> str:
    """A model of a table top: a small counter with its id above."""
    side = of_side(piece.side, sides)
    words = f"counter model {side}{' reduced' if piece.band else ''}"
    inner = [
        f"<title>{escape(_told(piece))}</title>",
        f'<path class="card" d="{_card(side)}" transform="scale(.85)"/>',
        f'<use href="#{_symbol(piece.symbol)}" transform="scale(1.25)" class="symbol"/>',
        f'<text class="model" x="0" y="-620">{escape(piece.id)}</text>',
    ]
    if piece.facing != (0, 0):
        inner.insert(1, f'<path class="facing" d="{_wedge(piece.facing)}"/>')
    return _group(piece, words, at, inner)


def _arrow(facing: Point) -> str:
    """An arrowhead at the side of a counter that faces there, as long as its hexside allows."""
    x, y = facing
    long = max(map(abs, facing))
    ahead, aside = (x * 760 // long, -y * 760 // long), (y * 260 // long, x * 260 // long)
    back = ahead[0] * 7 // 10, ahead[1] * 7 // 10
    return (
        f"M{ahead[0]} {ahead[1]}L{back[0] + aside[0]} {back[1] + aside[1]}L{back[0] - aside[0]} {back[1] - aside[1]}z"
    )


def _wedge(facing: Point) -> str:
    """The front of a model: from its middle 45 degrees to both sides of where it faces; a table top counts upwards."""
    x, y = facing
    arms = (x - y, -y - x, x + y, x - y)
    long = max(map(abs, arms))
    a, b, c, d = (arm * 1300 // long for arm in arms)
    return f"M0 0L{a} {b}L{c} {d}z"
