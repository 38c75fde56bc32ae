"""4.1 to 4.6: the green chip: paths, obstacles, stops, cohesion.

A path is checked twice. ``find_faults`` checks a written path against the present position. ``carry_out`` checks the
path again during the action, after other moves. Terrain and the table's edge never change.
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
from kursk_pbem.rulesets.armor_commander.orders import GREEN, Mistake, Move, Order
from kursk_pbem.rulesets.armor_commander.position import FACING, Field, make_field
from kursk_pbem.rulesets.armor_commander.setting import COHESION, EXCLUSION, Setting

MANY = 6
"""The number of pairs of models in a message; with one pair at a time a player would need many attempts."""


class Fault(NamedTuple):
    """Why a part of a path is illegal: the paragraph and a sentence."""

    rule: str
    why: str


def find_bars(table: Field, side: str, way: tuple[Point, ...], limit: int) -> Iterator[Fault]:
    """4.3, 4.5: yield the reasons why a path (with its start) is illegal: length, table edge, terrain, enemies."""
    setting = table.setting
    if plane.compare_length(way, limit) > 0:
        whole = measure_rounded_up(way)
        yield Fault("4.3", f"is {inches(whole)} inches long, {inches(whole - limit)} more than {inches(limit)}")
    for place in way:
        if not setting.is_on_table(place):
            yield Fault("4.5", f"leaves the table at {plane.text(place)}")
            return
    for number in range(1, len(way)):
        if (bar := _find_bar(table, side, way[: number + 1])) is not None:
            far, why = bar
            yield Fault("4.5", f"{why} after {inches(far)} inches, on leg {number}")
            return


def measure_rounded_up(way: Sequence[Point]) -> int:
    """Return the length of a path, rounded up to hundredths of an inch."""
    whole = plane.measure_path(way)
    return whole + plane.compare_length(way, whole)


def _find_bar(table: Field, side: str, way: tuple[Point, ...]) -> tuple[int, str] | None:
    """4.5, A-17, A-30: return the legal distance before a last leg that meets terrain or an enemy, with the reason."""
    a, b = way[-2:]
    into = (ground for ground in table.setting.ground if ground.polygon.touches(a, b))
    stops = [(_measure_to_terrain(ground.polygon, way), f"comes into {ground.name}") for ground in into]
    for foe in table.list_enemies(side):
        spot = table.at[foe]
        if plane.is_near(a, b, spot, EXCLUSION):

            def close(start: Point, place: Point, scale: int, spot: Point = spot) -> bool:
                return plane.is_near(start, place, (spot[0] * scale, spot[1] * scale), EXCLUSION * scale)

            stops.append((plane.measure_legal(way, close), f"comes within {inches(EXCLUSION)} inches of {foe}"))
    return min(stops) if stops else None


def _measure_to_terrain(shape: plane.Polygon, way: tuple[Point, ...]) -> int:
    """Return the distance of a path to the first edge of terrain that its last leg touches."""
    a, b = way[-2:]
    if shape.holds(a):
        return 0
    edges = list(shape.met(a, b))

    def touched(start: Point, place: Point, scale: int) -> bool:
        return any(plane.meet(start, place, *((x * scale, y * scale) for x, y in edge)) for edge in edges)

    return plane.measure_legal(way, touched)


def is_legal(table: Field, side: str, a: Point, b: Point) -> bool:
    """4.5, A-17, A-30: return whether a straight part of a path is legal. ``find_bars`` is slower, but says why."""
    setting = table.setting
    return (
        setting.is_on_table(a)
        and setting.is_on_table(b)
        and not any(ground.touches(a, b) for ground in setting.all_ground)
        and not any(plane.is_near(a, b, table.at[foe], EXCLUSION) for foe in table.list_enemies(side))
    )


def explain_stuck(table: Field, mid: str) -> str:
    """4.5, A-32: return the reason why a model cannot leave its place by any legal move, or ''."""
    bar = _find_bar(table, table.setting.models[mid].side, (table.at[mid], table.at[mid]))
    return bar[1].replace("comes into", "stands in").replace("comes within", "stands within") if bar else ""


def find_mistakes(table: Field, order: Order, orders: Mapping[str, Order]) -> Iterator[Mistake]:
    """A-31: yield the mistakes in an order to move that are known when the order is written.

    ``orders``: the side's orders by unit. Models of other moving units may leave first, so only the action checks
    whether these models are in the way.
    """
    setting, numbers = table.setting, order.lines
    unit = setting.units[order.unit]
    ends: dict[str, Point] = {}
    for mid, move in order.moves.items():
        at = ("moves", numbers[mid], "path")
        if mid not in table.at:
            yield Mistake("4.1", at[:2], f"{mid} is destroyed")
        elif not table.is_mobile(mid):
            yield Mistake("6.4", at[:2], f"{mid} is immobile, and neither moves nor turns")
        elif move.path:
            way = (table.at[mid], *move.path)
            barred = find_bars(table, unit.side, way, setting.moves[unit.kind])
            if held := explain_stuck(table, mid):
                yield Mistake("4.5", at, f"{mid} {held}, without a way out")
            else:
                yield from (Mistake(bar.rule, at, f"the path of {mid} {bar.why}") for bar in barred)
            ends[mid] = way[-1]
    moving = {
        mid for order in orders.values() for mid, move in order.moves.items() if order.chip == GREEN and move.path
    }
    moving -= {mid for mid in moving if not table.is_mobile(mid)}
    for mid, end in ends.items():
        if any(
            plane.over(end, place, radius + setting.models[mid].radius) for place, radius in table.list_bases(moving)
        ):
            wreck = table.find_wreck(mid, end)
            what = f"the wreck of {wreck}" if wreck else "the base of another model"
            yield Mistake("4.3", ("moves", numbers[mid], "path"), f"{mid} would end on {what}")
    yield from _check_ends(table, order, ends)


def _check_ends(table: Field, order: Order, ends: Mapping[str, Point]) -> Iterator[Mistake]:
    """4.4, A-31, A-44: check the planned ends of a unit against each other."""
    if crowded := _list_overlaps(table.setting, ends):
        yield Mistake("4.3", ("moves",), f"the ends of {crowded} overlap")
    goes = any(end != table.at[mid] for mid, end in ends.items())
    if goes and (apart := _check_cohesion(table, order.unit, ends)):
        still = [mid for mid in table.list_unit(order.unit) if table.is_mobile(mid) and mid not in order.moves]
        more = f"; without a move yet: {', '.join(still)}" if still else ""
        yield Mistake(
            "4.4", ("moves",), f"{apart} would be farther than {inches(COHESION)} inches apart at the end{more}"
        )


def _list_overlaps(setting: Setting, ends: Mapping[str, Point]) -> str:
    """4.3, A-31: list the pairs of models with overlapping bases, or return ''."""
    pairs = [
        f"{one} and {other}"
        for (one, a), (other, b) in combinations(sorted(ends.items()), 2)
        if plane.over(a, b, setting.models[one].radius + setting.models[other].radius)
    ]
    return some(pairs, MANY)


def _check_cohesion(table: Field, uid: str, ends: Mapping[str, Point]) -> str:
    """4.4, A-18, A-30: name the mobile models of a unit that would be too far apart, or return ''."""
    spots = {mid: ends.get(mid, table.at[mid]) for mid in table.list_unit(uid) if table.is_mobile(mid)}
    return describe_gaps(spots, chain=table.setting.chain)


def describe_gaps(spots: Mapping[str, Point], *, chain: bool) -> str:
    """4.4, A-18: return the pairs of models that are too far apart, with their distances, or ''.

    ``spots``: the places by model. ``chain``: each model must be near only one neighbor, as in a chain.
    """
    if plane.are_together(list(spots.values()), COHESION, chain=chain):
        return ""
    if chain:
        joined, _others = plane.split_chain(list(spots.values()), COHESION)
        gaps = product(*(sorted(mid for mid in spots if (spots[mid] in joined) is here) for here in (True, False)))
        one, other = min(gaps, key=lambda gap: plane.square(spots[gap[0]], spots[gap[1]]))
        return (
            f"the nearest of two parts, {one} and {other} ({inches(measure_rounded_up((spots[one], spots[other])))}),"
        )
    pairs = [
        f"{one} and {other} ({inches(measure_rounded_up((a, b)))})"
        for (one, a), (other, b) in combinations(sorted(spots.items()), 2)
        if not plane.is_within(a, b, COHESION)
    ]
    return some(pairs, MANY)


def carry_out(umpire: Umpire[Setting], order: Order) -> None:
    """4.1 to 4.5, A-23, A-31: move a unit by its order. A model that is blocked moves as far as possible."""
    table = make_field(umpire.setting, umpire.state)
    movers = {mid: move for mid, move in order.moves.items() if mid in table.at and table.is_mobile(mid)}
    walking = {mid for mid, move in movers.items() if move.path}
    ends = {mid: _find_way(table, mid, movers[mid], walking) for mid in sorted(walking)}
    if not movers:
        umpire.emit(Noted("4.1", f"{order.unit} has no model left that can move as ordered"))
        return
    places = {mid: way[-1] for mid, way in ends.items()}
    if crowded := _list_overlaps(table.setting, places):
        umpire.emit(Noted("4.3", f"{order.unit} does not move: the ends of {crowded} overlap"))
        return
    moves = any(places[mid] != table.at[mid] for mid in places)
    if moves and (apart := _check_cohesion(table, order.unit, places)):
        umpire.emit(Noted("4.4", f"{order.unit} does not move: {apart} would be too far apart"))
        return
    for mid, move in movers.items():
        _move_model(umpire, table, move, ends.get(mid, (table.at[mid],)))


def _move_model(umpire: Umpire[Setting], table: Field, move: Move, way: tuple[Point, ...]) -> None:
    """4.3, A-24: move and turn a model; ``way`` begins at its place."""
    start, mid = plane.text(table.at[move.model]), move.model
    if way[-1] != table.at[mid]:
        path = tuple(plane.text(point) for point in way[1:])
        umpire.emit(Moved("4.3", mid, start, path, "move", inches(measure_rounded_up(way))))
    if move.path and way[-1] != move.path[-1]:
        umpire.emit(Noted("4.5", f"{mid} stops at {plane.text(way[-1])}: another model is in the way"))
    if move.face and move.face != table.state.mark(FACING, mid):
        umpire.emit(Marked("6.6", FACING, mid, move.face))


def _find_way(table: Field, mid: str, move: Move, walking: set[str]) -> tuple[Point, ...]:
    """4.5, A-31, A-48: return the way to the last legal point in whole hundredths without a base."""
    model = table.setting.models[mid]
    foes = [table.at[foe] for foe in table.list_enemies(model.side)]
    others = table.list_bases(walking)
    ways: list[tuple[Point, ...]] = [(table.at[mid],)]
    passed: tuple[Point, ...] = ways[0]
    for a, b in pairwise((table.at[mid], *move.path)):
        spots = plane.whole_points(a, b)
        good = _find_last_stop(spots, foes)
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


def _find_last_stop(spots: list[Point], foes: list[Point]) -> int:
    """4.5: return the index of a leg's last stop before the leg comes within an inch of an enemy."""
    low, high = 0, len(spots) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if any(plane.is_near(spots[0], spots[middle], foe, EXCLUSION) for foe in foes):
            high = middle - 1
        else:
            low = middle
    return low
