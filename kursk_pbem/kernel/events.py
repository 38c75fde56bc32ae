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
    """A unit appears in ``place`` with ``steps``: set-up, replacement (``flip``, ``place``) or return."""

    rule: str
    unit: str
    place: str
    steps: int
    how: str


@frozen(slots=True)
class Moved:
    """A unit enters the hexes of ``path`` in order; ``how``: move, rail, retreat or advance.

    ``start``: the hex before the move. ``mp``: movement points spent ('' without a count).
    """

    rule: str
    unit: str
    start: str
    path: tuple[str, ...]
    how: str
    mp: str = ""


@frozen(slots=True)
class StepsLost:
    """A unit loses ``lost`` steps and keeps ``left`` steps; ``why`` in a few words."""

    rule: str
    unit: str
    lost: int
    left: int
    why: str


@frozen(slots=True)
class Removed:
    """A unit leaves the map: to ``eliminated`` (no steps) or ``off-map`` (with its remaining steps)."""

    rule: str
    unit: str
    place: str
    why: str


@frozen(slots=True)
class Marked:
    """Set an entry of the marks."""

    rule: str
    table: str
    key: str
    value: str


@frozen(slots=True)
class Unmarked:
    """Remove an entry of the marks."""

    rule: str
    table: str
    key: str


@frozen(slots=True)
class Tracked:
    """Set a named whole number. ``by``: the gain, or the price (below 0), or 0; ``why``: the reason of this change."""

    rule: str
    track: str
    value: int
    by: int = 0
    why: str = ""


@frozen(slots=True)
class Scheduled:
    """Put a declared ``value`` into the agenda under ``key``; None removes the entry."""

    rule: str
    key: str
    value: Any


@frozen(slots=True)
class Advanced:
    """Continue the game: turn, writer of the next message, and stage of this message."""

    rule: str
    turn: str
    side: str
    stage: str


@frozen(slots=True)
class PhaseBegan:
    """Begin a phase (explanation)."""

    rule: str
    phase: str
    side: str
    turn: str


@frozen(slots=True)
class Rolled:
    """Roll dice (explanation): the label for recomputation, and the digits.

    ``whose``: the side with an interest in the dice ('' without one); ``good``: whether ``high`` or ``low`` is lucky
    for this side.
    """

    rule: str
    label: str
    digits: str
    whose: str = ""
    good: str = HIGH


@frozen(slots=True)
class Row:
    """A line of a force: a unit or another factor, its place, its printed value, changes, and the final value."""

    unit: str
    place: str
    printed: str
    changes: tuple[str, ...]
    counts: str


@frozen(slots=True)
class Force:
    """The force of one side in a battle: rows, and their ``total`` as text."""

    side: str
    rows: tuple[Row, ...]
    total: str

    @property
    def units(self) -> tuple[str, ...]:
        """The units or factors in the rows."""
        return tuple(row.unit for row in self.rows)


@frozen(slots=True)
class Shift:
    """A shift of ``by`` columns to the right or points of the die: the paragraph and the reason."""

    rule: str
    by: int
    why: str
    on: str = COLUMN


@frozen(slots=True)
class Fought:
    """A battle with the arithmetic of the rulebook (explanation). The rules fill in every field; a report only prints.

    ``roles``: (words, units) of units with a special role. ``ratio``: before the shifts; ``reached``: after the shifts;
    ``column``: the column used ('' without an attack; ``note`` gives the reason). ``dice``: rolled under ``label`` (''
    without a roll). ``die``: the value after shifts ('' if unchanged). ``chance``: the exact chance of ``result``.
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


@frozen(slots=True)
class Tested:
    """Dice against a number: weather, a breakdown, a save, morale (explanation).

    ``what``: the tested quality of ``subject`` (a unit, or ''). ``needs``: the throw for success. ``text``: the result.
    ``target``: the target of a shot, '' for other tests.
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


@frozen(slots=True)
class Decided:
    """Record a player's choice: kind, owner, answer, and the source of the answer."""

    rule: str
    kind: str
    owner: str
    subject: str
    chosen: str
    source: str


@frozen(slots=True)
class Noted:
    """Tell the reader something without changing the position. ``battle``: the announced battle, or ''."""

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
    """Return the position after one event; explanations change nothing."""
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
