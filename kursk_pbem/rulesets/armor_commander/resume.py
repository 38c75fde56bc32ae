"""Successor games by agreement, and the checks of every position.

A seal belongs to one game. So a successor begins before the first deployment, or when one side is to seal its orders.
The successor may also begin after this seal, because the other side has not seen the sealed orders.
"""

from __future__ import annotations

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.state import DECLARED, ELIMINATED, OFF_MAP, OVER, VERDICT, State, Unit
from kursk_pbem.rulesets.armor_commander.position import FACING, INITIATIVE, PLOT, is_standing
from kursk_pbem.rulesets.armor_commander.setting import GUN, TANK, Model, Setting
from kursk_pbem.rulesets.armor_commander.setup import make_first_state


def resume_game(setting: Setting, state: State) -> State | str:
    """3.2: return the first position of a successor game, or the reason why no successor is possible."""
    if state.stage == OVER:
        return "the earlier game is over"
    if wrong := find_breaches(setting, state):
        return f"the position does not fit the scenario: {wrong[0]}"
    if state.tracks or VERDICT in state.marks:
        return "the position does not fit the scenario: a mark or track is unknown"
    if state.stage == "deploy":
        first = make_first_state(setting)
        slip = "the position does not fit the scenario: the deployment differs from the first position"
        return first if state == first else slip
    if any(unit.place == OFF_MAP for unit in state.units.values()):
        return "a model is not on the table yet"
    waiting = {key for key in state.agenda if not key.startswith("sealed/")} - {DECLARED}
    if state.stage not in ("plot", "orders") or waiting - {PLOT}:
        return "a hidden deployment, order or answer waits for the opponent"
    if state.mark(INITIATIVE, "first") not in setting.sides:
        return "the position does not fit the scenario: neither side has the initiative"
    for side in setting.sides:
        if not any(is_standing(state.units[mid]) for mid, model in setting.models.items() if model.side == side):
            return f"the position does not fit the scenario: the {side} side has no model on the table"
    return state.with_(side=setting.sealer, stage="plot", agenda={})


def find_breaches(setting: Setting, state: State) -> list[str]:
    """Return the errors of a position, which may come from an untrusted file."""
    if set(state.units) != set(setting.models):
        return ["the models differ from the scenario's models"]
    if state.turn not in setting.turns:
        return [f"{state.turn} is no turn of the scenario"]
    wrong = [
        f"{mid} has {state.units[mid].steps} of {model.crew} steps at {state.units[mid].place}"
        for mid, model in setting.models.items()
        if not _is_placed(setting, model, state.units[mid])
    ]
    wrong += [
        f"{mid} faces {state.mark(FACING, mid)!r}"
        for mid, model in setting.models.items()
        if (state.mark(FACING, mid) not in CLOCK) == (model.kind == TANK and is_standing(state.units[mid]))
        or (model.kind == GUN and state.mark(FACING, mid))
    ]
    return wrong + [
        f"the mark {table} {key} {value}"
        for table, entries in sorted(state.marks.items())
        for key, value in entries.items()
        if not _is_valid_mark(setting, state, table, key, value)
    ]


def _is_placed(setting: Setting, model: Model, unit: Unit) -> bool:
    """Return whether a model has a possible place and crew."""
    if unit.place == ELIMINATED:
        return not unit.steps
    if unit.place == OFF_MAP:
        return unit.steps == model.crew
    return 1 <= unit.steps <= model.crew and _is_on_table(setting, unit.place)


def _is_valid_mark(setting: Setting, state: State, table: str, key: str, value: str) -> bool:
    """Return whether a mark is possible."""
    model = setting.models.get(key)
    match table:
        case "facing":
            return model is not None and model.kind == TANK and value in CLOCK
        case "immobile":
            return model is not None and model.kind == TANK and value == "yes" and is_standing(state.units[key])
        case "pinned":
            return model is not None and model.kind == GUN and value in setting.turns and is_standing(state.units[key])
        case "wreck":
            return (
                model is not None
                and setting.wrecks_stay
                and _is_on_table(setting, value)
                and not state.units[key].steps
            )
        case "initiative":
            return key == "first" and value in setting.sides
        case _:
            return table == "verdict"


def _is_on_table(setting: Setting, value: str) -> bool:
    try:
        return setting.is_on_table(plane.point(value))
    except ValueError:
        return False
