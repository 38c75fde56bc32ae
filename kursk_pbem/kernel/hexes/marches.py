"""Several marches of one unit: with or without its bonus, through full hexes or around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.ways import March, Way, find_reach


def first_of(marches: Sequence[March]) -> dict[int, Way]:
    """Return hex -> way for the hexes in which one of several marches may end, ascending. Prefer the first march.

    The marches may differ only in ``closed`` and in their allowance. They have no ``full`` hexes, and no step costs the
    whole allowance. Marches share one search if no march is closed to a hex that the search passed. Put the march with
    the fewest closed hexes and the greatest allowance last, because it is searched first.
    """
    ends: dict[int, Way] = {}
    ways, passed = _search_together(marches)
    for number in range(len(marches), 0, -1):
        march = marches[number - 1]
        if march.closed & passed and number < len(marches):
            ways, passed = _search_together(marches[:number])
        if march.closed & passed:
            ends |= find_reach(march)
        else:
            most, closed = march.allowance, march.closed
            ends |= {there: way for there, way in ways.items() if way.mp <= most and not closed >> there & 1}
    return {there: ends[there] for there in sorted(ends)}


def _search_together(marches: Sequence[March]) -> tuple[dict[int, Way], Mask]:
    """Return the ways of a march with the room of all marches, and the hexes that they pass before the last hex."""
    most, closed = max(march.allowance for march in marches), reduce(and_, [march.closed for march in marches])
    ways = find_reach(replace(marches[0], allowance=most, closed=closed))
    return ways, sum({1 << way.path[-2] for way in ways.values() if len(way.path) > 1})
