"""How a German holds cities of Battle for Kursk until the end: a plan of turns, with a search for places."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.potential import Placement
from kursk_pbem.kernel.ideas import Solve, be_calm
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk import movement
from kursk_pbem.rulesets.battle_for_kursk.mind import CITY, FAR, PLANS, Content, Mind, find_reach
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, Setting
from kursk_pbem.rulesets.battle_for_kursk.tactics import Attacks

FORWARD = ("2110", "2117", "2422")
"""Orel, Kharkov and Stalino: too near to the enemy for a garrison."""
TEAM, OCCUPIED = 3, 150
"""The number of units that make an Offensive worthwhile; the worth of a unit in a Major City."""


class Defence(Mind):
    """The thoughts of a German who holds Major Cities until the end: the Russian is stronger, and attacks cost steps.

    First the German attacks, also to open the way to the objective. Then the strongest units hold cities, and a search
    places the others where the enemy gains least. In the last turn the German attacks again.
    """

    def __init__(self, setting: Setting, state: State, seq: int, solve: Solve) -> None:
        super().__init__(setting, state, seq, PLANS[0].key, be_calm)
        self.solve, self.home = solve, setting.enemy_majors[ENEMY[state.side]]
        self.left = len(setting.turns) - 1 - setting.turns.index(state.turn)
        self.manner |= {"drive": 0, "posture": 1 if self.left else 3}
        mark = state.mark
        spot = mark("objective", "hex") if mark("objective", "side") == state.side else ""
        self.objective = 1 << self.board.index[spot] if spot else 0

    def rank_lacking(self, uid: str) -> tuple[int, int, str]:
        """Return the rank of a unit for replacements: eliminated units first, because they cost a point."""
        return self.sketch.state.units[uid].steps, *super().rank_lacking(uid)[1:]

    def move(self, key: str, orders: Content) -> None:
        """Order the moves of a phase."""
        if key == "armor-and-rail":
            self.support(orders.setdefault(key, []))
            super().move(key, orders)
        else:
            self.busy.clear()
            self.hold(orders.setdefault(key, []))

    def fight(self, phase: str, orders: Content) -> None:
        """Order the battles; those that open the way to the objective count as cities."""
        self.bars = self.board.spread(self.objective & ~self.pos.enemies(self.side))
        super().fight(phase, orders)

    def mean(self, battle: Battle, column: int) -> int:
        """Return the mean worth of a battle in a column; in the last turn little but cities counts."""
        if self.left:
            return super().mean(battle, column)
        left = sum([self.setting.crt[column, die] not in ("AL", "NE") for die in range(1, 7)])
        return left * CITY * (self.majors >> battle.hex & 1) // 6 + super().mean(battle, column) // 4

    def support(self, found: list[Content]) -> None:
        """Bring armor behind a unit that can lead an Offensive beside the objective."""
        pos, near, best = self.pos, self.board.near, dict[str, int]()
        for foe in bits(self.board.spread(self.objective) & pos.enemies(self.side)):
            teams = [self.find_team(foe, there) for there in bits(near[foe] & pos.occupied[self.side])]
            best = max(best, *teams, key=len) if teams else best
        for uid, there in best.items() if len(best) >= TEAM else ():
            self.march(found, uid, there)
            self.busy.add(uid)

    def find_team(self, foe: int, there: int) -> dict[str, int]:
        """Return a leader, and units of its formation that can support it against an enemy, with their hexes."""
        pos, near, counters = self.pos, self.board.near, self.setting.counters
        lead = pos.unit(there)
        team = {lead: there} if counters[lead].leads else {}
        mates = [uid for uid in pos.units(self.side) if counters[uid].formation == counters[lead].formation]
        for spot in bits(near[there] & ~near[foe] & ~pos.enemies(self.side)) if team else ():
            able = [uid for uid in mates if uid not in team and counters[uid].armor and spot not in pos.at]
            able = [uid for uid in able if spot in movement.reach(pos, uid, movement.MOVE)]
            team |= dict.fromkeys([uid for uid in mates if pos.unit(spot) == uid] or able[:1], spot)
        return team

    def hold(self, found: list[Content]) -> None:
        """Move a unit into the objective, garrisons into their cities, and the others by the search."""
        goals = bits((self.objective | 1 << self.setting.moscow) & ~self.pos.enemies(self.side))
        for goal in goals:
            self.busy |= {*[uid for uid in self.pos.units(self.side) if self.march(found, uid, goal)][:1]}
        posts = self.find_posts()
        for uid, city in posts.items():
            if self.pos.where[uid] == city or self.march(found, uid, city):
                self.busy.add(uid)
        self.solve(self.make_placement(found, posts))

    def march(self, found: list[Content], uid: str, hex_: int) -> bool:
        """Order a unit to a hex; return whether it can march there."""
        way = movement.reach(self.pos, uid, movement.MOVE).get(hex_)
        if way:
            self.go(found, uid, way.path)
        return way is not None

    def find_posts(self) -> dict[str, int]:
        """Return units with the Major City that each holds: strong and near units first."""
        pos, counters, posts = self.pos, self.setting.counters, dict[str, int]()
        pairs = []
        for city in bits(self.home & ~self.board.mask(FORWARD) & ~pos.enemies(self.side)):
            for uid in [uid for uid in pos.units(self.side) if uid not in self.busy]:
                far = self.board.distance(pos.where[uid], city)
                turns = -(-far // counters[uid].move)
                pairs.append((10 * pos.strength(uid) - 20 * turns - far, uid, city))
        for _worth, uid, city in sorted(pairs, reverse=True):
            if uid not in posts and city not in posts.values():
                posts[uid] = city
        return posts

    def make_placement(self, found: list[Content], posts: Mapping[str, int]) -> Placement:
        """Return the places of the units without orders."""
        pos, side, board = self.pos, self.side, self.board
        reached, rings = pos.communication(side), board.rings(self.home, board.all, FAR // 2)
        far = {hex_: number for number, ring in enumerate(rings) for hex_ in bits(ring)}
        goals = self.majors & (~pos.cities[side] | find_reach(pos, ENEMY[side]))
        free = [uid for uid in pos.units(side) if uid not in self.busy]
        ends = {uid: [pos.where[uid], *movement.reach(pos, uid, movement.MOVE)] for uid in free}

        def pull(uid: str, hex_: int) -> int:
            way = 5 * board.distance(hex_, posts[uid]) if uid in posts else far.get(hex_, FAR // 2)
            return -way * pos.strength(uid) // 3 - 30 * (not reached >> hex_ & 1)

        return Placement(
            Attacks(pos).make_potential(),
            side,
            ends,
            pull,
            lambda uid, stack: {*stack} <= {uid},
            partial(self.march, found),
            fears=True,
            judge=lambda list_stack: OCCUPIED * sum([bool(list_stack(hex_)) for hex_ in bits(goals)]),
            hopes=self.left == 1,
        )
