"""Positions from which a game can go on as another one, by agreement.

A seal is bound to its game, so the new game begins without any. Between two turns, and until the German has chosen a
posture, the Russian seals again (stage ``resumed``); after that only a position in which nothing is hidden, declared or
owed will do: otherwise a side would seal again, or answer, with more knowledge than it had.
"""

from __future__ import annotations

from kursk_pbem.kernel.state import OVER, STANDING, State
from kursk_pbem.rulesets.battle_for_kursk.position import invariants
from kursk_pbem.rulesets.battle_for_kursk.posture import WEATHER
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, POSTURES, RUSSIAN, SIDES, Setting
from kursk_pbem.rulesets.battle_for_kursk.setup import setup

_BEFORE_POSTURES = ("posture", "resumed", "first-binding", "first-weather", "weather", "weather-answer", "weather-die")
_OPEN = ("opening", "german-orders", "russian-orders")
_OPEN_REFEREED = (*_OPEN, "german-dice", "russian-dice")  # there the dice have fallen and nothing waits for an answer


def resume(setting: Setting, state: State) -> State | str:
    """The first position of a game that goes on from ``state``; or why none can."""
    if setting.refereed:  # open policies are filed anew, as seals are
        kept = {key: value for key, value in state.agenda.items() if not key.startswith(STANDING)}
        state = state.with_(agenda=kept)
    if wrong := _wrong(setting, state):
        return wrong
    if state.stage in _BEFORE_POSTURES:
        due = {WEATHER: "due"} if WEATHER in state.agenda else {}
        return state.with_(side=RUSSIAN, stage="resumed", agenda=due)
    if state.stage not in (_OPEN_REFEREED if setting.refereed else _OPEN):
        return "something declared, chosen or hidden waits there for the other side"
    if state.side != (GERMAN if state.stage.startswith("german") else RUSSIAN):
        return "it is no position of this scenario: the other side is to write there"
    if state.agenda.keys() - ({WEATHER} if state.stage == "opening" else set()):
        return "a posture is still hidden there, while the other is known"
    return state


def _wrong(setting: Setting, state: State) -> str:
    """What makes this no position of the game at all, '' if nothing: it may come from a stranger's file."""
    first = setup(setting)
    if state.stage == OVER:
        return "the game is over there"
    box = setting.boxes.get(state.turn)
    if WEATHER in state.agenda and not (setting.weather_die and box and box.mud_die):
        return "a weather die is still to fall there, and by the new terms there is none"
    if state.turn not in setting.turns or state.tracks.keys() != first.tracks.keys():
        return "it is no position of this scenario: its turn or tracks are unknown"
    if any(not 0 <= number <= 3 for number in state.tracks.values()):
        return "it is no position of this scenario: a track is out of bounds"
    if breaches := invariants(setting, state):
        return f"it is no position of this scenario: {breaches[0]}"
    marks, hexes = state.marks, setting.board.index
    sides = all(marks.get(side, {}).get("previous") in POSTURES for side in SIDES)
    postures = all(word in POSTURES for side in SIDES for word in marks.get(side, {}).values())
    goal = marks.get("objective", {})
    placed = goal.get("hex") in hexes and goal.get("side") in SIDES and goal.get("won", RUSSIAN) in SIDES
    held = all(side in SIDES for side in marks.get("control", {}).values())
    if not (sides and postures and placed and held) or marks.keys() - {*SIDES, "objective", "control"}:
        return "it is no position of this scenario: a mark is unknown"
    chosen = [side for side in SIDES if state.mark(side, "posture")]
    if state.stage in ("opening", *_BEFORE_POSTURES) and chosen:
        return "it is no position of this scenario: a posture stands before it is chosen"
    if state.stage in _OPEN_REFEREED[1:] and len(chosen) < len(SIDES):
        return "a posture is still hidden there, while the other is known"
    return ""
