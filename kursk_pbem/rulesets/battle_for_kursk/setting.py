"""The printed game: map, units and tables of one scenario in the form for the rules. Constant during play.

All values come from the four files of the scenario; only names of things are constants. Raises FileError if the data
cannot be a game of Battle for Kursk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.given import read_points
from kursk_pbem.kernel.hexes import counters, land, ways
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.hexes.ways import ALL, Costs
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.scenario import Scenario, make_load

GERMAN, RUSSIAN = "german", "russian"
SIDES = (GERMAN, RUSSIAN)
ENEMY = {GERMAN: RUSSIAN, RUSSIAN: GERMAN}

POSTURES = ("pause", "reposition", "deploy", "engage")  # from left to right on the Posture Track (12.0)
INFANTRY_TYPES = ("infantry", "shock")
ARMOR_TYPES = ("panzer", "tank", "guards")
CITY, MAJOR = "city", "major"
FULL, REDUCED = 2, 1  # steps of the two sides of a counter (3.3)

TURN_ORDER = ("A", "B", "C", "D", "1", "2", "3", "4", "5", "6", "7", "8")  # 4.0-turns


@frozen
class Counter:
    """The printed values of a counter. ``strength``: the strength points with 0, 1, ... steps."""

    id: str
    name: str
    short: str
    side: str
    formation: str
    type: str
    strength: tuple[int, int, int]
    move: int
    hex: str
    starts: int

    @property
    def infantry(self) -> bool:
        """3.3-types: whether the unit is Infantry or Shock. Both take IRP and use railways (8.1, 10.5)."""
        return self.type in INFANTRY_TYPES

    @property
    def armor(self) -> bool:
        """3.3-types: whether the unit is Panzer, Tank or Guards. All three take ARP (10.5)."""
        return self.type in ARMOR_TYPES

    @property
    def leads(self) -> bool:
        """9.2.1: whether the unit can lead an Offensive."""
        return self.armor or self.type == "shock"


@frozen
class TurnBox:
    """A box of the Turn Track: replacements and new Offensive markers by side. ``mud``: printed mud (11.0)."""

    label: str
    mud: bool
    mud_die: int
    irp: Mapping[str, int]
    arp: Mapping[str, int]
    offensives: Mapping[str, int]


@frozen(eq=False)  # hashed by identity, so that drawings can be cached
class Setting:
    """One scenario of Battle for Kursk. Hexes are board indices, sets of hexes are masks."""

    scenario: Scenario
    board: Board
    counters: Mapping[str, Counter]
    terrain: tuple[str, ...]  # by index
    enter: tuple[int, ...]  # by index: MP to enter, the most expensive terrain (K-25), or ALL
    shift: Mapping[str, int]  # terrain, city, major, fortification -> columns
    halved_from: frozenset[str]  # terrain attacked from at half strength
    river_cost: Mapping[str, int]  # kind of river -> MP to cross, or ALL
    river_shift: Mapping[str, int]  # kind of river -> columns
    cities: Mapping[int, str]  # index -> city | major
    city_names: Mapping[int, str]
    city_side: Mapping[int, str]  # index -> side of the Start Line
    rivers: Mapping[tuple[int, int], str]  # hexside -> river | major; both orders
    streams: Mapping[tuple[int, int], str]  # hexside -> name of its river
    rails: Mapping[int, Mask]  # index -> hexes joined by rail
    own_side: Mapping[str, Mask]  # side -> its hexes by the Start Line
    edges: Mapping[str, Mask]
    forts: Mapping[tuple[str, str], Mask]  # (turn, owner) -> hexes with an active fortification
    russian_objectives: Mask
    turns: tuple[str, ...]
    boxes: Mapping[str, TurnBox]
    posture_rp: Mapping[str, Mapping[str, tuple[int, int]]]  # side -> posture -> (IRP, ARP)
    phases: Mapping[str, frozenset[str]]  # posture -> phases
    crt: Mapping[tuple[int, int], str]  # (column 1-6, die 1-6) -> result
    victory: tuple[int, int]  # minimum points of an operational and a strategic victory
    start: Mapping[str, Any]
    distribution: Mapping[str, int]  # infantry, armor: steps to distribute; empty without
    moscow: int
    kiev: int
    ask: bool  # option uncovered: ask
    weather_die: bool  # option weather: die (11.3)
    refereed: bool  # a referee rolls: plans and policies are open (K-87)
    given: Mapping[str, int]  # option given: points at the end (K-71)
    sides: tuple[str, str] = SIDES

    @cached_property
    def by_land(self) -> Costs:
        """8.0: the cost of each step of normal movement, from hex to hex."""
        rivers, price = self.rivers, {"": 0, **self.river_cost}
        return ways.by_land(self.board, self.enter, lambda here, there: price[rivers.get((here, there), "")])

    @cached_property
    def in_mud(self) -> Costs:
        """11.1: the cost of each step in mud: the whole allowance, so a unit moves at most one hex (K-34)."""
        return ways.by_land(self.board, [ALL] * len(self.enter), lambda _here, _there: 0)

    @cached_property
    def by_rail(self) -> Costs:
        """8.1: the cost of each step by rail: one point over any terrain, even marsh and Major Rivers (K-32)."""
        return ways.by_links(self.rails, 1)

    @cached_property
    def on_rails(self) -> Mask:
        """The hexes that contain a railway."""
        return sum(1 << hex_ for hex_ in self.rails)

    @cached_property
    def enemy_majors(self) -> Mapping[str, Mask]:
        """5.0: for each side, the Major Cities on the enemy's side of the Start Line."""
        majors = [hex_ for hex_, kind in self.cities.items() if kind == MAJOR]
        return {side: sum(1 << hex_ for hex_ in majors if self.city_side[hex_] == ENEMY[side]) for side in SIDES}

    @cached_property
    def in_communication(self) -> Callable[[str, Mask], Mask]:
        """10.0-in-communication: a function of (side, open hexes). It returns the hexes In Communication."""

        @lru_cache(maxsize=64)
        def reached(side: str, opened: Mask) -> Mask:
            edge = self.edges[side]
            chain = self.board.flood(edge, opened)
            return edge | chain | self.board.spread(chain)

        return reached

    def fort_of(self, hex_: int, turn: str, side: str) -> bool:
        """Return whether a fortification of ``side`` is active in a hex in ``turn`` (4.0-fortifications, K-52)."""
        return bool(self.forts.get((turn, side), 0) >> hex_ & 1)

    def strength(self, uid: str, steps: int) -> int:
        """Return the strength points printed on the visible side of a counter."""
        return self.counters[uid].strength[steps]


