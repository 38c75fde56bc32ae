"""Words for reports: names of units, places and phases, events, and the table below a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kursk_pbem.kernel.account.lines import answered
from kursk_pbem.kernel.events import Decided, Event, Marked, Moved, Placed, Scheduled, Tracked, Unmarked
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.ruleset import Rows
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, STANDING, State
from kursk_pbem.kernel.words import Names, flat, plural, unit, units
from kursk_pbem.rulesets.juggernauts import marks, victory
from kursk_pbem.rulesets.juggernauts.air import STRIKES
from kursk_pbem.rulesets.juggernauts.arrivals import FACTORS
from kursk_pbem.rulesets.juggernauts.entry import GONE
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.setting import SIDES, Setting

SAID = {
    ("no-retreat", "yes"): "No Retreat! orders",
    ("no-retreat", "no"): "without No Retreat! orders",
    ("withdraw", "0"): "no withdrawal",
    ("withdraw", "1"): "withdrawal of one hex",
    ("withdraw", "2"): "withdrawal of two hexes",
    ("crowd", "stay"): "Disrupted in a hex over the limit after a retreat",
    ("crowd", "lose"): "eliminated rather than retreat into a full hex",
    ("crowd", "on"): "retreat to a second hex, if the first is full",
}
"""The defenders' answers in words."""
PHASES = {
    "movement": "Operational movement",
    "strikes": "Air strikes ordered",
    "allocation": "Attacks allocated",
    "unattacked": "Recovery of Russian units not attacked",
    "answer": "The defender's answer",
    "panthers": "Breakdown of Panthers",
    "bombs": "Air strikes",
    "combat": "Ground combat",
    "policy": "Standing answers",
    "german-supply": "Supply of German units",
    "german-recovery": "Recovery of German units",
    "russian-supply": "Supply of Russian units",
    "russian-recovery": "Recovery of Guards",
    "last-turn": "End of the last turn",
    "turn": "Replacements and reinforcements",
    "placement": "Armour placed",
    "showing": "Hidden armour shown",
    "seals": "Hidden choices",
}
_CAME = {"arrives": "arrives in", "return": "returns in", "set-up": "is placed in"}
_MANNERS = {"retreat": "goes back", "advance": "advances"}
_ON = {
    marks.ENTRENCHED: "{} entrenches",
    marks.EMPLACED: "{} is emplaced",
    marks.KEIL: "{} is a Panzerkeil facing {}",
    marks.BREACHED: "The line in {} is lost",
    marks.CONTROL: "{} is now in {} hands",
    marks.DOWN: "{} is out of the game; player turns until it is back: {}",
}
_OFF = {
    marks.DISRUPTED: "{} recovers",
    marks.ENTRENCHED: "{} loses its entrenchment",
    marks.EMPLACED: "{} is in road mode",
    marks.KEIL: "{} is no Panzerkeil any more",
    marks.DOWN: "{} is back",
    marks.BREACHED: "The line in {} holds again",
    marks.CONTROL: "{} is in the hands of its first owner again",
}
"""Other markers need no words: a note or a move explains them."""


