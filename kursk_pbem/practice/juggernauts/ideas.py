"""The thoughts of a player of Juggernauts: the worth of a position, and plans for a message.

Garrisons take cities first, then attackers take places, then the rest of the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kursk_pbem.kernel.hexes.board import Board, bits
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX
from kursk_pbem.kernel.hexes.potential import Placement, take_best
from kursk_pbem.kernel.ideas import POINT, Idea, Ideas, Seals, Solve, Whim, march_nearest
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.state import OVER, STANDING, VERDICT, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.practice.juggernauts import tactics
from kursk_pbem.practice.juggernauts.assault import Force, Plan
from kursk_pbem.rulesets.juggernauts import arrivals, battles, marks, movement, readiness, sequence, setup
from kursk_pbem.rulesets.juggernauts.answers import NO_RETREAT
from kursk_pbem.rulesets.juggernauts.position import Position, position, view
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, FIRST, GERMAN, Setting

Content = dict[str, Any]
WIN = 400 * POINT
"""The worth of the game."""
PULLED, INSIDE = 14, 20
"""The range of a city's pull in hexes; the additional hexes of a pull inside of the city."""
GUARDED, CARELESS, STRENGTH = 100, 8, 40
"""Least gain of a unit in a garrison, and the rise by whims; the price of a factor without an attack."""


class Temper(NamedTuple):
    """The aims of a plan: least gain of an attack, pull of enemy and of own cities, worth of closing ways out."""

    gain: int
    drive: int
    guard: int
    shut: int


PLANS = (
    Idea("drive", "Drive on the cities", "Armour marches on the cities that decide, and attacks what bars the way."),
    Idea("battle", "Main battle", "Attacks wherever it should gain more than it costs, on the way to the cities."),
    Idea("pincer", "Pincer", "Closes the ways out of enemy stacks, so that a retreat destroys them."),
    Idea("guard", "Guard the cities", "Stands before its own cities in danger, and attacks only with good odds."),
)
TEMPERS = {
    "battle": Temper(40, 40, 30, 0),
    "drive": Temper(0, 90, 20, 0),
    "pincer": Temper(40, 40, 30, 200),
    "guard": Temper(80, 40, 60, 0),
}