def _load(scenario: Scenario, options: Mapping[str, str], dice: str) -> Setting:
    """K-75: ``uncovered: ask`` stops for uncovered decisions. 11.3, K-64: ``weather: die`` rolls for mud."""
    head, chart, units, tables = (scenario.data[key] for key in ("scenario", "map", "units", "tables"))
    board = land.board_of(chart)
    terrain = land.terrain_of(chart, board)
    cities = {board.index[label]: city for label, city in chart["cities"].items()}
    tec = tables["tec"]
    return Setting(
        scenario=scenario,
        board=board,
        counters={uid: _counter(uid, entry, board) for uid, entry in sorted(units["units"].items())},
        terrain=terrain,
        enter=_costs(tec["hexes"], terrain, cities),
        shift=_shifts(tec["hexes"]),
        halved_from=frozenset(kind for kind, e in _with(tec["hexes"], "attack-from") if e["attack-from"] == "halved"),
        river_cost=_prices(tec["hexsides"]),
        river_shift=_shifts(tec["hexsides"]),
        cities={index: entry["kind"] for index, entry in cities.items()},
        city_names={index: entry["name"] for index, entry in cities.items()},
        city_side={index: entry["side"] for index, entry in cities.items()},
        rivers=land.rivers_of(chart, board, ("river", MAJOR)),
        streams=land.streams_of(chart, board),
        rails=land.rails_of(chart, board),
        own_side=land.split_sides(chart["start-line"], board, SIDES, "the Start Line"),  # 8.1, K-31
        edges={side: board.mask(chart["edges"][side]) for side in SIDES},
        forts=_forts(chart["fortifications"], board),
        russian_objectives=board.mask(chart["objectives"]["russian"]),
        turns=tuple(head["turns"]),
        boxes={turn: _box(tables["turn-track"][turn]) for turn in head["turns"]},
        posture_rp={side: _points(tables["postures"][side]) for side in SIDES},
        phases={posture: frozenset(tables["phases"][posture]) for posture in POSTURES},
        crt=_crt(tables["crt"]["rows"]),
        victory=(int(tables["victory"]["operational"]), int(tables["victory"]["strategic"])),
        start=head["start"],
        distribution={kind: int(steps) for kind, steps in head.get("distribution", {}).items()},
        moscow=board.index[chart["moscow"]],
        kiev=board.index[chart["kiev"]],
        ask=options.get("uncovered") == "ask",
        weather_die=options.get("weather") == "die",
        refereed=dice == REFEREE,
        given=read_points(options, SIDES),
    )


