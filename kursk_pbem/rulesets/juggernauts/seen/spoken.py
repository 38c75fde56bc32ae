"""Orders of a draft as a player types them."""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.hexes import spoken
from kursk_pbem.kernel.orders import Path
from kursk_pbem.rulesets.juggernauts.orders import PLAN_KEYS

_GOING = {"movement": "move", "replacements": "return"}


def words(_choices: dict[str, Any], path: Path, order: Any) -> str:
    """The words that write what stands at a place of a draft; '' if none do."""
    if path[0] == "policy":
        return spoken.answer(path, order)
    key = str(path[1]) if path[0] == "orders" else ""
    if key in ("", "placement"):  # 17.2: open, or sealed under its label
        return ", ".join(f"place {uid} {hex_}" for uid, hex_ in order.items()) if isinstance(order, dict) else ""
    if key == "panzerkeil":
        return f"keil {order['unit']} {order['facing']}"
    if key in ("emplace", "road"):
        return f"{key} {' '.join(order)}"
    if key in _GOING:
        return spoken.going(_GOING[key], order)
    if key == "aircraft":
        return f"strike {order['hex']} with {' '.join(order['planes'])}"
    return spoken.attack(order, ("pressed", *PLAN_KEYS)) if key == "battles" else ""
