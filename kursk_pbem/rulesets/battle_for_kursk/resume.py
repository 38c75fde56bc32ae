"""Positions for successor games, by agreement, and the invariants of every position.

Seals belong to one game, so a successor begins without seals. Between turns, and until the German chooses a posture,
the Russian seals again (stage ``resumed``). Later positions must have no hidden values, declared battles or due
answers, because a side would otherwise seal or answer with more knowledge.
"""

from __future__ import annotations

from kursk_pbem.kernel.hexes.policies import drop_standing
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.rulesets.battle_for_kursk.posture import WEATHER
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, GERMAN, POSTURES, REDUCED, RUSSIAN, SIDES, Setting
from kursk_pbem.rulesets.battle_for_kursk.setup import make_first_state

_BEFORE_POSTURES = ("posture", "resumed", "first-binding", "first-weather", "weather", "weather-answer", "weather-die")
_OPEN = ("opening", "german-orders", "russian-orders")
_OPEN_REFEREED = (*_OPEN, "german-dice", "russian-dice")  # the dice have been rolled and no answer is due


def resume_game(setting: Setting, state: State) -> State | str:
    """Return the first position of a successor game, or the reason why no game can continue from ``state``."""
    if setting.refereed:  # players file open policies and seals again
        state = drop_standing(state)
    if wrong := _find_error(setting, state):
        return wrong
    if state.stage in _BEFORE_POSTURES:
        due = {WEATHER: "due"} if WEATHER in state.agenda else {}
        return state.with_(side=RUSSIAN, stage="resumed", agenda=due)
    if state.stage not in (_OPEN_REFEREED if setting.refereed else _OPEN):
        return "a declared, chosen or hidden value still waits for the other side"
    if state.side != (GERMAN if state.stage.startswith("german") else RUSSIAN):
        return "the position does not fit the scenario: the other side must write next"
    if state.agenda.keys() - ({WEATHER} if state.stage == "opening" else set()):
        return "a posture is still hidden, while the opposing posture is known"
    return state


def _find_error(setting: Setting, state: State) -> str:
    """Return the error of an impossible position, or ''; the position may come from a stranger's file."""
    first = make_first_state(setting)
    if state.stage == OVER:
        return "the game is over"
    box = setting.boxes.get(state.turn)
    if WEATHER in state.agenda and not (setting.weather_die and box and box.mud_die):
        return "a weather die is due, but the new terms have no weather die"
    if state.turn not in setting.turns or state.tracks.keys() != first.tracks.keys():
        return "the position does not fit the scenario: unknown turn or tracks"
    if any(not 0 <= number <= 3 for number in state.tracks.values()):
        return "the position does not fit the scenario: a track is out of bounds"
    if breaches := find_breaches(setting, state):
        return f"the position does not fit the scenario: {breaches[0]}"
    marks, hexes = state.marks, setting.board.index
    sides = all(marks.get(side, {}).get("previous") in POSTURES for side in SIDES)
    postures = all(word in POSTURES for side in SIDES for word in marks.get(side, {}).values())
    goal = marks.get("objective", {})
    placed = goal.get("side") in SIDES and (goal.get("hex") in hexes) != (goal.get("won") in SIDES)  # 12.1
    held = all(side in SIDES for side in marks.get("control", {}).values())
    if not (sides and postures and placed and held) or marks.keys() - {*SIDES, "objective", "control"}:
        return "the position does not fit the scenario: a mark is unknown"
    chosen = [side for side in SIDES if state.mark(side, "posture")]
    if state.stage in ("opening", *_BEFORE_POSTURES) and chosen:
        return "the position does not fit the scenario: a posture is set before the choice"
    if state.stage in _OPEN_REFEREED[1:] and len(chosen) < len(SIDES):
        return "a posture is still hidden, while the opposing posture is known"
    return ""


def find_breaches(setting: Setting, state: State) -> list[str]:
    """Return a sentence for every error of a position between two messages."""
    wrong = _wrong_units(setting, state)
    if set(state.units) != set(setting.counters):
        wrong.append("the units differ from the order of battle")
    tracks = {side: state.tracks.get(f"offensives-{side}", 0) for side in SIDES}
    wrong += [f"{side} has {number} Offensive markers" for side, number in tracks.items() if not 0 <= number <= 3]
    cities = {setting.board.labels[hex_] for hex_ in setting.cities}
    control = state.marks.get("control", {})
    wrong += [f"{label} is controlled and is no city" for label in control if label not in cities]
    return wrong


def _wrong_units(setting: Setting, state: State) -> list[str]:
    """Yield errors: two units in a hex (8.2.2), steps that do not fit the place."""
    wrong: list[str] = []
    seen: dict[str, str] = {}
    for uid, unit in state.units.items():
        if unit.place in setting.board.index:
            if unit.place in seen:
                wrong.append(f"{uid} and {seen[unit.place]} share the hex {unit.place}")  # 8.2.2
            seen[unit.place] = uid
            if unit.steps not in (REDUCED, FULL):
                wrong.append(f"{uid} is on the map with {unit.steps} steps")
        elif unit.place == "eliminated":
            if unit.steps != 0:
                wrong.append(f"{uid} is eliminated with {unit.steps} steps")
        elif unit.place != "off-map" or unit.steps not in (REDUCED, FULL):
            wrong.append(f"{uid} is at {unit.place} with {unit.steps} steps")
    return wrong
