"""The printed game as typed data: table, ground, units, models, weapons, zones, objectives (2.1, 8.1 to 8.3).

Whole hundredths of an inch inside, text with two decimals outside. Nothing here changes during a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, Polygon
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.scenario import Scenario, make_load
from kursk_pbem.kernel.umpire import other

GERMAN, SOVIET = SIDES = ("german", "soviet")
TANK, GUN = "tank", "gun"
AP, HE = "ap", "he"
CLOSE, EFFECTIVE, LONG = BANDS = ("close", "effective", "long")
OBSTACLE, GONE = "obstacle", "gone"

ROUNDS = {AP: "AP round", HE: "HE round", GUN: "AT gun"}
"""What a weapon is called in a report."""
ROWS = {AP: "tank-ap", HE: "tank-he", GUN: "gun"}
"""8.1 to 8.3: the rows of the weapon table."""

HIT = {CLOSE: 3, EFFECTIVE: 4, LONG: 5}
"""5.5: the least die that hits in each band."""
COHESION, EXCLUSION, HOLDS = 600, 100, 600
"""4.4, 4.5, 9.2: how far models of a unit, enemies, an objective may be or must be."""
RADIUS, CREW = 50, 4
"""A-29, A-12: of a model where a scenario says nothing."""

_KEPT = 8192
"""Lines of sight that a setting remembers: more than there are pairs of models, for most stand where they stood."""


@dataclass(frozen=True)
class Ground:
    """A piece of terrain: what it is drawn as, whether it blocks sight (A-16), whether it is cover for a crew."""

    id: str
    name: str
    kind: str
    drawn: str
    polygon: Polygon
    blocks: bool
    cover: bool


@dataclass(frozen=True)
class Weapon:
    """A row of the table: what it is called, its bands with their limits, nearest first; radius of its blast."""

    name: str
    bands: tuple[tuple[str, int], ...]
    blast: int = 0

    def band(self, a: Point, b: Point) -> str:
        """5.3, A-7: the band of a distance, its limit included; '' beyond the last."""
        return next((band for band, limit in self.bands if plane.is_within(a, b, limit)), "")


@dataclass(frozen=True)
class Model:
    """A tank, or a gun with its crew: the stand it is on, and where the scenario puts it."""

    id: str
    unit: str
    side: str
    kind: str
    name: str
    radius: int
    crew: int
    place: Point
    face: str


@dataclass(frozen=True)
class Group:
    """4.2: a unit: all tanks of a side, or one gun; its models by id."""

    id: str
    name: str
    side: str
    kind: str
    models: tuple[str, ...]


@dataclass(frozen=True)
class Objective:
    """9.2: a place to hold at the end."""

    id: str
    name: str
    at: Point


@dataclass(frozen=True)
class Setting:
    """One scenario. ``sealer`` is the side whose orders are sealed, the other writes in the clear after it."""

    scenario: Scenario
    size: Point
    ground: tuple[Ground, ...]
    units: Mapping[str, Group]
    models: Mapping[str, Model]
    weapons: Mapping[str, Weapon]
    moves: Mapping[str, int]
    zones: Mapping[str, Polygon]
    objectives: tuple[Objective, ...]
    turns: tuple[str, ...]
    sealer: str
    wrecks_stay: bool
    chain: bool
    refereed: bool
    sides: tuple[str, str] = SIDES

    @property
    def opener(self) -> str:
        """The side that orders in the clear."""
        return other(SIDES, self.sealer)

    @cached_property
    def blocking(self) -> tuple[Polygon, ...]:
        """A-16: what no line of sight may touch."""
        return tuple(ground.polygon for ground in self.ground if ground.blocks)

    @cached_property
    def all_ground(self) -> tuple[Polygon, ...]:
        """A-28: any terrain obscures."""
        return tuple(ground.polygon for ground in self.ground)

    @cached_property
    def clear(self) -> Callable[[Point, Point], bool]:
        """5.2, A-16: whether one sees from a place to another, past all terrain that blocks."""
        return lru_cache(_KEPT)(lambda a, b: not any(ground.touches(a, b) for ground in self.blocking))

    @cached_property
    def hidden(self) -> Callable[[Point, Point, int], int]:
        """6.5, A-15: how many of the five rays from a place to the width of a base touch terrain of any kind."""
        return lru_cache(_KEPT)(lambda a, b, radius: plane.count_hidden(a, b, radius, self.all_ground))

    def on_table(self, place: Point) -> bool:
        """A-32: the table ends where its edge is, the edge included."""
        return 0 <= place[0] <= self.size[0] and 0 <= place[1] <= self.size[1]

    def under(self, place: Point) -> list[Ground]:
        """The pieces of terrain that a point lies in or on."""
        return [ground for ground in self.ground if ground.polygon.holds(place)]

    def of_side(self, side: str) -> list[Group]:
        """The units of a side."""
        return [group for group in self.units.values() if group.side == side]

    def weapon(self, shooter: str, target: str) -> Weapon | None:
        """A-8, A-9, A-26: what a kind of model fires at another; None where it may not fire at all."""
        return self.weapons.get({(TANK, TANK): AP, (TANK, GUN): HE, (GUN, TANK): GUN}.get((shooter, target), ""))


def make(scenario: Scenario, options: Mapping[str, str], dice: str) -> Setting:
    """The setting of a scenario; KeyError, ValueError, TypeError or AttributeError where the data make no game."""
    head, chart, roster, tables = (scenario.data[part] for part in ("scenario", "map", "units", "tables"))
    units = {uid: _group(uid, entry) for uid, entry in sorted(roster["units"].items())}
    models = {
        mid: _model(units[uid], mid, entry, roster["units"][uid])
        for uid in units
        for mid, entry in sorted(roster["units"][uid]["models"].items())
    }
    kinds = tables["terrain"]
    return Setting(
        scenario=scenario,
        size=plane.point(chart["size"]),
        ground=tuple(_ground(gid, entry, kinds) for gid, entry in sorted(chart["ground"].items())),
        units=units,
        models=dict(sorted(models.items())),
        weapons={key: weapon(key, tables["weapons"][row]) for key, row in ROWS.items()},
        moves={kind: hundredths(tables["move"][kind]) for kind in (TANK, GUN)},
        zones={side: polygon(head["zones"][side]) for side in SIDES},
        objectives=tuple(
            Objective(oid, entry.get("name", oid), plane.point(entry["at"]))
            for oid, entry in sorted(head.get("objectives", {}).items())
        ),
        turns=tuple(head["turns"]),
        sealer=head["seals"],
        wrecks_stay=head.get("wrecks", GONE) == OBSTACLE,
        chain=options.get("cohesion", "pairs") == "chain",
        refereed=dice == REFEREE,
    )


load = make_load("Armor Commander", make)


def hundredths(written: str) -> int:
    """Inches with two decimals as hundredths; ValueError for anything else."""
    return plane.point(f"{written}, 0.00")[0]


def polygon(outline: list[str]) -> Polygon:
    """An outline as a scenario writes it."""
    return Polygon(tuple(map(plane.point, outline)))


def weapon(key: str, row: Mapping[str, Any]) -> Weapon:
    """8.1 to 8.3: a row of the weapon table; of a band that it lacks the next one takes the place."""
    bands = tuple((band, hundredths(row[band])) for band in BANDS if band in row)
    return Weapon(ROUNDS[key], bands, hundredths(row["blast"]) // 2 if "blast" in row else 0)


def _ground(gid: str, entry: Mapping[str, Any], kinds: Mapping[str, Any]) -> Ground:
    kind = kinds[entry["kind"]]
    yes = kind["blocks"] == "yes", kind["cover"] == "yes"
    return Ground(gid, entry.get("name", gid), entry["kind"], kind["drawn"], polygon(entry["outline"]), *yes)


def _group(uid: str, entry: Mapping[str, Any]) -> Group:
    return Group(uid, entry["name"], entry["side"], entry["type"], tuple(sorted(entry["models"])))


def _model(unit: Group, mid: str, entry: Mapping[str, Any], above: Mapping[str, Any]) -> Model:
    face = entry.get("face", "12")
    if face not in CLOCK:
        raise ValueError(f"{face} is no point of the clock")
    radius = hundredths(above["radius"]) if "radius" in above else RADIUS
    crew = int(above.get("crew", CREW)) if unit.kind == GUN else 1
    return Model(
        mid,
        unit.id,
        unit.side,
        unit.kind,
        entry.get("name", unit.name),
        radius,
        crew,
        plane.point(entry["place"]),
        face,
    )
