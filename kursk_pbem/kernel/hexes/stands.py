"""Units by hex, as indices and masks: computed once for a position, then updated by every event.

A system's view of a position is a frozen dataclass with the fields ``setting``, ``state``, ``at``, ``where`` and
``occupied``, in this order. Other derived values are cached properties, computed on demand and kept until a relevant
event; or methods decorated with `of_side`, cached by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from kursk_pbem.kernel.events import Event, Marked, Moved, Placed, Removed, Unmarked
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Setting, Umpire, View

Stack = tuple[str, ...]
UNITS, PRESENCE = "units", "presence"
"""Dependencies of a cached property: on the places of units, and on units that come or leave; others are tables of
marks."""
_MARKS, _PLACES = (Marked, Unmarked), (Placed, Moved, Removed)


class HexSetting(Setting, Protocol):
    """The fields that the setting of every system with hexes has."""

    @property
    def board(self) -> Board:
        """The playable hexes."""

    @property
    def counters(self) -> Mapping[str, Any]:
        """Unit -> printed values, for every unit of the game. ``side`` is always among the values."""


class Stands(NamedTuple):
    """The units on the map. ``at``: index -> units. ``where``: unit -> index. ``occupied``: side -> hexes in use."""

    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]


class Standing(Protocol):
    """The methods of a dataclass in which a system keeps the units on the map."""

    setting: Any
    state: State
    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]

    def side(self, uid: str) -> str:
        """Return the owner of a unit."""
        side: str = self.setting.counters[uid].side
        return side

    def enemies(self, side: str) -> Mask:
        """Return the hexes with enemies of ``side``."""
        one, other = self.setting.sides
        return self.occupied[other if side == one else one]

    def units(self, side: str) -> list[str]:
        """Return the units of a side on the map, by id."""
        return [uid for uid in sorted(self.where) if self.setting.counters[uid].side == side]

    def stack(self, hex_: int) -> Stack:
        """Return the units in a hex, by id."""
        return self.at.get(hex_, ())


P = TypeVar("P")
D = TypeVar("D")


def find_stands(setting: HexSetting, state: State) -> Stands:
    """Return where the units of a position are on the map."""
    index, counters = setting.board.index, setting.counters
    where = {uid: index[unit.place] for uid, unit in sorted(state.units.items()) if unit.place in index}
    at: dict[int, Stack] = {}
    occupied = dict.fromkeys(setting.sides, 0)
    for uid, hex_ in where.items():
        at[hex_] = (*at.get(hex_, ()), uid)
        occupied[counters[uid].side] |= 1 << hex_
    return Stands(at, where, occupied)


def move_unit(setting: HexSetting, stood: Stands, uid: str, place: str) -> Stands:
    """Return the stands after a unit's move to ``place``; if the unit was there before, return ``stood`` unchanged."""
    old, new = stood.where.get(uid), setting.board.index.get(place)
    if old == new:
        return stood
    at, where, side = {**stood.at}, {**stood.where}, setting.counters[uid].side
    occupied = stood.occupied[side]
    if old is not None:
        at[old] = tuple([other for other in at[old] if other != uid])
        if not at[old]:
            del at[old]
            occupied &= ~(1 << old)
        del where[uid]
    if new is not None:
        at[new] = tuple(sorted((*at.get(new, ()), uid)))
        where[uid] = new
        occupied |= 1 << new
    return Stands(at, where, {**stood.occupied, side: occupied})


def explain_foreign(setting: HexSetting, side: str, uid: str) -> str:
    """Return why a unit does not belong to a side, as words to follow the id; '' if the unit belongs to the side."""
    counter = setting.counters.get(uid)
    if counter is None:
        return "is no unit of this game"
    return "" if counter.side == side else f"belongs to the {counter.side} side"


def explain_own(setting: HexSetting, state: State, side: str, uid: str) -> str:
    """Return why a unit does not belong to a side or is not on the map, as words to follow the id; otherwise ''."""
    if why := explain_foreign(setting, side, uid):
        return why
    place = state.units[uid].place
    return "" if place in setting.board.index else f"is not on the map ({place})"


def own_units(setting: HexSetting, side: str) -> list[str]:
    """Return the units of a side in the order of the scenario, even if they are not on the map."""
    return [uid for uid, counter in setting.counters.items() if counter.side == side]


def of_side(find: Callable[[P, str], D]) -> Callable[[P, str], D]:
    """Wrap a method of a position, so that its result is kept for every side, in an attribute ``_`` + method name."""
    name = f"_{find.__name__}"

    @wraps(find)
    def find_cached(pos: P, side: str) -> D:
        known: dict[str, D] = vars(pos).setdefault(name, {})
        if side not in known:
            known[side] = find(pos, side)
        return known[side]

    return find_cached


def kept(find: Callable[..., D]) -> Callable[..., D]:
    """Wrap a function of a position, so that the position keeps the result for all further arguments."""
    name = f"_{find.__name__}"

    @wraps(find)
    def find_kept(pos: Any, *given: Any) -> D:
        known: dict[Any, D] = vars(pos).setdefault(name, {})
        if given not in known:
            known[given] = find(pos, *given)
        return known[given]

    return find_kept


def current_view(view: View[Any, D]) -> Callable[[Umpire[Any]], D]:
    """Return a function of an umpire that computes a view in the umpire's present position."""
    return lambda umpire: umpire.derived(view)


def _follow_events(
    setting: HexSetting, pos: Standing, state: State, events: Iterable[Event], watched: Collection[str]
) -> tuple[Stands, dict[str, list[str]]]:
    """Return the stands after the events, and the changes: UNITS, PRESENCE or a watched table of marks -> keys."""
    changed: dict[str, list[str]] = {}
    stood = Stands(pos.at, pos.where, pos.occupied)
    for event in events:
        if isinstance(event, _MARKS):
            if event.table in watched:
                changed.setdefault(event.table, []).append(event.key)
        elif isinstance(event, _PLACES):
            stands = move_unit(setting, stood, event.unit, state.units[event.unit].place)
            if stands is not stood:
                changed.setdefault(UNITS, []).append(event.unit)
            if not isinstance(event, Moved):
                changed.setdefault(PRESENCE, []).append(event.unit)
            stood = stands
    return stood, changed


def make_view(
    make: Callable[..., P],
    depends: Mapping[str, Collection[str]],
    by_side: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> View[Any, P]:
    """Return a view that makes the dataclass ``make``. Events update only the cached properties that they change.

    ``depends``: cached property -> the tables that the property reads, UNITS or tables of marks. A property without an
    entry changes by every event. ``by_side``: properties with a value for every side. Only the value for the moved
    unit's side changes.
    """

    def build(setting: Any, state: State) -> P:
        return make(setting, state, *find_stands(setting, state))

    watched = {name for each in (depends, by_side) for names in each.values() for name in names}

    def after(setting: Any, pos: Any, state: State, *events: Event) -> P:
        if state is pos.state:
            return cast("P", pos)
        stood, changed = _follow_events(setting, pos, state, events, watched)
        following, known = make(setting, state, *stood), vars(pos)
        table = vars(following)
        for name, tables in depends.items():
            if name in known and changed.keys().isdisjoint(tables):
                table[name] = known[name]
        for name, tables in by_side.items() if changed else ():
            if name in table and (keys := [key for at in tables if at in changed for key in changed[at]]):
                sides = {setting.counters[key].side for key in keys}
                table[name] = {key: value for key, value in known[name].items() if key not in sides}
        return following

    return View(build, after)
