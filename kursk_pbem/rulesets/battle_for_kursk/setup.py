"""6.0 Setting up: the first position of a scenario, and the distribution of the short scenario."""

from __future__ import annotations

from kursk_pbem.kernel.events import Placed
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk import posture
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, REDUCED, RUSSIAN, SIDES, Setting


def make_first_state(setting: Setting) -> State:
    """6.0: return the first position of a scenario, after the effects of the first turn's box (K-1 a to c).

    Markers 6.0-1, Russians 6.0-2 and Germans 6.0-3 come from the scenario. Play begins with a posture (6.0-4).
    """
    start = setting.start
    steps = {}
    for uid, counter in setting.counters.items():
        named = start["steps"] if isinstance(start["steps"], dict) else {}
        steps[uid] = {"full": FULL, "reduced": REDUCED}.get(named.get(counter.side, ""), counter.starts)
    state = State(
        turn=start["turn"],
        side=RUSSIAN,
        stage="opening",
        units={uid: Unit(counter.hex, steps[uid]) for uid, counter in setting.counters.items()},
        marks={
            **{side: {"previous": start["previous"][side]} for side in SIDES},
            "objective": {"hex": start["objective"]["hex"], "side": start["objective"]["side"]},
        },
        tracks={
            **{f"offensives-{side}": int(start["offensives"][side]) for side in SIDES},
            **{posture.ENGAGED.format(side): 0 for side in SIDES},
        },
    )
    umpire: Umpire[Setting] = Umpire(setting, state, 0, None)
    posture.begin_turn(umpire, Filing(0, RUSSIAN))
    return umpire.state


def may_share(umpire: Umpire[Setting], filing: Filing) -> bool:
    """6.0 Short Scenario: return whether the scenario has steps to distribute, or whether orders distribute steps."""
    return bool(umpire.setting.distribution or filing.order("distribution"))


def share(umpire: Umpire[Setting], filing: Filing) -> None:
    """6.0 Short Scenario: give infantry and armor steps to the reduced Russian units that the orders name (K-4)."""
    left = dict(umpire.setting.distribution)
    chosen: set[str] = set()
    for number, uid in enumerate(filing.order("distribution")):
        path = ("orders", "distribution", number)
        counter = umpire.setting.counters.get(uid)
        if counter is None or counter.side != RUSSIAN:
            umpire.refuse("6.0-short-scenario", "is no Russian unit", uid, path)
            continue
        kind = "infantry" if counter.infantry else "armor"
        if uid in chosen:
            umpire.refuse("6.0-short-scenario", "is named twice", uid, path)
        elif umpire.state.units[uid].steps == FULL:
            umpire.refuse("6.0-short-scenario", "is at full strength already", uid, path)
        elif not left.get(kind, 0):
            umpire.refuse("6.0-short-scenario", f"no {kind} step is left", uid, path)
        else:
            chosen.add(uid)
            left[kind] -= 1
            umpire.emit(Placed("6.0-short-scenario", uid, umpire.state.units[uid].place, FULL, "flip"))
    for kind, steps in left.items():
        reduced = [umpire.setting.counters[uid] for uid, unit in umpire.state.units.items() if unit.steps == REDUCED]
        more = any(counter.side == RUSSIAN and counter.infantry == (kind == "infantry") for counter in reduced)
        if steps and more:
            why = f"{plural(steps, f'{kind} step')} {'is' if steps == 1 else 'are'} still to be distributed"
            umpire.refuse("6.0-short-scenario", why, "units at full strength", ("orders", "distribution"))
