"""10.0 Replacements: returns, gains and give-ups of one Replacement Phase, and possible places of units.

The order in the phase (K-13): returns to the map, then gains one by one, then give-ups.
"""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.kernel.events import Noted, Placed
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.stands import explain_foreign
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk.combat import lose
from kursk_pbem.rulesets.battle_for_kursk.entry import record_entry
from kursk_pbem.rulesets.battle_for_kursk.position import Position, view
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, FULL, REDUCED, RUSSIAN, Setting

IRP, ARP = "IRP", "ARP"
WORD = {IRP: "infantry", ARP: "armor"}


def count_points(setting: Setting, state: State, side: str) -> dict[str, int]:
    """10.6: return a side's net replacement points this turn, by type: Turn Track and posture together (K-12).

    The points of the postures are in 12.0-pause, 12.0-reposition, 12.0-deploy and 12.0-engage.
    """
    box = setting.boxes[state.turn]
    infantry, armor = setting.posture_rp[side][state.mark(side, "posture")]
    return {IRP: box.irp[side] + infantry, ARP: box.arp[side] + armor}


def point_type(setting: Setting, uid: str) -> str:
    """10.5: return a unit's type of replacement points: IRP for Infantry and Shock, ARP for all armor (K-14)."""
    return IRP if setting.counters[uid].infantry else ARP


def find_qualifying(pos: Position, side: str) -> Mask:
    """10.2, 10.3: return the hexes in which a unit of ``side`` can appear (K-15, K-16).

    An empty hex on the side's map edge qualifies if it is outside EZOC and is no enemy city. An empty city of the side
    qualifies if In Communication, even in EZOC. Empty Moscow always qualifies if it is Russian (10.2-moscow).
    """
    setting = pos.setting
    empty = setting.board.all & ~pos.occupied[side] & ~pos.enemies(side)
    places = setting.edges[side] & ~pos.ezoc(side) & ~pos.cities[ENEMY[side]]
    places |= pos.cities[side] & pos.communication(side)
    if side == RUSSIAN:
        places |= pos.cities[RUSSIAN] & 1 << setting.moscow
    return places & empty


def find_placements(pos: Position, uid: str) -> list[int]:
    """10.7, 3.3-formation: return the allowed hexes nearest to another unit of the unit's formation (K-17)."""
    counters, board = pos.setting.counters, pos.setting.board
    own = counters[uid].formation
    formation = sum(1 << hex_ for other, hex_ in pos.where.items() if counters[other].formation == own)
    return list(bits(board.nearest(find_qualifying(pos, pos.side(uid)), formation)))


def in_communication(pos: Position, uid: str) -> bool:
    """Return whether a unit on the map is In Communication (10.0). In Russian Moscow it always is (10.2-moscow)."""
    side, hex_ = pos.side(uid), pos.where[uid]
    if side == RUSSIAN and hex_ == pos.setting.moscow:
        return True
    return bool(pos.communication(side) >> hex_ & 1)


def find_givers(pos: Position, side: str, kind: str) -> list[str]:
    """10.6: return the units of a type that can give up a step: units on the map and In Communication (K-21)."""
    units = (pos.unit(hex_) for hex_ in bits(pos.communication(side) & pos.occupied[side]))
    return sorted(uid for uid in units if point_type(pos.setting, uid) == kind)


def proposed_give_ups(pos: Position, side: str, net: Mapping[str, int]) -> list[str]:
    """K-22: return the units to propose for giving up steps: full units first, then by least lost strength and id."""
    proposal: list[str] = []
    for kind in (IRP, ARP):
        steps = {uid: pos.state.units[uid].steps for uid in find_givers(pos, side, kind)}
        for _ in range(max(0, -net[kind])):
            ranked = sorted(
                (uid for uid in steps if steps[uid]),
                key=lambda uid: (
                    steps[uid] == REDUCED,
                    pos.setting.strength(uid, steps[uid]) - pos.setting.strength(uid, steps[uid] - 1),
                    uid,
                ),
            )
            if ranked:
                steps[ranked[0]] -= 1
                proposal.append(ranked[0])
    return proposal


