"""The value of attacks and cities of Juggernauts for a player's thoughts.

Cities decide, not losses (18.0): the German needs Kursk, the Russian needs Orel and one of four cities in the rear, and
no side may lose a required city. A retreat destroys a stack without a way out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from kursk_pbem.kernel.hexes.board import Board, Mask, bits
from kursk_pbem.kernel.hexes.potential import Army, Potential, Reach, Reached, Target
from kursk_pbem.kernel.ideas import POINT
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.odds import LAST, find_level
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, FULL, GERMAN, RUSSIAN, Setting

FACTOR, CITY = 60, 40 * POINT
"""The worth of a factor, and of a city that decides."""
EACH, ROOM = 8, {GERMAN: 3, RUSSIAN: 2}
"""The cost of an attacker; units that have room in a hex, roughly."""
NEAR, FAR, SHARE = 7, 11, 15
"""The range in hexes of a full threat to a city; the range without a threat; the share of factors in percent, by hex
between, at most four."""
WALLS, DUG = 2, 1
"""Additional factors of a garrison in a city, and of an entrenched unit."""


def list_goals(setting: Setting, side: str) -> tuple[tuple[int, int], ...]:
    """Return the cities that a side has to take, each as (hex, worth)."""
    goals, index = setting.victory[side], setting.board.index
    worth = {**dict.fromkeys(goals.get("more", ()), CITY // 4), **dict.fromkeys(goals.get("any", ()), CITY)}
    return tuple((index[label], price) for label, price in {**worth, **dict.fromkeys(goals["take"], CITY)}.items())


def list_cities(setting: Setting) -> dict[int, int]:
    """Return the worth of each city that one side has to take and the other side has to hold."""
    return {hex_: price for side in setting.sides for hex_, price in list_goals(setting, side)}


def list_own(pos: Position, side: str) -> list[tuple[int, int]]:
    """Return the cities that a side owns and has to hold, each as (hex, worth). Captured cities count, too."""
    labels = pos.setting.board.labels
    return [(hex_, price) for hex_, price in list_cities(pos.setting).items() if pos.owner(labels[hex_]) == side]


def find_cost(pos: Position, who: Iterable[str]) -> int:
    """Return the sum of some units' worth. A unit's worth comes from its combat factors."""
    return FACTOR * sum([pos.counter(uid).attack + pos.counter(uid).defence for uid in who])


def find_gain(results: Sequence[str], kill: int, mine: int, defence: int, extra: int, *, shut: bool) -> int:
    """Return an attack's average gain. ``defence``: the most that it can lose. ``extra``: gain for an emptied hex."""
    lost = min(mine, defence * 2 * FACTOR)
    gains = {
        "DE": kill + extra,
        "D2": kill + extra if shut else kill * 2 // 5 + extra,
        "D1": kill // 5 if shut else kill // 4 + extra,
        "D": kill // 6,
        "X": max(0, kill - lost + extra),
        "AD": -mine // 4,
        "D/AE": kill // 6 - lost,
        "AE": -lost,
    }
    return sum([gains[told] for told in results]) // 6


def list_results(setting: Setting, level: int) -> tuple[str, ...]:
    """Return the six results in one column of the combat results table."""
    return tuple([setting.crt[max(level, 0), row] if level <= LAST else "DE" for row in range(1, 7)])


def find_ways_out(pos: Position, hex_: int, side: str) -> Mask:
    """Return the hexes to which a side's units can retreat from a hex."""
    return pos.setting.board.near[hex_] & ~(pos.enemies(side) | pos.ezoc(side))


def find_threat(pos: Position, hex_: int, side: str) -> int:
    """Return roughly the attack factors that the enemy of a side can bring against a hex in two turns."""
    rings, total = pos.setting.board.around(hex_), 0
    for far in range(1, FAR):
        for there in bits(rings[far] & ~rings[far - 1] & pos.enemies(side)):
            total += sum(pos.counter(uid).attack for uid in pos.at[there]) * min(FAR - NEAR, FAR - far)
    return total * SHARE // 100


def find_danger(pos: Position, price: int, threat: int, garrison: Iterable[str]) -> int:
    """Return the part of a city's worth that is in danger. ``price``: the whole worth. ``garrison``: its defenders."""
    strength = sum(pos.counter(uid).defence + DUG for uid in garrison)
    strength += WALLS if strength else 0
    return price * threat // (threat + 2 * strength) if threat else 0


@lru_cache(maxsize=8)
def find_ground(board: Board) -> Reach:
    """Return a rough reach: each hex costs one movement factor, and an enemy zone of control ends the move."""
    return Reach(board, {"": {1: board.all}}, 0, 0, stops=True)


