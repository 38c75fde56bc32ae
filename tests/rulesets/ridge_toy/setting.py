"""The printed game of Ridge Toy: counters, map and table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kursk_pbem.kernel.hexes import land, ways
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.usual.position import check_units
from kursk_pbem.kernel.review import Finding
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.scenario import Scenario, make_load

SIDES = ("blue", "red")


@dataclass(frozen=True)
class Counter:
    """The printed values of a counter."""

    name: str
    short: str
    side: str
    strength: int
    move: int
    hex: str
    steps: int = 2


@dataclass(frozen=True)
class Setting:
    """One scenario of Ridge Toy."""

    scenario: Scenario
    refereed: bool
    board: Board
    counters: Mapping[str, Counter]
    terrain: tuple[str, ...]  # by index
    cost: Mapping[str, int]  # terrain -> movement points
    shift: Mapping[str, int]  # terrain -> columns to the left
    towns: Mapping[int, str]
    columns: tuple[str, ...]
    table: Mapping[str, tuple[str, ...]]  # column -> result of each die
    turns: tuple[str, ...]
    sides: tuple[str, str] = SIDES
    stack: int = 1

    @cached_property
    def by_land(self) -> ways.Costs:
        """2.0: the cost of each step."""
        return ways.by_land(self.board, [self.cost.get(kind, 1) for kind in self.terrain], lambda _here, _there: 0)


def _load(scenario: Scenario, _options: Mapping[str, str], dice: str) -> Setting:
    chart, tables = scenario.data["map"], scenario.data["tables"]
    board, units = land.board_of(chart), scenario.data["units"]["units"]
    numbers = ("strength", "move")
    return Setting(
        scenario=scenario,
        refereed=dice == REFEREE,
        board=board,
        counters={
            uid: Counter(**{key: int(unit[key]) if key in numbers else unit[key] for key in unit})
            for uid, unit in sorted(units.items())
        },
        terrain=land.terrain_of(chart, board),
        cost={kind: int(ground["cost"]) for kind, ground in tables["terrain"].items()},
        shift={kind: int(ground["shift"]) for kind, ground in tables["terrain"].items()},
        towns={board.index[label]: name for label, name in chart["towns"].items()},
        columns=tuple(column for column, *_row in tables["odds"]),
        table={column: tuple(row) for column, *row in tables["odds"]},
        turns=tuple(scenario.data["scenario"]["turns"]),
    )


load = make_load("Ridge Toy", _load)


def check(data: Mapping[str, Any]) -> list[Finding]:
    """1.0, 1.1: return the errors of a scenario."""
    chart = data["map"]
    found = list(land.check_grid(chart, "1.0"))
    if not found:
        board = land.board_of(chart)
        found = [*land.check_terrain(chart, board, "1.0"), *check_units(data["units"]["units"], board, 1, "1.1")]
    return found
