"""Cities: they belong to the side whose unit entered them last, at first to the side that holds them at the start."""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.events import Marked, Unmarked
from kursk_pbem.kernel.umpire import Umpire


def entered(umpire: Umpire[Any], rule: str, table: str, label: str, side: str) -> None:
    """A unit of ``side`` has entered a city; a mark in the ``table`` says whose it is, unless that is its first side.

    A setting has ``city_side``: hex -> side.
    """
    home: str = umpire.setting.city_side[umpire.setting.board.index[label]]
    if umpire.state.mark(table, label, home) != side:
        umpire.emit(Unmarked(rule, table, label) if side == home else Marked(rule, table, label, side))
