"""What a player of Kursk (1971) thinks about: the worth of a position, and plans for a message.

Points for destroyed strength decide, and for cities (14.0). Whoever cannot retreat is destroyed (8.0-ar), and most
results are retreats: a stack without a way out is worth most to its enemy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.fights import clamp_value, level_of
from kursk_pbem.kernel.hexes.stands import Stack, kept
from kursk_pbem.kernel.ideas import POINT, Idea, Ideas, Whim
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OFF_MAP, OVER, VERDICT, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import air, losses, movement, sequence, victory
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from kursk_pbem.rulesets.kursk_1971.position import PATROL, Position, position, view
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, HIGHEST_DIE, LOWEST_DIE, RESULTS, Setting

Content = dict[str, Any]
_Found = tuple[int, int, tuple[tuple[str, int], ...], bool, int]  # gain, hex, units with hexes, support, level
AIRCRAFT, STRENGTH, WIN = 4 * POINT, 15, 100 * POINT
# Above: the worth of an aircraft, of a point of strength beside its victory points, and of the game.
# Twelfths of a strength that comes from so many hexes; strength from one hex; least gain of a move; hexes looked at.
NEAR, ROOM, MARGIN, MOST = (0, 12, 10, 6, 3), 13, 15, 30


PLANS = (
    Idea("battle", "Main battle", "Attacks wherever more points should fall than the attack costs; others hold."),
    Idea("pincer", "Pincer", "Tanks close the ways out of enemy stacks; what cannot retreat is attacked first."),
    Idea("drive", "Drive on the cities", "Tanks march on the cities that bring points, and reserves follow."),
    Idea("line", "Hold the line", "Attacks only with great odds; units join threatened stacks in good ground."),
)
# Least gain of an attack; care for own risks in percent; pull to the front; worth of closing the ways out of a stack;
# pull of cities on tanks. In hundredths of a point, pulls for each hex.
TEMPERS = {
    "battle": (60, 60, 8, 0, 0),
    "pincer": (60, 60, 12, 300, 0),
    "drive": (60, 40, 12, 0, 40),
    "line": (300, 120, 4, 0, 0),
}


@kept
def _find_costs(pos: Position) -> dict[str, int]:
    """Return what the loss of each unit costs: its points now, or those for a Kampfgruppe, and its strength."""
    setting, units, counters, costs = pos.setting, pos.state.units, pos.setting.counters, dict[str, int]()
    free = [counters[kg] for kg in setting.reserve if setting.battlegroups and units[kg].place == OFF_MAP]
    groups = {values: group.worth for group in free for values in group.replaces}
    for uid in pos.where:
        counter, points = counters[uid], losses.count_points(setting, uid)
        if counter.motorized and counter.regular and (values := f"{counter.attack}-{counter.move}") in groups:
            points = setting.motorized_points * (counter.worth - groups[values]) + 1
        costs[uid] = AIRCRAFT if counter.air else points * POINT + STRENGTH * counter.worth
    return costs


@lru_cache(maxsize=4096)
def _count_stack(setting: Setting, stack: Stack) -> tuple[int, int]:
    """Return the strength of a stack in attack and defence, roughly: limited units count beside a regular one."""
    found = [setting.counters[uid] for uid in stack]
    return sum([each.attack for each in found]), sum([each.defence for each in found]) * any(u.regular for u in found)


def _find_gain(
    setting: Setting, odds: tuple[int, int], kill: int, mine: int, stuck: int, pay: Sequence[int], shut: int
) -> int:
    """Return the expected gain of an attack; ``stuck``: cost of attackers without a way out; ``pay``: of exchanges."""
    push, back, column = kill if shut else 20, -stuck - 10, clamp_value(odds[0], *setting.levels)
    gains = dict(zip(RESULTS, (-mine, back, push + back, push, kill - pay[0], kill - pay[1], kill), strict=True))
    dice = range(1 + odds[1], 7 + odds[1])
    return sum([gains[setting.crt[column, clamp_value(die, LOWEST_DIE, HIGHEST_DIE)]] for die in dice]) // 6


def _find_shift(setting: Setting, hex_: int, side: str) -> int:
    strong = setting.die["fortification"] * ((setting.forts[side] | setting.strongholds[side]) >> hex_ & 1)
    return min(setting.die.get(setting.terrain[hex_], 0), strong)


def _find_ways_out(pos: Position, hex_: int, side: str) -> Mask:
    return pos.setting.board.near[hex_] & ~(pos.enemies(side) | pos.find_controlled(side) | pos.crowded[side, True])


@kept
def _find_threat(pos: Position, hex_: int, side: str) -> int:
    """Return the strength that the enemy of a side may bring against a hex."""
    rings, foes, total = pos.setting.board.around(hex_), pos.enemies(side), 0
    for far in range(1, len(NEAR)) if rings[len(NEAR) - 1] & foes else ():
        for there in bits(rings[far] & ~rings[far - 1] & foes):
            total += NEAR[far] * _count_stack(pos.setting, pos.at[there])[0]
    return min(total // 12, ROOM * (pos.setting.board.near[hex_] & ~pos.occupied[side]).bit_count())


@kept
def _find_risk(pos: Position, hex_: int, stack: Stack, side: str) -> int:
    """Return what the enemy of a side may gain by an attack on a stack in a hex."""
    if not stack or not (threat := _find_threat(pos, hex_, side)):
        return 0
    supplied, shut = pos.find_supplied(side) >> hex_ & 1, not _find_ways_out(pos, hex_, side)
    kill, worth = sum(map(_find_costs(pos).__getitem__, stack)), _count_stack(pos.setting, stack)[1] // (2 - supplied)
    odds, pay = (level_of(threat, worth or 1), _find_shift(pos.setting, hex_, side) + 1), (worth * 120, worth * 60)
    return max(0, _find_gain(pos.setting, odds, kill, threat * 2 * POINT, 0, pay, shut)) if worth else kill


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return points, cities, strength, and a share of what each side may lose next: more if its enemy moves first."""
    pos, (one, other) = position(setting, state), setting.sides
    points, won, acts = victory.count_points(pos), state.mark(VERDICT, "winner"), state.side
    total = POINT * (points[one] - points[other]) + WIN * ((won == one) - (won == other))
    acts = acts if state.stage in (f"{acts}-orders", f"{acts}-set-up") else ENEMY[acts]
    for hex_, stack in pos.at.items() if state.stage != OVER else ():
        owner = pos.side(stack[0])
        worth = sum([AIRCRAFT if (of := setting.counters[uid]).air else STRENGTH * of.worth for uid in stack])
        worth -= _find_risk(pos, hex_, stack, owner) // (4 if owner == acts else 2)
        total += worth if owner == one else -worth
    return total if side == one else -total


