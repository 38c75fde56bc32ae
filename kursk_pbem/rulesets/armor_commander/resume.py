"""Positions from which a game can go on as another one, by agreement.

A seal is bound to its game. So it goes on before the first deployment, or where one side seals the orders of a turn:
also when the other has not yet written its own, for it knows nothing of them.
"""

from __future__ import annotations

from kursk_pbem.kernel.state import DECLARED, OFF_MAP, OVER, VERDICT, State
from kursk_pbem.rulesets.armor_commander.position import INITIATIVE, PLOT, invariants, is_standing
from kursk_pbem.rulesets.armor_commander.setting import Setting
from kursk_pbem.rulesets.armor_commander.setup import setup


def resume(setting: Setting, state: State) -> State | str:
    """3.2: the first position of a game that goes on from ``state``; or why none can."""
    if state.stage == OVER:
        return "the game is over there"
    if wrong := invariants(setting, state):
        return f"it is no position of this scenario: {wrong[0]}"
    if state.tracks or VERDICT in state.marks:
        return "it is no position of this scenario: a mark or track is unknown"
    if state.stage == "deploy":
        first = setup(setting)
        return first if state == first else "it is no position of this scenario: it is not the first one"
    if any(unit.place == OFF_MAP for unit in state.units.values()):
        return "it is no position of this scenario: somebody is not on the table yet"
    waiting = {key for key in state.agenda if not key.startswith("sealed/")} - {DECLARED}
    if state.stage not in ("plot", "orders") or waiting - {PLOT}:
        return "something deployed, ordered or hidden waits there for the other side"
    if state.mark(INITIATIVE, "first") not in setting.sides:
        return "it is no position of this scenario: nobody has the initiative"
    for side in setting.sides:
        if not any(is_standing(state.units[mid]) for mid, model in setting.models.items() if model.side == side):
            return f"it is no position of this scenario: the {side} side has nobody on the table"
    return state.with_(side=setting.sealer, stage="plot", agenda={})
