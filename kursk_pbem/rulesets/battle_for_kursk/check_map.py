"""Checks of a scenario's map: the general checks of hex maps, and this game's cities and objectives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kursk_pbem.kernel.hexes import land
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.hexes.land import Chart
from kursk_pbem.kernel.review import ERROR, WARNING, Finding
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN, TURN_ORDER


def check(chart: Chart, board: Board, own: Mapping[str, Mask]) -> Iterator[Finding]:
    """Yield errors and warnings about the map, except its Start Line. ``own``: each side's hexes, if known."""
    yield from land.check_terrain(chart, board, "3.1")
    yield from _check_cities(chart, board, own)
    yield from land.check_rivers(chart, board, "9.2-river")
    yield from land.check_rails(chart, board, "8.1")
    yield from _check_fortifications(chart, board)
    yield from land.check_edges(chart, board, {GERMAN: "10.3", RUSSIAN: "10.2"})
    yield from _check_objectives(chart, board, own)


def _check_cities(chart: Chart, board: Board, own: Mapping[str, Mask]) -> Iterator[Finding]:
    yield from land.check_cities(chart, board, own, "the Start Line", ("10.0", "10.0-friendly-controlled"))
    for key, rule in (("moscow", "5.0-moscow"), ("kiev", "12.1-flip")):
        if chart[key] not in board.index:
            yield Finding(ERROR, rule, f"{key} is {chart[key]}, not a playable hex", ("map", key))
        elif chart[key] not in chart["cities"]:
            yield Finding(WARNING, rule, f"{key} is {chart[key]}, a hex without a city", ("map", key))


def _check_fortifications(chart: Chart, board: Board) -> Iterator[Finding]:
    for fid, line in chart["fortifications"].items():
        path = ("map", "fortifications", fid)
        if line["active-from"] not in TURN_ORDER:
            text = f"turn {line['active-from']} is not on the track: {', '.join(TURN_ORDER)}"
            yield Finding(ERROR, "4.0-fortifications", text, (*path, "active-from"))
        for number, label in enumerate(line["hexes"]):
            if label not in board.index:
                yield Finding(ERROR, "9.2", f"{line['name']}: {label} is no playable hex", (*path, "hexes", number))


def _check_objectives(chart: Chart, board: Board, own: Mapping[str, Mask]) -> Iterator[Finding]:
    for number, label in enumerate(chart["objectives"][RUSSIAN]):
        path = ("map", "objectives", RUSSIAN, number)
        if label not in board.index:
            yield Finding(ERROR, "12.1-russian", f"{label} is no playable hex", path)
        elif label not in chart["cities"]:
            yield Finding(WARNING, "12.1-russian", f"{label} is no city", path)
        elif own and own[RUSSIAN] >> board.index[label] & 1:
            text = f"{label} {chart['cities'][label]['name']} lies on the Russian side of the Start Line"
            yield Finding(WARNING, "12.1-russian", text, path)
