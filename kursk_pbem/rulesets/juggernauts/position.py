"""A position on the board: units by hex, zones of control (10.0), active lines (15.2), supply (16.1), stacks.

A side's zone is the set of hexes that its units control. A zone never crosses the front of an active enemy line. A zone
includes hexes with enemies or friends; callers exclude such hexes themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import stands
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.stands import UNITS, Stack
from kursk_pbem.kernel.state import OFF_MAP, State
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, FIRST, FULL, SIDES, Counter, Line, Setting


@frozen
class Zone:
    """10.0: the hexes that a side controls. ``full``: by hex of an army or korps. ``pairs``: by hex of a division."""

    mask: Mask
    hot: Mask  # hexes controlled by armies or korps that are not Disrupted
    full: Mapping[int, Mask]
    pairs: Mapping[int, Mask]
    twice: Mask  # hexes controlled by two divisions together
    neighbours: Sequence[Sequence[int]]  # of each hex

    def holders(self, hex_: int) -> Mask:
        """Return the hexes of all units whose zone of control contains a hex."""
        sources = 0
        for reach in (self.full, self.pairs) if self.twice >> hex_ & 1 else (self.full,):
            sources |= sum(1 << near for near in self.neighbours[hex_] if near in reach and reach[near] >> hex_ & 1)
        return sources


@frozen
class Position(stands.Standing):
    """A position on the map. ``at``: index -> units by id. ``where``: unit -> index."""

    setting: Setting
    state: State
    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]

    def counter(self, uid: str) -> Counter:
        """Return the printed counter of a unit."""
        return self.setting.counters[uid]

    def explain_not_own(self, side: str, uid: str) -> str:
        """Return why a unit is no unit of this side on the map, or ''. The words are to follow the unit's id."""
        why = stands.explain_own(self.setting, self.state, side, uid)
        if why.endswith(f"({OFF_MAP})"):
            turn = self.setting.turns[max(self.counter(uid).arrives - 1, 0)]
            return f"is not on the map: it arrives with turn {turn}"
        return why

    def is_marked(self, table: str, key: str) -> bool:
        """Return whether a unit or hex has a marker."""
        return key in self.state.marks.get(table, {})

    def here(self, hex_: int, side: str) -> tuple[str, ...]:
        """Return the units of a side in a hex."""
        stack, counters = self.at.get(hex_, ()), self.setting.counters
        return tuple([uid for uid in stack if counters[uid].side == side]) if stack else ()

    @cached_property
    def active(self) -> Mapping[str, Mask]:
        """15.2, J-49: for each side, the hexes of its fortification lines that are not lost."""
        index = self.setting.board.index
        lost = sum(1 << index[label] for label in self.state.marks.get(marks.BREACHED, {}))
        return {side: self.setting.line_hexes[side] & ~lost for side in SIDES}

    @stands.of_side
    def weak(self, side: str) -> Mask:
        """13.4, J-22: return the hexes in which a side's unit with square brackets is alone."""
        squares = (self.where[uid] for uid in self.setting.squares[side] if uid in self.where)
        return sum(1 << hex_ for hex_ in squares if len(self.at[hex_]) == 1)

    def line(self, hex_: int) -> Line | None:
        """15.2: return the fortification line in a hex, or None. A lost line counts as none."""
        line = self.setting.lines.get(hex_)
        return line if line and self.active[line.owner] >> hex_ & 1 else None

    def is_barred(self, side: str, here: int, there: int) -> bool:
        """15.2, J-29: return whether a step would enter an empty first line of the enemy from its front."""
        line = self.line(there)
        return bool(line and line.owner != side and line.grade == FIRST and line.front >> here & 1)

    @stands.of_side
    def zone(self, side: str) -> Zone:
        """10.0, 10.0-brackets: return the zone of control of a side (J-21, J-22)."""
        near, walls, active = self.setting.board.near, self.setting.facing[ENEMY[side]], self.active[ENEMY[side]]
        where, disrupted = self.where, self.state.marks.get(marks.DISRUPTED, {})
        full: dict[int, Mask] = {}
        pairs: dict[int, Mask] = {}
        mask = hot = once = twice = 0
        for uid, zone in self.setting.zoned[side]:
            if uid in where:
                hex_ = where[uid]
                reach = near[hex_] & ~(walls[hex_] & active) if walls[hex_] else near[hex_]
                if zone == FULL:
                    full[hex_] = reach
                    mask |= reach
                    hot |= 0 if uid in disrupted else reach
                elif uid not in disrupted:
                    pairs[hex_] = reach
                    twice |= once & reach
                    once |= reach
        return Zone(mask | twice, hot, full, pairs, twice, self.setting.board.neighbours)

    def is_move_barred(self, side: str, here: int, there: int) -> bool:
        """10.0-move, J-21, J-42: return whether a step from zone to zone is blocked: by river, line or one enemy."""
        zone, lines = self.zone(ENEMY[side]), ((self.line(here), there), (self.line(there), here))
        crossed = (here, there) in self.setting.rivers or any(line and line.front >> to & 1 for line, to in lines)
        return crossed or bool(zone.holders(here) & zone.holders(there))

    def ezoc(self, side: str) -> Mask:
        """10.0: return the hexes in the zones of control of a side's enemies."""
        return self.zone(ENEMY[side]).mask

    @stands.of_side
    def supply(self, side: str) -> Mask:
        """16.1, J-33, J-50: return the hexes in supply of a side.

        Supply comes from the side's map edges. Enemy units block supply. Enemy zones block supply, unless a friend
        without square brackets is in the hex. An enemy first line blocks supply from its front.
        """
        foe, squares, ezoc = ENEMY[side], self.setting.squares[side], self.ezoc(side)
        places = [self.where[uid] for uid in squares if uid in self.where]
        soft = sum({1 << hex_ for hex_ in places if all(uid in squares for uid in self.at[hex_])})
        firm = self.occupied[side] & ~soft
        opened = self.setting.board.all & ~self.occupied[foe] & ~(ezoc & ~firm)
        return self.setting.in_supply(side, opened, self.active[foe] & self.setting.first_lines[foe] & opened)

    def is_supplied(self, uid: str) -> bool:
        """16.1: return whether a unit on the map is in supply."""
        return bool(self.supply(self.side(uid)) >> self.where[uid] & 1)

    @cached_property
    def _full(self) -> dict[str, dict[str, Mask]]:
        return {}

    def full(self, uid: str) -> Mask:
        """12.0: return the hexes where a unit would break the stacking limit. The result is kept for similar units."""
        side, like, fit = self.side(uid), self.setting.alike[uid], self.setting.has_room
        known = self._full.setdefault(side, {})
        if like not in known:
            stacks = ((hex_, self.at[hex_]) for hex_ in bits(self.occupied[side]))
            known[like] = sum(1 << hex_ for hex_, stack in stacks if not fit(stack, like))
        return known[like] & ~(1 << self.where[uid])

    def has_room(self, uid: str, hex_: int) -> bool:
        """12.0, J-27: return whether a unit may stack with the units in a hex."""
        if hex_ not in self.at:
            return True  # a unit alone always fits
        others = tuple([other for other in self.here(hex_, self.side(uid)) if other != uid])
        return self.setting.has_room(others, self.setting.alike[uid])

    def owner(self, label: str) -> str:
        """18.0, J-56: return the owner of a city: the side that entered last, or else the owner at the start."""
        return self.state.mark(marks.CONTROL, label, self.setting.city_side.get(self.setting.board.index[label], ""))


_ZONED = UNITS, marks.DISRUPTED, marks.BREACHED
VIEW = stands.make_view(
    Position,
    {"active": (marks.BREACHED,), "_supply": _ZONED, "_zone": (marks.BREACHED,), "_weak": (), "_full": ()},
    {"_zone": (UNITS, marks.DISRUPTED), "_weak": (UNITS,), "_full": (UNITS,)},
)
position, view = VIEW.of, stands.current_view(VIEW)
"""Functions for the view of a state: ``position`` of any state, ``view`` of an umpire's current state."""
