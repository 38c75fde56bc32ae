"""Checks of a scenario's data (2.1 to 2.4, 8.1 to 8.3), after the checks of the schema.

Errors: the game cannot be played. Warnings: the data differ from the printed table, or will surprise players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.review import ERROR, WARNING, Finding, check_limit
from kursk_pbem.kernel.ruleset import PLAYERS
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.rulesets.armor_commander import setup
from kursk_pbem.rulesets.armor_commander.setting import (
    GUN,
    RADIUS,
    SIDES,
    TANK,
    make_setting,
    parse_inches,
    parse_outline,
)

PRINTED = {
    "tank-ap": {"close": 1200, "effective": 2400, "long": 3600},
    "tank-he": {"effective": 1200, "long": 2400, "blast": 200},
    "gun": {"close": 1200, "effective": 3600, "long": 4800},
}
"""The printed table, in hundredths of an inch."""
PARAGRAPHS = {"tank-ap": "8.1", "tank-he": "8.2", "gun": "8.3"}
MOVE = 600
CORNERS, MODELS = 240, 24
"""Limits of a scenario: corners of all terrain, models of a side.

Slow checks test each pair of models at each corner.
"""
FARTHEST, RANGE, BLAST, TABLE = 2400, 20_000, 800, 30_000
"""Limits in hundredths of an inch: move, range, blast, side of the table. Each is four times a usual value."""


def check_scenario(data: Mapping[str, Any]) -> list[Finding]:
    """Return the errors and warnings about a scenario's data. If data exceed a limit, return only these errors."""
    if slips := list(_check_limits(data)):
        return slips
    slips = [*_check_ground(data), *_check_zones(data), *_check_units(data["units"]["units"])]
    slips += [*_check_turns(data["scenario"]), *_check_tables(data["tables"])]
    if not any(finding.severity == ERROR for finding in slips):
        slips += _check_deployment(data)
    return slips


def _check_limits(data: Mapping[str, Any]) -> Iterator[Finding]:
    """T27: check the sizes that determine the cost of a question. The schema limits the lengths of lists."""
    ground, units, tables = data["map"]["ground"], data["units"]["units"], data["tables"]
    corners = sum(len(area["outline"]) for area in ground.values())
    yield from check_limit("corners of all ground together", corners, CORNERS, ("map", "ground"))
    for side in SIDES:
        models = sum(len(unit["models"]) for unit in units.values() if unit["side"] == side)
        yield from check_limit(f"{side} models", models, MODELS, ("units", "units"))
    for length in plane.point(data["map"]["size"]):
        yield from check_limit("inches of a side of the table", length, TABLE, ("map", "size"), plane.inches)
    for kind, value in _drop_provenance(tables["move"]).items():
        place = ("tables", "move", kind)
        yield from check_limit(f"inches that a {kind} moves", parse_inches(value), FARTHEST, place, plane.inches)
    for name, row in _drop_provenance(tables["weapons"]).items():
        for key, value in row.items():
            most = BLAST if key == "blast" else RANGE
            path = ("tables", "weapons", name, key)
            yield from check_limit(f"inches of {key} of {name}", parse_inches(value), most, path, plane.inches)


