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
    """The table in a position. ``at``: model -> place, for the models on the table."""

    setting: Setting
    state: State
    at: Mapping[str, Point]

    def list_models(self, side: str = "") -> list[str]:
        """Return the models on the table, sorted by id. ``side``: the side, or '' for both sides."""
        return [mid for mid in self.at if side in ("", self.setting.models[mid].side)]

    def list_enemies(self, side: str) -> list[str]:
        """Return the models on the table that are enemies of a side."""
        return [mid for mid in self.at if self.setting.models[mid].side != side]

    def list_unit(self, uid: str) -> list[str]:
        """Return the models of a unit on the table."""
        return [mid for mid in self.setting.units[uid].models if mid in self.at]

    def find_models(self, name: str) -> list[str]:
        """Return the models on the table with a name: all models of the unit, or the single model."""
        return self.list_unit(name) if name in self.setting.units else [name] if name in self.at else []

    def list_undeployed(self) -> list[str]:
        """2.2: return the models whose places of deployment are not known yet."""
        return [mid for mid, unit in self.state.units.items() if unit.place == OFF_MAP]

    def is_mobile(self, mid: str) -> bool:
        """A-19: return whether a model can move: it is not immobilized. Pins do not matter here."""
        return not self.state.mark(IMMOBILE, mid)

    def is_pinned(self, uid: str) -> bool:
        """7.4: return whether a gun is pinned in this turn."""
        return self.state.mark(PINNED, uid) == self.state.turn

    def can_see(self, shooter: str, target: str) -> bool:
        """5.2, A-16, A-27, A-53: return whether no terrain is between two models' centers. Models block no line."""
        return self.setting.is_clear(self.at[shooter], self.at[target])

    def is_obscured(self, shooter: str, target: str) -> bool:
        """6.5, A-15, A-28: return whether a target is obscured: terrain touches at least 3 of 5 lines to its width."""
        return self.setting.count_hidden(self.at[shooter], self.at[target], self.setting.models[target].radius) >= 3

    def find_arc(self, shooter: str, target: str) -> str:
        """6.6, A-14, A-43: return the armor that a shot hits: front, side or rear. A gun always has front armor."""
        if self.setting.models[target].kind == GUN:
            return FRONT
        return plane.find_arc(CLOCK[self.state.mark(FACING, target)], self.at[target], self.at[shooter])

    def is_in_cover(self, shooter: str, target: str) -> bool:
        """6.9, A-15: return whether a target is in cover: its center is in cover, or terrain obscures the target."""
        return any(ground.cover for ground in self.setting.find_ground(self.at[target])) or self.is_obscured(
            shooter, target
        )

    def list_bases(self, but: set[str]) -> list[tuple[Point, int]]:
        """Return (center, radius) of the bases and wrecks on which no move may end. ``but``: models to ignore."""
        models = self.setting.models
        circles = [(place, models[mid].radius) for mid, place in self.at.items() if mid not in but]
        return circles + [(place, models[mid].radius) for mid, place in self.list_wrecks()]

    def list_wrecks(self) -> list[tuple[str, Point]]:
        """A-32: return the wrecks on the table as (model, place)."""
        marks = self.state.marks.get(WRECK, {}) if self.setting.wrecks_stay else {}
        return [(mid, plane.point(place)) for mid, place in sorted(marks.items())]

    def find_wreck(self, mid: str, end: Point) -> str:
        """Return the wreck that a model's base would overlap at a place, or ''."""
        models = self.setting.models
        radius = models[mid].radius
        return next((gone for gone, at in self.list_wrecks() if plane.over(end, at, radius + models[gone].radius)), "")


def make_field(setting: Setting, state: State) -> Field:
    """Return the table of a position with all models."""
    at = {mid: plane.point(state.units[mid].place) for mid in setting.models if is_standing(state.units[mid])}
    return Field(setting, state, at)


def is_standing(unit: Unit) -> bool:
    """Return whether a model is on the table and is not destroyed."""
    return unit.place not in (ELIMINATED, OFF_MAP)
