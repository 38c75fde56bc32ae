"""What people see of a position: names, the table under a report, and what of a draft is to be hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.ruleset import Standing
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk.declare import PLAN_KEYS
from kursk_pbem.rulesets.battle_for_kursk.posture import ENGAGED
from kursk_pbem.rulesets.battle_for_kursk.setting import SIDES, Setting
from kursk_pbem.rulesets.battle_for_kursk.victory import eliminated, score

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

ROLLS = ("german-rolls", "russian-rolls", "weather-die")  # stages of a referee


class NamesOf:
    """Names of units, places, sides and phases as players say them."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._cities = {setting.board.labels[hex_]: name for hex_, name in setting.city_names.items()}

    def unit(self, uid: str) -> str:
        """'II SS Panzer Corps'; an unknown id is itself."""
        counter = self._setting.counters.get(uid)
        return counter.name if counter else uid

    def place(self, label: str) -> str:
        """'2116 Belgorod', or the label alone."""
        return f"{label} {self._cities[label]}" if label in self._cities else label

    def side(self, side: str) -> str:
        """'German'."""
        return side.capitalize()

    def owner(self, uid: str) -> str:
        """'german'."""
        return self._setting.counters[uid].side

    def phase(self, key: str) -> str:
        """'Combat Phase: battles fought'."""
        return PHASES.get(key, key)


def seal(orders: Mapping[str, Any], seq: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take the plans out of declared battles: (orders to show, {label: value to hide}); K-73."""
    public = dict(orders)
    plans: dict[str, Any] = {}
    shown = []
    for battle in orders.get("battles") or ():
        shown.append({key: value for key, value in battle.items() if key not in PLAN_KEYS})
        plan = {key: battle[key] for key in PLAN_KEYS if battle.get(key)}
        if plan:
            plans[battle["id"]] = plan
    if shown:
        public["battles"] = shown
    return public, {f"plans/{seq}": plans} if plans else {}


def standing(setting: Setting, state: State) -> Standing:
    """The table under a report: steps, losses, markers, victory points, objective."""
    rows: list[tuple[str, ...]] = [("", "German", "Russian")]

    def row(title: str, value: Any) -> None:
        rows.append((title, *(str(value(side)) for side in SIDES)))

    def there(side: str) -> list[str]:
        own = [uid for uid, counter in setting.counters.items() if counter.side == side]
        return [uid for uid in own if state.units[uid].place in setting.board.index]

    row("units on the map", lambda side: len(there(side)))
    row("steps on the map", lambda side: sum(state.units[u].steps for u in there(side)))
    row("strength points", lambda side: sum(setting.strength(u, state.units[u].steps) for u in there(side)))
    row("units eliminated", lambda side: eliminated(setting, state, side))
    row("Offensive markers", lambda side: state.tracks[f"offensives-{side}"])
    row("posture", lambda side: state.mark(side, "posture") or f"after {state.mark(side, 'previous')}")
    result = score(setting, state)
    row("victory: Major Cities taken", lambda side: result.cities[side])
    row("victory: objective", lambda side: result.objective[side])
    row("victory: fewer eliminated", lambda side: result.losses[side])
    rows.append(("victory points (Russian +, German -)", f"{result.total:+d}"))
    if not state.mark("objective", "won"):
        name = NamesOf(setting).place(state.mark("objective", "hex"))
        locked = " (locked)" if state.tracks[ENGAGED.format(state.mark("objective", "side"))] else ""
        rows.append(("Strategic Objective", f"{name}, {state.mark('objective', 'side').capitalize()} side{locked}"))
    waiting = "nothing: the game is over" if state.stage == "over" else f"{state.side.capitalize()} to write"
    if state.stage in ROLLS:
        waiting = "the referee's dice"
    return Standing(tuple(rows), waiting)


