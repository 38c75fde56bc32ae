"""The value of attacks of Kursk (1971) for a player's thoughts: the cost of units, and the expected gain of attacks.

Most results are retreats, and units without a retreat are destroyed (8.0-ar). So a stack without a way out is worth
most to its enemy.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.fights import clamp_value, level_of
from kursk_pbem.kernel.hexes.potential import Army, Potential, Reach, Reached, Target
from kursk_pbem.kernel.hexes.stands import kept
from kursk_pbem.kernel.ideas import POINT
from kursk_pbem.kernel.state import OFF_MAP
from kursk_pbem.rulesets.kursk_1971 import losses, movement
from kursk_pbem.rulesets.kursk_1971.odds import FACES
from kursk_pbem.rulesets.kursk_1971.position import PATROL, Position
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, HIGHEST_DIE, LOWEST_DIE, RESULTS, Setting
from kursk_pbem.rulesets.kursk_1971.victory import find_possessor

AIRCRAFT, STRENGTH = 4 * POINT, 15
"""The worth of an aircraft, and of a point of strength in addition to its victory points."""
PUSHED, TURNED, EACH, ROOM = 25, 10, 10, 3
"""The worth of an enemy's retreat, the cost of an own retreat and of an attacker; large units that share a hex."""


@kept
def find_costs(pos: Position) -> dict[str, int]:
    """Return the cost of each unit's loss: its strength and victory points (fewer if a Kampfgruppe replaces it)."""
    setting, counters, costs = pos.setting, pos.setting.counters, dict[str, int]()
    groups: dict[str, int] = {}
    for uid in setting.reserve if setting.battlegroups else ():
        if pos.state.units[uid].place == OFF_MAP:
            groups |= dict.fromkeys(counters[uid].replaces, counters[uid].worth)
    for uid in pos.where:
        counter, points = counters[uid], losses.count_points(setting, uid)
        values = f"{counter.attack}-{counter.move}"
        if counter.motorized and counter.regular and values in groups:
            points = setting.motorized_points * (counter.worth - groups[values]) + 1
        costs[uid] = AIRCRAFT if counter.air else points * POINT + STRENGTH * counter.worth
    return costs


