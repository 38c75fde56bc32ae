"""8.0 Tactical retreats: the open ways of every unit, one or two hexes long, and the choice of a way (J-44, J-45)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.grid import Offset
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import entry
from kursk_pbem.rulesets.juggernauts.answers import LOSE, ON, Answer
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, Setting

Way = tuple[int, ...]
Place = TypeVar("Place")


@frozen
class Attack:
    """The attacked hex, the hexes of the attackers, and the hexes of attacks not yet fought."""

    hex: int
    origins: Mask
    waiting: Mask


def list_ways(pos: Position, uid: str, attack: Attack, length: int) -> list[Way]:
    """8.0, J-30, J-44: return the paths of a retreat by exactly ``length`` hexes, if possible away from attackers."""
    if not length:
        return [()]
    found_ways: list[Way] = []
    for way in list_ways(pos, uid, attack, length - 1):
        here = way[-1] if way else attack.hex
        found_ways += [(*way, there) for there in _prefer_far(pos, attack, here, list_steps(pos, uid, attack, here))]
    return found_ways


def _list_roomy(pos: Position, uid: str, attack: Attack, length: int, here: int) -> list[Way]:
    """8.0, 12.0, J-44: return the ways to hexes within the limit, every step away from all attackers if possible."""
    if not length:
        return [()] if pos.has_room(uid, here) else []
    rests = {there: _list_roomy(pos, uid, attack, length - 1, there) for there in list_steps(pos, uid, attack, here)}
    steps = _prefer_far(pos, attack, here, [there for there, rest in rests.items() if rest])
    return [(there, *rest) for there in steps for rest in rests[there]]


def _prefer_far(pos: Position, attack: Attack, here: int, steps: list[int]) -> list[int]:
    """8.0, J-44: return the steps away from all attackers' hexes, or all steps if none leads away."""
    distance, origins = pos.setting.board.distance, [*bits(attack.origins)]
    far = [there for there in steps if all(distance(origin, there) > distance(origin, here) for origin in origins)]
    return far or steps


def list_steps(pos: Position, uid: str, attack: Attack, here: int) -> list[int]:
    """8.0: return the hexes for a step of a retreat. Past an attacker, only a line outside all zones is possible."""
    board, side = pos.setting.board, pos.side(uid)
    foe = ENEMY[side]
    safe, behind = pos.occupied[side] | pos.active[side], pos.active[side] & ~pos.ezoc(side)
    open_ = board.near[here] & ~pos.occupied[foe] & ~(pos.ezoc(side) & ~safe) & ~(attack.waiting & pos.occupied[side])
    return [
        there
        for there in bits(open_)
        if _leads_away(attack, board.distance, here, there)
        and not pos.is_barred(side, here, there)
        and (not _touches_attacker(attack, board.near[here], board.near[there]) or behind >> there & 1)
    ]


def _leads_away(attack: Attack, distance: Callable[[int, Place], int], here: Place, there: Place) -> bool:
    """8.0: return whether a step leads away from the attacked hex and not closer to any attacker."""
    if distance(attack.hex, there) <= distance(attack.hex, here):
        return False
    return all(distance(hex_, there) >= distance(hex_, here) for hex_ in bits(attack.origins))


def _touches_attacker(attack: Attack, near_here: Mask, near_there: Mask) -> bool:
    """8.0: return whether the hexside between two hexes touches an attacker's hex."""
    return bool(near_here & near_there & attack.origins)


def find_exits(pos: Position, attack: Attack) -> list[Offset]:
    """8.0, 15.9: return the places off the map, next to the attacked hex, that are no nearer to any attacker.

    A place counts even if its hexside touches an attacker's hex.
    """
    board = pos.setting.board
    grid, here = board.grid, board.places[attack.hex]
    beyond = (place for place in grid.neighbours(*here) if grid.place(grid.label(*place)) is None)

    def distance(hex_: int, place: Offset) -> int:
        return grid.distance(board.places[hex_], place)

    return [place for place in beyond if _leads_away(attack, distance, here, place)]


def can_leave_map(pos: Position, attack: Attack) -> bool:
    """8.0, 15.9, J-45: return whether a retreat may leave the map: no attacker's hex touches the hexside there."""
    board = pos.setting.board

    def near(place: Offset) -> Mask:
        around = (board.grid.label(*beside) for beside in board.grid.neighbours(*place))
        return board.mask(label for label in around if label in board.index)

    return any(not _touches_attacker(attack, board.near[attack.hex], near(place)) for place in find_exits(pos, attack))


