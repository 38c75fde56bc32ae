"""Checks of a scenario's data: set-up and order of battle here, map and tables in separate modules.

An error makes the scenario unplayable or breaks a rule. A warning shows a difference from the rules or examples, so
that owners of the printed parts can compare. A schema has already checked the form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.hexes import land
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.review import ERROR, WARNING, Finding
from kursk_pbem.rulesets.battle_for_kursk import check_map, check_tables
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN, INFANTRY_TYPES, RUSSIAN, SIDES, TURN_ORDER

HEXES, REACH = 3600, 18_000  # limits for the map and for a side's range: five and three times the game's values
UNITS = 101  # 114 pieces less 13 markers
REDUCED_INFANTRY = 4  # German infantry with the hex on the reverse
TYPES = {GERMAN: ("infantry", "panzer"), RUSSIAN: ("infantry", "shock", "tank", "guards")}


def check_scenario(data: Mapping[str, Any]) -> list[Finding]:
    """Return the errors and warnings about a scenario's data, after all its files are merged."""
    chart, tables = data["map"], data["tables"]
    large = [*land.check_size(chart, HEXES), *land.check_reach(data["units"]["units"], SIDES, REACH)]
    if slips := [*land.check_grid(chart, "3.1"), *large]:
        return slips  # places need a grid, and an oversized map gets no further checks
    board = land.board_of(chart)
    line, halves = land.check_line(chart["start-line"], board, "8.1", "the Start Line", ("map", "start-line"))
    own = dict(zip(SIDES, halves, strict=False))  # no hexes if the line does not cut the land
    return [
        *_check_turns(data["scenario"], tables),
        *_check_start(data["scenario"], data["units"]["units"], chart, board),
        *line,
        *check_map.check(chart, board, own),
        *_check_units(data["units"]["units"], board, own),
        *check_tables.check(tables),
    ]


def _check_turns(head: Mapping[str, Any], tables: Mapping[str, Any]) -> Iterator[Finding]:
    """4.0: check for the turns of the track, in order, each with a box."""
    turns = head["turns"]
    for number, turn in enumerate(turns):
        path = ("scenario", "turns", number)
        if turn not in TURN_ORDER:
            yield Finding(ERROR, "4.0-turns", f"turn {turn} is not on the track: {', '.join(TURN_ORDER)}", path)
        elif turn not in tables["turn-track"]:
            text = f"turn {turn} has no box on the turn track"
            yield Finding(ERROR, "4.0-turn-track", text, ("tables", "turn-track"))
    first = TURN_ORDER.index(turns[0]) if turns[0] in TURN_ORDER else 0
    if set(turns) <= set(TURN_ORDER) and list(TURN_ORDER[first : first + len(turns)]) != turns:
        text = f"the turns {', '.join(turns)} are not in the order of the track"
        yield Finding(ERROR, "4.0-turns", text, ("scenario", "turns"))
    if head["start"]["turn"] != turns[0]:
        text = f"play begins with turn {head['start']['turn']}, the first turn is {turns[0]}"
        yield Finding(ERROR, "6.0-4", text, ("scenario", "start", "turn"))


def _check_start(
    head: Mapping[str, Any], units: Mapping[str, Any], chart: Mapping[str, Any], board: Board
) -> Iterator[Finding]:
    """6.0, 12.1: check for an objective in a city, and for enough units for the steps of the short scenario."""
    label = head["start"]["objective"]["hex"]
    path = ("scenario", "start", "objective", "hex")
    if label not in board.index:
        yield Finding(ERROR, "12.1", f"the hex of the objective, {label}, is not playable", path)
    elif label not in chart["cities"]:
        yield Finding(WARNING, "12.1", f"the hex of the objective, {label}, is no city", path)
    steps = head["start"]["steps"][RUSSIAN]
    for kind, wanted in head.get("distribution", {}).items():
        able = sum(
            1
            for unit in units.values()
            if unit["side"] == RUSSIAN
            and (unit["type"] in INFANTRY_TYPES) == (kind == "infantry")
            and (unit["starts"] if steps == "printed" else steps) == "reduced"
        )
        if able < int(wanted):
            text = f"{wanted} {kind} steps must be distributed, but only {able} Russian units can take a step"
            yield Finding(WARNING, "6.0-short-scenario", text, ("scenario", "distribution", kind))


def _check_units(units: Mapping[str, Any], board: Board, own: Mapping[str, int]) -> Iterator[Finding]:
    """3.3, 6.0, 8.2.2: check the counters against the rules, and for one unit in every hex."""
    stands: dict[str, str] = {}
    for uid, unit in units.items():
        path = ("units", "units", uid)
        yield from _check_counter(uid, unit, path)
        label = unit["hex"]
        if label not in board.index:
            yield Finding(ERROR, "6.0", f"the hex of {uid}, {label}, is not playable", (*path, "hex"))
        elif label in stands:
            text = f"{uid} is set up in {label}, the hex of {stands[label]}"
            yield Finding(ERROR, "8.2.2", text, (*path, "hex"))
        elif own and own[ENEMY[unit["side"]]] >> board.index[label] & 1:
            text = f"{uid} is set up in {label}, on the {ENEMY[unit['side']]} side of the Start Line"
            yield Finding(WARNING, "6.0", text, (*path, "hex"))
        stands.setdefault(label, uid)
    if len(units) != UNITS:
        text = f"{len(units)} units; the game has {UNITS}: 114 pieces less 13 markers"
        yield Finding(WARNING, "3.0", text, ("units", "units"))
    reduced = [u for u in units.values() if (u["side"], u["type"], u["starts"]) == (GERMAN, "infantry", "reduced")]
    if len(reduced) != REDUCED_INFANTRY:
        text = f"{len(reduced)} German infantry units start reduced; in the rules {REDUCED_INFANTRY}"
        yield Finding(WARNING, "6.0-3", text, ("units", "units"))


def _check_counter(uid: str, unit: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Finding]:
    full, reduced = int(unit["full"]), int(unit["reduced"])
    if not reduced:
        yield Finding(ERROR, "3.3", f"{uid} has no strength on its reduced side", (*path, "reduced"))
    elif reduced != full // 2:
        text = f"{uid} has {full} and reduced {reduced}; half of {full}, rounded down, is {full // 2}"
        yield Finding(ERROR, "3.3", text, (*path, "reduced"))
    if unit["type"] not in TYPES[unit["side"]]:
        text = f"{uid} is {unit['type']}, no type of the {unit['side']} side"
        yield Finding(WARNING, "3.3-types", text, (*path, "type"))
    if unit["starts"] == "full" and (unit["side"] == RUSSIAN or unit["type"] == "panzer"):
        rule, whose = ("6.0-2", "Russian unit") if unit["side"] == RUSSIAN else ("6.0-3", "panzer")
        yield Finding(WARNING, rule, f"{uid} starts full; in the rules every {whose} starts reduced", (*path, "starts"))
