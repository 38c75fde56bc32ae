"""What follows from a position: who stands where, zones of control (4.0), stacking (5.0), supply (6.0, 11.0).

A side's zone of control is the hexes around its units that have one, over any terrain and river, friends or not; it
holds the hexes of those units only where another one is adjacent. Interdiction controls the one hex below it (4.0-d).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kursk_pbem.kernel.events import Event, Marked, Moved, Placed, Removed, Unmarked
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.kernel.umpire import Umpire, View
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, SIDES, Setting

PATROL, INTERDICTION, FLOWN, CITIES = "patrol", "interdiction", "flown", "cities"
"""Marks: air unit -> hex that it patrols or interdicts; air unit -> what it did this turn; city -> side last in it."""
POINTS = "points-{}"
"""Track: victory points of a side for enemy strength (14.0-strength)."""

Stack = tuple[str, ...]


@dataclass(frozen=True)
class Position:
    """One position seen through the board: indices and masks. ``at``: index -> units; ``where``: unit -> index."""

    setting: Setting
    state: State
    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]  # side -> hexes its units stand in
    zoc: Mapping[str, Mask]  # side -> hexes its units control
    interdicted: Mapping[str, Mask]  # side -> hexes its aircraft control

    def side(self, uid: str) -> str:
        """The owner of a unit."""
        return self.setting.counters[uid].side

    def enemies(self, side: str) -> Mask:
        """Hexes in which enemies of ``side`` stand."""
        return self.occupied[ENEMY[side]]

    def units(self, side: str) -> list[str]:
        """The units of a side on the map, by id."""
        return [uid for uid in sorted(self.where) if self.setting.counters[uid].side == side]

    def stack(self, hex_: int) -> Stack:
        """The units in a hex, by id."""
        return self.at.get(hex_, ())

    def controlled(self, side: str) -> Mask:
        """4.0, 9.0-d2: hexes that the enemies of ``side`` control for its movement; friends there change nothing."""
        return self.zoc[ENEMY[side]] | self.interdicted[ENEMY[side]]

    def full(self, uid: str) -> Mask:
        """5.0-a, 5.0-e: hexes in which a unit cannot be added to its own side, not even in passing."""
        counters, mine = self.setting.counters, self.setting.counters[uid]
        found = 0
        for hex_, stack in self.at.items():
            if counters[stack[0]].side == mine.side and uid not in stack and not self.fits((*stack, uid)):
                found |= 1 << hex_
        return found

    def fits(self, stack: Iterable[str]) -> bool:
        """5.0, 5.0-b, 5.0-c, S-19, S-36, S-42: whether these units of one side may stand in one hex.

        By the digital edition four, three of them divisions or corps; by the print edition three other units count as
        one division, and one such unit is free.
        """
        who, setting = list(stack), self.setting
        large = sum(setting.counters[uid].large for uid in who)
        if setting.printed:  # 5.0-print
            return large + -(-max(0, len(who) - large - 1) // 3) <= setting.limits["stack-large"]
        return large <= setting.limits["stack-large"] and len(who) <= setting.limits["stack"]

    def opened(self, side: str, own: Mask) -> Mask:
        """6.0-c, 6.0-d, S-8, S-22: hexes through which ``side`` may trace supply while its units stand in ``own``."""
        return self.setting.board.all & ~self.enemies(side) & ~(self.controlled(side) & ~own)

    def lines(self, side: str) -> tuple[Mask, ...]:
        """6.0-range: the hexes 0, 1, ... hexes from a railway that leads off the map, as far as supply goes."""
        own = self.occupied[side]
        found: tuple[Mask, ...] = self.setting.lines_of_supply(side, self.opened(side, own))
        return found

    def reached(self, side: str) -> Mask:
        """6.0: the hexes from which ``side`` can trace supply."""
        return sum(self.lines(side))  # no two rings share a hex

    def supplied(self, uid: str) -> bool:
        """6.0, 11.0-a: whether a unit on the map is in supply now."""
        return bool(self.reached(self.side(uid)) >> self.where[uid] & 1) and self.together(uid)

    def together(self, uid: str, there: int = -1) -> bool:
        """11.0-b, 11.0-c, S-28: whether another unit of the army is near enough (to a hex), if one is needed."""
        mine, here = self.setting.counters[uid], self.where[uid]
        most = self.setting.within.get(f"{mine.attack}-{mine.move}", 0) if mine.army else 0
        if not most or not self.setting.integrity:
            return True
        some, several = self.armies[mine.army]
        others = some & ~(1 << here) | several & 1 << here
        return bool(others & self.setting.around(here if there < 0 else there, most))

    @cached_property
    def armies(self) -> Mapping[str, tuple[Mask, Mask]]:
        """11.0-b: army -> the hexes in which units of it stand, and those in which more than one does."""
        found: dict[str, tuple[Mask, Mask]] = {}
        for uid, hex_ in self.where.items():
            some, several = found.get(self.setting.counters[uid].army, (0, 0))
            found[self.setting.counters[uid].army] = some | 1 << hex_, several | some & 1 << hex_
        return found

    def over(self, table: str, side: str, hex_: int) -> list[str]:
        """9.0-a: the aircraft of a side on patrol or interdiction over a hex, by id."""
        label, entries = self.setting.board.labels[hex_], self.state.marks.get(table, {})
        return [uid for uid, at in sorted(entries.items()) if at == label and self.side(uid) == side]


def position(setting: Setting, state: State) -> Position:
    """Compute the view of a state; ask for it by ``view(umpire)`` where there is an umpire."""
    index = setting.board.index
    where = {uid: index[unit.place] for uid, unit in state.units.items() if unit.place in index}
    stacks: dict[int, list[str]] = {}
    for uid in sorted(where):
        stacks.setdefault(where[uid], []).append(uid)
    at = {hex_: tuple(stack) for hex_, stack in stacks.items()}
    sums = [_ground(setting, at, side) for side in SIDES]
    occupied, zoc = ({side: each[number] for side, each in zip(SIDES, sums, strict=True)} for number in (0, 1))
    return Position(setting, state, at, where, occupied, zoc, _interdicted(setting, state))


def _ground(setting: Setting, at: Mapping[int, Stack], side: str) -> tuple[Mask, Mask]:
    """The hexes in which a side stands, and those that it controls (4.0, 4.0-forest, S-6, S-49)."""
    counters = setting.counters
    own = {hex_: stack for hex_, stack in at.items() if counters[stack[0]].side == side}
    active = sum([1 << hex_ for hex_, stack in own.items() if not setting.controlling.isdisjoint(stack)])
    zoc = setting.board.spread(active)
    return sum([1 << hex_ for hex_ in own]), zoc & ~setting.rough if setting.printed else zoc


def _interdicted(setting: Setting, state: State) -> dict[str, Mask]:
    found = dict.fromkeys(SIDES, 0)
    for uid, label in state.marks.get(INTERDICTION, {}).items():
        found[setting.counters[uid].side] |= 1 << setting.board.index[label]
    return found


def _after(setting: Setting, pos: Position, state: State, event: Event) -> Position:
    """The view of ``state``, to which ``event`` has led from the state of ``pos``."""
    match event:
        case Placed(unit=uid) | Moved(unit=uid) | Removed(unit=uid):
            return _stands(pos, state, uid)
        case Marked(table="interdiction") | Unmarked(table="interdiction"):
            return _with(pos, state=state, interdicted=_interdicted(setting, state))
        case _:
            return pos if state is pos.state else _with(pos, state=state)


def _with(pos: Position, **changes: Any) -> Position:
    """The same with some fields exchanged; ``dataclasses.replace`` takes three times as long."""
    fields = {**vars(pos), **changes}
    fields.pop("armies", None)  # what had been found out of the other one
    return Position(**fields)


def _stands(pos: Position, state: State, uid: str) -> Position:
    """The view with one unit where ``state`` has it."""
    setting, side = pos.setting, pos.side(uid)
    old, new = pos.where.get(uid), setting.board.index.get(state.units[uid].place)
    if old == new:
        return _with(pos, state=state)
    at, where = {**pos.at}, {**pos.where}
    if old is not None:
        at[old] = tuple(each for each in at[old] if each != uid)
        if not at[old]:
            del at[old]
        del where[uid]
    if new is not None:
        at[new] = tuple(sorted((*at.get(new, ()), uid)))
        where[uid] = new
    occupied, zoc = _ground(setting, at, side)
    return Position(
        setting, state, at, where, {**pos.occupied, side: occupied}, {**pos.zoc, side: zoc}, pos.interdicted
    )


VIEW = View(position, _after)


def view(umpire: Umpire[Setting]) -> Position:
    """The view of the umpire's position as it is now."""
    return umpire.derived(VIEW)


def holder(setting: Setting, state: State, hex_: int) -> str:
    """14.0-control: the side that was last in a city."""
    return state.mark(CITIES, setting.board.labels[hex_], setting.city_side[hex_])


def invariants(setting: Setting, state: State) -> list[str]:
    """What must hold of every position between messages; each breach as a sentence, none as an empty list."""
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
        elif not pos.fits(stack):
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
    """Aircraft fly over hexes, one mission each, and only while their base stands."""
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
