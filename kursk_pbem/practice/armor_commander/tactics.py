"""The places of a side, for a search: the fire of this turn and the next decides, and the ground.

A platoon takes a way, every tank an offset to the way, and every gun a way. A unit without a way fires. No dice are
rolled: a model with a chance of survival fires with this chance. Worths are hundredths of a thousandth of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import product
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.ideas import Solve, Whim
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, INCH
from kursk_pbem.kernel.umpire import other
from kursk_pbem.rulesets.armor_commander import ahead, movement, victory
from kursk_pbem.rulesets.armor_commander.position import FACING, INITIATIVE, Field
from kursk_pbem.rulesets.armor_commander.saves import SAVE
from kursk_pbem.rulesets.armor_commander.setting import COHESION, GUN, HIT, HOLDS, SIDES, TANK, Group

# A certain event; the worth of a model, of the objectives, and of an inch nearer to an objective.
SURE, LOSS, HELD, INCHES = 10_000, 14_000, 90_000, 500
# In percent: the fire of the next turn, and the fire of an enemy who may do something else.
NEXT, DOUBT = 60, 60
# The number of models due near an objective, a long way, and an impossible worth.
NEAR, FAR, NEVER = 3, 10_000, -(10**9)
# The cost of moving a gun, and of an inch between an objective and a gun without a target.
STIR, IDLE = 1_000, 400
MOOD = 400
"""The worth of a point of a whim."""
AROUND = [(x, y, 141 if x and y else 100) for x in (-INCH, 0, INCH) for y in (-INCH, 0, INCH) if x or y]


def list_vectors(lengths: Iterable[int], step: int) -> list[Point]:
    """Return moves as vectors: (0, 0), then each length toward the half hours of a clock dial (every ``step``-th)."""
    ways = [(ahead.divide(x * far), ahead.divide(y * far)) for far in lengths for x, y in list(CLOCK.values())[::step]]
    return [(0, 0), *ways]


WAYS, OFFSETS = list_vectors((600, 300), 2), list_vectors((250, 120), 3)


@frozen
class Aims:
    """The aims of a plan, in percent of the usual plan: own fire, danger, ground.

    ``flank``: how many shots at front armor a shot at flank or rear is worth. ``clears``: fire at the two enemies
    nearest to an objective.
    """

    fire: int = 100
    danger: int = 110
    ground: int = 100
    flank: int = 1
    clears: bool = False


@lru_cache(maxsize=8)
def map_ways(ground: tuple[plane.Polygon, ...], size: Point, goal: Point) -> Mapping[Point, int]:
    """Return the length of the shortest way around terrain to an objective, for each point in whole inches."""
    ways: dict[Point, int] = {}
    spots = {(x, y) for x in range(0, size[0] + 1, INCH) for y in range(0, size[1] + 1, INCH)}
    open_ = [(0, spot) for spot in sorted(spots) if plane.is_within(spot, goal, HOLDS)]
    while open_:
        far, spot = heappop(open_)
        if spot not in ways:
            ways[spot] = far
            for x, y, step in AROUND:
                end = spot[0] + x, spot[1] + y
                if end in spots and end not in ways and not any(each.touches(spot, end) for each in ground):
                    heappush(open_, (far + step, end))
    return ways


class Plot:
    """Orders of a side that a search imagines. ``turns``: the number of turns after this turn."""

    def __init__(self, table: Field, side: str, turns: int, aims: Aims, whim: Whim) -> None:
        """Begin with all units in place."""
        self.table, self.side, self.turns, self.aims, self.whim = table, side, turns, aims, whim
        self.setting, self.models = table.setting, table.setting.models
        self.first = table.state.mark(INITIATIVE, "first") == side
        self.mine, self.foes = table.list_models(side), table.list_enemies(side)
        self.start, self.home = dict(table.at), {mid: table.state.mark(FACING, mid) for mid in table.at}
        self.at, self.faces = dict(self.start), dict(self.home)
        self.chosen: dict[str, int] = {}
        self.drives = False
        units = [unit for unit in self.setting.list_units(side) if table.list_unit(unit.id)]
        self.units = sorted(units, key=lambda unit: unit.kind == GUN)
        self.members = {unit.id: table.list_unit(unit.id) for unit in self.units}
        self.find_end, self.find_face = cache(self.compute_end), cache(self.compute_face)
        self.find_way, self.find_shot = cache(self.compute_way), cache(self.compute_shot)
        self.lost = victory.count_losses(table)
        goals = [goal.at for goal in self.setting.objectives] if aims.clears else []
        nearest = sorted(self.foes, key=lambda foe: [self.find_way(goal, table.at[foe]) for goal in goals])
        self.prize = dict.fromkeys(table.at, 1) | dict.fromkeys(nearest[:2] if goals else [], 4)
        self.hurt = dict.fromkeys(self.at, SURE)  # by enemies who act before
        self.fire([] if self.first else self.foes, self.hurt, DOUBT)

    # The places of the search: ``unit`` for the way of a unit, ``unit model`` for the offset of a tank.

    def list_units(self) -> list[str]:
        """Return the names that the search moves: platoons, single tanks (``platoon tank``) and guns."""
        tanks = {unit.id: self.members[unit.id] for unit in self.units if unit.kind == TANK}
        return [name for uid in self.members for name in (uid, *(f"{uid} {mid}" for mid in tanks.get(uid, ())))]

    def list_ends(self, name: str) -> list[int]:
        """Return the numbers of a unit's ways, or of a tank's offsets. The number chosen now comes first."""
        uid, _space, mid = name.partition(" ")
        movers = [each for each in self.members[uid] if self.table.is_mobile(each)]
        now = self.chosen.get(name, 0)
        if not movers or self.table.is_pinned(uid) or (mid and (mid not in movers or not self.chosen.get(uid))):
            return [now]
        stays = mid or not self.drives or self.setting.units[uid].kind == GUN
        ends = range(0 if stays else 1, len(OFFSETS if mid else WAYS))
        return [now, *(end for end in ends if end != now)]

    def draw(self, name: str, end: int) -> int:
        """Return the worth of the plan if this unit or tank alone changes its move. ``end``: the number of the move."""
        before = self.chosen.get(name, 0)
        self.put(name, end)
        worth = self.measure_worth()
        self.put(name, before)
        return worth

    def put(self, name: str, end: int) -> None:
        """Imagine a move without an order. ``end``: the number of a unit's way, or of a tank's offset."""
        self.chosen[name] = end
        uid = name.partition(" ")[0]
        way = WAYS[self.chosen.get(uid, 0)]
        for mid in self.members[uid]:
            by = OFFSETS[self.chosen.get(f"{uid} {mid}", 0)]
            goes = way != WAYS[0] and self.table.is_mobile(mid)
            self.at[mid] = self.find_end(mid, (way[0] + by[0], way[1] + by[1])) if goes else self.start[mid]
            turns = self.models[mid].kind == TANK and self.at[mid] != self.start[mid]
            self.faces[mid] = self.find_face(self.at[mid]) if turns else self.home[mid]

    def march(self, name: str, end: int) -> bool:
        """Choose a move for the orders; always return True. ``end``: number of a unit's way or a tank's offset."""
        self.put(name, end)
        return True

    def compute_end(self, mid: str, way: Point) -> Point:
        """4.3, 4.5: return the farthest legal end of a model's move: all of the way, half, a quarter or nothing."""
        here, limit = self.start[mid], self.setting.moves[self.models[mid].kind]
        far = max(movement.measure_rounded_up(((0, 0), way)), limit)
        for part in (far, 2 * far, 4 * far):
            end = here[0] + ahead.divide(way[0] * limit, part), here[1] + ahead.divide(way[1] * limit, part)
            if movement.is_legal(self.table, self.side, here, end):
                return end
        return here

    def compute_face(self, end: Point) -> str:
        """6.6: return a facing that hides a tank's side and rear from dangerous enemies."""
        fears = {}
        for foe in self.foes:
            clear = self.setting.is_clear(*sorted((self.start[foe], end)))
            fears[foe] = 10**9 * (1 + 3 * clear) // (plane.square(self.start[foe], end) + 1)

        def measure_fear(face: str) -> int:
            arcs = {foe: plane.find_arc(CLOCK[face], end, self.start[foe]) for foe in fears}
            return sum(fears[foe] for foe, arc in arcs.items() if arc != plane.FRONT)

        return min(CLOCK, key=measure_fear)

    # The worth of the places

    def measure_worth(self) -> int:
        """Return the worth of the imagined places: both sides' losses, the ground, and the player's random whims."""
        if not self.is_possible():
            return NEVER
        left = dict(self.hurt)
        firing = [mid for unit in self.units if not self.is_moving(unit) for mid in self.members[unit.id]]
        self.fire(firing, left)
        if self.first:
            self.fire(self.foes, left, DOUBT)
        worth, after = self.value_losses(left), dict(left)
        if self.turns:
            theirs = dict(left)
            self.fire(self.mine, after)
            self.fire(self.foes, theirs)
            after |= {mid: theirs[mid] for mid in self.mine}
            worth += NEXT * (self.value_losses(after) - worth) // 100
        moods = sum(self.whim(f"{unit.id} {self.chosen.get(unit.id, 0)}") for unit in self.units)
        return worth + self.value_ground(left) + MOOD * moods - self.measure_unrest()

    def measure_unrest(self) -> int:
        """Return the cost of moving guns, and of guns without a target that are far from the objectives."""
        cost = 0
        for unit in self.units:
            for mid in self.members[unit.id] if unit.kind == GUN else ():
                aims = not self.turns or any(self.find_chance(mid, foe) for foe in self.foes)
                ways = sum(self.find_way(goal.at, self.at[mid]) for goal in self.setting.objectives)
                cost += STIR * self.is_moving(unit) + (0 if aims else IDLE * ways // INCH)
        return cost

    def is_moving(self, unit: Group) -> bool:
        """Return whether a unit leaves its place in the imagined moves."""
        return any(self.at[mid] != self.start[mid] for mid in self.members[unit.id])

    def is_possible(self) -> bool:
        """4.3, 4.4: return whether the imagined moves keep bases apart, and keep moving units together (cohesion)."""
        bases = [*self.at.items(), *self.table.list_wrecks()]
        for unit in filter(self.is_moving, self.units):
            movers = [mid for mid in self.members[unit.id] if self.table.is_mobile(mid)]
            if not plane.are_together([self.at[mid] for mid in movers], COHESION, chain=self.setting.chain):
                return False
            for mid, (one, place) in product(movers, bases):
                reach = self.models[mid].radius + self.models[one].radius
                if mid != one and self.at[mid] != self.start[mid] and plane.over(self.at[mid], place, reach):
                    return False
        return True

    def find_chance(self, shooter: str, target: str) -> int:
        """Return the chance that a shot destroys its target, with both models at their imagined places."""
        return self.find_shot(shooter, target, self.at[shooter], self.at[target], self.faces[target])

    def compute_shot(self, shooter: str, target: str, a: Point, b: Point, face: str) -> int:
        """5.2 to 6.6: return the chance that a shot destroys its target. A flank plan lowers it for front armor."""
        weapon = self.setting.find_weapon(self.models[shooter].kind, self.models[target].kind)
        band = weapon.find_band(a, b) if weapon else ""
        if not band or not self.setting.is_clear(*sorted((a, b))):
            return 0
        gun = self.models[target].kind == GUN
        flank = not gun and plane.find_arc(CLOCK[face], b, a) != plane.FRONT
        fails = SAVE - 1 + flank - (self.setting.count_hidden(a, b, self.models[target].radius) >= 3)
        chance = (7 - HIT[band]) * fails * (6 if gun else fails) * SURE // 216
        return chance if gun or flank or shooter in self.foes else chance // self.aims.flank

    def fire(self, shooters: Iterable[str], left: dict[str, int], share: int = 100) -> dict[str, str]:
        """5.2: let every shooter fire at the target with the greatest gain; return the targets by shooter.

        ``left``: each model's chance of survival. The function lowers these chances.
        """
        found = {}
        for shooter in shooters:
            if self.table.is_pinned(self.models[shooter].unit):
                continue
            targets = self.foes if self.models[shooter].side == self.side else self.mine
            gains = {foe: self.find_chance(shooter, foe) * left[foe] * self.prize[foe] for foe in targets}
            far = {foe: plane.square(self.at[shooter], self.at[foe]) for foe in gains if gains[foe]}
            best = max(far, key=lambda foe: (gains[foe], -far[foe]), default="")
            if best:
                found[shooter] = best
                chance = self.find_chance(shooter, best) * left[shooter] * share // (100 * SURE)
                left[best] = left[best] * (SURE - chance) // SURE
        return found

    def value_losses(self, left: Mapping[str, int]) -> int:
        """Return the worth of both sides' losses. ``left``: each model's chance of survival."""
        theirs = sum((SURE - left[mid]) * self.prize[mid] for mid in self.foes)
        mine = sum(SURE - left[mid] for mid in self.mine)
        return LOSS * (self.aims.fire * theirs - self.aims.danger * mine) // (100 * SURE)

    def value_ground(self, left: Mapping[str, int]) -> int:
        """9.2, 9.3: return the worth of the objectives. It depends on holders, nearby models and losses."""
        lead = (self.lost[other(SIDES, self.side)] - self.lost[self.side]) * SURE
        lead += sum(SURE - left[mid] for mid in self.foes) - sum(SURE - left[mid] for mid in self.mine)
        total = 0
        for goal in self.setting.objectives:
            ways = {mid: self.find_way(goal.at, self.at[mid]) for mid in self.at if self.table.is_mobile(mid)}
            mine, theirs = (self.measure_presence(ways, left, side) for side in (self.mine, self.foes))
            held = (mine * (SURE - theirs) - theirs * (SURE - mine)) // SURE
            held += (SURE - abs(held)) * max(-SURE, min(SURE, lead)) // SURE
            total += HELD * held // (SURE * (self.turns + 1))
            if self.turns:
                near = sorted(ways[mid] for mid in self.mine if mid in ways)[:NEAR]
                total -= INCHES * sum(near) // INCH
        return total * self.aims.ground // 100 if self.turns else total

    def measure_presence(self, ways: Mapping[str, int], left: Mapping[str, int], side: Iterable[str]) -> int:
        """9.2: return the chance that a side has a model at an objective. Enemies who move last may still arrive."""
        away = SURE
        for mid in side:
            late = mid in self.foes and self.first and not self.turns
            if mid in ways and (not ways[mid] or (late and ways[mid] <= 600)):
                away = away * (SURE - left[mid] // (2 if ways[mid] else 1)) // SURE
        return SURE - away

    def compute_way(self, goal: Point, place: Point) -> int:
        """Return the distance from a place to the circle of an objective, around terrain."""
        if plane.is_within(place, goal, HOLDS):
            return 0
        ways = map_ways(self.setting.all_ground, self.setting.size, goal)
        x, y = place[0] // INCH * INCH, place[1] // INCH * INCH
        near = [(a, b) for a in (x, x + INCH) for b in (y, y + INCH) if (a, b) in ways]
        return min((ways[end] + plane.distance(place, end) for end in near), default=FAR)

    # The orders

    def choose_orders(self, solve: Solve) -> list[dict[str, Any]]:
        """3.2: search twice: with tanks that may stay, and with tanks that must move. Return the better orders."""
        found = []
        for self.drives in (False, True):
            for name in self.list_units():
                self.put(name, 0)
            solve(self)
            found.append((self.measure_worth(), dict(self.chosen)))
        for name, end in max(found, key=lambda each: each[0])[1].items():
            self.put(name, end)
        left = dict.fromkeys(self.at, SURE)
        units = [unit for unit in reversed(self.units) if not self.table.is_pinned(unit.id)]
        fires = [self.order_fire(unit, left) for unit in units if self.foes and not self.is_moving(unit)]
        moves = [self.order_move(unit) for unit in units if self.is_moving(unit)]
        return [order for order in fires if order["at"]] + moves

    def order_move(self, unit: Group) -> dict[str, Any]:
        """4.3: return a unit's order to move to its imagined places."""
        moves = [
            {"id": mid, "path": [plane.text(self.at[mid])], **({"face": self.faces[mid]} if unit.kind == TANK else {})}
            for mid in self.members[unit.id]
            if self.at[mid] != self.start[mid]
        ]
        return {"id": unit.id, "chip": "green", "moves": moves}

    def order_fire(self, unit: Group, left: dict[str, int]) -> dict[str, Any]:
        """5.2: return a unit's order to fire: at its best targets, then at any enemy in sight, guns last.

        A target may leave before the shot, so the order names its unit. The shot hits the unit's nearest visible model.
        """
        kinds = {self.models[foe].unit: self.models[foe].kind for foe in self.foes}
        units = sorted(kinds, key=lambda uid: kinds[uid] == GUN)
        foes = [uid for uid in units if self.setting.find_weapon(unit.kind, kinds[uid])]
        shots = []
        for mid, foe in self.fire(self.members[unit.id], left).items():
            aim = foe if self.first or self.aims.clears else self.models[foe].unit
            shots.append({"id": mid, "at": [aim, *(uid for uid in foes if uid != aim)]})
        return {"id": unit.id, "chip": "red", "at": foes, **({"shots": shots} if shots else {})}
