"""Table, models and set-up of Plane Toy. The code uses whole hundredths of inches, text uses decimals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.review import ERROR, Finding
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import ELIMINATED, State, Unit

NORTH, SOUTH = SIDES = ("north", "south")
INCH = 100
WATER, COVER = "water", "forest"
_POINT = re.compile(r"([0-9]{1,2})\.([0-9]{2}), ([0-9]{1,2})\.([0-9]{2})")


def point(text: str) -> Point:
    """Return (1250, 3000) for '12.50, 30.00'. Raises ValueError for other texts."""
    found = _POINT.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no place such as '12.50, 30.00'")
    return int(found[1] + found[2]), int(found[3] + found[4])


def inches(value: int) -> str:
    """Return '12.50' for 1250."""
    return f"{value // INCH}.{value % INCH:02d}"


def text(place: Point) -> str:
    """Return '12.50, 30.00' for (1250, 3000)."""
    return f"{inches(place[0])}, {inches(place[1])}"


def square(a: Point, b: Point) -> int:
    """Return the square of a distance."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def root(value: int) -> int:
    """Return the integer part of a square root."""
    found = 0
    for bit in (1 << n for n in range(16, -1, -1)):
        if (found + bit) ** 2 <= value:
            found += bit
    return found


@dataclass(frozen=True)
class Ground:
    """A polygon of one kind."""

    name: str
    kind: str
    outline: tuple[Point, ...]

    def holds(self, place: Point) -> bool:
        """Return whether the polygon contains a point."""
        x, y = place
        inside = False
        for (ax, ay), (bx, by) in pairwise((*self.outline, self.outline[0])):
            if (ay > y) != (by > y) and ((bx - ax) * (y - ay) - (x - ax) * (by - ay) > 0) == (by > ay):
                inside = not inside
        return inside


@dataclass(frozen=True)
class Model:
    """The values of a model; ``hit``: minimum die for a hit at half range, ``save``: maximum die for a save."""

    id: str
    name: str
    side: str
    speed: int
    range: int
    dice: int
    hit: int
    save: int
    steps: int
    place: Point


@dataclass(frozen=True)
class Setting:
    """One scenario of Plane Toy."""

    scenario: Scenario
    size: Point
    ground: tuple[Ground, ...]
    models: Mapping[str, Model]
    turns: tuple[str, ...]
    refereed: bool
    sides: tuple[str, str] = SIDES

    def alive(self, state: State, side: str = "") -> list[str]:
        """Return the models on the table, by id."""
        return [uid for uid in self.models if state.units[uid].steps and side in ("", self.models[uid].side)]

    def where(self, state: State, uid: str) -> Point:
        return point(state.units[uid].place)

    def on(self, kind: str, place: Point) -> bool:
        """Return whether a place is on ground of a kind."""
        return any(each.kind == kind and each.holds(place) for each in self.ground)

    def fits(self, place: Point) -> bool:
        """2.2: return whether a model may be at a place."""
        return place[0] <= self.size[0] and place[1] <= self.size[1] and not self.on(WATER, place)


def load(scenario: Scenario, _options: Mapping[str, str] = MappingProxyType({}), dice: str = PLAYERS) -> Setting:
    """Return the setting of a scenario. Raises FileError for unplayable data."""
    head, chart, units = (scenario.data[key] for key in ("scenario", "map", "units"))
    try:
        ground = (
            Ground(name, each["kind"], tuple(map(point, each["outline"])))
            for name, each in sorted(chart["ground"].items())
        )
        models = {uid: _model(uid, entry) for uid, entry in sorted(units["models"].items())}
        return Setting(scenario, point(chart["size"]), tuple(ground), models, tuple(head["turns"]), dice == REFEREE)
    except (KeyError, ValueError) as error:
        raise FileError(f"scenario {scenario.id}: the data make no game of Plane Toy ({error})") from error


def _model(uid: str, entry: Mapping[str, Any]) -> Model:
    numbers = (int(entry[key]) for key in ("dice", "hit", "save", "steps"))
    speed, reach = (int(entry[key].replace(".", "")) for key in ("speed", "range"))
    return Model(uid, entry["name"], entry["side"], speed, reach, *numbers, place=point(entry["place"]))


def setup(setting: Setting) -> State:
    """1.1: return the first position."""
    units = {uid: Unit(text(model.place), model.steps) for uid, model in setting.models.items()}
    return State(setting.turns[0], NORTH, "plot", units)


def check(data: Mapping[str, Any]) -> list[Finding]:
    """Return the errors of a scenario."""
    return list(_check(data))


def _check(data: Mapping[str, Any]) -> Iterator[Finding]:
    width, height = point(data["map"]["size"])
    for uid, entry in data["units"]["models"].items():
        x, y = point(entry["place"])
        if x > width or y > height:
            path = ("units", "models", uid, "place")
            yield Finding(ERROR, "1.1", f"{uid} stands at {entry['place']}, off the table", path)


def invariants(setting: Setting, state: State) -> list[str]:
    """Return the errors of a position."""
    wrong = ["the models differ from the scenario's models"] if set(state.units) != set(setting.models) else []
    for uid, unit in sorted(state.units.items()):
        if unit.place == ELIMINATED and not unit.steps:
            continue
        if not _stands(setting, uid, unit):
            wrong.append(f"{uid} has {unit.steps} steps at {unit.place}")
    return wrong


def _stands(setting: Setting, uid: str, unit: Unit) -> bool:
    """Return whether a model is on the table with possible steps; the position may come from a stranger's file."""
    model = setting.models.get(uid)
    try:
        return model is not None and 1 <= unit.steps <= model.steps and setting.fits(point(unit.place))
    except ValueError:
        return False
