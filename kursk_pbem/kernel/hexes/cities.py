"""Cities: a city belongs to the side of the last unit that entered, at first to its holder at the start."""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.events import Marked, Unmarked
from kursk_pbem.kernel.umpire import Umpire


def record_entry(umpire: Umpire[Any], rule: str, table: str, label: str, side: str) -> None:
    """Record that a unit of ``side`` entered a city. A mark in ``table`` names the new owner.

    A city recaptured by its first owner loses the mark. ``setting.city_side``: hex -> first owner.
    """
    home: str = umpire.setting.city_side[umpire.setting.board.index[label]]
    if umpire.state.mark(table, label, home) != side:
        umpire.emit(Unmarked(rule, table, label) if side == home else Marked(rule, table, label, side))
