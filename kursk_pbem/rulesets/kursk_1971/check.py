"""Checks the data of a scenario: map, counters, set-up, tables. The schema has checked the form.

Errors make a scenario unplayable or break a rule. Warnings mark values that differ from the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.hexes import land
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.review import ERROR, WARNING, Finding, Path
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.kursk_1971.setting import (
    ATTACK_ONLY,
    DEFENCE_ONLY,
    HIGHEST_DIE,
    KAMPFGRUPPE,
    LARGE,
    LOWEST_DIE,
    RESULTS,
    SIDES,
    TYPES,
    die_row,
)

TURNS = 6
HEXES, REACH = 3600, 45_000
"""Limits: hexes of the map, hexes reachable by the units of a side; three times the values of July 1943."""
Data = Mapping[str, Any]


def check_scenario(data: Data) -> list[Finding]:
    """Return the errors and warnings about the data of a scenario."""
    chart = data["map"]
    slips = list(land.check_grid(chart, "3.0-a"))
    slips += [*land.check_size(chart, HEXES), *land.check_reach(data["units"]["units"], SIDES, REACH)]
    if slips:
        return slips  # other checks need a grid of limited size
    board = land.board_of(chart)
    return [
        *_check_map(chart, board),
        *_check_turns(data["scenario"]),
        *_check_head(data, board),
        *_check_counters(data),
        *_check_start(data, board),
        *_check_tables(data["tables"]),
    ]


def _check_map(chart: Data, board: Board) -> Iterator[Finding]:
    """Check that ground, rivers, railways, lines, fronts and edges are on the map."""
    yield from land.check_terrain(chart, board, "3.0-a")
    yield from land.check_rivers(chart, board, "7.0-river")
    yield from land.check_rails(chart, board, "6.0")
    yield from land.check_edges(chart, board, dict.fromkeys(SIDES, "6.0"))
    railways = {label for line in chart["railroads"].values() for label in line["path"]}
    lists: list[tuple[tuple[str, ...], list[str]]] = []
    lines = chart["fortifications"]
    lists += [(("map", "fortifications", name, "hexes"), line["hexes"]) for name, line in lines.items()]
    lists += [(("map", table, side), chart[table][side]) for table in ("fortified", "exits") for side in SIDES]
    lists += [(("map", table), list(chart[table])) for table in ("cities", "towns")]
    for path, labels in lists:
        yield from land.check_listed(labels, board, "3.0-a", path)
    for side in SIDES:
        for number, label in enumerate(chart["exits"][side]):
            if label in board.index and label not in railways:
                yield Finding(ERROR, "6.0", f"no railway leads off at {label}", ("map", "exits", side, number))
        for number, label in enumerate(chart["fortified"][side]):
            if label not in chart["cities"]:
                text = f"{label} is fortified and no city"
                yield Finding(ERROR, "7.0-fortified", text, ("map", "fortified", side, number))
    for name, line in chart["fronts"].items():
        yield from land.check_line(line, board, "12.0", f"the front {name}", ("map", "fronts", name))[0]


def _check_turns(head: Data) -> Iterator[Finding]:
    """3.0: require six game turns."""
    turns = head["turns"]
    if turns != [str(number) for number in range(1, len(turns) + 1)]:
        yield Finding(ERROR, "3.0", "turns are counted from 1 without a gap", ("scenario", "turns"))
    elif len(turns) != TURNS:
        yield Finding(
            WARNING, "3.0", f"{plural(len(turns), 'turn')}; by the rules a game has {TURNS}", ("scenario", "turns")
        )


def _check_head(data: Data, board: Board) -> Iterator[Finding]:
    """12.0, 14.0: check that the lines, cities and edges of a scenario are on the map."""
    head, chart = data["scenario"], data["map"]
    for number, name in enumerate(head["lines"]):
        if name not in chart["fortifications"]:
            yield Finding(ERROR, "7.0-fortified", f"there is no line {name}", ("scenario", "lines", number))
    if head["front"] not in chart["fronts"]:
        yield Finding(ERROR, "12.0", f"there is no front {head['front']}", ("scenario", "front"))
    for label in head["cities"]:
        if label not in chart["cities"]:
            yield Finding(ERROR, "14.0-cities", f"{label} is no city", ("scenario", "cities", label))
    for side in SIDES:
        for table in ("man", "entry"):
            yield from land.check_listed(head[table][side], board, "3.0-a", ("scenario", table, side))
    order = head["deployment"]
    if order and order != [side for side in SIDES if side != head["first"]] + [head["first"]]:
        text = "the side that moves first must set up second"
        yield Finding(ERROR, "12.0", text, ("scenario", "deployment"))


def _check_counters(data: Data) -> Iterator[Finding]:
    """4.0-f, 7.0-d to 7.0-f, 10.0-b: check counters against the rules."""
    for uid, unit in data["units"]["units"].items():
        path = ("units", "units", uid)
        if unit["type"] not in TYPES[unit["side"]]:
            yield Finding(ERROR, "4.0-f", f"the {unit['side']} side has no {unit['type']}", (*path, "type"))
        limited = unit.get("limited", "")
        if limited == ATTACK_ONLY and unit["defence"] != "0":
            yield Finding(ERROR, "7.0-e", f"{uid} only attacks and has a defence", (*path, "defence"))
        if limited == DEFENCE_ONLY and unit["attack"] != "0":
            yield Finding(ERROR, "7.0-d", f"{uid} only defends and has an attack", (*path, "attack"))
        if (unit["type"] == KAMPFGRUPPE) != ("replaces" in unit):
            yield Finding(
                ERROR, "10.0-b", f"{uid}: only a Kampfgruppe replaces divisions, and needs a list of them", path
            )
        if (unit["type"] == "air") != ("range" in unit):
            yield Finding(ERROR, "9.0", f"{uid}: only an air unit has a range, and needs one", path)
        if unit["type"] == "air" and not (unit["attack"] == unit["defence"] == "0"):
            yield Finding(ERROR, "9.0", f"{uid}: an air unit has no strength on the ground", path)


def _check_start(data: Data, board: Board) -> Iterator[Finding]:
    """5.0, 12.0, 13.0: check that every unit is in one list, and that the stacks are legal."""
    head, units = data["scenario"], data["units"]["units"]
    places: list[tuple[Path, str]] = [(("scenario", "start", uid), uid) for uid in head["start"]]
    places += [
        (("scenario", "arrivals", turn, number), uid)
        for turn, who in head["arrivals"].items()
        for number, uid in enumerate(who)
    ]
    places += [(("scenario", "reserve", number), uid) for number, uid in enumerate(head["reserve"])]
    seen: set[str] = set()
    for path, uid in places:
        if uid not in units:
            yield Finding(ERROR, "12.0", f"there is no unit {uid}", path)
        elif uid in seen:
            yield Finding(ERROR, "12.0", f"{uid} stands in two lists", path)
        elif (units[uid]["type"] == KAMPFGRUPPE) != (path[1] == "reserve"):
            yield Finding(
                ERROR, "10.0-b", f"{uid}: the reserve contains only Kampfgruppen, and every Kampfgruppe", path
            )
        seen.add(uid)
    if {units[uid]["side"] for uid in head["start"] if uid in units} != {*SIDES}:
        yield Finding(ERROR, "12.0", "one side has no units", ("scenario", "start"))
    stacks: dict[str, list[str]] = {}
    for uid, label in head["start"].items():
        if label not in board.index:
            yield Finding(ERROR, "12.0", f"{label} is no playable hex", ("scenario", "start", uid))
        elif uid in units:
            stacks.setdefault(label, []).append(uid)
            yield from _check_room(units, stacks[label], label, uid)


def _check_room(units: Data, stack: list[str], label: str, uid: str) -> Iterator[Finding]:
    """5.0-a: check a hex after adding one unit."""
    path = ("scenario", "start", uid)
    if len({units[other]["side"] for other in stack}) > 1:
        yield Finding(ERROR, "3.0-g", f"{label} holds units of both sides", path)
    elif len(stack) > 4 or sum(units[other]["size"] in LARGE for other in stack) > 3:
        yield Finding(ERROR, "5.0-a", f"{uid} is one unit too many in {label}", path)


def _check_tables(tables: Data) -> Iterator[Finding]:
    """8.0, 9.0-d4: check that tables are as wide as their columns, and that results rise with odds and die."""
    dice = [die_row(die) for die in range(LOWEST_DIE, HIGHEST_DIE + 1)]
    for name, rows, ranks, rule in (("crt", dice, RESULTS, "8.0"), ("air", dice[2:], ("NE", "D"), "9.0-d4")):
        table = tables[name]
        for die in rows:
            path, row = ("tables", name, "rows", die), table["rows"].get(die)
            if row is None or len(row) != len(table["columns"]):
                yield Finding(ERROR, rule, f"row {die} does not have {len(table['columns'])} results", path)
            elif unknown := [result for result in row if result not in ranks]:
                yield Finding(ERROR, rule, f"{unknown[0]} is no result of this table", path)
            elif [ranks.index(result) for result in row] != sorted(ranks.index(result) for result in row):
                yield Finding(WARNING, rule, f"row {die} does not rise with the odds", path)
