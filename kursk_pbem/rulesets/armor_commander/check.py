"""Checks the data of a scenario (2.1 to 2.4, 8.1 to 8.3); the form has been checked by the schema.

Errors are what cannot be played; warnings are what the printed table says otherwise, or what will surprise players.
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
from kursk_pbem.rulesets.armor_commander.setting import GUN, RADIUS, SIDES, TANK, hundredths, make, polygon

PRINTED = {
    "tank-ap": {"close": 1200, "effective": 2400, "long": 3600},
    "tank-he": {"effective": 1200, "long": 2400, "blast": 200},
    "gun": {"close": 1200, "effective": 3600, "long": 4800},
}
"""The table of the rules, in hundredths of an inch."""
PARAGRAPHS = {"tank-ap": "8.1", "tank-he": "8.2", "gun": "8.3"}
MOVE = 600
CORNERS, MODELS = 240, 24
"""Corners of all terrain, models of a side: the dearest questions ask for each pair of models about each corner."""
FARTHEST, RANGE, BLAST, TABLE = 2400, 20_000, 800, 30_000
"""Hundredths of an inch that a model may move, a weapon reach, a blast be wide, the table be long: four times usual."""


def check(data: Mapping[str, Any]) -> list[Finding]:
    """Everything that is wrong or doubtful about the merged data of a scenario; of what is too large only that."""
    if slips := list(_limits(data)):
        return slips
    slips = [*_ground(data), *_zones(data), *_units(data["units"]["units"])]
    slips += [*_turns(data["scenario"]), *_tables(data["tables"])]
    if not any(finding.severity == ERROR for finding in slips):
        slips += _deployed(data)
    return slips


def _limits(data: Mapping[str, Any]) -> Iterator[Finding]:
    """T27: what bounds the cost of every question about the table; the schema bounds the length of each list."""
    ground, units, tables = data["map"]["ground"], data["units"]["units"], data["tables"]
    corners = sum(len(area["outline"]) for area in ground.values())
    yield from check_limit("corners of all ground together", corners, CORNERS, ("map", "ground"))
    for side in SIDES:
        models = sum(len(unit["models"]) for unit in units.values() if unit["side"] == side)
        yield from check_limit(f"{side} models", models, MODELS, ("units", "units"))
    for length in plane.point(data["map"]["size"]):
        yield from check_limit("inches of a side of the table", length, TABLE, ("map", "size"), plane.inches)
    for kind, value in _entries(tables["move"]).items():
        place = ("tables", "move", kind)
        yield from check_limit(f"inches that a {kind} moves", hundredths(value), FARTHEST, place, plane.inches)
    for name, row in _entries(tables["weapons"]).items():
        for key, value in row.items():
            most = BLAST if key == "blast" else RANGE
            path = ("tables", "weapons", name, key)
            yield from check_limit(f"inches of {key} of {name}", hundredths(value), most, path, plane.inches)


def _entries(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table of the data without what is said of its origin."""
    return {key: value for key, value in sorted(table.items()) if key != "provenance"}


def _ground(data: Mapping[str, Any]) -> Iterator[Finding]:
    """2.1, 2.3: outlines that are outlines, on the table, of a kind that there is."""
    kinds = _entries(data["tables"]["terrain"])
    for gid, entry in sorted(data["map"]["ground"].items()):
        path = ("map", "ground", gid)
        if entry["kind"] not in kinds:
            text = f"there is no terrain {entry['kind']}; there is {', '.join(kinds)}"
            yield Finding(ERROR, "2.3", text, (*path, "kind"))
        yield from _outline(data, gid, entry["outline"], (*path, "outline"))
    for kind, entry in kinds.items():
        if (entry["blocks"], entry["cover"]) == ("yes", "yes"):
            text = f"{kind} blocks sight and is cover: a gun in it sees nobody and is seen by nobody (A-16, A-28)"
            yield Finding(WARNING, "5.2", text, ("tables", "terrain", kind))


