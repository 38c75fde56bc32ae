"""Players with a plan: each side follows only an :class:`Aim`. For the finished games of tests/games.

The players find all orders with the functions that the rules use. A tie goes to the lowest id or hex, so equal dice
give equal games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.events import Placed
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.rulesets.battle_for_kursk import combat, entry, movement, posture, replacements, victory
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, assess
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, FULL, MAJOR, POSTURES, REDUCED, RUSSIAN, Setting

NEVER = 7  # no column of the table
FAR = 999
UNITS_A_GOAL = 2
GAINS_A_TURN = 3  # more would be legal, and make longer files
Content = dict[str, Any]
Sketch = Umpire[Setting]  # the position after the orders so far


@dataclass(frozen=True)
class Aim:
    """The plan of a side.

    ``postures``: by game turn, the last for all later turns; a posture above the side's means is lowered. ``take``:
    hexes to march to, most wanted first. ``refuge``: the destination of all other units, '' to stay. ``content``:
    with this number of points the side enters no further Major City. ``column``: the lowest column for an attack.
    ``battles``: maximum battles in a turn. ``waits``: turns in which the side wants to see the other posture first.
    ``answers``: the defender's policy."""

    postures: tuple[str, ...]
    take: tuple[str, ...] = ()
    refuge: str = ""
    content: int = FAR
    column: int = NEVER
    battles: int = 3
    waits: tuple[str, ...] = ()
    answers: Mapping[str, Any] | None = None


