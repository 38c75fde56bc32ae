"""Wargame counters: side by shape and color, branch in a frame, figures below, name above.

A counter is 1,240 map units wide, so the hex's number and name stay visible. A table top model is a vehicle or gun seen
from above, in the size of its stand, turned to its facing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isqrt

from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Point, find_middle
from kursk_pbem.report.pictures.svgstyle import HUES, MARKS, SYMBOLS, of_side
from kursk_pbem.report.pictures.svgtext import element, escape, fit_letters, write_fitted

HALF = 620
"""Half the side of a counter."""
FAN = 90, 50
"""Offset of each counter in a stack: more to the side, because words are above and below."""
SHOWN = 2
"""Number of drawn counters of a stack; the rest are counted."""
COUNT = 690
"""Place of a stack's number: offset to the right and below the middle, clear of the figures."""
SIZES = {"II": "a battalion", "X": "a brigade", "XX": "a division", "XXX": "a corps", "XXXX": "an army"}
_CUT, _ROUND = 190, 90
_STRIPE = 110
_EDGE = 70  # distance of letters from the edge of a counter
_LARGE = 760  # size of the figures of a counter seen from far
Describe = Callable[[Piece], str]
STAND = 500
"""Default half width of a model's stand."""
_BARREL = '<path class="track" d="M-34-760h68v560h-68z"/>'
_SEEN = {
    "armor": '<path class="halo" d="M-350-440H350V450H-350zM-34-760h68v400h-68z"/>'
    '<path class="track" d="M-350-430h150v870h-150zM200-430h150v870h-150z"/>'
    '<path class="card hull" d="M-205-450H205L265-340V440H-265V-340z"/>'
    '<path class="seam" d="M-265-310H265M-180 320H180M-180 385H180"/>'
    f'{_BARREL}<path class="track" d="M-58-770h116v105h-116z"/>'
    '<path class="plate" d="M-100-265H100L225-110V130L160 265H-160L-225 130V-110z"/>',
    "anti-tank": '<path class="halo" d="M-34-760h68v700h-68zM-400-100h800v310h-800z"/>'
    '<path class="track" d="M-40 60L-250 470h90L0 170L160 470h90L40 60z"/>'
    '<path class="track" d="M-400-90h110v300h-110zM290-90h110v300h-110z"/>'
    f'<path class="card hull" d="M-310 60L-250-110H250L310 60z"/>{_BARREL}<circle class="plate" cy="10" r="225"/>',
}
"""Models from above, pointing up, by branch."""
_NEAR = 2_300  # distance of models that would overlap on a small map
_MARK_SPOTS = ((-COUNT, -COUNT), (COUNT, -COUNT), (COUNT, COUNT), (-COUNT, COUNT))


def draw_counters(
    picture: Picture, sides: Sequence[str], *, buried: bool = False, describe: Describe | None = None
) -> str:
    """Return every piece on the map. A stack shows the top counters like a fan, and the number of counters.

    ``buried``: also draw lower counters, with the class ``under``, so a page can spread the stack. ``describe``: as in
    ``draw_counter``.
    """
    draw = make_drawer(picture, sides, describe)
    if picture.form == PLANE:
        return _layer(_draw_apart(picture.pieces, draw))
    middles = {region.id: find_middle(region.outline) for region in picture.regions}
    stacks: dict[str, list[Piece]] = {}
    for piece in picture.pieces:
        if piece.at in middles:
            stacks.setdefault(piece.at, []).append(piece)
    deep = len(picture.pieces) if buried else SHOWN
    return _layer(_stack(stack[:deep], len(stack), middles[at], draw) for at, stack in stacks.items())


def _draw_apart(pieces: Sequence[Piece], draw: Callable[..., str]) -> Iterator[str]:
    """Yield models so that no barrel covers the number of the model ahead; a model near another stays smaller."""
    faced = {
        side: [sum(piece.facing[axis] for piece in pieces if piece.side == side) for axis in (0, 1)]
        for side in {piece.side for piece in pieces}
    }
    for piece in sorted(pieces, key=lambda one: one.spot[0] * faced[one.side][0] - one.spot[1] * faced[one.side][1]):
        x, y = piece.spot
        near = any(0 < abs(x - at[0]) + abs(y - at[1]) < _NEAR for at in (other.spot for other in pieces))
        yield draw(piece, piece.spot).replace('"toy"', '"toy near"', near)


def make_drawer(picture: Picture, sides: Sequence[str], describe: Describe | None = None) -> Callable[..., str]:
    """Return a function that draws a piece at a point: a counter or, on a table top, a model."""
    if picture.form == PLANE:
        return partial(draw_model, sides=sides, describe=describe)
    return partial(draw_counter, sides=sides, stripes=number_formations(picture), describe=describe)


def _layer(elements: Iterator[str]) -> str:
    inner = "".join(elements)
    return element("g", inner, class_="counters") if inner else ""


