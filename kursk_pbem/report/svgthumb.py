"""Pictures for pages with a light and a dark theme: small ones with each counter as a block, and whole maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.picture import PLANE, Picture, Point, find_middle
from kursk_pbem.report import svg, svgcounters, svgfront, svgground, svgstyle
from kursk_pbem.report.svgtext import attribute

_BLOCK = 1_150  # size of a counter in map units
_LARGER = 3  # enlargement of models
_AROUND = 5_000  # margin around the models of a table, in map units
_CSS = """
.kursk-map{color-scheme:light dark}
.kursk-map .grid,.kursk-map .inch{display:none}.block{stroke:#fffdf4;stroke-width:70}
.block.side-0{fill:#5d6b62}.block.side-1{fill:#c9791f}.edge.river{stroke-width:11}.front{stroke-width:42;opacity:.6}.neat.outer{display:none}
.town{fill:#4c4037}text.model,.facing{display:none}
"""


def draw_thumbnail(picture: Picture, sides: Sequence[str], *, whole: bool = False) -> str:
    """Return the picture as one SVG element without letters, ending in a newline.

    A table top shows only the part with models, unless ``whole`` is set.
    """
    picture = svg.to_scale(picture)
    x, y, width, height = svg.prepare_for_page(picture) if whole else svg.find_frame(picture)
    middles = {region.id: find_middle(region.outline) for region in picture.regions}
    on_table = picture.form == PLANE
    if on_table and picture.pieces and not whole:
        x, y, width, height = _crop_table((x, y, width, height), [piece.spot for piece in picture.pieces])
    spots: dict[Point, str] = {}
    for piece in () if on_table else picture.pieces:
        if (at := middles.get(piece.at)) is not None:
            spots.setdefault(at, svgstyle.of_side(piece.side, sides))
    towns = [
        middles[place.at] for place in picture.places if place.at in middles and place.kind in ("city", "major-city")
    ]
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
        f'<circle class="goal" cx="{place.spot[0]}" cy="{place.spot[1]}" r="{place.far}"/>'
        for place in picture.places
        if on_table and place.far
    )
    inner = [
        f"<style>{svgstyle.CSS}{svgstyle.PAGE}{_CSS}</style>",
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
    """Return the picture as a file in the colors of the reader's light or dark theme; ``looks``: see `svg.render`."""
    head, rest = svg.render(picture, sides, styled=False, **looks).split("\n", 1)
    return f"{head}\n<style>{svgstyle.CSS}{svgstyle.PAGE}.kursk-map{{color-scheme:light dark}}</style>\n{rest}"


def _crop_table(whole: tuple[int, int, int, int], spots: Sequence[Point]) -> tuple[int, int, int, int]:
    """Return the square part of a table with the models, inside the table: left, top, width, height."""
    left, top, width, height = whole
    xs, ys = [x for x, _y in spots], [y for _x, y in spots]
    side = min(width, height, max(max(xs) - min(xs), max(ys) - min(ys)) + 2 * _AROUND)
    x, y = (min(xs) + max(xs) - side) // 2, (min(ys) + max(ys) - side) // 2
    return max(left, min(x, left + width - side)), max(top, min(y, top + height - side)), side, side
