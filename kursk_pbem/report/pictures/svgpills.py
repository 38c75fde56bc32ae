"""Places of pills in a picture that nobody can move: clear of other pills, and of counters as far as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kursk_pbem.kernel.picture import Picture, Point, find_middle
from kursk_pbem.report.pictures import svg
from kursk_pbem.report.pictures.svg import Burst
from kursk_pbem.report.pictures.svgcounters import HALF
from kursk_pbem.report.pictures.svgtext import Box, fit_letters, share

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
        found: list[tuple[int, int, Point, Box]] = []
        dice = len(burst.dice) * svg.CAST * 11 // 10 * scale // 100
        long = dice + 2 * (fit_letters(burst.text or "*", svg.TAG, 3 * HALF)[1] // 2 + 130) * scale // 100
        for rank, (x, y) in enumerate(_list_spots(burst.at, long, _HIGH * scale // 100)):
            box = x - long // 2, y - _HIGH * scale // 200, x + long // 2, y + _HIGH * scale // 200
            inside = frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]
            if inside and not any(share(box, pill) for pill in pills):
                over = sum(share(box, counter) for counter in counters)
                found.append((over, rank, (x - dice // 2, y + svg.ABOVE), box))
        if found:
            *_rank, at, box = min(found)
            pills.append(box)
            yield replace(burst, at=at, low=False)


def _list_spots(at: Point, long: int, high: int) -> list[Point]:
    """Return the middles of a pill above, below, right and left of a counter."""
    down, aside = HALF + high // 2, HALF + long // 2
    return [(at[0] + x, at[1] + y) for x, y in ((0, -down), (0, down), (aside, 0), (-aside, 0))]
