"""Labels of a hex map and the geometry behind them: neighbours, distances, directions and centres of one grid.

A grid of flat-topped hexes has columns of which every second one sits half a hex higher; one of pointy-topped hexes
has rows of which every second one sits half a hex further west. Which ones is the map's own business (``odd_high``).
Inside, both are lines of slots: columns of rows, or rows of columns. In axial steps (line, diagonal) they are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

# Around a hex, clockwise, in axial steps (line, diagonal), and as players call them.
_FLAT = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_POINTY = ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0))
_FLAT_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
_POINTY_NAMES = ("NE", "E", "SE", "SW", "W", "NW")


@dataclass(frozen=True)
class Grid:
    """A rectangle of labels: columns and rows both inclusive, ``odd_high`` where odd columns sit half a hex north.

    With ``pointy`` tops odd rows sit half a hex west where ``odd_high``. ``letters`` says what the letter of a label
    counts: ``rows`` or ``columns`` (A12: row A, column 12; or column A, row 12); '' for the four digits CCRR.
    """

    first_column: int
    last_column: int
    first_row: int
    last_row: int
    odd_high: bool = True
    pointy: bool = False
    letters: str = ""

    def label(self, column: int, row: int) -> str:
        """The label of a column and a row."""
        if not self.letters:
            return f"{column:02d}{row:02d}"
        letter, number = (row, column) if self.letters == "rows" else (column, row)
        return f"{chr(64 + letter)}{number}"

    def place(self, label: str) -> tuple[int, int] | None:
        """Column and row of a label, or None for anything that is not a label of this rectangle."""
        digits = label[1:] if self.letters else label
        if not (label.isascii() and digits.isdigit() and len(label) <= 4):
            return None
        if not self.letters:
            column, row = int(label[:2]), int(label[2:] or "0")
        else:
            column, row = ord(label[0]) - 64, int(digits)
            if self.letters == "rows":
                column, row = row, column
        inside = self.first_column <= column <= self.last_column and self.first_row <= row <= self.last_row
        return (column, row) if inside and self.label(column, row) == label else None

    def places(self) -> list[tuple[int, int]]:
        """Column and row of every hex, as labels ascend: by column, or by row where rows have letters."""
        columns = range(self.first_column, self.last_column + 1)
        rows = range(self.first_row, self.last_row + 1)
        if self.letters == "rows":
            return [(column, row) for row in rows for column in columns]
        return [(column, row) for column in columns for row in rows]

    def labels(self) -> list[str]:
        """All labels of the rectangle, ascending."""
        return [self.label(column, row) for column, row in self.places()]

    def high(self, column: int, row: int) -> bool:
        """Whether the column of a hex sits half a hex north; with pointy tops, whether its row sits half a hex west."""
        line = row if self.pointy else column
        return (line % 2 == 1) == self.odd_high

    def _half(self, line: int) -> int:
        odd = line & 1
        return (line + odd) // 2 if self.odd_high else (line - odd) // 2

    def axial(self, column: int, row: int) -> tuple[int, int]:
        """Axial coordinates (q, r) of a column and a row."""
        line, slot = (row, column) if self.pointy else (column, row)
        return line, slot - self._half(line)

    def offset(self, q: int, r: int) -> tuple[int, int]:
        """Column and row of axial coordinates."""
        slot = r + self._half(q)
        return (slot, q) if self.pointy else (q, slot)

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the six hexsides, clockwise, from the one that faces north, or with pointy tops north-east."""
        return _POINTY_NAMES if self.pointy else _FLAT_NAMES

    def neighbours(self, column: int, row: int) -> list[tuple[int, int]]:
        """The six columns and rows around one, as ``directions`` has them; some may lie outside the rectangle."""
        q, r = self.axial(column, row)
        return [self.offset(q + dq, r + dr) for dq, dr in (_POINTY if self.pointy else _FLAT)]

    def distance(self, a: str, b: str) -> int:
        """Hexsides crossed on the shortest way between two labels, ignoring everything on the map."""
        return self.between(self._place(a), self._place(b))

    def between(self, a: tuple[int, int], b: tuple[int, int]) -> int:
        """The same between two pairs of column and row."""
        (qa, ra), (qb, rb) = self.axial(*a), self.axial(*b)
        dq, dr = qa - qb, ra - rb
        return max(abs(dq), abs(dr), abs(dq + dr))

    def direction(self, a: str, b: str) -> int:
        """The hexside of ``a`` that faces ``b``, an index into ``directions``.

        Beyond it lies the neighbour of ``a`` that is nearest to ``b`` as the crow flies; of two that are equally near
        it is the first in the order of ``directions``. ValueError if the two are one.
        """
        if a == b:
            raise ValueError(f"{a} lies in no direction from itself")
        there = self.centre(*self._place(b))
        around = [self.centre(*near) for near in self.neighbours(*self._place(a))]
        far = [self._square(x - there[0], y - there[1]) for x, y in around]
        return far.index(min(far))

    def _square(self, x: int, y: int) -> int:
        """The square of a distance between centres, times four of the unit that lies along the hexsides."""
        return 3 * x * x + y * y if self.pointy else x * x + 3 * y * y

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """Where a hex is drawn: (x, y) of its centre, y downward, in whole numbers.

        With flat tops x counts halves of a hexside and y halves of a hex's height, so that the corners lie at
        (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1) and (-2, 0); with pointy tops the two are exchanged.
        """
        low = 0 if self.high(column, row) else 1
        return (2 * column + low, 3 * row) if self.pointy else (3 * column, 2 * row + low)

    def _place(self, label: str) -> tuple[int, int]:
        place = self.place(label)
        if place is None:
            raise ValueError(f"not a hex of this map: {label!r}")
        return place
