"""Positions from which a successor game can start, and the invariants of every position.

A successor can start when a side must order its player turn, Blitzkrieg or Proriv, and no action waits. With free
deployment, all units must be placed first, because a seal belongs to its game.
"""

from __future__ import annotations

from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import drop_standing
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, OVER, VERDICT, State
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.air import find_wrong_planes
from kursk_pbem.rulesets.juggernauts.arrivals import FACTORS
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, SIDES, Setting

MOST_SAVED = 99
_SPENT = tuple(str(number) for number in range(30))
_FRESH = ("german-orders", "russian-orders", "german-half")


def resume_game(setting: Setting, state: State) -> State | str:
    """Return the first position of a successor game, or the reason why no game can continue from ``state``."""
    state = drop_standing(state)
    side = state.stage.partition("-")[0]
    if state.stage == OVER:
        return "the earlier game is over"
    if wrong := [*find_breaches(setting, state), *_find_unknown(setting, state)]:
        return f"the position does not fit the scenario: {wrong[0]}"
    if state.stage not in _FRESH or side != state.side or state.agenda:
        return "a declared or hidden choice waits for the opponent"
    if marks.ACTED in state.marks or (marks.PLACED in state.marks) or (state.stage == "german-half") > setting.free:
        return "a player turn or a deployment has begun"
    return state


def _find_unknown(setting: Setting, state: State) -> list[str]:
    """Return a sentence for every value that no game reaches but a file may contain."""
    wrong = [] if state.turn in setting.turns else ["the turn is unknown"]
    if set(state.tracks) != {FACTORS} or not 0 <= state.tracks[FACTORS] <= MOST_SAVED:
        wrong.append("a track is unknown or out of bounds")
    return wrong + [f"a mark {table} is unknown" for table in state.marks if table not in marks.ALL]


def find_breaches(setting: Setting, state: State) -> list[str]:
    """Return a sentence for every error of a position between two messages."""
    if set(state.units) != set(setting.counters):
        return ["the units differ from the order of battle"]
    index, wrong = setting.board.index, list[str]()
    for uid, unit in sorted(state.units.items()):
        if unit.steps != (0 if unit.place == ELIMINATED else 1):
            wrong.append(f"{uid} has {unit.steps} steps at {unit.place}")
        if unit.place not in index and unit.place not in (ELIMINATED, OFF_MAP):
            wrong.append(f"{uid} is at {unit.place}")
    pos = position(setting, state)
    both = pos.occupied[SIDES[0]] & pos.occupied[SIDES[1]]
    wrong += [f"{label} holds units of both sides" for label in setting.board.names(both)]
    return wrong + _find_wrong_marks(setting, state)


def _find_wrong_marks(setting: Setting, state: State) -> list[str]:
    """Return a sentence for every marker on a wrong unit or hex."""
    index, counters = setting.board.index, setting.counters
    kinds = {
        marks.ENTRENCHED: [uid for uid, counter in counters.items() if counter.infantry],
        marks.EMPLACED: [uid for uid, counter in counters.items() if counter.kind == ARTILLERY],
        marks.KEIL: [uid for uid, counter in counters.items() if counter.panzerkorps],
        **{table: list(counters) for table in (marks.DISRUPTED, marks.ACTED, marks.PLACED)},
    }
    wrong = []
    for table, known in kinds.items():
        for uid, word in state.marks.get(table, {}).items():
            there = uid in known and (state.units[uid].place in index or table == marks.ACTED)
            words = POINTY_NAMES if table == marks.KEIL else (marks.YES,)
            right = word in words or (table == marks.ACTED and word.removeprefix(marks.AGAIN) in _SPENT)
            wrong += [] if there and right else [f"{uid} cannot be marked {table} {word}"]
    for label in state.marks.get(marks.BREACHED, {}):
        if label not in index or index[label] not in setting.lines:
            wrong.append(f"{label} is no line hex and cannot be lost")
    for label, side in state.marks.get(marks.CONTROL, {}).items():
        if label not in index or index[label] not in setting.cities or side not in SIDES:
            wrong.append(f"{label} cannot be held by {side}")
    verdicts = [f"{key} is no verdict" for key in state.marks.get(VERDICT, {}) if key not in ("winner", "how")]
    return wrong + find_wrong_planes(setting, state) + verdicts
