"""What the practice opponent thinks about: the worth of a position, and plans that differ in kind.

A player of ours looks for goals on the map, moves unit by unit to the best hex, and then chooses the battles with the
best mean results. Nothing here decides anything of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kursk_pbem.kernel.events import Placed
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.ideas import POINT, Idea, Ideas, Whim
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, PENDING, VERDICT, State
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.rulesets.battle_for_kursk import combat, entry, movement, posture, replacements, victory
from kursk_pbem.rulesets.battle_for_kursk.answers import EXCHANGE_DR, EXCHANGE_DRL, STAND_FAST
from kursk_pbem.rulesets.battle_for_kursk.odds import assess
from kursk_pbem.rulesets.battle_for_kursk.orders import IF_SUPPLIED, Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position, view
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, GERMAN, MAJOR, REDUCED, RUSSIAN, Setting

PLANS = (
    Idea("cities", "Take and hold cities", "March on Major Cities, hold the own ones, and fight wherever it pays."),
    Idea("wait", "Hold what we have", "Stay out of reach in good ground, do not fight, and save Offensives."),
)
# What moves and battles are compared in: the worth of a strength point, and of a victory point.
STEP, CITY = 100, 1_400
FAR = 14  # hexes from which a goal still draws a unit
LEAST = 30  # a battle that gains less is not fought
MOST_BATTLES = 9
POLICY = {STAND_FAST: "full", EXCHANGE_DR: "full", EXCHANGE_DRL: "doomed"}
# Result -> steps that attacker and defender lose, in hundredths; a retreat is a fifth of a step.
LOSSES = {"AL": (100, 0), "NE": (0, 0), "DR": (0, 20), "EX": (100, 120), "DRL": (0, 120), "DE": (0, 230)}
SIGN = {RUSSIAN: 1, GERMAN: -1}
Content = dict[str, Any]
Worth = Callable[[int], int]  # of a hex


@lru_cache(maxsize=8)
def _majors(setting: Setting) -> Mask:
    return sum(1 << hex_ for hex_, kind in setting.cities.items() if kind == MAJOR)


@lru_cache(maxsize=512)
def _pull(setting: Setting, goal: int) -> tuple[int, ...]:
    """Return the pull of a goal by hex: 14 in the goal, one less for each hex of distance."""
    rings = setting.board.around(goal)[:FAR]
    return tuple([sum(ring >> hex_ & 1 for ring in rings) for hex_ in range(len(setting.board.labels))])


def _strengths(pos: Position, hexes: Mask) -> int:
    return sum(pos.strength(pos.unit(hex_)) for hex_ in bits(hexes))


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return the worth of a position for a side: victory points, steps, supply, cities in danger, an open Moscow."""
    if state.mark(VERDICT, "how") == "moscow":
        return -20 * POINT * SIGN[side]
    worth = victory.score(setting, state).total * POINT
    if state.stage == OVER:
        return worth * SIGN[side]
    pos = position(setting, state)
    for uid, counter in setting.counters.items():
        unit, sign = state.units[uid], SIGN[counter.side]
        reached = uid in pos.where and pos.communication(counter.side) >> pos.where[uid] & 1
        worth += sign * ((5 + 2 * reached) * counter.strength[unit.steps] if unit.steps else -14)
    for holder, sign in SIGN.items():
        worth -= sum(_find_danger(pos, hex_, holder) for hex_ in bits(_majors(setting) & pos.cities[holder])) * sign
    if setting.moscow not in pos.at and setting.board.around(setting.moscow)[6] & pos.occupied[GERMAN]:
        worth -= 180
    return worth * SIGN[side]


