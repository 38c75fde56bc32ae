"""The value of attacks and cities of Battle for Kursk for a player's thoughts.

Armor moves before battles, infantry does not (8.0, 8.1). So infantry threatens only adjacent units, and a unit out
of contact is safe from infantry.
"""

from __future__ import annotations

from functools import lru_cache

from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.fights import clamp_value, level_of
from kursk_pbem.kernel.hexes.potential import Army, Potential, Reach, Reached, Target
from kursk_pbem.kernel.hexes.ways import ALL
from kursk_pbem.rulesets.battle_for_kursk.position import Position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, FULL, Setting

CITY, STRENGTH = 600, (2, 5, 10)
"""The worth of a Major City; of a point of strength by the turns left: at the end only cities count."""
EACH, RETREAT, TAKEN = 3, 20, 80
"""The cost of an attacker; the worth of an enemy's retreat, and of a city that the enemy leaves, in percent."""
MOST = 6
"""The last column of the table."""
LOST = {"AL": (1, 0, 0), "NE": (0, 0, 0), "DR": (0, 0, 1), "EX": (1, 1, 1), "DRL": (0, 1, 1), "DE": (0, 2, 1)}
"""Result -> lost steps of attacker and defender, and 1 if the defender leaves the hex."""


@lru_cache(maxsize=8)
def _find_ground(setting: Setting) -> Reach:
    """Return the reach of armor: hexes by price, without rivers; an enemy zone ends a move."""
    prices: dict[int, Mask] = {}
    for hex_, price in enumerate(setting.enter):
        if price != ALL:
            prices[price] = prices.get(price, 0) | 1 << hex_
    return Reach(setting.board, {"": prices}, 0, 0, stops=True, slides=True)


@lru_cache(maxsize=1024)
def count_shares(setting: Setting, column: int, steps: int, shut: int) -> tuple[int, int, int]:
    """Return three sums over a column's six rolls: attacker's lost steps, defender's lost steps, emptied hexes."""
    rows = [LOST[setting.crt[column, die]] for die in range(1, 7)]
    theirs = sum([min(steps, lost + shut * left) for _paid, lost, left in rows])
    return sum([row[0] for row in rows]), theirs, sum([row[2] for row in rows])


class Attacks:
    """What both sides can gain by attacks under this system's rules: a `kernel.hexes.potential.Tactics`."""

    def __init__(self, pos: Position) -> None:
        self.pos, self.setting, self.ground = pos, pos.setting, _find_ground(pos.setting)
        counters, turns = self.setting.counters, self.setting.turns
        self.worth = STRENGTH[min(len(turns) - 1 - turns.index(pos.state.turn), len(STRENGTH) - 1)]
        self.majors, self.wet = sum(self.setting.enemy_majors.values()), dict[int, Mask]()
        for here, there in self.setting.rivers:
            self.wet[there] = self.wet.get(there, 0) | 1 << here
        self.armies, self.power = dict[str, Army](), dict[str, list[int]]()
        for side in self.setting.sides:
            units = sorted(pos.units(side), key=lambda uid: (-pos.strength(uid), uid))
            kinds = [counters[uid].move if counters[uid].armor else 0 for uid in units]
            self.armies[side] = Army(tuple(units), tuple(kinds), (1 << len(units)) - 1)
            self.power[side] = [pos.strength(uid) for uid in units]

    def find_zone(self, _side: str, hexes: Mask) -> Mask:
        """Return the zone of control of units in some hexes."""
        return self.setting.board.spread(hexes)

    def find_reach(self, _side: str, kind: int, start: int, zone: Mask, closed: Mask) -> Reached:
        """Return the hexes that a unit can reach before the battles."""
        if not kind:
            return Reached(1 << start, self.setting.board.near[start], 1 << start)
        return self.ground.find("", kind, start, zone, closed)

    def find_sight(self, side: str, hex_: int, spots: Mask) -> tuple[int, int]:
        """Return how many units have room to attack a hex, and the hex's column shift."""
        fort = "fortification" * self.setting.fort_of(hex_, self.pos.state.turn, ENEMY[side])
        kinds = self.setting.terrain[hex_], self.setting.cities.get(hex_, ""), fort
        wet = not spots & ~self.wet.get(hex_, 0)
        return spots.bit_count(), sum([self.setting.shift.get(kind, 0) for kind in kinds]) - wet

    def find_attack(self, side: str, able: int, target: Target) -> tuple[int, int]:
        """Return the best attack on a target by ``able`` units, as its gain and its units."""
        city = CITY * (self.majors >> target.hex & 1)
        if not target.stack:
            return city, able & -able
        uid = self.armies[ENEMY[side]].units[next(bits(target.stack))]
        defence, steps = self.pos.strength(uid), self.pos.state.units[uid].steps
        step, (spots, shift) = self.worth * self.setting.strength(uid, FULL) // 2, target.sight
        total = chosen = last = 0
        best = 0, 0
        for number in [*bits(able)][:spots]:
            power = self.power[side][number]
            total, chosen = total + power, chosen | 1 << number
            column = clamp_value(level_of(total, defence) + shift, 0, MOST)
            if column > last:
                last = column
                mine, theirs, left = count_shares(self.setting, column, steps, int(target.shut))
                gain = theirs * step + left * (RETREAT + city * TAKEN // 100) - mine * self.worth * power // 2
                best = max(best, (gain // 6 - EACH * chosen.bit_count(), chosen))
        return best


def make_potential(pos: Position) -> Potential:
    """Return an object that computes what both sides can gain by their next attacks. Enemy cities count as prizes."""
    attacks = Attacks(pos)
    prizes = {side: attacks.majors & pos.cities[ENEMY[side]] for side in pos.setting.sides}
    return Potential(pos.setting.board, attacks, attacks.armies, pos.where, prizes)
