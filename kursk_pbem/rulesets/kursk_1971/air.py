"""9.0 Air units: missions, interception, combat air patrol, interdiction, landing. No die is rolled here.

A counter is ground element and aircraft in one (S-53). The counter stays in the hex of its ground element; marks record
the place of its aircraft and their mission this turn.
"""

from __future__ import annotations

from collections.abc import Callable

from kursk_pbem.kernel.events import Marked, Unmarked
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.stands import explain_own
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.kursk_1971.position import FLOWN, INTERDICTION, PATROL, Position, view
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

INTERCEPTION, SUPERIORITY, SUPPORT = "interception", "superiority", "support"
MISSIONS = {INTERCEPTION: "9.0-d5", SUPERIORITY: "9.0-d4", SUPPORT: "9.0-d1", PATROL: "9.0-d3", INTERDICTION: "9.0-d2"}


def list_air_units(pos: Position, side: str) -> list[str]:
    """Return the air units of a side on the map, by id."""
    return [uid for uid in pos.units(side) if pos.setting.counters[uid].air]


def list_ready(pos: Position, side: str) -> list[str]:
    """9.0-d, S-23: return a side's air units that can still fly in this turn."""
    return [uid for uid in list_air_units(pos, side) if not pos.state.mark(FLOWN, uid)]


def find_range(pos: Position, uid: str) -> Mask:
    """9.0-procedure, S-50: return the hexes in range of an aircraft. Nothing between blocks the range (9.0-f)."""
    board, here = pos.setting.board, pos.where[uid]
    return sum(board.rings(1 << here, board.all, pos.setting.counters[uid].reach))


def is_in_range(pos: Position, uid: str, hex_: int) -> bool:
    """9.0-procedure: return whether a hex is in range of an aircraft's base."""
    return pos.setting.board.distance(pos.where[uid], hex_) <= pos.setting.counters[uid].reach


def find_mission_fault(pos: Position, side: str, uid: str, hex_: int) -> str:
    """9.0-d, 9.0-procedure: return why an aircraft cannot fly a mission over a hex now, or ''."""
    if why := explain_own(pos.setting, pos.state, side, uid):
        return why
    counter = pos.setting.counters[uid]
    if not counter.air:
        return "is no air unit"
    if did := pos.state.mark(FLOWN, uid):
        if over := pos.state.mark(did, uid):  # another order of this phase already uses the aircraft
            return f"flies one mission in a turn, and is ordered to fly {did} over {over} too"
        return "has moved its ground element" if did == "base-move" else f"has flown this turn already ({did})"
    if hex_ < 0:
        return "can only fly over hexes of this map"
    if not is_in_range(pos, uid, hex_):
        away, most = pos.setting.board.distance(pos.where[uid], hex_), counter.reach
        return f"flies {most} hexes from its base, but {pos.setting.board.labels[hex_]} is {away} hexes away"
    return ""


def take_off(umpire: Umpire[Setting], uid: str, mission: str) -> None:
    """9.0-d: record the mission of an aircraft. An aircraft can fly one mission each turn."""
    umpire.emit(Marked(MISSIONS[mission], FLOWN, uid, mission))


def find_prey(pos: Position, side: str, hex_: int) -> list[tuple[str, str]]:
    """9.0-d5, S-24, S-43, S-64: return the enemy aircraft that can be turned back over a hex, as (mission, unit)."""
    foe = ENEMY[side]
    safe = any(pos.setting.counters[uid].air and pos.side(uid) == foe for uid in pos.stack(hex_))  # S-34
    patrols = [] if safe else pos.list_aircraft(PATROL, foe, hex_)
    return [
        *((PATROL, uid) for uid in patrols),
        *((INTERDICTION, uid) for uid in pos.list_aircraft(INTERDICTION, foe, hex_)),
    ]


def is_blocked(pos: Position, side: str, hex_: int) -> bool:
    """9.0-d3, S-24: return whether enemy patrols over a hex prevent close support and interdiction there."""
    return bool(pos.list_aircraft(PATROL, ENEMY[side], hex_))


def _fly_missions(
    umpire: Umpire[Setting], filing: Filing, mission: str, why: Callable[[Position, int], str]
) -> list[tuple[str, str]]:
    """Carry out the legal orders for a mission; return (air unit, hex) of every flight.

    ``why``: returns why no aircraft can fly this mission over a hex now, '' if allowed.
    """
    flown = []
    for number, order in enumerate(filing.order(mission)):
        uid, label, path = order["unit"], order["hex"], ("orders", mission, number)
        hex_ = umpire.setting.board.index.get(label, -1)
        text = find_mission_fault(view(umpire), filing.writer, uid, hex_) or why(view(umpire), hex_)
        if text:
            umpire.refuse(MISSIONS[mission], text, uid, path)
            continue
        take_off(umpire, uid, mission)
        if mission == INTERCEPTION:
            table, enemy = find_prey(view(umpire), filing.writer, hex_)[0]  # S-43
            umpire.emit(Unmarked("9.0-d5", table, enemy))
        else:
            umpire.emit(Marked(MISSIONS[mission], mission, uid, label))
        flown.append((uid, label))
    return flown


def intercept(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-d5, S-24: let each interceptor turn back one enemy aircraft, patrols first. Both aircraft then land."""

    def why(pos: Position, hex_: int) -> str:
        if find_prey(pos, filing.writer, hex_):
            return ""
        there = pos.setting.board.labels[hex_]
        if pos.list_aircraft(PATROL, ENEMY[filing.writer], hex_):
            return f"patrols over {there} are safe over a ground element of their side"
        sent = [order["unit"] for order in filing.order(INTERCEPTION) if order["hex"] == there]
        if sent := [uid for uid in sent if pos.state.mark(FLOWN, uid)]:
            return f"{some(sent)} {'turns' if len(sent) == 1 else 'turn'} back every enemy aircraft over {there}"
        return f"no enemy aircraft to turn back are over {there}"

    _fly_missions(umpire, filing, INTERCEPTION, why)


def launch_aircraft(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-d2, 9.0-d3, S-24, S-43: after motorized movement, send aircraft on patrol and interdiction."""
    _fly_missions(umpire, filing, PATROL, lambda _pos, _hex: "")

    def why(pos: Position, hex_: int) -> str:
        there = pos.setting.board.labels[hex_]
        return f"enemy patrols over {there} keep it away" if is_blocked(pos, filing.writer, hex_) else ""

    _fly_missions(umpire, filing, INTERDICTION, why)


def land_aircraft(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-d2, 9.0-d3, S-1, S-23: land the enemy's patrols and interdictions. They can fly in the enemy's turn."""
    foe = ENEMY[filing.writer]
    marks = umpire.state.marks
    for table, rule in ((PATROL, "9.0-d3"), (INTERDICTION, "9.0-d2"), (FLOWN, "9.0-d")):
        for uid in sorted(marks.get(table, {})):
            if umpire.setting.counters[uid].side == foe:
                umpire.emit(Unmarked(rule, table, uid))


def lose_aircraft(umpire: Umpire[Setting], uid: str) -> None:
    """9.0-e: remove the aircraft of a lost ground element, even if the aircraft flies."""
    for table in (PATROL, INTERDICTION, FLOWN):
        if umpire.state.mark(table, uid):
            umpire.emit(Unmarked("9.0-e", table, uid))
