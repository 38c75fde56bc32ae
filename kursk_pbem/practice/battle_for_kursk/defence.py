"""How a German holds cities of Battle for Kursk until the end: a plan of turns, with a search for places."""

from __future__ import annotations

from functools import partial

from kursk_pbem.kernel.events import Marked
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.potential import Placement
from kursk_pbem.kernel.ideas import Solve, be_calm
from kursk_pbem.kernel.state import State
from kursk_pbem.practice.battle_for_kursk.mind import FAR, PLANS, Content, Mind, find_reach
from kursk_pbem.practice.battle_for_kursk.tactics import make_potential
from kursk_pbem.rulesets.battle_for_kursk import movement, posture
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, Setting

OCCUPIED = 150
"""The worth of a unit in a Major City."""
ENGAGE, MARKER = 600, 150
"""The worth of the two steps of replacements that Engage costs, and of an Offensive, as battles count."""
CAREFUL = 60
"""The least worth of a battle between the first and the last turn: twice the usual."""


class Defence(Mind):
    """The decisions of a German who defends Major Cities, because the Russian is stronger and attacks cost steps.

    The German first attacks, also to open the way to the objective. Then the strongest units hold cities, and a search
    places the other units against the enemy's expected gains. The German attacks again if battles are worth the price
    of Engage, and in the last turn.
    """

    def __init__(self, setting: Setting, state: State, seq: int, solve: Solve) -> None:
        super().__init__(setting, state, seq, PLANS[0].key, be_calm)
        self.solve, self.home = solve, setting.enemy_majors[ENEMY[state.side]]
        self.busy = set[str]()  # units with orders
        self.left = len(setting.turns) - 1 - setting.turns.index(state.turn)
        self.manner["drive"] = 0
        if self.left and state.tracks[posture.ENGAGED.format(self.side)]:
            self.manner["least"] = CAREFUL
        mark = state.mark
        spot = mark("objective", "hex") if mark("objective", "side") == state.side else ""
        self.objective = 1 << self.board.index[spot] if spot else 0

    def posture(self, turn: str) -> Content:
        """Return a turn's posture under its label: Engage if battles are worth its price, otherwise Reposition."""
        if self.left and self.sketch.state.tracks[posture.ENGAGED.format(self.side)]:
            self.manner["posture"] = 3 if self.can_gain() else 1
        return super().posture(turn)

    def can_gain(self) -> bool:
        """Return whether battles gain more than Engage costs. It is free if an Offensive marker is about to expire."""
        state, turns, track = self.sketch.state, self.setting.turns, f"offensives-{self.side}"
        if "engage" not in posture.list_affordable(state, self.side):
            return False
        following = self.setting.boxes[turns[turns.index(state.turn) + 1]].offensives[self.side]
        lapses = state.tracks[track] + following > posture.MOST_OFFENSIVES
        price = ENGAGE + MARKER * posture.get_price(state, self.side, "engage") * (not lapses)
        trial, orders = Defence(self.setting, self.state, self.seq, self.solve), Content()
        trial.sketch.emit(Marked("12.0-2", self.side, "posture", "engage"))
        trial.move("armor-and-rail", orders)
        trial.fight("combat", orders)
        return trial.gain > price

    def rank_lacking(self, uid: str) -> tuple[int, int, str]:
        """Return a key to sort units for replacements. Eliminated units come first: each costs a victory point."""
        return self.sketch.state.units[uid].steps, *super().rank_lacking(uid)[1:]

    def move(self, key: str, orders: Content) -> None:
        """Add the moves of a phase to the orders."""
        if key == "armor-and-rail":
            super().move(key, orders)
        else:
            self.hold(orders.setdefault(key, []))

    def fight(self, phase: str, orders: Content) -> None:
        """Add the battles to the orders. A battle on the way to the objective counts as much as a battle for a city."""
        self.bars = self.board.spread(self.objective & ~self.pos.enemies(self.side))
        super().fight(phase, orders)

    def hold(self, found: list[Content]) -> None:
        """Send a unit to the objective, and garrisons to Major Cities. A search places the other units."""
        goals = bits((self.objective | 1 << self.setting.moscow) & ~self.pos.enemies(self.side))
        for goal in goals:
            self.busy |= {*[uid for uid in self.pos.units(self.side) if self.march(found, uid, goal)][:1]}
        for uid, city in self.find_posts().items():
            ends = [self.pos.where[uid], *movement.reach(self.pos, uid, movement.MOVE)]
            self.march(found, uid, min(ends, key=partial(self.board.distance, city)))
            self.busy.add(uid)
        self.solve(self.make_placement(found))

    def march(self, found: list[Content], uid: str, hex_: int) -> bool:
        """Order a unit to march to a hex. Return whether the march is possible."""
        way = movement.reach(self.pos, uid, movement.MOVE).get(hex_)
        if way:
            self.go(found, uid, way.path)
        return way is not None

    def find_posts(self) -> dict[str, int]:
        """Return the Major City that each garrison should hold, by unit. Strong units near the city are preferred."""
        pos, counters, posts = self.pos, self.setting.counters, dict[str, int]()
        pairs = []
        for city in bits(self.home & ~pos.enemies(self.side)):
            for uid in [uid for uid in pos.units(self.side) if uid not in self.busy]:
                far = self.board.distance(pos.where[uid], city)
                turns = -(-far // counters[uid].move)
                pairs.append((10 * pos.strength(uid) - 20 * turns - far, uid, city))
        for _worth, uid, city in sorted(pairs, reverse=True):
            if uid not in posts and city not in posts.values():
                posts[uid] = city
        return posts

    def make_placement(self, found: list[Content]) -> Placement:
        """Return the input of the search: the units without an order, and the hexes in reach of each unit."""
        pos, side, board = self.pos, self.side, self.board
        reached, rings = pos.communication(side), board.rings(self.home, board.all, FAR // 2)
        far = {hex_: number for number, ring in enumerate(rings) for hex_ in bits(ring)}
        goals = self.majors & (~pos.cities[side] | find_reach(pos, ENEMY[side]))
        free = [uid for uid in pos.units(side) if uid not in self.busy]
        ends = {uid: [pos.where[uid], *movement.reach(pos, uid, movement.MOVE)] for uid in free}

        def pull(uid: str, hex_: int) -> int:
            return -far.get(hex_, FAR // 2) * pos.strength(uid) // 3 - 30 * (not reached >> hex_ & 1)

        return Placement(
            make_potential(pos),
            side,
            ends,
            pull,
            lambda uid, stack: {*stack} <= {uid},
            partial(self.march, found),
            fears=True,
            judge=lambda list_stack: OCCUPIED * sum([bool(list_stack(hex_)) for hex_ in bits(goals)]),
            hopes=self.left == 1,
        )
