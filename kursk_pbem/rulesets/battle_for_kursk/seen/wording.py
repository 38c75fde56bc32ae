"""Texts for people: names of units, places and phases, events, the table below a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.account.lines import answered
from kursk_pbem.kernel.events import Decided, Event, Marked, Moved, Placed, Scheduled, Tracked, Unmarked
from kursk_pbem.kernel.hexes.plans import DECIDED
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.ruleset import Rows
from kursk_pbem.kernel.state import ANSWERED, DECLARED, PENDING, STANDING, State
from kursk_pbem.kernel.words import Names, flat, plural, unit, units
from kursk_pbem.rulesets.battle_for_kursk import posture
from kursk_pbem.rulesets.battle_for_kursk.posture import ENGAGED, WEATHER
from kursk_pbem.rulesets.battle_for_kursk.setting import SIDES, Setting
from kursk_pbem.rulesets.battle_for_kursk.victory import count_eliminated, score

PHASES = {
    "turn": "Start of the turn",
    "distribution": "Distribution of replacement steps",
    "posture": "Posture",
    "replacement": "Replacement Phase",
    "armor-and-rail": "Armor and Rail Movement Phase",
    "declaration": "Combat Phase: battles declared",
    "answer": "Combat Phase: the defender's answer",
    "combat": "Combat Phase: battles fought",
    "movement": "Movement Phase",
    "weather": "Weather die",
    "seals": "Hidden choices",
    "victory": "Reckoning",
    "policy": "Standing answers",
}

RIGHTS = {"stand-fast": "Stand Fast on a DR", "exchange-dr": "exchange on a DR", "exchange-drl": "exchange on a DRL"}
_WHEN = {
    "never": "no {}",
    "doomed": "{} if the unit would be eliminated",
    "full": "{} at full strength",
    "reduced": "{} when reduced",
    "always": "{} always",
}
SAID = {(key, when): text.format(right) for key, right in RIGHTS.items() for when, text in _WHEN.items()}
"""What is said of a right in an answer, in words."""
_MANNERS = {"rail": "by rail", "retreat": "retreats", "advance": "advances"}


class Wording(Names):
    """Names of units, places, sides and phases, and this game's texts for its own events."""

    def __init__(self, setting: Setting) -> None:
        self.things, self.phases = setting.counters, PHASES
        self.places = {setting.board.labels[hex_]: name for hex_, name in setting.city_names.items()}

    def tell(self, event: Event) -> list[str] | None:
        """Return the lines of a report about placements, moves, marks, tracks and waiting values."""
        match event:
            case Placed():
                return self._placed(event)
            case Moved(how=how) if how in _MANNERS:
                way = ", ".join(map(self.place, event.path))
                points = f"; {event.mp}\u00a0MP" if event.mp else ""
                return [f"{unit(self, event.unit)} {_MANNERS[how]}: {self.place(event.start)} -> {way}{points}"]
            case Marked(table=table, key=key, value=value):
                return self._marked(table, key, value)
            case Unmarked(table=table, key=key):
                return self._unmarked(table, key)
            case Tracked():
                return self._tracked(event)
            case Scheduled(key=key, value=value):
                return self._scheduled(key, value)
            case Decided(source="default", owner=owner):
                left = f"by the umpire's default (K-75): the {self.side(owner)} side filed no choice"
                choice = f"Choice of the {self.side(owner)} side, {event.kind} ({event.subject})"
                return [f"{choice}: {event.chosen}, {left}"]
            case _:
                return None

    def _placed(self, event: Placed) -> list[str] | None:
        who, where = unit(self, event.unit), self.place(event.place)
        steps = plural(event.steps, "step")
        told = {
            "flip": f"{who} in {where} gains a step, now {steps}",
            "place": f"{who} is placed in {where} with {steps}",
            "return": f"{who} returns to the map in {where} with {steps}",
        }
        return [told[event.how]] if event.how in told else None

    def _marked(self, table: str, key: str, value: str) -> list[str] | None:
        match table, key:
            case "control", _:
                return [f"{self.place(key)} is now under {self.side(value)} control"]
            case "objective", "hex":
                return [f"The Strategic Objective now is in {self.place(value)}"]
            case "objective", "side":
                return [f"The Strategic Objective now shows its {self.side(value)} side"]
            case "objective", "won":
                return [f"The Strategic Objective is won by the {self.side(value)} side"]
            case _, "posture":
                return [f"{self.side(table)} posture: {value}"]
            case _, "previous":
                return [f"{self.side(table)} posture of the turn before: {value}"]
            case _:
                return None

    def _unmarked(self, table: str, key: str) -> list[str] | None:
        match table, key:
            case "control", _:
                return [f"{self.place(key)} is again under the control of its first owner"]
            case "objective", "hex":
                return ["The Strategic Objective leaves play"]
            case _, "posture":
                return []  # the posture of the turn before, in a new turn
            case _:
                return None

    def _tracked(self, event: Tracked) -> list[str] | None:
        name, _dash, side = event.track.partition("-")
        match name:
            case "mud" if event.rule == "4.0-turn-track":
                return []  # before the weather die of this turn
            case "mud":
                return ["Weather: mud" if event.value else "Weather: dry"]
            case "offensives":
                return [self._markers(event, self.side(side))]
            case "engaged":
                return []  # the table below the report shows whether the objective is locked
            case _:
                return None

    def _markers(self, event: Tracked, side: str) -> str:
        """Describe a gain or a price, and the resulting number: '1 marker spent on b2011, 2 left'."""
        if event.by < 0:
            return f"{side}: {plural(-event.by, 'Offensive marker')} spent on {event.why}, {event.value} left"
        more = f"{event.by:+d} ({event.value} in all)" if event.by else f"{event.value}, as before"
        return f"Offensive markers available, {side}: {more}"

    def _scheduled(self, key: str, value: Any) -> list[str] | None:
        """Describe declared values that wait. Later events show their results."""
        name, _dash, side = key.partition("-")
        match name:
            case _ if key.startswith("sealed/"):
                return None
            case _ if value is None or key in (DECLARED, DECIDED):
                return []  # the battles and the choice have their own lines
            case _ if key == BATTLES:
                waits = bool(value) and "rolled" in value[0]
                left = [f"{order['id']} is still to be fought" for order in value[1:]]
                return left if waits else [self._declared(battle) for battle in value]
            case _ if key == PENDING:
                owner, options = self.side(value["owner"]), ", ".join(value["options"])
                when = f"decides on {value['battle']} in its next message: {options}"
                return [f"The dice stop here: the {owner} side {when}"]
            case _ if key == ANSWERED:
                return [f"The battles have been answered (message {value}), and are fought in the next message"]
            case _ if key == POLICY:
                return answered(self, value, SAID)
            case "waived":
                return ["The orders are given without waiting for the enemy's posture"]
            case _ if key == WEATHER:
                return ["The weather die is thrown before the postures are chosen"]
            case _ if key.startswith(STANDING):
                said = answered(self, value["policy"], SAID)
                return [f"{self.side(side)} standing answers, in the open until replaced", *said]
            case "reaction":
                return [f"The {self.side(side)} side pays for Emergency Reaction if it can and the enemy engages"]
            case _:
                return None

    def _declared(self, battle: Mapping[str, Any]) -> str:
        text = (
            f"Battle {battle['id']}: attack on {unit(self, battle['defender'])} in {self.place(battle['hex'])} "
            f"by {units(self, battle['attackers'])}"
        )
        if battle.get("lead"):
            text += f"; Offensive led by {unit(self, battle['lead'])}, in support {units(self, battle['support'])}"
        if battle.get("plan"):
            text += f"; plan in the open: {flat(battle['plan'])}"
        return text


