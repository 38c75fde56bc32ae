"""Facts about a position: places, lines of sight, obscured models, facings (5.2, 6.5, 6.6, 6.9)."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, FRONT
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State, Unit
from kursk_pbem.rulesets.armor_commander.setting import GUN, Setting

FACING, IMMOBILE, PINNED, WRECK, INITIATIVE = "facing", "immobile", "pinned", "wreck", "initiative"
"""Tables of marks: model -> clock point, model -> yes, gun -> pinned turn, model -> place, ``first`` -> side."""
PLOT, SHOWN, OPEN, DEPLOYMENT = "plot", "shown", "in-the-open", "deployment"
"""Keys of the agenda: sealed orders, revealed orders, open orders, sealed deployment.

All dice of an action depend on ``plot``, the first initiative depends on ``deployment``.
"""


@frozen
class Field:
    """The table in a position; ``at``: the places of the models on the table, by id."""

    setting: Setting
    state: State
    at: Mapping[str, Point]

    def list_models(self, side: str = "") -> list[str]:
        """Return the models on the table, of one side or both, by id."""
        return [mid for mid in self.at if side in ("", self.setting.models[mid].side)]

    def list_enemies(self, side: str) -> list[str]:
        """Return the models of the other side."""
        return [mid for mid in self.at if self.setting.models[mid].side != side]

    def list_unit(self, uid: str) -> list[str]:
        """Return the models of a unit on the table."""
        return [mid for mid in self.setting.units[uid].models if mid in self.at]

    def find_models(self, name: str) -> list[str]:
        """Return the models on the table with the name of their unit or their own name."""
        return self.list_unit(name) if name in self.setting.units else [name] if name in self.at else []

    def list_undeployed(self) -> list[str]:
        """2.2: return the models without a known deployment."""
        return [mid for mid, unit in self.state.units.items() if unit.place == OFF_MAP]

    def is_mobile(self, mid: str) -> bool:
        """A-19: return whether a model is not immobile. Pins do not matter here."""
        return not self.state.mark(IMMOBILE, mid)

    def is_pinned(self, uid: str) -> bool:
        """7.4: return whether a gun is pinned in this turn."""
        return self.state.mark(PINNED, uid) == self.state.turn

    def can_see(self, shooter: str, target: str) -> bool:
        """5.2, A-16, A-27, A-53: return whether no terrain blocks the line between two centers. Models never block."""
        return self.setting.is_clear(self.at[shooter], self.at[target])

    def is_obscured(self, shooter: str, target: str) -> bool:
        """6.5, A-15, A-28: return whether at least three of the five rays to a target's width touch terrain."""
        return self.setting.count_hidden(self.at[shooter], self.at[target], self.setting.models[target].radius) >= 3

    def find_arc(self, shooter: str, target: str) -> str:
        """6.6, A-14, A-43: return the armor that a shooter sees. A gun has front armor on all sides."""
        if self.setting.models[target].kind == GUN:
            return FRONT
        return plane.find_arc(CLOCK[self.state.mark(FACING, target)], self.at[target], self.at[shooter])

    def is_in_cover(self, shooter: str, target: str) -> bool:
        """6.9, A-15: return whether a target's center is in cover, or the target is obscured from the shooter."""
        return any(ground.cover for ground in self.setting.find_ground(self.at[target])) or self.is_obscured(
            shooter, target
        )

    def list_bases(self, but: set[str]) -> list[tuple[Point, int]]:
        """Return centers and radii of the bases and wrecks that no move may end on, without the models ``but``."""
        models = self.setting.models
        circles = [(place, models[mid].radius) for mid, place in self.at.items() if mid not in but]
        return circles + [(place, models[mid].radius) for mid, place in self.list_wrecks()]

    def list_wrecks(self) -> list[tuple[str, Point]]:
        """A-32: return the wrecks on the table with their places."""
        marks = self.state.marks.get(WRECK, {}) if self.setting.wrecks_stay else {}
        return [(mid, plane.point(place)) for mid, place in sorted(marks.items())]

    def find_wreck(self, mid: str, end: Point) -> str:
        """Return the wreck that a model's base would overlap at a place, or ''."""
        models = self.setting.models
        radius = models[mid].radius
        return next((gone for gone, at in self.list_wrecks() if plane.over(end, at, radius + models[gone].radius)), "")


def make_field(setting: Setting, state: State) -> Field:
    """Return the table of a position."""
    at = {mid: plane.point(state.units[mid].place) for mid in setting.models if is_standing(state.units[mid])}
    return Field(setting, state, at)


def is_standing(unit: Unit) -> bool:
    """Return whether a model is on the table."""
    return unit.place not in (ELIMINATED, OFF_MAP)
