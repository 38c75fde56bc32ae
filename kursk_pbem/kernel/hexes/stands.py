"""Who stands where, as indices and masks: found once of a position, then led on by each event (decision 28).

What a system sees of a position is a frozen dataclass whose fields are ``setting``, ``state``, ``at``, ``where`` and
``occupied``, in this order. Whatever else follows from the position is a cached property of it, found when it is first
asked for, and kept for as long as nothing happens on which it depends; or a method `of_side`, kept side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from kursk_pbem.kernel.events import Event, Marked, Moved, Placed, Removed, Unmarked
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Setting, Umpire, View

Stack = tuple[str, ...]
UNITS = "units"
"""That a cached property depends on who stands where; otherwise it names a table of marks."""


class HexSetting(Setting, Protocol):
    """The setting of a system with hexes."""

    @property
    def board(self) -> Board:
        """The playable hexes."""

    @property
    def counters(self) -> Mapping[str, Any]:
        """Unit -> what is printed on it, its ``side`` at least; every unit of the game."""


class Stands(NamedTuple):
    """``at``: index -> units there, ascending by id; ``where``: unit on the map -> index; ``occupied``: by side."""

    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]


class Standing(Protocol):
    """What the dataclass of a position can do, whatever else follows from it in a system."""

    setting: Any
    state: State
    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]

    def side(self, uid: str) -> str:
        """The owner of a unit."""
        side: str = self.setting.counters[uid].side
        return side

    def enemies(self, side: str) -> Mask:
        """Hexes in which enemies of ``side`` stand."""
        one, other = self.setting.sides
        return self.occupied[other if side == one else one]

    def units(self, side: str) -> list[str]:
        """The units of a side on the map, by id."""
        return [uid for uid in sorted(self.where) if self.setting.counters[uid].side == side]

    def stack(self, hex_: int) -> Stack:
        """The units in a hex, by id."""
        return self.at.get(hex_, ())


P = TypeVar("P")
D = TypeVar("D")


def stands(setting: HexSetting, state: State) -> Stands:
    """Who stands where in a position."""
    index, counters = setting.board.index, setting.counters
    where = {uid: index[unit.place] for uid, unit in sorted(state.units.items()) if unit.place in index}
    at: dict[int, Stack] = {}
    occupied = dict.fromkeys(setting.sides, 0)
    for uid, hex_ in where.items():
        at[hex_] = (*at.get(hex_, ()), uid)
        occupied[counters[uid].side] |= 1 << hex_
    return Stands(at, where, occupied)


def led_on(setting: HexSetting, stood: Stands, uid: str, place: str) -> Stands:
    """The same with one unit at another place; ``stood`` itself if that is no change."""
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


def foreign(setting: HexSetting, side: str, uid: str) -> str:
    """Why a unit is none of a side's, in words that follow its id; '' if it is."""
    counter = setting.counters.get(uid)
    if counter is None:
        return "is no unit of this game"
    return "" if counter.side == side else f"belongs to the {counter.side} side"


def own_slip(setting: HexSetting, state: State, side: str, uid: str) -> str:
    """The same of a unit that must stand on the map too."""
    if why := foreign(setting, side, uid):
        return why
    place = state.units[uid].place
    return "" if place in setting.board.index else f"is not on the map ({place})"


def own_units(setting: HexSetting, side: str) -> list[str]:
    """The units of a side, wherever they are, in the order of the scenario."""
    return [uid for uid, counter in setting.counters.items() if counter.side == side]


def of_side(find: Callable[[P, str], D]) -> Callable[[P, str], D]:
    """A method of a position whose answer for a side is kept as a cached property is, by its name behind an ``_``."""
    name = f"_{find.__name__}"

    @wraps(find)
    def kept(pos: P, side: str) -> D:
        known: dict[str, D] = vars(pos).setdefault(name, {})
        if side not in known:
            known[side] = find(pos, side)
        return known[side]

    return kept


def current(view: View[Any, D]) -> Callable[[Umpire[Any]], D]:
    """What a view says of the position of an umpire as it is now."""
    return lambda umpire: umpire.derived(view)


def view(
    make: Callable[..., P],
    depends: Mapping[str, Collection[str]],
    by_side: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> View[Any, P]:
    """The view of a dataclass ``make``; ``depends``: cached property -> UNITS, tables of marks.

    A cached property that is not named there is found anew after every event that changes the position. Of one that is
    in ``by_side`` too, `of_side` or a mapping by side, only the side of the unit is found anew that has changed.
    """

    def build(setting: Any, state: State) -> P:
        return make(setting, state, *stands(setting, state))

    def after(setting: Any, pos: Any, state: State, event: Event) -> P:
        if state is pos.state:
            return cast("P", pos)
        before, changed, whose = Stands(pos.at, pos.where, pos.occupied), "", ""
        stood = before
        match event:
            case Placed(unit=uid) | Moved(unit=uid) | Removed(unit=uid):
                stood = led_on(setting, before, uid, state.units[uid].place)
                changed, whose = "" if stood is before else UNITS, uid
            case Marked(table=table, key=key) | Unmarked(table=table, key=key):
                changed, whose = table, key
        following, known = make(setting, state, *stood), vars(pos)
        vars(following).update(
            {name: known[name] for name in depends if name in known and changed not in depends[name]}
        )
        for name in [name for name, tables in by_side.items() if changed in tables and name in vars(following)]:
            side = setting.counters[whose].side
            vars(following)[name] = {key: value for key, value in known[name].items() if key != side}
        return following

    return View(build, after)
