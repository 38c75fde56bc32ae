"""The printed game as typed data: table, ground, units, models, weapons, zones, objectives (2.1, 8.1 to 8.3).

Lengths are whole hundredths of an inch; texts have two decimals. The data never change during a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK, Polygon
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.scenario import Scenario, make_load

GERMAN, SOVIET = SIDES = ("german", "soviet")
TANK, GUN = "tank", "gun"
AP, HE = "ap", "he"
CLOSE, EFFECTIVE, LONG = BANDS = ("close", "effective", "long")
OBSTACLE, GONE = "obstacle", "gone"

ROUNDS = {AP: "AP round", HE: "HE round", GUN: "AT gun"}
"""The names of the weapons in reports."""
ROWS = {AP: "tank-ap", HE: "tank-he", GUN: "gun"}
"""8.1 to 8.3: the rows of the weapon table."""

HIT = {CLOSE: 3, EFFECTIVE: 4, LONG: 5}
"""5.5: the lowest die that hits in each band."""
COHESION, EXCLUSION, HOLDS = 600, 100, 600
"""4.4, 4.5, 9.2: the distances of cohesion, of exclusion by enemies, and of holding an objective."""
RADIUS, CREW = 50, 4
"""A-29, A-12: the radius and crew of a model without its own values."""

_KEPT = 8192
"""The number of remembered lines of sight, more than all pairs of models; most models do not move."""


@frozen
class Ground:
    """A piece of terrain: its drawing, whether it blocks sight (A-16), and whether it is cover for a gun's crew."""

    id: str
    name: str
    kind: str
    drawn: str
    polygon: Polygon
    blocks: bool
    cover: bool


@frozen
class Weapon:
    """A row of the weapon table: name, range bands with their limits (nearest first), radius of the blast."""

    name: str
    bands: tuple[tuple[str, int], ...]
    blast: int = 0

    def find_band(self, a: Point, b: Point) -> str:
        """5.3, A-7: return the range band of a distance, '' beyond the last. A limit belongs to the nearer band."""
        return next((band for band, limit in self.bands if plane.is_within(a, b, limit)), "")


@frozen
class Model:
    """A tank, or a gun with its crew: the size of the base, and the place in the scenario."""

    id: str
    unit: str
    side: str
    kind: str
    name: str
    radius: int
    crew: int
    place: Point
    face: str


@frozen
class Group:
    """4.2: a unit: all tanks of a side, or one gun. ``models``: the models by id."""

    id: str
    name: str
    side: str
    kind: str
    models: tuple[str, ...]


@frozen
class Objective:
    """9.2: a place that a side should hold at the end."""

    id: str
    name: str
    at: Point


@frozen
class Setting:
    """A scenario with its options. ``sealer``: the side that seals its orders. The other side writes open orders."""

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

    @cached_property
    def blocking(self) -> tuple[Polygon, ...]:
        """A-16: the areas of terrain that block lines of sight."""
        return tuple(ground.polygon for ground in self.ground if ground.blocks)

    @cached_property
    def all_ground(self) -> tuple[Polygon, ...]:
        """A-28: all areas of terrain, because every kind of terrain can obscure a model."""
        return tuple(ground.polygon for ground in self.ground)

    @cached_property
    def is_clear(self) -> Callable[[Point, Point], bool]:
        """5.2, A-16: a function of two places. It returns whether no terrain blocks the line between the places."""
        return lru_cache(_KEPT)(lambda a, b: not any(ground.touches(a, b) for ground in self.blocking))

    @cached_property
    def count_hidden(self) -> Callable[[Point, Point, int], int]:
        """6.5, A-15: a function that counts how many of five lines to the width of a base touch terrain."""
        return lru_cache(_KEPT)(lambda a, b, radius: plane.count_hidden(a, b, radius, self.all_ground))

    def is_on_table(self, place: Point) -> bool:
        """A-32: return whether a place is on the table. The edge belongs to the table."""
        return 0 <= place[0] <= self.size[0] and 0 <= place[1] <= self.size[1]

    def find_ground(self, place: Point) -> list[Ground]:
        """Return the terrain around a point. A point on the outline counts as inside."""
        return [ground for ground in self.ground if ground.polygon.holds(place)]

    def list_units(self, side: str) -> list[Group]:
        """Return the units of a side."""
        return [group for group in self.units.values() if group.side == side]

    def find_weapon(self, shooter: str, target: str) -> Weapon | None:
        """A-8, A-9, A-26: return the weapon that a model uses against another model, or None without a weapon."""
        return self.weapons.get({(TANK, TANK): AP, (TANK, GUN): HE, (GUN, TANK): GUN}.get((shooter, target), ""))


def make_setting(scenario: Scenario, options: Mapping[str, str], dice: str) -> Setting:
    """Return the setting of a scenario. Raises KeyError, ValueError, TypeError or AttributeError for wrong data."""
    head, chart, roster, tables = (scenario.data[part] for part in ("scenario", "map", "units", "tables"))
    units = {uid: _make_group(uid, entry) for uid, entry in sorted(roster["units"].items())}
    models = {
        mid: _make_model(units[uid], mid, entry, roster["units"][uid])
        for uid in units
        for mid, entry in sorted(roster["units"][uid]["models"].items())
    }
    kinds = tables["terrain"]
    return Setting(
        scenario=scenario,
        size=plane.point(chart["size"]),
        ground=tuple(_make_ground(gid, entry, kinds) for gid, entry in sorted(chart["ground"].items())),
        units=units,
        models=dict(sorted(models.items())),
        weapons={key: make_weapon(key, tables["weapons"][row]) for key, row in ROWS.items()},
        moves={kind: parse_inches(tables["move"][kind]) for kind in (TANK, GUN)},
        zones={side: parse_outline(head["zones"][side]) for side in SIDES},
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


load = make_load("Armor Commander", make_setting)


def parse_inches(written: str) -> int:
    """Return typed inches (up to two decimals) as hundredths of an inch. Raises ValueError for other text."""
    return plane.point(f"{written}, 0.00")[0]


def parse_outline(outline: list[str]) -> Polygon:
    """Return an area from an outline in a scenario's data."""
    return Polygon(tuple(map(plane.point, outline)))


def make_weapon(key: str, row: Mapping[str, Any]) -> Weapon:
    """8.1 to 8.3: return the weapon in a row of the table. If a range band is missing, the next band begins earlier."""
    bands = tuple((band, parse_inches(row[band])) for band in BANDS if band in row)
    return Weapon(ROUNDS[key], bands, parse_inches(row["blast"]) // 2 if "blast" in row else 0)


def _make_ground(gid: str, entry: Mapping[str, Any], kinds: Mapping[str, Any]) -> Ground:
    kind = kinds[entry["kind"]]
    yes = kind["blocks"] == "yes", kind["cover"] == "yes"
    return Ground(gid, entry.get("name", gid), entry["kind"], kind["drawn"], parse_outline(entry["outline"]), *yes)


def _make_group(uid: str, entry: Mapping[str, Any]) -> Group:
    return Group(uid, entry["name"], entry["side"], entry["type"], tuple(sorted(entry["models"])))


def _make_model(unit: Group, mid: str, entry: Mapping[str, Any], above: Mapping[str, Any]) -> Model:
    face = entry.get("face", "12")
    if face not in CLOCK:
        raise ValueError(f"{face} is no point of the clock")
    radius = parse_inches(above["radius"]) if "radius" in above else RADIUS
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
