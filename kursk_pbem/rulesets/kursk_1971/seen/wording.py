"""Texts for players: names of units, places and phases, events, the table of a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.account.lines import answered
from kursk_pbem.kernel.events import Event, Marked, Moved, Placed, Removed, Scheduled, Tracked, Unmarked
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.ruleset import Rows
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, OFF_MAP, STANDING, State
from kursk_pbem.kernel.words import Names, flat, unit, units
from kursk_pbem.rulesets.kursk_1971.air import INTERCEPTION, SUPERIORITY, SUPPORT
from kursk_pbem.rulesets.kursk_1971.movement import BASE, INITIAL, MOTOR
from kursk_pbem.rulesets.kursk_1971.position import CITIES, FLOWN, INTERDICTION, PATROL, POINTS, position
from kursk_pbem.rulesets.kursk_1971.raids import RAIDS
from kursk_pbem.rulesets.kursk_1971.setting import KAMPFGRUPPE, SIDES, Setting
from kursk_pbem.rulesets.kursk_1971.victory import find_outcome, find_possessor, split_points

PHASES = {
    "deployment": "Set-up",
    "interception": "Interception",
    "movement": "Initial Movement Phase",
    "superiority": "Air superiority missions",
    "declaration": "Combat Phase: attacks declared",
    "answer": "Combat Phase: the defender's answer",
    "combat": "Combat Phase: attacks fought",
    "motorized": "Motorized Movement Phase",
    "air": "Patrols and interdiction",
    "victory-points": "Victory points",
    "standing-answers": "Standing answers",
    "seals": "Hidden plans",
}
_MANNERS = {INITIAL: "", MOTOR: "", "retreat": "retreats", "advance": "advances"}
_MISSIONS = {
    INTERCEPTION: "intercepts",
    SUPERIORITY: "takes off to attack a base",
    SUPPORT: "flies close support",
    BASE: "moves its ground element: the aircraft stay on the ground",
}


class Wording(Names):
    """The names of units, places, sides and phases, and the sentences for events of this game."""

    def __init__(self, setting: Setting) -> None:
        self.things, self.phases = setting.counters, PHASES
        towns = {**setting.towns, **setting.cities}
        self.places = {setting.board.labels[hex_]: name for hex_, name in towns.items()}

    def tell(self, event: Event) -> list[str] | None:
        """Return sentences about an event in this game's own words, or None if the usual words are enough."""
        match event:
            case Placed():
                return self._placed(event)
            case Removed(place=place, why=why) if place == ELIMINATED:
                return [f"{unit(self, event.unit)} is eliminated: {why}"]
            case Moved(how=how) if how in _MANNERS:
                way, points = ", ".join(map(self.place, event.path)), f"; {event.mp}\u00a0MP" if event.mp else ""
                manner = f" {_MANNERS[how]}" if _MANNERS[how] else ""
                return [f"{unit(self, event.unit)}{manner}: {self.place(event.start)} -> {way}{points}"]
            case Marked(table=table, key=key, value=value):
                return self._marked(table, key, value)
            case Unmarked(table=table, key=key):
                return self._unmarked(table, key, event.rule)
            case Tracked(track=track, value=value, by=gain):
                side = next((side for side in SIDES if POINTS.format(side) == track), "")
                return [f"{self.side(side)} points for strength: {gain:+d} ({value} in all)"] if side else None
            case Scheduled(key=key, value=value):
                return self._scheduled(key, value)
            case _:
                return None

    def describe_idle(self, key: str) -> str:
        """12.0: return the sentence about a set-up without orders. Other phases get the usual sentence."""
        return "All units are set up as proposed." if key == "deployment" else super().describe_idle(key)

    def _placed(self, event: Placed) -> list[str] | None:
        who, where = unit(self, event.unit), self.place(event.place)
        told = {
            "deployed": f"{who} is set up in {where}",
            "arrives": f"{who} arrives in {where}",
            KAMPFGRUPPE: f"{who} is formed in {where}",
        }
        return [told[event.how]] if event.how in told else None

    def _marked(self, table: str, key: str, value: str) -> list[str] | None:
        if table in (PATROL, INTERDICTION):
            return [f"{unit(self, key)} {'patrols over' if table == PATROL else 'interdicts'} {self.place(value)}"]
        if table == CITIES:
            return [f"{self.place(key)} is taken by the {self.side(value)} side"]
        if table == FLOWN:  # patrols and interdictions have their own marks
            return [f"{unit(self, key)} {_MISSIONS[value]}"] if value in _MISSIONS else []
        return None

    def _unmarked(self, table: str, key: str, rule: str) -> list[str] | None:
        if table == FLOWN:
            return [f"{unit(self, key)} has not flown"] if rule == "9.0-d1" else []
        if table not in (PATROL, INTERDICTION):
            return None
        what = "patrol" if table == PATROL else "interdiction"
        how = {"9.0-d5": "is turned back from its", "9.0-e": "is lost with its base on"}.get(rule, "returns from its")
        return [f"{unit(self, key)} {how} {what}"]

    def _scheduled(self, key: str, value: Any) -> list[str] | None:
        """Return the text of a declaration; its results are reported separately."""
        if key.startswith("sealed/"):
            return None
        if value is None or key == DECLARED:
            return []
        if key == RAIDS:
            return [self._raid(raid) for raid in value]
        if key == BATTLES:
            return [self._declared(battle) for battle in value]
        if key == ANSWERED:
            return [f"The attacks have been answered (message {value}); the next message rolls the dice"]
        if key == POLICY:
            return answered(self, value, {})
        if key.startswith(STANDING):
            side = self.side(key.removeprefix(STANDING))
            return [f"{side} standing answers, in the open until replaced", *answered(self, value["policy"], {})]
        return None

    def _raid(self, raid: Mapping[str, Any]) -> str:
        where = f"the base of {unit(self, raid['base'])}"
        return f"Attack {raid['id']} from the air on {where} by {units(self, raid['aircraft'])}"

    def _declared(self, battle: Mapping[str, Any]) -> str:
        text = f"Attack {battle['id']} on {self.place(battle['hex'])} by {units(self, battle['attackers'])}"
        if battle.get("support"):
            lapses = "" if battle["unsupported"] == "attack" else ", without support no attack"
            text += f"; close support by {unit(self, battle['support'])}{lapses}"
        if battle.get("plan"):
            text += f"; plan in the open: {flat(battle['plan'])}"
        return text


