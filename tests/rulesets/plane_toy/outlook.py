"""2.2, 3.0: what may be done from a position: circles to move in, and shots in words."""

from __future__ import annotations

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.outlook import MovePhase, Mover, Outlook, Target
from kursk_pbem.kernel.state import State
from rulesets.plane_toy.orders import shot, slips
from rulesets.plane_toy.setting import SIDES, Setting, inches

HEADING = "What can be fired at from where models stand now [3.0]"


def within(setting: Setting, uid: str) -> str:
    """2.2: how far a model goes."""
    return f"anywhere within {inches(setting.models[uid].speed)} inches, but not into the water"


def outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """What the side that writes next may do, or one model. UsageError if there is no such model on the table."""
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
    """2.2: why a model may not go to a point; () where it may."""
    order = {"id": unit, "to": to}
    found = slips(setting, state, setting.models[unit].side, order) if unit in setting.models else ()
    told = tuple(f"it {why} [{rule}]" if key == "to" else why for rule, key, why in found)
    return tuple(f"places are points here: {each}; {unit} goes {within(setting, unit)}" for each in told)
