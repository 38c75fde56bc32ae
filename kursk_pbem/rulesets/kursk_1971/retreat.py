"""8.0 Retreats: one hex, in the direction of supply, picked by whoever the result says (S-13, S-14, S-33, S-40)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.fights import named_first
from kursk_pbem.kernel.hexes.plans import choose_way
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971.movement import enter
from kursk_pbem.rulesets.kursk_1971.orders import split
from kursk_pbem.rulesets.kursk_1971.position import Position, view
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

NO_SUPPLY = 1_000  # longer than any line of supply


def open_to(pos: Position, uid: str, skies: Mask = 0) -> Mask:
    """8.0-ar, 9.0-d2, S-14, S-33: adjacent hexes without an enemy, outside enemy zones of control, with room.

    A friend in a hex does not negate a zone there (S-8). Interdiction is a zone in its hex, but not in ``skies``.
    """
    side, setting = pos.side(uid), pos.setting
    around = setting.board.near[pos.where[uid]] & ~pos.enemies(side) & ~(pos.controlled(side) & ~skies)
    room = [hex_ for hex_ in bits(around) if pos.fits((*pos.stack(hex_), uid))]
    return sum(1 << hex_ for hex_ in room)


def supply_distance(pos: Position, uid: str, there: int) -> int:
    """S-33: how long the shortest line of supply is if the unit stands in a hex; NO_SUPPLY where there is none."""
    side, here, setting = pos.side(uid), pos.where[uid], pos.setting
    own = pos.occupied[side] | 1 << there
    if len(pos.stack(here)) == 1:
        own &= ~(1 << here)
    lines = setting.lines_of_supply(side, pos.opened(side, own))
    return next((depth for depth, ring in enumerate(lines) if ring >> there & 1), NO_SUPPLY)


def candidates(pos: Position, uid: str, skies: Mask = 0) -> tuple[int, ...]:
    """S-33: the hexes to which a unit may retreat, ascending: of those open to it the nearest to supply.

    If none of them has a line of supply, those at the least distance from the unit's own edge.
    """
    spots = list(bits(open_to(pos, uid, skies)))
    far = {hex_: supply_distance(pos, uid, hex_) for hex_ in spots}
    if spots and min(far.values()) == NO_SUPPLY:
        board, edge = pos.setting.board, pos.setting.edges[pos.side(uid)]
        far = {hex_: min(board.distance(hex_, rim) for rim in bits(edge)) for hex_ in spots}
    return tuple(hex_ for hex_ in spots if far[hex_] == min(far.values()))


def in_order(uids: Iterable[str], wishes: Sequence[str], units: Iterable[str]) -> list[str]:
    """S-40: first the units that the wishes name, in that order; then the others, by id."""
    known = {*units}
    return named_first([*uids], [split(wish, known)[0] for wish in wishes])


def chosen(pos: Position, uid: str, wishes: Sequence[str], skies: Mask = 0) -> int | None:
    """S-13, S-33: the hex to which a unit retreats: the lowest, unless a wish picks another; None if there is none."""
    spots = candidates(pos, uid, skies)
    if not spots:
        return None
    parts = [split(wish, pos.setting.counters) for wish in wishes]
    own = [way for named, way in parts if named == uid] + [way for named, way in parts if not named]
    return choose_way(pos.setting.board, [(hex_,) for hex_ in spots], own)[-1]


def retreat(umpire: Umpire[Setting], rule: str, uid: str, wishes: Sequence[str]) -> bool:
    """8.0-ar: a unit retreats one hex; false if there is no hex for it, and the caller eliminates it."""
    pos = view(umpire)
    there, foe = chosen(pos, uid, wishes), ENEMY[pos.side(uid)]
    skies = pos.interdicted[foe] & ~pos.zoc(foe)
    if skies and chosen(pos, uid, wishes, skies) != there:
        umpire.repaired(3, "9.0-d2")  # by adjudication 2 interdiction barred no retreat
    if there is None:
        return False
    enter(umpire, rule, uid, (umpire.setting.board.labels[there],), "retreat")
    return True
