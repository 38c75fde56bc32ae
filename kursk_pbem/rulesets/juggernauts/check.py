"""Checks of a scenario by the paragraphs of this game; an error makes the scenario unplayable, a warning does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from kursk_pbem.kernel.hexes import land
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.review import ERROR, WARNING, Finding, check_limit
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, PANTHER, RESULTS, SIDES

MOST_UNITS, MOST_PANTHERS, MOST_HEXES = 240, 6, 1_600
MOST_OF = {"attack": 30, "defence": 30, "move": 8, "bonus": 6}
"""Maximum figures of a counter: far above this war's, and low enough to keep every command quick."""


def check_scenario(data: Mapping[str, Any]) -> list[Finding]:
    """Return the errors and warnings about the data of a scenario."""
    chart, tables = data["map"], data["tables"]
    slips = [*land.check_grid(chart, "13.0"), *_check_size(chart, data["units"]["units"])]
    if slips:
        return slips
    board = land.board_of(chart)
    line, own = land.check_line(chart["start-line"], board, "17.1", "the start line", ("map", "start-line"))
    sides = dict(zip(SIDES, own, strict=False))
    edges = [finding for side in SIDES for finding in land.check_edges(chart, board, {side: "16.1"})]
    return [
        *line,
        *land.check_terrain(chart, board, "13.0"),
        *land.check_rivers(chart, board, "15.6"),
        *edges,
        *land.check_cities(chart, board, sides, "the start line", ("18.0", "18.0")),
        *_check_lines(chart, tables, board),
        *_check_results(tables["crt"]),
        *_check_listed(tables, chart, board),
        *_check_units(data["units"]["units"], board, sides, data["scenario"]["turns"]),
    ]


def _check_size(chart: Mapping[str, Any], units: Mapping[str, Any]) -> Iterator[Finding]:
    """T27: check the quantities that would make commands slow; each Panther throws a die of its own (14.4)."""
    yield from land.check_size(chart, MOST_HEXES)
    yield from check_limit("units", len(units), MOST_UNITS, ("units", "units"))
    panthers = [uid for uid, unit in units.items() if unit["kind"] == PANTHER]
    yield from check_limit("Panthers", len(panthers), MOST_PANTHERS, ("units", "units", *panthers[MOST_PANTHERS:][:1]))
    for uid, unit in units.items():
        for key, most in MOST_OF.items():
            yield from check_limit(f"{key} of {uid}", int(unit[key]), most, ("units", "units", uid, key))


def _check_lines(chart: Mapping[str, Any], tables: Mapping[str, Any], board: Board) -> Iterator[Finding]:
    """15.2: yield an error for hexes in two lines, and for fronts that are not adjacent."""
    seen: dict[str, str] = {}
    for key, line in chart["lines"].items():
        if key not in tables["lines"]:
            yield Finding(ERROR, "15.2", f"{line['name']} has no strength in the tables", ("tables", "lines"))
        for label, front in line["front"].items():
            path = ("map", "lines", key, "front", label)
            if label not in board.index:
                yield Finding(ERROR, "15.2", f"{line['name']}: {label} is no playable hex", path)
                continue
            if label in seen:
                yield Finding(ERROR, "15.2", f"{label} belongs to {seen[label]} and to {line['name']}", path)
            seen.setdefault(label, line["name"])
            around = board.names(board.near[board.index[label]])
            for other in (ahead for ahead in front if ahead not in around):
                text = f"{line['name']}: {other} is not beside {label}, so its front is not there"
                yield Finding(ERROR, "15.2", text, path)


def _check_results(crt: Mapping[str, Any]) -> Iterator[Finding]:
    """1.0: yield a warning for every result that is worse for the attacker than the result to its left."""
    rank = {result: number for number, result in enumerate(RESULTS)}
    rows = [crt["rows"][str(die)] for die in range(1, 7)]
    for die, row in enumerate(rows, 1):
        for column, (left, right) in enumerate(pairwise(row)):
            if rank[left] > rank[right]:
                text = f"die {die}: {right} at {crt['columns'][column + 1]} is worse for the attacker than {left}"
                yield Finding(WARNING, "1.0", text, ("tables", "crt", "rows", str(die)))


def _check_listed(tables: Mapping[str, Any], chart: Mapping[str, Any], board: Board) -> Iterator[Finding]:
    """11.1, 18.0: yield an error for every unknown hex in the tables, and for goals that are not cities."""
    for key in ("reinforcements", "replacements"):
        yield from land.check_listed(tables["arrivals"][key], board, "11.1", ("tables", "arrivals", key))
    for side in SIDES:
        for key, labels in tables["victory"][side].items():
            for number, label in enumerate(labels) if isinstance(labels, list) else ():
                if label not in chart["cities"]:
                    where = ("tables", "victory", side, key, number)
                    yield Finding(ERROR, "18.0", f"{label} is a goal and no city", where)


def _check_units(units: Mapping[str, Any], board: Board, own: Mapping[str, int], turns: list[str]) -> Iterator[Finding]:
    """17.1: yield an error for every unit with a wrong hex, and a warning for units after the last turn."""
    for uid, unit in units.items():
        path, label = ("units", "units", uid), unit["hex"]
        if label not in board.index:
            yield Finding(ERROR, "17.1", f"{uid} is set up in {label}, which is no playable hex", (*path, "hex"))
        elif own and own[ENEMY[unit["side"]]] >> board.index[label] & 1:
            text = f"{uid} is set up in {label}, on the {ENEMY[unit['side']]} side of the start line"
            yield Finding(ERROR, "17.1", text, (*path, "hex"))
        if unit.get("emplaced") == "yes" and unit["kind"] != "artillery":
            yield Finding(ERROR, "14.2", f"{uid} is emplaced and no artillery", (*path, "emplaced"))
        if int(unit.get("arrives", "0")) > len(turns):
            yield Finding(WARNING, "11.1", f"{uid} comes after the last turn", (*path, "arrives"))
