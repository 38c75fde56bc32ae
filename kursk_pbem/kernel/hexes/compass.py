"""Where a hex lies, as people say it: in a town, or on which side of the nearest one."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.kernel.account.lines import wind
from kursk_pbem.kernel.hexes.board import Board


def near(board: Board, towns: Mapping[int, str], label: str) -> tuple[str, str]:
    """('', 'Orel') in a town (index -> name), otherwise ('south of', 'Orel') by the nearest, the lowest of several.

    A step of a column is 15 of what a step of a row is 26, and the other way round where hexes have pointy tops.
    """
    hex_ = board.index[label]
    if hex_ in towns:
        return "", towns[hex_]
    town = min(towns, key=lambda there: (board.distance(hex_, there), there))
    (x, y), (town_x, town_y) = (board.grid.centre(*board.places[there]) for there in (hex_, town))
    across, down = (26, 15) if board.grid.pointy else (15, 26)
    return f"{wind(across * (x - town_x), down * (y - town_y))} of", towns[town]
