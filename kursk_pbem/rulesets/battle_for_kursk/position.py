"""What follows from a position: who stands where, zones of control (7.0), control of cities (10.0).

EZOC of a side = the hexes adjacent to at least one enemy unit, over any terrain and river, friends or not (7.0,
7.0-friends, K-29). It includes hexes that enemies occupy only where another enemy is adjacent: always test occupation
separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from kursk_pbem.kernel.hexes import stands
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.stands import UNITS, Stack
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN, RUSSIAN, Setting


@dataclass(frozen=True)
class Position(stands.Standing):
    """One position seen through the board, with indices and masks."""

    setting: Setting
    state: State
    at: Mapping[int, Stack]  # index -> the one unit there
    where: Mapping[str, int]  # unit -> index
    occupied: Mapping[str, Mask]  # side -> hexes its units stand in

    def unit(self, hex_: int) -> str:
        """The unit in a hex, '' where it is empty."""
        return self.at.get(hex_, ("",))[-1]

    @stands.of_side
    def zoc(self, side: str) -> Mask:
        """7.0: the hexes that the units of a side control."""
        return self.setting.board.spread(self.occupied[side])

    @cached_property
    def cities(self) -> Mapping[str, Mask]:
        """10.0: side -> the cities that it controls: whoever is marked, otherwise the side of the Start Line."""
        control, labels = self.state.marks.get("control", {}), self.setting.board.labels
        held = {GERMAN: 0, RUSSIAN: 0}
        for hex_, home in self.setting.city_side.items():
            held[control.get(labels[hex_], home)] |= 1 << hex_
        return held

    def ezoc(self, side: str) -> Mask:
        """The zone of control of the enemies of ``side`` (7.0)."""
        return self.zoc(ENEMY[side])

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


VIEW = stands.make_view(Position, {"_zoc": (), "cities": ("control",)}, {"_zoc": (UNITS,)})
position, view = VIEW.build, stands.current_view(VIEW)
"""What a position is seen as where there is no umpire; and an umpire's, as it is now."""


def is_mud(state: State) -> bool:
    """Whether this is a mud turn (11.0)."""
    return state.tracks.get("mud", 0) == 1