class Attacks:
    """What both sides can gain by attacks under this system's rules: a `kernel.hexes.potential.Tactics`."""

    def __init__(self, pos: Position) -> None:
        self.pos, self.setting, self.ground = pos, pos.setting, find_ground(pos.setting.board)
        self.cost, self.cities = {uid: find_cost(pos, [uid]) for uid in pos.where}, list_cities(pos.setting)
        self.armies: dict[str, Army] = {}
        self.power: dict[str, list[int]] = {}
        self.walls, self.lined, self.shut = dict[str, Sequence[Mask]](), dict[str, Mask](), dict[str, Mask]()
        for side in self.setting.sides:
            self._add_army(side)

    def _add_army(self, side: str) -> None:
        """Add the units of a side, the strongest first, and the lines in the way."""
        pos, setting, foe = self.pos, self.setting, ENEMY[side]
        units = sorted(pos.units(side), key=lambda uid: (-self._find_power(uid), uid))
        controls = sum(1 << number for number, uid in enumerate(units) if pos.counter(uid).zone == FULL)
        self.armies[side] = Army(tuple(units), tuple(map(self._find_kind, units)), controls)
        self.power[side] = [self._find_power(uid) for uid in units]
        self.walls[side] = setting.facing[foe]
        self.lined[side] = sum(1 << hex_ for hex_, wall in enumerate(setting.facing[foe]) if wall)
        self.shut[side] = pos.active[foe] & setting.first_lines[foe] & ~pos.occupied[side]

    def _find_power(self, uid: str) -> int:
        counter, pos = self.pos.counter(uid), self.pos
        marched = counter.kind == ARTILLERY and not pos.is_marked(marks.EMPLACED, uid)
        return 0 if marched or pos.is_marked(marks.DISRUPTED, uid) else counter.attack

    def _find_kind(self, uid: str) -> tuple[int, int]:
        counter, pos = self.pos.counter(uid), self.pos
        fixed = pos.is_marked(marks.DISRUPTED, uid) or pos.is_marked(marks.EMPLACED, uid)
        return (0, 0) if fixed else (counter.move, counter.bonus)

    def make_potential(self) -> Potential:
        """Return an object that computes what both sides can gain by their next attacks."""
        return Potential(self.setting.board, self, self.armies, self.pos.where)

    def find_zone(self, side: str, hexes: Mask) -> Mask:
        """Return the zone of control of units in some hexes. The zone ends at the front of an enemy line."""
        near, zone = self.setting.board.near, self.setting.board.spread(hexes & ~self.lined[side])
        for hex_ in bits(hexes & self.lined[side]):
            zone |= near[hex_] & ~(self.walls[side][hex_] & self.pos.active[ENEMY[side]])
        return zone

    def find_reach(self, side: str, kind: tuple[int, int], start: int, zone: Mask, closed: Mask) -> Reached:
        """Return the hexes that a unit can reach. Outside enemy zones it moves farther, but cannot attack then."""
        points, bonus = kind
        closed |= self.shut[side]
        near = self.ground.find("", points, start, zone, closed)
        if zone >> start & 1:
            return near
        far = self.ground.find("", points + bonus, start, zone, closed | zone)
        return Reached(near.ends | far.ends, near.beside, near.window | far.window)

    def find_sight(self, side: str, _hex: int, spots: Mask) -> int:
        """Return how many units have room to attack a hex."""
        return spots.bit_count() * ROOM[side]

    def find_attack(self, side: str, able: int, target: Target) -> tuple[int, int]:
        """Return the best attack on a target by ``able`` units, as its gain and its units."""
        foe, pos, power = ENEMY[side], self.pos, self.power[side]
        stack = [self.armies[foe].units[number] for number in bits(target.stack)]
        line, shaken = pos.line(target.hex), any(pos.is_marked(marks.DISRUPTED, uid) for uid in stack)
        defence = sum(pos.counter(uid).defence for uid in stack) + (line.ahead if line and line.owner == foe else 0)
        kill, extra = sum(self.cost[uid] for uid in stack), self.cities.get(target.hex, 0)
        total = mine = chosen = 0
        best = 0, 0
        for number in [number for number in bits(able) if power[number]][: target.sight]:
            total, mine = total + power[number], mine + self.cost[self.armies[side].units[number]]
            chosen |= 1 << number
            results = list_results(self.setting, find_level(total, defence) + shaken)
            gain = find_gain(results, kill, mine, defence, extra, shut=target.shut)
            best = max(best, (gain - EACH * chosen.bit_count(), chosen))
        return best
