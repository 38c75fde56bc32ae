"""The printed game: map, counters and tables of one scenario for the rules. A setting never changes in play.

Values come from the scenario's files; only names are fixed in code. Raises FileError if the data cannot be a game of
Kursk (1971).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.given import read_points
from kursk_pbem.kernel.hexes import counters, land, ways
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.scenario import Scenario, make_load

GERMAN, SOVIET = "german", "soviet"
SIDES = (GERMAN, SOVIET)
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}

AIR, KAMPFGRUPPE = "air", "kampfgruppe"
ATTACK_ONLY, DEFENCE_ONLY, BRACKETED = "attack-only", "defence-only", "bracketed"
LIMITED = (ATTACK_ONLY, DEFENCE_ONLY, BRACKETED)
TYPES = {
    GERMAN: ("infantry", "panzer", "panzergrenadier", "motorized-infantry", "armor", KAMPFGRUPPE, AIR),
    SOVIET: ("rifle", "guards-rifle", "tank", "guards-tank", "mechanized", "cavalry", "artillery", "anti-tank", AIR),
}
LARGE = ("division", "corps")
FOOT, MOTORIZED = "foot", "motorized"
ROUGH = ("forest", "swamp")
LIMITS = ("zoc-enter", "zoc-leave", "supply", "stack", "stack-large", "support")
LEVELS = ("marginal", "tactical", "decisive")

HALF, DESTROYED = "HX", "D"
RESULTS = ("AX", "AR", "BR", "DR", "EX", HALF, "DX")  # in the attacker's order of preference
LOWEST_DIE, HIGHEST_DIE = -1, 6


@frozen
class Counter:
    """The printed values of a counter. An air unit is base and aircraft (9.0-b, S-53). ``reach``: its range."""

    id: str
    name: str
    short: str
    side: str
    type: str
    size: str
    motorized: bool
    attack: int
    defence: int
    move: int
    reach: int
    limited: str = ""
    army: str = ""
    formation: str = ""
    replaces: tuple[str, ...] = ()

    @property
    def air(self) -> bool:
        """9.0: whether the counter is an air unit."""
        return self.type == AIR

    @property
    def large(self) -> bool:
        """5.0-d, 5.0: whether the counter is a German division or a Soviet corps."""
        return self.size in LARGE

    @property
    def regular(self) -> bool:
        """7.0-f, 7.0-g: whether the counter is neither limited nor an air unit."""
        return not (self.limited or self.air)

    @property
    def worth(self) -> int:
        """14.0-strength: the larger of the two printed strengths, attack and defense (S-56)."""
        return max(self.attack, self.defence)

    @property
    def figures(self) -> str:
        """The printed values as text: '6-8', '(2)-8', '4A-4', '2D-4'. For an air unit: allowance and range."""
        if self.air:
            return f"{self.move}/{self.reach}"
        worth = {BRACKETED: f"({self.worth})", ATTACK_ONLY: f"{self.worth}A", DEFENCE_ONLY: f"{self.worth}D"}
        return f"{worth.get(self.limited, self.worth)}-{self.move}"


@frozen(eq=False)  # hashed by identity: settings are cache keys
class Setting:
    """A scenario of Kursk (1971). Hexes are board indices, and sets of hexes are masks."""

    scenario: Scenario
    board: Board
    counters: Mapping[str, Counter]
    terrain: tuple[str, ...]  # by index
    die: Mapping[str, int]  # terrain, river, fortification -> modifier of the attacker's die
    rough: Mask  # forest and swamp
    rivers: Mapping[tuple[int, int], str]
    streams: Mapping[tuple[int, int], str]  # hexside -> name of its river
    rails: Mapping[int, Mask]
    exits: Mapping[str, Mask]  # by side: rail hexes at its friendly edge
    edges: Mapping[str, Mask]
    forts: Mapping[str, Mask]  # by owner: fortified line hexes in force
    strongholds: Mapping[str, Mask]  # by owner: fortified cities
    own_side: Mapping[str, Mask]  # by side, of the front at the start
    man: Mapping[str, Mask]  # by side: line that a free set-up must hold
    entry: Mapping[str, Mask]
    cities: Mapping[int, str]
    towns: Mapping[int, str]
    city_side: Mapping[int, str]
    objectives: Mapping[int, int]  # city -> points
    start: Mapping[str, str]
    arrivals: Mapping[str, int]
    reserve: tuple[str, ...]  # Kampfgruppen, in order of use
    turns: tuple[str, ...]
    first: str
    deployment: tuple[str, ...]  # sides with a free set-up, in order; empty for a fixed set-up
    base: Mapping[tuple[str, str], tuple[int, ...]]  # (side, foot or motorized) -> by index: points to enter
    crt: Mapping[tuple[int, int], str]  # (level of odds, die) -> result
    levels: tuple[int, int]  # lowest and highest level of odds on the table
    raids: Mapping[tuple[int, int], str]  # (column, die) -> result of an air superiority attack
    raid_columns: tuple[str, ...]
    limits: Mapping[str, int]  # each of LIMITS
    within: Mapping[str, int]  # printed values -> hexes to the nearest unit of the army (11.0)
    ratios: Mapping[str, tuple[Fraction, ...]]  # by side: of each victory level
    motorized_points: int
    kampfgruppe_points: int
    printed: bool  # option edition: print
    integrity: bool  # 11.0 is played
    battlegroups: bool  # 10.0 is played
    refereed: bool
    given: Mapping[str, int]  # option given: points at the end (S-32)
    sides: tuple[str, str] = SIDES

    @property
    def second(self) -> str:
        """2.0-b: the side whose player turn is the second in a game turn."""
        return ENEMY[self.first]

    @cached_property
    def controlling(self) -> frozenset[str]:
        """4.0-f, 4.0-h, S-7: the units that have a zone of control.

        Divisions, corps and Kampfgruppen have a zone; limited units and air units do not. The only small regular unit,
        the motorized 1-8, has a zone in the print edition only.
        """
        return frozenset(
            uid
            for uid, counter in self.counters.items()
            if counter.regular and (counter.large or counter.type == KAMPFGRUPPE or self.printed)
        )

    @cached_property
    def costs(self) -> Any:
        """3.0-terrain, 3.0-i, 4.0-b, 4.0-c: each step's cost, by (side, kind of movement, enemy-controlled hexes)."""

        @lru_cache(maxsize=8)  # each entry is a table of the whole map; a position needs two for each side
        def of(side: str, manner: str, controlled: Mask) -> ways.Costs:
            more, leave = self.limits["zoc-enter"], self.limits["zoc-leave"]
            base = self.base[side, manner]
            enter = [price + more if controlled >> hex_ & 1 else price for hex_, price in enumerate(base)]
            return ways.by_land(self.board, enter, lambda here, _there: leave if controlled >> here & 1 else 0)

        return of

    def has_room(self, large: int, number: int) -> bool:
        """5.0, 5.0-b, 5.0-c: return whether a hex has room for ``number`` units of a side; ``large`` of them are large.

        Digital edition: four units, at most three of them large. Print edition: three small units count as one
        division, and one small unit does not count.
        """
        if self.printed:  # 5.0-print
            return large + -(-max(0, number - large - 1) // 3) <= self.limits["stack-large"]
        return large <= self.limits["stack-large"] and number <= self.limits["stack"]

    @cached_property
    def no_more(self) -> Callable[[tuple[str, ...]], tuple[bool, ...]]:
        """5.0-a: a function of a hex's units. It returns the kinds without room: large (True), small (False)."""

        def kinds(stack: tuple[str, ...]) -> tuple[bool, ...]:
            large = sum(self.counters[uid].large for uid in stack)
            return tuple(more for more in (False, True) if not self.has_room(large + more, len(stack) + 1))

        return lru_cache(4096)(kinds)

    @cached_property
    def around(self) -> Callable[[int, int], Mask]:
        """11.0-b: a function of (hex, distance). It returns the hexes within this distance of the hex."""
        return lru_cache(4096)(lambda hex_, far: sum(self.board.rings(1 << hex_, self.board.rectangle, far)))

    @cached_property
    def lines_of_supply(self) -> Any:
        """6.0, S-21: a function of (side, open hexes). It returns hexes by distance from supply railways."""
        on_rails = sum(1 << hex_ for hex_ in self.rails)
        off_rails = {hex_: self.board.near[hex_] for hex_ in self.rails}  # supply stays on the railway

        @lru_cache(maxsize=512)
        def rings(side: str, opened: Mask) -> tuple[Mask, ...]:
            return tuple(self.board.rings(live(side, opened & on_rails), opened, self.limits["supply"]))

        @lru_cache(maxsize=512)
        def live(side: str, opened: Mask) -> Mask:
            return self.board.flood(self.exits[side], opened, off_rails, self.rails)

        return rings


def _read_map(head: Mapping[str, Any], chart: Mapping[str, Any], board: Board) -> dict[str, Any]:
    """Return the fields of the setting that the map gives."""
    terrain = land.terrain_of(chart, board)
    front = [land.read_pair(text, board) for text in chart["fronts"][head["front"]]]  # 12.0
    return {
        "terrain": terrain,
        "rough": sum(1 << hex_ for hex_, kind in enumerate(terrain) if kind in ROUGH),
        "rivers": land.rivers_of(chart, board, ("river",)),
        "streams": land.streams_of(chart, board),
        "rails": land.rails_of(chart, board),
        "exits": read_masks(chart["exits"], board),
        "edges": read_masks(chart["edges"], board),
        "forts": _read_forts(head, chart, board),
        "strongholds": read_masks(chart["fortified"], board),
        "own_side": dict(zip(SIDES, land.find_halves(front, board), strict=True)),
        "man": read_masks(head["man"], board),
        "entry": read_masks(head["entry"], board),
        "cities": _read_names(chart["cities"], board),
        "towns": _read_names(chart["towns"], board),
        "city_side": {board.index[label]: entry["side"] for label, entry in sorted(chart["cities"].items())},
    }


def _load(scenario: Scenario, options: Mapping[str, str], dice: str) -> Setting:
    head, chart, units, tables = (scenario.data[key] for key in ("scenario", "map", "units", "tables"))
    board = land.board_of(chart)
    ground = _read_map(head, chart, board)
    limits, victory = tables["limits"], tables["victory"]
    walls = {side: ground["forts"][side] | ground["strongholds"][side] for side in SIDES}
    arrivals = {uid: int(turn) for turn, who in sorted(head["arrivals"].items()) for uid in who}
    named = {*head["start"], *arrivals, *head["reserve"]}
    printed, rest = options.get("edition") == "print", options.get("optional-rules", "kampfgruppen-only")
    return Setting(
        scenario=scenario,
        board=board,
        counters={uid: _read_counter(uid, entry) for uid, entry in sorted(units["units"].items()) if uid in named},
        **ground,
        die={kind: int(entry["die"]) for kind, entry in sorted(tables["terrain"].items()) if kind != "provenance"},
        objectives={board.index[label]: int(points) for label, points in sorted(head["cities"].items())},
        start=dict(sorted(head["start"].items())),
        arrivals=arrivals,
        reserve=tuple(head["reserve"]),
        turns=tuple(head["turns"]),
        first=head["first"],
        deployment=tuple(head["deployment"]),
        base=_read_prices(tables["terrain"], ground["terrain"], walls),
        crt=_read_crt(tables["crt"]),
        levels=(_read_level(tables["crt"]["columns"][0]), _read_level(tables["crt"]["columns"][-1])),
        raids=_read_raids(tables["air"]),
        raid_columns=tuple(tables["air"]["columns"]),
        limits={name: int(limits[name]) for name in LIMITS},
        within={values: int(hexes) for values, hexes in sorted(limits["integrity"].items())},
        ratios={side: tuple(_read_ratio(victory[side][level]) for level in LEVELS) for side in SIDES},
        motorized_points=int(victory["motorized"]),
        kampfgruppe_points=int(victory["kampfgruppe"]),
        printed=printed,
        integrity=not printed or rest == "both-played",
        battlegroups=not printed or rest != "neither-played",
        refereed=dice == REFEREE,
        given=read_points(options, SIDES),
    )


load = make_load("Kursk (1971)", _load)


def _read_names(places: Mapping[str, Any], board: Board) -> dict[int, str]:
    return {board.index[label]: entry["name"] for label, entry in sorted(places.items())}


def read_masks(lists: Mapping[str, Any], board: Board) -> dict[str, Mask]:
    """Return the listed hexes of each side."""
    return {side: board.mask(lists[side]) for side in SIDES}


def _read_counter(uid: str, entry: Mapping[str, Any]) -> Counter:
    side, limited = entry["side"], entry.get("limited", "")
    if entry["type"] not in TYPES[side] or limited not in ("", *LIMITED):
        raise ValueError(f"unit {uid}: unknown type")
    return counters.read_counter(Counter, uid, entry, reach=int(entry.get("range", "0")))


def _read_forts(head: Mapping[str, Any], chart: Mapping[str, Any], board: Board) -> dict[str, Mask]:
    """3.0-fortified-kept: return fortified lines in force, by owner; void hexes count for neither side."""
    forts = dict.fromkeys(SIDES, 0)
    for name in head["lines"]:
        line = chart["fortifications"][name]
        forts[line["owner"]] |= board.mask(line["hexes"])
    void = board.mask(head.get("void", ()))
    return {side: mask & ~void for side, mask in forts.items()}


def _read_prices(
    tec: Mapping[str, Any], terrain: tuple[str, ...], forts: Mapping[str, Mask]
) -> dict[tuple[str, str], tuple[int, ...]]:
    """3.0-a, 3.0-fortified, S-31: return the points to enter every hex, with enemy fortifications, without zones."""
    costs = {}
    for side in SIDES:
        for manner in (FOOT, MOTORIZED):
            more = int(tec["fortification"][manner])
            prices = [int(tec[kind][manner]) if kind else 1 for kind in terrain]
            strong = forts[ENEMY[side]]
            costs[side, manner] = tuple(price + more * (strong >> hex_ & 1) for hex_, price in enumerate(prices))
    return costs


def _read_level(ratio: str) -> int:
    """Convert '4:1' to 4, '1:1' to 1, '1:2' to 0, like `fights.level_of`."""
    one, _colon, other = ratio.partition(":")
    return int(one) if other == "1" else 2 - int(other)


def _read_ratio(text: str) -> Fraction:
    one, _colon, other = text.partition(":")
    return Fraction(int(one), int(other))


def die_row(die: int) -> str:
    """Return the key of a row in the combat results table. In the key, a word replaces the sign of the number."""
    return f"minus{die}" if die < 0 else str(die)


def _read_crt(table: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    levels = [_read_level(column) for column in table["columns"]]
    dice = range(LOWEST_DIE, HIGHEST_DIE + 1)
    results = {(level, die): table["rows"][die_row(die)][number] for number, level in enumerate(levels) for die in dice}
    if levels != list(range(levels[0], levels[-1] + 1)) or {*results.values()} - {*RESULTS}:
        raise ValueError("the combat table has a gap or an unknown result")
    return results


def _read_raids(table: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    columns = range(len(table["columns"]))
    return {(column, die): table["rows"][str(die)][column] for column in columns for die in range(1, 7)}
