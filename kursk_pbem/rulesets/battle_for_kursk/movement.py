"""8.0 Movement, 8.1 infantry rail movement, 8.2 restrictions, 8.3 EZOC, 11.1 mud.

One ladder of refusals (``step``) both checks a declared path and feeds the search (``reach``), so what is offered is
what is accepted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.board import Mask, bits
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import entry
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud, view
from kursk_pbem.rulesets.battle_for_kursk.setting import Kursk

MOVE, RAIL = "move", "rail"


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


def step(pos: Position, uid: str, here: int, there: int, spent: int, how: str) -> int | Refusal:
    """The points spent after one step from ``here`` to the adjacent ``there``, or why it is not allowed.

    ``spent`` points have been spent before it. Stopping rules look at the hex left: see ``may_go_on``.
    """
    kursk = pos.kursk
    label = kursk.board.labels[there]
    side = pos.side(uid)
    if pos.enemies(side) >> there & 1:
        return Refusal("8.2.1", f"hex {label} holds an enemy unit ({pos.at[there]})")
    if how == RAIL:
        if not kursk.rails.get(here, 0) >> there & 1:
            return Refusal("8.1", f"no railway leads from {kursk.board.labels[here]} to {label}")
        cost: int | None = 1  # whatever the terrain, marsh and Major Rivers included (K-32)
    else:
        cost = kursk.cost[kursk.terrain[there]]
        river = kursk.rivers.get((here, there))
        if river and kursk.river_cost[river] is None:
            cost = None
        if is_mud(pos.state):  # 11.1: one hex, whatever it costs (K-34)
            if spent:
                return Refusal("11.1", "in mud a unit moves one hex, except infantry by rail")
            return kursk.counters[uid].move
    allowance = kursk.counters[uid].move
    if cost is None:  # all of its points: nothing spent before, nothing left after (K-26)
        if spent:
            river = kursk.rivers.get((here, there), "")
            across = bool(river) and kursk.river_cost[river] is None
            what = "across a Major River" if across else kursk.terrain[there]
            rule = "8.0-major-river" if across else "8.0-terrain"
            return Refusal(rule, f"entering {label} ({what}) takes the whole allowance and must be the first step")
        return allowance
    if spent + cost > allowance:
        return Refusal("8.0-terrain", f"entering {label} costs {spent + cost} of {allowance} movement points")
    return spent + cost


def may_go_on(pos: Position, uid: str, there: int) -> bool:
    """8.3: a unit that has entered an EZOC hex must stop there."""
    return not pos.ezoc(pos.side(uid)) >> there & 1


def may_halt(pos: Position, uid: str, there: int) -> bool:
    """8.2.2, Movement Example 1: no move may end on a friendly unit, not even for a moment (K-28)."""
    return pos.at.get(there, uid) == uid


def check_path(pos: Position, uid: str, path: tuple[int, ...], how: str) -> int | Refusal:
    """Points spent by a declared path of adjacent hexes, or the first thing wrong with it."""
    labels = pos.kursk.board.labels
    here, spent = pos.where[uid], 0
    for number, there in enumerate(path):
        if there not in pos.kursk.board.neighbours[here]:
            return Refusal("8.0", f"{labels[there]} is not adjacent to {labels[here]}")
        if number and not may_go_on(pos, uid, here):
            return Refusal("8.3", f"{labels[here]} lies in an enemy zone of control: the move ends there")
        result = step(pos, uid, here, there, spent, how)
        if isinstance(result, Refusal):
            return result
        here, spent = there, result
    if not may_halt(pos, uid, here):
        return Refusal("8.2.2", f"{labels[here]} holds a friendly unit ({pos.at[here]}) when the move ends")
    return spent


def reach(pos: Position, uid: str, how: str) -> dict[int, Way]:
    """Every hex in which a unit may end a move, with the way of least cost to it.

    Among ways of equal cost the one whose sequence of labels is lowest (K-35).
    """
    start = pos.where[uid]
    best: dict[int, Way] = {start: Way((), 0)}
    frontier = [start]
    while frontier:
        ahead: set[int] = set()
        for here in frontier:
            way = best[here]
            if way.path and not may_go_on(pos, uid, here):
                continue
            for there in pos.kursk.board.neighbours[here]:
                result = step(pos, uid, here, there, way.mp, how)
                if isinstance(result, Refusal):
                    continue
                found = Way((*way.path, there), result)
                known = best.get(there)
                if known is None or (found.mp, found.path) < (known.mp, known.path):
                    best[there] = found
                    ahead.add(there)
        frontier = sorted(ahead)
    return {there: way for there, way in sorted(best.items()) if way.path and may_halt(pos, uid, there)}


def rail_riders(pos: Position, side: str) -> Mask:
    """8.1: hexes in which infantry of ``side`` may start by rail: a railway on its own side of the Start Line."""
    return sum(1 << hex_ for hex_ in pos.kursk.rails if (pos.occupied[side] & pos.kursk.own_side[side]) >> hex_ & 1)


def armor_and_rail(umpire: Umpire[Kursk], filing: Filing) -> None:
    """8.0, 8.1: the Armor and Rail Movement Phase: armor moves normally, infantry only by rail."""
    pos = view(umpire)
    starts = rail_riders(pos, filing.writer)
    riders = {pos.at[hex_] for hex_ in bits(starts) if umpire.setting.counters[pos.at[hex_]].infantry}

    def how(uid: str) -> str | Refusal:
        if umpire.setting.counters[uid].armor:
            return MOVE  # never by rail, never at its price (8.1, K-33)
        if uid in riders:
            return RAIL
        return Refusal("8.1", "infantry moves now only by rail, from a railway on its own side of the Start Line")

    _move_all(umpire, filing, "armor-and-rail", how)


def movement(umpire: Umpire[Kursk], filing: Filing) -> None:
    """8.0: the Movement Phase: every unit, by normal movement, with its full allowance again (K-33)."""
    _move_all(umpire, filing, "movement", lambda _uid: MOVE)


def _move_all(umpire: Umpire[Kursk], filing: Filing, key: str, how: Any) -> None:
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


def _may_move(umpire: Umpire[Kursk], side: str, uid: str, moved: set[str]) -> Refusal | None:
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


def _move_one(umpire: Umpire[Kursk], uid: str, order: dict[str, Any], how: str, path: Path) -> None:
    pos, board = view(umpire), umpire.setting.board
    if "to" in order:
        way = reach(pos, uid, how).get(board.index.get(order["to"], -1))
        if way is None:
            why = f"cannot reach {order['to']} from {board.labels[pos.where[uid]]} in this phase"
            umpire.refuse("8.0", why, uid, (*path, "to"))
            return
        hexes, mp = way.path, way.mp
    else:
        unknown = [label for label in order["path"] if label not in board.index]
        if unknown:
            umpire.refuse("8.0", f"{unknown[0]} is not a hex of this map", uid, (*path, "path"))
            return
        hexes = tuple(board.index[label] for label in order["path"])
        result = check_path(pos, uid, hexes, how)
        if isinstance(result, Refusal):
            umpire.refuse(result.rule, result.why, uid, (*path, "path"))
            return
        mp = result
    labels = tuple(board.labels[hex_] for hex_ in hexes)
    spent = "" if is_mud(umpire.state) and how == MOVE else str(mp)
    entry.move(umpire, "8.1" if how == RAIL else "8.0", uid, labels, how, spent)
