"""What follows from a position: who stands where, zones of control (10.0), active lines (15.2), supply (16.1), stacks.

A side's zone is the set of hexes that its units control. It never reaches into an active line of the enemy from that
line's front. It includes hexes in which enemies or friends stand; who asks looks at those separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from kursk_pbem.kernel.hexes import stands
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.stands import UNITS, Stack
from kursk_pbem.kernel.state import OFF_MAP, State
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, FIRST, FULL, PAIR, SIDES, SQUARE, Counter, Line, Setting


@dataclass(frozen=True)
class Zone:
    """10.0: what one side controls. ``full``: hex of an army or korps -> hexes it controls; ``pairs``: of divisions."""

    mask: Mask
    hot: Mask  # by armies or korps that are not Disrupted
    full: Mapping[int, Mask]
    pairs: Mapping[int, Mask]
    twice: Mask  # hexes that two divisions control together

    def holders(self, hex_: int) -> Mask:
        """The hexes from which a hex is controlled."""
        sources = sum(1 << source for source, reach in self.full.items() if reach >> hex_ & 1)
        if self.twice >> hex_ & 1:
            sources |= sum(1 << source for source, reach in self.pairs.items() if reach >> hex_ & 1)
        return sources


@dataclass(frozen=True)
class Position(stands.Standing):
    """One position seen through the board. ``at``: index -> units, ascending by id; ``where``: unit -> index."""

    setting: Setting
    state: State
    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]

    def counter(self, uid: str) -> Counter:
        """What is printed on a unit."""
        return self.setting.counters[uid]

    def own_slip(self, side: str, uid: str) -> str:
        """Why a unit is none that a side has on the map, in words that follow its id; '' if it is."""
        why = stands.explain_own(self.setting, self.state, side, uid)
        if why.endswith(f"({OFF_MAP})"):
            turn = self.setting.turns[max(self.counter(uid).arrives - 1, 0)]
            return f"is not on the map: it arrives with turn {turn}"
        return why

    def marked(self, table: str, key: str) -> bool:
        """Whether a marker lies there."""
        return key in self.state.marks.get(table, {})

    def here(self, hex_: int, side: str) -> tuple[str, ...]:
        """The units of a side in a hex."""
        return tuple([uid for uid in self.at.get(hex_, ()) if self.side(uid) == side])

    @cached_property
    def active(self) -> Mapping[str, Mask]:
        """15.2, J-49: side -> hexes of its lines that are not lost."""
        index = self.setting.board.index
        lost = sum(1 << index[label] for label in self.state.marks.get(marks.BREACHED, {}))
        return {side: self.setting.line_hexes[side] & ~lost for side in SIDES}

    @stands.of_side
    def weak(self, side: str) -> Mask:
        """13.4, J-22: hexes in which one unit of a side stands alone, in square brackets."""
        alone = [(hex_, self.setting.counters[stack[0]]) for hex_, stack in self.at.items() if len(stack) == 1]
        return sum(1 << hex_ for hex_, counter in alone if counter.side == side and counter.bracket == SQUARE)

    def line(self, hex_: int) -> Line | None:
        """15.2: the active line in a hex."""
        line = self.setting.lines.get(hex_)
        return line if line and self.active[line.owner] >> hex_ & 1 else None

    def barred(self, side: str, here: int, there: int) -> bool:
        """15.2, J-29: an empty first line of the enemy cannot be entered from its front."""
        line = self.line(there)
        return bool(line and line.owner != side and line.grade == FIRST and line.front >> here & 1)

    @stands.of_side
    def zone(self, side: str) -> Zone:
        """10.0, 10.0-brackets: what a side controls (J-21, J-22)."""
        near, walls, active = self.setting.board.near, self.setting.facing[ENEMY[side]], self.active[ENEMY[side]]
        disrupted, counters = self.state.marks.get(marks.DISRUPTED, {}), self.setting.counters
        full: dict[int, Mask] = {}
        pairs: dict[int, Mask] = {}
        mask = hot = once = twice = 0
        for hex_ in bits(self.occupied[side]):
            reach = near[hex_] & ~(walls[hex_] & active)
            for uid in self.at[hex_]:
                zone = counters[uid].zone
                if zone == FULL:
                    full[hex_] = reach
                    mask |= reach
                    hot |= 0 if uid in disrupted else reach
                elif zone == PAIR and uid not in disrupted:
                    pairs[hex_] = reach
                    twice |= once & reach
                    once |= reach
        return Zone(mask | twice, hot, full, pairs, twice)

    def held_between(self, side: str, here: int, there: int) -> bool:
        """10.0-move, J-21, J-42: whether a river, a line of either side or one enemy bars a step from zone to zone."""
        zone, lines = self.zone(ENEMY[side]), ((self.line(here), there), (self.line(there), here))
        crossed = (here, there) in self.setting.rivers or any(line and line.front >> to & 1 for line, to in lines)
        return crossed or bool(zone.holders(here) & zone.holders(there))

    def ezoc(self, side: str) -> Mask:
        """10.0: the hexes that the enemies of a side control."""
        return self.zone(ENEMY[side]).mask

    @stands.of_side
    def supply(self, side: str) -> Mask:
        """16.1, J-33, J-50: the hexes that are in supply for a side.

        From an edge of its own, past enemies, and past hexes that they control unless a friend without square brackets
        stands there; a first line of the enemy holds it up from the front.
        """
        foe, counters, ezoc = ENEMY[side], self.setting.counters, self.ezoc(side)
        beset = bits(self.occupied[side] & ezoc)
        firm = sum(1 << hex_ for hex_ in beset if any(counters[uid].bracket != SQUARE for uid in self.at[hex_]))
        opened = self.setting.board.all & ~self.occupied[foe] & ~(ezoc & ~firm)
        return self.setting.in_supply(side, opened, self.active[foe] & self.setting.first_lines[foe] & opened)

    def supplied(self, uid: str) -> bool:
        """16.1: whether a unit on the map is in supply."""
        return bool(self.supply(self.side(uid)) >> self.where[uid] & 1)

    @cached_property
    def _full(self) -> dict[str, dict[str, Mask]]:
        return {}

    def full(self, uid: str) -> Mask:
        """12.0: hexes in which a unit would be one too many; units of one kind share the answer."""
        side, like, fit = self.side(uid), self.setting.alike[uid], self.setting.fits
        known = self._full.setdefault(side, {})
        if like not in known:
            stacks = ((hex_, self.at[hex_]) for hex_ in bits(self.occupied[side]))
            known[like] = sum(1 << hex_ for hex_, stack in stacks if not fit([*stack, like]))
        return known[like] & ~(1 << self.where[uid])

    def keeps(self, uid: str, hex_: int) -> bool:
        """12.0, J-27: whether a stack is within its limit with a unit added to it."""
        others = [other for other in self.here(hex_, self.side(uid)) if other != uid]
        return self.setting.fits([*others, uid])

    def owner(self, label: str) -> str:
        """18.0, J-56: who entered a city last, otherwise who holds it at the start."""
        return self.state.mark(marks.CONTROL, label, self.setting.city_side.get(self.setting.board.index[label], ""))


_ZONED = UNITS, marks.DISRUPTED, marks.BREACHED
VIEW = stands.make_view(
    Position,
    {"active": (marks.BREACHED,), "_supply": _ZONED, "_zone": (marks.BREACHED,), "_weak": (), "_full": ()},
    {"_zone": (UNITS, marks.DISRUPTED), "_weak": (UNITS,), "_full": (UNITS,)},
)
position, view = VIEW.build, stands.current_view(VIEW)
"""What a position is seen as where there is no umpire; and an umpire's, as it is now."""
