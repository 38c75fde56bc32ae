"""4.1 to 4.6: the green chip: paths, what bars them, where a model stops, cohesion.

A path is judged twice: when it is written, against everybody as they stand then (``faults``), and in the action, where
others may have moved before (``carry_out``). Ground and the edge of the table never change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import NamedTuple

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Marked, Moved, Noted
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import inches
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.armor_commander.orders import GREEN, Move, Order, Slip
from kursk_pbem.rulesets.armor_commander.position import FACING, Field, field
from kursk_pbem.rulesets.armor_commander.setting import COHESION, EXCLUSION, Setting

MANY = 6
"""How many pairs of models a refusal names; a player who repairs one pair at a time is refused again and again."""


class Bar(NamedTuple):
    """What is wrong with a way: the paragraph, a sentence."""

    rule: str
    why: str


def bars(table: Field, side: str, way: tuple[Point, ...], limit: int) -> Iterator[Bar]:
    """4.3, 4.5: what bars a way, its first point included: length, the table's edge, terrain, enemies."""
    setting = table.setting
    if plane.compare_length(way, limit) > 0:
        whole = upwards(way)
        yield Bar("4.3", f"is {inches(whole)} inches long, {inches(whole - limit)} more than {inches(limit)}")
    for place in way:
        if not setting.on_table(place):
            yield Bar("4.5", f"leaves the table at {plane.text(place)}")
            return
    for number in range(1, len(way)):
        if (bar := _barred(table, side, way[: number + 1])) is not None:
            far, why = bar
            yield Bar("4.5", f"{why} after {inches(far)} inches, on leg {number}")
            return


def upwards(way: Sequence[Point]) -> int:
    """The length of a path, a part of a hundredth counted as a whole one: so much must go, or is not left."""
    whole = plane.measure_path(way)
    return whole + plane.compare_length(way, whole)


def _barred(table: Field, side: str, way: tuple[Point, ...]) -> tuple[int, str] | None:
    """4.5, A-17, A-30: how far a way goes before its last leg comes into terrain or near an enemy; None if never."""
    a, b = way[-2:]
    into = (ground for ground in table.setting.ground if ground.polygon.touches(a, b))
    stops = [(_into(ground.polygon, way), f"comes into {ground.name}") for ground in into]
    for foe in table.foes(side):
        spot = table.at[foe]
        if plane.is_near(a, b, spot, EXCLUSION):

            def close(start: Point, place: Point, scale: int, spot: Point = spot) -> bool:
                return plane.is_near(start, place, (spot[0] * scale, spot[1] * scale), EXCLUSION * scale)

            stops.append((plane.measure_legal(way, close), f"comes within {inches(EXCLUSION)} inches of {foe}"))
    return min(stops) if stops else None


def _into(shape: plane.Polygon, way: tuple[Point, ...]) -> int:
    """How far a way goes before it comes into terrain that its last leg touches: to the first edge that it meets."""
    a, b = way[-2:]
    if shape.holds(a):
        return 0
    edges = list(shape.met(a, b))

    def touched(start: Point, place: Point, scale: int) -> bool:
        return any(plane.meet(start, place, *((x * scale, y * scale) for x, y in edge)) for edge in edges)

    return plane.measure_legal(way, touched)


def legal(table: Field, side: str, a: Point, b: Point) -> bool:
    """4.5, A-17, A-30: whether nothing bars a leg; `bars` says what does, and where, which takes longer."""
    setting = table.setting
    return (
        setting.on_table(a)
        and setting.on_table(b)
        and not any(ground.touches(a, b) for ground in setting.all_ground)
        and not any(plane.is_near(a, b, table.at[foe], EXCLUSION) for foe in table.foes(side))
    )


def stuck(table: Field, mid: str) -> str:
    """4.5, A-32: why a model has no legal way out of where it stands, '' if it has one."""
    bar = _barred(table, table.setting.models[mid].side, (table.at[mid], table.at[mid]))
    return bar[1].replace("comes into", "stands in").replace("comes within", "stands within") if bar else ""


def faults(table: Field, order: Order, orders: Mapping[str, Order]) -> Iterator[Slip]:
    """A-31: what is illegal about a green chip when it is written; ``orders`` are all those of the side, by unit.

    Models of other units that have a green chip are left to the action: they may have gone by then.
    """
    setting, numbers = table.setting, order.lines
    unit = setting.units[order.unit]
    ends: dict[str, Point] = {}
    for mid, move in order.moves.items():
        at = ("moves", numbers[mid], "path")
        if mid not in table.at:
            yield Slip("4.1", at[:2], f"{mid} is destroyed")
        elif not table.mobile(mid):
            yield Slip("6.4", at[:2], f"{mid} is immobile, and neither moves nor turns")
        elif move.path:
            way = (table.at[mid], *move.path)
            barred = bars(table, unit.side, way, setting.moves[unit.kind])
            if held := stuck(table, mid):
                yield Slip("4.5", at, f"{mid} {held}: it has no way out")
            else:
                yield from (Slip(bar.rule, at, f"the path of {mid} {bar.why}") for bar in barred)
            ends[mid] = way[-1]
    moving = {
        mid for order in orders.values() for mid, move in order.moves.items() if order.chip == GREEN and move.path
    }
    moving -= {mid for mid in moving if not table.mobile(mid)}
    for mid, end in ends.items():
        if any(plane.over(end, place, radius + setting.models[mid].radius) for place, radius in table.bases(moving)):
            wreck = table.wreck_under(mid, end)
            what = f"the wreck of {wreck}" if wreck else "the base of another model"
            yield Slip("4.3", ("moves", numbers[mid], "path"), f"{mid} would end on {what}")
    yield from _ends(table, order, ends)


