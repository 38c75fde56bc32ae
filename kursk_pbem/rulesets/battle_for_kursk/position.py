"""Values derived from a position: places of units, zones of control (7.0), control of cities (10.0).

The EZOC of a side are the hexes adjacent to an enemy unit, over any terrain and river, with or without friends (7.0,
7.0-friends, K-29). An enemy's own hex is an EZOC only if another enemy is adjacent, so callers also test whether a
hex contains an enemy.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import stands
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.stands import PRESENCE, UNITS, Stack
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN, RUSSIAN, Setting


@frozen
class Position(stands.Standing):
    """One position, by indices and masks of the board."""

    setting: Setting
    state: State
    at: Mapping[int, Stack]  # index -> the one unit there
    where: Mapping[str, int]  # unit -> index
    occupied: Mapping[str, Mask]  # side -> hexes its units stand in

    def unit(self, hex_: int) -> str:
        """Return the unit in a hex, or '' for an empty hex."""
        return self.at.get(hex_, ("",))[-1]

    @stands.of_side
    def zoc(self, side: str) -> Mask:
        """7.0: return the hexes under control of a side's units."""
        return self.setting.board.spread(self.occupied[side])

    @cached_property
    def cities(self) -> Mapping[str, Mask]:
        """10.0: the cities that each side controls: by marker, otherwise by the city's side of the Start Line."""
        control, labels = self.state.marks.get("control", {}), self.setting.board.labels
        held = {GERMAN: 0, RUSSIAN: 0}
        for hex_, home in self.setting.city_side.items():
            held[control.get(labels[hex_], home)] |= 1 << hex_
        return held

    def ezoc(self, side: str) -> Mask:
        """Return the zone of control of the enemies of ``side`` (EZOC, 7.0)."""
        return self.zoc(ENEMY[side])

    def strength(self, uid: str) -> int:
        """Return the strength points on the visible side of a unit's counter (3.3)."""
        return self.setting.strength(uid, self.state.units[uid].steps)

    def fortified(self, uid: str) -> bool:
        """Return whether a unit is in an active fortification of its side (9.2, K-52)."""
        return self.setting.fort_of(self.where[uid], self.state.turn, self.side(uid))

    @stands.of_side
    def communication(self, side: str) -> Mask:
        """10.0-in-communication, 7.3: return the hexes In Communication for ``side`` (K-37).

        Hexes on the map edge in the side's color always are In Communication. Any other hex needs a chain of hexes to
        such an edge. The other hexes of the chain have no enemy unit, no EZOC and no enemy city.
        """
        opened = self.setting.board.all & ~self.enemies(side) & ~self.ezoc(side) & ~self.cities[ENEMY[side]]
        return self.setting.in_communication(side, opened)


VIEW = stands.make_view(
    Position,
    {
        "_zoc": (),
        "cities": ("control",),
        "_communication": (UNITS, "control"),
        "_permit": (UNITS,),
        "_count_points": ("control", "objective", PRESENCE),
    },
    {"_zoc": (UNITS,)},
)
position, view = VIEW.of, stands.current_view(VIEW)
"""What a position is seen as where there is no umpire; and an umpire's, as it is now."""


def is_mud(state: State) -> bool:
    """Return whether the current turn is a mud turn (11.0)."""
    return state.tracks.get("mud", 0) == 1
