"""Lines that the sides make: the front between their units, and fortified lines with teeth towards the enemy.

Both are only pictures. The front follows from influence: each unit counts in its hex and less in the hexes around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, starmap
from operator import itemgetter

from kursk_pbem.kernel.picture import PLANE, Picture, Point, Region, find_middle
from kursk_pbem.report.pictures.svgland import Side, bend, chain, curve, find_between, find_borders, order, shake, wrap
from kursk_pbem.report.pictures.svgstyle import of_side
from kursk_pbem.report.textplane import is_inside

_WEIGHTS = (10_000, 1_000, 240, 90, 40, 18)
"""Influence of a unit on a hex, by the distance in hexes."""
_FAINT = 200  # influence that makes no front: of a single unit three hexes away, or of a few behind it
_WORKS = 2  # fortifications without units have the influence of a unit at this distance
_SHORTEST = 10  # hexsides of a front; shorter lines are loops around single units
_BAND = 13  # distance of a band's middle from the front, in hundredths of the way to the hex's middle
_SOFT = 60  # distance of a band's corner from the line through the middles of the hexsides, in hundredths
_LINES = (("", 20), (" teeth", 14))  # distances of a fortified line and its teeth from the hexside, as above


class Field:
    """The hexes of a map as a net: their centers, their adjacent hexes, and the hexsides between them."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self.middles = {region.id: find_middle(region.outline) for region in regions}
        self.sides: dict[Point, dict[Point, Side]] = {at: {} for at in self.middles.values()}
        self._numbers = {at: number for number, at in enumerate(self.sides)}
        self._felt: dict[tuple[Point, int], list[tuple[int, int]]] = {}
        for region, (at, around) in zip(regions, self.sides.items(), strict=True):
            for a, b in pairwise((*region.outline, region.outline[0])):
                to = (a[0] + b[0] - at[0], a[1] + b[1] - at[1])
                if to in self.sides:
                    around[to] = order(a, b)

    def list_felt(self, start: Point, weak: int) -> list[tuple[int, int]]:
        """Return the hexes that a unit influences, as (index of the hex in ``sides``, influence of the unit)."""
        if (start, weak) not in self._felt:
            ring, seen, felt = [start], {start}, list[tuple[int, int]]()
            for weight in _WEIGHTS[weak:]:
                felt += [(self._numbers[at], weight) for at in ring]
                ring = list(dict.fromkeys(to for at in ring for to in self.sides[at] if to not in seen))
                seen.update(ring)
            self._felt[start, weak] = felt
        return self._felt[start, weak]


make_field = lru_cache(maxsize=8)(Field)


def find_front(picture: Picture, sides: Sequence[str]) -> list[list[tuple[Side, Point, Point]]]:
    """Return the front as lines of hexsides. A hexside has the two hexes at its sides, the first side's hex first.

    A closed line around a single unit is left out, because the line would look like an encirclement.
    """
    field = make_field(picture.regions)
    held = _measure_influence(picture, sides, field)
    links: dict[Side, tuple[Point, Point]] = {}
    for at, value in held.items():
        for to, side in field.sides[at].items() if value >= 0 else ():
            if held.get(to, 0) < 0:
                links[side] = at, to
    stood = [field.middles[piece.at] for piece in picture.pieces if piece.at in field.middles]
    lines = (line for line in chain(dict.fromkeys(links, "")) if len(line) > _SHORTEST + 1)
    drawn = (line for line in lines if line[0] != line[-1] or sum(is_inside(at, line) for at in stood) > 1)
    return [[(side, *links[side]) for side in starmap(order, pairwise(line))] for line in drawn]


def _measure_influence(picture: Picture, sides: Sequence[str], field: Field) -> dict[Point, int]:
    """Return the first side's influence less the second side's on each hex that feels both enough."""
    middles = field.middles
    sources = {(middles[one.at], one.side, 0) for one in picture.pieces if one.at in middles and one.symbol != "air"}
    sources |= {
        (middles[mark.at], mark.side, _WORKS)
        for mark in picture.marks
        if mark.kind == "fortification" and mark.at in middles
    }
    felt = [0] * len(field.sides), [0] * len(field.sides)
    for start, side, weak in sources:
        if side in sides[:2]:
            own = felt[sides.index(side)]
            for number, weight in field.list_felt(start, weak):
                own[number] += weight
    return {at: one - other for at, one, other in zip(field.sides, *felt, strict=True) if min(one, other) > _FAINT}


