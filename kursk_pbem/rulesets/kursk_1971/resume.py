"""Positions from which a game can go on as another one, by agreement: where a player turn begins, and nothing waits."""

from __future__ import annotations

from kursk_pbem.kernel.state import OVER, STANDING, State
from kursk_pbem.rulesets.kursk_1971.position import CITIES, FLOWN, INTERDICTION, PATROL, invariants
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting
from kursk_pbem.rulesets.kursk_1971.setup import ORDERS, SET_UP, setup


def resume(setting: Setting, state: State) -> State | str:
    """The first position of a game that goes on from ``state``, without standing answers; or why none can."""
    kept = {key: value for key, value in state.agenda.items() if not key.startswith(STANDING)}
    state = state.with_(agenda=kept)
    first = setup(setting)
    if state == first:
        return state
    if state.stage == OVER:
        return "the game is over there"
    if state.side not in SIDES or state.stage not in (ORDERS.format(state.side), SET_UP.format(state.side)):
        return "something declared waits there for the other side"
    if SET_UP.format(state.side) == state.stage and state.side not in setting.deployment:
        return "it is no position of this scenario: nobody sets up here"
    if state.agenda:
        return "something declared waits there"
    if state.turn not in setting.turns or state.tracks.keys() != first.tracks.keys():
        return "it is no position of this scenario: its turn or tracks are unknown"
    if state.marks.keys() - {PATROL, INTERDICTION, FLOWN, CITIES}:
        return "it is no position of this scenario: a mark is unknown"
    if {*state.marks.get(CITIES, {}).values()} - {*SIDES}:
        return "it is no position of this scenario: a city belongs to nobody in it"
    if breaches := invariants(setting, state):
        return f"it is no position of this scenario: {breaches[0]}"
    return state
