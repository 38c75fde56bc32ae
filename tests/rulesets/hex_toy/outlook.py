"""3.0, 4.0: possible actions from a position."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.outlook import Destination, MovePhase, Mover, Outlook, Sign, Target
from kursk_pbem.kernel.state import State
from rulesets.hex_toy import assaults, sequence
from rulesets.hex_toy.assaults import BOLD, BROKEN, LATE, STEADY
from rulesets.hex_toy.setting import Setting

WITH = Sign("with", "+", "after a hex: friends stand there.", "with")


def outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """Return possible actions of the next writer or a unit. Raises UsageError for a unit not on the map."""
    if unit and (unit not in setting.counters or state.units[unit].place not in setting.board.index):
        raise UsageError(f"{unit} is no unit on the map")
    side = setting.counters[unit].side if unit else state.side
    keys = {phase.key for phase in sequence.stages(setting)[state.stage].phases}
    phases = [_march(setting, state, side, unit)] if "march" in keys or unit else []
    if "pursuit" in keys and BROKEN in state.agenda and side == state.side:
        phases.append(_pursuit(setting, state, unit))
    targets = tuple(_targets(setting, state, side, unit)) if "march" in keys or unit else ()
    notes = () if phases else ("Nothing moves in the message that is due.",)
    return Outlook(side, tuple(phases), targets, notes, "What can be assaulted from where units stand now [4.0]")


def reach(setting: Setting, state: State, uid: str) -> list[Destination]:
    """3.0: return the possible final hexes of a unit's march."""
    labels, side = setting.board.labels, setting.counters[uid].side
    own = setting.standing(state, side)
    found = ways.find_reach(assaults.march(setting, state, uid))
    return [
        Destination(
            labels[there],
            str(way.mp),
            tuple(labels[hex_] for hex_ in way.path),
            {WITH.key: tuple(own.get(labels[there], ()))},
        )
        for there, way in found.items()
    ]


def units_of(setting: Setting, state: State, side: str) -> list[str]:
    return sorted(uid for who in setting.standing(state, side).values() for uid in who)


def _march(setting: Setting, state: State, side: str, unit: str) -> MovePhase:
    who = [unit] if unit else units_of(setting, state, side)
    movers = (Mover(uid, state.units[uid].place, "", tuple(reach(setting, state, uid))) for uid in who)
    return MovePhase("march", "3.0", (), tuple(movers), (WITH,), "paces")


def _pursuit(setting: Setting, state: State, unit: str) -> MovePhase:
    movers = [
        Mover(uid, state.units[uid].place, "", (Destination(each["hex"], "", (each["hex"],), {}),))
        for each in state.agenda[BROKEN]
        for uid in each["units"]
        if state.units[uid].steps and unit in ("", uid)
    ]
    return MovePhase("pursuit", "5.0", (), tuple(movers))


def _targets(setting: Setting, state: State, side: str, unit: str) -> Iterator[Target]:
    own = setting.standing(state, side)
    for label, defenders in setting.standing(state, setting.foe(side)).items():
        near = [uid for hex_ in setting.board.names(setting.beside(label)) for uid in own.get(hex_, ())]
        if near and unit in ("", *near):
            order = {"id": "a1", "hex": label, "units": near}
            told, bold = (assaults.fought(setting, state, order, near, each, LATE) for each in (STEADY, BOLD))
            chances = assaults.results(setting, told.column, sum(shift.by for shift in told.shifts))
            yield Target(tuple(defenders), label, told, tuple(chances.items()), (("bold", bold),))


def why(setting: Setting, state: State, unit: str, to: str) -> tuple[str, ...]:
    """2.0, 3.0: return reasons against ending a march in a hex; () if possible."""
    if to not in setting.board.index:
        raise UsageError(f"{to!r} is no hex of this map")
    march, there = assaults.march(setting, state, unit), setting.board.index[to]
    if ways.way_to(march, there):
        return ()
    return (assaults.refusal(setting, state, unit, ways.hindrance(setting.board, march, there)).why,)