def number_formations(picture: Picture) -> dict[str, int]:
    """Return the number of each formation's colored stripe. The numbers are equal in all pictures of a game."""
    there = {piece.formation for piece in picture.pieces} | {*picture.formations}
    return {name: number for number, name in enumerate(sorted(name for name in there if name))}


def _stack(stack: Sequence[Piece], count: int, at: Point, draw: Callable[..., str]) -> str:
    """Return the counters of a hex from the top down. ``count``: the size of the whole stack; ``draw``: draws one."""
    x, y = at
    right, down = FAN if count > 1 else (0, 0)
    drawn = []
    for place, piece in reversed(list(enumerate(stack))):
        off = 1 - 2 * min(place, SHOWN - 1)
        spot = x + right * off // 2, y - down * off // 2
        drawn.append(draw(piece, spot, under=place >= SHOWN))
    if count > 1:
        ring = f'<circle class="count" cx="{x + COUNT}" cy="{y + COUNT}" r="190"/>'
        told = f'<text class="count" x="{x + COUNT}" y="{y + COUNT + 120}">{count}</text>'
        drawn.append(f'<g data-stack="{escape(stack[0].at)}">{ring}{told}</g>')
    return "".join(drawn)


def draw_counter(
    piece: Piece,
    at: Point,
    sides: Sequence[str],
    stripes: dict[str, int],
    *,
    under: bool = False,
    describe: Describe | None = None,
) -> str:
    """Return a counter with the center at a point. ``describe``: a function that returns the words of the tooltip."""
    side = of_side(piece.side, sides)
    words = f"counter {side}{' reduced' if piece.band else ''}{' under' if under else ''}"
    card = draw_outline(side)
    inner = [
        f"<title>{escape((describe or _describe_piece)(piece))}</title>",
        f'<path class="shade" d="{card}" transform="translate(25,45)"/><path class="card" d="{card}"/>',
    ]
    if piece.band:
        inner.append(f'<path class="band" d="M{12 - HALF} 150H{HALF - 12}V430L508 530H-508L{12 - HALF} 430z"/>')
    left = _STRIPE if piece.formation in stripes else 0
    if left:
        hue = stripes[piece.formation]
        inner.append(f'<path class="stripe hue-{hue % HUES}" d="M{12 - HALF} -420h{left}v840h-{left}z"/>')
        if hue >= HUES:
            inner.append(f'<path class="stripe-line" d="M{12 - HALF + left // 2} -420v840"/>')
    x, room, air = left // 2, 2 * (HALF - _EDGE) - left, " air" if piece.symbol == "air" else ""
    inner += [
        write_fitted(piece.name or piece.id, (x, -385), 235, room - 60, 'class="id"', squeeze=140),
        f'<use href="#{_choose_symbol(piece.symbol)}" x="{x}" y="-120" class="symbol{air}"/>',
        write_fitted(piece.figures, (x, 495), 440, room - 90, 'class="figures"'),
    ]
    inner.append("" if air else _draw_strength(piece.figures))  # an aircraft is seen from far
    inner.append(write_fitted(piece.size, (HALF - 145, -75), 130, 220, 'class="size"'))
    if piece.facing != (0, 0):
        inner.append(f'<path class="faces" d="{_draw_arrowhead(piece.facing)}"/>')
    for (x, y), mark in zip(_MARK_SPOTS, filter(MARKS.__contains__, piece.marks), strict=False):
        inner.append(f'<use href="#{escape(mark)}" class="mark {escape(mark)}" x="{x}" y="{y}"/>')
    return _wrap_group(piece, words, at, inner)


