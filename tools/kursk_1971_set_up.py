"""Proposed set-ups for scenarios with free deployment: legal, with manned lines, and otherwise as in July."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.hexes import land
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.grid import Grid

SIDES = ("german", "soviet")
GATHERED = {"5G": "2020", "5GT": "2021", "27": "1820", "53": "1920", "3GT": "2106", "WesF": "1501"}
"""Hexes of later armies at the beginning of the August scenario: near the fronts of the armies."""
STACK, LARGE = 4, 3
ROUGH = ("forest", "swamp")


def make_board() -> Board:
    return Board(Grid(1, 34, 1, 32))


def split_map(chart: Mapping[str, Any], *, august: bool) -> dict[str, set[str]]:
    """Return the hexes on the two sides of a front."""
    there = make_board()
    line = chart["august_front"]["start_line"] if august else chart["start_line"]
    pairs = [(there.index[one], there.index[other]) for one, other in line]
    return {side: set(there.names(mask)) for side, mask in zip(SIDES, land.find_halves(pairs, there), strict=True)}


class Sheet:
    """A side's units on the map during the set-up."""

    def __init__(self, chart: Mapping[str, Any], units: Mapping[str, Any], allowed: set[str], line: list[str]) -> None:
        self.board, self.units, self.line, self.allowed = make_board(), units, line, sorted(allowed)
        self.rough = {label for label, each in chart["hexes"].items() if each["terrain"] in ROUGH}
        self.at: dict[str, str] = {}

    def is_large(self, uid: str) -> bool:
        return bool(self.units[uid]["size"] in ("division", "corps"))

    def has_zone(self, uid: str) -> bool:
        """Return whether a unit has a zone of control under either edition."""
        unit = self.units[uid]
        return self.is_large(uid) and not unit["limited"] and unit["type"] != "air"

    def list_units(self, label: str) -> list[str]:
        return [uid for uid, hex_ in self.at.items() if hex_ == label]

    def has_room(self, label: str, uid: str) -> bool:
        others = [each for each in self.list_units(label) if each != uid]
        return len(others) < STACK and sum(map(self.is_large, others)) + self.is_large(uid) <= LARGE

    def measure_distance(self, one: str, other: str) -> int:
        return self.board.distance(self.board.index[one], self.board.index[other])

    def find_nearest(self, uid: str, wanted: str) -> str:
        """Return the nearest allowed hex with room."""
        return min(
            (label for label in self.allowed if self.has_room(label, uid)),
            key=lambda label: (self.measure_distance(label, wanted), label),
        )

    def list_covered(self, label: str) -> set[str]:
        """Return the line hexes that a unit in a hex holds. Zones of control do not reach into woods and swamps."""
        around = [self.board.labels[hex_] for hex_ in self.board.neighbours[self.board.index[label]]]
        return {each for each in self.line if each == label or (each in around and each not in self.rough)}

    def can_spare(self, uid: str) -> bool:
        """Return whether a unit may leave its hex without isolating a limited unit."""
        others = [each for each in self.list_units(self.at[uid]) if each != uid]
        return any(map(self.has_zone, others)) or not any(self.units[each]["limited"] for each in others)

    def list_open(self, without: str = "") -> list[str]:
        """Return the unmanned hexes of the line."""
        held: set[str] = set()
        for uid, label in self.at.items():
            if uid != without:
                held |= self.list_covered(label) if self.has_zone(uid) else {label}
        return [label for label in self.line if label not in held]


def _man_line(sheet: Sheet, old: set[str], start: Mapping[str, str]) -> None:
    """Move the units of the old line to the nearest and least crowded hexes of the new line."""
    for uid, hex_ in sorted(start.items()):
        if hex_ in old and sheet.has_zone(uid) and sheet.line:
            spots = [label for label in sheet.line if sheet.has_room(label, uid)]
            sheet.at[uid] = min(
                spots, key=lambda label: (len(sheet.list_units(label)) + sheet.measure_distance(label, hex_), label)
            )


def _close_gaps(sheet: Sheet) -> None:
    """Fill the gaps of a line with the nearest spare units."""
    while gaps := sheet.list_open():
        gap = gaps[0]
        spots = [label for label in sheet.allowed if gap in sheet.list_covered(label)]
        spot = max(spots, key=lambda label: (len(sheet.list_covered(label) & set(gaps)), label))
        spare = sorted(sheet.at, key=lambda uid: (sheet.measure_distance(sheet.at[uid], spot), uid))
        uid = next(
            uid
            for uid in spare
            if sheet.has_zone(uid)
            and sheet.has_room(spot, uid)
            and sheet.can_spare(uid)
            and not set(sheet.list_open(uid)) - set(gaps)
        )
        sheet.at[uid] = spot


def propose_set_up(
    chart: Mapping[str, Any],
    oob: Mapping[str, Any],
    start: Mapping[str, str],
    lines: Mapping[str, list[str]],
    *,
    august: bool,
) -> dict[str, str]:
    """Propose a free set-up, a hex per unit. Every unit of ``start`` has a hex, every hex of ``lines`` is manned."""
    units = {each["id"]: each for each in [*oob["units"], *oob["reinforcements"]["units"]]}
    found: dict[str, str] = {}
    first = {"german": "german", "soviet": "soviet1"}
    for side, allowed in split_map(chart, august=august).items():
        sheet = Sheet(chart, units, allowed, lines[side])
        own = {uid: hex_ for uid, hex_ in start.items() if units[uid]["side"] == side}
        if august:
            old = next(set(each["hexes"]) for each in chart["fortifications"] if each["id"] == first[side])
            _man_line(sheet, old, own)
        for uid, hex_ in own.items():
            if uid not in sheet.at:
                sheet.at[uid] = sheet.find_nearest(uid, hex_)
        _add_partners(sheet)
        _close_gaps(sheet)
        assert all(sheet.has_room(hex_, uid) for uid, hex_ in sheet.at.items())
        found |= sheet.at
    return found


def _add_partners(sheet: Sheet) -> None:
    """Move every limited unit without a regular partner to a regular unit of its side."""
    for uid in sorted(sheet.at):
        if sheet.units[uid]["limited"] and not any(sheet.has_zone(each) for each in sheet.list_units(sheet.at[uid])):
            home = sheet.at.pop(uid)
            spots = {label for each, label in sheet.at.items() if sheet.has_zone(each) and sheet.has_room(label, uid)}
            sheet.at[uid] = min(spots, key=lambda label: (sheet.measure_distance(label, home), label))
