"""Several marches of one unit: with or without its bonus, through full hexes or around."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.ways import March, Way, find_reach


def first_of(marches: Sequence[March], near: Sequence[Mask]) -> dict[int, Way]:
    """Return every hex in which one of several marches may end, ascending, with the way of the first such march.

    The marches differ only in ``closed`` and allowance; no hex is ``full``, and no step takes ALL. A march is not
    searched if it differs from an earlier search in no hex near that search. So the march with the most room should be
    last. ``near``: the adjacent hexes of each hex.
    """
    ends: dict[int, Way] = {}
    done: list[tuple[March, dict[int, Way], Mask]] = []
    for march in reversed(marches):
        alike = (
            best
            for other, best, beside in done
            if march.allowance <= other.allowance and not (march.closed ^ other.closed) & beside
        )
        if (best := next(alike, None)) is None:
            best, beside = find_reach(march), near[march.start]
            for there in best:
                beside |= 0 if march.ends >> there & 1 else near[there]
            done.append((march, best, beside))
        ends |= {there: way for there, way in best.items() if way.mp <= march.allowance}
    return {there: ends[there] for there in sorted(ends)}