load = make_load("Battle for Kursk", _load)


def _prices(tec: Mapping[str, Any]) -> dict[str, int]:
    return {kind: ALL if entry["mp"] == "all" else int(entry["mp"]) for kind, entry in _with(tec, "mp")}


def _shifts(tec: Mapping[str, Any]) -> dict[str, int]:
    return {kind: int(entry["shift"]) for kind, entry in _with(tec, "shift")}


def _points(postures: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    return {posture: (int(postures[posture]["irp"]), int(postures[posture]["arp"])) for posture in POSTURES}


def _crt(rows: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    return {(column, die): rows[str(die)][column - 1] for column in range(1, 7) for die in range(1, 7)}


def _costs(tec: Mapping[str, Any], terrain: Iterable[str], cities: Mapping[int, Any]) -> tuple[int, ...]:
    """Return the cost of entering every hex: with several terrains, the most expensive (K-25)."""
    prices = {**_prices(tec), "": 1}
    costs = [prices[kind] for kind in terrain]
    for hex_, city in cities.items():
        here = (costs[hex_], prices.get(city["kind"], 0))
        costs[hex_] = ALL if ALL in here else max(here)
    return tuple(costs)


def _with(table: Mapping[str, Any], key: str) -> Iterable[tuple[str, Any]]:
    return [(kind, entry) for kind, entry in sorted(table.items()) if isinstance(entry, dict) and key in entry]


def _counter(uid: str, entry: Mapping[str, Any], board: Board) -> Counter:
    if entry["side"] not in SIDES or entry["type"] not in INFANTRY_TYPES + ARMOR_TYPES:
        raise ValueError(f"unit {uid}: unknown side or type")
    full, reduced = int(entry["full"]), int(entry["reduced"])
    if reduced < 1 or full < reduced:
        raise ValueError(f"unit {uid}: strength {full}, reduced {reduced}")
    if entry["hex"] not in board.index:
        raise ValueError(f"unit {uid}: {entry['hex']} is not a hex of the map")
    starts = {"full": FULL, "reduced": REDUCED}[entry["starts"]]
    return counters.read_counter(Counter, uid, entry, strength=(0, reduced, full), starts=starts)


def _forts(lines: Mapping[str, Any], board: Board) -> dict[tuple[str, str], Mask]:
    """Return active fortifications, permanent from their turn; a hex on two lists counts once (K-52)."""
    active: dict[tuple[str, str], Mask] = {}
    for line in lines.values():
        for turn in TURN_ORDER[TURN_ORDER.index(line["active-from"]) :]:
            active[turn, line["owner"]] = active.get((turn, line["owner"]), 0) | board.mask(line["hexes"])
    return active


def _box(entry: Mapping[str, Any]) -> TurnBox:
    return TurnBox(
        label=str(entry.get("label", "")),
        mud=entry["mud"] == "yes",
        mud_die=int(entry.get("mud-die", "0")),
        irp={side: int(entry[side]["irp"]) for side in SIDES},
        arp={side: int(entry[side]["arp"]) for side in SIDES},
        offensives={side: int(entry[side]["offensives"]) for side in SIDES},
    )