def list_pulls(pos: Position, side: str, drive: int, guard: int) -> list[tuple[int, int]]:
    """Return how much each city to take, retake or protect attracts a side's units: (hex, attraction)."""
    goals = [(hex_, drive * price // tactics.CITY) for hex_, price in tactics.list_own(pos, ENEMY[side])]
    for hex_, price in tactics.list_own(pos, side):
        near = [uid for there in bits(pos.setting.board.around(hex_)[1]) for uid in pos.here(there, side)]
        danger = tactics.find_danger(pos, price, tactics.find_threat(pos, hex_, side), near)
        goals.append((hex_, guard * danger // tactics.CITY))
    return goals


def find_pull(board: Board, goals: Sequence[tuple[int, int]], here: int) -> int:
    """Return how much the strongest goal attracts units in a hex, or 0 if every goal is too far away."""
    found = [(pull, board.distance(here, goal)) for goal, pull in goals]
    return max([0, *(pull * (max(0, PULLED - far) + INSIDE * (not far)) for pull, far in found)])


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return the worth of a position for a side: cities, units, distances to cities and likely losses."""
    pos, (one, other), labels = position(setting, state), setting.sides, setting.board.labels
    acts = state.side if state.stage.endswith(("-orders", "-half", "-rest")) else ENEMY[state.side]
    total = WIN * ((state.mark(VERDICT, "winner") == one) - (state.mark(VERDICT, "winner") == other))
    if state.stage == OVER:
        return total if side == one else -total
    potential = tactics.Attacks(pos).make_potential()
    for owner, sign in ((one, 1), (other, -1)):
        goals, supply = list_pulls(pos, owner, 40, 30), pos.supply(owner)
        worth = sum(price for hex_, price in tactics.list_goals(setting, owner) if pos.owner(labels[hex_]) == owner)
        for uid in pos.units(owner):
            hex_ = pos.where[uid]
            whole = 3 + (supply >> hex_ & 1) - pos.is_marked(marks.DISRUPTED, uid)
            pull = find_pull(setting.board, goals, hex_)
            worth += (tactics.find_cost(pos, [uid]) * whole + pos.counter(uid).attack * pull) // 4
        total += sign * (worth - potential.count(ENEMY[owner]) * (1 if owner == acts else 2) // 6)
    return total if side == one else -total


class _Writer:
    """The writer of a message by a plan, phase by phase, on a copy of the position."""

    def __init__(self, setting: Setting, state: State, seq: int, plan: str, whim: Whim, solve: Solve) -> None:
        self.setting, self.board, self.temper = setting, setting.board, TEMPERS[plan]
        self.whim, self.solve, self.side, self.foe = whim, solve, state.side, ENEMY[state.side]
        self.shadow: Umpire[Setting] = Umpire(setting, state, seq)
        self.orders: Content = {}
        late = 4 + setting.turns.index(state.turn)  # in later turns cities count more
        goals = list_pulls(self.now, self.side, self.temper.drive * late // 4, self.temper.guard)
        self.pulls = {hex_: find_pull(self.board, goals, hex_) for hex_ in bits(self.board.all)}
        self.keep = tactics.list_cities(setting)

    @property
    def now(self) -> Position:
        """The position after the orders so far."""
        return view(self.shadow)

    def write_orders(self) -> Content:
        """Return the orders of the message."""
        keys = {phase.key for phase in sequence.list_stages(self.setting)[self.shadow.state.stage].phases}
        if "wedges" in keys:
            self._turn_wedges()
        if "guns" in keys:
            self._set_guns()
        if "allocation" in keys:
            second = movement.second_step(self.shadow.state)
            self.force = Force(self.now, self.side, self.pulls, self.temper.shut, second=second)
            self._garrison()
            self._move_attackers()
            self.solve(self._make_placement())
            self._order_attacks(movement.place_panthers(self.setting, self.shadow.state))
        if "replacements" in keys and BATTLES not in self.orders:
            self._return_tanks()
        return self.orders

    def _turn_wedges(self) -> None:
        """Turn each possible Panzerkeil toward the best hex beside it."""
        for uid in self.now.units(self.side):
            if readiness.can_form(self.now, uid):
                here = self.now.where[uid]
                to = max(bits(self.board.near[here]), key=self.pulls.__getitem__)
                way = POINTY_NAMES[self.board.grid.direction(self.board.places[here], self.board.places[to])]
                self.orders.setdefault("panzerkeil", []).append({"unit": uid, "facing": way})
        readiness.form_wedges(self.shadow, Filing(self.shadow.seq, self.side, orders=self.orders))

    def _set_guns(self) -> None:
        """Emplace artillery beside enemies and their first line, and put the rest on the road."""
        pos = self.now
        foes = pos.occupied[self.foe] | pos.active[self.foe] & self.setting.first_lines[self.foe]
        for uid in pos.units(self.side):
            if pos.counter(uid).kind == ARTILLERY and not pos.is_marked(marks.DISRUPTED, uid):
                near = bool(self.board.near[pos.where[uid]] & foes)
                if near != pos.is_marked(marks.EMPLACED, uid):
                    self.orders.setdefault("emplace" if near else "road", []).append(uid)
        readiness.set_artillery(self.shadow, Filing(self.shadow.seq, self.side, orders=self.orders))

    def _return_tanks(self) -> None:
        """Return the strongest eliminated tanks that the saved factors pay, before the next turn."""
        pos, saved = self.now, self.now.state.tracks[arrivals.FACTORS] + self.setting.factors
        places = [label for label in self.setting.arrivals["replacements"] if arrivals.can_return_to(pos, label)]
        if places and pos.state.turn != self.setting.turns[-1]:
            for uid in sorted(arrivals.list_lost_tanks(pos), key=lambda uid: -pos.counter(uid).attack):
                if (cost := pos.counter(uid).attack) <= saved:
                    saved -= cost
                    self.orders.setdefault("replacements", []).append({"unit": uid, "hex": places[0]})

    def march(self, uid: str, there: int) -> bool:
        """Order a unit to a hex; return whether the unit arrives."""
        pos, way = self.now, self.force.ends.get(uid, {}).get(there)
        if not way or not all(pos.has_room(uid, hex_) for hex_ in way.path):
            return pos.where[uid] == there
        orders = [{"unit": uid, "path": [self.board.labels[hex_] for hex_ in way.path]}]
        trial: Umpire[Setting] = Umpire(self.setting, self.shadow.state, self.shadow.seq)
        if not self.force.close[uid] >> there & 1:  # with the bonus, where a friend may have left the way
            movement.move_units(trial, Filing(self.shadow.seq, self.side, orders={"movement": orders}))
        if trial.violations:
            return False
        movement.carry_out(self.shadow, uid, way, again=self.force.second)
        self.orders.setdefault("movement", []).extend(orders)
        del self.force.ends[uid]
        return True

    def _garrison(self) -> None:
        """Keep or bring units into the own cities, the most endangered first: strong in defence, weak in attack."""
        pos, force = self.now, self.force
        own = tactics.list_own(pos, self.side)
        threats = [(price, tactics.find_threat(pos, hex_, self.side), hex_) for hex_, price in own]
        for price, threat, hex_ in sorted(threats, key=lambda each: (each[0] * each[1], each[2]), reverse=True):
            kept = list[str]()
            least = GUARDED + CARELESS * self.whim(f"guard {self.board.labels[hex_]}")
            able = [uid for uid in pos.units(self.side) if pos.where[uid] == hex_ or hex_ in force.ends.get(uid, ())]

            def measure(units: Sequence[str], price: int = price, threat: int = threat) -> int:
                attack = sum(pos.counter(uid).attack for uid in units)
                return tactics.find_danger(pos, price, threat, units) + STRENGTH * attack

            while True:
                free = [uid for uid in able if uid not in (*kept, *force.busy) and force.fits(uid, tuple(kept))]
                options = [(measure([*kept, uid]), pos.where[uid] != hex_, uid) for uid in free]
                if not options or min(options)[0] >= measure(kept) - least:
                    break
                kept.append(min(options)[-1])
            for uid in kept:
                if self.march(uid, hex_):
                    force.busy.add(uid)
                    force.kept.add(uid)
                    force.ends.pop(uid, None)

    def _move_attackers(self) -> None:
        """Move against the enemy stacks and lines with the best expected gain, one after the other."""
        pos = self.now
        lines = sum(1 << hex_ for hex_ in bits(pos.active[self.foe]) if self.setting.lines[hex_].grade == FIRST)
        targets = bits(pos.occupied[self.foe] | lines & ~pos.occupied[self.side])
        found = [plan for hex_ in targets if (plan := self._imagine_attack(hex_))]
        for plan in take_best(found, lambda plan: self._imagine_attack(plan.hex)):
            self.force.busy.update(uid for uid, there in plan.goals if self.march(uid, there))

    def _imagine_attack(self, hex_: int) -> Plan | None:
        plan = self.force.imagine(self.now, hex_, 3 * self.whim(f"at {hex_}"))
        return plan if plan.gain > self.temper.gain else None

    def _make_placement(self) -> Placement:
        """Return the places of the units that do not attack."""
        pos, side, setting = self.now, self.side, self.setting
        ends = {uid: [pos.where[uid], *self.force.ends[uid]] for uid in sorted({*self.force.ends} - self.force.busy)}
        moods = {hex_: self.whim(f"stand {self.board.labels[hex_]}") // 3 for hex_ in self.pulls}

        def pull(uid: str, end: int) -> int:
            return self.pulls[end] * (2 if setting.counters[uid].move > 1 else 1) + moods[end]

        fears = not (pos.state.turn == setting.turns[-1] and side != GERMAN)
        potential = tactics.Attacks(pos).make_potential()
        return Placement(potential, side, ends, pull, self.force.fits, self.march, fears)

    def _order_attacks(self, pos: Position) -> None:
        """Order the attacks that should gain, in the position after the moves."""
        found = list[Content]()
        for group in self.force.list_groups(pos, self.temper.gain // 2):
            orders = [*found, *(self.force.write_order(pos, battle, self.keep) for battle in group)]
            trial: Umpire[Setting] = Umpire(self.setting, self.shadow.state, self.shadow.seq)
            battles.declare_attacks(trial, Filing(self.shadow.seq, self.side, orders={BATTLES: orders}))
            found = found if trial.violations else orders
        if found:
            self.orders[BATTLES] = found


def propose(
    setting: Setting, state: State, seq: int, plan: str, _own: Seals, whim: Whim, solve: Solve = march_nearest
) -> Content:
    """Return the content of the next message, chosen by a plan. Tank units get their historical hexes."""
    stage, side = sequence.list_stages(setting)[state.stage], state.side
    if stage.key.endswith(("-half", "-rest")):
        most = setup.count_half(setting, side) if stage.key.endswith("-half") else 0
        placed = {uid: setting.counters[uid].hex for uid in setup.list_free_units(setting, side)[:most]}
        sealed = {"seal": {setup.HALF if placed else setup.REST: placed}}
        return sealed if side == GERMAN else {"orders": {"placement": placed}} if placed else {}
    orders = _Writer(setting, state, seq, plan, whim, solve).write_orders()
    content = {"orders": orders} if orders else {}
    if stage.kind == ANSWER or (setting.refereed and STANDING + side not in state.agenda):
        held = tactics.list_cities(setting)
        content["policy"] = {BY_HEX: {setting.board.labels[hex_]: {NO_RETREAT: "yes"} for hex_ in held}}
    return content


def find_threats(setting: Setting, state: State, side: str) -> dict[str, int]:
    """Return the enemy's expected gain from an attack in the next turn, for each place of a side."""
    return tactics.Attacks(position(setting, state)).make_potential().find_threats(side)


EFFORTS = {0: 0, 1: 0, 2: 4_000}
IDEAS = Ideas(
    PLANS,
    evaluate,
    propose,
    lambda _setting, _state, _label, _whim: {},
    EFFORTS,
    find_threats,
    measure="combat factors",
    unit=tactics.FACTOR,
)
"""The opponent seals no plan, so the defaults are a likely plan."""