def _drop_provenance(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of the data without its provenance."""
    return {key: value for key, value in sorted(table.items()) if key != "provenance"}


def _check_ground(data: Mapping[str, Any]) -> Iterator[Finding]:
    """2.1, 2.3: check that outlines are simple, on the table and of a known terrain."""
    kinds = _drop_provenance(data["tables"]["terrain"])
    for gid, entry in sorted(data["map"]["ground"].items()):
        path = ("map", "ground", gid)
        if entry["kind"] not in kinds:
            text = f"terrain {entry['kind']} is unknown; write {' or '.join(kinds)}"
            yield Finding(ERROR, "2.3", text, (*path, "kind"))
        yield from _check_outline(data, gid, entry["outline"], (*path, "outline"))
    for kind, entry in kinds.items():
        if (entry["blocks"], entry["cover"]) == ("yes", "yes"):
            text = f"{kind} blocks sight and is cover: a gun there neither sees nor is seen (A-16, A-28)"
            yield Finding(WARNING, "5.2", text, ("tables", "terrain", kind))


def _check_outline(data: Mapping[str, Any], name: str, outline: list[str], path: tuple[str, ...]) -> Iterator[Finding]:
    """2.1: check that an outline does not cross itself and is on the table."""
    shape, size = parse_outline(outline), plane.point(data["map"]["size"])
    if fault := shape.fault():
        yield Finding(ERROR, "2.1", f"the outline of {name} {fault}", path)
    for number, (x, y) in enumerate(shape.outline):
        if x > size[0] or y > size[1]:
            yield Finding(ERROR, "2.1", f"{name} has a corner at {outline[number]}, off the table", (*path, number))


def _check_zones(data: Mapping[str, Any]) -> Iterator[Finding]:
    """2.2, A-45: check that zones are outlines, with a gap that keeps the bases of both sides apart; and objectives."""
    zones, size = data["scenario"]["zones"], plane.point(data["map"]["size"])
    for side in SIDES:
        yield from _check_outline(data, f"the {side} zone", zones[side], ("scenario", "zones", side))
    shapes = [parse_outline(zones[side]) for side in SIDES]
    entries = data["units"]["units"].values()
    widest = 2 * max([RADIUS, *(parse_inches(entry["radius"]) for entry in entries if "radius" in entry)])
    if not any(shape.fault() for shape in shapes) and not shapes[0].apart(shapes[1], widest):
        text = f"the deployment zones must be more than {plane.inches(widest)} inches apart"
        yield Finding(ERROR, "2.2", text, ("scenario", "zones"))
    for oid, entry in sorted(data["scenario"].get("objectives", {}).items()):
        x, y = plane.point(entry["at"])
        if x > size[0] or y > size[1]:
            yield Finding(ERROR, "9.2", f"{oid} lies off the table", ("scenario", "objectives", oid, "at"))


def _check_units(units: Mapping[str, Any]) -> Iterator[Finding]:
    """4.2, A-3: check for one tank unit per side, one model per gun, and unique names."""
    path = ("units", "units")
    names = Counter(mid for entry in units.values() for mid in entry["models"])
    for uid, entry in sorted(units.items()):
        if entry["type"] == GUN and list(entry["models"]) != [uid]:
            text = f"{uid} is a gun: name a single model after the gun"
            yield Finding(ERROR, "4.2", text, (*path, uid, "models"))
        for mid in entry["models"]:
            if names[mid] > 1 or (mid in units and (mid != uid or entry["type"] == TANK)):
                yield Finding(ERROR, "4.2", f"{mid} is the name of two things", (*path, uid, "models", mid))
    for side in SIDES:
        tanks = [uid for uid, entry in sorted(units.items()) if (entry["side"], entry["type"]) == (side, TANK)]
        if len(tanks) > 1:
            text = f"a side has a single unit of tanks; {side} has {', '.join(tanks)}"
            yield Finding(ERROR, "4.2", text, (*path, tanks[1]))
        if not any(entry["side"] == side for entry in units.values()):
            yield Finding(ERROR, "9.1", f"the {side} side has no units", path)


def _check_turns(head: Mapping[str, Any]) -> Iterator[Finding]:
    """2.4: check that the names of the turns differ."""
    if len(set(head["turns"])) < len(head["turns"]):
        yield Finding(ERROR, "2.4", "two turns have the same name", ("scenario", "turns"))


def _check_tables(tables: Mapping[str, Any]) -> Iterator[Finding]:
    """8.1 to 8.3: check that the range bands grow; warn if they differ from the printed table."""
    for name, printed in PRINTED.items():
        row = {key: parse_inches(value) for key, value in tables["weapons"][name].items()}
        path = ("tables", "weapons", name)
        bands = [row[band] for band in ("close", "effective", "long") if band in row]
        if bands != sorted(set(bands)):
            yield Finding(ERROR, PARAGRAPHS[name], f"the bands of {name} do not grow", path)
        if row.get("blast", 0) % 2:
            text = f"half of the blast of {name} is no whole hundredth of an inch"
            yield Finding(ERROR, PARAGRAPHS[name], text, path)
        if row != printed:
            said = ", ".join(f"{key} {plane.inches(value)}" for key, value in printed.items())
            yield Finding(WARNING, PARAGRAPHS[name], f"the printed table has {said}", path)
    for kind, value in _drop_provenance(tables["move"]).items():
        if parse_inches(value) != MOVE:
            text = f"the printed table has {plane.inches(MOVE)} for a {kind}"
            yield Finding(WARNING, "4.3", text, ("tables", "move", kind))


def _check_deployment(data: Mapping[str, Any]) -> Iterator[Finding]:
    """2.2, 2.3: check that the scenario's own deployment is legal."""
    head = data["scenario"]
    setting = make_setting(Scenario(head["id"], head["title"], head["ruleset"], data, "", ()), {}, PLAYERS)
    for side in SIDES:
        for slip in setup.read_deployment(setting, side, [])[1]:
            yield Finding(ERROR, slip.rule, slip.why, ("units", "units"))
