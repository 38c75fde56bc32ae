"""The thoughts of a player of Kursk (1971): the worth of a position, and plans for a message.

Points for destroyed strength decide, and for cities (14.0). So attacks close the ways out of a stack first, and
the rest of the units leaves the enemy the least gain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.potential import Placement, Potential, take_best
from kursk_pbem.kernel.hexes.stands import Stack
from kursk_pbem.kernel.ideas import POINT, Idea, Ideas, Seals, Solve, Whim, march_nearest
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, VERDICT, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.practice.kursk_1971 import tactics
from kursk_pbem.practice.kursk_1971.assault import Force, Plan
from kursk_pbem.rulesets.kursk_1971 import air, movement, sequence, victory
from kursk_pbem.rulesets.kursk_1971.battles import find_partner_fault
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from kursk_pbem.rulesets.kursk_1971.position import PATROL, Position, position, view
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

Content = dict[str, Any]
WIN = 100 * POINT
"""The worth of the game."""
FAR, NEAR, FRONT, CUT = 30, 2, 5, 60
"""Hexes looked at from the enemy; hexes without a pull to the front; hexes of the front; the price of lost supply."""
LATE, BEHIND, AHEAD = 10, 160, 200
"""In the last turn: tenth of a lead in the least gain of an attack, and the limits of this change."""
WATCHED = 12
"""The attacks that patrols look at."""


class Temper(NamedTuple):
    """The aims of a plan: least gain of an attack, pull of the front and of cities for every hex of distance."""

    gain: int
    front: int
    city: int


PLANS = (
    Idea("battle", "Main battle", "Attacks wherever more points should fall than the attack costs; others hold."),
    Idea("drive", "Drive on the cities", "Tanks march on the cities that bring points, and reserves follow."),
    Idea("line", "Hold the line", "Attacks only with great odds; units stand where the enemy gains least."),
)
TEMPERS = {"battle": Temper(60, 8, 0), "drive": Temper(60, 12, 40), "line": Temper(300, 4, 0)}


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return the worth of a position for a side: victory points, cities, strength and likely losses."""
    pos, (one, other) = position(setting, state), setting.sides
    points, won = victory.count_points(pos), state.mark(VERDICT, "winner")
    total = POINT * (points[one] - points[other]) + WIN * ((won == one) - (won == other))
    if state.stage != OVER:
        acts = state.side if state.stage in (f"{state.side}-orders", f"{state.side}-set-up") else ENEMY[state.side]
        potential = tactics.Attacks(pos).make_potential()
        for owner, sign in ((one, 1), (other, -1)):
            found = [setting.counters[uid] for uid in pos.units(owner)]
            worth = sum(tactics.AIRCRAFT if unit.air else tactics.STRENGTH * unit.worth for unit in found)
            total += sign * (worth - potential.count(ENEMY[owner]) // (4 if owner == acts else 2))
    return total if side == one else -total


class _Writer:
    """The writer of a message by a plan, phase by phase, on a copy of the position."""

    def __init__(self, setting: Setting, state: State, seq: int, plan: str, whim: Whim, solve: Solve) -> None:
        self.setting, self.board, self.temper = setting, setting.board, TEMPERS[plan]
        self.whim, self.solve = whim, solve
        self.shadow: Umpire[Setting] = Umpire(setting, state, seq, None)
        self.side, self.foe = state.side, ENEMY[state.side]
        self.orders: Content = {}

    @property
    def now(self) -> Position:
        """The position after the orders so far."""
        return view(self.shadow)

    def write_orders(self) -> Content:
        """Return the orders of the message."""
        phases = {phase.key for phase in sequence.list_stages(self.setting)[self.shadow.state.stage].phases}
        if "movement" in phases:
            self._place_arrivals()
            self._begin_phase(movement.INITIAL)
            self._order_attacks()
            self.solve(self._make_placement())
            self._drop_powerless()
            self._order_raids()
        if "motorized" in phases and not {"battles", "superiority"} & self.orders.keys():
            self._begin_phase(movement.MOTOR)
            self.solve(self._make_placement())
            self._order_patrols()
        return self.orders

    def _place_arrivals(self) -> None:
        """Place reinforcements nearest to the enemy."""
        rings = self.board.rings(self.now.enemies(self.side), self.board.all, 2 * FAR)
        spots = [self.board.labels[hex_] for ring in rings for hex_ in bits(ring & self.setting.entry[self.side])]
        for uid in movement.list_reinforcements(self.setting, self.now, self.side):
            free = (each for each in spots if not movement.find_entry_fault(self.now, self.side, uid, each))
            if label := next(free, ""):
                order = {"unit": uid, "hex": label}
                self.orders.setdefault("reinforcements", []).append(order)
                filing = Filing(self.shadow.seq, self.side, orders={"reinforcements": [order]})
                movement.move_initially(self.shadow, filing)

    def _begin_phase(self, phase: str) -> None:
        """Look at the position in which a phase begins."""
        self.phase, self.pos = phase, self.now
        came = {order["unit"] for order in self.orders.get("reinforcements", ()) if phase == movement.INITIAL}
        self.force = Force(self.pos, self.side, phase, came)
        self.attacks = tactics.Attacks(self.pos)
        self.potential: Potential = self.attacks.make_potential()
        self.flyers = air.list_ready(self.pos, self.side)

    def march(self, uid: str, there: int) -> bool:
        """Order a unit to a hex; return whether the unit arrives."""
        here = self.now.where[uid]
        unit = movement.make_march(self.now, uid, self.force.points[uid]) if here != there else None
        if unit and (way := ways.way_to(unit, there, self.board.around(there))):
            labels = [self.board.labels[hex_] for hex_ in way.path]
            self.orders.setdefault(self.phase, []).append({"unit": uid, "to": labels[-1]})
            movement.enter_hexes(self.shadow, "3.0-c", uid, labels, self.phase)
            del self.force.points[uid]
        self.potential.put(uid, self.now.where[uid])
        return self.now.where[uid] == there

    def _order_attacks(self) -> None:
        """Move against the enemy stacks with the best expected gain, one after the other, and order the attacks."""
        self.least = self._find_least()
        found = [plan for hex_ in bits(self.pos.enemies(self.side)) if (plan := self._imagine_attack(hex_))]
        for plan in take_best(found, lambda plan: self._imagine_attack(plan.hex)):
            went = [uid for uid, there in plan.goals if self.march(uid, there)]
            self.force.busy.update(went)
            beside = self.board.near[plan.hex]
            who = sorted(uid for uid in went if self.force.power[uid] and beside >> self.now.where[uid] & 1)
            if len(went) == len(plan.goals) and who:
                self._declare_attack(plan, who)

    def _imagine_attack(self, hex_: int) -> Plan | None:
        """Return the best attack on a hex, None if its gain is too small."""
        mood, flies = 16 * self.whim(f"attack {self.board.labels[hex_]}"), self._find_flyer(hex_) != ""
        plan = self.force.imagine(self.now, hex_, mood, flies=flies)
        return plan if plan and plan.gain > self.least else None

    def _find_least(self) -> int:
        """Return the least gain of an attack: in a side's last turn less if the side is behind, more if it is ahead."""
        if self.pos.state.turn != self.setting.turns[-1]:
            return self.temper.gain
        points = victory.count_points(self.pos)
        ahead = points[self.side] - points[self.foe]
        return self.temper.gain + max(-BEHIND, min(ahead * POINT // LATE, AHEAD))

    def _declare_attack(self, plan: Plan, who: list[str]) -> None:
        """Order an attack, unless supply or partners have changed."""
        label = self.board.labels[plan.hex]
        odds = assess(self.now, Battle(label, plan.hex, tuple(who)))
        if odds.level < plan.level or odds.powerless or find_partner_fault(self.now, who):
            return
        order: Content = {"id": f"b{label}", "hex": label, "attackers": who}
        order["losses"] = sorted(who, key=self.force.payer.__getitem__)
        if plan.hex in self.setting.objectives:
            order["advance"] = sorted(who, key=lambda uid: (self.force.power[uid], uid))
        if plan.flies:
            order |= {"support": self._find_flyer(plan.hex), "unsupported": "skip"}
            self.flyers.remove(order["support"])
        self.orders.setdefault("battles", []).append(order)

    def _drop_powerless(self) -> None:
        """Drop attacks without strength (6.0-b, 7.0-g): a later march may cut the attackers' supply."""
        battles = self.orders.pop("battles", [])
        asked = [(each, self.board.index[each["hex"]], tuple(each["attackers"])) for each in battles]
        kept = [each for each, hex_, who in asked if not assess(self.now, Battle(each["id"], hex_, who)).powerless]
        if kept:
            self.orders["battles"] = kept

    def _make_placement(self) -> Placement:
        """Return the places of the units that do not attack."""
        pos, setting, temper, ends = self.now, self.setting, self.temper, dict[str, list[int]]()
        rings = self.board.rings(pos.enemies(self.side), self.board.all, FAR)
        far = {hex_: number for number, ring in enumerate(rings) for hex_ in bits(ring)}
        front = sum(rings[: FRONT + 1]) | sum(1 << city for city in setting.objectives)
        fed = pos.find_supplied(self.side)
        fed |= self.board.spread(fed)
        for uid in sorted(self.force.points.keys() - self.force.busy):
            here, reach = pos.where[uid], self.force.reach[uid] & ~pos.enemies(self.side)
            near = reach & front
            if not near & ~(1 << here):
                near = next((ring & reach for ring in rings if ring & reach), 0)
            ends[uid] = [here, *bits(near & ~(1 << here))]
        moods = {hex_: self.whim(f"stand {self.board.labels[hex_]}") for hex_ in bits(self.board.all)}
        wanted = self.attacks.find_wanted(self.side)

        def pull(uid: str, end: int) -> int:
            worth = moods[end] - temper.front * max(0, far.get(end, FAR) - NEAR)
            worth -= CUT if not fed >> end & 1 or (front >> end & 1 and not pos.is_near_army(uid, end)) else 0
            if temper.city and setting.counters[uid].motorized:
                worth -= temper.city * min(self.board.distance(end, city) for city in setting.objectives)
            return worth

        def judge(list_stack: Callable[[int], Stack]) -> int:
            return sum(tactics.find_prize(setting, city) for city in wanted if list_stack(city))

        last = pos.state.turn == setting.turns[-1]
        fears = not (last and self.side == setting.second)
        return Placement(self.potential, self.side, ends, pull, self.force.fits, self.march, fears, judge)

    def _find_flyer(self, hex_: int) -> str:
        able = [] if air.is_blocked(self.pos, self.side, hex_) else self.flyers
        return next((uid for uid in able if air.is_in_range(self.pos, uid, hex_)), "")

    def _order_raids(self) -> None:
        """Send up to three aircraft against every base in range with fewer patrols."""
        for base in air.list_air_units(self.pos, self.foe):
            near = [uid for uid in self.flyers if air.is_in_range(self.pos, uid, self.pos.where[base])][:3]
            if len(near) > len(self.pos.list_aircraft(PATROL, self.foe, self.pos.where[base])):
                self.flyers = [uid for uid in self.flyers if uid not in near]
                raid = {"id": f"r-{base}", "base": base, "aircraft": near}
                self.orders.setdefault("superiority", []).append(raid)

    def _order_patrols(self) -> None:
        """Send every aircraft over the hex with the greatest loss of enemy gains."""
        left, covered, patrols = [*self.flyers], self.attacks.covered, list[Content]()
        while left:
            had, threats = covered[self.side], self.potential.list_attacks(self.foe)
            best = 0, "", 0
            for attack in threats[:WATCHED]:
                who = next((uid for uid in left if air.is_in_range(self.pos, uid, attack.hex)), "")
                if who and not had >> attack.hex & 1:
                    covered[self.side] = had | 1 << attack.hex
                    saved = sum(each.gain for each in threats) - self.potential.count(self.foe)
                    best = max(best, (saved, who, attack.hex))
            _saved, who, hex_ = best
            covered[self.side] = had | (1 << hex_ if who else 0)
            if not who:
                break
            left.remove(who)
            patrols.append({"unit": who, "hex": self.board.labels[hex_]})
        if patrols:
            self.orders[PATROL] = patrols


def propose(
    setting: Setting, state: State, seq: int, plan: str, _own: Seals, whim: Whim, solve: Solve = march_nearest
) -> Content:
    """Return the content of the next message, chosen by a plan."""
    orders = _Writer(setting, state, seq, plan, whim, solve).write_orders()
    return {"orders": orders} if orders else {}


def find_threats(setting: Setting, state: State, side: str) -> dict[str, int]:
    """Return the enemy's expected gain from an attack in the next turn, for each place of a side."""
    return tactics.Attacks(position(setting, state)).make_potential().find_threats(side)


EFFORTS = {0: 0, 1: 0, 2: 300}
IDEAS = Ideas(PLANS, evaluate, propose, lambda _setting, _state, _label, _whim: {}, EFFORTS, find_threats)
"""The opponent seals no plan, so the default losses are a likely plan."""
