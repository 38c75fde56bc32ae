"""The printed game of a small system: counters, map and tables as typed data, and checks before the first game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import land, ways
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.hexes.usual.position import check_units
from kursk_pbem.kernel.picture import TERRAIN
from kursk_pbem.kernel.review import ERROR, Finding, Path
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.scenario import Scenario

MAX_HEXES, MAX_REACH = 2_000, 200_000
_ODDS = re.compile("[1-9][0-9]?:[1-9][0-9]?")
Slip = tuple[str, Path]


@frozen
class Setting:
    """The scenario of a small game. ``numbers``: single numbers of the tables, such as the range of supply."""

    scenario: Scenario
    refereed: bool
    board: Board
    counters: Mapping[str, Any]
    terrain: tuple[str, ...]  # by index
    cost: Mapping[str, int]  # terrain -> movement points
    shift: Mapping[str, int]  # terrain -> columns to the left
    towns: Mapping[int, str]
    value: Mapping[int, int]  # town -> points
    owner: Mapping[int, str]  # town -> side at the start, or ''
    home: Mapping[str, Mask]  # side -> hexes where supply comes from and retreats lead to
    numbers: Mapping[str, int]
    columns: tuple[str, ...]
    table: Mapping[str, tuple[str, ...]]  # column -> result of each die
    turns: tuple[str, ...]
    sides: tuple[str, str]
    stack: int

    @cached_property
    def by_land(self) -> ways.Costs:
        """The movement cost of every step from hex to hex."""
        return ways.by_land(self.board, [self.cost.get(kind, 1) for kind in self.terrain], lambda _here, _there: 0)


def read_setting(scenario: Scenario, dice: str, counter: Any, sides: tuple[str, str], stack: int) -> Setting:
    """Return a scenario as typed data. ``counter``: the dataclass for counters. Its int fields are read as numbers."""
    chart, tables, units = scenario.data["map"], scenario.data["tables"], scenario.data["units"]["units"]
    board, ground, home = land.board_of(chart), tables["terrain"].items(), chart.get("home", {})
    towns = {board.index[label]: town for label, town in chart["towns"].items()}
    numbers = _find_numbers(counter)
    return Setting(
        scenario=scenario,
        refereed=dice == REFEREE,
        board=board,
        counters={
            uid: counter(**{key: int(text) if key in numbers else text for key, text in unit.items()})
            for uid, unit in sorted(units.items())
        },
        terrain=land.terrain_of(chart, board),
        cost={kind: int(row["cost"]) for kind, row in ground},
        shift={kind: int(row["shift"]) for kind, row in ground},
        towns={hex_: town["name"] for hex_, town in towns.items()},
        value={hex_: int(town.get("value", "1")) for hex_, town in towns.items()},
        owner={hex_: town.get("owner", "") for hex_, town in towns.items()},
        home={side: board.mask(home.get(side, ())) for side in sides},
        numbers={key: int(text) for key, text in tables.items() if isinstance(text, str)},
        columns=tuple(column for column, *_row in tables["odds"]),
        table={column: tuple(row) for column, *row in tables["odds"]},
        turns=tuple(scenario.data["scenario"]["turns"]),
        sides=sides,
        stack=stack,
    )


def _find_numbers(counter: Any) -> set[str]:
    return {each.name for each in fields(counter) if each.type in ("int", int)}


def check_setting(
    data: Mapping[str, Any],
    counter: Any,
    sides: Sequence[str],
    stack: int,
    results: Mapping[str, str],
    rules: tuple[str, str],
) -> list[Finding]:
    """Return the errors of a scenario that could stop a game later. ``results``: the allowed results of the table.

    ``rules``: the paragraphs of the map and of the set-up.
    """
    rule, set_up = rules
    chart, units = data["map"], data["units"]["units"]
    found = [*land.check_grid(chart, rule), *land.check_size(chart, MAX_HEXES)]
    if found:
        return found
    board = land.board_of(chart)
    found += land.check_terrain(chart, board, rule)
    slips = [*_check_counters(units, counter, sides), *_check_chart(chart, board, sides)]
    slips += [*_check_tables(chart, data["tables"], results)]
    found += [Finding(ERROR, rule, text, path) for text, path in slips]
    found += check_units(units, board, stack, set_up)
    if not found and "move" in _find_numbers(counter):
        found += land.check_reach(units, sides, MAX_REACH)
    return found


def _check_counters(units: Mapping[str, Mapping[str, str]], counter: Any, sides: Sequence[str]) -> Iterator[Slip]:
    known = {each.name: each.default is MISSING for each in fields(counter)}
    numbers = _find_numbers(counter)
    for uid, unit in units.items():
        path = ("units", "units", uid)
        yield from ((f"{uid} has no {key!r}", path) for key, needed in known.items() if needed and key not in unit)
        yield from ((f"no counter has {key!r}", (*path, key)) for key in unit if key not in known)
        for key in [key for key in unit if key in numbers]:
            if not (unit[key].isascii() and unit[key].isdigit() and len(unit[key]) <= 3):
                yield f"{key} of {uid} is {unit[key]!r}, but should be a number below 1000", (*path, key)
        if unit["side"] not in sides:
            yield f"{uid} belongs to {unit['side']!r}; the sides are {' and '.join(sides)}", (*path, "side")


def _check_chart(chart: Mapping[str, Any], board: Board, sides: Sequence[str]) -> Iterator[Slip]:
    lists = [(chart["towns"], "towns"), *((labels, "home") for labels in chart.get("home", {}).values())]
    for labels, key in lists:
        yield from ((f"{label} is no playable hex", ("map", key)) for label in labels if label not in board.index)
    owners = {label: town["owner"] for label, town in chart["towns"].items() if "owner" in town}
    named = [(side, ("map", "home")) for side in chart.get("home", {})]
    for side, path in [*((side, ("map", "towns", label)) for label, side in owners.items()), *named]:
        if side not in sides:
            yield f"{side!r} is no side; the sides are {' and '.join(sides)}", path


def _check_tables(chart: Mapping[str, Any], tables: Mapping[str, Any], results: Mapping[str, str]) -> Iterator[Slip]:
    for kind in [chart["default-terrain"], *chart["terrain"]]:
        if kind not in tables["terrain"]:
            yield f"the tables have no ground {kind!r}", ("map", "terrain", kind)
        if kind not in TERRAIN:
            yield f"a map cannot show {kind!r}; it shows {', '.join(TERRAIN)}", ("map", "terrain", kind)
    before = Fraction(0)
    for number, (column, *row) in enumerate(tables["odds"]):
        path = ("tables", "odds", number)
        ratio = Fraction(*map(int, column.split(":"))) if _ODDS.fullmatch(column) else before
        if ratio <= before:
            yield f"the column {column!r} should be odds such as '3:2', higher than the column before", path
        before = ratio
        wrong = [result for result in row if result not in results]
        if wrong:
            yield f"column {column} has the result {wrong[0]!r}; the results are {', '.join(results)}", path
