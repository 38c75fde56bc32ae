"""A table top as text: ground as letters, models as numbers, drawn to scale, with a list of the numbers.

A character is twice as tall as wide, so a line covers twice as much of the table as a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from kursk_pbem.kernel.picture import PLACES, TERRAIN, Picture, Piece, Point, Region
from kursk_pbem.report.layout import wrap

COLUMNS = 72
WINDOW = 12
"""Default radius around a place, in inches."""
_INCHES = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,2}))?")
LEGEND = "Letters are ground, numbers are models, listed below the map with their places in inches from the lower left."


def draw_table(
    picture: Picture, around: Region | Piece | None = None, radius: int | None = None, width: int = 0
) -> list[str]:
    """Return the map of a table top and a list of its pieces, as lines. ``around``: show ``radius`` inches around it.

    If the map is wider than ``width`` columns (0: no limit), return strips, with distances from the left edge above.
    """
    sheet = _make_sheet(picture, _find_window(picture, around, WINDOW if radius is None else radius))
    listed, goals, step = [*_put_pieces(sheet, picture)], [*_put_goals(sheet, picture)], sheet.step
    scale = f"A sign is {to_inches(step, picture.unit)} inches wide and {to_inches(2 * step, picture.unit)} high."
    grounds = [
        f"{TERRAIN[region.terrain][0]}  {region.id}: {region.kind or region.terrain}" for region in picture.regions
    ]
    sights = [line for sight in picture.sights if sight.text for line in wrap(sight.text, "", "   ")]
    strips = _cut_strips(sheet.canvas, width, sheet.window[0], step, picture.unit)
    return [*strips, "", scale, "", *grounds, *goals, "", *listed, *(["", *sights] if sights else [])]


class _Sheet(NamedTuple):
    """The signs of a drawing, from its upper left; its ``window`` on the table, and the width of a sign."""

    canvas: list[list[str]]
    window: tuple[int, int, int, int]
    step: int

    def put(self, spot: Point, text: str) -> bool:
        """Write a text from a point on, cut at the right edge; return whether the window has the point."""
        (x, y), (left, bottom, right, top) = spot, self.window
        if not (left <= x <= right and bottom <= y <= top):
            return False
        line = self.canvas[min(len(self.canvas) - 1, (top - y) // (2 * self.step))]
        column = min(len(line) - 1, (x - left) // self.step)
        line[column : column + len(text)] = text[: len(line) - column]
        return True


def _make_sheet(picture: Picture, window: tuple[int, int, int, int]) -> _Sheet:
    """Return the ground of a window as signs: zones, then terrain."""
    left, bottom, right, top = window
    step = max(1, -(-(right - left) // COLUMNS))
    columns, rows = -(-(right - left) // step), -(-(top - bottom) // (2 * step))
    canvas = [["."] * columns for _ in range(rows)]
    shapes = [(zone.outline, PLACES[zone.kind][0]) for zone in picture.places if zone.outline]
    shapes += [(region.outline, TERRAIN[region.terrain][0]) for region in picture.regions]
    for row, column in product(range(rows), range(columns)):
        point = (left + column * step + step // 2, top - (2 * row + 1) * step)
        for outline, sign in shapes:
            if is_inside(point, outline):
                canvas[row][column] = sign
    return _Sheet(canvas, window, step)


def _put_pieces(sheet: _Sheet, picture: Picture) -> Iterator[str]:
    """Write the numbers of the pieces; yield a line for each piece in the window."""
    for number, piece in enumerate(picture.pieces, 1):
        if sheet.put(piece.spot, str(number)):
            marks = f", {', '.join(piece.marks)}" if piece.marks else ""
            told = f"{number:>3}  {piece.id} at {show_spot(piece.spot, picture.unit)}  {piece.figures}{marks}"
            yield told.rstrip()


def _put_goals(sheet: _Sheet, picture: Picture) -> Iterator[str]:
    """Write the signs of places; yield lines for each zone, and for each place in the window."""
    for goal in picture.places:
        sign, what = PLACES[goal.kind]
        if goal.outline:
            corners = "; ".join(show_spot(corner, picture.unit) for corner in goal.outline)
            yield from wrap(f"{goal.name} {what}: {corners}", f"{sign}  ", "   ")
        elif sheet.put(goal.spot, sign):
            yield f"{sign}  {goal.name}, {what}, at {show_spot(goal.spot, picture.unit)}"


def _cut_strips(canvas: list[list[str]], width: int, left: int, step: int, unit: int) -> list[str]:
    columns = len(canvas[0])
    if not width or columns <= width:
        return ["".join(line) for line in canvas]
    lines = list[str]()
    for start in range(0, columns, width):
        end = min(columns, start + width)
        first, last = (to_inches(left + place * step, unit) for place in (start, end))
        lines += [f"{first} to {last} inches from the left:", *("".join(line[start:end]) for line in canvas), ""]
    return lines[:-1]


def _find_window(picture: Picture, around: Region | Piece | None, radius: int) -> tuple[int, int, int, int]:
    """Return left, lower, right and upper edge of the drawing: the table, or the part around the middle."""
    width, height = picture.size
    if around is None:
        return 0, 0, width, height
    points = around.outline if isinstance(around, Region) else (around.spot,)
    x, y = (sum(point[axis] for point in points) // len(points) for axis in (0, 1))
    far = max(1, radius) * picture.unit
    return max(0, x - far), max(0, y - far), min(width, x + far), min(height, y + far)


def to_inches(value: int, unit: int) -> str:
    """Return map units as inches with two decimals: 1250 -> '12.50' if 100 units are an inch."""
    hundredths = value * 100 // unit
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def show_spot(spot: Point, unit: int) -> str:
    """Return a point as text in inches: '12.50, 30.00'."""
    return ", ".join(to_inches(along, unit) for along in spot)


def format_places(written: str) -> str:
    """Return typed places in the form of files: '33,20; 34 21.5' becomes '33.00, 20.00; 34.00, 21.50'."""
    spots = []
    for spot in written.split(";"):
        numbers = [_INCHES.fullmatch(number) for number in spot.replace(",", " ").split()]
        if len(numbers) != 2 or not all(numbers):
            return ""
        spots.append(", ".join(f"{int(found[1])}.{(found[2] or '').ljust(2, '0')}" for found in numbers if found))
    return "; ".join(spots)


def is_inside(at: Point, outline: Sequence[Point]) -> bool:
    """Return whether a point is inside an outline. Test: a ray to the right crosses an odd number of edges."""
    x, y = at
    crossed = (
        ((bx - ax) * (y - ay) > (x - ax) * (by - ay)) == (by > ay)
        for (ax, ay), (bx, by) in pairwise((*outline, outline[0]))
        if (ay > y) != (by > y)
    )
    return sum(crossed) % 2 == 1
