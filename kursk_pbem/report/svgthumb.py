"""A position as a picture of a few centimetres: ground, rivers, cities, each counter a block."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.kernel.picture import PLANE, Picture, Point
from kursk_pbem.report import svg, svgground, svgstyle
from kursk_pbem.report.svgtext import attribute

_BLOCK, _MODEL = 1_150, 2_000  # map units that a counter takes on hexes, and a model on a table
_CSS = """
.kursk-map{color-scheme:light dark}
.kursk-map .grid,.kursk-map .inch{display:none}.block{stroke:#fffdf4;stroke-width:70}
.block.side-0{fill:#5d6b62}.block.side-1{fill:#c9791f}.edge.river{stroke-width:130}.edge.casing{stroke-width:190}
.town{fill:#4c4037}
"""


def draw(picture: Picture, sides: Sequence[str]) -> str:
    """The picture as one SVG element that ends in a newline. It has no letters."""
    picture = svg.to_scale(picture)
    x, y, width, height = svg.frame(picture)
    middles = {region.id: svg.centre(region) for region in picture.regions}
    on_table = picture.form == PLANE
    size = _MODEL if on_table else _BLOCK
    spots: dict[Point, str] = {}
    for piece in picture.pieces:
        at = piece.spot if on_table else middles.get(piece.at)
        if at is not None:
            spots.setdefault(at, svgstyle.of_side(piece.side, sides))
    towns = [
        middles[place.at] for place in picture.places if place.at in middles and place.kind in ("city", "major-city")
    ]
    blocks = (
        f'<rect class="block {side}" x="{across - size // 2}" y="{down - size // 2}" width="{size}" height="{size}"/>'
        for (across, down), side in spots.items()
    )
    inner = [
        f"<style>{svgstyle.CSS}{svgstyle.PAGE}{_CSS}</style>",
        svgstyle.DEFS,
        svgground.ground(picture, grid=False),
        svgground.edges(picture),
        *(f'<circle class="town" cx="{across}" cy="{down}" r="420"/>' for across, down in towns),
        *blocks,
    ]
    head = attribute(xmlns="http://www.w3.org/2000/svg", viewBox=f"{x} {y} {width} {height}", class_="kursk-map")
    return f"<svg{head}>{''.join(inner)}</svg>\n"
