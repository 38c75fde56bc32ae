"""Overlays of a table top for planning: lines of sight, ranges, possible ends of moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.picture import SIGHTS, Piece, Place, Point, Sight
from kursk_pbem.report.svgcounters import find_label
from kursk_pbem.report.svgtext import element, escape

LEGEND = 800
"""Height of the legend below a picture, in map units."""
_SEEN = ("clear", "obscured")
_BEYOND = 112  # place of an arc's word on its line, in hundredths: after the end
_OVER = 1_500  # distance of a pill above the target
_APART = 9_500
_BESIDE = tuple((x, y) for far in (800, 1_300) for y in (-far, far, 0) for x in (far, -far))
"""Places of a sign, from the middle of a model: the first that is clear is taken."""
_LETTER = 132  # half the width of a letter of a model's name
_CLEAR = 560  # height between the middles of a sign and of a name or number
_WORDS = 7_500  # half the width of a range's words
_FLANKS = ((866, 500), (-866, 500), (707, 707), (-707, 707), (500, 866), (-500, 866), (259, 966), (-259, 966))

OUTCOMES = {
    "missed": ("\u2013", "the last shot at the model missed"),
    "saved": ("\u2713", "the model was hit and saved"),
    "struck": ("\u2715", "the model was hit and did not save"),
}
"""Result of shots -> sign on the table and explanation."""


@frozen
class Outcome:
    """Result of the shots at a model, a key of OUTCOMES; ``text``: the result in words."""

    at: Point
    kind: str
    text: str


def draw_outcome(came: Outcome, models: Sequence[Piece] = ()) -> str:
    """Return a small round sign next to the model, clear of the names and numbers of models."""
    places = [(came.at[0] + x, came.at[1] + y) for x, y in _BESIDE]
    clear = (place for place in places if not any(_is_on_words(place, model) for model in models))
    x, y = next(clear, places[0])
    return (
        f'<g class="outcome {came.kind}" transform="translate({x},{y})"><g class="tag">'
        f'<title>{escape(came.text)}</title><circle r="250"/><text y="118">{OUTCOMES[came.kind][0]}</text></g></g>'
    )


def _is_on_words(at: Point, model: Piece) -> bool:
    """Return whether a sign lies on the name or the number of a model."""
    x, y = (one - middle for one, middle in zip(at, model.spot, strict=True))
    name_x, name_y = find_label(model)
    named = abs(x - name_x) < _LETTER * len(model.id) + 290 and abs(y - name_y + 150) < _CLEAR
    return named or (abs(x) < _CLEAR and abs(y) < _CLEAR)


def sights(lines: Iterable[Sight]) -> str:
    """Return lines of sight with different dashes; a pill over the target has the needed roll, an arc has a word."""
    drawn, signs = [], []
    for line in lines:
        (ax, ay), (bx, by) = line.a, line.b
        title = f"<title>{escape(line.text)}</title>" if line.text else ""
        drawn.append(f'<line class="sight {line.kind}" x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}">{title}</line>')
        if line.sign and line.kind in _SEEN:  # a pill over the target, like odds on a hex map
            wide = 210 * len(line.sign) + 240
            pill = f'<rect x="-{wide // 2}" y="-235" width="{wide}" height="470" rx="235"/>'
            letters = f'<text y="118">{escape(line.sign)}</text>'
            signs.append(f'<g transform="translate({bx},{by - _OVER})"><g class="tag aimed">{pill}{letters}</g></g>')
        elif line.sign:
            x, y = ax + (bx - ax) * _BEYOND // 100, ay + (by - ay) * _BEYOND // 100
            signs.append(f'<text class="sight-text" x="{x}" y="{y + 130}">{escape(line.sign)}</text>')
    return element("g", "".join((*drawn, *signs)), class_="sights") if drawn else ""


def draw_legend(lines: Iterable[Sight], below: int) -> str:
    """Return the explanation of the used dashes, below a picture."""
    kinds = [kind for kind in SIGHTS if kind in {line.kind for line in lines}]
    out = []
    for number, kind in enumerate(kinds):
        x = number * _APART
        out.append(f'<line class="sight {kind}" x1="{x}" y1="{below}" x2="{x + 2200}" y2="{below}"/>')
        out.append(f'<text class="sight-word" x="{x + 2400}" y="{below + 150}">{SIGHTS[kind]}</text>')
    return element("g", "".join(out)) if out else ""


def draw_ranges(places: Iterable[Place], wide: int) -> str:
    """Return ranges as circles with words on the flank, clear of the lines of sight ahead.

    ``wide``: the width of the table; words stay on the table if possible.
    """
    out = []
    for place in places:
        (x, y), far = place.spot, place.far
        spots = [(x + far * right // 1_000, y - far * up // 1_000) for right, up in _FLANKS]
        fits = [spot for spot in spots if _WORDS < spot[0] < wide - _WORDS and spot[1] > 900]
        across, down = [*fits, spots[0]][0]
        near, _colon, told = escape(place.name).partition(":")
        out.append(
            f'<circle class="range" cx="{x}" cy="{y}" r="{far}"/>'
            f'<text class="range-text" x="{across}" y="{down}">{near}<tspan class="more">:{told}</tspan></text>'
        )
    return element("g", "".join(out)) if out else ""


def clip_to_circles(outline: Sequence[Point], circles: Iterable[Place]) -> str:
    """Return the part of an outline inside all circles, where a model keeps cohesion with its unit."""
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
    """Return the area for the end of a straight move, lit, with the bases that block it."""
    if len(outline) < 3:
        return ""
    shape = " ".join(f"{x},{y}" for x, y in outline)
    gone = "".join(
        f'<circle class="gone" cx="{place.spot[0]}" cy="{place.spot[1]}" r="{place.far}"/>' for place in holes
    )
    return f'<polygon class="allowance" points="{shape}"/>{gone}'