class Wording(Names):
    """The names of units, places, sides and phases, and the sentences for events of this game."""

    def __init__(self, setting: Setting) -> None:
        self.things, self.phases = {**setting.counters, **setting.planes}, PHASES
        self.places = {setting.board.labels[hex_]: name for hex_, name in setting.cities.items()}

    def tell(self, event: Event) -> list[str] | None:
        """Return the sentences of a report about placements, moves, markers, counts and the agenda."""
        match event:
            case Placed(unit=uid, place=label, how=how):
                return [f"{unit(self, uid)} {_CAME.get(how, how)} {self.place(label)}"]
            case Moved(how=how) if how in _MANNERS:
                way = ", ".join(map(self.place, event.path))
                return [f"{unit(self, event.unit)} {_MANNERS[how]}: {self.place(event.start)} -> {way}"]
            case Marked(table=marks.FLOWN, key=key, value="next"):
                return [f"{unit(self, key.partition('/')[0])} does not strike in the next turn"]
            case Marked(table=table, key=key, value=value):
                return self._marker(_ON, table, key, value)
            case Unmarked(rule=rule, table=table, key=key):
                return [] if rule == GONE else self._marker(_OFF, table, key, "")
            case Tracked(track=track, value=value) if track == FACTORS:
                return [f"Russian tank replacement factors saved up: {value}"]
            case Scheduled(key=key, value=value):
                return self._scheduled(key, value)
            case Decided(source="default", owner=owner):
                side = self.side(owner)
                choice = f"Choice of the {side} side, {event.kind} ({event.subject}): {event.chosen}"
                return [f"{choice}, because the {side} side did not decline (J-10)"]
            case _:
                return None

    def _marker(self, said: Mapping[str, str], table: str, key: str, value: str) -> list[str]:
        thing = self.place(key) if table in (marks.BREACHED, marks.CONTROL) else unit(self, key)
        worth = self.side(value) if table == marks.CONTROL and value else value
        return [said[table].format(thing, worth)] if table in said else []

    def _scheduled(self, key: str, value: Any) -> list[str] | None:
        """Return words for a declaration. Its results tell when it ends."""
        if value is None or key == DECLARED:
            return None if key.startswith("sealed/") else []
        match key:
            case _ if key == BATTLES:
                return [self._declared(battle) for battle in value]
            case _ if key == PATHS:
                return [
                    f"{unit(self, uid)} is ordered to {' '.join(path)}; a die decides" for uid, path in value.items()
                ]
            case _ if key == STRIKES:
                return [
                    f"Air strike {order['id']} on {self.place(order['hex'])} by {units(self, order['planes'])}"
                    for order in value
                ]
            case _ if key == POLICY:
                return answered(self, value, SAID)
            case _ if key == ANSWERED:
                return [f"The attacks have been answered (message {value}); the next message fights the attacks"]
            case _ if key.startswith(STANDING):
                side = self.side(key.removeprefix(STANDING))
                return [f"{side} standing answers, in the open until replaced", *answered(self, value["policy"], SAID)]
            case _:
                return None

    def _declared(self, battle: Mapping[str, Any]) -> str:
        plan = f"; plan in the open: {flat(battle['plan'])}" if battle.get("plan") else ""
        text = f"Attack {battle['id']} on {self.place(battle['hex'])} by {units(self, battle['attackers'])}"
        return f"{text}{'; a Pressed Attack' if battle.get('pressed') else ''}{plan}"


def make_standing(setting: Setting, state: State) -> Rows:
    """Return the table below a report: units, losses, Disruption, supply, cities and factors."""
    pos, words = position(setting, state), Wording(setting)
    tests: dict[str, Callable[[str], bool]] = {
        "units on the map": lambda uid: uid in pos.where,
        "Disrupted": lambda uid: uid in pos.where and pos.is_marked(marks.DISRUPTED, uid),
        "out of supply": lambda uid: uid in pos.where and not pos.is_supplied(uid),
        "units eliminated": lambda uid: state.units[uid].place == ELIMINATED,
    }
    own = {side: [uid for uid in setting.counters if pos.side(uid) == side] for side in SIDES}
    rows: list[tuple[str, ...]] = [("", *(words.side(side) for side in SIDES))]
    rows += [(title, *(str(sum(map(test, own[side]))) for side in SIDES)) for title, test in tests.items()]
    factors = (sum(setting.counters[uid].attack for uid in own[side] if uid in pos.where) for side in SIDES)
    return (
        *rows,
        ("attack factors on the map", *map(str, factors)),
        ("Russian replacement factors", plural(state.tracks[FACTORS], "factor")),
        ("German victory needs", _goals(pos, victory.check_german_goals(pos))),
        ("Russian victory needs", _goals(pos, victory.check_russian_goals(pos))),
    )


def _goals(pos: Position, goals: victory.Goals) -> str:
    """Return the cities that a side still needs."""
    if goals.level:
        return f"no more cities: a {goals.level} victory now"
    names, index = pos.setting.cities, pos.setting.board.index
    lacking = [names[index[label]] for label, done in (*goals.take, *goals.hold) if not done]
    if goals.needs_one and not any(done for _label, done in goals.more):
        lacking.append("one of " + ", ".join(names[index[label]] for label, _done in goals.more))
    return ", ".join(lacking)
