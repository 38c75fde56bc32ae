"""A map made fast: hexes are small whole numbers, sets of hexes are Python ints used as bit masks.

Labels outside, indices inside; this module is the border. Indices ascend exactly as labels do, so "the lowest
label" is the lowest index and the lowest set bit of a mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursk_pbem.kernel.hexes.grid import Grid

Mask = int


class Board:
    """The playable hexes of one map. Immutable after construction.

    ``index``: label -> index; ``labels``: index -> label ('' for the padding between columns);
    ``neighbours``: index -> indices around it, ascending; ``near``: index -> the same as a mask;
    ``all``: every playable hex.
    """

    def __init__(self, grid: Grid, playable: Iterable[str]) -> None:
        self.grid = grid
        # One unused slot above and below each column keeps a shifted mask from leaking into the next column.
        self._stride = grid.last_row - grid.first_row + 3
        size = (grid.last_column - grid.first_column + 1) * self._stride
        self.labels: list[str] = [""] * size
        self.index: dict[str, int] = {}
        for label in sorted(playable):
            place = grid.place(label)
            if place is None:
                raise ValueError(f"hex {label} lies outside the grid")
            position = (place[0] - grid.first_column) * self._stride + place[1] - grid.first_row + 1
            self.index[label] = position
            self.labels[position] = label
        self.all: Mask = self.mask(self.index)
        lifted = [label for label in self.index if (int(label[:2]) % 2 == 1) == grid.odd_high]
        self._high: Mask = self.mask(lifted)
        self._low: Mask = self.all & ~self._high
        self.near: list[Mask] = [0] * size
        self.neighbours: list[tuple[int, ...]] = [()] * size
        for position in self.index.values():
            self.near[position] = self.spread(1 << position)
            self.neighbours[position] = tuple(bits(self.near[position]))

    def mask(self, labels: Iterable[str]) -> Mask:
        """The hexes named, as a mask; a label that is no playable hex is a KeyError."""
        result = 0
        for label in labels:
            result |= 1 << self.index[label]
        return result

    def names(self, mask: Mask) -> list[str]:
        """The labels of a mask, ascending."""
        return [self.labels[position] for position in bits(mask)]

    def spread(self, mask: Mask) -> Mask:
        """All playable hexes adjacent to at least one hex of the mask."""
        step = self._stride
        high, low = mask & self._high, mask & self._low
        around = (mask << 1) | (mask >> 1) | (mask << step) | (mask >> step)
        around |= (high << (step - 1)) | (high >> (step + 1))
        around |= (low << (step + 1)) | (low >> (step - 1))
        return around & self.all

    def flood(self, start: Mask, through: Mask) -> Mask:
        """Every hex reached from ``start`` by steps inside ``through``; ``start`` counts where it is inside."""
        reached = start & through
        frontier = reached
        while frontier:
            frontier = self.spread(frontier) & through & ~reached
            reached |= frontier
        return reached

    def distance(self, a: int, b: int) -> int:
        """Hexsides between two indices, ignoring everything on the map."""
        return self.grid.distance(self.labels[a], self.labels[b])


def bits(mask: Mask) -> Iterator[int]:
    """The indices in a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
