"""Orders of a draft as typed commands."""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.hexes import commands
from kursk_pbem.kernel.orders import Path
from kursk_pbem.rulesets.battle_for_kursk.orders import PLAN_KEYS

_GOING = {"returns": "return", "replacements": "replace", "armor-and-rail": "rail", "movement": "march"}
_LISTS = {"distribution": "distribute", "give-ups": "give-up"}


def write_order(_choices: dict[str, Any], path: Path, order: Any) -> str:
    """Return the words of ``kursk order`` for a value of a draft, or ''."""
    top, key = path[0], str(path[1]) if len(path) > 1 else ""
    if top == "waive":
        return "waive"
    if top == "policy":
        return commands.write_answer(path, order)
    if top == "decisions":
        return f"decide {order}"
    if top in ("choice", "seal") and key.startswith("posture/"):
        return f"posture {order['posture']}{' reaction' if order.get('reaction') == 'yes' else ''}"
    if top == "seal" and key.startswith("plans/"):
        return ", ".join(f"plan {battle}{commands.clauses(plan, plan)}" for battle, plan in order.items())
    if top != "orders":
        return ""
    if key in _LISTS:
        return f"{_LISTS[key]} {' '.join(order)}"
    if key == "objective":
        return f"objective {order}"
    if key in _GOING:
        return commands.write_move(_GOING[key], order)
    return _write_battle(order) if key == "battles" else ""


def _write_battle(order: commands.Entry) -> str:
    """9.2.1: return the command for a battle, with leader and supporters before the plan."""
    offensive = order.get("offensive", {})
    return commands.write_attack({**order, **offensive}, ("lead", "support", *PLAN_KEYS))
