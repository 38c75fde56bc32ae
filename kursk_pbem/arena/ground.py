"""The ground of a map in lines of words, for programs that read no drawing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from kursk_pbem.kernel.picture import EDGES, LINES, PLACES, PLANE, Picture, Piece, Place, Point, Region

FAR = 2
"""The described hexes around each unit and hex of a message."""


def find_words(part: object) -> Iterator[str]:
    """Yield the ids of units and places in a part of a message."""
    if isinstance(part, str):
        yield from re.findall(r"[\w-]+", part)
    else:
        parts = chain.from_iterable(part.items()) if isinstance(part, dict) else part if isinstance(part, list) else ()
        yield from chain.from_iterable(map(find_words, parts))


def list_near(picture: Picture, words: Iterable[str]) -> set[str]:
    """Return the hexes in and near the units and hexes that ``words`` names; in a game without hexes, all areas."""
    if picture.form == PLANE:
        return {region.id for region in picture.regions}
    stands, beside = {piece.id: piece.at for piece in picture.pieces}, list_beside(picture)
    found = {stands.get(word, word) for word in words} & beside.keys()
    for _step in range(FAR):
        found |= {other for hex_ in found for other in beside[hex_]}
    return found


def list_beside(picture: Picture) -> Mapping[str, list[str]]:
    """Return hex -> its adjacent hexes, in order."""
    sides = defaultdict[frozenset[Point], list[str]](list)
    beside: dict[str, list[str]] = {region.id: [] for region in picture.regions}
    for region in picture.regions:
        for pair in zip(region.outline, (*region.outline[1:], region.outline[0]), strict=True):
            sides[frozenset(pair)].append(region.id)
    for one, *others in sides.values():
        for other in others:
            beside[one].append(other)
            beside[other].append(one)
    return {hex_: sorted(near) for hex_, near in beside.items()}


def describe_ground(picture: Picture, shown: set[str]) -> Iterator[str]:
    """Yield a line for each hex in ``shown``; in a game without hexes, for each area, with its corners in inches."""
    if picture.form == PLANE:
        yield from (
            f"{region.id}: {_name_kind(region)}, {_list_corners(picture, region)}" for region in picture.regions
        )
        for place in picture.places:
            owner = f" of {place.owner}" if place.owner else ""
            where = _list_corners(picture, place) if place.outline else f"middle {_show_point(picture, place.spot)}"
            far = f", radius {place.far / picture.unit:g}" if place.far else ""
            yield f"{place.name}: {PLACES[place.kind][1]}{owner}, {where}{far}"
        return
    told, beside = defaultdict[str, list[str]](list), list_beside(picture)
    for place in picture.places:
        told[place.at].append(f"{PLACES[place.kind][1]} {place.name}" + (f" of {place.owner}" if place.owner else ""))
    for mark in picture.marks:
        told[mark.at].append(f"{mark.kind} of {mark.side}" if mark.side else mark.kind)
    joined = defaultdict[tuple[str, str], list[str]](list)
    ways = [(edge.a, edge.b, EDGES[edge.kind][1]) for edge in picture.edges]
    ways += [(line.a, line.b, LINES[line.kind][1]) for line in picture.lines]
    for one, other, words in ways:
        joined[one, words].append(other)
        joined[other, words].append(one)
    for (hex_, words), others in joined.items():
        told[hex_].append(f"{words} to {' '.join(sorted({*others}))}")
    for region in picture.regions:
        if region.id in shown:
            words = ", ".join([_name_kind(region), *told[region.id]])
            yield f"{region.id}: {words}; beside {' '.join(beside[region.id])}"


def describe_piece(piece: Piece | None) -> str:
    """Return what a counter shows, in words such as figures, branch, size and formation, each after a comma."""
    said = [piece.figures, piece.symbol, piece.size, piece.formation] if piece else []
    return "".join(f", {word}" for word in said if word)


def _name_kind(region: Region) -> str:
    return region.kind or region.terrain


def _list_corners(picture: Picture, what: Region | Place) -> str:
    return f"corners {'; '.join(_show_point(picture, corner) for corner in what.outline)}"


def _show_point(picture: Picture, point: Point) -> str:
    return ", ".join(f"{value / picture.unit:.2f}" for value in point)