def _outline(data: Mapping[str, Any], name: str, outline: list[str], path: tuple[str, ...]) -> Iterator[Finding]:
    """2.1: an outline meets itself nowhere and lies on the table."""
    shape, size = polygon(outline), plane.point(data["map"]["size"])
    if fault := shape.fault():
        yield Finding(ERROR, "2.1", f"the outline of {name} {fault}", path)
    for number, (x, y) in enumerate(shape.outline):
        if x > size[0] or y > size[1]:
            yield Finding(ERROR, "2.1", f"{name} has a corner at {outline[number]}, off the table", (*path, number))


def _zones(data: Mapping[str, Any]) -> Iterator[Finding]:
    """2.2, A-45: zones are outlines, so far apart that no bases of the two sides touch; objectives lie on the table."""
    zones, size = data["scenario"]["zones"], plane.point(data["map"]["size"])
    for side in SIDES:
        yield from _outline(data, f"the {side} zone", zones[side], ("scenario", "zones", side))
    shapes = [polygon(zones[side]) for side in SIDES]
    entries = data["units"]["units"].values()
    widest = 2 * max([RADIUS, *(hundredths(entry["radius"]) for entry in entries if "radius" in entry)])
    if not any(shape.fault() for shape in shapes) and not shapes[0].apart(shapes[1], widest):
        text = f"the deployment zones must be more than {plane.inches(widest)} inches apart"
        yield Finding(ERROR, "2.2", text, ("scenario", "zones"))
    for oid, entry in sorted(data["scenario"].get("objectives", {}).items()):
        x, y = plane.point(entry["at"])
        if x > size[0] or y > size[1]:
            yield Finding(ERROR, "9.2", f"{oid} lies off the table", ("scenario", "objectives", oid, "at"))


def _units(units: Mapping[str, Any]) -> Iterator[Finding]:
    """4.2, A-3: one unit of tanks at most for each side, one model for each gun, every name once."""
    path = ("units", "units")
    names = Counter(mid for entry in units.values() for mid in entry["models"])
    for uid, entry in sorted(units.items()):
        if entry["type"] == GUN and list(entry["models"]) != [uid]:
            text = f"{uid} is a gun: it has one model, and that has the same name"
            yield Finding(ERROR, "4.2", text, (*path, uid, "models"))
        for mid in entry["models"]:
            if names[mid] > 1 or (mid in units and (mid != uid or entry["type"] == TANK)):
                yield Finding(ERROR, "4.2", f"{mid} is the name of two things", (*path, uid, "models", mid))
    for side in SIDES:
        tanks = [uid for uid, entry in sorted(units.items()) if (entry["side"], entry["type"]) == (side, TANK)]
        if len(tanks) > 1:
            text = f"all tanks of a side are one unit; {side} has {', '.join(tanks)}"
            yield Finding(ERROR, "4.2", text, (*path, tanks[1]))
        if not any(entry["side"] == side for entry in units.values()):
            yield Finding(ERROR, "9.1", f"the {side} side has no units", path)


def _turns(head: Mapping[str, Any]) -> Iterator[Finding]:
    """2.4: turns have names of their own."""
    if len(set(head["turns"])) < len(head["turns"]):
        yield Finding(ERROR, "2.4", "two turns have the same name", ("scenario", "turns"))


def _tables(tables: Mapping[str, Any]) -> Iterator[Finding]:
    """8.1 to 8.3: bands that grow; a warning where they are not those of the printed table."""
    for name, printed in PRINTED.items():
        row = {key: hundredths(value) for key, value in tables["weapons"][name].items()}
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
    for kind, value in _entries(tables["move"]).items():
        if hundredths(value) != MOVE:
            text = f"the printed table has {plane.inches(MOVE)} for a {kind}"
            yield Finding(WARNING, "4.3", text, ("tables", "move", kind))


def _deployed(data: Mapping[str, Any]) -> Iterator[Finding]:
    """2.2, 2.3: where the scenario puts everybody is legal."""
    head = data["scenario"]
    setting = make(Scenario(head["id"], head["title"], head["ruleset"], data, "", ()), {}, PLAYERS)
    for side in SIDES:
        for slip in setup.stands(setting, side, [])[1]:
            yield Finding(ERROR, slip.rule, slip.why, ("units", "units"))
