"""The location of a hex in words: in a town, or in a direction from the nearest town."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.kernel.account.lines import find_direction
from kursk_pbem.kernel.hexes.board import Board


def locate(board: Board, towns: Mapping[int, str], label: str) -> tuple[str, str]:
    """Return a hex in words: ('', 'Orel') in a town, otherwise ('south of', 'Orel') with the nearest town.

    ``towns``: index -> name. At equal distance the lowest index wins. The width of a column is 15/26 of the height
    of a row, with pointy tops 26/15.
    """
    hex_ = board.index[label]
    if hex_ in towns:
        return "", towns[hex_]
    town = min(towns, key=lambda there: (board.distance(hex_, there), there))
    (x, y), (town_x, town_y) = (board.grid.centre(*board.places[there]) for there in (hex_, town))
    across, down = (26, 15) if board.grid.pointy else (15, 26)
    return f"{find_direction(across * (x - town_x), down * (y - town_y))} of", towns[town]
