"""Positions that may start a successor game, and conditions of every position.

A game can continue from the start of a player turn or of a set-up, without waiting attacks (2.0, S-62).
"""

from __future__ import annotations

from kursk_pbem.kernel.hexes.policies import drop_standing
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, OVER, State
from kursk_pbem.rulesets.kursk_1971.position import CITIES, FLOWN, INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting
from kursk_pbem.rulesets.kursk_1971.setup import ORDERS, SET_UP, make_first_state


def resume_game(setting: Setting, state: State) -> State | str:
    """Return the first position of a successor game (without standing answers), or why no game can begin there."""
    state = drop_standing(state)
    first = make_first_state(setting)
    if state == first:
        return state
    if state.stage == OVER:
        return "the game is over"
    if state.side not in SIDES or state.stage not in (ORDERS.format(state.side), SET_UP.format(state.side)):
        return "a declaration waits for the other side"
    if SET_UP.format(state.side) == state.stage and state.side not in setting.deployment:
        return "not a position of this scenario: the scenario has no set-up"
    if state.agenda:
        return "a declaration waits for its resolution"
    if state.turn not in setting.turns or state.tracks.keys() != first.tracks.keys():
        return "not a position of this scenario: the turn or a track is unknown"
    if state.marks.keys() - {PATROL, INTERDICTION, FLOWN, CITIES}:
        return "not a position of this scenario: a mark is unknown"
    if {*state.marks.get(CITIES, {}).values()} - {*SIDES}:
        return "not a position of this scenario: a city belongs to an unknown side"
    if breaches := find_breaches(setting, state):
        return f"not a position of this scenario: {breaches[0]}"
    return state


def find_breaches(setting: Setting, state: State) -> list[str]:
    """Return a sentence for every error of a position between two messages."""
    if set(state.units) != set(setting.counters):
        return ["the units are not those of the order of battle"]
    wrong = _wrong_units(setting, state)
    if wrong:
        return wrong
    pos = position(setting, state)
    labels = setting.board.labels
    for hex_, stack in pos.at.items():
        if len({pos.side(uid) for uid in stack}) > 1:
            wrong.append(f"{labels[hex_]} holds units of both sides")
        elif not pos.can_stack(stack):
            wrong.append(f"{labels[hex_]} holds too many units")
    return [*wrong, *_wrong_marks(pos)]


def _wrong_units(setting: Setting, state: State) -> list[str]:
    places = {ELIMINATED: 0, OFF_MAP: 1}
    wrong = []
    for uid, unit in state.units.items():
        steps = 1 if unit.place in setting.board.index else places.get(unit.place)
        if unit.steps != steps:
            wrong.append(f"{uid} is at {unit.place} with {unit.steps} steps")
        elif unit.place == OFF_MAP and uid not in setting.arrivals and uid not in setting.reserve:
            wrong.append(f"{uid} is off the map and has nowhere to come from")
    return wrong


def _wrong_marks(pos: Position) -> list[str]:
    """Find wrong marks: aircraft fly over hexes, one mission each, only while their base is on the map."""
    setting, marks = pos.setting, pos.state.marks
    wrong = []
    for table in (PATROL, INTERDICTION, FLOWN):
        for uid, word in marks.get(table, {}).items():
            if uid not in pos.where or not setting.counters[uid].air:
                wrong.append(f"{uid} has flown and is no air unit on the map")
            elif table != FLOWN and word not in setting.board.index:
                wrong.append(f"{uid} flies over {word}, which is no hex")
    both = marks.get(PATROL, {}).keys() & marks.get(INTERDICTION, {}).keys()
    wrong += [f"{uid} flies two missions" for uid in sorted(both)]
    labels = [setting.board.labels[hex_] for hex_ in setting.cities]
    wrong += [f"{label} is held and is no city" for label in marks.get(CITIES, {}) if label not in labels]
    if any(number < 0 for number in pos.state.tracks.values()):
        wrong.append("a side has less than no points")
    return wrong