def is_trapped(pos: Position, uids: Sequence[str], attack: Attack) -> bool:
    """6.0: return whether the units are surrounded: not one of them has a path of retreat, on or off the map."""
    return not any(list_ways(pos, uid, attack, 1) for uid in uids) and not can_leave_map(pos, attack)


def find_candidates(pos: Position, uid: str, attack: Attack, length: int, driven: int) -> list[Way]:
    """8.0, 12.0, J-44, J-45: return the paths from which a unit chooses its retreat, at most ``length`` hexes long.

    The longest paths within the stacking limit come first, then equally long paths past attackers. Only a path of at
    most ``driven`` hexes may exceed the stacking limit.
    """
    for hexes in range(length, 0, -1):
        if every := list_ways(pos, uid, attack, hexes):
            roomy = [way for way in every if pos.has_room(uid, way[-1])]
            roomy = roomy or _list_roomy(pos, uid, attack, hexes, attack.hex)
            if roomy or hexes <= driven:
                return roomy or every
    return []


def _rank_way(pos: Position, uid: str, attack: Attack, way: Way) -> tuple[int, int, Way]:
    """J-30, J-44: return the rank of a way: far from attackers, then near to the own edge, then the lowest hexes."""
    board = pos.setting.board
    near = min((board.distance(origin, way[-1]) for origin in bits(attack.origins)), default=0)
    edge = board.nearest(pos.setting.edges[pos.side(uid)], 1 << way[-1])
    return -near, board.distance(way[-1], next(bits(edge))), way[::-1]


def retreat_unit(
    umpire: Umpire[Setting], uid: str, attack: Attack, length: int, answer: Answer, *, driven: int
) -> list[tuple[str, Way]]:
    """8.0, 12.0, 12.0-choice, 15.9: retreat a unit by up to ``length`` hexes. The first ``driven`` hexes are forced.

    Return the unit's path, then the paths of units that go on from an overfull hex. A unit forced to retreat is
    eliminated if its only path leads off the map.
    """
    pos, labels, going = view(umpire), umpire.setting.board.labels, answer.for_unit(uid)
    candidates = find_candidates(pos, uid, attack, length, driven)
    if not candidates:
        if driven and can_leave_map(pos, attack):
            entry.eliminate_unit(umpire, "15.9", uid, "forced off the map")
        return []
    ranked = sorted(candidates, key=lambda path: _rank_way(pos, uid, attack, path))
    way = plans.choose_way(pos.setting.board, ranked, going.retreat)
    crowded = not pos.has_room(uid, way[-1])
    if crowded and going.crowd == LOSE:
        entry.eliminate_unit(umpire, "12.0-choice", uid, f"rather than too many units in {labels[way[-1]]}")
        return []
    entry.move_unit(umpire, "8.0", uid, tuple(labels[hex_] for hex_ in way), "retreat")
    if not crowded:
        return [(uid, way)]
    for here in view(umpire).here(way[-1], pos.side(uid)):
        entry.disrupt_unit(umpire, "12.0", here, f"too many units in {labels[way[-1]]}")
    return [(uid, way), *_move_on(umpire, attack, way, answer)]


def _move_on(umpire: Umpire[Setting], attack: Attack, way: Way, answer: Answer) -> Iterator[tuple[str, Way]]:
    """12.0-choice, J-45: move units on from an overfull hex to a second hex with room, if the owner says so."""
    labels = umpire.setting.board.labels
    for uid in view(umpire).stack(way[-1]) if len(way) == 1 else ():
        pos, going = view(umpire), answer.for_unit(uid)
        steps = [there for there in list_steps(pos, uid, attack, way[-1]) if pos.has_room(uid, there)]
        if steps and going.crowd == ON:
            onto = [(there,) for there in _prefer_far(pos, attack, way[-1], steps)]
            ranked = sorted(onto, key=lambda path: _rank_way(pos, uid, attack, path))
            (there,) = plans.choose_way(pos.setting.board, ranked, going.retreat)
            entry.move_unit(umpire, "12.0-choice", uid, (labels[there],), "retreat")
            yield uid, (there,)