def _ends(table: Field, order: Order, ends: Mapping[str, Point]) -> Iterator[Slip]:
    """4.4, A-31, A-44: the planned ends of one unit, among themselves."""
    if crowded := _clash(table.setting, ends):
        yield Slip("4.3", ("moves",), f"{crowded} would end on each other")
    goes = any(end != table.at[mid] for mid, end in ends.items())
    if goes and (apart := _scattered(table, order.unit, ends)):
        still = [mid for mid in table.of_unit(order.unit) if table.mobile(mid) and mid not in order.moves]
        more = f"; without a move yet: {', '.join(still)}" if still else ""
        yield Slip("4.4", ("moves",), f"{apart} would be farther than {inches(COHESION)} inches apart at the end{more}")


def _clash(setting: Setting, ends: Mapping[str, Point]) -> str:
    """4.3, A-31: which models' bases would lie over each other, pair by pair, '' if none."""
    pairs = [
        f"{one} and {other}"
        for (one, a), (other, b) in combinations(sorted(ends.items()), 2)
        if plane.over(a, b, setting.models[one].radius + setting.models[other].radius)
    ]
    return some(pairs, MANY)


def _scattered(table: Field, uid: str, ends: Mapping[str, Point]) -> str:
    """4.4, A-18, A-30: which models of a unit would be too far apart, '' if none; immobile ones do not count."""
    spots = {mid: ends.get(mid, table.at[mid]) for mid in table.of_unit(uid) if table.mobile(mid)}
    return scattered(spots, chain=table.setting.chain)


def scattered(spots: Mapping[str, Point], *, chain: bool) -> str:
    """4.4, A-18: which models of a unit in these places are too far apart, and how far, '' if none."""
    if plane.are_together(list(spots.values()), COHESION, chain=chain):
        return ""
    if chain:
        joined, _others = plane.split_chain(list(spots.values()), COHESION)
        gaps = product(*(sorted(mid for mid in spots if (spots[mid] in joined) is here) for here in (True, False)))
        one, other = min(gaps, key=lambda gap: plane.square(spots[gap[0]], spots[gap[1]]))
        return f"the nearest of two parts, {one} and {other} ({inches(upwards((spots[one], spots[other])))}),"
    pairs = [
        f"{one} and {other} ({inches(upwards((a, b)))})"
        for (one, a), (other, b) in combinations(sorted(spots.items()), 2)
        if not plane.is_within(a, b, COHESION)
    ]
    return some(pairs, MANY)


def carry_out(umpire: Umpire[Setting], order: Order) -> None:
    """4.1 to 4.5, A-23, A-31: a unit moves as it was ordered, as far as that is still possible."""
    table = field(umpire.setting, umpire.state)
    movers = {mid: move for mid, move in order.moves.items() if mid in table.at and table.mobile(mid)}
    walking = {mid for mid, move in movers.items() if move.path}
    ends = {mid: _stop(table, mid, movers[mid], walking) for mid in sorted(walking)}
    if not movers:
        umpire.emit(Noted("4.1", f"nobody of {order.unit} who was to move can"))
        return
    places = {mid: way[-1] for mid, way in ends.items()}
    if crowded := _clash(table.setting, places):
        umpire.emit(Noted("4.3", f"{order.unit} does not move: {crowded} would end on each other"))
        return
    moves = any(places[mid] != table.at[mid] for mid in places)
    if moves and (apart := _scattered(table, order.unit, places)):
        umpire.emit(Noted("4.4", f"{order.unit} does not move: {apart} would be too far apart"))
        return
    for mid, move in movers.items():
        _go(umpire, table, move, ends.get(mid, (table.at[mid],)))


def _go(umpire: Umpire[Setting], table: Field, move: Move, way: tuple[Point, ...]) -> None:
    """4.3, A-24: one model goes its way and turns; ``way`` begins where it stands."""
    start, mid = plane.text(table.at[move.model]), move.model
    if way[-1] != table.at[mid]:
        path = tuple(plane.text(point) for point in way[1:])
        umpire.emit(Moved("4.3", mid, start, path, "move", inches(upwards(way))))
    if move.path and way[-1] != move.path[-1]:
        umpire.emit(Noted("4.5", f"{mid} stops at {plane.text(way[-1])}: others are in its way"))
    if move.face and move.face != table.state.mark(FACING, mid):
        umpire.emit(Marked("6.6", FACING, mid, move.face))


def _stop(table: Field, mid: str, move: Move, walking: set[str]) -> tuple[Point, ...]:
    """4.5, A-31, A-48: the way to the last point in whole hundredths up to which all is legal, over no base."""
    model, foes = table.setting.models[mid], [table.at[foe] for foe in table.foes(table.setting.models[mid].side)]
    others = table.bases(walking)
    ways: list[tuple[Point, ...]] = [(table.at[mid],)]
    passed: tuple[Point, ...] = ways[0]
    for a, b in pairwise((table.at[mid], *move.path)):
        spots = plane.whole_points(a, b)
        good = _reached(spots, foes)
        ways += [(*passed, spot) for spot in spots[1 : good + 1]]
        if good < len(spots) - 1:
            break
        passed = (*passed, b)
    free = (
        way
        for way in reversed(ways[1:])
        if not any(plane.over(way[-1], place, radius + model.radius) for place, radius in others)
    )
    return next(free, ways[0])


def _reached(spots: list[Point], foes: list[Point]) -> int:
    """4.5: the last of a leg's stops up to which it is nowhere within an inch of an enemy; it never lies before one."""
    low, high = 0, len(spots) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if any(plane.is_near(spots[0], spots[middle], foe, EXCLUSION) for foe in foes):
            high = middle - 1
        else:
            low = middle
    return low