def _find_danger(pos: Position, hex_: int, holder: str) -> int:
    """Return how much a Major City is in danger from enemies beside it."""
    near = pos.setting.board.near[hex_]
    mine, theirs = _strengths(pos, near & pos.occupied[holder]), _strengths(pos, near & pos.enemies(holder))
    garrison = pos.strength(pos.unit(hex_)) if hex_ in pos.at else 0
    return max(0, min(36, (40 * theirs - 60 * garrison - 12 * mine) // 10))


class _Mind:
    """The thoughts about one message. ``sketch``: the position after the orders so far."""

    def __init__(self, setting: Setting, state: State, seq: int, plan: str, whim: Whim) -> None:
        self.setting, self.board, self.state, self.seq = setting, setting.board, state, seq
        self.side, self.plan, self.whim = state.side, plan, whim
        self.sketch, self.free = Umpire(setting, state, seq, None), 0

    @property
    def pos(self) -> Position:
        return view(self.sketch)

    def content(self) -> Content:
        due = posture.weather_due(self.state)
        match self.state.stage:
            case "reveal" | "first-binding":
                return {}
            case "opening":
                orders = {"orders": {"distribution": self.distribution()}} if self.setting.distribution else {}
                return orders if due else {**orders, "seal": self.posture(self.state.turn)}
            case "weather" | "first-weather" | "resumed":
                return {} if due else {"seal": self.posture(self.state.turn)}
            case "weather-answer":
                return {"choice": self.posture(self.state.turn)}
            case "german-answer" | "russian-answer":
                return {"policy": dict(POLICY)}
            case "german-decision" | "russian-decision":
                battle, asked = combat.list_declared(self.setting, self.state.agenda)[0], self.state.agenda[PENDING]
                full = self.state.units[battle.defender].steps == FULL  # a reduced unit accepts
                return {"decisions": {asked["battle"]: asked["options"][-1 if full else 0]}}
            case "german-dice" | "russian-dice" if PENDING in self.state.agenda:
                left = combat.list_declared(self.setting, self.state.agenda)[1:]
                new = {plans.label(self.seq): {battle.id: self.plan_for(battle) for battle in left}}
                return {"seal": new} if left and not self.setting.refereed else {}
            case "posture":
                choice = self.posture(self.state.turn)
                posture.choose(self.sketch, Filing(self.seq, self.side, choice=choice, waive="posture"))
                return {"choice": choice, "waive": "posture", **self.turn()}
            case _:
                return self.turn()

    def distribution(self) -> list[str]:
        counters, chosen = self.setting.counters, list[str]()
        able = [uid for uid in self.pos.units(RUSSIAN) if self.state.units[uid].steps == REDUCED]
        able.sort(key=lambda uid: -counters[uid].strength[FULL])
        for kind, steps in self.setting.distribution.items():
            chosen += [uid for uid in able if counters[uid].infantry == (kind == "infantry")][:steps]
        return chosen

    def posture(self, turn: str) -> Content:
        names, state = list(self.setting.phases), self.sketch.state
        wish = names[1] if self.plan == "wait" else names[3]
        able = list(posture.list_affordable(state, self.side)) if turn == state.turn else []
        able = able or names[: names.index(state.mark(self.side, "posture")) + 2]
        return {posture.label(turn): {"posture": wish if wish in able else able[-1], "reaction": "no"}}

    def turn(self) -> Content:
        phases, orders = self.setting.phases[self.sketch.state.mark(self.side, "posture")], Content()
        steps = {"replacement": self.replace, "armor-and-rail": self.move, "combat": self.fight, "movement": self.move}
        for phase in [*steps][3:] if self.state.stage.endswith("-dice") else steps:
            try:
                steps[phase](phase, orders) if phase in phases and not orders.get("battles") else None
            except GameEnded:  # a German stands in Moscow
                return {"orders": orders}
        following = self.setting.turns[self.setting.turns.index(self.state.turn) + 1 :][:1]
        rolls = [turn for turn in following if self.setting.weather_die and self.setting.boxes[turn].mud_die]
        seals = self.side == RUSSIAN and following and not (rolls or orders.get("battles"))
        seal = {"seal": self.posture(following[0])} if seals else {}
        return {"orders": {key: value for key, value in orders.items() if value}, **seal}

    def replace(self, _phase: str, orders: Content) -> None:
        state = replacements.after_returns(self.setting, self.sketch.state, self.side)
        self.sketch = Umpire(self.setting, state, self.seq, None)
        net = replacements.count_points(self.setting, state, self.side)
        orders["give-ups"] = replacements.proposed_give_ups(self.pos, self.side, net)
        orders["replacements"], pull, ranked = list[Content](), self.pull(), list[tuple[int, str, int]]()
        for uid, unit in state.units.items():
            strength = self.setting.counters[uid].strength
            if self.setting.counters[uid].side == self.side and unit.steps < FULL:
                gain = strength[unit.steps + 1] - strength[unit.steps] + 2 * (not unit.steps)
                ranked.append((-STEP * gain - self.whim(f"gain {uid}"), uid, unit.steps))
        for _gain, uid, steps in sorted(ranked):
            kind, pos = replacements.point_type(self.setting, uid), self.pos
            spots = [] if steps or net[kind] <= 0 else replacements.find_placements(pos, uid)
            if steps and net[kind] > 0 and uid in pos.where and replacements.in_communication(pos, uid):
                spots = [pos.where[uid]]
            for hex_ in sorted(spots, key=lambda hex_: -pull[hex_])[:1]:
                label, how = self.board.labels[hex_], "flip" if steps else "place"
                orders["replacements"].append({"unit": uid, "gain": how, **({} if steps else {"hex": label})})
                self.sketch.emit(Placed("10.0", uid, label, steps + 1, how))
                entry.record_entry(self.sketch, uid, label)
                net[kind] -= 1
        for uid in orders["give-ups"]:
            combat.lose(self.sketch, "10.6", uid, 1, "given up")

    # Return the goals with their weight in percent: enemy cities, the objective, own cities with enemies near.
    def goals(self) -> dict[int, int]:
        pos, side, around, mark = self.pos, self.side, self.board.around, self.sketch.state.mark
        goals = dict.fromkeys(bits(_majors(self.setting) & ~pos.cities[side]), 100)
        if mark("objective", "side") == side and mark("objective", "hex"):
            goals[self.board.index[mark("objective", "hex")]] = 130
        for hex_ in bits(_majors(self.setting) & pos.cities[side]):
            if foes := _strengths(pos, around(hex_)[3] & pos.enemies(side)):
                goals[hex_] = min(100, 4 * foes)
        moscow = self.setting.moscow
        guarded = side == GERMAN or moscow in pos.at or not around(moscow)[9] & pos.enemies(side)
        return goals if guarded else {**goals, moscow: 160}

    # Return the pull of every hex in percent of a hex: that of the strongest goal.
    def pull(self) -> list[int]:
        pulls = [[weight * pull for pull in _pull(self.setting, goal)] for goal, weight in sorted(self.goals().items())]
        return [max(here) for here in zip(*pulls, strict=True)] if pulls else [0] * len(self.board.labels)

    # Return the strength of enemies who can stand beside a hex next turn, in hundredths.
    def threat(self) -> list[int]:
        threat, pos = [0] * len(self.board.labels), self.pos
        for hex_ in bits(pos.enemies(self.side)):
            strength, rings = pos.strength(pos.unit(hex_)), self.board.around(hex_)
            for near, share in ((1, 40), (2, 25), (3, 35)):
                for there in bits(rings[near] & self.board.all):
                    threat[there] += strength * share
        return threat

    def move(self, key: str, orders: Content) -> None:
        found = orders[key] = list[Content]()
        pull, threat, before = self.pull(), self.threat(), key == "armor-and-rail"
        fights = before and self.sketch.state.mark(self.side, "posture") == "engage"
        for uid in sorted(self.pos.units(self.side), key=lambda uid: (-pull[self.pos.where[uid]], uid)):
            here, rides = self.pos.where[uid], before and self.setting.counters[uid].infantry
            holds = here == self.setting.moscow or (_majors(self.setting) >> here & 1 and threat[here])
            if holds or (rides and not movement.rail_riders(self.pos, self.side) >> here & 1):
                continue
            ways = movement.reach(self.pos, uid, movement.RAIL if rides else movement.MOVE)
            worth = self.ground(uid, pull, threat, fights=fights)
            ranked = [(worth(hex_) + self.whim(f"{key} {uid} {hex_}") // 2, -hex_) for hex_ in ways]
            best, hex_ = max(ranked, default=(0, 0))
            if hex_ and best > worth(here) + 20:
                labels = tuple([self.board.labels[there] for there in ways[-hex_].path])
                found.append({"unit": uid, "path": list(labels)})
                entry.move(self.sketch, "8.0", uid, labels, movement.MOVE)

    # Return the worth of a hex for a unit: near goals, in supply; before battles beside enemies at good odds, after
    # battles out of danger or supported.
    def ground(self, uid: str, pull: list[int], threat: list[int], *, fights: bool) -> Worth:
        pos, side, near, odds, moscow = self.pos, self.side, self.board.near, dict[int, int](), self.setting.moscow
        strength, reached, majors = (
            pos.strength(uid),
            pos.communication(side),
            _majors(self.setting) & ~pos.cities[side],
        )
        own, foes, turn = pos.occupied[side] & ~(1 << pos.where[uid]), pos.enemies(side), pos.state.turn
        for foe in bits(foes) if fights else ():
            share = 40 if pos.fortified(pos.unit(foe)) else 60
            odds[foe] = min(240, (strength + _strengths(pos, near[foe] & own)) * share // pos.strength(pos.unit(foe)))

        def worth(hex_: int) -> int:
            found = pull[hex_] * strength // 12 - (not reached >> hex_ & 1) * 3 * STEP + (majors >> hex_ & 1) * CITY
            found += (hex_ == moscow) * (60 if side == GERMAN else 8) * STEP
            if fights:
                return found + sum(odds[foe] for foe in bits(near[hex_] & foes))
            shelter = 150 * strength + 30 * _strengths(pos, near[hex_] & own)
            danger = threat[hex_] // 2 - shelter - 400 * self.setting.fort_of(hex_, turn, side)
            return found + (40 if near[hex_] & foes else 0) - max(0, min(danger, STEP * strength)) // 2

        return worth

    def fight(self, _phase: str, orders: Content) -> None:
        pos, busy, found = self.pos, set[str](), list[Content]()
        orders["battles"] = found
        self.free = pos.occupied[self.side] & ~(1 << self.setting.moscow)  # the Russian in Moscow takes no risk
        markers = self.sketch.state.tracks[f"offensives-{self.side}"]
        targets = list(bits(self.board.spread(pos.occupied[self.side]) & pos.enemies(self.side)))
        while targets and len(found) < MOST_BATTLES:
            ranked = [self.best_against(hex_, busy, markers) for hex_ in targets]
            worth, battle = max(ranked, key=lambda way: way[0])
            if battle is None or worth <= LEAST:
                break
            order = {"id": f"b{len(found) + 1}", "hex": self.board.labels[battle.hex], "attackers": [*battle.attackers]}
            led = {"offensive": {"lead": battle.lead, "support": [*battle.support]}} if battle.lead else {}
            found.append({**order, **led, **self.plan_for(battle)})
            busy, markers = busy.union(battle.participants), markers - bool(battle.lead)
            targets.remove(battle.hex)

    def best_against(self, hex_: int, busy: set[str], markers: int) -> tuple[int, Battle | None]:
        pos, beside = self.pos, self.board.near[hex_] & self.free
        attackers = tuple([uid for uid in map(self.pos.unit, bits(beside)) if uid not in busy])
        best: tuple[int, Battle | None] = 0, None
        whole = Battle("b", hex_, pos.unit(hex_), attackers)
        for battle in (whole, *(self.offensives(whole, busy) if markers else ())) if attackers else ():
            if column := assess(pos, battle).column:
                spared = battle
                for uid in sorted(
                    battle.attackers if not battle.lead else (), key=lambda uid: (pos.strength(uid), uid)
                ):
                    less = replace(spared, attackers=tuple([one for one in spared.attackers if one != uid]))
                    spared = less if less.attackers and assess(pos, less).column == column else spared
                worth = self.mean(spared, column) + self.whim(f"attack {hex_} {battle.lead}")
                best = max(best, (worth - 150 * bool(battle.lead), spared), key=lambda way: way[0])
        return best

    def offensives(self, battle: Battle, busy: set[str]) -> Iterator[Battle]:
        pos, near, counters = self.pos, self.board.near, self.setting.counters
        for lead in battle.attackers:
            behind = near[pos.where[lead]] & self.free & ~near[battle.hex] if counters[lead].leads else 0
            support = [uid for uid in map(pos.unit, bits(behind)) if uid not in busy]
            if support := [uid for uid in support if counters[uid].formation == counters[lead].formation]:
                yield replace(battle, lead=lead, support=tuple(support))

    def mean(self, battle: Battle, column: int) -> int:
        theirs = self.pos.strength(battle.defender) * STEP // 2 + 100
        mine = min(self.pos.strength(uid) for uid in battle.participants) * STEP // 2 + 50
        city = CITY * 8 // 10 * (self.setting.cities.get(battle.hex) == MAJOR)
        results = [LOSSES[self.setting.crt[column, die]] for die in range(1, 7)]
        return sum((taken * theirs - lost * mine) // 100 + city * (taken > 0) for lost, taken in results) // 6

    def plan_for(self, battle: Battle) -> dict[str, list[str]]:
        armor = [uid for uid in battle.attackers if self.setting.counters[uid].armor]
        foot = [uid for uid in battle.attackers if uid not in armor]
        advance = [f"{uid} {IF_SUPPLIED}" for uid in armor + foot]
        return {"losses": foot or armor, "advance": advance}


def propose(setting: Setting, state: State, seq: int, plan: str, _own: Mapping[str, Any], whim: Whim) -> Content:
    """Return the content of the next message by a plan. With a referee one policy serves for all battles."""
    standing = setting.refereed and f"policy-{state.side}" not in state.agenda
    return {**_Mind(setting, state, seq, plan, whim).content(), **({"policy": dict(POLICY)} if standing else {})}


def guess(setting: Setting, state: State, label: str, _whim: Whim) -> Any:
    """Return a likely value of a sealed label: the most active posture; no plans of battles."""
    if not label.startswith(posture.label("")):
        return {}
    side = next(side for side in setting.sides if not state.mark(side, "posture"))
    return {"posture": list(posture.list_affordable(state, side))[-1], "reaction": "no"}


IDEAS = Ideas(PLANS, evaluate, propose, guess)
