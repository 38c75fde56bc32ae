"""The places of a side by search: the fire of both sides in this turn and the next decides, and the objectives.

Chances are in ten-thousandths. Nobody rolls: a model that may be destroyed fires with what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, INCH
from kursk_pbem.kernel.umpire import other
from kursk_pbem.rulesets.armor_commander import ahead, movement
from kursk_pbem.rulesets.armor_commander.position import FACING, IMMOBILE, Field
from kursk_pbem.rulesets.armor_commander.saves import SAVE
from kursk_pbem.rulesets.armor_commander.setting import COHESION, GUN, HIT, HOLDS, SIDES, TANK, Group

SURE, LOSS, HELD = 10_000, 14_000, 90_000
CARE, NEXT, DOUBT, PULL, NEAR = 110, 60, 60, 500, 3
AROUND = [(x, y, 141 if x and y else 100) for x in (-100, 0, 100) for y in (-100, 0, 100) if x or y]
NEVER = -10**9
STEPS = tuple((x * far // 100, y * far // 100) for far in (600, 300) for x, y in list(CLOCK.values())[::2])
WAYS = ((0, 0), *STEPS)
OFFSETS = ((0, 0), *((x * far // 100, y * far // 100) for far in (250, 120) for x, y in list(CLOCK.values())[::3]))


@lru_cache(8)
def map_ways(ground: tuple[plane.Polygon, ...], size: Point, goal: Point) -> dict[Point, int]:
    """Return the way from each whole inch of the table to the circle of an objective, around all terrain."""
    ways: dict[Point, int] = {}
    spots = [(x, y) for x in range(0, size[0] + 1, INCH) for y in range(0, size[1] + 1, INCH)]
    heap = [(0, spot) for spot in spots if plane.is_within(spot, goal, HOLDS) and not any(g.holds(spot) for g in ground)]
    while heap:
        far, spot = heappop(heap)
        if spot in ways:
            continue
        ways[spot] = far
        for x, y, step in AROUND:
            end = spot[0] + x, spot[1] + y
            if end in ways or not (0 <= end[0] <= size[0] and 0 <= end[1] <= size[1]):
                continue
            if not any(g.touches(spot, end) for g in ground):
                heappush(heap, (far + step, end))
    return ways


@dataclass
class Plot:
    """The imagined orders of a side, for a search; ``first``: the side acts first in this turn."""

    table: Field
    side: str
    turns: int
    first: bool
    drives: bool = False
    chosen: dict[str, int] = field(default_factory=dict)
    at: dict[str, Point] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    known: dict[object, int] = field(default_factory=dict)
    ways: dict[object, Point] = field(default_factory=dict)
    looks: int = 0

    def __post_init__(self):
        self.units = [unit for unit in self.table.setting.list_units(self.side) if self.table.list_unit(unit.id)]
        self.at = dict(self.table.at)
        self.faces = {mid: self.table.state.mark(FACING, mid) for mid in self.at}
        self.home = dict(self.faces)
        self.foes = self.table.list_enemies(self.side)
        self.mine = self.table.list_models(self.side)
        self.names = {}
        for unit in self.units:
            if unit.kind == TANK:
                self.names[f"unit {unit.id}"] = unit, ""
        for unit in self.units:
            if unit.kind == TANK:
                for mid in self.table.list_unit(unit.id):
                    self.names[f"model {mid}"] = unit, mid
            else:
                self.names[f"unit {unit.id}"] = unit, ""

    def list_units(self) -> Sequence[str]:
        return list(self.names)

    def list_ends(self, name: str) -> Sequence[int]:
        unit, mid = self.names[name]
        movers = [each for each in self.table.list_unit(unit.id) if self.table.is_mobile(each)]
        if not movers or self.table.is_pinned(unit.id) or (mid and mid not in movers):
            return [0]
        if mid:
            return list(range(len(OFFSETS))) if self.chosen.get(f"unit {unit.id}") else [self.chosen.get(name, 0)]
        if unit.kind == TANK and self.drives:
            now = self.chosen.setdefault(name, 0)
            return [now, *(end for end in range(1, len(WAYS)) if end != now)]
        return list(range(len(WAYS)))

    def draw(self, name: str, end: int) -> int:
        return 0

    def put(self, name: str, end: int) -> None:
        self.chosen[name] = end
        self.place(self.names[name][0])

    def place(self, unit: Group) -> None:
        far = self.chosen.get(f"unit {unit.id}", 0)
        for mid in self.table.list_unit(unit.id):
            here = self.table.at[mid]
            end = here
            if far and self.table.is_mobile(mid):
                by = OFFSETS[self.chosen.get(f"model {mid}", 0)]
                end = self.settle(unit, mid, (WAYS[far][0] + by[0], WAYS[far][1] + by[1]))
            self.at[mid] = end
            self.faces[mid] = self.face(mid, end) if end != here and unit.kind == TANK else self.home[mid]

    def settle(self, unit: Group, mid: str, way: Point) -> Point:
        if (mid, way) not in self.ways:
            here, limit = self.table.at[mid], self.table.setting.moves[unit.kind]
            far = max(plane.distance((0, 0), way) + 1, limit)
            found = here
            for part in (1, 2, 4):
                end = tuple(here[i] + ahead.divide(way[i] * limit, far * part) for i in (0, 1))
                if end != here and movement.is_legal(self.table, self.side, here, end):
                    found = end
                    break
            self.ways[mid, way] = found
        return self.ways[mid, way]

    def face(self, mid: str, end: Point) -> str:
        if (mid, end) not in self.ways:
            table = self.table
            foes = [
                (at, 10**9 * (1 + 3 * table.setting.is_clear(*sorted((at, end)))) // (plane.square(at, end) + 1))
                for at in (table.at[foe] for foe in self.foes)
            ]
            fears = {
                face: sum(fear for at, fear in foes if plane.find_arc(way, end, at) != plane.FRONT)
                for face, way in CLOCK.items()
            }
            self.ways[mid, end] = min(fears, key=lambda face: fears[face])
        return self.ways[mid, end]

    def march(self, name: str, end: int) -> bool:
        return True

    # worth

    def chance(self, shooter: str, target: str, now: bool) -> int:
        table = self.table
        a, b, face = (
            (table.at[shooter], table.at[target], self.home[target])
            if now
            else (self.at[shooter], self.at[target], self.faces[target])
        )
        models = table.setting.models
        key = models[shooter].kind, target, a, b, face
        if key not in self.known:
            self.known[key] = self.reckon(shooter, target, a, b, face)
        return self.known[key]

    def reckon(self, shooter, target, a, b, face):
        setting, models = self.table.setting, self.table.setting.models
        weapon = setting.find_weapon(models[shooter].kind, models[target].kind)
        band = weapon.find_band(a, b) if weapon else ""
        if not band or not setting.is_clear(*sorted((a, b))):
            return 0
        fails = SAVE - 1 - (setting.count_hidden(a, b, models[target].radius) >= 3)
        if models[target].kind == GUN:
            return (7 - HIT[band]) * fails * SURE // 36
        fails += plane.find_arc(CLOCK[face], b, a) != plane.FRONT
        return (7 - HIT[band]) * fails * fails * SURE // 216

    def fire(self, shooters: Iterable[str], left: dict[str, int], foes, share: int, now=False) -> None:
        """Let the shooters fire one after the other, each at the best target."""
        for shooter in shooters:
            best, most = "", 0
            for foe in foes:
                gain = self.chance(shooter, foe, now) * left[foe]
                if gain > most:
                    best, most = foe, gain
            if best:
                chance = self.chance(shooter, best, now) * left[shooter] // SURE * share // 100
                left[best] = left[best] * (SURE - chance) // SURE

    def measure_worth(self) -> int:
        self.looks += 1
        if not self.is_possible():
            return NEVER
        left = dict.fromkeys(self.at, SURE)
        firing = [m for unit in self.units if not self.chosen.get(f"unit {unit.id}") and not self.table.is_pinned(unit.id)
                  for m in self.table.list_unit(unit.id)]
        foes = [m for m in self.foes if not self.table.is_pinned(self.table.setting.models[m].unit)]
        if self.first:
            self.fire(firing, left, self.foes, 100)
            self.fire(foes, left, self.mine, DOUBT)
        else:
            self.fire(foes, left, self.mine, DOUBT, True)
            self.fire(firing, left, self.foes, 100)
        worth = self.count(left, left)
        if self.turns:
            after = dict(left)
            self.fire(self.mine, after, self.foes, 100)
            theirs = dict(left)
            self.fire(self.foes, theirs, self.mine, 100)
            worth += NEXT * (self.count(after, theirs) - worth) // 100
        return worth + self.ground(left)

    def count(self, foes, mine):
        return LOSS * (100 * sum(SURE - foes[m] for m in self.foes) - CARE * sum(SURE - mine[m] for m in self.mine)) // (100 * SURE)

    def ground(self, left) -> int:
        total = 0
        for goal in self.table.setting.objectives:
            away = {SIDES[0]: SURE, SIDES[1]: SURE}
            ways = []
            for mid, place in self.at.items():
                side = self.table.setting.models[mid].side
                if not self.table.is_mobile(mid):
                    continue
                way = self.way(goal.at, place)
                if side == self.side:
                    ways.append(way)
                if plane.is_within(place, goal.at, HOLDS):
                    away[side] = away[side] * (SURE - left[mid]) // SURE
                elif side != self.side and not self.turns and self.first and way <= 600:
                    away[side] = away[side] * (SURE - left[mid] // 2) // SURE
            mine, foe = away[self.side], away[other(SIDES, self.side)]
            held = (SURE - mine) * foe - (SURE - foe) * mine
            total += HELD * held // (SURE * SURE) // (self.turns + 1)
            total -= PULL * sum(sorted(ways)[:NEAR]) // 100 if self.turns else 0
        return total

    def way(self, goal, place):
        if plane.is_within(place, goal, HOLDS):
            return 0
        if (goal, place) not in self.ways:
            ways = map_ways(self.table.setting.all_ground, self.table.setting.size, goal)
            x, y = place[0] // INCH * INCH, place[1] // INCH * INCH
            near = [(a, b) for a in (x, x + INCH) for b in (y, y + INCH)]
            self.ways[goal, place] = min((ways[end] + plane.distance(place, end) for end in near if end in ways), default=9999)
        return self.ways[goal, place]

    def is_possible(self) -> bool:
        table, models = self.table, self.table.setting.models
        for unit in self.units:
            ends = {m: self.at[m] for m in table.list_unit(unit.id) if table.is_mobile(m)}
            if any(ends[m] != table.at[m] for m in ends) and not plane.are_together(
                list(ends.values()), COHESION, chain=table.setting.chain
            ):
                return False
        if any(self.chosen.get(f"unit {unit.id}") and all(self.at[m] == table.at[m] for m in table.list_unit(unit.id)) for unit in self.units):
            return False
        places = [(self.at[m], models[m].radius) for m in self.at]
        wrecks = [(at, models[m].radius) for m, at in table.list_wrecks()]
        for number, m in enumerate(self.at):
            if models[m].side != self.side:
                continue
            a, r = self.at[m], models[m].radius
            if a != table.at[m] and any(plane.over(a, b, r + s) for b, s in wrecks):
                return False
            if any(plane.over(a, b, r + s) for n, (b, s) in enumerate(places) if n != number):
                return False
        return True

    # orders

    def list_orders(self):
        moving, firing = [], []
        for unit in sorted(self.units, key=lambda each: each.kind == TANK):
            if self.table.is_pinned(unit.id):
                continue
            ends = {m: self.at[m] for m in self.table.list_unit(unit.id) if self.at[m] != self.table.at[m]}
            if self.chosen.get(f"unit {unit.id}") and ends:
                moves = [
                    {"id": m, "path": [plane.text(end)], **({"face": self.faces[m]} if unit.kind == TANK else {})}
                    for m, end in ends.items()
                ]
                moving.append({"id": unit.id, "chip": "green", "moves": moves})
            else:
                firing.append(unit)
        left = dict.fromkeys(self.at, SURE)
        models = self.table.setting.models
        found = []
        for unit in firing:
            units = {models[m].unit: models[m].kind for m in self.foes}
            foes = [uid for uid, kind in units.items() if kind == TANK]
            foes += [uid for uid, kind in units.items() if kind == GUN and unit.kind == TANK]
            shots = []
            for m in self.table.list_unit(unit.id):
                gains = {foe: self.chance(m, foe, True) * left[foe] for foe in self.foes}
                best = max(gains, key=lambda foe: (gains[foe], foe))
                if gains[best]:
                    left[best] = left[best] * (SURE - self.chance(m, best, True)) // SURE
                    aim = best if self.first else models[best].unit
                    shots.append({"id": m, "at": [aim, *(uid for uid in foes if uid != aim)]})
            if foes:
                found.append({"id": unit.id, "chip": "red", "at": foes, **({"shots": shots} if shots else {})})
        return found + moving


def search_orders(table: Field, side: str, turns: int, first: bool, solve):
    plots = []
    for drives in (False, True):
        plot = Plot(table, side, turns, first, drives)
        solve(plot)
        plots.append(plot)
    return max(plots, key=lambda plot: plot.measure_worth()).list_orders()
