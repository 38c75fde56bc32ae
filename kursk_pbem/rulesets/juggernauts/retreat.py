"""8.0 Tactical retreats: which ways are open to a unit, and which one it takes.

Each unit of a hex goes its own way, one after the other (J-44, J-45). A way has one or two hexes. The defender's wishes
choose among the ways that stay within the stacking limit, if there are any, otherwise among the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.grid import Offset
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import entry
from kursk_pbem.rulesets.juggernauts.answers import LOSE, ON, Answer
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, Setting

Way = tuple[int, ...]


@dataclass(frozen=True)
class Attack:
    """What units retreat from: their hex, the hexes they were attacked from, hexes that still wait to be attacked."""

    hex: int
    origins: Mask
    waiting: Mask


def ways(pos: Position, uid: str, attack: Attack, length: int) -> list[Way]:
    """8.0, J-30, J-44: every way of exactly so many hexes, each step away from all attackers' hexes if one is."""
    if not length:
        return [()]
    found_ways: list[Way] = []
    for way in ways(pos, uid, attack, length - 1):
        here = way[-1] if way else attack.hex
        found_ways += [(*way, there) for there in _preferred(pos, attack, here, onward(pos, uid, attack, here))]
    return found_ways


def _with_room(pos: Position, uid: str, attack: Attack, length: int, here: int) -> list[Way]:
    """8.0, 12.0, J-44: ways to hexes within the limit, each step away from all attackers' hexes if one leads there."""
    if not length:
        return [()] if pos.keeps(uid, here) else []
    rests = {there: _with_room(pos, uid, attack, length - 1, there) for there in onward(pos, uid, attack, here)}
    steps = _preferred(pos, attack, here, [there for there, rest in rests.items() if rest])
    return [(there, *rest) for there in steps for rest in rests[there]]


def _preferred(pos: Position, attack: Attack, here: int, steps: list[int]) -> list[int]:
    """8.0, J-44: the steps that lead away from the hexes of all attackers, if some do; otherwise all."""
    distance, origins = pos.setting.board.distance, [*bits(attack.origins)]
    far = [there for there in steps if all(distance(origin, there) > distance(origin, here) for origin in origins)]
    return far or steps


def onward(pos: Position, uid: str, attack: Attack, here: int) -> list[int]:
    """8.0: the hexes that one step may lead into; past an attacker's hex only behind a line that no zone reaches."""
    board, side = pos.setting.board, pos.side(uid)
    foe = ENEMY[side]
    safe, behind = pos.occupied[side] | pos.active[side], pos.active[side] & ~pos.ezoc(side)
    open_ = board.near[here] & ~pos.occupied[foe] & ~(pos.ezoc(side) & ~safe) & ~(attack.waiting & pos.occupied[side])
    places = board.places
    return [
        there
        for there in bits(open_)
        if _leads_away(pos, attack, places[here], places[there])
        and not pos.barred(side, here, there)
        and (not _brushes(attack, board.near[here], board.near[there]) or behind >> there & 1)
    ]


def _leads_away(pos: Position, attack: Attack, here: Offset, there: Offset) -> bool:
    """8.0: away from the hex attacked, and no closer to those who attacked it."""
    grid, places = pos.setting.board.grid, pos.setting.board.places
    if grid.distance(places[attack.hex], there) <= grid.distance(places[attack.hex], here):
        return False
    return all(grid.distance(places[hex_], there) >= grid.distance(places[hex_], here) for hex_ in bits(attack.origins))


def _brushes(attack: Attack, near_here: Mask, near_there: Mask) -> bool:
    """8.0: whether the hexside between two hexes, by what lies near both, touches an attacker's hex."""
    return bool(near_here & near_there & attack.origins)


def outside(pos: Position, attack: Attack) -> list[Offset]:
    """8.0, 15.9: where a step away from the attackers leads off the map, whatever hexside it crosses."""
    board = pos.setting.board
    grid, here = board.grid, board.places[attack.hex]
    beyond = (place for place in grid.neighbours(*here) if grid.place(grid.label(*place)) is None)
    return [place for place in beyond if _leads_away(pos, attack, here, place)]


def leaves_map(pos: Position, attack: Attack) -> bool:
    """8.0, 15.9, J-45: whether a retreat may leave the map: across a hexside that touches no attacker's hex."""
    board = pos.setting.board

    def near(place: Offset) -> Mask:
        around = (board.grid.label(*beside) for beside in board.grid.neighbours(*place))
        return board.mask(label for label in around if label in board.index)

    return any(not _brushes(attack, board.near[attack.hex], near(place)) for place in outside(pos, attack))


