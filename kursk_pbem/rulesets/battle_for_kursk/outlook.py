"""8.0, 9.0, 9.2.1: what a side or one unit may do from a position: moves in each phase, targets, Offensives.

Moves come from the search that also checks them, targets from the arithmetic that also fights them, so what is shown
is what would be accepted.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.ways import Way
from kursk_pbem.kernel.outlook import Destination, MovePhase, Mover, Outlook, Target
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk import chances, combat, movement
from kursk_pbem.rulesets.battle_for_kursk.movement import MOVE, RAIL
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle
from kursk_pbem.rulesets.battle_for_kursk.odds import chances as faces_of
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud, position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, POSTURES, Setting

ORDER_STAGES = ("posture", "german-orders", "russian-orders")
DICE_STAGES = ("german-dice", "russian-dice")

RAIL_PHASE, COMBAT, MOVE_PHASE = "armor-and-rail", "combat", "movement"
PHASES = (RAIL_PHASE, COMBAT, MOVE_PHASE)
_RULES = {RAIL_PHASE: "8.1", COMBAT: "9.0", MOVE_PHASE: "8.0"}
_NAMES = {RAIL_PHASE: "Armor and rail movement", COMBAT: "Attacks", MOVE_PHASE: "Movement"}


def outlook(setting: Setting, state: State, unit: str) -> Outlook:
    """What the side that writes next may do from ``state`` (after its duties); with ``unit`` what that unit may do.

    UsageError if there is no such unit, or if it does not stand on the map.
    """
    pos = position(setting, state)
    if unit:
        if unit not in setting.counters:
            raise UsageError(f"there is no unit {unit!r}; 'kursk map' shows them by their ids")
        if unit not in pos.where:
            raise UsageError(f"{unit} is not on the map: {state.units[unit].place}")
    side = setting.counters[unit].side if unit else state.side
    due = _keys(state)
    keys = PHASES if unit and not (due and side == state.side) else due  # a unit of the other side, or out of turn: all
    notes = [] if keys else ["Nothing moves in the message that is due; name a unit to see where it could go."]
    performed = [key for key in keys if unit or _performs(pos, side, key)]
    chosen = state.mark(side, "posture")
    missing = [key for key in keys if not _performs(pos, side, key) and (key not in performed or key == COMBAT)]
    notes += [f"{_NAMES[key]}: not with the posture {chosen} of this turn [12.0-4]" for key in missing]
    phases = tuple(_moves(pos, side, key, unit) for key in performed if key != COMBAT)
    targets = _targets(pos, side, unit) if COMBAT in performed else ()
    if COMBAT in performed:
        if not chosen:
            notes.append(f"Attacks: only with {_postures(setting, COMBAT)} [12.0-4]")
        notes.append(f"Offensive markers available: {state.tracks[f'offensives-{side}']} [9.2.1]")
    return Outlook(side, phases, targets, tuple(notes))


def _keys(state: State) -> tuple[str, ...]:
    """The phases of the message that is due in which units act."""
    if state.stage in ORDER_STAGES:
        return PHASES
    return (MOVE_PHASE,) if state.stage in DICE_STAGES and "pending" not in state.agenda else ()


def _performs(pos: Position, side: str, key: str) -> bool:
    """12.0 (4): whether the posture of a side includes a phase; before it is chosen each may come."""
    chosen = pos.state.mark(side, "posture")
    return not chosen or key in pos.setting.phases[chosen]


def _postures(setting: Setting, key: str) -> str:
    *names, last = (name for name in POSTURES if key in setting.phases[name])
    return f"{', '.join(names)} or {last}" if names else last


# --- moves ------------------------------------------------------------------------------------------------------


def ends(pos: Position, uid: str, key: str) -> tuple[str, dict[int, Way]]:
    """8.0, 8.1, K-33: how a unit moves in a phase and where it may end; nowhere if it does not move in it."""
    how = MOVE
    if key == RAIL_PHASE and pos.setting.counters[uid].infantry:
        how = RAIL
        if not movement.rail_riders(pos, pos.side(uid)) >> pos.where[uid] & 1:
            return how, {}
    return how, movement.reach(pos, uid, how)


def _moves(pos: Position, side: str, key: str, unit: str) -> MovePhase:
    movers = []
    for uid in (unit,) if unit else sorted(pos.where):
        if pos.side(uid) == side:
            how, ways = ends(pos, uid, key)
            if ways or unit:
                mud = how == MOVE and is_mud(pos.state)
                found = tuple(_destination(pos, side, there, way, mud=mud) for there, way in sorted(ways.items()))
                movers.append(Mover(uid, pos.state.units[uid].place, how, found))
    return MovePhase(key, _RULES[key], tuple(_phase_notes(pos, side, key, unit)), tuple(movers))


def _destination(pos: Position, side: str, there: int, way: Way, *, mud: bool) -> Destination:
    labels, near = pos.setting.board.labels, pos.setting.board.near
    beside = tuple(sorted(pos.at[hex_] for hex_ in bits(near[there] & pos.enemies(side))))
    return Destination(labels[there], "" if mud else str(way.mp), tuple(labels[hex_] for hex_ in way.path), beside)


def _phase_notes(pos: Position, side: str, key: str, unit: str) -> list[str]:
    notes = []
    if not pos.state.mark(side, "posture"):
        notes.append(f"Only with {_postures(pos.setting, key)} [12.0-4].")
    elif not _performs(pos, side, key):
        notes.append(f"Not with the posture {pos.state.mark(side, 'posture')} of this turn [12.0-4].")
    if is_mud(pos.state):
        notes.append("Mud: one hex, except infantry by rail [11.1].")
    if unit and key == RAIL_PHASE and not ends(pos, unit, key)[1] and pos.setting.counters[unit].infantry:
        notes.append("Infantry moves in it only by rail, from a railway on its own side of the Start Line.")
    return notes


# --- targets ----------------------------------------------------------------------------------------------------


def _targets(pos: Position, side: str, unit: str) -> tuple[Target, ...]:
    """9.0: every enemy beside a unit of ``side``; with ``unit`` those that it can attack or support against."""
    found = []
    for hex_ in bits(pos.occupied[ENEMY[side]]):
        near = [pos.at[there] for there in bits(pos.setting.board.near[hex_] & pos.occupied[side])]
        if near:
            order = {
                "id": "b1",
                "hex": pos.setting.board.labels[hex_],
                "defender": pos.at[hex_],
                "attackers": sorted(near),
            }
            target = _target(pos, order)
            if not unit or unit in near or any(unit in fought.supporters for fought in target.offensives):
                found.append(target)
    return tuple(found)


def _target(pos: Position, order: dict[str, Any]) -> Target:
    fought = chances.arithmetic(pos.setting, pos.state, order)
    results: tuple[tuple[str, Fraction], ...] = ()
    if fought.column:
        faces = faces_of(pos.setting, int(fought.column.partition(":")[0]))
        results = tuple((result, Fraction(number, 6)) for result, number in faces.items())
    return Target(fought, results, tuple(_offensives(pos, order)))


def _offensives(pos: Position, order: dict[str, Any]) -> list[Fought]:
    """9.2.1: an Offensive for each attacker that can lead one, with all that can support it; a marker is needed."""
    side = pos.side(order["attackers"][0])
    if not pos.state.tracks[f"offensives-{side}"]:
        return []
    (battle,) = combat.declared(pos.setting, {"battles": [order]})
    return [
        chances.arithmetic(pos.setting, pos.state, {**order, "lead": lead, "support": list(support)})
        for lead, support in supports(pos, battle)
    ]


def supports(pos: Position, battle: Battle) -> list[tuple[str, tuple[str, ...]]]:
    """9.2.1, K-42, K-43: each attacker that may lead, with the units of its formation that stand behind it."""
    counters, near = pos.setting.counters, pos.setting.board.near
    found = []
    for lead in battle.attackers:
        if counters[lead].armor or counters[lead].type == "shock":
            around = bits(near[pos.where[lead]] & pos.occupied[pos.side(lead)] & ~near[battle.hex])
            behind = [pos.at[there] for there in around]
            support = tuple(sorted(uid for uid in behind if counters[uid].formation == counters[lead].formation))
            if support:
                found.append((lead, support))
    return found
