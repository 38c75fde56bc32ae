"""Orders of a draft as typed commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kursk_pbem.kernel.hexes import commands
from kursk_pbem.kernel.orders import Path
from kursk_pbem.rulesets.juggernauts.orders import PLAN_KEYS

_WORDS: dict[str, Callable[[Any], str]] = {
    "panzerkeil": lambda order: f"keil {order['unit']} {order['facing']}",
    "emplace": lambda order: f"emplace {' '.join(order)}",
    "road": lambda order: f"road {' '.join(order)}",
    "movement": lambda order: commands.write_move("move", order),
    "replacements": lambda order: commands.write_move("return", order),
    "aircraft": lambda order: f"strike {order['hex']} with {' '.join(order['planes'])}",
    "battles": lambda order: commands.write_attack(order, ("pressed", *PLAN_KEYS)),
}


def write_order(_choices: dict[str, Any], path: Path, order: Any) -> str:
    """Return an entry of a draft in the words that a player types after ``kursk order``, or ''."""
    if path[0] == "policy":
        return commands.write_answer(path, order)
    key = str(path[1]) if path[0] == "orders" else ""
    if key in ("", "placement"):  # 17.2: open, or sealed under its label
        return ", ".join(f"place {uid} {hex_}" for uid, hex_ in order.items()) if isinstance(order, dict) else ""
    return _WORDS[key](order) if key in _WORDS else ""
