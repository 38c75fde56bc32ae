"""The printed map for rules, from the plain data of a scenario, and checks of the data.

A chart has ``grid`` {columns: '06-30', rows: '00-26', high-columns: odd}, with ``west-rows`` for pointy tops, and
letters for numbers like the labels; ``absent``, a list; ``default-terrain``; ``terrain``, kind -> hexes; ``rivers``, id
-> {kind, hexsides}; ``railroads``, id -> {name, path}; ``edges``, side -> hexes; ``cities``, hex -> {name}. A hexside
is '1112-1212'. For bad data, tables raise ValueError or KeyError, and checks explain the problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.review import ERROR, WARNING, Finding, Path, check_limit

Chart = Mapping[str, Any]
Pair = tuple[int, int]


def _read_span(span: str) -> tuple[int, int]:
    first, last = (int(end) if end.isdigit() else ord(end) - 64 for end in span.split("-"))
    return first, last


def grid_of(chart: Chart) -> Grid:
    """Return the grid of a scenario's map."""
    entry = chart["grid"]
    letters = next((key for key in ("rows", "columns") if not entry[key][0].isdigit()), "")
    pointy = "west-rows" in entry
    odd = entry["west-rows" if pointy else "high-columns"] == "odd"
    return Grid(*_read_span(entry["columns"]), *_read_span(entry["rows"]), odd_high=odd, pointy=pointy, letters=letters)


def board_of(chart: Chart) -> Board:
    """Return the playable hexes of a scenario's map: all hexes of the grid that are neither absent nor sea."""
    return Board(grid_of(chart), {*chart["absent"], *chart["terrain"].get("sea", ())})


def terrain_of(chart: Chart, board: Board) -> tuple[str, ...]:
    """Return the terrain of every hex by index, '' if not playable. Raises ValueError if a hex has two terrains."""
    usual = chart["default-terrain"]
    kinds = [usual if label else "" for label in board.labels]
    for kind, labels in sorted(chart["terrain"].items()):
        for label in labels:
            hex_ = board.index.get(label)
            if hex_ is None:
                continue
            if kinds[hex_] != usual:
                raise ValueError(f"hex {label} has two terrains, {kinds[hex_]} and {kind}")
            kinds[hex_] = kind
    return tuple(kinds)


def read_pair(text: str, board: Board) -> Pair:
    """Return the two hexes of the hexside '2015-2016'. Raises KeyError or ValueError if they are not adjacent."""
    a, b = map(board.index.__getitem__, text.split("-"))
    if b not in board.neighbours[a]:
        raise ValueError(f"{text}: the hexes are not adjacent")
    return a, b


def rivers_of(chart: Chart, board: Board, kinds: Sequence[str]) -> dict[Pair, str]:
    """Return hexside -> widest river, in both directions, without hexsides of the sea. ``kinds``: narrow to wide."""
    rivers: dict[Pair, str] = {}
    for river in sorted(chart["rivers"].values(), key=lambda river: kinds.index(river["kind"])):
        for text in river["hexsides"]:
            one, _dash, other = text.partition("-")
            if one in board.index and other in board.index:
                a, b = read_pair(text, board)
                rivers[a, b] = rivers[b, a] = river["kind"]
    return rivers


def streams_of(chart: Chart, board: Board) -> dict[Pair, str]:
    """Return hexside -> name of its river, for both directions. Of two rivers, the first by alphabet counts."""
    streams: dict[Pair, str] = {}
    for river in sorted(chart["rivers"].values(), key=lambda river: str(river.get("name", "")), reverse=True):
        ends = (text.split("-") for text in river["hexsides"])
        for a, b in (
            (board.index[one], board.index[other]) for one, other in ends if {one, other} <= board.index.keys()
        ):
            streams[a, b] = streams[b, a] = river.get("name", "")
    return streams


def rails_of(chart: Chart, board: Board) -> dict[int, Mask]:
    """Return hex -> the hexes connected to it by rail."""
    paths = [line["path"] for line in chart["railroads"].values()]
    return _join_pairs(read_pair(f"{one}-{other}", board) for path in paths for one, other in pairwise(path))


def _join_pairs(pairs: Iterable[Pair]) -> dict[int, Mask]:
    links: dict[int, Mask] = {}
    for one, other in pairs:
        for a, b in ((one, other), (other, one)):
            links[a] = links.get(a, 0) | 1 << b
    return links


