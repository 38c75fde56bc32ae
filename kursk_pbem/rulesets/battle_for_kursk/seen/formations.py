"""Facts about units: formation, possible support, communication.

``battles`` (9.2.1) and ``position`` (10.0) decide; this module only describes.
"""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.hexes.board import bits, least_blocked
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk.movement import describe_controllers
from kursk_pbem.rulesets.battle_for_kursk.position import Position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY

_SHOWN = 3  # maximum number of named obstacles


def describe_unit(pos: Position, uid: str) -> tuple[str, ...]:
    """3.3, 9.2.1, 10.0: return the facts about a unit: values, formation, support, interrupted communication."""
    counter, here, steps = pos.setting.counters[uid], pos.where[uid], pos.state.units[uid].steps
    others = _list_units(pos, [other for other in _list_kin(pos, uid) if other != uid]) or "no other unit on the map"
    what = f"{counter.type}, {pos.strength(uid)}-{counter.move}, {plural(steps, 'step')}"
    lines = [f"{what}; {counter.formation}: {others}"]
    lines += _support(pos, uid)
    if pos.ezoc(counter.side) >> here & 1:
        lines.append(f"In the zone of control of {describe_controllers(pos, uid, here)} [7.0].")
    if pos.fortified(uid):
        lines.append("In its own active fortification [9.2].")
    lines.append(explain_cut(pos, uid) or "In Communication [10.0-in-communication].")
    return tuple(lines)


def _list_kin(pos: Position, uid: str) -> list[str]:
    """3.3-formation: describe the units of a formation on the map, including the unit itself."""
    counters = pos.setting.counters
    own = counters[uid]
    return [
        other
        for other in sorted(pos.where)
        if (counters[other].side, counters[other].formation) == (own.side, own.formation)
    ]


def _list_units(pos: Position, units: list[str]) -> str:
    return ", ".join(f"{uid} in {pos.setting.board.labels[pos.where[uid]]}" for uid in units)


def _support(pos: Position, uid: str) -> Iterator[str]:
    """9.2.1, K-42, K-43: describe possible support by and for a unit in its present hex."""
    counters, near = pos.setting.counters, pos.setting.board.near
    beside = [other for other in _list_kin(pos, uid) if near[pos.where[uid]] >> pos.where[other] & 1]
    for lead, rest in ((uid, beside), *((other, [uid]) for other in beside)):
        for hex_ in bits(near[pos.where[lead]] & pos.enemies(pos.side(uid))) if counters[lead].leads else ():
            who = [other for other in rest if not near[hex_] >> pos.where[other] & 1]
            if who:
                against = f"{pos.unit(hex_)} in {pos.setting.board.labels[hex_]}"
                yield (
                    f"Possible Offensive against {against}, for one marker: leader {lead}, supporting units "
                    f"{', '.join(who)} [9.2.1]."
                )
    if not counters[uid].leads:
        yield "Infantry cannot lead an Offensive, but can attack in it or support it [9.2.1]."


def of_side(pos: Position, side: str) -> tuple[str, ...]:
    """3.3-formation: return a side's formations with their units on the map. A * marks each possible leader."""
    formed: dict[str, list[str]] = {}
    for uid in sorted(pos.where):
        counter = pos.setting.counters[uid]
        if counter.side == side:
            formed.setdefault(counter.formation, []).append(f"{uid}{'*' if counter.leads else ''}")
    lines = tuple(f"{name}: {', '.join(units)}" for name, units in sorted(formed.items()))
    cut = [uid for uid in sorted(pos.where) if pos.side(uid) == side and not _has_communication(pos, uid)]
    who = f"Not In Communication [10.0-in-communication]: {', '.join(cut)}"
    told = f"{who}; 'kursk moves UNIT' shows the obstacles."
    return ("Formations; * may lead an Offensive [9.2.1]", *lines, *([told] if cut else []))


def _has_communication(pos: Position, uid: str) -> bool:
    """7.3: return whether a unit is In Communication."""
    return bool(pos.communication(pos.side(uid)) >> pos.where[uid] & 1)


def cut_off(pos: Position) -> Iterator[str]:
    """10.0-in-communication: return a sentence for every unit on the map without communication, ordered by hex."""
    for hex_ in sorted(pos.at):
        if text := explain_cut(pos, pos.unit(hex_)):
            yield text


def explain_cut(pos: Position, uid: str) -> str:
    """10.0-in-communication: return why a unit is not In Communication, or '' if it is (K-37).

    The reason names the path to the unit's own map edge that the fewest enemies block.
    """
    board, side, here = pos.setting.board, pos.side(uid), pos.where[uid]
    if _has_communication(pos, uid):
        return ""
    opened = board.all & ~pos.enemies(side) & ~pos.ezoc(side) & ~pos.cities[ENEMY[side]]
    path = least_blocked(board, here, pos.setting.edges[side], opened)
    closed = [hex_ for hex_ in path[1:] if not opened >> hex_ & 1]
    why = "; ".join(f"{board.labels[hex_]}, {_describe_obstacle(pos, uid, hex_)}" for hex_ in closed[:_SHOWN])
    more = f"; and {len(closed) - _SHOWN} more" if len(closed) > _SHOWN else ""
    shown = path[: path.index(closed[-1]) + 2] if closed else path
    way = "-".join([board.labels[hex_] for hex_ in shown] + ["..."] * (len(shown) < len(path)))
    told = f"the path to the edge with the fewest obstacles, {way}, is cut in {why}{more}"
    told = told if path else "no path leads to its edge of the map"
    return f"{uid} in {board.labels[here]} is not In Communication: {told} [10.0-in-communication]."


def _describe_obstacle(pos: Position, uid: str, hex_: int) -> str:
    """Describe the obstacle for communication in a hex."""
    side = pos.side(uid)
    if pos.enemies(side) >> hex_ & 1:
        return f"the hex of {pos.unit(hex_)}"
    if pos.ezoc(side) >> hex_ & 1:
        return f"zone of control of {describe_controllers(pos, uid, hex_)}"
    return f"{pos.setting.city_names[hex_]}, a city of the enemy"