def perform_replacement(umpire: Umpire[Setting], filing: Filing) -> None:
    """10.0: carry out the Replacement Phase of the side that writes."""
    side = filing.writer
    net = count_points(umpire.setting, umpire.state, side)
    infantry, armor = (f"{net[kind]:+d} {WORD[kind]}" for kind in (IRP, ARP))
    umpire.emit(Noted("10.6", f"replacement points: {infantry}, {armor}"))
    _return_units(umpire, filing)
    _gain_steps(umpire, filing, dict(net))
    _give_ups(umpire, filing, net)


def _place(umpire: Umpire[Setting], rule: str, uid: str, label: str, steps: int, how: str) -> None:
    umpire.emit(Placed(rule, uid, label, steps, how))
    record_entry(umpire, uid, label)


def _can_place(umpire: Umpire[Setting], uid: str, label: str, path: Path) -> bool:
    pos, board = view(umpire), umpire.setting.board
    allowed = find_placements(pos, uid)
    if board.index.get(label, -1) in allowed:
        return True
    names = ", ".join(board.labels[hex_] for hex_ in allowed) or "none"
    rule, why = _not_placeable(pos, pos.side(uid), label)
    umpire.refuse(rule, f"{label} {why}; possible: {names}", uid, path)
    return False


def _not_placeable(pos: Position, side: str, label: str) -> tuple[str, str]:
    """Return the paragraph and the reason that keep a unit of ``side`` out of a hex: 10.2, 10.3, 10.7."""
    setting, rule = pos.setting, "10.2" if side == RUSSIAN else "10.3"
    hex_ = setting.board.index.get(label, -1)
    if hex_ < 0:
        return rule, "is no hex of this map"
    if find_qualifying(pos, side) >> hex_ & 1:
        return "10.7", "is not the nearest place to its formation"
    if (pos.occupied[side] | pos.enemies(side)) >> hex_ & 1:
        return rule, f"is occupied by {pos.unit(hex_)}"
    if pos.cities[side] >> hex_ & 1:
        return rule, "is a city not In Communication"
    if pos.cities[ENEMY[side]] >> hex_ & 1:
        return rule, "is a city of the enemy"
    if setting.edges[side] >> hex_ & 1:
        return rule, "is an edge hex in an enemy ZOC"
    return rule, "is neither a city of yours nor a hex on your edge of the map"


