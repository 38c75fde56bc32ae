"""A table top as text: ground as letters, models as numbers, drawn to scale, with a list of the numbers.

A character is twice as tall as wide, so a line covers twice as much of the table as a column.
"""

from __future__ import annotations

import re
from itertools import pairwise

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
    """Return the lines of the map and the list; ``around``: only the part within ``radius`` inches.

    If the map is wider than ``width`` columns (0: unlimited), draw strips, each below its distances from the left.
    """
    left, bottom, right, top = _find_window(picture, around, WINDOW if radius is None else radius)
    step = max(1, -(-(right - left) // COLUMNS))
    columns, rows = -(-(right - left) // step), -(-(top - bottom) // (2 * step))
    canvas = [["."] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            point = (left + column * step + step // 2, top - (2 * row + 1) * step)
            for zone in picture.places:
                if zone.outline and _is_inside(zone.outline, point):
                    canvas[row][column] = PLACES[zone.kind][0]
            for region in picture.regions:
                if _is_inside(region.outline, point):
                    canvas[row][column] = TERRAIN[region.terrain][0]
    listed = []
    for number, piece in enumerate(picture.pieces, 1):
        x, y = piece.spot
        if not (left <= x <= right and bottom <= y <= top):
            continue
        column, row = min(columns - 1, (x - left) // step), min(rows - 1, (top - y) // (2 * step))
        text = str(number)
        canvas[row][column : column + len(text)] = text[: columns - column]
        marks = f", {', '.join(piece.marks)}" if piece.marks else ""
        listed.append(
            f"{number:>3}  {piece.id} at {show_spot(piece.spot, picture.unit)}  {piece.figures}{marks}".rstrip()
        )
    goals = []
    for goal in picture.places:
        (x, y), (sign, what) = goal.spot, PLACES[goal.kind]
        if goal.outline:
            corners = "; ".join(show_spot(corner, picture.unit) for corner in goal.outline)
            goals += wrap(f"{goal.name} {what}: {corners}", f"{sign}  ", "   ")
        elif left <= x <= right and bottom <= y <= top:
            canvas[min(rows - 1, (top - y) // (2 * step))][min(columns - 1, (x - left) // step)] = sign
            goals.append(f"{sign}  {goal.name}, {what}, at {show_spot(goal.spot, picture.unit)}")
    scale = f"A sign is {to_inches(step, picture.unit)} inches wide and {to_inches(2 * step, picture.unit)} high."
    grounds = [
        f"{TERRAIN[region.terrain][0]}  {region.id}: {region.kind or region.terrain}" for region in picture.regions
    ]
    sights = [line for sight in picture.sights if sight.text for line in wrap(sight.text, "", "   ")]
    return [
        *_cut_strips(canvas, width, left, step, picture.unit),
        "",
        scale,
        "",
        *grounds,
        *goals,
        "",
        *listed,
        *(["", *sights] if sights else []),
    ]


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
    (x, y), far = (
        (sum(point[axis] for point in points) // len(points) for axis in (0, 1)),
        max(1, radius) * picture.unit,
    )
    return max(0, x - far), max(0, y - far), min(width, x + far), min(height, y + far)


def to_inches(value: int, unit: int) -> str:
    """Return map units in inches with two decimals, as in orders: 1250 -> '12.50' at 100 to the inch."""
    hundredths = value * 100 // unit
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def show_spot(spot: Point, unit: int) -> str:
    """Return a point in inches: '12.50, 30.00'."""
    return ", ".join(to_inches(along, unit) for along in spot)


def format_places(written: str) -> str:
    """Return places in the form of files: '33,20; 34 21.5' is '33.00, 20.00; 34.00, 21.50'; '' without places."""
    spots = []
    for spot in written.split(";"):
        numbers = [_INCHES.fullmatch(number) for number in spot.replace(",", " ").split()]
        if len(numbers) != 2 or not all(numbers):
            return ""
        spots.append(", ".join(f"{int(found[1])}.{(found[2] or '').ljust(2, '0')}" for found in numbers if found))
    return "; ".join(spots)


def _is_inside(outline: tuple[Point, ...], point: Point) -> bool:
    """Return whether a point is in a polygon: count the crossings of the ray to the right."""
    x, y = point
    crossed = False
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        if (ay > y) != (by > y) and ((bx - ax) * (y - ay) - (x - ax) * (by - ay) > 0) == (by > ay):
            crossed = not crossed
    return crossed