def find_halves(line: Sequence[Pair], board: Board) -> tuple[Mask, Mask]:
    """Return the hexes on both sides of a line of hexsides. The first set contains the first hex of every hexside."""
    cut = _join_pairs(line)
    first, second = (sum({1 << pair[number] for pair in line}) for number in (0, 1))
    return board.flood(first, board.all, cut), board.flood(second, board.all, cut)


def split_sides(line: Sequence[str], board: Board, sides: Sequence[str], name: str) -> dict[str, Mask]:
    """Return side -> its half of the map, cut by ``line``. Raises ValueError if the line does not cut the map."""
    one, other = find_halves([read_pair(text, board) for text in line], board)
    if one & other or one | other != board.all:
        raise ValueError(f"{name} does not cut the map into two halves")
    return dict(zip(sides, (one, other), strict=True))


def is_on_map(chart: Chart, board: Board, label: str) -> bool:
    """Return whether a hex is part of the map. Sea hexes are part of the map."""
    return board.grid.place(label) is not None and label not in chart["absent"]


def on_rim(chart: Chart, board: Board, label: str) -> bool:
    """Return whether a hex is at the edge of the map. Sea hexes are part of the map."""
    around = board.grid.neighbours(*board.grid.place(label) or (0, 0))
    return not all(is_on_map(chart, board, board.grid.label(*near)) for near in around)


def check_size(chart: Chart, most: int) -> Iterator[Finding]:
    """T27: check that the grid does not have too many hexes. Absent hexes count too."""
    spans = [_read_span(chart["grid"][key]) for key in ("columns", "rows")]
    across, down = (last - first + 1 for first, last in spans)
    if across > 0 and down > 0:
        yield from check_limit("hexes of the grid", across * down, most, ("map", "grid"))


def check_reach(units: Mapping[str, Mapping[str, Any]], sides: Iterable[str], most: int) -> Iterator[Finding]:
    """T27: check the number of hexes that a side's units reach with one movement point a hex, without obstacles."""
    for side in sides:
        moves = [int(unit["move"]) for unit in units.values() if unit["side"] == side]
        what = f"total reach of the {side} units in hexes, 3a(a+1) for an allowance a"
        yield from check_limit(what, sum(3 * far * (far + 1) for far in moves), most, ("units", "units"))


def check_grid(chart: Chart, rule: str) -> Iterator[Finding]:
    """Check that the last column and row of the grid are not lower than the first."""
    for key in ("columns", "rows"):
        first, last = _read_span(chart["grid"][key])
        if first > last:
            text = f"{key} {chart['grid'][key]}: the lower number comes first"
            yield Finding(ERROR, rule, text, ("map", "grid", key))


def check_terrain(chart: Chart, board: Board, rule: str) -> Iterator[Finding]:
    """Check that hexes listed as absent are inside the grid, and that every hex has one terrain."""
    for number, label in enumerate(chart["absent"]):
        if board.grid.place(label) is None:
            text = f"{label} is called absent and lies outside the grid anyway"
            yield Finding(WARNING, rule, text, ("map", "absent", number))
    listed: dict[str, str] = {}
    for kind, labels in chart["terrain"].items():
        for number, label in enumerate(labels) if isinstance(labels, list) else ():
            path = ("map", "terrain", kind, number)
            if not is_on_map(chart, board, label):
                yield Finding(ERROR, rule, f"{label} is no hex of the map", path)
            elif label in listed:
                yield Finding(ERROR, rule, f"{label} is {kind}, and {listed[label]} too; a hex has one terrain", path)
            listed.setdefault(label, kind)


def check_hexside(text: str, board: Board, rule: str, path: Path) -> Iterator[Finding]:
    """Check that both hexes are playable and adjacent."""
    one, other = text.split("-")
    missing = [label for label in (one, other) if label not in board.index]
    if missing:
        yield Finding(ERROR, rule, f"{text}: {missing[0]} is no playable hex", path)
    elif not board.near[board.index[one]] >> board.index[other] & 1:
        yield Finding(ERROR, rule, f"{text}: the hexes are not adjacent", path)


