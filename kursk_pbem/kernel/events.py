"""The closed set of events. Facts change the position; explanations only tell why. Both make the report.

Every event names the paragraph it follows. ``apply(state, event)`` is the only way a position changes, so folding
the events over ``before`` gives ``after``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.state import ELIMINATED, State, Unit

HIGH, LOW = "high", "low"  # which throws are lucky
COLUMN, DIE = "column", "die"  # what a shift moves


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit comes to stand in ``place`` with ``steps``: set-up, replacement (``flip``, ``place``) or return."""

    rule: str
    unit: str
    place: str
    steps: int
    how: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A unit enters the hexes of ``path`` one after the other; ``how``: move, rail, retreat or advance.

    ``start`` is where it stood, ``mp`` the movement points spent ('' where none are counted).
    """

    rule: str
    unit: str
    start: str
    path: tuple[str, ...]
    how: str
    mp: str = ""


@dataclass(frozen=True, slots=True)
class StepsLost:
    """A unit loses ``lost`` steps and lives on with ``left``; ``why`` in a few words."""

    rule: str
    unit: str
    lost: int
    left: int
    why: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A unit leaves the map: to ``eliminated`` (no steps) or ``off-map`` (with the steps it keeps)."""

    rule: str
    unit: str
    place: str
    why: str


@dataclass(frozen=True, slots=True)
class Marked:
    """An entry of the marks is set."""

    rule: str
    table: str
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Unmarked:
    """An entry of the marks is taken away."""

    rule: str
    table: str
    key: str


@dataclass(frozen=True, slots=True)
class Tracked:
    """A named whole number takes a value; ``by``: the gain or (below 0) the price, 0 if it is set; ``why``: on what."""

    rule: str
    track: str
    value: int
    by: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Scheduled:
    """Something declared waits in the agenda under ``key``; ``value`` None takes it off again."""

    rule: str
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Advanced:
    """The game goes on: turn, the side that writes the next message, and that message's stage."""

    rule: str
    turn: str
    side: str
    stage: str


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """A phase begins (explanation)."""

    rule: str
    phase: str
    side: str
    turn: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice fell: the label under which anyone can recompute them, and the digits (explanation).

    ``whose`` luck they are ('' nobody's), and whether ``high`` or ``low`` is lucky for that side.
    """

    rule: str
    label: str
    digits: str
    whose: str = ""
    good: str = HIGH


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a force: a unit, or in words what else counts, where it acts from, what it counts after changes."""

    unit: str
    place: str
    printed: str
    changes: tuple[str, ...]
    counts: str


@dataclass(frozen=True, slots=True)
class Force:
    """What one side brings into a battle: its rows, and their ``total`` as a person writes it."""

    side: str
    rows: tuple[Row, ...]
    total: str

    @property
    def units(self) -> tuple[str, ...]:
        """Who or what stands in the rows."""
        return tuple(row.unit for row in self.rows)


@dataclass(frozen=True, slots=True)
class Shift:
    """A shift of ``by`` (columns to the right, or points of the die): its paragraph, and why."""

    rule: str
    by: int
    why: str
    on: str = COLUMN


@dataclass(frozen=True, slots=True)
class Fought:
    """A battle as a rulebook would work it out (explanation). The rules fill in all of it; a report only prints.

    ``roles``: (words, units) of those who do more than stand in a row. ``ratio`` before the shifts, ``reached`` after
    them, ``column`` the one used ('' if no attack takes place: ``note`` says why). ``dice`` fell under ``label`` ('' if
    none fell), ``die`` is what they count after shifts ('' if the same), ``chance`` that of ``result``, exactly.
    """

    rule: str
    battle: str
    place: str
    attack: Force
    defence: Force
    ratio: str
    shifts: tuple[Shift, ...]
    reached: str
    column: str
    roles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    label: str = ""
    dice: str = ""
    die: str = ""
    result: str = ""
    meaning: str = ""
    chance: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tested:
    """Dice against a number: weather, a breakdown, a save, morale (explanation).

    ``what`` is tested, of ``subject`` (a unit, or ''); ``needs`` says at which throw, ``text`` what came of it.
    ``target``: the unit that a shot is aimed at, '' for every other test.
    """

    rule: str
    subject: str
    what: str
    label: str
    dice: str
    needs: str
    passed: bool
    text: str
    chance: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """A choice that the rules leave to a player was made: what, by whom, and where the answer came from."""

    rule: str
    kind: str
    owner: str
    subject: str
    chosen: str
    source: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Something a reader should know; changes nothing. ``battle``: the one that it announces, '' for none."""

    rule: str
    text: str
    battle: str = ""


Fact = Placed | Moved | StepsLost | Removed | Marked | Unmarked | Tracked | Scheduled | Advanced
Event = Fact | PhaseBegan | Rolled | Fought | Tested | Decided | Noted


def apply(state: State, event: Event) -> State:
    """The position after one event; explanations change nothing."""
    match event:
        case Placed(unit=uid, place=place, steps=steps):
            return state.with_(units={**state.units, uid: Unit(place, steps)})
        case Moved(unit=uid, path=path):
            return state.with_(units={**state.units, uid: Unit(path[-1], state.units[uid].steps)})
        case StepsLost(unit=uid, left=left):
            return state.with_(units={**state.units, uid: Unit(state.units[uid].place, left)})
        case Removed(unit=uid, place=place):
            steps = 0 if place == ELIMINATED else state.units[uid].steps
            return state.with_(units={**state.units, uid: Unit(place, steps)})
        case Marked(table=table, key=key, value=value):
            return state.with_(marks={**state.marks, table: {**state.marks.get(table, {}), key: value}})
        case Unmarked(table=table, key=key):
            left_over = {k: v for k, v in state.marks.get(table, {}).items() if k != key}
            marks = {**state.marks, table: left_over}
            return state.with_(marks={name: entries for name, entries in marks.items() if entries})
        case Tracked(track=track, value=value):
            return state.with_(tracks={**state.tracks, track: value})
        case Scheduled(key=key, value=None):
            return state.with_(agenda={k: v for k, v in state.agenda.items() if k != key})
        case Scheduled(key=key, value=value):
            return state.with_(agenda={**state.agenda, key: value})
        case Advanced(turn=turn, side=side, stage=stage):
            return state.with_(turn=turn, side=side, stage=stage)
        case _:
            return state
