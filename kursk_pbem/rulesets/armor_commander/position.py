"""What follows from a position: who stands where, who sees whom, what obscures whom (5.2, 6.5, 6.6, 6.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, FRONT
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State, Unit
from kursk_pbem.rulesets.armor_commander.setting import GUN, Setting

FACING, IMMOBILE, PINNED, WRECK, INITIATIVE = "facing", "immobile", "pinned", "wreck", "initiative"
"""Tables of marks: model -> clock point, model -> yes, gun -> turn it sits out, model -> place, ``first`` -> side."""
PLOT, SHOWN, OPEN, DEPLOYMENT = "plot", "shown", "in-the-open", "deployment"
"""Agenda: that orders are sealed, what they are once shown, those in the clear; that a deployment is sealed.

All dice of an action wait on ``plot``, the first initiative on ``deployment``.
"""


@dataclass(frozen=True)
class Field:
    """The table as it is now; ``at`` are the places of the models that are not destroyed, by id."""

    setting: Setting
    state: State
    at: Mapping[str, Point]

    def standing(self, side: str = "") -> list[str]:
        """The models on the table, of a side or of both, by id."""
        return [mid for mid in self.at if side in ("", self.setting.models[mid].side)]

    def foes(self, side: str) -> list[str]:
        """The models of the other side."""
        return [mid for mid in self.at if self.setting.models[mid].side != side]

    def of_unit(self, uid: str) -> list[str]:
        """The models of a unit that are on the table."""
        return [mid for mid in self.setting.units[uid].models if mid in self.at]

    def waiting(self) -> list[str]:
        """2.2: the models that are not on the table yet, for their deployment is still to come or to be shown."""
        return [mid for mid, unit in self.state.units.items() if unit.place == OFF_MAP]

    def mobile(self, mid: str) -> bool:
        """A-19: whether a model may move; a pin is another matter."""
        return not self.state.mark(IMMOBILE, mid)

    def pinned(self, uid: str) -> bool:
        """7.4: whether a gun sits out this turn."""
        return self.state.mark(PINNED, uid) == self.state.turn

    def sees(self, shooter: str, target: str) -> bool:
        """5.2, A-16, A-27, A-53: from centre to centre, past all terrain that blocks; models block nothing."""
        return self.setting.clear(self.at[shooter], self.at[target])

    def obscured(self, shooter: str, target: str) -> bool:
        """6.5, A-15, A-28: whether three of the five rays to the width of the target touch terrain of any kind."""
        return self.setting.hidden(self.at[shooter], self.at[target], self.setting.models[target].radius) >= 3

    def arc(self, shooter: str, target: str) -> str:
        """6.6, A-14, A-43: the armor of a tank that a shooter sees; a gun has front all round."""
        if self.setting.models[target].kind == GUN:
            return FRONT
        return plane.find_arc(CLOCK[self.state.mark(FACING, target)], self.at[target], self.at[shooter])

    def in_cover(self, shooter: str, target: str) -> bool:
        """6.9, A-15: a stand with its centre in terrain that is cover, or obscured from the shooter."""
        return any(ground.cover for ground in self.setting.under(self.at[target])) or self.obscured(shooter, target)

    def bases(self, but: set[str]) -> list[tuple[Point, int]]:
        """Centres and radii of the bases that a move may not end on; wrecks where they stay."""
        models = self.setting.models
        circles = [(place, models[mid].radius) for mid, place in self.at.items() if mid not in but]
        return circles + [(place, models[mid].radius) for mid, place in self.wrecks()]

    def wrecks(self) -> list[tuple[str, Point]]:
        """A-32: destroyed models that stay on the table, and where."""
        marks = self.state.marks.get(WRECK, {}) if self.setting.wrecks_stay else {}
        return [(mid, plane.point(place)) for mid, place in sorted(marks.items())]

    def wreck_under(self, mid: str, end: Point) -> str:
        """The wreck over which the base of a model would be at a place, '' if none."""
        models = self.setting.models
        radius = models[mid].radius
        return next((gone for gone, at in self.wrecks() if plane.over(end, at, radius + models[gone].radius)), "")


def field(setting: Setting, state: State) -> Field:
    """The table of a position."""
    at = {mid: plane.point(state.units[mid].place) for mid in setting.models if is_standing(state.units[mid])}
    return Field(setting, state, at)


def is_standing(unit: Unit) -> bool:
    """Whether a model is on the table."""
    return unit.place not in (ELIMINATED, OFF_MAP)
