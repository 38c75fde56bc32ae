"""A whole hex map for a narrow page: two lines a hex, numbers along the rim.

Only the content of hexes is shown. Rivers and railways need the larger map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass
class Hex:
    """The content of a hex: ground, ``signs`` of places and marks, ``flag`` (a sign before the name), name, pieces."""

    ground: str
    signs: list[Ink] = field(default_factory=list)
    flag: str = ""
    name: str = ""
    pieces: list[Piece] = field(default_factory=list)


def read_hexes(picture: Picture, shown: Iterable[Region], sides: Mapping[str, str]) -> dict[str, Hex]:
    """Return the content of hexes. ``sides``: the style of each side."""
    hexes = {region.id: Hex(TERRAIN[region.terrain][0]) for region in shown}
    for place in picture.places:
        if place.at in hexes:
            sign = PLACES[place.kind][0] + place.owner[:1]
            hexes[place.at].signs.append(Ink(sign, sides.get(place.owner, "")))
            hexes[place.at].name = place.name
    for mark in picture.marks:
        if mark.at in hexes:
            sign, _legend, on_name = MARKS[mark.kind]
            if on_name:
                hexes[mark.at].flag += sign
            else:
                hexes[mark.at].signs.append(Ink(sign + mark.side[:1], sides.get(mark.side, "")))
    for piece in picture.pieces:
        if piece.at in hexes:
            hexes[piece.at].pieces.append(piece)
    return hexes


def _fill_hexes(
    picture: Picture, sides: Mapping[str, str], shaded: frozenset[str], room: int
) -> Iterator[tuple[Point, int, list[Ink]]]:
    """Yield the place of each hex with its two lines, numbered from 0: ground and signs, and the top piece.

    A flag replaces the ground for lack of room. All pieces have the longest form that fits everywhere.
    """
    hexes = read_hexes(picture, picture.regions, sides)
    forms = {at: _list_forms(hex_.pieces[0], sides) for at, hex_ in hexes.items() if hex_.pieces}
    number = next((n for n in range(3) if all(len(form[n].text) <= room for form in forms.values())), 3)
    for region in picture.regions:
        hex_ = hexes[region.id]
        shade = Ink(_SHADE, ZONE) if region.id in shaded else None
        head = [Ink(hex_.flag[-1:] or hex_.ground), *hex_.signs]
        for line, inks in enumerate((head, forms[region.id][number : number + 1] if hex_.pieces else [])):
            yield region.spot, line, clip_line(inks, room, shade)


def _list_forms(piece: Piece, sides: Mapping[str, str]) -> list[Ink]:
    side, style = piece.side[:1], sides.get(piece.side, "")
    figures = f"({piece.figures})" if piece.band else piece.figures
    texts = (piece.id, side + figures, side + piece.figures, side + piece.figures.partition("-")[0])
    return [Ink(text, style) for text in texts]
