"""Ways over the map: what steps cost, how far a unit comes, whether a declared path is one, the run of a phase.

What a unit may do is a ``March``: a table of costs for its kind, and masks for what else is on the map. The search and
the check of a path read the same March, so what is offered is what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import heappop, heappush
from typing import Any, NamedTuple

from kursk_pbem.kernel.hexes.board import Board, Links, Mask, bits
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.umpire import Umpire

ALL = -1  # the whole allowance: nothing spent before, nothing left after
Costs = Callable[[int], tuple[tuple[int, int], ...]]  # hex left -> (hex entered, points it costs or ALL), ascending


def by_land(board: Board, enter: Sequence[int], cross: Callable[[int, int], int]) -> Costs:
    """What each step costs a kind of unit: ``enter`` by index of the hex entered, ``cross(here, there)`` its hexside.

    Either may be ALL, and every step costs something. What zones of control cost is crossing, in a table of a position.
    """

    @cache
    def steps(here: int) -> tuple[tuple[int, int], ...]:
        parts = [(there, enter[there], cross(here, there)) for there in board.neighbours[here]]
        return tuple([(there, ALL if ALL in (price, more) else price + more) for there, price, more in parts])

    return steps


def by_links(links: Links, cost: int) -> Costs:
    """The same along links alone, such as railways, at one price for each."""
    return cache(lambda here: tuple([(there, cost) for there in bits(links.get(here, 0))]))


@dataclass(frozen=True, slots=True)
class March:
    """How one unit may move from ``start`` now.

    ``closed``: hexes that it may not enter, for enemies or for a stack that may not be exceeded even in passing;
    ``ends``: hexes that it may not leave again once entered; ``full``: hexes in which its move may not end.
    """

    start: int
    allowance: int
    costs: Costs
    closed: Mask = 0
    ends: Mask = 0
    full: Mask = 0


@dataclass(frozen=True, slots=True)
class Way:
    """A legal move: hexes entered (indices) and movement points spent."""

    path: tuple[int, ...]
    mp: int


# What can be wrong with a move, in the order in which it is looked at.
NO_HEX = "{label} is not a hex of this map"
OUT_OF_REACH = "cannot reach {label} from {here} in this phase"
FAR = "{there} is not adjacent to {here}"
ENDED = "{here} lies in an enemy zone of control{whose}: the move ends there"
CLOSED = "hex {there} holds an enemy unit ({holder})"
NO_WAY = "no railway leads from {here} to {there}"
WHOLE = "entering {there} ({what}) takes the whole allowance and must be the first step"
DEAR = "entering {there} costs {points} of {allowance} movement points"
FULL = "{there} holds a friendly unit ({holder}) when the move ends"
# Behind OUT_OF_REACH, besides those above.
STAYS = "it stands there already"
TOO_FAR = "too far by {over} MP: the cheapest way costs {points} of {allowance}"
NOWHERE = "no way leads there from {here}"
_ANYWHERE = 400  # more points than any way over a map costs, so that the search that asks why comes everywhere


@dataclass(frozen=True, slots=True)
class Slip:
    """The first thing wrong with a move: its kind, the step, the points it would come to, the hex as it was written.

    ``why``: behind OUT_OF_REACH, what stops the unit on the way that comes nearest.
    """

    kind: str
    here: int
    there: int
    points: int = 0
    label: str = ""
    why: Slip | None = None


def words(board: Board, march: March, slip: Slip, holder: str = "", what: str = "") -> str:
    """A slip in words, without its ``why``; ``holder``: units in the way or whose zone it is, ``what``: takes all."""
    fields = {"here": board.labels[slip.here], "there": board.labels[slip.there], "holder": holder, "what": what}
    numbers = {"points": slip.points, "allowance": march.allowance, "over": slip.points - march.allowance}
    return slip.kind.format(**fields, **numbers, label=slip.label, whose=f", that of {holder}" if holder else "")


def walk(board: Board, march: March, path: Sequence[int]) -> Way | Slip:
    """A declared path as a way, or the first thing wrong with it."""
    here, spent = march.start, 0
    for number, there in enumerate(path):
        if not board.near[here] >> there & 1:
            return Slip(FAR, here, there)
        if number and march.ends >> here & 1:
            return Slip(ENDED, here, there)
        if march.closed >> there & 1:
            return Slip(CLOSED, here, there)
        cost = next((cost for step, cost in march.costs(here) if step == there), None)
        if cost is None:
            return Slip(NO_WAY, here, there)
        if cost == ALL and spent:
            return Slip(WHOLE, here, there)
        cost = march.allowance if cost == ALL else cost
        if spent + cost > march.allowance:
            return Slip(DEAR, here, there, spent + cost)
        here, spent = there, spent + cost
    return Slip(FULL, here, here) if march.full >> here & 1 else Way(tuple(path), spent)


def _search(march: March, target: int) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Points and path of the best way to each hex, of equals the lowest sequence of hexes; no further than a target."""
    far: tuple[int, tuple[int, ...]] = march.allowance + 1, ()
    best = {march.start: (0, far[1])}
    at_cost: list[list[int]] = [[march.start], *([] for _ in range(march.allowance))]
    for mp in range(march.allowance or 1):  # in order of cost, so that each hex is left once
        for here in at_cost[mp] if mp < best.get(target, far)[0] else ():
            least, path = best[here]
            if least < mp or (path and march.ends >> here & 1):
                continue
            for there, cost in march.costs(here):
                spent = mp + cost if cost != ALL else march.allowance + min(mp, 1)
                known = best.get(there, far)
                if spent <= known[0] and (spent, (*path, there)) < known and not march.closed >> there & 1:
                    if spent < known[0]:
                        at_cost[spent].append(there)
                    best[there] = spent, (*path, there)
    return best


