"""The closed set of events. Facts change the position; explanations give reasons. The report contains both.

Every event names its paragraph. Only ``apply(state, event)`` changes a position, so applying the events to ``before``
gives ``after``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.state import ELIMINATED, State, Unit

HIGH, LOW = "high", "low"  # which throws are lucky
COLUMN, DIE = "column", "die"  # objects of a shift


@frozen(slots=True)
class Placed:
    """Put a unit with ``steps`` in ``place``: at set-up, as a replacement (``flip``, ``place``), or when it returns."""

    rule: str
    unit: str
    place: str
    steps: int
    how: str


@frozen(slots=True)
class Moved:
    """Move a unit through the hexes of ``path``, in order. ``how``: move, rail, retreat or advance.

    ``start``: the hex before the move. ``mp``: the movement points spent, '' if the rules count none.
    """

    rule: str
    unit: str
    start: str
    path: tuple[str, ...]
    how: str
    mp: str = ""


@frozen(slots=True)
class StepsLost:
    """Take ``lost`` steps from a unit, which keeps ``left`` steps. ``why``: the reason in a few words."""

    rule: str
    unit: str
    lost: int
    left: int
    why: str


@frozen(slots=True)
class Removed:
    """Remove a unit from the map: to ``eliminated`` (no steps left) or ``off-map`` (the unit keeps its steps)."""

    rule: str
    unit: str
    place: str
    why: str


@frozen(slots=True)
class Marked:
    """Set a mark of the position to a word."""

    rule: str
    table: str
    key: str
    value: str


@frozen(slots=True)
class Unmarked:
    """Remove a mark of the position."""

    rule: str
    table: str
    key: str


@frozen(slots=True)
class Tracked:
    """Set a count such as a side's points. ``by``: the gain (above 0) or price (below 0), or 0. ``why``: the reason."""

    rule: str
    track: str
    value: int
    by: int = 0
    why: str = ""


@frozen(slots=True)
class Scheduled:
    """Put ``value`` on the agenda (list of open actions) under ``key``, for a later message. None removes the entry."""

    rule: str
    key: str
    value: Any


@frozen(slots=True)
class Advanced:
    """Go to the next message: set its turn, its writer and its stage."""

    rule: str
    turn: str
    side: str
    stage: str


@frozen(slots=True)
class PhaseBegan:
    """Tell readers that a phase begins. The position stays the same."""

    rule: str
    phase: str
    side: str
    turn: str


@frozen(slots=True)
class Rolled:
    """Tell readers a roll: its digits, and its label, which anyone needs to compute the dice again.

    ``whose``: the side that wants a good roll, '' if no side does. ``good``: whether ``high`` or ``low`` dice are good
    for this side.
    """

    rule: str
    label: str
    digits: str
    whose: str = ""
    good: str = HIGH


@frozen(slots=True)
class Row:
    """A unit or another factor on one side of a battle: its place, printed strength, changes and resulting strength."""

    unit: str
    place: str
    printed: str
    changes: tuple[str, ...]
    counts: str


@frozen(slots=True)
class Force:
    """One side of a battle: ``rows`` for its units and factors, and their ``total`` strength as text."""

    side: str
    rows: tuple[Row, ...]
    total: str

    @property
    def units(self) -> tuple[str, ...]:
        """The units and other factors named in the rows."""
        return tuple(row.unit for row in self.rows)


@frozen(slots=True)
class Shift:
    """A shift of ``by`` columns to the right, or ``by`` points added to the die roll: with paragraph and reason."""

    rule: str
    by: int
    why: str
    on: str = COLUMN


@frozen(slots=True)
class Fought:
    """Tell readers a battle with its arithmetic. The rules compute every field, and reports only print the fields."""

    rule: str
    battle: str
    place: str
    attack: Force
    defence: Force
    ratio: str  # the odds before the shifts
    shifts: tuple[Shift, ...]
    reached: str  # the odds after the shifts
    column: str  # the column of the table; '' if no attack takes place (see ``note``)
    roles: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (role in words, units)
    label: str = ""  # the label of the roll
    dice: str = ""  # the digits of the roll, '' without a roll
    die: str = ""  # the die after changes, '' if unchanged
    result: str = ""
    meaning: str = ""
    chance: str = ""  # the exact chance of ``result``
    note: str = ""  # why no attack takes place


@frozen(slots=True)
class Tested:
    """Tell readers a roll that must reach a number, such as a roll for weather, a breakdown, a save or morale."""

    rule: str
    subject: str  # the tested unit, or ''
    what: str  # the kind of test
    label: str
    dice: str
    needs: str  # the throws that succeed
    passed: bool
    text: str  # the result in words
    chance: str
    target: str = ""  # the target of a shot, '' for other tests


@frozen(slots=True)
class Decided:
    """Tell readers a player's choice: its kind, the player's side, the answer, and who or what gave the answer."""

    rule: str
    kind: str
    owner: str
    subject: str
    chosen: str
    source: str


@frozen(slots=True)
class Noted:
    """Tell readers a fact in words. The position stays the same. ``battle``: the battle that the fact is about."""

    rule: str
    text: str
    battle: str = ""


Fact = Placed | Moved | StepsLost | Removed | Marked | Unmarked | Tracked | Scheduled | Advanced
Event = Fact | PhaseBegan | Rolled | Fought | Tested | Decided | Noted
_FACTS = frozenset(get_args(Fact))


def _remove_mark(marks: Mapping[str, Mapping[str, str]], table: str, key: str) -> Mapping[str, Mapping[str, str]]:
    """Return the marks without an entry, and without its table if that was the last entry."""
    left = {**marks.get(table, {})}
    left.pop(key, None)
    return {**marks, table: left} if left else {name: entries for name, entries in marks.items() if name != table}


def apply(state: State, event: Event) -> State:
    """Return the position after one event. Events that only tell something change nothing."""
    if type(event) not in _FACTS:
        return state
    match event:
        case Moved(unit=uid, path=path):
            return state.with_(units={**state.units, uid: Unit(path[-1], state.units[uid].steps)})
        case Marked(table=table, key=key, value=value):
            return state.with_(marks={**state.marks, table: {**state.marks.get(table, {}), key: value}})
        case Placed(unit=uid, place=place, steps=steps):
            return state.with_(units={**state.units, uid: Unit(place, steps)})
        case StepsLost(unit=uid, left=left):
            return state.with_(units={**state.units, uid: Unit(state.units[uid].place, left)})
        case Removed(unit=uid, place=place):
            steps = 0 if place == ELIMINATED else state.units[uid].steps
            return state.with_(units={**state.units, uid: Unit(place, steps)})
        case Unmarked(table=table, key=key):
            return state.with_(marks=_remove_mark(state.marks, table, key))
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
