"""8.0 Retreats: one hex toward supply, chosen by the player named in the result (S-13, S-14, S-33, S-40)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.fights import named_first
from kursk_pbem.kernel.hexes.plans import choose_way
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971.movement import enter_hexes
from kursk_pbem.rulesets.kursk_1971.orders import split_wish
from kursk_pbem.rulesets.kursk_1971.position import Position, view
from kursk_pbem.rulesets.kursk_1971.setting import Setting

NO_SUPPLY = 1_000  # exceeds every line of supply


def find_open_hexes(pos: Position, uid: str) -> Mask:
    """8.0-ar, 9.0-d2, S-14, S-33: return the adjacent hexes with room, without enemies and outside enemy zones.

    A friend in a hex does not cancel an enemy zone (S-8). An interdicted hex counts as an enemy zone.
    """
    side, setting = pos.side(uid), pos.setting
    around = setting.board.near[pos.where[uid]] & ~pos.enemies(side) & ~pos.find_controlled(side)
    room = [hex_ for hex_ in bits(around) if pos.can_stack((*pos.stack(hex_), uid))]
    return sum(1 << hex_ for hex_ in room)


def supply_distance(pos: Position, uid: str, there: int) -> int:
    """S-33: return the length of a unit's shortest line of supply from another hex, or NO_SUPPLY."""
    side, here, setting = pos.side(uid), pos.where[uid], pos.setting
    own = pos.occupied[side] | 1 << there
    if len(pos.stack(here)) == 1:
        own &= ~(1 << here)
    lines = setting.lines_of_supply(side, pos.find_open(side, own))
    return next((depth for depth, ring in enumerate(lines) if ring >> there & 1), NO_SUPPLY)


def find_candidates(pos: Position, uid: str) -> tuple[int, ...]:
    """S-33: return the open hexes for a unit's retreat with the shortest line of supply, ascending.

    If all hexes lack a line of supply, return the hexes nearest to the unit's own map edge.
    """
    spots = list(bits(find_open_hexes(pos, uid)))
    far = {hex_: supply_distance(pos, uid, hex_) for hex_ in spots}
    if spots and min(far.values()) == NO_SUPPLY:
        board, edge = pos.setting.board, pos.setting.edges[pos.side(uid)]
        far = {hex_: min(board.distance(hex_, rim) for rim in bits(edge)) for hex_ in spots}
    return tuple(hex_ for hex_ in spots if far[hex_] == min(far.values()))


def order_units(uids: Iterable[str], wishes: Sequence[str], units: Iterable[str]) -> list[str]:
    """S-40: return units in order: first the units in ``wishes``, as listed there, then the other units by id."""
    known = {*units} if wishes else ()
    return named_first([*uids], [split_wish(wish, known)[0] for wish in wishes])


def choose_hex(pos: Position, uid: str, wishes: Sequence[str]) -> int | None:
    """S-13, S-33: return the hex of a unit's retreat: by a wish, otherwise the lowest label, or None."""
    spots = find_candidates(pos, uid)
    if not spots:
        return None
    parts = [split_wish(wish, pos.setting.counters) for wish in wishes]
    own = [way for named, way in parts if named == uid] + [way for named, way in parts if not named]
    return choose_way(pos.setting.board, [(hex_,) for hex_ in spots], own)[-1]


def retreat_unit(umpire: Umpire[Setting], rule: str, uid: str, wishes: Sequence[str]) -> bool:
    """8.0-ar: retreat a unit by one hex. If no hex is open, return False, and the caller eliminates the unit."""
    there = choose_hex(view(umpire), uid, wishes)
    if there is None:
        return False
    enter_hexes(umpire, rule, uid, (umpire.setting.board.labels[there],), "retreat")
    return True
