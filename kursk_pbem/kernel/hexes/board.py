"""A fast map: hexes are small whole numbers, sets of hexes are Python ints as bit masks.

Labels are outside, indices inside; this module converts. Indices ascend with places (four digits CCRR with their
labels, A3 before A12), so "the lowest hex" is the lowest index and the lowest set bit of a mask.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import accumulate, islice
from types import MappingProxyType

from kursk_pbem.kernel.hexes.grid import Grid, Offset

Mask = int
Links = Mapping[int, Mask]  # index -> hexes
NONE: Links = MappingProxyType({})
_FAR = 16  # distances that `Board.around` knows, for the allowances of nearly every unit


class Board:
    """The playable hexes of one map, each with a number (index). A board never changes. ``absent``: hexes not playable.

    ``index``: label -> index. ``labels``: index -> label ('' if not playable). ``places``: index -> (column, row).
    ``neighbours``: index -> adjacent indices, ascending. ``near``: index -> adjacent hexes as a mask, a whole number
    with a bit for every hex. ``all``: every playable hex. ``rectangle``: every hex of the grid, playable or not.
    """

    def __init__(self, grid: Grid, absent: Container[str] = ()) -> None:
        self.grid = grid
        by_row, places = grid.letters == "rows", grid.places()
        span = grid.last_column - grid.first_column if by_row else grid.last_row - grid.first_row
        # One unused slot between two rows or columns keeps a shifted mask from leaking into the next one.
        stride = max(span, 0) + 2
        self._line, self._slot = (stride, 1) if grid.pointy == by_row else (1, stride)
        self._around: dict[int, tuple[Mask, ...]] = {}
        self.index: dict[str, int] = {}
        self.places: dict[int, Offset] = {}
        self.rectangle = self._high = 0
        for number, place in enumerate(places):
            position = number + number // (stride - 1) + stride + 1
            self.places[position] = place
            self.rectangle |= 1 << position
            if (place[grid.pointy] % 2 == 1) == grid.odd_high:
                self._high |= 1 << position
            if (label := grid.label(*place)) not in absent:
                self.index[label] = position
        self._axial = {position: grid.axial(*place) for position, place in self.places.items()}
        self._low = self.rectangle & ~self._high
        self.all = self.mask(self.index)
        self._join_hexes(len(places) + len(places) // (stride - 1) + 2 * stride + 2)

    def _join_hexes(self, size: int) -> None:
        """Compute the neighbours of every hex: two in its own line, two in each adjacent line."""
        line, slot, high, playable = self._line, self._slot, self._high, set(self.index.values())
        beside = (slot, -slot, line, -line)
        # of a low hex, of a high one
        steps = [sorted({*beside, line + aside, aside - line}) for aside in (slot, -slot)]
        shapes = [sum(1 << step + line + slot for step in around) for around in steps]
        self.labels: list[str] = [""] * size
        self.near: list[Mask] = [0] * size
        self.neighbours: list[tuple[int, ...]] = [()] * size
        for label, here in self.index.items():
            lifted = high >> here & 1
            self.labels[here] = label
            self.near[here] = shapes[lifted] << here >> line + slot & self.all
            self.neighbours[here] = tuple([here + step for step in steps[lifted] if here + step in playable])

    def mask(self, labels: Iterable[str]) -> Mask:
        """Return the hexes with these labels as a mask. Raises KeyError if a label belongs to no playable hex."""
        return sum({1 << self.index[label] for label in labels})

    def names(self, mask: Mask) -> list[str]:
        """Return the labels of the hexes in a mask, ascending."""
        return [self.labels[position] for position in bits(mask)]

    def spread(self, mask: Mask) -> Mask:
        """Return the playable hexes adjacent to at least one hex of the mask."""
        return self._find_around(mask) & self.all

    def _find_around(self, mask: Mask) -> Mask:
        """Return the hexes adjacent to the mask, including unplayable ones and padding."""
        line, slot, high, low = self._line, self._slot, mask & self._high, mask & self._low
        # In adjacent lines a high hex touches the same slot and the previous slot, a low hex the next slot.
        high, low = high << line | high >> line, low << line | low >> line
        return high | high >> slot | low | low << slot | mask << slot | mask >> slot

    def _spread_waves(self, start: Mask, through: Mask, cut: Links, links: Links) -> Iterator[Mask]:
        """Yield the hexes first reached by 0, 1, 2 ... steps from ``start`` inside ``through``."""
        special = sum({1 << index for index in (*cut, *links)})
        frontier = reached = start & through
        while frontier:
            yield frontier
            around = self._find_around(frontier & ~special)
            for here in bits(frontier & special):
                around |= self.near[here] & ~cut.get(here, 0) | links.get(here, 0)
            frontier = around & through & ~reached
            reached |= frontier

    def flood(self, start: Mask, through: Mask, cut: Links = NONE, links: Links = NONE) -> Mask:
        """Return the hexes reached from ``start`` by steps inside ``through``. Ignore start hexes outside ``through``.

        ``cut``: index -> neighbours that a step cannot enter. ``links``: index -> more hexes that a step can enter.
        """
        return sum(self._spread_waves(start, through, cut, links))  # no two waves share a hex

    def rings(self, start: Mask, through: Mask, most: int, cut: Links = NONE, links: Links = NONE) -> list[Mask]:
        """Return the hexes reached in exactly 0, 1, ... ``most`` steps. The list ends before the first empty ring."""
        return list(islice(self._spread_waves(start, through, cut, links), most + 1))

    def around(self, hex_: int) -> tuple[Mask, ...]:
        """Return the hexes within a distance of 0, 1, ... ``_FAR`` hexes, whatever their terrain and units."""
        if hex_ not in self._around:
            rings = self.rings(1 << hex_, self.rectangle, _FAR)
            self._around[hex_] = tuple(accumulate([*rings, *[0] * (_FAR + 1 - len(rings))]))
        return self._around[hex_]

    def nearest(self, places: Mask, start: Mask) -> Mask:
        """Return the hexes of ``places`` nearest to ``start``, whatever the terrain. Without ``start`` return all."""
        rings = self._spread_waves(start, self.rectangle, NONE, NONE)
        return next((ring & places for ring in rings if ring & places), places)

    def distance(self, a: int, b: int) -> int:
        """Return the distance of two hexes in hexsides, whatever the terrain and the units."""
        (qa, ra), (qb, rb) = self._axial[a], self._axial[b]
        dq, dr = qa - qb, ra - rb
        return max(abs(dq), abs(dr), abs(dq + dr))


def bits(mask: Mask) -> Iterator[int]:
    """Yield the indices (numbers) of the hexes in a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def least_blocked(board: Board, start: int, goals: Mask, opened: Mask) -> tuple[int, ...]:
    """Return the way from ``start`` to one of the ``goals`` that has the fewest hexes outside ``opened``.

    The start does not count. On a tie, the shortest way wins, then the lowest indices. Returns () without a way.
    """
    heap: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (start,))]
    best: dict[int, tuple[int, int]] = {}
    seen = 0
    while heap:
        blocked, length, path = heappop(heap)
        here = path[-1]
        if goals >> here & 1:
            return path
        if not seen >> here & 1:
            seen |= 1 << here
            for there in board.neighbours[here]:
                now = blocked + (not opened >> there & 1), length + 1
                if not seen >> there & 1 and now <= best.get(there, now):  # the path breaks ties
                    best[there] = now
                    heappush(heap, (*now, (*path, there)))
    return ()
