"""2.2, 3.0: possible actions from a position: circles of movement, and shots in words."""

from __future__ import annotations

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.outlook import MovePhase, Mover, Outlook, Target
from kursk_pbem.kernel.state import State
from rulesets.plane_toy.orders import shot, slips
from rulesets.plane_toy.setting import SIDES, Setting, inches

HEADING = "What can be fired at from where models stand now [3.0]"


def within(setting: Setting, uid: str) -> str:
    """2.2: return the maximum distance of a model."""
    return f"anywhere within {inches(setting.models[uid].speed)} inches, but not into the water"


def outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """Return possible actions of the next writer or a model. Raises UsageError for a model not on the table."""
    if unit and unit not in setting.alive(state):
        raise UsageError(f"{unit} is no model on the table")
    side = setting.models[unit].side if unit else state.side
    foe = SIDES[1 - SIDES.index(side)]
    who = [unit] if unit else setting.alive(state, side)
    movers = tuple(Mover(uid, state.units[uid].place, "", (), within(setting, uid)) for uid in who)
    shots = [[shot(setting, state, uid, target) for uid in who] for target in setting.alive(state, foe)]
    targets = tuple(
        Target(
            (each[0].target,),
            state.units[each[0].target].place,
            None,
            (),
            lines=tuple(f"{one.shooter}, {one.told}" for one in each if one.dice),
        )
        for each in shots
        if any(one.dice for one in each)
    )
    return Outlook(side, (MovePhase("move", "2.2", (), movers, verb="go"),), targets, (), HEADING, at="at")


def why(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """2.2: return reasons against a move to a point; () if possible."""
    order = {"id": unit, "to": to}
    found = slips(setting, state, setting.models[unit].side, order) if unit in setting.models else ()
    told = tuple(f"it {why} [{rule}]" if key == "to" else why for rule, key, why in found)
    return tuple(f"places are points here: {each}; {unit} goes {within(setting, unit)}" for each in told)