def check_line(line: Sequence[str], board: Board, rule: str, name: str, path: Path) -> tuple[list[Finding], list[Mask]]:
    """Return findings about a line of hexsides that must cut the map in two, and both halves if the line is right."""
    slips = [
        finding for number, text in enumerate(line) for finding in check_hexside(text, board, rule, (*path, number))
    ]
    if slips:
        return slips, []
    one, other = find_halves([read_pair(text, board) for text in line], board)
    for hexes, where in ((one & other, "both sides"), (board.all & ~(one | other), "no side")):
        for spot in board.names(hexes & -hexes):
            text = f"{hexes.bit_count()} hexes lie on {where} of {name}, {spot} among them"
            slips.append(Finding(ERROR, rule, f"{text}: it does not cut the land in two", path))
    return slips, [] if slips else [one, other]


def check_rivers(chart: Chart, board: Board, rule: str) -> Iterator[Finding]:
    """Check that rivers flow between adjacent hexes. Warn of repeated hexsides, and of two kinds of river."""
    seen: dict[frozenset[str], tuple[str, str]] = {}
    for rid, river in chart["rivers"].items():
        before: set[str] = set()
        for number, text in enumerate(river["hexsides"]):
            path = ("map", "rivers", rid, "hexsides", number)
            one, other = text.split("-")
            outside, odd = [label for label in (one, other) if not is_on_map(chart, board, label)], []
            if outside:
                yield Finding(ERROR, rule, f"{text}: {outside[0]} is no hex of the map", path)
            elif one in board.index and other in board.index:
                yield from check_hexside(text, board, rule, path)
            else:
                odd.append("one of the hexes is not playable, so nothing crosses there")
            first, kind = seen.setdefault(frozenset((one, other)), (rid, river["kind"]))
            if first != rid and kind != river["kind"]:
                odd.append(f"the {kind} {first} flows there too; the wider of them counts")
            elif first == rid and f"{other}-{one}" in before:
                odd.append("written twice, the second time mirrored")
            before.add(text)
            yield from (Finding(WARNING, rule, f"{text}: {what}", path) for what in odd)


def check_rails(chart: Chart, board: Board, rule: str) -> Iterator[Finding]:
    """Check that railways connect adjacent hexes and end at a city, another railway or the edge of the map."""
    lines = chart["railroads"]
    for rid, line in lines.items():
        path, labels = ("map", "railroads", rid, "path"), line["path"]
        for number, (one, other) in enumerate(pairwise(labels), 1):
            yield from check_hexside(f"{one}-{other}", board, rule, (*path, number))
        for number in (0, len(labels) - 1):
            end = labels[number]
            elsewhere = any(end in other["path"] for key, other in lines.items() if key != rid)
            if end in board.index and end not in chart["cities"] and not elsewhere and not on_rim(chart, board, end):
                text = f"{line['name']} ends in {end}, at no city, no other railway and not at the edge of the map"
                yield Finding(WARNING, rule, text, (*path, number))


def check_cities(
    chart: Chart, board: Board, own: Mapping[str, Mask], line: str, rules: tuple[str, str]
) -> Iterator[Finding]:
    """Check that cities are on the map (first of ``rules``), and on the owner's side of a line (second of ``rules``).

    ``own``: side -> its half of the map, empty if the line is wrong. ``line``: the name of the line.
    """
    for label, city in chart["cities"].items():
        path: Path = ("map", "cities", label)
        if label not in board.index:
            yield Finding(ERROR, rules[0], f"{city['name']} lies in {label}, which is no playable hex", path)
        elif own and not own[city["side"]] >> board.index[label] & 1:
            text = f"{city['name']} in {label} is called {city['side']} and lies on the other side of {line}"
            yield Finding(WARNING, rules[1], text, (*path, "side"))


def check_listed(labels: Iterable[str], board: Board, rule: str, path: Path) -> Iterator[Finding]:
    """Check that the hexes of the list at ``path`` are playable."""
    for number, label in enumerate(labels):
        if label not in board.index:
            yield Finding(ERROR, rule, f"{label} is no playable hex", (*path, number))


def check_edges(chart: Chart, board: Board, rules: Mapping[str, str]) -> Iterator[Finding]:
    """Check that edge hexes are at the edge of the map and belong to one side only. ``rules``: side -> paragraph."""
    before: set[str] = set()
    for side, rule in rules.items():
        for number, label in enumerate(chart["edges"][side]):
            path = ("map", "edges", side, number)
            if label not in board.index:
                yield Finding(ERROR, rule, f"{label} is no playable hex", path)
            elif not on_rim(chart, board, label):
                yield Finding(ERROR, rule, f"{label} does not lie at the edge of the map", path)
            elif label in before:
                yield Finding(ERROR, rule, f"{label} is an edge hex of both sides", path)
        before |= set(chart["edges"][side])
