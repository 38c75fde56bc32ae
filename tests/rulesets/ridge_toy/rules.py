"""The rules of Ridge Toy: movement 2.0, combat 3.0, towns 4.0, and the turn."""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.events import Marked, Moved, Noted, Removed, Shift, StepsLost
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.usual.answers import Retreats
from kursk_pbem.kernel.hexes.usual.attacks import Attacks, Order
from kursk_pbem.kernel.hexes.usual.movement import Movement
from kursk_pbem.kernel.hexes.usual.position import Position, view_now
from kursk_pbem.kernel.hexes.usual.turns import Turns
from kursk_pbem.kernel.hexes.ways import March
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, State
from kursk_pbem.kernel.umpire import Umpire, other
from rulesets.ridge_toy.setting import SIDES, Setting

HELD = "held"  # marks: town -> the last side in the town
MEANING = {
    "A": "the attackers lose a step each",
    "N": "nothing happens",
    "R": "the defender retreats a hex",
    "D": "the defender loses a step and retreats a hex",
}


def march(pos: Position, uid: str) -> March:
    """2.0, 2.1, 2.2: return a unit's possible march: never into an enemy, with a stop next to enemies."""
    side = pos.side(uid)
    enemy = pos.enemies(side)
    setting: Setting = pos.setting
    full, near = pos.full(side, uid), setting.board.spread(enemy)
    return March(pos.where[uid], setting.counters[uid].move, setting.by_land, closed=enemy, ends=near, full=full)


def entered(umpire: Umpire[Any], uid: str, path: tuple[str, ...]) -> None:
    """4.0: give a town to the side that entered last."""
    side = umpire.setting.counters[uid].side
    for label in path:
        if umpire.setting.board.index[label] in umpire.setting.towns and umpire.state.mark(HELD, label) != side:
            umpire.emit(Marked("4.0", HELD, label, side))


def strength(pos: Position, uid: str, _hex: int) -> int:
    """3.1: return twice the printed strength at full steps, once if reduced."""
    printed: int = pos.setting.counters[uid].strength
    return printed * pos.state.units[uid].steps


def shifts(pos: Position, hex_: int) -> tuple[Shift, ...]:
    """3.2: return the defender's shifts for ground."""
    ground = pos.setting.terrain[hex_]
    by = pos.setting.shift.get(ground, 0)
    return (Shift("3.2", -by, f"defence in {ground}"),) if by else ()


def carry_out(umpire: Umpire[Any], order: Order, result: str) -> None:
    """3.3: apply the result of the table."""
    if result == "A":
        for uid in order["units"]:
            lose(umpire, uid)
    if result in ("D", "R"):
        pos = view_now(umpire)
        defender = pos.stack(pos.setting.board.index[order["hex"]])[0]
        if result == "D":
            lose(umpire, defender)
        if umpire.state.units[defender].steps:
            retreat(umpire, order, defender)
        go(umpire, "3.5", order["units"][0], order["hex"], "advance")


def lose(umpire: Umpire[Any], uid: str) -> None:
    """3.3: remove a step; the last step eliminates the unit."""
    left = umpire.state.units[uid].steps - 1
    umpire.emit(StepsLost("3.3", uid, 1, left, "combat") if left else Removed("3.3", uid, ELIMINATED, "combat"))


def retreat(umpire: Umpire[Any], order: Order, uid: str) -> None:
    """3.4: retreat to a free hex without adjacent enemies, by its side's wish, or eliminate the unit."""
    pos = view_now(umpire)
    side, here, board = pos.side(uid), pos.where[uid], pos.setting.board
    free = [*bits(board.near[here] & ~pos.occupied[side] & ~pos.enemies(side) & ~pos.zone(other(SIDES, side)))]
    if free:
        go(umpire, "3.4", uid, board.labels[RETREATS.choose(pos, side, order, free)], "retreat")
    else:
        umpire.emit(Removed("3.4", uid, ELIMINATED, "it cannot retreat"))


def go(umpire: Umpire[Any], rule: str, uid: str, label: str, how: str) -> None:
    """Move a unit one hex at no cost."""
    umpire.emit(Moved(rule, uid, umpire.state.units[uid].place, (label,), how))
    entered(umpire, uid, (label,))


def score(setting: Setting, state: State, side: str) -> int:
    """4.1: count the towns of a side."""
    return sum(state.mark(HELD, setting.board.labels[hex_]) == side for hex_ in setting.towns)


def reckon(umpire: Umpire[Any], _filing: Filing) -> None:
    """4.1: after the last turn, the side with more towns wins."""
    points = {side: score(umpire.setting, umpire.state, side) for side in SIDES}
    umpire.emit(Noted("4.1", ", ".join(f"{side} {number}" for side, number in points.items())))
    even = points[SIDES[0]] == points[SIDES[1]]
    umpire.finish("4.1", "" if even else max(SIDES, key=points.__getitem__), "even" if even else "towns")


MOVEMENT = Movement("movement", "2.0", march, {ways.ENDED: "2.1", ways.FULL: "2.2"}, entered)
ATTACKS = Attacks("3.0", strength, shifts, MEANING, carry_out)
RETREATS = Retreats("3.4")
TURNS = Turns(
    "1.2",
    SIDES,
    (MOVEMENT.phase, ATTACKS.declared),
    RETREATS.answered,
    ATTACKS.fought,
    RETREATS.standing,
    reckon,
    marks=(HELD,),
)
