"""The printed game of Hex Toy, its set-up and its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.kernel.hexes import land, ways
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.review import ERROR, WARNING, Finding
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import ELIMINATED, State, Unit

SIDES = ("amber", "violet")
HORSE = "horse"
HELD = "held"  # marks: the last side in a ford
FALLEN = "fallen-{}"  # track: steps that a side has lost


@dataclass(frozen=True)
class Counter:
    """The printed values of a counter; ``worth`` counts for each step."""

    id: str
    name: str
    side: str
    kind: str
    worth: int
    move: int
    nerve: int
    hex: str
    steps: int


@dataclass(frozen=True)
class Setting:
    """One scenario of Hex Toy."""

    scenario: Scenario
    board: Board
    counters: Mapping[str, Counter]
    terrain: tuple[str, ...]  # by index
    cost: Mapping[str, int]
    cover: Mapping[str, int]  # terrain -> modifier of the dice
    columns: tuple[str, ...]
    results: Mapping[str, tuple[str, ...]]  # column -> results for sums from 2 to 12
    fords: Mapping[str, str]  # hex -> name
    stack: int
    turns: tuple[str, ...]
    first: str
    steel: bool
    refereed: bool
    sides: tuple[str, str] = SIDES

    @property
    def second(self) -> str:
        return self.foe(self.first)

    def foe(self, side: str) -> str:
        return SIDES[1 - SIDES.index(side)]

    @cached_property
    def by_land(self) -> ways.Costs:
        """3.0: the cost of each step."""
        return ways.by_land(self.board, [self.cost.get(kind, 1) for kind in self.terrain], lambda _here, _there: 0)

    def standing(self, state: State, side: str) -> dict[str, list[str]]:
        """Return hex -> the units of a side there, by id."""
        found: dict[str, list[str]] = {}
        for uid, unit in sorted(state.units.items()):
            if unit.place in self.board.index and self.counters[uid].side == side:
                found.setdefault(unit.place, []).append(uid)
        return found

    def mask(self, state: State, side: str) -> Mask:
        return self.board.mask(self.standing(state, side))

    def beside(self, label: str) -> Mask:
        return self.board.near[self.board.index[label]]

    def worth(self, state: State, uid: str) -> int:
        return self.counters[uid].worth * state.units[uid].steps


def load(scenario: Scenario, options: Mapping[str, str] = MappingProxyType({}), dice: str = PLAYERS) -> Setting:
    """Return the setting of a scenario. Raises FileError for unplayable data."""
    head, chart, units, tables = (scenario.data[key] for key in ("scenario", "map", "units", "tables"))
    try:
        board = land.board_of(chart)
        return Setting(
            scenario,
            board,
            {uid: _counter(uid, entry) for uid, entry in sorted(units["units"].items())},
            land.terrain_of(chart, board),
            {kind: int(entry["cost"]) for kind, entry in sorted(tables["terrain"].items())},
            {kind: int(entry["dice"]) for kind, entry in sorted(tables["terrain"].items())},
            tuple(column for column, *_row in tables["ratios"]),
            {column: tuple(row) for column, *row in tables["ratios"]},
            dict(sorted(chart["fords"].items())),
            int(tables["stack"]),
            tuple(head["turns"]),
            head["first"],
            options.get("nerves") == "steel",
            dice == REFEREE,
        )
    except (KeyError, ValueError) as error:
        raise FileError(f"scenario {scenario.id}: the data make no game of Hex Toy ({error})") from error


def _counter(uid: str, entry: Mapping[str, Any]) -> Counter:
    numbers = (int(entry[key]) for key in ("worth", "move", "nerve"))
    return Counter(uid, entry["name"], entry["side"], entry["kind"], *numbers, entry["hex"], int(entry["steps"]))


def setup(setting: Setting) -> State:
    """1.1: return the first position; the scenario names the side that begins."""
    units = {uid: Unit(counter.hex, counter.steps) for uid, counter in setting.counters.items()}
    tracks = {FALLEN.format(side): 0 for side in SIDES}
    return State(setting.turns[0], setting.first, f"{setting.first}-march", units, tracks=tracks)


def check(data: Mapping[str, Any]) -> list[Finding]:
    """Return the errors and warnings about a scenario."""
    chart = data["map"]
    found = list(land.check_grid(chart, "1.0"))
    if found:
        return found
    board = land.board_of(chart)
    found += land.check_terrain(chart, board, "1.0")
    return [*found, *_check_units(data["units"]["units"], board, int(data["tables"]["stack"]))]


def _check_units(units: Mapping[str, Any], board: Board, stack: int) -> Iterator[Finding]:
    placed: dict[str, list[str]] = {}
    for uid, entry in units.items():
        path = ("units", "units", uid, "hex")
        here = placed.setdefault(entry["hex"], [])
        if entry["hex"] not in board.index:
            yield Finding(ERROR, "1.1", f"{uid} is set up in {entry['hex']}, which is no playable hex", path)
        elif len(here) == stack:
            yield Finding(ERROR, "2.0", f"{uid} is one unit too many in {entry['hex']}", path)
        elif here and units[here[0]]["side"] != entry["side"]:
            yield Finding(ERROR, "2.0", f"{uid} shares {entry['hex']} with the enemy", path)
        here.append(uid)
    if {entry["side"] for entry in units.values()} != {*SIDES}:
        yield Finding(WARNING, "6.0", "one side has no units at all", ("units", "units"))


def invariants(setting: Setting, state: State) -> list[str]:
    """Return the errors of a position."""
    mine, theirs = (setting.standing(state, side) for side in SIDES)
    wrong = [f"{label} holds units of both sides" for label in mine if label in theirs]
    wrong += [f"{label} holds too many units" for label, who in (mine | theirs).items() if len(who) > setting.stack]
    for uid, unit in sorted(state.units.items()):
        most = setting.counters[uid].steps if unit.place in setting.board.index else 0
        if not (min(most, 1) <= unit.steps <= most) or (not most and unit.place != ELIMINATED):
            wrong.append(f"{uid} has {unit.steps} steps at {unit.place}")
    return wrong