def reach(march: March) -> dict[int, Way]:
    """Every hex in which a move may end, ascending, with the way of least cost to it."""
    found = sorted(_search(march, -1).items())
    return {there: Way(path, mp) for there, (mp, path) in found if path and not march.full >> there & 1}


def way_to(march: March, target: int) -> Way | None:
    """The way of least cost to one hex, None if no move may end there."""
    mp, path = _search(march, target).get(target, (0, ()))
    return Way(path, mp) if path and not march.full >> target & 1 else None


def hindrance(board: Board, march: March, target: int) -> Slip:
    """Why no move may end in a hex: the first thing wrong with the way that comes nearest to being one.

    That is the cheapest way past all units, if only zones of control stop it; otherwise the cheapest that no zone
    stops; where there is none, the cheapest whatever zones are in it, and at last whatever units. What costs too much
    is too far, whatever else is in the way.
    """
    if target == march.start:
        return Slip(STAYS, target, target)
    if march.closed >> target & 1:
        return Slip(CLOSED, march.start, target)

    def cheapest(ends: Mask, closed: Mask) -> tuple[int, tuple[int, ...]]:
        """The cheapest way for a unit that never tires; what takes a whole allowance costs one."""
        rested = replace(march, allowance=_ANYWHERE, costs=steps, ends=ends, closed=closed)
        return _search(rested, target).get(target, (0, ()))

    def steps(here: int) -> tuple[tuple[int, int], ...]:
        return tuple([(there, march.allowance if cost == ALL else cost) for there, cost in march.costs(here)])

    mp, path = cheapest(0, march.closed)
    if mp > march.allowance:
        around = cheapest(march.ends, march.closed)
        mp, path = around if around[1] else (mp, path)
    if not path:
        mp, path = cheapest(0, 0)
    if not path:
        return Slip(NOWHERE, march.start, target)
    slip = walk(board, march if mp <= march.allowance else replace(march, ends=0, closed=0, full=0), path)
    return Slip(TOO_FAR, march.start, target, mp) if isinstance(slip, Way) or slip.kind == DEAR else slip


def least_blocked(board: Board, start: int, goals: Mask, opened: Mask) -> tuple[int, ...]:
    """The way to the nearest of the ``goals`` with the fewest hexes behind ``start`` that are not ``opened``.

    Of equals the shortest, then the lowest; the start is its first hex. Empty if no way leads there.
    """
    heap: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (start,))]
    best: dict[int, tuple[int, int]] = {}
    seen = 0
    while heap:
        blocked, length, path = heappop(heap)
        here = path[-1]
        if goals >> here & 1:
            return path
        if not seen >> here & 1:
            seen |= 1 << here
            for there in board.neighbours[here]:
                now = blocked + (not opened >> there & 1), length + 1
                if not seen >> there & 1 and now <= best.get(there, now):  # of equals the path decides
                    best[there] = now
                    heappush(heap, (*now, (*path, there)))
    return ()


@dataclass(frozen=True, slots=True)
class Move:
    """An order: a unit goes the best way ``to`` a hex, or by a ``path`` of hexes; ``at``: its place in the file."""

    unit: str
    to: str
    path: tuple[str, ...]
    at: Path

    @classmethod
    def from_plain(cls, order: Mapping[str, Any], at: Path) -> Move:
        """The order as it stands in a message, whose form the schema has checked."""
        return cls(order["unit"], order.get("to", ""), tuple(order.get("path", ())), at)


def asked(board: Board, march: March, move: Move) -> Way | Slip:
    """The way that an order asks for, or the first thing wrong with it."""
    if move.to:
        there = board.index.get(move.to, -1)
        if there < 0:
            return Slip(NO_HEX, march.start, there, label=move.to)
        missed = Slip(OUT_OF_REACH, march.start, there, label=move.to)
        return way_to(march, there) or replace(missed, why=hindrance(board, march, there))
    path = [board.index.get(label, -1) for label in move.path]
    if -1 in path:
        return Slip(NO_HEX, march.start, -1, label=move.path[path.index(-1)])
    return walk(board, march, path)


class Refusal(NamedTuple):
    """Why a move is not allowed: the paragraph that says so, and a sentence."""

    rule: str
    why: str


Ready = Callable[[str], March | Refusal]  # how a unit may move now
Go = Callable[[Move, March], Refusal | None]  # moves it


def run(umpire: Umpire[Any], moves: Iterable[Move], rule: str, ready: Ready, go: Go) -> None:
    """One unit after the other as ordered, each at most once (``rule``), from the position that the last one left."""
    moved: set[str] = set()
    for move in moves:
        march = Refusal(rule, "has moved in this phase already") if move.unit in moved else ready(move.unit)
        if isinstance(march, Refusal):
            umpire.refuse(*march, move.unit, move.at)
            continue
        moved.add(move.unit)
        if refusal := go(move, march):
            umpire.refuse(*refusal, move.unit, (*move.at, "to" if move.to else "path"))
