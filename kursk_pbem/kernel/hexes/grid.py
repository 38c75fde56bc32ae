"""Labels and geometry of a hex map: neighbours, distances, directions and centres of one grid.

In a grid with flat tops every second column is half a hex higher. In a grid with pointy tops every second row is half a
hex further west. ``odd_high`` selects the columns or rows. Internally both are lines of slots: columns of rows, or rows
of columns. In axial steps (line, diagonal) both grids are equal.
"""

from __future__ import annotations

from kursk_pbem.frozen import frozen

Offset = tuple[int, int]  # offset coordinates: column and row

# Around a hex, clockwise, in axial steps (line, diagonal), and as players call them.
_FLAT = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_POINTY = ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0))
FLAT_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
POINTY_NAMES = ("NE", "E", "SE", "SW", "W", "NW")


@frozen
class Grid:
    """A rectangular map of hexes: first and last column, first and last row. ``odd_high``: odd columns are higher.

    With ``pointy`` tops, ``odd_high`` means that odd rows are further west, by half a hex. ``letters``: what the letter
    of a label counts. With ``rows``, A12 is row A, column 12; with ``columns``, A12 is column A, row 12. '' means four
    digits, two for the column and two for the row.
    """

    first_column: int
    last_column: int
    first_row: int
    last_row: int
    odd_high: bool = True
    pointy: bool = False
    letters: str = ""

    def label(self, column: int, row: int) -> str:
        """Return the label of a column and a row."""
        if not self.letters:
            return f"{column:02d}{row:02d}"
        letter, number = (row, column) if self.letters == "rows" else (column, row)
        return f"{chr(64 + letter)}{number}"

    def place(self, label: str) -> Offset | None:
        """Return column and row of a label. Returns None if the text is not the label of a hex of this map."""
        digits = label[1:] if self.letters else label
        if not (label.isascii() and digits.isdigit() and len(label) <= 4):
            return None
        first, second = (ord(label[0]) - 64, int(digits)) if self.letters else divmod(int(label), 100)
        column, row = (second, first) if self.letters == "rows" else (first, second)
        inside = self.first_column <= column <= self.last_column and self.first_row <= row <= self.last_row
        return (column, row) if inside and self.label(column, row) == label else None

    def places(self) -> list[Offset]:
        """Return (column, row) of every hex in order of labels: by column, or by row if letters count rows."""
        columns, rows = range(self.first_column, self.last_column + 1), range(self.first_row, self.last_row + 1)
        places = [(column, row) for column in columns for row in rows]
        return sorted(places, key=lambda place: place[::-1]) if self.letters == "rows" else places

    def _half_offset(self, line: int) -> int:
        return (line + (line & 1 if self.odd_high else -(line & 1))) // 2

    def axial(self, column: int, row: int) -> tuple[int, int]:
        """Return the axial coordinates (q, r) of a column and a row."""
        line, slot = (row, column) if self.pointy else (column, row)
        return line, slot - self._half_offset(line)

    def neighbours(self, column: int, row: int) -> list[Offset]:
        """Return the six adjacent places, even off the map, clockwise from N (`FLAT_NAMES`) or NE (`POINTY_NAMES`)."""
        q, r = self.axial(column, row)
        around = [(q + dq, r + dr + self._half_offset(q + dq)) for dq, dr in (_POINTY if self.pointy else _FLAT)]
        return [(slot, line) for line, slot in around] if self.pointy else around

    def distance(self, a: Offset, b: Offset) -> int:
        """Return the distance of two hexes in hexsides, whatever the terrain and the units."""
        (qa, ra), (qb, rb) = self.axial(*a), self.axial(*b)
        dq, dr = qa - qb, ra - rb
        return max(abs(dq), abs(dr), abs(dq + dr))

    def direction(self, a: Offset, b: Offset) -> int:
        """Return the number of the hexside of ``a`` toward ``b``, in the order of ``neighbours``.

        Across this hexside is the neighbor of ``a`` nearest to ``b`` in a straight line. If two neighbors are equally
        near, the first one counts.
        """
        x, y = self.centre(*b)
        around = [(x - column, y - row) for column, row in (self.centre(*near) for near in self.neighbours(*a))]
        far = [3 * right**2 + down**2 if self.pointy else right**2 + 3 * down**2 for right, down in around]
        return far.index(min(far))

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """Return the center (x, y) of a hex on a drawn map, in whole numbers; y grows downward.

        With flat tops, a unit of x is half a hexside, and a unit of y is half the height of a hex. So the corners are
        at (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1) and (-2, 0) from the center. With pointy tops, x and y are
        exchanged.
        """
        low = int(((row if self.pointy else column) % 2 == 1) != self.odd_high)
        return (2 * column + low, 3 * row) if self.pointy else (3 * column, 2 * row + low)
