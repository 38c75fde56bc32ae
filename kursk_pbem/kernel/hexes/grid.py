"""Labels of a hex map and the geometry behind them: neighbours and distances of one flat-top ``CCRR`` grid.

Every second column sits half a hex higher; which ones is the map's own business (``high_columns``).
"""

from __future__ import annotations

from dataclasses import dataclass

# Around a hex, clockwise from north, in axial steps (column, diagonal).
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


@dataclass(frozen=True)
class Grid:
    """A rectangle of labels: columns and rows both inclusive, ``odd_high`` where odd columns sit half a hex north."""

    first_column: int
    last_column: int
    first_row: int
    last_row: int
    odd_high: bool = True

    def label(self, column: int, row: int) -> str:
        """The four digits of a column and a row."""
        return f"{column:02d}{row:02d}"

    def place(self, label: str) -> tuple[int, int] | None:
        """Column and row of a label, or None for anything that is not a label of this rectangle."""
        if len(label) != 4 or not (label.isascii() and label.isdigit()):
            return None
        column, row = int(label[:2]), int(label[2:])
        inside = self.first_column <= column <= self.last_column and self.first_row <= row <= self.last_row
        return (column, row) if inside else None

    def labels(self) -> list[str]:
        """All labels of the rectangle, ascending."""
        return [
            self.label(column, row)
            for column in range(self.first_column, self.last_column + 1)
            for row in range(self.first_row, self.last_row + 1)
        ]

    def _half(self, column: int) -> int:
        odd = column & 1
        return (column + odd) // 2 if self.odd_high else (column - odd) // 2

    def axial(self, column: int, row: int) -> tuple[int, int]:
        """Axial coordinates (q, r) of a column and a row."""
        return column, row - self._half(column)

    def offset(self, q: int, r: int) -> tuple[int, int]:
        """Column and row of axial coordinates."""
        return q, r + self._half(q)

    def neighbours(self, column: int, row: int) -> list[tuple[int, int]]:
        """The six columns and rows around one, clockwise from north; some may lie outside the rectangle."""
        q, r = self.axial(column, row)
        return [self.offset(q + dq, r + dr) for dq, dr in DIRECTIONS]

    def distance(self, a: str, b: str) -> int:
        """Hexsides crossed on the shortest way between two labels, ignoring everything on the map."""
        place_a, place_b = self.place(a), self.place(b)
        if place_a is None or place_b is None:
            raise ValueError(f"not a hex of this map: {a!r} or {b!r}")
        (qa, ra), (qb, rb) = self.axial(*place_a), self.axial(*place_b)
        dq, dr = qa - qb, ra - rb
        return max(abs(dq), abs(dr), abs(dq + dr))
