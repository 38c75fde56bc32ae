"""A table top as text: ground as letters, models as numbers, drawn to scale; a list says what each number is.

A character is twice as tall as it is wide, so that one line stands for twice as much of the table as one column.
"""

from __future__ import annotations

from itertools import pairwise

from kursk_pbem.kernel.picture import TERRAIN, Picture, Point, Region

COLUMNS = 72
LEGEND = "Letters are ground, numbers are models, listed below the map with their places in inches from the lower left."


def draw(picture: Picture) -> list[str]:
    """The lines of the map and of the list below it."""
    width, height = picture.size
    step = max(1, -(-width // COLUMNS))
    columns, rows = -(-width // step), -(-height // (2 * step))
    canvas = [["."] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            point = (column * step + step // 2, height - (2 * row + 1) * step)
            for region in picture.regions:
                if _inside(region, point):
                    canvas[row][column] = TERRAIN[region.terrain][0]
    listed = []
    for number, piece in enumerate(picture.pieces, 1):
        x, y = piece.spot
        column, row = min(columns - 1, x // step), min(rows - 1, max(0, (height - y) // (2 * step)))
        text = str(number)
        canvas[row][column : column + len(text)] = text[: columns - column]
        marks = f", {', '.join(piece.marks)}" if piece.marks else ""
        place = ", ".join(inches(each, picture.unit) for each in piece.spot)
        listed.append(f"{number:>3}  {piece.id} at {place}  {piece.figures}{marks}".rstrip())
    grounds = [f"{TERRAIN[each.terrain][0]}  {each.id}: {TERRAIN[each.terrain][1]}" for each in picture.regions]
    return ["".join(line) for line in canvas] + ["", *grounds, "", *listed]


def inches(value: int, unit: int) -> str:
    """Map units in inches with two decimals, as orders write them: 1250 -> '12.50' at 100 to the inch."""
    hundredths = value * 100 // unit
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _inside(region: Region, point: Point) -> bool:
    """Whether a point lies in a polygon: how often its sides cross the ray to the right."""
    x, y = point
    crossed = False
    for (ax, ay), (bx, by) in pairwise((*region.outline, region.outline[0])):
        if (ay > y) != (by > y) and ((bx - ax) * (y - ay) - (x - ax) * (by - ay) > 0) == (by > ay):
            crossed = not crossed
    return crossed
