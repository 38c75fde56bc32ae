"""The thoughts of the practice opponent: the worth of a position, and different plans.

A player of ours looks for goals on the map, moves unit by unit to the best hex, and then chooses the battles with the
best mean results. A plan changes goals, posture, courage and the worth of ground. This module decides no part of a
game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kursk_pbem.kernel.events import Placed
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.ideas import POINT, Idea, Whim
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, PENDING, VERDICT, State
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.practice.battle_for_kursk.tactics import count_shares, make_potential
from kursk_pbem.rulesets.battle_for_kursk import combat, entry, movement, posture, replacements, retreat, victory
from kursk_pbem.rulesets.battle_for_kursk.answers import DEFAULT_POLICY, STAND_FAST
from kursk_pbem.rulesets.battle_for_kursk.odds import assess
from kursk_pbem.rulesets.battle_for_kursk.orders import IF_SUPPLIED, Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position, view
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, FULL, GERMAN, REDUCED, RUSSIAN, Setting

PLANS = (
    Idea("cities", "Take and hold cities", "March on Major Cities, garrison the own ones, fight wherever it pays."),
    Idea("moscow", "Moscow decides", "German armor drives on Moscow at any price; the Russian gathers around Moscow."),
    Idea("ring", "Encircle", "Close the ways of retreat of enemies beside us, so that a retreat destroys them."),
    Idea("mass", "Mass on one city", "Send everything within reach against the one city that is held most weakly."),
    Idea("raid", "Raid behind the front", "Send armor to open cities without care for supply or danger."),
    Idea("space", "Trade space for time", "Fall back out of reach, keep steps and cities, save Offensives."),
)
# The ways of a plan. posture: the number on the Posture Track. take, keep: weight in percent of enemy and own
# cities as goals; one: a single enemy city; drive: Moscow for the German; guard: Moscow for the Russian, if in danger.
# fear: share of danger that counts, in percent. ring: worth of a closed hex of retreat. least: a battle that gains
# less is not fought. supply: worth of supply. alarm: only Germans within so many hexes of Moscow matter.
USUAL = {"posture": 3, "take": 100, "keep": 100, "drive": 150, "guard": 150, "fear": 50, "least": 30, "supply": 300}
CALM = "calm"  # the usual plan of a Russian at level 2
MANNERS = {
    CALM: {"alarm": 8},
    "moscow/german": {"drive": 300, "take": 20, "keep": 20, "fear": 15},
    "moscow/russian": {"guard": 200},
    "ring": {"ring": 60},
    "mass": {"guard": 0, "one": 1, "take": 200, "fear": 30},
    "raid": {"guard": 0, "take": 150, "keep": 50, "supply": 0, "fear": 20, "least": 60},
    "space": {"guard": 0, "posture": 1, "take": 0, "keep": 140, "fear": 120},
}
# The worth of a strength point, a victory point and a garrison in comparisons; the range of a goal's draw in hexes;
# battles of a turn.
STEP, CITY, GARRISON, FAR, MOST_BATTLES = 100, 1_400, 900, 14, 9
GUARDS, MOST_GUARDS = 40, 60  # Russian strength that Moscow needs; with an alarm the most that guards it
POLICY = {**DEFAULT_POLICY, STAND_FAST: "full"}
SIGN = {RUSSIAN: 1, GERMAN: -1}
Content = dict[str, Any]


@lru_cache(maxsize=1024)
def _assign_shares(setting: Setting, hex_: int, shares: tuple[int, ...]) -> tuple[int, ...]:
    """Return a share by hex, by the distance from a hex; beyond the last distance 0."""
    found, rings = [0] * len(setting.board.labels), (0, *setting.board.around(hex_))
    for far, share in enumerate(shares):
        for there in bits(rings[far + 1] & ~rings[far] & setting.board.all):
            found[there] = share
    return tuple(found)


def _map_threats(pos: Position, foe: str) -> list[int]:
    """Return by hex the strength of possible attackers in the next turn, in hundredths."""
    total = [0] * len(pos.setting.board.labels)
    for hex_ in bits(pos.occupied[foe]):
        strength, shares = pos.strength(pos.unit(hex_)), _assign_shares(pos.setting, hex_, (100, 100, 60, 35))
        total = [found + strength * share for found, share in zip(total, shares, strict=True)]
    return total


def find_reach(pos: Position, side: str) -> Mask:
    """Return a rough estimate of the hexes that a side can enter in its next turn."""
    own, foes, board = pos.occupied[side], pos.enemies(side), pos.setting.board
    return board.spread(sum(board.rings(own, board.all & ~foes & ~pos.ezoc(side) | own, 6))) & ~foes


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return the worth of a position for a side: victory points, steps, supply, likely attacks and Moscow."""
    worth = victory.score(setting, state).total * POINT
    if state.stage == OVER:
        return SIGN[side] * (-12 * POINT if state.mark(VERDICT, "how") == "moscow" else worth)
    pos, mover = position(setting, state), RUSSIAN if state.stage.startswith("russian") else GERMAN
    left, potential = len(setting.turns) - 1 - setting.turns.index(state.turn), make_potential(pos)
    for holder, foe in ENEMY.items():
        soon = 0 if not left and foe == GERMAN and mover == RUSSIAN else 6 if mover == foe else 4
        own = pos.occupied[holder]
        steps = 2 * count_strength(pos, own) + count_strength(pos, own & pos.communication(holder))
        worth += SIGN[holder] * ((2 + min(left, 6)) * steps // 3 - potential.count(foe) * soon // 36)
    nearer = setting.board.around(setting.moscow)[1:12]  # near units count more often
    press = sum([count_strength(pos, ring & pos.occupied[GERMAN]) for ring in nearer])
    lacking = GUARDS - count_strength(pos, nearer[1] & pos.occupied[RUSSIAN])
    return SIGN[side] * (worth - press * max(5, lacking) // 25)


def count_strength(pos: Position, hexes: Mask) -> int:
    """Return the total strength of the units in some hexes."""
    return sum([pos.strength(pos.unit(hex_)) for hex_ in bits(hexes)])


class Mind:
    """The decisions about one message. ``sketch``: the position after the orders chosen so far."""

    def __init__(self, setting: Setting, state: State, seq: int, plan: str, whim: Whim) -> None:
        self.setting, self.board, self.state, self.seq = setting, setting.board, state, seq
        self.side, self.whim, self.majors = state.side, whim, sum(setting.enemy_majors.values())
        self.manner = {**USUAL, **MANNERS.get(plan, MANNERS.get(f"{plan}/{state.side}", {}))}
        self.sketch = Umpire(setting, state, seq, None)
        self.bars = 0  # hexes beside the objective
        self.gain = 0  # the worth of the ordered battles

    @property
    def pos(self) -> Position:
        """The positions of the units after the orders chosen so far."""
        return view(self.sketch)

    def content(self) -> Content:
        """Return the content of the side's next message."""
        due, turn, agenda = posture.weather_due(self.state), self.state.turn, self.state.agenda
        match self.state.stage:
            case "reveal" | "first-binding":
                return {}
            case "opening" | "weather" | "first-weather" | "resumed":
                shares = self.setting.distribution if self.state.stage == "opening" else {}
                orders = {"orders": {"distribution": self.distribution()}} if shares else {}
                return orders if due else {**orders, "seal": self.posture(turn)}
            case "weather-answer":
                return {"choice": self.posture(turn)}
            case "german-answer" | "russian-answer":
                return {"policy": dict(POLICY)}
            case "german-decision" | "russian-decision":
                full = self.state.units[combat.list_declared(self.setting, agenda)[0].defender].steps == FULL
                return {"decisions": {agenda[PENDING]["battle"]: agenda[PENDING]["options"][-1 if full else 0]}}
            case "german-dice" | "russian-dice" if PENDING in agenda:
                left = {battle.id: self.plan_for(battle) for battle in combat.list_declared(self.setting, agenda)[1:]}
                return {"seal": {plans.label(self.seq): left}} if left and not self.setting.refereed else {}
            case "posture":
                choice = self.posture(turn)
                posture.choose(self.sketch, Filing(self.seq, self.side, choice=choice, waive="posture"))
                return {"choice": choice, "waive": "posture", **self.turn()}
        return self.turn()

    def distribution(self) -> list[str]:
        """Return the units that gain a step before play begins."""
        counters, kinds = self.setting.counters, self.setting.distribution.items()
        ranked = sorted(self.pos.units(RUSSIAN), key=lambda uid: -counters[uid].strength[FULL])
        able = [(uid, counters[uid].infantry) for uid in ranked if self.state.units[uid].steps == REDUCED]
        return [
            uid for kind, steps in kinds for uid in [one for one, foot in able if foot == (kind == "infantry")][:steps]
        ]

    def posture(self, turn: str) -> Content:
        """Return the posture for a turn by its label: the plan's posture, or the strongest that the side can pay."""
        names, state = list(self.setting.phases), self.sketch.state
        next_ = names.index(state.mark(self.side, "posture") or "pause") + 2
        able = [*posture.list_affordable(state, self.side)] if turn == state.turn else names[:next_]
        wish = names[self.manner["posture"] if state.tracks[posture.ENGAGED.format(self.side)] else 3]
        return {posture.label(turn): {"posture": wish if wish in able else able[-1], "reaction": "no"}}

    def turn(self) -> Content:
        """Return the orders of a player turn, with the posture that is sealed for the next turn."""
        phases, orders = self.setting.phases[self.sketch.state.mark(self.side, "posture")], Content()
        steps = {"replacement": self.replace, "armor-and-rail": self.move, "combat": self.fight, "movement": self.move}
        for phase in [*steps][3:] if self.state.stage.endswith("-dice") else steps:
            try:
                steps[phase](phase, orders) if phase in phases and not orders.get("battles") else None
            except GameEnded:  # a German unit is in Moscow
                return {"orders": orders}
        following = self.setting.turns[self.setting.turns.index(self.state.turn) + 1 :][:1]
        known = [turn for turn in following if not (self.setting.weather_die and self.setting.boxes[turn].mud_die)]
        seals = known and self.side == RUSSIAN and not orders.get("battles")
        out: Content = {"seal": self.posture(following[0])} if seals else {}
        return {"orders": {key: value for key, value in orders.items() if value}, **out}

    def replace(self, _phase: str, orders: Content) -> None:
        """Order replacements. If replacement points are missing, give up steps for them."""
        state, counters = replacements.after_returns(self.setting, self.sketch.state, self.side), self.setting.counters
        self.sketch, pull = Umpire(self.setting, state, self.seq, None), self.pull()
        orders["replacements"], net = [], replacements.count_points(self.setting, state, self.side)
        orders["give-ups"] = replacements.proposed_give_ups(self.pos, self.side, net)
        lacking = [uid for uid, unit in state.units.items() if counters[uid].side == self.side and unit.steps < FULL]
        for uid in sorted(lacking, key=self.rank_lacking):
            kind, pos, steps = replacements.point_type(self.setting, uid), self.pos, state.units[uid].steps
            spots = replacements.find_placements(pos, uid) if net[kind] > 0 and not steps else []
            if steps and net[kind] > 0 and uid in pos.where and replacements.in_communication(pos, uid):
                spots = [pos.where[uid]]
            for hex_ in sorted(spots, key=lambda hex_: -pull[hex_])[:1]:
                label, net[kind] = self.board.labels[hex_], net[kind] - 1
                how = {"gain": "flip"} if steps else {"gain": "place", "hex": label}
                orders["replacements"].append({"unit": uid, **how})
                self.sketch.emit(Placed("10.0", uid, label, steps + 1, how["gain"]))
                entry.record_entry(self.sketch, uid, label)
        for uid in orders["give-ups"]:
            combat.lose(self.sketch, "10.6", uid, 1, "given up")

    def rank_lacking(self, uid: str) -> tuple[int, int, str]:
        """Return a key to sort units for replacements. The strongest units are first."""
        return 0, -self.setting.counters[uid].strength[FULL], uid

    def list_goals(self) -> dict[int, int]:
        """Return the goals as hexes with a weight in percent: enemy or threatened cities, objective, Moscow."""
        pos, side, mark, manner = self.pos, self.side, self.sketch.state.mark, self.manner
        own, foe = _map_threats(pos, side), _map_threats(pos, ENEMY[side])
        goals = dict.fromkeys(bits(self.majors & ~pos.cities[side]), manner["take"])
        if mark("objective", "side") == side and mark("objective", "hex"):
            goals[self.board.index[mark("objective", "hex")]] = manner["take"] * 13 // 10
        if manner.get("one") and goals:
            goals = dict([max(goals.items(), key=lambda goal: (own[goal[0]] - 2 * foe[goal[0]], goal))])
        for hex_ in bits(self.majors & pos.cities[side]):
            goals[hex_] = min(100, foe[hex_] // 25) * manner["keep"] // 100
        moscow, weight = self.setting.moscow, manner["drive" if side == GERMAN else "guard"]
        guards = count_strength(pos, self.board.around(moscow)[2] & pos.occupied[RUSSIAN])
        weight *= weight > 200 or guards < (self.count_guards() if side == RUSSIAN else GUARDS // 2)
        return goals | {moscow: max(weight, goals.get(moscow, 0))}

    def count_guards(self) -> int:
        """Return the strength that must guard Moscow: a fixed number, or twice the German strength nearby."""
        near = self.board.around(self.setting.moscow)[self.manner.get("alarm", 0)] & self.pos.occupied[GERMAN]
        return min(MOST_GUARDS, 2 * count_strength(self.pos, near)) if "alarm" in self.manner else GUARDS

    def pull(self) -> list[int]:
        """Return how much every hex attracts: the greatest product of a goal's weight (percent) and its nearness."""
        rows, shares = [[0] * len(self.board.labels)], tuple(range(FAR, 0, -1))
        for goal, weight in self.list_goals().items():
            rows.append([weight * near for near in _assign_shares(self.setting, goal, shares)])
        return list(map(max, *rows, rows[0]))

    def move(self, key: str, orders: Content) -> None:
        """Add the moves of a phase to the orders."""
        found = orders.setdefault(key, list[Content]())
        pos, side, moscow, majors = self.pos, self.side, self.setting.moscow, self.majors
        fights = key == "armor-and-rail" and self.sketch.state.mark(side, "posture") == "engage"
        reach, pull, threats = find_reach(pos, ENEMY[side]), self.pull(), _map_threats(pos, ENEMY[side])
        prizes = dict.fromkeys(bits(majors & ~pos.cities[side]), CITY)
        prizes |= dict.fromkeys(bits(majors & pos.cities[side] & reach & ~pos.occupied[side]), GARRISON)
        prizes[moscow] = 60 * STEP if side == GERMAN else GARRISON * (moscow not in pos.at)
        held = (
            majors & self.board.spread(reach)
            | self.board.around(moscow)[2 * (side == RUSSIAN and self.manner["guard"] * self.count_guards() > 0)]
        )
        for uid in sorted(pos.units(side), key=lambda uid: (-pull[pos.where[uid]], uid)):
            here, rides = self.pos.where[uid], key == "armor-and-rail" and self.setting.counters[uid].infantry
            if held >> here & 1 or (rides and not movement.rail_riders(self.pos, side) >> here & 1):
                continue
            ways = movement.reach(self.pos, uid, movement.RAIL if rides else movement.MOVE)
            worth = self.weigh_hexes([here, *ways], uid, None if fights else threats)
            for hex_ in worth:
                worth[hex_] += pull[hex_] * pos.strength(uid) // 12 + prizes.get(hex_, 0)
            best = max(worth, key=lambda hex_: (worth[hex_] + self.whim(f"{key} {uid} {hex_}") // 2, -hex_))
            if best != here and worth[best] > worth[here] + 20:
                prizes[best] = 0
                self.go(found, uid, ways[best].path)

    def go(self, found: list[Content], uid: str, path: tuple[int, ...]) -> None:
        """Order a unit to move along a path."""
        labels = tuple([self.board.labels[there] for there in path])
        found.append({"unit": uid, "path": list(labels)})
        entry.move(self.sketch, "8.0", uid, labels, movement.MOVE)

    def weigh_hexes(self, hexes: list[int], uid: str, threats: list[int] | None) -> dict[int, int]:
        """Return hexes with their worth for a unit: supply and odds before battles, supply and safety after battles."""
        pos, near, manner = self.pos, self.board.near, self.manner
        forts, strength = self.setting.forts.get((pos.state.turn, self.side), 0), pos.strength(uid)
        own, foes = pos.occupied[self.side] & ~(1 << hexes[0]), pos.enemies(self.side)
        reached, shut = pos.communication(self.side), self.board.spread(own) | foes
        odds, worth = dict[int, int](), dict[int, int]()
        for foe in bits(foes) if threats is None else ():
            mates = count_strength(pos, near[foe] & own) + strength
            odds[foe] = min(240, mates * (40 if pos.fortified(pos.unit(foe)) else 60) // pos.strength(pos.unit(foe)))
        for hex_ in hexes:
            found, beside = 0 if reached >> hex_ & 1 else -manner["supply"], near[hex_] & foes
            if threats is None:
                closed = [(near[hex_] & self.board.around(foe)[2] & ~shut).bit_count() for foe in bits(beside)]
                worth[hex_] = found + manner.get("ring", 0) * sum(closed) + sum([odds[foe] for foe in bits(beside)])
                continue
            shelter = 400 * (forts >> hex_ & 1) + 150 * strength + 30 * count_strength(pos, near[hex_] & own)
            danger = max(0, min(threats[hex_] // 2 - shelter, STEP * strength))
            worth[hex_] = found + 40 * (beside > 0) - danger * manner["fear"] // 100
        return worth

    def fight(self, _phase: str, orders: Content) -> None:
        """Add the battles to the orders."""
        found = orders["battles"] = list[Content]()
        own, targets = self.pos.occupied[self.side] & ~(1 << self.setting.moscow), self.pos.enemies(self.side)
        markers = self.sketch.state.tracks[f"offensives-{self.side}"]
        while len(found) < MOST_BATTLES:
            ways = [way for hex_ in bits(targets & self.board.spread(own)) for way in self.ways(hex_, own, markers)]
            worth, battle = max(ways, key=lambda way: way[0], default=(0, Battle("", 0, "", ())))
            if worth <= self.manner["least"]:
                break
            order = {"id": f"b{len(found) + 1}", "hex": self.board.labels[battle.hex], "attackers": [*battle.attackers]}
            led = {"offensive": {"lead": battle.lead, "support": [*battle.support]}} if battle.lead else {}
            found.append({**order, **led, **self.plan_for(battle)})
            self.gain += worth
            own &= ~sum(1 << self.pos.where[uid] for uid in battle.participants)
            targets, markers = targets & ~(1 << battle.hex), markers - bool(battle.lead)

    def ways(self, hex_: int, free: Mask, markers: int) -> Iterator[tuple[int, Battle]]:
        """Yield attacks on a hex with their worth: 1 unit, 2 units, up to all (strongest first), then an Offensive."""
        pos, near, counters = self.pos, self.board.near, self.setting.counters
        able = sorted(map(pos.unit, bits(near[hex_] & free)), key=lambda uid: (-pos.strength(uid), uid))
        battles = [Battle("b", hex_, pos.unit(hex_), tuple(able[: most + 1])) for most in range(len(able))]
        for lead in able if markers else ():
            behind = near[pos.where[lead]] & free & ~near[hex_] if counters[lead].leads else 0
            mates = [uid for uid in map(pos.unit, bits(behind)) if counters[uid].formation == counters[lead].formation]
            battles += [replace(battles[-1], lead=lead, support=tuple(mates))] if mates else []
        for battle in battles:
            if column := assess(pos, battle).column:
                worth = self.mean(battle, column) - 15 * len(battle.participants) - 150 * bool(battle.lead)
                yield worth + self.whim(f"attack {hex_} {battle.lead}"), battle

    def mean(self, battle: Battle, column: int) -> int:
        """Return a battle's average worth over the six rolls of a column of the combat results table."""
        pos, defender = self.pos, battle.defender
        steps = self.sketch.state.units[defender].steps
        mine, theirs, left = count_shares(self.setting, column, steps, int(retreat.permit(pos, defender).kills(steps)))
        price, prize = (50 * min(map(pos.strength, battle.participants)) + 50, 50 * pos.strength(defender) + 100)
        city = CITY * 8 // 10 * ((self.majors | self.bars) >> battle.hex & 1)
        return (theirs * prize + left * (prize // 5 + city) - mine * price) // 6

    def plan_for(self, battle: Battle) -> dict[str, list[str]]:
        """Return the plan of a battle: infantry loses steps, armor in supply advances, garrisons stay."""
        ranked = sorted(battle.attackers, key=lambda uid: not self.setting.counters[uid].armor)
        free = [uid for uid in ranked if self.majors >> battle.hex & 1 or not self.majors >> self.pos.where[uid] & 1]
        guard = f" {IF_SUPPLIED}" if self.manner["supply"] and not self.bars >> battle.hex & 1 else ""
        return {"losses": ranked[::-1][:1], "advance": [f"{uid}{guard}" for uid in free]}