def _draw_strength(figures: str) -> str:
    """Return the first two figures in large letters, for a map seen from far, as 4 for 4/12 and 4A for 4A-4."""
    first, second = re.findall(r"^\W*(\w*)((?<=\d)-\w+)?", figures)[0]
    size, narrow = fit_letters(first + second, _LARGE, 2 * HALF - _EDGE)[0], ""
    if size < _LARGE:
        size, narrow = min(_LARGE, size * 5 // 4), ' transform="scale(.8,1)"'
    more = f"<tspan>{escape(second)}</tspan>" if second else ""
    return f'<text class="strength" font-size="{size}"{narrow}>{escape(first)}{more}</text>' if first else ""


def _wrap_group(piece: Piece, words: str, at: Point, inner: Sequence[str]) -> str:
    """Return a counter as a group that a page can find by unit."""
    there = f' data-at="{escape(piece.at)}"' if piece.at else ""
    place = f'class="{words}" data-unit="{escape(piece.id)}"{there} transform="translate({at[0]},{at[1]})"'
    return f"<g {place}>{''.join(inner)}</g>"


def describe_reduction(piece: Piece) -> str:
    """Return the word for a reduced counter, or '' if a mark explains its band (the sign of a reduced counter)."""
    return "reduced" if piece.band and "disrupted" not in piece.marks else ""


def list_words(piece: Piece, figures: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Return in words what a counter shows. ``figures``: pairs of a printed figure and a meaning."""
    words = [
        *([f"{printed} {meaning}" for printed, meaning in figures if printed] or [piece.figures]),
        piece.symbol.replace("-", " "),
        SIZES.get(piece.size, ""),
        piece.formation if piece.formation != piece.id else "",
        *(meaning for printed, meaning in figures if not printed),
        describe_reduction(piece),
        *(mark.replace("-", " ") for mark in piece.marks),
    ]
    return [*dict.fromkeys(filter(None, words))]


def _describe_piece(piece: Piece) -> str:
    return ", ".join((piece.id, *list_words(piece)))


def draw_outline(side: str) -> str:
    """Return the outline of a counter: round corners for the first side, cut corners for the second side."""
    if side == "side-0":
        long, bow = 2 * (HALF - _ROUND), f"a{_ROUND} {_ROUND} 0 0 1"
        sides = f"h{long}{bow} {_ROUND} {_ROUND}v{long}{bow}-{_ROUND} {_ROUND}h-{long}{bow}-{_ROUND}-{_ROUND}"
        return f"M{_ROUND - HALF} {-HALF}{sides}v-{long}{bow} {_ROUND}-{_ROUND}z"
    inner = HALF - _CUT
    return f"M{-inner} {-HALF}H{inner}L{HALF} {-inner}V{inner}L{inner} {HALF}H{-inner}L{-HALF} {inner}V{-inner}z"


def _choose_symbol(symbol: str) -> str:
    return f"branch-{symbol}" if symbol in SYMBOLS else "branch-other"


def draw_model(piece: Piece, at: Point, sides: Sequence[str], describe: Describe | None = None) -> str:
    """Return a model on a table top: its stand to scale, and its parts large enough for clicks on a page."""
    words = f"counter model {of_side(piece.side, sides)}{' reduced' if piece.band else ''}"
    reach = piece.reach or STAND
    seen = _SEEN.get(piece.symbol)
    shape = seen or f'<circle class="card hull" r="450"/><use href="#{_choose_symbol(piece.symbol)}"/>'
    ahead = piece.facing if piece.facing != (0, 0) else piece.aim
    turned = _rotate_to_facing(ahead) if seen and ahead != (0, 0) else ""
    number = piece.name or piece.id.rpartition("-")[2]
    name_x, name_y = find_label(piece)
    inner = [
        f"<title>{escape((describe or _describe_piece)(piece))}</title>",
        f'<path class="facing" d="{_draw_front(piece.facing)}"/>' if piece.facing != (0, 0) else "",
        f'<circle class="base" r="{reach}"/>',
        f'<g class="toy"><g{turned}>{shape}</g><text class="model" y="125">{escape(number)}</text></g>',
        f'<text class="model whole" x="{name_x}" y="{name_y}">{escape(piece.id)}</text>',
    ]
    return _wrap_group(piece, words, at, inner)


def find_label(piece: Piece) -> Point:
    """Return the place for a model's name. The name leaves the model's front free."""
    (x, y), reach = piece.facing, piece.reach or STAND
    aside = (x < 0) - (x > 0) if abs(x) > 3 * abs(y) else 0
    return aside * 350, -reach - 170 if y < 0 else reach + 480


def _rotate_to_facing(facing: Point) -> str:
    """Return a rotation to the facing in thousandths; table tops count upwards."""
    x, y = facing
    long = max(1, isqrt(x * x + y * y))
    sine, cosine = (_format_thousandths(value * 1_000 // long) for value in (x, y))
    return f' transform="matrix({cosine} {sine} {_format_thousandths(-(x * 1_000 // long))} {cosine} 0 0)"'


def _format_thousandths(value: int) -> str:
    return f"{'-' if value < 0 else ''}{abs(value) // 1_000}.{abs(value) % 1_000:03d}"


def _draw_arrowhead(facing: Point) -> str:
    """Return an arrowhead at the facing side of a counter, as long as the hexside allows."""
    x, y = facing
    long = max(map(abs, facing))
    ahead, aside = (x * 790 // long, -y * 790 // long), (y * 260 // long, x * 260 // long)
    back = ahead[0] * 7 // 10, ahead[1] * 7 // 10
    return (
        f"M{ahead[0]} {ahead[1]}L{back[0] + aside[0]} {back[1] + aside[1]}L{back[0] - aside[0]} {back[1] - aside[1]}z"
    )


def _draw_front(facing: Point) -> str:
    """Return the front of a model: 45 degrees to both sides of the facing; table tops count upwards."""
    x, y = facing
    arms = (x - y, -y - x, x + y, x - y)
    long = max(map(abs, arms))
    a, b, c, d = (arm * 1300 // long for arm in arms)
    return f"M0 0L{a} {b}L{c} {d}z"
