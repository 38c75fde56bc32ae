"""8.0 Movement, 8.1 infantry rail movement, 8.2 restrictions, 8.3 EZOC, 11.1 mud.

One ladder of refusals (``stepper``) both checks a declared path and feeds the search (``reach``), so what is offered is
what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import entry
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud, view
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, Setting

MOVE, RAIL = "move", "rail"
RIVER = ("8.0-major-river", "across a Major River")


@dataclass(frozen=True)
class Refusal:
    """Why a step or a move is not allowed, and the paragraph that says so."""

    rule: str
    why: str


@dataclass(frozen=True)
class Way:
    """A legal move: hexes entered (indices) and movement points spent."""

    path: tuple[int, ...]
    mp: int


Step = Callable[[int, int, int], "int | Refusal"]


def stepper(pos: Position, uid: str, how: str) -> Step:
    """The function that says what one step of a unit costs: (here, adjacent there, points spent) -> points spent then.

    A Refusal where it is not allowed. Stopping rules look at the hex left: see ``may_go_on``. Everything that is the
    same for all steps of a move is looked up once; a search takes hundreds of them.
    """
    setting = pos.setting
    labels, terrain, rivers, costs = setting.board.labels, setting.terrain, setting.rivers, setting.cost
    enemies, allowance, mud = pos.enemies(pos.side(uid)), setting.counters[uid].move, is_mud(pos.state)

    def by_rail(here: int, there: int, spent: int) -> int | Refusal:
        if enemies >> there & 1:
            return Refusal("8.2.1", f"hex {labels[there]} holds an enemy unit ({pos.at[there]})")
        if not setting.rails.get(here, 0) >> there & 1:
            return Refusal("8.1", f"no railway leads from {labels[here]} to {labels[there]}")
        if spent >= allowance:  # one point a hex whatever the terrain, marsh and Major Rivers included (K-32)
            return Refusal("8.1", f"entering {labels[there]} costs {spent + 1} of {allowance} movement points")
        return spent + 1

    def by_land(here: int, there: int, spent: int) -> int | Refusal:
        if enemies >> there & 1:
            return Refusal("8.2.1", f"hex {labels[there]} holds an enemy unit ({pos.at[there]})")
        if mud:  # 11.1: one hex, whatever it costs (K-34)
            return Refusal("11.1", "in mud a unit moves one hex, except infantry by rail") if spent else allowance
        cost, river = costs[there], rivers.get((here, there))
        crossing = setting.river_cost[river] if river else 0
        if cost is None or crossing is None:  # all of its points: nothing spent before, nothing left after (K-26)
            if spent:
                rule, what = RIVER if crossing is None else ("8.0-terrain", terrain[there])
                why = f"entering {labels[there]} ({what}) takes the whole allowance and must be the first step"
                return Refusal(rule, why)
            return allowance
        if spent + cost + crossing > allowance:
            why = f"entering {labels[there]} costs {spent + cost + crossing} of {allowance} movement points"
            return Refusal("8.0-terrain", why)
        return spent + cost + crossing

    return by_rail if how == RAIL else by_land


def may_go_on(pos: Position, uid: str, there: int) -> bool:
    """7.1, 8.3: a unit that has entered an EZOC hex must stop there."""
    return not pos.ezoc(pos.side(uid)) >> there & 1


def may_halt(pos: Position, uid: str, there: int) -> bool:
    """8.2.2, Movement Example 1: no move may end on a friendly unit, not even for a moment (K-28)."""
    return pos.at.get(there, uid) == uid


def check_path(pos: Position, uid: str, path: tuple[int, ...], how: str) -> int | Refusal:
    """Points spent by a declared path of adjacent hexes, or the first thing wrong with it."""
    labels = pos.setting.board.labels
    here, spent, step = pos.where[uid], 0, stepper(pos, uid, how)
    for number, there in enumerate(path):
        if there not in pos.setting.board.neighbours[here]:
            return Refusal("8.0", f"{labels[there]} is not adjacent to {labels[here]}")
        if number and not may_go_on(pos, uid, here):
            return Refusal("8.3", f"{labels[here]} lies in an enemy zone of control: the move ends there")
        result = step(here, there, spent)
        if isinstance(result, Refusal):
            return result
        here, spent = there, result
    if not may_halt(pos, uid, here):
        return Refusal("8.2.2", f"{labels[here]} holds a friendly unit ({pos.at[here]}) when the move ends")
    return spent


def reach(pos: Position, uid: str, how: str) -> dict[int, Way]:
    """Every hex in which a unit may end a move, with the way of least cost to it.

    Among ways of equal cost the one whose sequence of labels is lowest (K-35). Hexes are looked at in order of their
    cost, and every step costs something, so each is left once, by its best way.
    """
    start, step, neighbours = pos.where[uid], stepper(pos, uid, how), pos.setting.board.neighbours
    best: dict[int, Way] = {start: Way((), 0)}
    at_cost: list[set[int]] = [set() for _ in range(pos.setting.counters[uid].move + 1)]
    at_cost[0].add(start)
    for mp, hexes in enumerate(at_cost):
        for here in sorted(hexes):
            way = best[here]
            if way.mp < mp or (way.path and not may_go_on(pos, uid, here)):
                continue
            for there in neighbours[here]:
                result = step(here, there, mp)
                if isinstance(result, Refusal):
                    continue
                known, path = best.get(there), (*way.path, there)
                if known is None or (result, path) < (known.mp, known.path):
                    best[there] = Way(path, result)
                    at_cost[result].add(there)
    return {there: way for there, way in sorted(best.items()) if way.path and may_halt(pos, uid, there)}


def rail_riders(pos: Position, side: str) -> Mask:
    """8.1: hexes in which infantry of ``side`` may start by rail: a railway on its own side of the Start Line."""
    return sum(1 << hex_ for hex_ in pos.setting.rails if (pos.occupied[side] & pos.setting.own_side[side]) >> hex_ & 1)


def armor_and_rail(umpire: Umpire[Setting], filing: Filing) -> None:
    """8.0, 8.1: the Armor and Rail Movement Phase: armor moves normally, infantry only by rail."""
    pos = view(umpire)
    starts = rail_riders(pos, filing.writer)
    riders = {pos.at[hex_] for hex_ in bits(starts) if umpire.setting.counters[pos.at[hex_]].infantry}

    def how(uid: str) -> str | Refusal:
        if umpire.setting.counters[uid].armor:
            return MOVE  # never by rail, never at its price (8.1-armor, K-33)
        if uid in riders:
            return RAIL
        return Refusal("8.1", "infantry moves now only by rail, from a railway on its own side of the Start Line")

    _move_all(umpire, filing, "armor-and-rail", how)


def movement(umpire: Umpire[Setting], filing: Filing) -> None:
    """8.0: the Movement Phase: every unit, by normal movement, with its full allowance again (K-33)."""
    _move_all(umpire, filing, "movement", lambda _uid: MOVE)


def _move_all(umpire: Umpire[Setting], filing: Filing, key: str, how: Any) -> None:
    """8.0, K-24: units move one at a time in the order written, each at most once."""
    moved: set[str] = set()
    for number, order in enumerate(filing.order(key)):
        path: Path = ("orders", key, number)
        uid = order["unit"]
        problem = _may_move(umpire, filing.writer, uid, moved)
        manner = problem or how(uid)
        if isinstance(manner, Refusal):
            umpire.refuse(manner.rule, manner.why, uid, path)
            continue
        moved.add(uid)
        _move_one(umpire, uid, order, manner, path)


def _may_move(umpire: Umpire[Setting], side: str, uid: str, moved: set[str]) -> Refusal | None:
    counter = umpire.setting.counters.get(uid)
    if counter is None:
        return Refusal("8.0", "there is no such unit")
    if counter.side != side:
        return Refusal("8.0", f"belongs to the {counter.side} side")
    if uid not in view(umpire).where:
        return Refusal("8.0", f"is not on the map ({umpire.state.units[uid].place})")
    if uid in moved:
        return Refusal("8.0", "has moved in this phase already")
    return None


def _walked(pos: Position, uid: str, path: tuple[int, ...]) -> tuple[int, ...]:
    """The hexes of a path that are walked: a German who enters Moscow goes no further, the game is over (K-69)."""
    moscow = pos.setting.moscow
    return path[: path.index(moscow) + 1] if pos.side(uid) == GERMAN and moscow in path else path


def _move_one(umpire: Umpire[Setting], uid: str, order: dict[str, Any], how: str, path: Path) -> None:
    pos, board = view(umpire), umpire.setting.board
    if "to" in order:
        way = reach(pos, uid, how).get(board.index.get(order["to"], -1))
        if way is None:
            there = pos.at.get(board.index.get(order["to"], -1))
            why = f"cannot reach {order['to']} from {board.labels[pos.where[uid]]} in this phase"
            why += f": {there} stands there" if there else ""
            umpire.refuse("8.0", why, uid, (*path, "to"))
            return
        hexes = way.path
    else:
        unknown = [label for label in order["path"] if label not in board.index]
        if unknown:
            umpire.refuse("8.0", f"{unknown[0]} is not a hex of this map", uid, (*path, "path"))
            return
        hexes = tuple(board.index[label] for label in order["path"])
    mp = 0
    for part in (hexes, _walked(pos, uid, hexes)):
        result = check_path(pos, uid, part, how)
        if isinstance(result, Refusal):
            umpire.refuse(result.rule, result.why, uid, (*path, "path"))
            return
        mp = result
    labels = tuple(board.labels[hex_] for hex_ in hexes)
    spent = "" if is_mud(umpire.state) and how == MOVE else str(mp)
    entry.move(umpire, "8.1" if how == RAIL else "8.0", uid, labels, how, spent)
