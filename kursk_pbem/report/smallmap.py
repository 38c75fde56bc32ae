"""A whole hex map for a narrow page: two lines a hex, numbers along the rim.

Only the content of hexes is shown. Rivers and railways need the larger map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os.path import commonprefix

from kursk_pbem.kernel.picture import FLAT, MARKS, PLACES, TERRAIN, Picture, Piece, Point, Region
from kursk_pbem.report.canvas import ZONE, Canvas, Ink, clip_line

LEGEND = (
    "Line 2: the id of the unit or, in a narrow map, the first letter of the side with figures or strength.",
    "The number of a hex: the column above the map, then the row on the left, on the line of the hex or one line up.",
    "Rivers and railways show on the map of a part: --around, with a place or a unit.",
)
_LEAST, _MOST = 3, 10
_SHADE = ":"


def draw(picture: Picture, sides: Mapping[str, str], shaded: frozenset[str], width: int, *, colour: bool) -> list[str]:
    """Return the lines of the map, as wide as ``width`` columns allow. ``sides``: the style of each side.

    If even the smallest hexes are too wide, draw the map in strips, one below the other.
    """
    flat = picture.form == FLAT
    left, right = (pick(region.spot[0] for region in picture.regions) for pick in (min, max))
    top, bottom = (pick(region.spot[1] for region in picture.regions) for pick in (min, max))
    columns, rows = _find_labels(picture.regions, flat=flat)
    margin = 1 + max(map(len, rows.values()), default=-1)
    least, step, down = (_LEAST, 1, 1) if flat else (_LEAST + 1, 2, 2)  # step: from a hex to the next in the row
    hexes = (right - left) // step + 1 + (right - left) % step
    many, cell = _choose_size(hexes, width - margin, least, flat=flat)
    across = cell // step
    filled = [*_fill_hexes(picture, sides, shaded, cell if cell == _LEAST else cell - 1)]
    lines: list[str] = []
    for start in range(left, right + 1, many * step):
        inside = range(start, start + many * step)
        canvas = Canvas(margin + across * (many * step - 1) + cell, 1 + down * (bottom - top) + 2)
        for x, text in columns.items():
            if x in inside:
                canvas.put(margin + across * (x - start), 0, [Ink(text)])
        for y, text in rows.items():
            canvas.put(0, 1 + down * (y - top), [Ink(text)])
        for (x, y), number, inks in filled:
            if x in inside:
                canvas.put(margin + across * (x - start), 1 + down * (y - top) + number, inks)
        lines += [*([""] if lines else []), *canvas.lines(colour=colour)]
    return lines


def _choose_size(hexes: int, room: int, least: int, *, flat: bool) -> tuple[int, int]:
    """Return the hexes of a strip and the columns of a hex: of as few strips as possible."""
    sizes = ((-(-hexes // strips), strips == 1) for strips in range(1, hexes + 1))
    cells = ((many, _measure_cell(many, room, flat=flat, whole=whole)) for many, whole in sizes)
    return next(((many, min(cell, _MOST)) for many, cell in cells if cell >= least), (1, least))


def _measure_cell(many: int, room: int, *, flat: bool, whole: bool) -> int:
    """Return the columns of a hex if ``many`` fit; a strip of staggered rows needs half a hex more."""
    if flat:
        return room // many
    return room // many // 2 * 2 if whole else room // (2 * many + 1) * 2


def _find_labels(regions: Sequence[Region], *, flat: bool) -> tuple[dict[int, str], dict[int, str]]:
    """Return the common part of the labels of each column and row; empty if it does not distinguish them."""
    columns: dict[int, list[Region]] = {}
    rows: dict[int, list[Region]] = {}
    for region in regions:
        x, y = region.spot
        columns.setdefault(x if flat else x // 2, []).append(region)
        rows.setdefault(y // 2 if flat else y, []).append(region)
    return _find_common_parts(columns, 0), _find_common_parts(rows, 1)


def _find_common_parts(lines: Mapping[int, Sequence[Region]], along: int) -> dict[int, str]:
    """Return for each line the common beginning or end of its labels, of equal length if possible."""
    first = {key: min(region.spot[along] for region in line) for key, line in lines.items()}
    for way, even in ((1, True), (-1, True), (-1, False)):
        shared = {first[key]: commonprefix([region.id[::way] for region in line]) for key, line in lines.items()}  # noqa: RUF071
        size = min(map(len, shared.values()), default=0)
        texts = {at: (text[:size] if even else text)[::way] for at, text in shared.items()}
        if size and len(set(texts.values())) == len(texts):
            return texts
    return {}


def _fill_hexes(
    picture: Picture, sides: Mapping[str, str], shaded: frozenset[str], room: int
) -> Iterator[tuple[Point, int, list[Ink]]]:
    """Yield the place of each hex with its two lines, numbered from 0."""
    grounds, pieces = _draw_grounds(picture, sides), _choose_pieces(picture, room, sides)
    for region in picture.regions:
        shade = Ink(_SHADE, ZONE) if region.id in shaded else None
        for number, inks in enumerate((grounds[region.id], pieces.get(region.id, []))):
            yield region.spot, number, clip_line(inks, room, shade)


def _draw_grounds(picture: Picture, sides: Mapping[str, str]) -> dict[str, list[Ink]]:
    """Return the first line of each hex: ground, city and owner, marks."""
    grounds = {region.id: [Ink(TERRAIN[region.terrain][0])] for region in picture.regions}
    for mark in picture.marks:
        if mark.at in grounds and MARKS[mark.kind][2]:
            grounds[mark.at] = [Ink(MARKS[mark.kind][0])]  # replaces the ground for lack of room
    for place in picture.places:
        if place.at in grounds:
            grounds[place.at].append(Ink(PLACES[place.kind][0] + place.owner[:1], sides.get(place.owner, "")))
    for mark in picture.marks:
        if mark.at in grounds and not MARKS[mark.kind][2]:
            grounds[mark.at].append(Ink(MARKS[mark.kind][0] + mark.side[:1], sides.get(mark.side, "")))
    return grounds


def _choose_pieces(picture: Picture, room: int, sides: Mapping[str, str]) -> dict[str, list[Ink]]:
    """Return the top piece of each hex in the longest form that fits everywhere."""
    tops: dict[str, Piece] = {}
    for piece in picture.pieces:
        tops.setdefault(piece.at, piece)
    forms = [_list_forms(piece) for piece in tops.values()]
    number = next((n for n in range(3) if all(len(form[n]) <= room for form in forms)), 3)
    return {at: [Ink(_list_forms(piece)[number], sides.get(piece.side, ""))] for at, piece in tops.items()}


def _list_forms(piece: Piece) -> tuple[str, str, str, str]:
    side = piece.side[:1]
    figures = f"({piece.figures})" if piece.band else piece.figures
    return piece.id, side + figures, side + piece.figures, side + piece.figures.partition("-")[0]
