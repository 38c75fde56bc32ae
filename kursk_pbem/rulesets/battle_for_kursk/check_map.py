"""Checks the map of a scenario: hexes exist, hexsides join neighbours, the Start Line cuts the land in two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from kursk_pbem.kernel.hexes.board import Board, Mask, bits
from kursk_pbem.kernel.review import ERROR, WARNING, Finding
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN, SIDES, TURN_ORDER, halves

Chart = Mapping[str, Any]
Path = tuple[str | int, ...]


def grid(chart: Chart) -> Iterator[Finding]:
    """3.1: columns and rows from the lower to the higher."""
    for key in ("columns", "rows"):
        first, _, last = chart["grid"][key].partition("-")
        if int(first) > int(last):
            text = f"{key} {chart['grid'][key]}: the lower number comes first"
            yield Finding(ERROR, "3.1", text, ("map", "grid", key))


def start_line(chart: Chart, board: Board) -> tuple[list[Finding], Mapping[str, Mask]]:
    """8.1: findings about the Start Line, and the hexes of each side; none while the line does not cut the land."""
    found: list[Finding] = []
    cut: set[tuple[int, int]] = set()
    for number, text in enumerate(chart["start-line"]):
        wrong = list(_hexside(text, board, "8.1", ("map", "start-line", number)))
        found += wrong
        if not wrong:
            one, other = text.split("-")
            cut.add((board.index[one], board.index[other]))
    if found:
        return found, {}
    own = halves(cut, board)
    both, neither = own[GERMAN] & own[RUSSIAN], board.all & ~(own[GERMAN] | own[RUSSIAN])
    for hexes, what in ((both, "on both sides of the Start Line"), (neither, "on no side of the Start Line")):
        if hexes:
            spot = board.labels[next(bits(hexes))]
            text = f"{hexes.bit_count()} hexes lie {what}, {spot} among them: it does not cut the land in two"
            found.append(Finding(ERROR, "8.1", text, ("map", "start-line")))
    return found, {} if found else own


def check(chart: Chart, board: Board, own: Mapping[str, Mask]) -> Iterator[Finding]:
    """Everything about the map but its Start Line; ``own``: side -> hexes, empty where the line is no good."""
    yield from _terrain(chart, board)
    yield from _cities(chart, board, own)
    yield from _rivers(chart, board)
    yield from _railroads(chart, board)
    yield from _fortifications(chart, board)
    yield from _edges(chart, board)
    yield from _objectives(chart, board, own)


def _known(chart: Chart, board: Board, label: str) -> bool:
    """Whether a hex is part of the map, playable or sea."""
    return board.grid.place(label) is not None and label not in chart["absent"]


def _terrain(chart: Chart, board: Board) -> Iterator[Finding]:
    for number, label in enumerate(chart["absent"]):
        if board.grid.place(label) is None:
            text = f"{label} is called absent and lies outside the grid anyway"
            yield Finding(WARNING, "3.1", text, ("map", "absent", number))
    listed: dict[str, str] = {}
    for kind, labels in chart["terrain"].items():
        for number, label in enumerate(labels) if isinstance(labels, list) else ():
            path = ("map", "terrain", kind, number)
            if not _known(chart, board, label):
                yield Finding(ERROR, "3.1", f"{label} is no hex of the map", path)
            elif label in listed:
                yield Finding(ERROR, "3.1", f"{label} is {kind}, and {listed[label]} too; a hex has one terrain", path)
            listed.setdefault(label, kind)


def _cities(chart: Chart, board: Board, own: Mapping[str, Mask]) -> Iterator[Finding]:
    for label, city in chart["cities"].items():
        path = ("map", "cities", label)
        if label not in board.index:
            yield Finding(ERROR, "10.0", f"{city['name']} lies in {label}, which is no playable hex", path)
        elif own and not own[city["side"]] >> board.index[label] & 1:
            text = f"{city['name']} in {label} is called {city['side']} and lies on the other side of the Start Line"
            yield Finding(WARNING, "10.0-friendly-controlled", text, (*path, "side"))
    for key, rule in (("moscow", "5.0-moscow"), ("kiev", "12.1-flip")):
        if chart[key] not in board.index:
            yield Finding(ERROR, rule, f"{key} is {chart[key]}, which is no playable hex", ("map", key))
        elif chart[key] not in chart["cities"]:
            yield Finding(WARNING, rule, f"{key} is {chart[key]}, where no city lies", ("map", key))


def _hexside(text: str, board: Board, rule: str, path: Path) -> Iterator[Finding]:
    """Both hexes are playable, and neighbours."""
    one, other = text.split("-")
    missing = [label for label in (one, other) if label not in board.index]
    if missing:
        yield Finding(ERROR, rule, f"{text}: {missing[0]} is no playable hex", path)
    elif board.index[other] not in board.neighbours[board.index[one]]:
        yield Finding(ERROR, rule, f"{text}: the hexes are not adjacent", path)


def _rivers(chart: Chart, board: Board) -> Iterator[Finding]:
    seen: dict[frozenset[str], tuple[str, str]] = {}
    for rid, river in chart["rivers"].items():
        for number, text in enumerate(river["hexsides"]):
            path = ("map", "rivers", rid, "hexsides", number)
            one, other = text.split("-")
            outside = [label for label in (one, other) if not _known(chart, board, label)]
            if outside:
                yield Finding(ERROR, "9.2-river", f"{text}: {outside[0]} is no hex of the map", path)
            elif one not in board.index or other not in board.index:
                why = f"{text}: one of the hexes is not playable, so nothing crosses there"
                yield Finding(WARNING, "9.2-river", why, path)
            else:
                yield from _hexside(text, board, "9.2-river", path)
            first, kind = seen.setdefault(frozenset((one, other)), (rid, river["kind"]))
            if first != rid and kind != river["kind"]:
                wording = f"{text}: the {kind} {first} flows there too; the wider of them counts"
                yield Finding(WARNING, "9.2-river", wording, path)
            elif first == rid and f"{other}-{one}" in river["hexsides"][:number]:
                yield Finding(WARNING, "9.2-river", f"{text}: written twice, the second time mirrored", path)


def _railroads(chart: Chart, board: Board) -> Iterator[Finding]:
    lines = chart["railroads"]
    for rid, line in lines.items():
        path, labels = ("map", "railroads", rid, "path"), line["path"]
        for number, (one, other) in enumerate(pairwise(labels), 1):
            yield from _hexside(f"{one}-{other}", board, "8.1", (*path, number))
        for number in (0, len(labels) - 1):
            end = labels[number]
            elsewhere = any(end in other["path"] for key, other in lines.items() if key != rid)
            if end in board.index and end not in chart["cities"] and not elsewhere and not _rim(chart, board, end):
                text = f"{line['name']} ends in {end}, at no city, no other railway and not at the edge of the map"
                yield Finding(WARNING, "8.1", text, (*path, number))


def _rim(chart: Chart, board: Board, label: str) -> bool:
    """Whether a hex has a side that faces no other hex of the map, sea included."""
    around = board.grid.neighbours(int(label[:2]), int(label[2:]))
    return sum(_known(chart, board, board.grid.label(*near)) for near in around if min(near) >= 0) < len(around)


def _fortifications(chart: Chart, board: Board) -> Iterator[Finding]:
    for fid, line in chart["fortifications"].items():
        path = ("map", "fortifications", fid)
        if line["active-from"] not in TURN_ORDER:
            text = f"there is no turn {line['active-from']}; the track has {', '.join(TURN_ORDER)}"
            yield Finding(ERROR, "4.0-fortifications", text, (*path, "active-from"))
        for number, label in enumerate(line["hexes"]):
            if label not in board.index:
                yield Finding(ERROR, "9.2", f"{line['name']}: {label} is no playable hex", (*path, "hexes", number))


def _edges(chart: Chart, board: Board) -> Iterator[Finding]:
    rules = {GERMAN: "10.3", RUSSIAN: "10.2"}
    for side in SIDES:
        for number, label in enumerate(chart["edges"][side]):
            path = ("map", "edges", side, number)
            if label not in board.index:
                yield Finding(ERROR, rules[side], f"{label} is no playable hex", path)
            elif not _rim(chart, board, label):
                yield Finding(ERROR, rules[side], f"{label} does not lie at the edge of the map", path)
            elif side == RUSSIAN and label in chart["edges"][GERMAN]:
                yield Finding(ERROR, rules[side], f"{label} is an edge hex of both sides", path)


def _objectives(chart: Chart, board: Board, own: Mapping[str, Mask]) -> Iterator[Finding]:
    for number, label in enumerate(chart["objectives"][RUSSIAN]):
        path = ("map", "objectives", RUSSIAN, number)
        if label not in board.index:
            yield Finding(ERROR, "12.1-russian", f"{label} is no playable hex", path)
        elif label not in chart["cities"]:
            yield Finding(WARNING, "12.1-russian", f"{label} is no city", path)
        elif own and own[RUSSIAN] >> board.index[label] & 1:
            text = f"{label} {chart['cities'][label]['name']} lies on the Russian side of the Start Line"
            yield Finding(WARNING, "12.1-russian", text, path)
