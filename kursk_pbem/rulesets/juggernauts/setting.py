"""The printed game: map, counters and tables of one scenario, from its four files. Never changes during play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import counters, land, ways
from kursk_pbem.kernel.hexes.board import Board, Mask, bits
from kursk_pbem.kernel.hexes.ways import Costs, Steps
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.scenario import Scenario, make_load

GERMAN, RUSSIAN = "german", "russian"
SIDES = (GERMAN, RUSSIAN)
ENEMY = {GERMAN: RUSSIAN, RUSSIAN: GERMAN}

INFANTRY, CAVALRY, ARTILLERY, PANTHER, FERDINAND = "infantry", "cavalry", "artillery", "panther", "ferdinand"
TANKS = ("panzer", "tiger", FERDINAND, PANTHER, "tank")
FULL, PAIR = "full", "pair"  # zones
SQUARE = "square"  # brackets
FIRST = "first"  # grade of a line that holds without a unit
RESULTS = ("AE", "D/AE", "AD", "X", "D", "D1", "D2", "DE")  # ascending by worth for the attacker


@frozen
class Counter:
    """The printed values of a counter. ``arrives``: the turn of arrival, 0 for a unit on the map at the start."""

    id: str
    name: str
    short: str
    side: str
    kind: str
    size: str
    attack: int
    defence: int
    move: int
    bonus: int
    zone: str
    hex: str
    bracket: str = ""
    guards: bool = False
    tigers: bool = False
    sector: str = ""
    free: bool = False
    emplaced: bool = False
    arrives: int = 0

    @property
    def infantry(self) -> bool:
        """15.1: whether the unit can entrench. Such units also defend woods and cities better (J-37, J-56)."""
        return self.kind == INFANTRY

    @property
    def tank(self) -> bool:
        """15.6, 9.0: whether the unit is a panzer or tank unit. A mechanized corps is not (J-38)."""
        return self.kind in TANKS

    @property
    def panzerkorps(self) -> bool:
        """12.0, 14.1: whether the unit is a panzerkorps. A hex has room for one, and it can form a Panzerkeil."""
        return self.kind == "panzer" and self.size == "korps"

    @property
    def wedge(self) -> bool:
        """14.1: whether the unit lets a panzerkorps form a Panzerkeil, as Tigers and Ferdinands do."""
        return self.kind in ("tiger", FERDINAND)


@frozen
class Line:
    """15.2: a hex of a fortification line: owner, hexes in ``front`` of it, factors to the front and elsewhere."""

    name: str
    owner: str
    grade: str
    front: Mask
    ahead: int
    behind: int
    needs_unit: bool


@frozen
class AirUnit:
    """20.1: an air unit, if the players chose the option with aircraft."""

    id: str
    name: str
    side: str
    rudel: bool = False


@frozen
class Setting:
    """A scenario of Juggernauts. Hexes are board indices, and sets of hexes are masks."""

    scenario: Scenario
    board: Board
    counters: Mapping[str, Counter]
    terrain: tuple[str, ...]  # by index
    cities: Mapping[int, str]  # index -> name
    major: Mask
    city_side: Mapping[int, str]
    rivers: Mapping[tuple[int, int], str]  # hexside, both orders
    streams: Mapping[tuple[int, int], str]  # hexside -> name of its river
    lines: Mapping[int, Line]
    own: Mapping[str, Mask]  # side -> its hexes by the start line
    edges: Mapping[str, Mask]
    sector_row: int
    turns: tuple[str, ...]
    columns: tuple[str, ...]
    crt: Mapping[tuple[int, int], str]  # (column, row of die column A) -> result
    die_b: bool
    stack: Mapping[str, Mapping[str, int]]
    arrivals: Mapping[str, tuple[str, ...]]  # reinforcements, replacements -> hexes
    factors: int
    victory: Mapping[str, Mapping[str, Any]]
    planes: Mapping[str, AirUnit]
    ranges: Mapping[str, int]
    bombing: Mapping[str, tuple[str, ...]]
    meeting: tuple[str, ...]
    free: bool  # option deployment: by-choice
    air: bool  # option aircraft: flown
    refereed: bool
    sides: tuple[str, str] = SIDES

    @cached_property
    def by_land(self) -> Mapping[bool, Costs]:
        """13.1, 15.6: the cost of each step for tank units (key True) and other units (key False)."""
        flat = [1] * len(self.terrain)
        wet = ways.by_land(self.board, flat, lambda here, there: int((here, there) in self.rivers))
        return {False: ways.by_land(self.board, flat, lambda _here, _there: 0), True: wet}

    @cached_property
    def around_lines(self) -> Callable[[Costs, Mask], Costs]:
        """15.2, J-29: a function of (costs, enemy first lines). It returns costs without steps into a line's front."""

        @lru_cache(maxsize=64)
        def find_costs(costs: Costs, lines: Mask) -> Costs:
            front = {hex_: self.lines[hex_].front for hex_ in bits(lines)}

            def steps(here: int) -> Steps:
                return tuple([step for step in costs(here) if not front.get(step[0], 0) >> here & 1])

            return ways.Table(self.board.index.values(), steps) if front else costs

        return find_costs

    @cached_property
    def line_hexes(self) -> Mapping[str, Mask]:
        """15.2: for each side, all hexes of its lines."""
        return {side: sum(1 << hex_ for hex_, line in self.lines.items() if line.owner == side) for side in SIDES}

    @cached_property
    def first_lines(self) -> Mapping[str, Mask]:
        """15.2: for each side, the line hexes that count even without a unit in the hex."""
        first = sum(1 << hex_ for hex_, line in self.lines.items() if line.grade == FIRST)
        return {side: hexes & first for side, hexes in self.line_hexes.items()}

    @cached_property
    def facing(self) -> Mapping[str, tuple[Mask, ...]]:
        """15.2: for each side and each hex, the side's line hexes that have this hex in their front."""
        fronts = {side: [0] * len(self.terrain) for side in SIDES}
        for hex_, line in self.lines.items():
            for ahead in bits(line.front):
                fronts[line.owner][ahead] |= 1 << hex_
        return {side: tuple(masks) for side, masks in fronts.items()}

    def can_stack(self, uids: Iterable[str]) -> bool:
        """12.0: return if units may stack: 3 Germans (2 korps, 1 panzerkorps at most), or 2 Russians and an ArtKor."""
        counters = [self.counters[uid] for uid in uids]
        if not counters:
            return True
        most = self.stack[counters[0].side]
        if "korps" not in most:
            guns = sum(counter.kind == ARTILLERY for counter in counters)
            return len(counters) <= most["units"] + min(guns, most["artillery"])
        korps = sum(counter.size == "korps" for counter in counters)
        panzer = sum(counter.panzerkorps for counter in counters)
        return len(counters) <= most["units"] and korps <= most["korps"] and panzer <= most["panzerkorps"]

    @cached_property
    def has_room(self) -> Callable[[tuple[str, ...], str], bool]:
        """12.0: a function of (a side's units in a hex, another unit). It returns whether all these units may stack."""
        return lru_cache(maxsize=4096)(lambda stack, uid: self.can_stack([*stack, uid]))

    @cached_property
    def alike(self) -> Mapping[str, str]:
        """12.0: for each unit, the first unit that counts the same for stacking."""
        first: dict[tuple[str, bool, bool, bool], str] = {}
        kinds = {
            uid: (counter.side, counter.size == "korps", counter.panzerkorps, counter.kind == ARTILLERY)
            for uid, counter in self.counters.items()
        }
        return {uid: first.setdefault(kind, uid) for uid, kind in kinds.items()}

    @cached_property
    def zoned(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """10.0: for each side, its units with a zone of control, as (unit, kind of zone)."""
        zones = [(uid, counter.zone) for uid, counter in self.counters.items() if counter.zone in (FULL, PAIR)]
        return {side: tuple(zone for zone in zones if self.counters[zone[0]].side == side) for side in SIDES}

    @cached_property
    def squares(self) -> Mapping[str, tuple[str, ...]]:
        """10.0-brackets: for each side, its units with square brackets."""
        square = [uid for uid, counter in self.counters.items() if counter.bracket == SQUARE]
        return {side: tuple(uid for uid in square if self.counters[uid].side == side) for side in SIDES}

    @cached_property
    def in_supply(self) -> Callable[[str, Mask, Mask], Mask]:
        """16.1: a function of (side, open hexes, blocking enemy first lines). It returns the hexes in supply."""

        @lru_cache(maxsize=256)
        def reached(side: str, opened: Mask, held: Mask) -> Mask:
            return self.board.flood(self.edges[side], opened, {hex_: self.lines[hex_].front for hex_ in bits(held)})

        return reached


def _read_planes(air: Mapping[str, Any]) -> dict[str, AirUnit]:
    units = ((pid, unit, side) for side in SIDES for pid, unit in sorted(air[side]["units"].items()))
    return {pid: counters.read_counter(AirUnit, pid, unit, side=side) for pid, unit, side in units}


def _load_setting(scenario: Scenario, options: Mapping[str, str], dice: str) -> Setting:
    """17.2, J-57, 20.1 to 20.4: return the setting with its options ``deployment: by-choice``, ``aircraft: flown``."""
    head, chart, units, tables = (scenario.data[key] for key in ("scenario", "map", "units", "tables"))
    board = land.board_of(chart)
    cities = {board.index[label]: city for label, city in chart["cities"].items()}
    air, crt = tables["air"], tables["crt"]
    return Setting(
        scenario=scenario,
        board=board,
        counters={uid: _read_counter(uid, entry, board) for uid, entry in sorted(units["units"].items())},
        terrain=land.terrain_of(chart, board),
        cities={hex_: city["name"] for hex_, city in cities.items()},
        major=sum(1 << hex_ for hex_, city in cities.items() if city["kind"] == "major"),
        city_side={hex_: city["side"] for hex_, city in cities.items()},
        factors=int(tables["arrivals"]["factors"]),
        rivers=land.rivers_of(chart, board, ("river",)),
        streams=land.streams_of(chart, board),
        lines=_read_lines(chart["lines"], tables["lines"], board),
        own=land.split_sides(chart["start-line"], board, SIDES, "the start line"),
        edges={side: board.mask(chart["edges"][side]) for side in SIDES},
        sector_row=ord(chart["sector-row"]) - ord("A") + 1,
        turns=tuple(head["turns"]),
        columns=tuple(crt["columns"]),
        die_b=crt["die"] == "B",
        crt={(column, row): crt["rows"][str(row)][column] for column in range(12) for row in range(1, 7)},
        stack={side: {key: int(most) for key, most in tables["stacking"][side].items()} for side in SIDES},
        arrivals={key: _check_hexes(tables["arrivals"][key], board) for key in ("reinforcements", "replacements")},
        victory={side: _read_goals(tables["victory"][side], board) for side in SIDES},
        planes=_read_planes(air),
        ranges={side: int(air[side]["range"]) for side in SIDES},
        bombing={side: tuple(air[side]["bombing"]) for side in SIDES},
        meeting=tuple(air["interception"]),
        free=options.get("deployment") == "by-choice",
        air=options.get("aircraft") == "flown",
        refereed=dice == REFEREE,
    )


load = make_load("Juggernauts", _load_setting)


def _check_hexes(labels: Any, board: Board) -> tuple[str, ...]:
    board.mask(labels)
    return tuple(labels)


def _read_goals(entry: Mapping[str, Any], board: Board) -> dict[str, Any]:
    return {key: int(value) if isinstance(value, str) else _check_hexes(value, board) for key, value in entry.items()}


def _read_lines(lines: Mapping[str, Any], strengths: Mapping[str, Any], board: Board) -> dict[int, Line]:
    """Return the line of every line hex. Raises ValueError if two lines share a hex."""
    by_hex: dict[int, Line] = {}
    for key, line in sorted(lines.items()):
        entry = strengths[key]
        ahead, behind, needs = int(entry["front"]), int(entry["behind"]), entry["needs-unit"] == "yes"
        for label, front in line["front"].items():
            hex_ = board.index[label]
            if hex_ in by_hex:
                raise ValueError(f"{label} belongs to {by_hex[hex_].name} and to {line['name']}")
            mask = board.mask(front)
            if mask & ~board.near[hex_] or not mask:
                raise ValueError(f"{line['name']}: the front of {label} is not adjacent")
            by_hex[hex_] = Line(line["name"], line["owner"], line["grade"], mask, ahead, behind, needs)
    return by_hex


def _read_counter(uid: str, entry: Mapping[str, Any], board: Board) -> Counter:
    if entry["hex"] not in board.index:
        raise ValueError(f"unit {uid}: {entry['hex']} is not a hex of the map")
    return counters.read_counter(Counter, uid, entry)