def describe_cost(state: State, side: str, chosen: str) -> str:
    """12.0 (2): return the price of a posture as 'it costs 1 Offensive marker of 3, 2 left', or '' without a price."""
    due, have = posture.get_price(state, side, chosen), state.tracks[f"offensives-{side}"]
    left = f", {have - due} left" if due <= have else ""
    return f"it costs {plural(due, 'Offensive marker')} of {have}{left}" if due else ""


def describe_hidden(_setting: Setting, state: State, side: str, label: str, value: Any) -> tuple[str, ...]:
    """12.0-2: return a sealed posture in words, with its price and the Offensive markers left; () for plans."""
    if not label.startswith(posture.label("")):
        return ()
    due = describe_cost(state, side, value["posture"])
    return (flat(value), *([f"{due}; paid when the posture is shown"] if due else []))


def make_standing(setting: Setting, state: State) -> Rows:
    """Return the table below a report: steps, losses, markers, victory points and objective."""
    rows: list[tuple[str, ...]] = [("", "German", "Russian")]

    def row(title: str, value: Any) -> None:
        rows.append((title, *(str(value(side)) for side in SIDES)))

    def there(side: str) -> list[str]:
        own = [uid for uid, counter in setting.counters.items() if counter.side == side]
        return [uid for uid in own if state.units[uid].place in setting.board.index]

    row("units on the map", lambda side: len(there(side)))
    row("steps on the map", lambda side: sum(state.units[u].steps for u in there(side)))
    row("strength points", lambda side: sum(setting.strength(u, state.units[u].steps) for u in there(side)))
    row("units eliminated", lambda side: count_eliminated(setting, state, side))
    row("Offensive markers", lambda side: state.tracks[f"offensives-{side}"])
    row("posture", lambda side: state.mark(side, "posture") or f"after {state.mark(side, 'previous')}")
    result = score(setting, state)
    row("victory: Major Cities taken", lambda side: result.cities[side])
    row("victory: objective", lambda side: result.objective[side])
    row("victory: fewer eliminated", lambda side: result.losses[side])
    if any(result.given.values()):
        row("victory: points given", lambda side: result.given[side])
    rows.append(("victory points (Russian +, German -)", f"{result.total:+d}"))
    if not state.mark("objective", "won"):
        name = Wording(setting).place(state.mark("objective", "hex"))
        locked = " (locked)" if state.tracks[ENGAGED.format(state.mark("objective", "side"))] else ""
        rows.append(("Strategic Objective", f"{name}, {state.mark('objective', 'side').capitalize()} side{locked}"))
    return tuple(rows)
