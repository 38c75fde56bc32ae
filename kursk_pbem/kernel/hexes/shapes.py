"""The hexes of a map as regions of a picture. A hexside is 1,000 map units long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from kursk_pbem.kernel.hexes.board import Board, Mask, bits
from kursk_pbem.kernel.hexes.grid import Grid, Offset
from kursk_pbem.kernel.picture import FLAT, POINTY, Point, Region
from kursk_pbem.kernel.scenario import Scenario, read_decor

_CORNERS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))  # of a flat top, in the steps of ``Grid.centre``
_LONG, _SHORT = 500, 866  # half a hexside, half the distance of two opposite hexsides


def grid_form(grid: Grid) -> str:
    """Return the form of a grid's hexes for pictures: flat or pointy tops."""
    return POINTY if grid.pointy else FLAT


def make_regions(board: Board, terrain: Sequence[str]) -> tuple[Region, ...]:
    """Return the playable hexes as shapes, ascending. ``terrain``: index -> the system's word. The result is cached."""
    return _make_regions(board, tuple(terrain))


@lru_cache(maxsize=4)
def _make_regions(board: Board, terrain: tuple[str, ...]) -> tuple[Region, ...]:
    return tuple(_make_region(board, hex_, terrain[hex_]) for hex_ in bits(board.all))


def _make_region(board: Board, hex_: int, terrain: str) -> Region:
    label, pointy, (x, y) = board.labels[hex_], board.grid.pointy, board.grid.centre(*board.places[hex_])
    return Region(
        label,
        _make_outline(board.grid, board.places[hex_]),
        "marsh" if terrain == "swamp" else terrain,  # maps have a single sign for both
        (x, y // 3) if pointy else (x // 3, y),
        terrain,
    )


def _make_outline(grid: Grid, place: Offset) -> tuple[Point, ...]:
    x, y = grid.centre(*place)
    return tuple(_scale_point(y + a, x + b)[::-1] if grid.pointy else _scale_point(x + a, y + b) for a, b in _CORNERS)


def list_sea(board: Board, scenario: Scenario) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of hexes drawn as sea in the scenario."""
    places = map(board.grid.place, read_decor(scenario).get("sea", ()))
    return tuple(_make_outline(board.grid, place) for place in places if place is not None)


def _scale_point(along: int, across: int) -> Point:
    return along * _LONG, across * _SHORT


def list_faces(board: Board, halves: Iterable[Mask]) -> tuple[tuple[str, str], ...]:
    """Return pairs of adjacent hexes: every hex of a half of the map, with the neighbors nearer to the other half."""
    found = []
    for half in halves:
        rings = board.rings(board.all & ~half, board.all, len(board.labels))
        for nearer, ring in pairwise(rings):
            found += [
                (board.labels[hex_], board.labels[to]) for hex_ in bits(ring) for to in bits(board.near[hex_] & nearer)
            ]
    return tuple(found)