def find_powers(pos: Position, side: str) -> dict[str, int]:
    """Return each unit's attack strength. A unit out of supply has only half of it."""
    counters = pos.setting.counters
    return {uid: counters[uid].attack // (1 if pos.is_supplied(uid) else 2) for uid in pos.units(side)}


def find_price(cost: int, power: int, uid: str) -> tuple[int, int, str]:
    """Return a key to sort units for losses. Units with the lowest cost per point of strength come first."""
    return cost // max(1, power), -power, uid


def count_defence(pos: Position, stack: Iterable[str], hex_: int) -> int:
    """Return roughly a stack's defence strength. Limited units count only together with a regular unit."""
    found = [pos.setting.counters[uid] for uid in stack]
    if not any(counter.regular for counter in found):
        return 0
    supplied = pos.find_supplied(found[0].side) >> hex_ & 1
    return sum(counter.defence for counter in found) // (1 if supplied else 2)


@lru_cache(maxsize=1 << 15)
def find_shift(setting: Setting, hex_: int, side: str, spots: Mask) -> int:
    """Return the die modifier of an attack from some hexes: terrain, fortifications and rivers."""
    strong = (setting.forts[side] | setting.strongholds[side]) >> hex_ & 1
    wet = all((there, hex_) in setting.rivers for there in bits(spots))
    shifts = (setting.die["fortification"] if strong else 0, setting.die["river"] if wet else 0)
    return min(setting.die.get(setting.terrain[hex_], 0), *shifts)


def find_ways_out(pos: Position, hex_: int, side: str) -> Mask:
    """Return the hexes to which a side's units can retreat from a hex."""
    return pos.setting.board.near[hex_] & ~(pos.enemies(side) | pos.find_controlled(side) | pos.crowded[side, True])


def find_prize(setting: Setting, hex_: int) -> int:
    """Return the worth of the victory points of a city."""
    return POINT * setting.objectives.get(hex_, 0)


class Stakes(NamedTuple):
    """What is at stake in an attack: the stack, all attackers, exchanges, and attackers that could not retreat.

    ``prize``: what the hex is worth to the attacker. ``shut``: the stack cannot retreat.
    """

    kill: int
    mine: int
    exchange: int
    half: int
    stuck: int
    prize: int
    shut: bool

    def find_gain(self, faces: Sequence[int]) -> int:
        """Return the expected gain of the attack. ``faces``: how many die faces give each combat result."""
        back, kill = self.stuck + TURNED, self.kill + self.prize
        push = self.kill if self.shut else PUSHED
        # in the order of RESULTS
        gains = (-self.mine, -back, push - back, push + self.prize, kill - self.exchange, kill - self.half, kill)
        return sum(map(int.__mul__, gains, faces)) // 6


@lru_cache(maxsize=1024)
def count_faces(setting: Setting, level: int, modifier: int) -> tuple[int, ...]:
    """Return how many die faces give each combat result in a column of the odds."""
    column = clamp_value(level, *setting.levels)
    found = [setting.crt[column, clamp_value(face + modifier, LOWEST_DIE, HIGHEST_DIE)] for face in FACES]
    return tuple(map(found.count, RESULTS))


@lru_cache(maxsize=8)
def find_ground(setting: Setting) -> Reach:
    """Return the movement costs of all hexes, by side and kind of movement, to compute the reach of units."""
    prices: dict[Hashable, dict[int, Mask]] = {}
    for manner, base in setting.base.items():
        by_price = prices[manner] = {}
        for hex_ in bits(setting.board.all):
            by_price[base[hex_]] = by_price.get(base[hex_], 0) | 1 << hex_
    return Reach(setting.board, prices, setting.limits["zoc-enter"], setting.limits["zoc-leave"])


class Attacks:
    """What both sides can gain by attacks under this system's rules: a `kernel.hexes.potential.Tactics`.

    ``covered``: side -> hexes over which it has patrols.
    """

    def __init__(self, pos: Position) -> None:
        self.pos, self.setting, board = pos, pos.setting, pos.setting.board
        self.costs, self.ground = find_costs(pos), find_ground(pos.setting)
        self.covered = dict.fromkeys(self.setting.sides, 0)
        for uid, label in pos.state.marks.get(PATROL, {}).items():
            self.covered[pos.side(uid)] |= 1 << board.index[label]
        self.armies: dict[str, Army] = {}
        self.power: dict[str, list[int]] = {}
        self.large: dict[str, list[bool]] = {}
        self.flown = dict.fromkeys(self.setting.sides, 0)
        for side in self.setting.sides:
            self._muster_units(side)

    def _muster_units(self, side: str) -> None:
        """Add the army of a side, its units numbered from the cheapest payer."""
        counters, powers = self.setting.counters, find_powers(self.pos, side)
        units = sorted(powers, key=lambda uid: find_price(self.costs[uid], powers[uid], uid))
        controls = sum(1 << number for number, uid in enumerate(units) if uid in self.setting.controlling)
        self.armies[side] = Army(tuple(units), tuple(map(self._find_kind, units)), controls)
        self.power[side] = [0 if counters[uid].air else powers[uid] for uid in units]
        self.large[side] = [counters[uid].large for uid in units]
        for uid in units:
            if counters[uid].air:
                self.flown[side] |= self.setting.board.around(self.pos.where[uid])[min(16, counters[uid].reach)]

    def _find_kind(self, uid: str) -> tuple[str, int] | None:
        if self.setting.counters[uid].air:
            return None
        points = movement.count_allowance(self.setting, uid, supplied=self.pos.is_supplied(uid))
        return movement.find_manner(self.setting, uid), points

    def make_potential(self) -> Potential:
        """Return an object that computes what both sides can gain by their next attacks."""
        prizes = {side: sum(1 << hex_ for hex_ in self.find_wanted(side)) for side in self.setting.sides}
        return Potential(self.setting.board, self, self.armies, self.pos.where, prizes)

    def find_wanted(self, side: str) -> list[int]:
        """Return the cities with victory points that a side does not possess."""
        return [hex_ for hex_ in self.setting.objectives if find_possessor(self.pos, hex_) != side]

    def find_zone(self, _side: str, hexes: Mask) -> Mask:
        """Return the zone of control of units in some hexes."""
        return self.setting.board.spread(hexes) & ~(self.setting.rough if self.setting.printed else 0)

    def find_reach(self, side: str, kind: Any, start: int, zone: Mask, closed: Mask) -> Reached:
        """Return the hexes that a unit can reach. The ground element of an air unit does not move."""
        if kind is None:
            return Reached(0, 0, 0)
        manner, points = kind
        return self.ground.find((side, manner), points, start, zone, closed)

    def find_sight(self, side: str, hex_: int, spots: Mask) -> tuple[int, int]:
        """Return the die modifier of an attack on a hex, and how many large units have room to attack."""
        flies = (self.flown[side] & ~self.covered[ENEMY[side]]) >> hex_ & 1
        land = find_shift(self.setting, hex_, ENEMY[side], spots)
        return land + (self.setting.limits["support"] if flies else 0), spots.bit_count()

    def find_attack(self, side: str, able: int, target: Target) -> tuple[int, int]:
        """Return the best attack on a target by ``able`` units, as its gain and its units."""
        foe = self.armies[ENEMY[side]].units
        stack = [foe[number] for number in bits(target.stack)]
        kill, prize = sum(self.costs[uid] for uid in stack), find_prize(self.setting, target.hex)
        defence = count_defence(self.pos, stack, target.hex)
        if not defence:
            return kill + prize - 2 * EACH, able & -able
        worth, power = Stakes(kill, 0, 0, 0, 0, prize, target.shut), self.power[side]
        cheapest = [number for number in bits(able) if power[number]]
        strongest = sorted(cheapest, key=lambda number: -power[number])
        return max((0, 0), *(self._fill_attack(side, order, target, defence, worth) for order in (cheapest, strongest)))

    def _fill_attack(
        self, side: str, order: Sequence[int], target: Target, defence: int, worth: Stakes
    ) -> tuple[int, int]:
        """Return the best attack by the first units of an order, as long as they have room beside the target."""
        power, large, (modifier, spots) = self.power[side], self.large[side], target.sight
        low, high = self.setting.levels
        room, total, chosen, last, best = ROOM * spots, 0, 0, low - 1, (0, 0)
        for number in order:
            if large[number] > room:
                continue
            room, total, chosen = room - large[number], total + power[number], chosen | 1 << number
            level = clamp_value(level_of(total, defence), low, high)
            if level != last:
                last, prices = level, self._find_prices(side, chosen, defence)
                stakes = Stakes(worth.kill, *prices, 0, worth.prize, worth.shut)
                gain = stakes.find_gain(count_faces(self.setting, level, modifier)) - EACH * chosen.bit_count()
                best = max(best, (gain, chosen))
            if level == high:
                break
        return best

    def _find_prices(self, side: str, chosen: int, defence: int) -> tuple[int, int, int]:
        """Return the cost of the attackers: in total, in an exchange and in a half exchange; the cheapest pay."""
        paid = cost = exchange = half = 0
        for number in bits(chosen):
            price = self.costs[self.armies[side].units[number]]
            exchange += price if paid < defence else 0
            half += price if paid < (defence + 1) // 2 else 0
            paid, cost = paid + self.power[side][number], cost + price
        return cost, exchange, half