def count_strength(setting: Setting, state: State, side: str) -> int:
    """14.0-strength: return the total strength of a side's units on the map."""
    there = (uid for uid, unit in state.units.items() if unit.place in setting.board.index)
    return sum(setting.counters[uid].worth for uid in there if setting.counters[uid].side == side)


def make_standing(setting: Setting, state: State) -> Rows:
    """Return the table below a report: units, losses, aircraft, victory points, cities, and the result so far."""
    pos, words = position(setting, state), Wording(setting)
    rows: list[tuple[str, ...]] = [("", *(words.side(side) for side in SIDES))]

    def row(title: str, value: Any) -> None:
        rows.append((title, *(str(value(side)) for side in SIDES)))

    def count(side: str, place: str) -> int:
        return sum(unit.place == place and setting.counters[uid].side == side for uid, unit in state.units.items())

    beaten, held, given = split_points(setting, state)
    row("units on the map", lambda side: len(pos.units(side)))
    row("strength on the map", lambda side: count_strength(setting, state, side))
    row("out of supply", lambda side: sum(not pos.is_supplied(uid) for uid in pos.units(side)))
    row("units eliminated", lambda side: count(side, ELIMINATED))
    row(
        "still to come",
        lambda side: sum(
            state.units[uid].place == OFF_MAP and setting.counters[uid].side == side for uid in setting.arrivals
        ),
    )
    row("points for strength", lambda side: beaten[side])
    row("points for cities", lambda side: held[side])
    if any(given.values()):
        row("points given", lambda side: given[side])
    total = {side: beaten[side] + held[side] + given[side] for side in SIDES}
    row("victory points", lambda side: total[side])
    winner, level = find_outcome(setting, total)
    rows.append(("if the game ended now", f"{words.side(winner)} {level} victory" if winner else "a draw"))
    for hex_, points in sorted(setting.objectives.items()):
        owner = find_possessor(pos, hex_)
        rows.append(
            (f"{words.place(setting.board.labels[hex_])} ({points})", words.side(owner) if owner else "neither")
        )
    return tuple(rows)
