"""What follows from a position: who stands where, zones of control (7.0), control of cities (10.0).

EZOC of a side = the hexes adjacent to at least one enemy unit, over any terrain and river, friends or not (7.0,
7.0-friends, K-29). It includes hexes that enemies occupy only where another enemy is adjacent: always test occupation
separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.events import Event, Marked, Moved, Placed, Removed, Unmarked
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire, View
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, FULL, GERMAN, REDUCED, RUSSIAN, SIDES, Setting


@dataclass(frozen=True)
class Position:
    """One position seen through the board: indices and masks. ``at``: index -> unit; ``where``: unit -> index."""

    setting: Setting
    state: State
    at: dict[int, str]
    where: dict[str, int]
    occupied: Mapping[str, Mask]  # side -> hexes its units stand in
    zoc: Mapping[str, Mask]  # side -> hexes its units control
    cities: Mapping[str, Mask]  # side -> cities and major cities it controls (10.0)

    def ezoc(self, side: str) -> Mask:
        """The zone of control of the enemies of ``side`` (7.0)."""
        return self.zoc[ENEMY[side]]

    def enemies(self, side: str) -> Mask:
        """Hexes in which enemies of ``side`` stand."""
        return self.occupied[ENEMY[side]]

    def side(self, uid: str) -> str:
        """The owner of a unit."""
        return self.setting.counters[uid].side

    def strength(self, uid: str) -> int:
        """Strength points of the side of the counter that is up (3.3)."""
        return self.setting.strength(uid, self.state.units[uid].steps)

    def fortified(self, uid: str) -> bool:
        """Whether a unit stands in a friendly, active fortification (9.2, K-52)."""
        return self.setting.fort_of(self.where[uid], self.state.turn, self.side(uid))

    def communication(self, side: str) -> Mask:
        """10.0-in-communication, 7.3: the hexes that are In Communication for ``side`` (K-37).

        An edge hex of the side's colour always is. Any other needs a chain of hexes to one; every hex after the
        first is free of enemy units, of EZOC and of cities that the enemy controls.
        """
        opened = self.setting.board.all & ~self.enemies(side) & ~self.ezoc(side) & ~self.cities[ENEMY[side]]
        return self.setting.in_communication(side, opened)


def position(setting: Setting, state: State) -> Position:
    """Compute the view of a state; ask for it by ``view(umpire)`` where there is an umpire."""
    index, counters = setting.board.index, setting.counters
    where = {uid: index[unit.place] for uid, unit in state.units.items() if unit.place in index}
    at = {hex_: uid for uid, hex_ in where.items()}
    german = sum([1 << hex_ for hex_, uid in at.items() if counters[uid].side == GERMAN])
    occupied = {GERMAN: german, RUSSIAN: sum([1 << hex_ for hex_ in at]) - german}
    zoc = {side: setting.board.spread(occupied[side]) for side in SIDES}
    return Position(setting, state, at, where, occupied, zoc, _cities(setting, state))


def _cities(setting: Setting, state: State) -> dict[str, Mask]:
    """10.0: who controls which city: whoever is marked, otherwise the side of the Start Line."""
    control, labels = state.marks.get("control", {}), setting.board.labels
    held = {GERMAN: 0, RUSSIAN: 0}
    for hex_, home in setting.city_side.items():
        held[control.get(labels[hex_], home)] |= 1 << hex_
    return held


def _after(setting: Setting, pos: Position, state: State, event: Event) -> Position:
    """The view of ``state``, to which ``event`` has led from the state of ``pos``."""
    match event:
        case Placed(unit=uid) | Moved(unit=uid) | Removed(unit=uid):
            return _stands(pos, state, uid)
        case Marked(table="control") | Unmarked(table="control"):
            return _with(pos, state=state, cities=_cities(setting, state))
        case _:
            return pos if state is pos.state else _with(pos, state=state)


def _with(pos: Position, **changes: Any) -> Position:
    """The same with some fields exchanged; ``dataclasses.replace`` takes three times as long."""
    return Position(**{**vars(pos), **changes})


def _stands(pos: Position, state: State, uid: str) -> Position:
    """The view with one unit where ``state`` has it."""
    board, side = pos.setting.board, pos.side(uid)
    old, new = pos.where.get(uid), board.index.get(state.units[uid].place)
    if old == new:
        return _with(pos, state=state)
    at, where, occupied = pos.at.copy(), pos.where.copy(), pos.occupied[side]
    if old is not None:
        del at[old]
        occupied ^= 1 << old
    if new is None:
        del where[uid]
    else:
        at[new], where[uid] = uid, new
        occupied |= 1 << new
    zoc = {**pos.zoc, side: board.spread(occupied)}
    return Position(pos.setting, state, at, where, {**pos.occupied, side: occupied}, zoc, pos.cities)


VIEW = View(position, _after)


def view(umpire: Umpire[Setting]) -> Position:
    """The view of the umpire's position as it is now."""
    return umpire.derived(VIEW)


def is_mud(state: State) -> bool:
    """Whether this is a mud turn (11.0)."""
    return state.tracks.get("mud", 0) == 1


def invariants(setting: Setting, state: State) -> list[str]:
    """What must hold of every position between messages; each breach as a sentence, none as an empty list."""
    wrong = _wrong_units(setting, state)
    if set(state.units) != set(setting.counters):
        wrong.append("the units are not those of the order of battle")
    tracks = {side: state.tracks.get(f"offensives-{side}", 0) for side in SIDES}
    wrong += [f"{side} has {number} Offensive markers" for side, number in tracks.items() if not 0 <= number <= 3]
    cities = {setting.board.labels[hex_] for hex_ in setting.cities}
    control = state.marks.get("control", {})
    wrong += [f"{label} is controlled and is no city" for label in control if label not in cities]
    return wrong


def _wrong_units(setting: Setting, state: State) -> list[str]:
    """One unit a hex (8.2.2); steps that fit the place."""
    wrong: list[str] = []
    seen: dict[str, str] = {}
    for uid, unit in state.units.items():
        if unit.place in setting.board.index:
            if unit.place in seen:
                wrong.append(f"{uid} and {seen[unit.place]} both stand in {unit.place}")  # 8.2.2
            seen[unit.place] = uid
            if unit.steps not in (REDUCED, FULL):
                wrong.append(f"{uid} stands on the map with {unit.steps} steps")
        elif unit.place == "eliminated":
            if unit.steps != 0:
                wrong.append(f"{uid} is eliminated with {unit.steps} steps")
        elif unit.place != "off-map" or unit.steps not in (REDUCED, FULL):
            wrong.append(f"{uid} is at {unit.place} with {unit.steps} steps")
    return wrong