class _General:
    """The writer of a message by a plan, phase by phase, on a copy of the position."""

    def __init__(self, setting: Setting, state: State, seq: int, plan: str, whim: Whim) -> None:
        self.setting, self.board, self.whim = setting, setting.board, whim
        self.gain, self.care, self.front, self.shut, self.city = TEMPERS[plan]
        self.shadow: Umpire[Setting] = Umpire(setting, state, seq, None)
        self.side, self.foe, self.busy, self.orders = state.side, ENEMY[state.side], set[str](), Content()
        phases = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
        if "movement" in phases:
            self._arrive(view(self.shadow))
            self._prepare(view(self.shadow), movement.INITIAL)
            self._assault()
            self._move_others(self.pos)
            self._raid()
        if "motorized" in phases and not {"battles", "superiority"} & self.orders.keys():
            self.busy.clear()
            self._prepare(view(self.shadow), movement.MOTOR)
            self._move_others(self.pos)
            over = {uid: [hex_ for hex_ in self.stacks if air.is_in_range(self.pos, uid, hex_)] for uid in self.flyers}
            patrols = [{"unit": uid, "hex": self.board.labels[max(near, key=self._risk)]} for uid, near in over.items()]
            self.orders |= {PATROL: patrols} if patrols else {}

    def _risk(self, hex_: int) -> int:
        return _find_risk(self.pos, hex_, self.stacks[hex_], self.side)

    def _arrive(self, pos: Position) -> None:
        rings = self.board.rings(pos.enemies(self.side), self.board.all, 2 * MOST)  # nearest to the enemy first
        spots = [self.board.labels[hex_] for ring in rings for hex_ in bits(ring & self.setting.entry[self.side])]
        for uid in movement.list_reinforcements(self.setting, pos, self.side):
            free = (each for each in spots if not movement.find_entry_fault(view(self.shadow), self.side, uid, each))
            if label := next(free, ""):
                arrivals = {"reinforcements": [{"unit": uid, "hex": label}]}
                self.orders.setdefault("reinforcements", []).extend(arrivals["reinforcements"])
                movement.move_initially(self.shadow, Filing(self.shadow.seq, self.side, orders=arrivals))

    def _prepare(self, pos: Position, phase: str) -> None:
        self.phase, self.pos, self.flyers, self.costs = phase, pos, air.list_ready(pos, self.side), _find_costs(pos)
        supply = {uid: 1 if pos.is_supplied(uid) else 2 for uid in pos.units(self.side)}
        self.power = power = {uid: self.setting.counters[uid].attack // halved for uid, halved in supply.items()}
        self.payer = {uid: (self.costs[uid] // max(1, power[uid]), -power[uid], uid) for uid in power}
        self.stacks = {hex_: stack for hex_, stack in pos.at.items() if pos.side(stack[0]) == self.side}
        self.points, self.reach, known = dict[str, int](), dict[str, Mask](), dict[Any, Any]()
        came = {order["unit"] for order in self.orders.get("reinforcements", ()) if phase == movement.INITIAL}
        for uid in pos.units(self.side):
            counter, here = self.setting.counters[uid], pos.where[uid]
            self.reach[uid] = 1 << here
            if counter.air or movement.find_move_fault(pos, uid, phase):
                continue
            price, supplied = (movement.entry_price(pos, uid, here), True) if uid in came else (0, supply[uid] == 1)
            self.points[uid] = movement.count_allowance(self.setting, uid, supplied=supplied) - price
            key = here, counter.large, counter.motorized, self.points[uid]
            known[key] = known.get(key) or movement.find_reach(pos, uid, self.points[uid])
            self.reach[uid] |= sum([1 << there for there in known[key]])

    def _go(self, uid: str, there: int) -> bool:
        pos, here = view(self.shadow), view(self.shadow).where[uid]
        march = movement.make_march(pos, uid, self.points[uid]) if here != there else None
        if march and (way := ways.way_to(march, there, self.board.around(there))):
            labels = [self.board.labels[hex_] for hex_ in way.path]
            self.orders.setdefault(self.phase, []).append({"unit": uid, "to": labels[-1]})
            movement.enter_hexes(self.shadow, "3.0-c", uid, labels, self.phase)
            self.stacks |= {hex_: view(self.shadow).stack(hex_) for hex_ in (here, there)}
            del self.points[uid]
        return view(self.shadow).where[uid] == there

    def _assault(self) -> None:
        """Move against the enemy stacks with the best expected gain, one after the other, and order the attacks."""
        waiting = sorted(filter(None, map(self._imagine, bits(self.pos.enemies(self.side)))))
        while waiting:
            plan = self._imagine(waiting.pop()[1])
            later = plan and waiting and plan[0] < waiting[-1][0]
            waiting = sorted([*waiting, plan]) if plan and later else waiting
            _gain, hex_, goals, flies, level = plan if plan and not later else (0, 0, (), False, 0)
            who, label = sorted([uid for uid, there in goals if self._go(uid, there)]), self.board.labels[hex_]
            self.busy.update(who)
            odds = assess(view(self.shadow), Battle(label, hex_, tuple(who))) if who else None
            if odds and len(who) == len(goals) and odds.level >= level and not odds.powerless:  # supply may change
                order: Content = {
                    "id": f"b{label}",
                    "hex": label,
                    "attackers": who,
                    "losses": sorted(who, key=self.payer.__getitem__),
                }
                order |= {"support": self._find_flyer(hex_), "unsupported": "skip"} if flies else {}
                self.flyers = [uid for uid in self.flyers if uid != order.get("support")]
                self.orders.setdefault("battles", []).append(order)

    def _find_flyer(self, hex_: int) -> str:
        able = [] if air.is_blocked(self.pos, self.side, hex_) else self.flyers
        return next((uid for uid in able if air.is_in_range(self.pos, uid, hex_)), "")

    def _has_room(self, stack: Stack, uid: str) -> bool:
        return self.setting.counters[uid].large not in self.setting.no_more(stack)

    def _imagine(self, hex_: int) -> _Found | None:
        """Return the best attack on a hex, None if its gain is too small: first its ways out are closed if possible."""
        now, near, ring = view(self.shadow), self.board.near, self.board.near[hex_] & ~self.pos.enemies(self.side)
        able = [uid for uid, reach in self.reach.items() if reach & ring and uid not in self.busy and self.power[uid]]
        able = [uid for uid in able if uid in self.points or ring >> now.where[uid] & 1]
        placed, first = {there: now.stack(there) for there in bits(ring)}, dict[str, int]()
        closers = [uid for uid in able if uid in self.setting.controlling and not ring >> now.where[uid] & 1]
        outs = _find_ways_out(now, hex_, self.foe)
        while outs:
            useful = {there: n for there in placed if (n := (outs & (near[there] | 1 << there)).bit_count())}
            ends = [(at, uid) for uid in closers for at in useful if uid not in first and self.reach[uid] >> at & 1]
            ends = [(at, uid) for at, uid in ends if self._has_room(placed[at], uid)]
            if not ends:
                break
            there, uid = max(ends, key=lambda end: (useful[end[0]], -_find_threat(self.pos, end[0], self.side), end))
            placed[there], first[uid], outs = (*placed[there], uid), there, outs & ~(near[there] | 1 << there)
        rest = [(uid, -1) for uid in sorted(able, key=self.payer.__getitem__) if uid not in first]
        found = self._fill(hex_, [*first.items(), *rest], placed, not outs)
        return found if found[0] > self.gain else None

    def _fill(self, hex_: int, who: list[tuple[str, int]], held: Mapping[int, Stack], shut: int) -> _Found:
        """Return the best attack by the first of the units; -1: the best hex is to be found."""
        setting, now, stack, placed = self.setting, view(self.shadow), self.pos.stack(hex_), {**held}
        kill, supplied = sum([self.costs[uid] for uid in stack]), self.pos.find_supplied(self.foe) >> hex_ & 1
        defence = _count_stack(setting, stack)[1] // (2 - supplied)
        kill += self.shut * shut + 6 * self.whim(f"attack {self.board.labels[hex_]}")
        land, wet, flyer = _find_shift(setting, hex_, self.foe), setting.die["river"], self._find_flyer(hex_)
        blind = {there for there in placed if not _find_ways_out(now, there, self.side)}
        units, total, mine, stuck, partners = dict[str, int](), 0, 0, 0, dict[tuple[int, str], int]()
        best: _Found = (-1, hex_, (), False, 0)
        for uid, goal in who:
            there, limited, cost = goal, setting.counters[uid].limited, self.costs[uid]
            here, spots = now.where[uid], [each for each in placed if self.reach[uid] >> each & 1]
            spots = [here] if here in placed else [each for each in spots if self._has_room(placed[each], uid)]
            if goal < 0:
                there = max(spots, key=lambda at: ((at, hex_) not in setting.rivers, at not in blind, at), default=-1)
            if there < 0 or (limited and partners.get((there, limited), 0) >= partners.get((there, ""), 0)):
                continue
            placed[there], units[uid] = tuple({**dict.fromkeys(placed[there]), uid: None}), there
            partners[there, limited] = partners.get((there, limited), 0) + 1
            total, mine, stuck = total + self.power[uid], mine + cost, stuck + cost * (there in blind)
            wet *= (there, hex_) in setting.rivers
            level = level_of(total, defence or 1)
            counts = {each: self.power[each] for each in sorted(units, key=self.payer.__getitem__)}
            dues = [losses.choose_payment(setting, counts, due, [*counts]) for due in (defence, (defence + 1) // 2)]
            pay = [sum([self.costs[each] for each in paid]) for paid in dues]
            for more in (0, setting.limits["support"]) if defence and flyer else (0,):
                odds = level, min(land, wet) + more
                gain = _find_gain(setting, odds, kill, mine, stuck, pay, shut) if defence else kill
                gain -= 20 * len(units) + 25 * more
                best = max(best, (gain, hex_, tuple(units.items()), bool(more), level if defence else 0))
            if level >= setting.levels[1] or not defence:
                break
        return best

    def _raid(self) -> None:
        for base in air.list_air_units(self.pos, self.foe):
            near = [uid for uid in self.flyers if air.is_in_range(self.pos, uid, self.pos.where[base])][:3]
            if len(near) > len(self.pos.list_aircraft(PATROL, self.foe, self.pos.where[base])):
                self.flyers = [uid for uid in self.flyers if uid not in near]
                self.orders.setdefault("superiority", []).append({"id": f"r-{base}", "base": base, "aircraft": near})

    def _move_others(self, pos: Position) -> None:
        """Move units that do not attack to where they risk less, and to where the plan wants them."""
        stacks, side, rings = self.stacks, self.side, self.board.rings(pos.enemies(self.side), self.board.all, MOST)
        self.far = {hex_: number for number, ring in enumerate(rings) for hex_ in bits(ring)}
        front = sum(rings[:4]) | pos.occupied[side]
        self.outs = {hex_: _find_ways_out(view(self.shadow), hex_, self.foe) for hex_ in bits(pos.enemies(side))}
        moods = {hex_: self.whim(f"stand {self.board.labels[hex_]}") // 2 for hex_ in bits(front)}
        for uid in sorted(self.points.keys() - self.busy, key=lambda uid: (-self._risk(pos.where[uid]), uid)):
            here = pos.where[uid]
            rest = tuple([each for each in stacks[here] if each != uid])
            leave = _find_risk(pos, here, stacks[here], side) - _find_risk(pos, here, rest, side)
            best, to, stay = MARGIN, here, self._pull(uid, here)
            spots = self.reach[uid] & front or next((near for ring in rings if (near := ring & self.reach[uid])), 0)
            for spot in bits(spots & ~(1 << here)):
                value, had = self._pull(uid, spot) - stay + moods.get(spot, 0), stacks.get(spot, ())
                if value + leave * self.care // 100 > best and self._has_room(had, uid):
                    more = _find_risk(pos, spot, (*had, uid), side) - _find_risk(pos, spot, had, side)
                    best, to = max((best, to), (value + (leave - more) * self.care // 100, spot))
            self._go(uid, to)

    def _pull(self, uid: str, hex_: int) -> int:
        far, tank, mine = (
            self.far.get(hex_, MOST),
            self.setting.counters[uid].motorized,
            self.board.near[hex_] | 1 << hex_,
        )
        value = -self.front * max(0, far - 2)
        if tank and self.city:
            value -= self.city * min(self.board.distance(hex_, city) for city in self.setting.objectives)
        if self.shut and uid in self.setting.controlling:
            near = [out for there, out in self.outs.items() if out & mine and self.board.distance(there, hex_) <= 2]
            value += sum([15 if out & ~mine else self.shut // 2 for out in near])
        return value


def propose(setting: Setting, state: State, seq: int, plan: str, _own: Mapping[str, Any], whim: Whim) -> Content:
    """Return the content of the next message by a plan."""
    orders = _General(setting, state, seq, plan, whim).orders
    return {"orders": orders} if orders else {}


IDEAS = Ideas(PLANS, evaluate, propose, lambda _setting, _state, _label, _whim: {})  # no plan: default losses
