"""Movement over the map: costs of steps, reach of a unit, checks of declared paths, the run of a phase.

A ``March`` describes a unit's possible movement: a table of costs for its kind, and masks for obstacles. Search and
path check read the same March, so offers and accepted moves agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any, NamedTuple

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes.board import Board, Links, Mask, bits
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire

ALL = -1  # the whole allowance, as the only step of a move
Steps = tuple[tuple[int, int], ...]  # (entered hex, cost in points or ALL), ascending
Costs = Callable[[int], Steps]  # by the hex left


class Table:
    """The cost of every step, for costs that never change. ``steps``: hex -> steps out of the hex."""

    def __init__(self, hexes: Collection[int], steps: Costs) -> None:
        self.hexes, self.steps = hexes, cache(steps)
        self._rested: dict[int, Table] = {}

    def __call__(self, here: int) -> Steps:
        """Return the steps out of a hex."""
        return self.steps(here)

    @cached_property
    def groups(self) -> tuple[tuple[int, int, Mask], ...]:
        """The steps grouped by cost, for a fast search: (cost, difference of indices, hexes where the steps begin)."""
        steps: dict[tuple[int, int], Mask] = {}
        for here in self.hexes:
            for there, price in self.steps(here):
                steps[price, there - here] = steps.get((price, there - here), 0) | 1 << here
        return tuple((price, by, hexes) for (price, by), hexes in sorted(steps.items()))

    def rested(self, points: int) -> Table:
        """Return the table for a unit that may rest: a step that takes the whole allowance costs ``points``."""
        if not self.groups or self.groups[0][0] != ALL:
            return self
        if points not in self._rested:
            self._rested[points] = Table(self.hexes, lambda here: _price_steps(self.steps(here), points))
        return self._rested[points]


def _price_steps(steps: Steps, points: int) -> Steps:
    return tuple([(there, points if cost == ALL else cost) for there, cost in steps])


def by_land(board: Board, enter: Sequence[int], cross: Callable[[int, int], int]) -> Table:
    """Return the cost of every step over land: the cost to ``enter`` a hex (by index) plus the cost of the hexside.

    ``cross(here, there)``: the cost of the hexside. Both costs may be ALL, the whole allowance. No step is free. If
    zones of control cost points, ``cross`` includes these points, and the table is for one position.
    """

    def steps(here: int) -> Steps:
        parts = [(there, enter[there], cross(here, there)) for there in board.neighbours[here]]
        return tuple([(there, ALL if ALL in (price, more) else price + more) for there, price, more in parts])

    return Table(board.index.values(), steps)


def by_links(links: Links, cost: int) -> Table:
    """Return the cost of steps along links only, such as railways. Every step costs ``cost``."""
    return Table(links.keys(), lambda here: tuple([(there, cost) for there in bits(links.get(here, 0))]))


@frozen(slots=True)
class March:
    """How a unit can move now."""

    start: int  # the hex of the unit
    allowance: int
    costs: Costs
    closed: Mask = 0  # hexes that the unit must not enter (enemies, or stacking during movement)
    ends: Mask = 0  # hexes that the unit must not leave after entering
    full: Mask = 0  # hexes in which the move must not end
    brief: bool = False  # do not search for the reason if a move fails


class Way(NamedTuple):
    """A legal move: entered hexes (indices) and spent movement points."""

    path: tuple[int, ...]
    mp: int


Points = dict[int, int]  # by hex
Paths = dict[int, tuple[int, ...]]
_make_way: Callable[[tuple[tuple[int, ...], int]], Way] = partial(tuple.__new__, Way)  # thrice as fast as Way(path, mp)

# Errors of a move, in the order of the checks.
NO_HEX = "{label} is not a hex of this map"
OUT_OF_REACH = "cannot reach {label} from {here} in this phase"
FAR = "{there} is not adjacent to {here}"
ENDED = "{here} lies in an enemy zone of control{whose}: the move ends there"
CLOSED = "hex {there} holds an enemy unit ({holder})"
NO_WAY = "no railway leads from {here} to {there}"
WHOLE = "entering {there} ({what}) takes the whole allowance and must be the first step"
DEAR = "the way to {there} costs {points} of {allowance} movement points"
FULL = "{there} holds a friendly unit ({holder}) when the move ends"
# More reasons after OUT_OF_REACH.
STAYS = "it is there already, perhaps by an earlier order"
TOO_FAR = "too far by {over} MP: the cheapest way costs {points} of {allowance}"
NOWHERE = "no way leads there from {here}"
_ANYWHERE = 400  # more points than the longest way, so a search for reasons reaches every hex
_SHORT, _KNOWN = 6, 400  # limits of points and known hexes below which a search hex by hex is faster
EXPLAINED = 24
"""Maximum number of wrong moves in a message with a search for the reason; a message may contain hundreds."""


@frozen(slots=True)
class Slip:
    """The first error of a move: its kind, the step from ``here`` to ``there``, the points so far, the hex as typed.

    ``why``: if the kind is OUT_OF_REACH, the obstacle on the most promising way.
    """

    kind: str
    here: int
    there: int
    points: int = 0
    label: str = ""
    why: Slip | None = None


def describe_slip(board: Board, march: March, slip: Slip, holder: str = "", what: str = "") -> str:
    """Return the error of a move in words. ``holder``: finds the units that block a hex. ``what``: the terrain."""
    fields = {"here": board.labels[slip.here], "there": board.labels[slip.there], "holder": holder, "what": what}
    numbers = {"points": slip.points, "allowance": march.allowance, "over": slip.points - march.allowance}
    return slip.kind.format(**fields, **numbers, label=slip.label, whose=f", that of {holder}" if holder else "")


def check_path(board: Board, march: March, path: Sequence[int]) -> Way | Slip:
    """Return the way along a path that a player typed, or the first error of the path."""
    here, spent = march.start, 0
    for number, there in enumerate(path):
        if not board.near[here] >> there & 1:
            return Slip(FAR, here, there)
        if number and march.ends >> here & 1:
            return Slip(ENDED, here, there)
        if march.closed >> there & 1:
            return Slip(CLOSED, here, there)
        cost = dict(march.costs(here)).get(there)
        if cost is None:
            return Slip(NO_WAY, here, there)
        if cost == ALL and spent:
            return Slip(WHOLE, here, there)
        cost = march.allowance if cost == ALL else cost
        if spent + cost > march.allowance:
            return Slip(DEAR, here, there, spent + cost)
        here, spent = there, spent + cost
    return Slip(FULL, here, here) if march.full >> here & 1 else Way(tuple(path), spent)


def search_ways(march: March, target: int = -1, around: Sequence[Mask] = ()) -> tuple[Points, Paths]:
    """Return points and path of the cheapest way to every hex. Of equally cheap ways the lowest indices win.

    The search stops at ``target``. ``around``: the hexes within 0, 1, ... hexes of the target. With ``around``, the
    search skips hexes from which the points cannot suffice. Without a target, closed hexes have points, too.
    """
    allowance, ends, costs = march.allowance, march.ends, march.costs
    steps, most = costs.steps if isinstance(costs, Table) else costs, allowance + 1
    points: Points = {**({} if target >= 0 else _shut_hexes(march.closed)), march.start: 0}
    paths: Paths = {march.start: ()}
    near = around[allowance::-1] if allowance < len(around) else [-1] * most
    room = [mask & ~march.closed for mask in near] if target >= 0 else ()  # by points
    at_cost: list[list[int]] = [[march.start], *([] for _ in range(allowance))]
    find = points.get
    for mp in range(allowance or 1):  # in order of cost, so the search leaves each hex once
        if target in paths and points[target] <= mp:
            break
        for here in at_cost[mp]:
            path = paths[here]
            if points[here] < mp or (path and ends >> here & 1):
                continue
            for there, cost in steps(here):
                spent = mp + cost if cost != ALL else allowance + (mp > 0)
                known = find(there, most)
                if spent < known:
                    if room and not room[spent] >> there & 1:
                        continue
                    at_cost[spent].append(there)
                    points[there] = spent
                    paths[there] = (*path, there)
                elif spent == known != most and path < paths[there] and (*path, there) < paths[there]:
                    paths[there] = (*path, there)
    return points, paths


@lru_cache(maxsize=64)
def _shut_hexes(closed: Mask) -> Points:
    """Return closed hexes as if reached for less than nothing, so that no search enters them."""
    return dict.fromkeys(bits(closed), -1)


def find_reach(march: March) -> dict[int, Way]:
    """Return hex -> cheapest way, for every hex in which the move may end, ascending."""
    points, paths = search_ways(march)
    ends = (there for there in sorted(paths) if not march.full >> there & 1)
    return {there: _make_way((paths[there], points[there])) for there in ends if there != march.start}


def can_move(march: March) -> bool:
    """Return whether a unit can move at all. The function is fast if a move to an adjacent hex is possible."""
    beside = (there for there, cost in march.costs(march.start) if cost <= march.allowance)
    return any(not (march.closed | march.full) >> there & 1 for there in beside) or bool(find_reach(march))


def _find_rings(march: March, groups: Sequence[tuple[int, int, Mask]], target: int) -> dict[int, Mask]:
    """Return points -> hexes first reached for this cost, ascending, up to a target; many hexes at a time."""
    rings: dict[int, Mask] = {}
    waiting, seen = {0: 1 << march.start}, march.closed & ~(1 << march.start)
    for mp in range(march.allowance + 1):
        if ring := waiting.pop(mp, 0) & ~seen:
            rings[mp] = ring
            seen |= ring
        if ring >> target & 1 or not (waiting or ring):
            break
        leaves = ring & ~march.ends if mp else ring
        for price, by, hexes in groups if leaves else ():
            if left := leaves & hexes:
                spent = mp + price if price != ALL else march.allowance + min(mp, 1)
                waiting[spent] = waiting.get(spent, 0) | (left << by if by > 0 else left >> -by)
    return rings


def _find_cheapest(march: March, target: int, around: Sequence[Mask] = ()) -> tuple[int, tuple[int, ...]]:
    """Return points and path of the best way to one hex, the lowest of equal ones; an empty path without a way."""
    if (
        not isinstance(march.costs, Table)
        or march.allowance <= _SHORT
        or march.costs.steps.cache_info().currsize < _KNOWN  # the search by mask first looks at every hex
    ):
        points, paths = search_ways(march, target, around)
        return points.get(target, 0), paths.get(target, ())
    groups = march.costs.groups
    rings = _find_rings(march, groups, target)
    mp = max(rings)
    if not rings[mp] >> target & 1 or target == march.start:
        return 0, ()
    on = {mp: 1 << target}  # points -> hexes on a best way, from the target back
    for spent in sorted(rings, reverse=True):
        for price, by, hexes in groups if spent in on else ():
            back = spent - price if price != ALL else 0 if spent == march.allowance else -1
            if back in rings and back < spent:
                before = on[spent] >> by if by > 0 else on[spent] << -by
                on[back] = on.get(back, 0) | before & hexes & rings[back] & ~(march.ends if back else 0)
    here, spent, path = march.start, 0, list[int]()
    while here != target:
        after = ((there, spent + cost if cost != ALL else march.allowance) for there, cost in march.costs(here))
        here, spent = next((there, points) for there, points in after if on.get(points, 0) >> there & 1)
        path.append(here)
    return mp, tuple(path)


def way_to(march: March, target: int, around: Sequence[Mask] = ()) -> Way | None:
    """Return the cheapest way to a hex, or None if no move may end there. ``around``: as in `search_ways`."""
    if (march.closed | march.full) >> target & 1:
        return None
    mp, path = _find_cheapest(march, target, around)
    return Way(path, mp) if path else None


def hindrance(board: Board, march: March, target: int) -> Slip:
    """Return why no move may end in a hex: the first error on the most promising way.

    Ways are tried in this order: a legal way to a hex that is full; a way around units and, if possible, around zones
    of control; a way through zones; a way through units. If the way costs too many points, the error is the distance.
    """
    if target == march.start:
        return Slip(STAYS, target, target)
    if march.closed >> target & 1:
        return Slip(CLOSED, march.start, target)

    def cheapest_way(ends: Mask, closed: Mask) -> tuple[int, tuple[int, ...]]:
        """Return the cheapest way of a tireless unit, at one allowance for an expensive step."""
        rested = replace(march, allowance=_ANYWHERE, costs=costs, ends=ends, closed=closed)
        return _find_cheapest(rested, target)

    costs = (
        march.costs.rested(march.allowance)
        if isinstance(march.costs, Table)
        else lambda here: _price_steps(march.costs(here), march.allowance)
    )
    mp, path = gone if (gone := _find_cheapest(march, target))[1] else cheapest_way(0, march.closed)
    if mp > march.allowance:
        around = cheapest_way(march.ends, march.closed)
        mp, path = around if around[1] else (mp, path)
    if not path:
        mp, path = cheapest_way(0, 0)
    if not path:
        return Slip(NOWHERE, march.start, target)
    slip = check_path(board, march if mp <= march.allowance else replace(march, ends=0, closed=0, full=0), path)
    return Slip(TOO_FAR, march.start, target, mp) if isinstance(slip, Way) or slip.kind == DEAR else slip


@frozen(slots=True)
class Move:
    """An ordered move: the cheapest way ``to`` a hex, or along a ``path``. ``at``: the order's place in the file."""

    unit: str
    to: str
    path: tuple[str, ...]
    at: Path

    @classmethod
    def from_plain(cls, order: Mapping[str, Any], at: Path) -> Move:
        """Return a move from an order of a message. The schema has already checked the form of the order."""
        return cls(order["unit"], order.get("to", ""), tuple(order.get("path", ())), at)


