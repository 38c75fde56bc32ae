"""Orders of a draft as typed commands."""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.hexes import commands
from kursk_pbem.kernel.orders import Path
from kursk_pbem.rulesets.kursk_1971.orders import PLAN_KEYS

_GOING = {"reinforcements": "reinforce", "movement": "move", "motorized": "motor"}
_MISSIONS = {"interception": "intercept", "patrol": "patrol", "interdiction": "interdict"}


def write_order(choices: dict[str, Any], path: Path, order: Any) -> str:
    """Return an entry of a draft in the words that a player types after ``kursk order``, or ''."""
    if path[0] == "policy":
        if path[1] == "patrol":  # S-25
            return ", ".join(f"share {base} with {' '.join(flyers)}" for base, flyers in order.items())
        return commands.write_answer(path, order)
    if path[0] != "orders":
        return ""
    key = str(path[1])
    if key == "deployment":
        return f"deploy {' '.join(order['units'])} {order['hex']}"
    if key in _GOING:
        return commands.write_move(_GOING[key], order)
    if key in _MISSIONS:
        return commands.write_flight(_MISSIONS[key], choices["orders"][key], int(path[2]))
    if key == "superiority":
        return f"raid {order['base']} with {' '.join(order['aircraft'])}"
    return commands.write_attack(order, ("support", "unsupported", *PLAN_KEYS)) if key == "battles" else ""