def trapped(pos: Position, uids: Sequence[str], attack: Attack) -> bool:
    """6.0: whether units of a hex are all surrounded: none has a way on the map, and none leads off it."""
    return not any(ways(pos, uid, attack, 1) for uid in uids) and not leaves_map(pos, attack)


@dataclass(frozen=True)
class Open:
    """The ways among which a unit chooses; what adjudication 1 would have chosen otherwise."""

    ways: list[Way]
    past: bool = False  # for room in a stack they pass attackers' hexes
    spared: bool = False  # nobody had to go into a full hex, and adjudication 1 let them


def candidates(pos: Position, uid: str, attack: Attack, length: int, driven: int) -> Open:
    """8.0, 12.0, J-44, J-45: the ways among which a unit chooses, none of more hexes than ``length``.

    Of the ways of the greatest length those within the limit, then those that pass attackers' hexes and keep within it.
    The limit is exceeded only where it must be: on the hexes that the unit is ``driven``.
    """
    spared = False
    for hexes in range(length, 0, -1):
        if every := ways(pos, uid, attack, hexes):
            roomy = [way for way in every if pos.keeps(uid, way[-1])]
            past = [] if roomy else _with_room(pos, uid, attack, hexes, attack.hex)
            if roomy or past or hexes <= driven:
                return Open(roomy or past or every, bool(past), spared)
            spared = True
    return Open([], spared=spared)


def _rank(pos: Position, uid: str, attack: Attack, way: Way) -> tuple[int, int, Way]:
    """J-30, J-44: far from the nearest attacker, then near to the own edge, then the lowest hexes."""
    board = pos.setting.board
    near = min((board.distance(origin, way[-1]) for origin in bits(attack.origins)), default=0)
    edge = board.nearest(pos.setting.edges[pos.side(uid)], 1 << way[-1])
    return -near, board.distance(way[-1], next(bits(edge))), way[::-1]


def retreat(umpire: Umpire[Setting], uid: str, attack: Attack, length: int, answer: Answer, *, driven: int) -> Way:
    """8.0, 12.0, 12.0-choice, 15.9: a unit retreats, ``driven`` so many hexes and on to ``length`` as its owner says.

    With nowhere to go but off the map it is lost if it is driven. The hexes it took.
    """
    pos, labels, going = view(umpire), umpire.setting.board.labels, answer.of(uid)
    open_ = candidates(pos, uid, attack, length, driven)
    if open_.past or open_.spared:
        umpire.repaired(2, "8.0")
    if not open_.ways:
        if driven and leaves_map(pos, attack):
            entry.eliminate(umpire, "15.9", uid, "forced off the map")
        elif driven and outside(pos, attack):
            umpire.repaired(2, "8.0")
        return ()
    ranked = sorted(open_.ways, key=lambda path: _rank(pos, uid, attack, path))
    way = plans.choose_way(pos.setting.board, ranked, going.retreat)
    crowded = not pos.keeps(uid, way[-1])
    if crowded and going.crowd == LOSE:
        entry.eliminate(umpire, "12.0-choice", uid, f"rather than too many units in {labels[way[-1]]}")
        return ()
    entry.move(umpire, "8.0", uid, tuple(labels[hex_] for hex_ in way), "retreat")
    if crowded:
        for here in view(umpire).here(way[-1], pos.side(uid)):
            entry.disrupt(umpire, "12.0", here, f"too many units in {labels[way[-1]]}")
        _go_on(umpire, attack, way, answer)
    return way


def _go_on(umpire: Umpire[Setting], attack: Attack, way: Way, answer: Answer) -> None:
    """12.0-choice, J-45: units of a hex that is too full go on to a second hex with room, those whose owner says so."""
    labels = umpire.setting.board.labels
    for uid in view(umpire).stack(way[-1]) if len(way) == 1 else ():
        pos, going = view(umpire), answer.of(uid)
        steps = [there for there in onward(pos, uid, attack, way[-1]) if pos.keeps(uid, there)]
        if steps and going.crowd == ON:
            onto = [(there,) for there in _preferred(pos, attack, way[-1], steps)]
            ranked = sorted(onto, key=lambda path: _rank(pos, uid, attack, path))
            (there,) = plans.choose_way(pos.setting.board, ranked, going.retreat)
            entry.move(umpire, "12.0-choice", uid, (labels[there],), "retreat")