def read_moves(filing: Filing, key: str) -> list[Move]:
    """Return the moves under ``orders: key`` of a message, in their order."""
    return [Move.from_plain(order, ("orders", key, number)) for number, order in enumerate(filing.order(key))]


def find_way(board: Board, march: March, move: Move) -> Way | Slip:
    """Return the way of an ordered move, or the first error of the move."""
    if move.to:
        there = board.index.get(move.to, -1)
        if there < 0:
            return Slip(NO_HEX, march.start, there, label=move.to)
        missed = Slip(OUT_OF_REACH, march.start, there, label=move.to)
        way = way_to(march, there, board.around(there))
        return way or (missed if march.brief else replace(missed, why=hindrance(board, march, there)))
    path = [board.index.get(label, -1) for label in move.path]
    if -1 in path:
        return Slip(NO_HEX, march.start, -1, label=move.path[path.index(-1)])
    return check_path(board, march, path)


class Refusal(NamedTuple):
    """Why a move is refused: the paragraph and a sentence."""

    rule: str
    why: str


Ready = Callable[[str], March | Refusal]  # how a unit may move now
Go = Callable[[Move, March], Refusal | None]  # moves it


def run_moves(umpire: Umpire[Any], moves: Iterable[Move], rule: str, ready: Ready, go: Go) -> None:
    """Move the units as ordered. ``rule``: the paragraph that allows one move to every unit.

    ``ready(unit)``: return how the unit can move in the present position. ``go(move, march)``: carry the move out. Each
    returns a Refusal if the unit or the move is not allowed.
    """
    moved: set[str] = set()
    for move in moves:
        march = Refusal(rule, "has moved in this phase already") if move.unit in moved else ready(move.unit)
        if isinstance(march, Refusal):
            umpire.refuse(*march, move.unit, move.at)
            continue
        moved.add(move.unit)
        if len(umpire.violations) >= EXPLAINED:
            march = replace(march, brief=True)
        if refusal := go(move, march):
            umpire.refuse(*refusal, move.unit, (*move.at, "to" if move.to else "path"))