def _return_units(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.3 Off the Map: return units to the map after a retreat off the map, free of charge (K-20)."""
    side, rule = filing.writer, "9.3-dr-off-the-map"

    def waiting() -> list[str]:
        counters, units = umpire.setting.counters, umpire.state.units
        return [uid for uid, unit in sorted(units.items()) if unit.place == OFF_MAP and counters[uid].side == side]

    for number, order in enumerate(filing.order("returns")):
        uid, path = order["unit"], ("orders", "returns", number)
        if uid not in waiting():
            umpire.refuse(rule, "has not retreated off the map", uid, path)
        elif _can_place(umpire, uid, order["hex"], path):
            _place(umpire, rule, uid, order["hex"], umpire.state.units[uid].steps, "return")
    for uid in waiting():
        places = find_placements(view(umpire), uid)
        if places:
            label = umpire.setting.board.labels[places[0]]
            _place(umpire, rule, uid, label, umpire.state.units[uid].steps, "return")
        else:
            umpire.emit(Noted(rule, f"{uid} finds no place to return to and waits"))


def after_returns(setting: Setting, state: State, side: str) -> State:
    """Return the position after a side's usual returns of units from off the map, without orders (K-20)."""
    shadow: Umpire[Setting] = Umpire(setting, state, 0, None)
    _return_units(shadow, Filing(0, side))
    return shadow.state


def _gain_steps(umpire: Umpire[Setting], filing: Filing, left: dict[str, int]) -> None:
    """10.0 (1), (2): flip a reduced unit or place an eliminated unit (10.1, 10.4, K-14, K-19)."""
    gained: set[str] = set()
    for number, order in enumerate(filing.order("replacements")):
        uid, path = order["unit"], ("orders", "replacements", number)
        if why := explain_foreign(umpire.setting, filing.writer, uid):
            umpire.refuse("10.0", why, uid, path)
            continue
        kind = point_type(umpire.setting, uid)
        if uid in gained:
            umpire.refuse("10.1", "has gained a step in this phase already", uid, path)
        elif left[kind] <= 0:
            why = f"no {WORD[kind]} replacement point ({kind}) is left"
            umpire.refuse("10.5", why, uid, path)
        elif (_flip if order["gain"] == "flip" else _rebuild)(umpire, uid, order, path):
            gained.add(uid)
            left[kind] -= 1


def _flip(umpire: Umpire[Setting], uid: str, order: Mapping[str, str], path: Path) -> bool:
    """10.0 (2): return a unit on the map and In Communication to full strength."""
    pos = view(umpire)
    why = ""
    if "hex" in order:
        why = "a flip names no hex: the unit stays in place"
    elif uid not in pos.where:
        why = f"is not on the map ({umpire.state.units[uid].place}); 'gain: place' rebuilds an eliminated unit"
    elif umpire.state.units[uid].steps == FULL:
        why = "is at full strength already"
    elif not in_communication(pos, uid):
        why = "is not In Communication"
    if why:
        umpire.refuse("10.0-2", why, uid, path)
        return False
    umpire.emit(Placed("10.0-2", uid, umpire.state.units[uid].place, FULL, "flip"))
    return True


def _rebuild(umpire: Umpire[Setting], uid: str, order: Mapping[str, str], path: Path) -> bool:
    """10.0 (1): place an eliminated unit with reduced strength (10.2, 10.3, 10.7)."""
    if umpire.state.units[uid].place != ELIMINATED:
        umpire.refuse("10.0-1", f"is not eliminated ({umpire.state.units[uid].place})", uid, path)
    elif "hex" not in order:
        umpire.refuse("10.0-1", "name the hex for the unit", uid, path)
    elif _can_place(umpire, uid, order["hex"], (*path, "hex")):
        _place(umpire, "10.0-1", uid, order["hex"], REDUCED, "place")
        return True
    return False


def _give_ups(umpire: Umpire[Setting], filing: Filing, net: Mapping[str, int]) -> None:
    """10.6: for negative points, remove so many steps, or all steps, of units In Communication (K-21, K-22)."""
    due = {kind: max(0, -net[kind]) for kind in (IRP, ARP)}
    for number, uid in enumerate(filing.order("give-ups")):
        path = ("orders", "give-ups", number)
        if why := explain_foreign(umpire.setting, filing.writer, uid):
            umpire.refuse("10.6", why, uid, path)
            continue
        kind = point_type(umpire.setting, uid)
        if not due[kind]:
            umpire.refuse("10.6", f"no more {WORD[kind]} steps are due", uid, path)
        elif uid not in find_givers(view(umpire), filing.writer, kind):
            why = "is not on the map In Communication" if umpire.state.units[uid].steps else "has no step left"
            umpire.refuse("10.6", why, uid, path)
        else:
            lose(umpire, "10.6", uid, 1, "given up")
            due[kind] -= 1
    for kind in (IRP, ARP):
        if due[kind] and (able := find_givers(view(umpire), filing.writer, kind)):
            why = f"{plural(due[kind], f'more {WORD[kind]} step')} must be given up; candidates: {', '.join(able)}"
            umpire.refuse("10.6", why, "steps given up", ("orders", "give-ups"))