def draw_front(picture: Picture, sides: Sequence[str]) -> str:
    """Return the front between two sides as a soft band in both colors. A table top has no front: ''."""
    if picture.form == PLANE or len(sides) < 2:
        return ""
    bands: tuple[list[str], list[str]] = ([], [])
    for line in find_front(picture, sides):
        for number, band in enumerate(bands):
            band.append(curve(_list_spots(line, number)))
    drawn = (f'<path class="front side-{side}" d="{"".join(band)}"/>' for side, band in enumerate(bands) if band)
    return wrap("".join(drawn))


def _list_spots(line: Sequence[tuple[Side, Point, Point]], number: int) -> list[Point]:
    """Return the control points of a band: the middles of its hexsides, and between them their softened corners."""
    spots = [find_between(bend(*side), hexes[number], _BAND) for side, *hexes in line]
    corners = [
        find_between(
            find_between(a, b), find_between(shake(at), find_between(a_hex[number], b_hex[number]), _BAND), _SOFT
        )
        for (a, (one, *a_hex)), (b, (other, *b_hex)) in pairwise(zip(spots, line, strict=True))
        for at in {*one} & {*other}
    ]
    return [spot for both in zip(spots, [*corners, spots[-1]], strict=True) for spot in both][:-1]


def draw_works(picture: Picture, sides: Sequence[str]) -> str:
    """Return the fortified lines of every owner. The hexsides toward the enemy have teeth."""
    field = make_field(picture.regions)
    faces = (*picture.faces, *((edge.a, edge.b) for edge in picture.edges if edge.kind == "front"))
    owners: dict[str, list[str]] = {}
    for mark in picture.marks:
        if mark.kind == "fortification" and mark.at in field.middles:
            owners.setdefault(of_side(mark.side, sides) if mark.side else "nobody", []).append(mark.at)
    return "".join(
        f'<path class="fortification{kind} {owner}" d="{path}"/>'
        for owner, hexes in sorted(owners.items())
        for kind, path in _draw_line(picture.regions, faces, tuple(hexes))
    )


@lru_cache(maxsize=64)
def _draw_line(
    regions: tuple[Region, ...], faces: tuple[tuple[str, str], ...], hexes: tuple[str, ...]
) -> list[tuple[str, str]]:
    """Return the line and its teeth. Most positions of a game share the result."""
    middles = make_field(regions).middles
    ahead = {(middles[one], middles[other]) for one, other in faces if {one, other} <= middles.keys()}
    outlines = [region.outline for region in regions if region.id in {*hexes}]
    inside = {side: find_middle(outline) for outline in outlines for side in pairwise((*outline, outline[0]))}
    lines: list[list[Side]] = []
    while outlines:  # hexes behind other fortified hexes have a line of their own
        lines += _trace(outlines, inside, ahead)
        marked = {inside[side] for line in lines for side in line}
        outlines = [outline for outline in outlines if find_middle(outline) not in marked]
    return [(kind, "".join(_write_line(line, inside, part) for line in lines)) for kind, part in _LINES]


def _trace(
    outlines: Sequence[Sequence[Point]], inside: Mapping[Side, Point], ahead: set[tuple[Point, Point]]
) -> list[list[Side]]:
    """Return the border of hexes towards the enemy, with gaps of one hexside closed; all of a border without enemy."""
    loops = [[*pairwise((*loop, loop[0]))] for loop in find_borders(outlines)]
    lines = []
    for sides in loops:
        marks = [_compare(inside[side], side, ahead) for side in sides]
        shown = [
            mark > 0 or (not mark and marks[at - 1] > 0 < marks[at + 1 - len(marks)]) for at, mark in enumerate(marks)
        ]
        start = shown.index(False) if False in shown else 0
        turned = zip((*shown[start:], *shown[:start]), (*sides[start:], *sides[:start]), strict=True)
        lines += [[side for _kept, side in run] for kept, run in groupby(turned, key=itemgetter(0)) if kept]
    return lines or loops


def _compare(at: Point, side: Side, ahead: set[tuple[Point, Point]]) -> int:
    """Return 1 if a hexside faces the enemy, -1 if only the hex behind the hexside does, otherwise 0."""
    to = side[0][0] + side[1][0] - at[0], side[0][1] + side[1][1] - at[1]
    return 1 if (at, to) in ahead else -((to, at) in ahead)


def _write_line(sides: Sequence[Side], inside: Mapping[Side, Point], part: int) -> str:
    """Return hexsides as a smooth line, moved towards the hexes by a hundredth of the distance."""
    return curve([find_between(at, inside[a, b], part) for a, b in sides for at in (a, find_between(a, b), b)])
