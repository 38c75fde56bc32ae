"""The demonstration of a table top: tanks advance on a gun line under fire, and fire high explosive rounds.

The orders follow from the position, so the demonstration works for all rolls.
"""

from __future__ import annotations

from typing import Any

from kursk_pbem.demo.script import Script
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, Field, make_field

ADVANCE = 550
"""Distance of the tanks' first move in hundredths of an inch."""
SOVIET_DEPLOYMENT = [{"id": "s-t-1", "at": "15.00, 38.00"}, {"id": "s-t-2", "at": "15.00, 40.00"}]


def make_choices(desk: Desk, state: State) -> dict[str, Any]:
    """Return the choices of the next message in a demonstration game. The stage of the message decides."""
    table = make_field(desk.game.setting, state)
    match state.stage:
        case "deploy":
            return {"seal": {DEPLOYMENT: SOVIET_DEPLOYMENT}}
        case "place":
            return {"orders": {"deployment": [{"id": "g-pz-7", "at": "22.00, 4.50", "face": "12:30"}]}}
        case "ready" | "action":
            return {"seal": {f"orders/turn-{state.turn}": _fire_guns(table)}}
        case "orders":
            return {"orders": {"units": [_advance(table) if state.turn == "1" else _bombard_guns()]}}
        case _:
            return {}


def _fire_guns(table: Field) -> list[dict[str, Any]]:
    """Return fire at the tanks by every unit that can fire."""
    units = [unit.id for unit in table.setting.list_units("soviet") if table.list_unit(unit.id)]
    return [{"id": uid, "chip": "red", "at": ["g-panzer"]} for uid in units if not table.is_pinned(uid)]


def _advance(table: Field) -> dict[str, Any]:
    """Return moves of all tanks straight up the table."""
    moves = []
    for mid in table.list_unit("g-panzer"):
        x, y = table.at[mid][0], table.at[mid][1] + ADVANCE
        moves.append({"id": mid, "path": [f"{x // 100}.{x % 100:02d}, {y // 100}.{y % 100:02d}"]})
    return {"id": "g-panzer", "chip": "green", "moves": moves}


def _bombard_guns() -> dict[str, Any]:
    """Return fire at the two guns in the middle, then at other targets."""
    return {"id": "g-panzer", "chip": "red", "at": ["s-gun-2", "s-gun-3", "s-tanks"]}


SCRIPT = Script(
    scenario="armor-commander/gun-line",
    proposer="german",
    titles=(
        "Anna proposes a game; Boris takes it and seals where his guns and tanks stand",
        "Anna deploys in the clear, without having seen his deployment",
        "Boris shows his deployment, the initiative falls, and he seals his orders of turn 1",
        "Anna orders in the clear: the platoon takes a green chip and drives forward",
        "Boris shows his orders, and all dice of the turn fall; he seals the orders of turn 2",
        "Anna's platoon takes a red chip: high explosive rounds at the guns in the middle",
        "Boris's message has the dice of turn 2, with all saves",
        "Anna takes the last message; then anyone proves the whole game from the files alone",
    ),
    loud=(5, 7),
    around=("middle-works", "30"),
    choices=make_choices,
    die="/hit: '",
)