class Player:
    """The player of one side: a writer of message contents."""

    def __init__(self, kursk: Setting, side: str, aim: Aim) -> None:
        self.setting, self.side, self.aim = kursk, side, aim

    def content(self, state: State, seq: int) -> Content:
        """The choices of a message; ``state`` is the position after its duties."""
        found = self.called_for(state, seq)
        if self.setting.refereed and self.aim.answers and f"policy-{self.side}" not in state.agenda:
            found["policy"] = dict(self.aim.answers)  # it holds for the whole game
        return found

    def called_for(self, state: State, seq: int) -> Content:
        """Return the content of a stage, without the fields that any message of a refereed game may have."""
        turn = state.turn
        match state.stage:
            case "reveal" | "first-binding":
                return {}
            case "resumed" if posture.weather_due(state):
                return {}
            case "opening":
                orders = {"orders": {"distribution": self.distribution(state)}} if self.setting.distribution else {}
                return orders if posture.weather_due(state) else {**orders, "seal": self.posture(state, turn)}
            case "weather" | "first-weather" | "resumed":
                return {"seal": self.posture(state, turn)}
            case "weather-answer":
                return {"choice": self.posture(state, turn)}
            case "german-answer" | "russian-answer":
                return {"policy": dict(self.aim.answers)} if self.aim.answers else {}
            case "german-decision" | "russian-decision":
                pending = state.agenda["pending"]
                return {"decisions": {pending["battle"]: pending["options"][-1]}}
            case "german-dice" | "russian-dice" if "pending" in state.agenda:
                left = {each["id"]: {"advance": each["attackers"]} for each in state.agenda["battles"][1:]}
                return {"seal": {f"plans/{seq}": left}} if left else {}
            case "posture":
                return self.opened(state, seq)
            case _:
                return self.turn(Umpire(self.setting, state, seq, None))

    def opened(self, state: State, seq: int) -> Content:
        """Return the posture of a side that answers openly, and the whole turn if the side does not wait."""
        out: Content = {"choice": self.posture(state, state.turn)}
        (value,) = out["choice"].values()
        if state.turn in self.aim.waits or value["posture"] == "pause":
            return out
        sketch: Sketch = Umpire(self.setting, state, seq, None)
        posture.choose(sketch, Filing(seq, self.side, choice=out["choice"], waive="posture"))
        return {**out, "waive": "posture", **self.turn(sketch)}

    def posture(self, state: State, turn: str) -> Content:
        """Return the posture for this turn or the next turn; a pausing side is ready to react."""
        number = self.setting.turns.index(turn)
        wish = self.aim.postures[min(number, len(self.aim.postures) - 1)]
        if turn == state.turn:
            able = list(posture.list_affordable(state, self.side))
        else:  # without payment: the gains of the next turn are missing
            able = list(POSTURES[: POSTURES.index(state.mark(self.side, "posture")) + 2])
        chosen = wish if wish in able else able[-1]
        return {posture.label(turn): {"posture": chosen, "reaction": "yes" if chosen == "pause" else "no"}}

    def distribution(self, state: State) -> list[str]:
        """The strongest first, of each kind as many steps as the scenario gives."""
        chosen: list[str] = []
        for kind, steps in self.setting.distribution.items():
            able = [
                (-counter.strength[2], uid)
                for uid, counter in self.setting.counters.items()
                if counter.side == RUSSIAN
                and counter.infantry == (kind == "infantry")
                and state.units[uid].steps == REDUCED
            ]
            chosen += sorted(uid for _strength, uid in sorted(able)[:steps])
        return chosen

    def turn(self, sketch: Sketch) -> Content:
        """Return the orders of a player turn or its part after the dice, with the next posture if the stage needs a
        seal."""
        stage = sketch.state.stage
        phases = self.setting.phases[sketch.state.mark(self.side, "posture")]
        orders: Content = {}
        if not stage.endswith("-dice"):
            self.before_movement(sketch, phases, orders)
        if "movement" in phases and not orders.get("battles"):
            orders["movement"] = self.moves(sketch, "movement")
        out: Content = {"orders": {key: value for key, value in orders.items() if value}}
        return out if orders.get("battles") else {**out, **self.sealed(sketch.state)}

    def sealed(self, state: State) -> Content:
        """The Russian's posture of the turn to come, at the end of his own; with a weather die it comes after that."""
        number = self.setting.turns.index(state.turn) + 1
        if self.side != RUSSIAN or number == len(self.setting.turns):
            return {}
        turn = self.setting.turns[number]
        rolls = self.setting.weather_die and self.setting.boxes[turn].mud_die
        return {} if rolls else {"seal": self.posture(state, turn)}

    def before_movement(self, sketch: Sketch, phases: frozenset[str], orders: Content) -> None:
        """Objective, replacements, armor and rail, battles."""
        spots = posture.objective_choices(self.setting, sketch.state, self.side)
        wanted = [hex_ for hex_ in self.aim.take if hex_ in spots]
        if wanted and sketch.state.mark("objective", "hex") != wanted[0]:
            orders["objective"] = wanted[0]
            posture.move_objective(sketch, Filing(sketch.seq, self.side, orders=orders))
        self.replacements(sketch, orders)
        if "armor-and-rail" in phases:
            orders["armor-and-rail"] = self.moves(sketch, "armor-and-rail")
        if "combat" in phases:
            orders["battles"] = self.fights(sketch)

    def replacements(self, sketch: Sketch, orders: Content) -> None:
        """Return units to the first possible hex, then gain steps, then give steps up."""
        kursk, net = self.setting, replacements.count_points(self.setting, sketch.state, self.side)
        own = [uid for uid in sorted(sketch.state.units) if kursk.counters[uid].side == self.side]
        orders["returns"], orders["replacements"] = [], []
        for uid in own:
            if sketch.state.units[uid].place == OFF_MAP:
                self.place(sketch, uid, "return", orders["returns"])
        for kind in (replacements.IRP, replacements.ARP):
            for uid in [uid for uid in own if replacements.point_type(kursk, uid) == kind]:
                if len(orders["replacements"]) < GAINS_A_TURN and net[kind] > 0:
                    net[kind] -= self.gain(sketch, uid, orders["replacements"])
        net = replacements.count_points(kursk, sketch.state, self.side)
        orders["give-ups"] = replacements.proposed_give_ups(position(kursk, sketch.state), self.side, net)
        for uid in orders["give-ups"]:
            combat.lose(sketch, "10.6", uid, 1, "given up")

    def gain(self, sketch: Sketch, uid: str, found: list[Content]) -> bool:
        """Return one step for a unit, if possible."""
        pos, unit = position(self.setting, sketch.state), sketch.state.units[uid]
        if unit.place == ELIMINATED:
            return self.place(sketch, uid, "place", found)
        if unit.steps != REDUCED or uid not in pos.where or not replacements.in_communication(pos, uid):
            return False
        found.append({"unit": uid, "gain": "flip"})
        sketch.emit(Placed("10.0-2", uid, unit.place, FULL, "flip"))
        return True

    def place(self, sketch: Sketch, uid: str, how: str, found: list[Content]) -> bool:
        """Return a unit to the map if the unit has a place without an unwanted point."""
        spots = replacements.find_placements(position(self.setting, sketch.state), uid)
        if not spots:
            return False
        label = self.setting.board.labels[spots[0]]
        found.append({"unit": uid, "hex": label} if how == "return" else {"unit": uid, "gain": how, "hex": label})
        steps = sketch.state.units[uid].steps or REDUCED
        sketch.emit(Placed("10.0-1", uid, label, steps, how))
        entry.record_entry(sketch, uid, label)
        return True

    def moves(self, sketch: Sketch, key: str) -> list[Content]:
        """March the nearest units to the wanted hexes, and the others to the refuge."""
        found: list[Content] = []
        left = self.movers(sketch, key)
        for goal in self.goals(sketch.state):
            far = self.distances(position(self.setting, sketch.state), goal)
            for uid in self.nearest(sketch, left, far)[:UNITS_A_GOAL]:
                left.remove(uid)
                if self.step(sketch, uid, far, key, found):
                    return found
        if self.aim.refuge:
            far = self.distances(position(self.setting, sketch.state), self.setting.board.index[self.aim.refuge])
            for uid in self.nearest(sketch, left, far):
                self.step(sketch, uid, far, key, found)
        return found

    def movers(self, sketch: Sketch, key: str) -> list[str]:
        """Return the units that may move in a phase."""
        pos = position(self.setting, sketch.state)
        own = [uid for uid in sorted(pos.where) if pos.side(uid) == self.side]
        if key == "movement":
            return own
        riders = {pos.unit(hex_) for hex_ in bits(movement.rail_riders(pos, self.side))}
        return [uid for uid in own if self.setting.counters[uid].armor or uid in riders]

    def goals(self, state: State) -> list[int]:
        """Return the wanted hexes that are not yet taken."""
        pos = position(self.setting, state)
        board = self.setting.board
        return [board.index[label] for label in self.aim.take if not pos.cities[self.side] >> board.index[label] & 1]

    def distances(self, pos: Position, goal: int) -> dict[int, int]:
        """Steps to a goal around all enemies, by hex."""
        far, here, steps = {goal: 0}, 1 << goal, 0
        free = self.setting.board.all & ~pos.enemies(self.side)
        seen = here
        while here:
            steps += 1
            here = self.setting.board.spread(here) & free & ~seen
            seen |= here
            far |= dict.fromkeys(bits(here), steps)
        return far

    def nearest(self, sketch: Sketch, units: list[str], far: Mapping[int, int]) -> list[str]:
        """Units by their distance."""
        where = position(self.setting, sketch.state).where
        return sorted((uid for uid in units if where[uid] in far), key=lambda uid: (far[where[uid]], uid))

    def step(self, sketch: Sketch, uid: str, far: Mapping[int, int], key: str, found: list[Content]) -> bool:
        """Move a unit as near as possible in this phase; return whether the move ends the game."""
        pos = position(self.setting, sketch.state)
        rides = key == "armor-and-rail" and self.setting.counters[uid].infantry
        ways = movement.reach(pos, uid, movement.RAIL if rides else movement.MOVE)
        unwanted = self.unwanted(pos)
        able = [(far[there], there) for there, way in ways.items() if there in far and not mask(way.path) & unwanted]
        if not able or min(able)[0] >= far[pos.where[uid]]:
            return False
        labels = tuple(self.setting.board.labels[hex_] for hex_ in ways[min(able)[1]].path)
        found.append({"unit": uid, "to": labels[-1]} if len(labels) > 1 else {"unit": uid, "path": list(labels)})
        try:
            entry.move(sketch, "8.0", uid, labels, movement.MOVE)
        except GameEnded:
            return True
        return False

    def unwanted(self, pos: Position) -> Mask:
        """Return the Major Cities that would give an unwanted point; Moscow unless Moscow is the aim of the side."""
        kursk = self.setting
        shut = 0 if kursk.board.labels[kursk.moscow] in self.aim.take else 1 << kursk.moscow
        if self.points(pos.state) >= self.aim.content:
            majors = mask(hex_ for hex_, kind in kursk.cities.items() if kind == MAJOR)
            shut |= majors & pos.cities[ENEMY[self.side]]
        return shut

    def points(self, state: State) -> int:
        """Return the present victory points, positive for the player's side."""
        total = victory.score(self.setting, state).total
        return total if self.side == RUSSIAN else -total

    def fights(self, sketch: Sketch) -> list[Content]:
        """Choose battles at good odds, the best first, with an Offensive if needed and possible."""
        pos = position(self.setting, sketch.state)
        near, counters = self.setting.board.near, self.setting.counters
        markers = sketch.state.tracks[f"offensives-{self.side}"]
        used: set[str] = set()
        found: list[Content] = []
        most = 0 if self.points(sketch.state) >= self.aim.content else self.aim.battles
        targets = [(pos.strength(pos.unit(hex_)), hex_) for hex_ in bits(pos.enemies(self.side) & ~self.unwanted(pos))]
        for _strength, hex_ in sorted(targets):
            attackers = [pos.unit(h) for h in bits(near[hex_] & pos.occupied[self.side]) if pos.unit(h) not in used]
            if not attackers or len(found) == most:
                continue
            leads = [uid for uid in attackers if markers and (counters[uid].armor or counters[uid].type == "shock")]
            for battle in self.ways_to_fight(pos, hex_, attackers, leads, used):
                if assess(pos, battle).column >= self.aim.column:
                    found.append(self.written(battle, len(found) + 1))
                    used |= {*battle.participants}
                    markers -= bool(battle.lead)
                    break
        return found

    def ways_to_fight(
        self, pos: Position, hex_: int, attackers: list[str], leads: list[str], used: set[str]
    ) -> Iterator[Battle]:
        """Yield the attack by all units, then an Offensive under each possible leader."""
        near, counters = self.setting.board.near, self.setting.counters
        defender = pos.unit(hex_)
        yield Battle("", hex_, defender, tuple(attackers))
        for lead in leads:
            behind = near[pos.where[lead]] & pos.occupied[self.side] & ~near[hex_]
            own = counters[lead].formation
            support = [pos.unit(h) for h in bits(behind) if counters[pos.unit(h)].formation == own]
            support = [uid for uid in support if uid not in used]
            if support:
                yield Battle("", hex_, defender, tuple(attackers), lead, tuple(support))

    def written(self, battle: Battle, number: int) -> Content:
        """A battle with its plans: the infantry bleeds, the armor goes in."""
        label, counters = self.setting.board.labels[battle.hex], self.setting.counters
        armor = [uid for uid in battle.attackers if counters[uid].armor]
        foot = [uid for uid in battle.attackers if not counters[uid].armor]
        goal = self.aim.take[0] if self.aim.take else label
        order: Content = {"id": f"{battle.defender}-{number}", "hex": label, "attackers": list(battle.attackers)}
        if battle.lead:
            order["offensive"] = {"lead": battle.lead, "support": list(battle.support)}
        order["retreat"] = [f"away {goal}"]
        order["losses"] = foot or armor
        order["advance"] = [f"{uid} if-supplied" for uid in armor]
        return {key: value for key, value in order.items() if value}


def mask(hexes: Iterable[int]) -> Mask:
    """A set of hexes."""
    found = 0
    for hex_ in hexes:
        found |= 1 << hex_
    return found
