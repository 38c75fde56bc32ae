"""Places of pills in a picture that nobody can move: clear of other pills, and of counters as far as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kursk_pbem.kernel.picture import Picture, find_middle
from kursk_pbem.report.pictures import svg
from kursk_pbem.report.pictures.svg import Burst
from kursk_pbem.report.pictures.svgcounters import HALF
from kursk_pbem.report.pictures.svgtext import Box, choose_box, fit_letters

_HIGH = 400
"""Height of a pill in map units, before its enlargement."""


def place_pills(bursts: Sequence[Burst], picture: Picture, frame: Box, scale: int) -> Iterator[Burst]:
    """Yield the pills (signs of battles) with room in the frame. A pill that would touch another pill is left out.

    ``frame``: left, top, right, bottom. ``scale``: the size of the pills in hundredths.
    """
    middles = {region.id: find_middle(region.outline) for region in picture.regions}
    spots = {middles.get(piece.at, piece.spot) for piece in picture.pieces}
    counters = [(x - HALF, y - HALF, x + HALF, y + HALF) for x, y in sorted(spots)]
    pills: list[Box] = []
    for burst in bursts:
        dice = len(burst.dice) * svg.CAST * 11 // 10 * scale // 100
        long = dice + 2 * (fit_letters(burst.text or "*", svg.TAG, 3 * HALF)[1] // 2 + 130) * scale // 100
        high = _HIGH * scale // 100
        down, aside = HALF + high // 2, HALF + long // 2
        middle = () if burst.at in spots else ((0, 0),)
        ways = (*middle, (0, -down), (0, down), (aside, 0), (-aside, 0))
        places = [(burst.at[0] + x, burst.at[1] + y) for x, y in ways]
        boxes = [(x - long // 2, y - high // 2, x + long // 2, y + high // 2) for x, y in places]
        if (found := choose_box(boxes, frame, pills, counters)) is not None:
            x, y = places[found[1]]
            pills.append(boxes[found[1]])
            yield replace(burst, at=(x - dice // 2, y + svg.ABOVE))
