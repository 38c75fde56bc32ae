"""Values derived from a position: places, zones of control (4.0), stacking (5.0), supply (6.0, 11.0).

A side controls the hexes adjacent to its units with a zone of control, across any terrain and river, with or without
friends there. The hex of such a unit is controlled only if another such unit is adjacent. Interdiction controls the one
hex below (4.0-d).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import product

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import stands
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.stands import UNITS, Stack
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, SIDES, Setting

PATROL, INTERDICTION, FLOWN, CITIES = "patrol", "interdiction", "flown", "cities"
"""Marks: air unit -> hex of its patrol or interdiction; air unit -> mission of this turn; city -> last side there."""
POINTS = "points-{}"
"""Track: victory points of a side for enemy strength (14.0-strength)."""


@frozen
class Position(stands.Standing):
    """The units on the map in a position. ``at``: index -> units. ``where``: unit -> index."""

    setting: Setting
    state: State
    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]  # side -> hexes of its units

    @stands.of_side
    def find_zone(self, side: str) -> Mask:
        """4.0, 4.0-forest, S-6, S-49: return the hexes in the zones of control of a side."""
        setting, active = self.setting, 0
        for uid, hex_ in self.where.items():
            if uid in setting.controlling and setting.counters[uid].side == side:
                active |= 1 << hex_
        return setting.board.spread(active) & ~(setting.rough if setting.printed else 0)

    @cached_property
    def interdicted(self) -> Mapping[str, Mask]:
        """4.0-d, 9.0-d2: for each side, the hexes that its aircraft control by interdiction."""
        hexes = dict.fromkeys(SIDES, 0)
        for uid, label in self.state.marks.get(INTERDICTION, {}).items():
            hexes[self.side(uid)] |= 1 << self.setting.board.index[label]
        return hexes

    def find_controlled(self, side: str) -> Mask:
        """4.0, 9.0-d2: return the hexes that the enemies of ``side`` control, including hexes with friends."""
        return self.find_zone(ENEMY[side]) | self.interdicted[ENEMY[side]]

    def find_full(self, uid: str) -> Mask:
        """5.0-a, 5.0-e: return the hexes without room for a unit. The unit may not even pass through."""
        mine = self.setting.counters[uid]
        own = 1 << self.where[uid] if uid in self.where else 0
        return self.crowded[mine.side, mine.large] & ~own

    @cached_property
    def crowded(self) -> Mapping[tuple[str, bool], Mask]:
        """5.0-a, 5.0-d: the hexes without room for a unit. Keys: (the unit's side, whether the unit is large)."""
        setting, none = self.setting, dict.fromkeys(product(SIDES, (False, True)), 0)
        for hex_, stack in self.at.items():
            side = setting.counters[stack[0]].side
            for large in setting.no_more(stack):
                none[side, large] |= 1 << hex_
        return none

    def can_stack(self, stack: Iterable[str]) -> bool:
        """5.0, S-19, S-36, S-42: return whether units of one side may be together in a hex."""
        who = list(stack)
        return self.setting.has_room(sum(self.setting.counters[uid].large for uid in who), len(who))

    def find_open(self, side: str, own: Mask) -> Mask:
        """6.0-c, 6.0-d, S-8, S-22: return the hexes open to supply of ``side``. ``own``: the hexes with its units."""
        return self.setting.board.all & ~self.enemies(side) & ~(self.find_controlled(side) & ~own)

    def find_rings(self, side: str) -> tuple[Mask, ...]:
        """6.0-range: return the hexes by distance (0, 1, ...) from supply railways, up to the supply range."""
        own = self.occupied[side]
        rings: tuple[Mask, ...] = self.setting.lines_of_supply(side, self.find_open(side, own))
        return rings

    @stands.of_side
    def find_supplied(self, side: str) -> Mask:
        """6.0: return the hexes from which ``side`` can trace supply."""
        return sum(self.find_rings(side))  # rings are disjoint

    @stands.kept
    def is_supplied(self, uid: str) -> bool:
        """6.0, 11.0-a: return whether a unit on the map is in supply now."""
        return bool(self.find_supplied(self.side(uid)) >> self.where[uid] & 1) and self.is_near_army(uid)

    def is_near_army(self, uid: str, there: int = -1) -> bool:
        """11.0-b, 11.0-c, S-28: return whether a unit is near enough to its army. ``there``: a hex to test instead."""
        mine, here = self.setting.counters[uid], self.where[uid]
        most = self.setting.within.get(f"{mine.attack}-{mine.move}", 0) if mine.army else 0
        if not most or not self.setting.integrity:
            return True
        some, several = self.armies[mine.army]
        others = some & ~(1 << here) | several & 1 << here
        return bool(others & self.setting.around(here if there < 0 else there, most))

    @cached_property
    def armies(self) -> Mapping[str, tuple[Mask, Mask]]:
        """11.0-b: for each army, two sets of hexes: hexes with its units, and hexes with several of its units."""
        armies: dict[str, tuple[Mask, Mask]] = {}
        for uid, hex_ in self.where.items():
            some, several = armies.get(self.setting.counters[uid].army, (0, 0))
            armies[self.setting.counters[uid].army] = some | 1 << hex_, several | some & 1 << hex_
        return armies

    def list_aircraft(self, table: str, side: str, hex_: int) -> list[str]:
        """9.0-a: return the aircraft of a side on patrol or interdiction over a hex, by id."""
        label, entries = self.setting.board.labels[hex_], self.state.marks.get(table, {})
        return [uid for uid, at in sorted(entries.items()) if at == label and self.side(uid) == side]


DEPENDS = {"_find_zone": (), "crowded": (UNITS,), "interdicted": (INTERDICTION,), "armies": (UNITS,)}
VIEW = stands.make_view(Position, DEPENDS, {"_find_zone": (UNITS,)})
position, view = VIEW.of, stands.current_view(VIEW)
"""Functions: the view of a position, and the view of an umpire's present position."""


def find_holder(setting: Setting, state: State, hex_: int) -> str:
    """14.0-control: return the side that was in a city last. If none was, return its first owner."""
    return state.mark(CITIES, setting.board.labels[hex_], setting.city_side[hex_])
