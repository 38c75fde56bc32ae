"""Map data: tables compared with plain search, and every finding of the checks with its place."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.kernel.hexes import land
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.review import ERROR, WARNING, Finding

# Six columns of four rows: 0101 is not there, 0604 is sea; a river, a wide one, two railways, a line down the middle.
CHART = {
    "grid": {"columns": "01-06", "rows": "01-04", "high-columns": "odd"},
    "absent": ["0101"],
    "default-terrain": "clear",
    "terrain": {"forest": ["0202", "0303"], "marsh": ["0502"], "sea": ["0604"]},
    "rivers": {
        "bug": {"kind": "river", "hexsides": ["0201-0202", "0302-0402"]},
        "don": {"kind": "major", "hexsides": ["0402-0502"]},
    },
    "railroads": {
        "one": {"name": "First Railway", "path": ["0102", "0202", "0303", "0402"]},
        "two": {"name": "Second Railway", "path": ["0303", "0304"]},
    },
    "cities": {"0402": {"name": "Orel"}},
    "edges": {"blue": ["0102", "0103"], "red": ["0601", "0602"]},
}
BOARD = land.board_of(CHART)
MIDDLE = ["0301-0401", "0302-0401", "0302-0402", "0303-0402", "0303-0403", "0304-0403", "0304-0404"]


def index(*labels):
    return tuple(BOARD.index[label] for label in labels)


# Tables


@pytest.mark.parametrize(
    ("entry", "grid"),
    [
        ({"columns": "06-30", "rows": "00-26", "high-columns": "odd"}, Grid(6, 30, 0, 26)),
        ({"columns": "06-30", "rows": "00-26", "high-columns": "even"}, Grid(6, 30, 0, 26, odd_high=False)),
        ({"columns": "1-17", "rows": "A-W", "west-rows": "odd"}, Grid(1, 17, 1, 23, pointy=True, letters="rows")),
        (
            {"columns": "B-D", "rows": "1-12", "high-columns": "even"},
            Grid(2, 4, 1, 12, odd_high=False, letters="columns"),
        ),
    ],
)
def test_the_grid_of_a_chart(entry, grid):
    assert land.grid_of({"grid": entry}) == grid


def test_each_hex_has_one_terrain():
    terrain = land.terrain_of(CHART, BOARD)
    found = {label: terrain[hex_] for label, hex_ in BOARD.index.items() if terrain[hex_] != "clear"}
    assert found == {"0202": "forest", "0303": "forest", "0502": "marsh"}
    assert {terrain[hex_] for hex_, label in enumerate(BOARD.labels) if not label} == {""}
    twice = {**CHART, "terrain": {"forest": ["0202"], "marsh": ["0202"]}}
    with pytest.raises(ValueError, match="hex 0202 has two terrains, forest and marsh"):
        land.terrain_of(twice, BOARD)


def test_rivers_count_both_ways_the_wider_of_two_and_not_along_the_sea():
    chart = deepcopy(CHART)
    chart["rivers"]["oka"] = {"kind": "major", "hexsides": ["0202-0201"]}
    chart["rivers"]["don"]["hexsides"].append("0503-0604")
    chart["rivers"]["zet"] = {"kind": "river", "hexsides": ["0402-0502"]}
    chart["rivers"]["alpha"] = {"kind": "river", "hexsides": ["0502-0402"]}
    rivers = land.rivers_of(chart, BOARD, ("river", "major"))
    assert rivers == {
        index(*pair): kind
        for one, other, kind in [("0201", "0202", "major"), ("0302", "0402", "river"), ("0402", "0502", "major")]
        for pair in ((one, other), (other, one))
    }


def test_railways_join_their_hexes_both_ways():
    rails = land.rails_of(CHART, BOARD)
    assert {BOARD.labels[here]: BOARD.names(there) for here, there in rails.items()} == {
        "0102": ["0202"],
        "0202": ["0102", "0303"],
        "0303": ["0202", "0304", "0402"],
        "0304": ["0303"],
        "0402": ["0303"],
    }


def plain_half(line, side):
    """Return the hexes reached from a side of a line, step by step."""
    reached, todo = set(), [pair[side] for pair in line]
    while todo:
        here = todo.pop()
        if here not in reached:
            reached.add(here)
            todo += [n for n in BOARD.neighbours[here] if (here, n) not in line and (n, here) not in line]
    return sum(1 << hex_ for hex_ in reached)


HEXSIDES = [(a, b) for a in BOARD.index.values() for b in BOARD.neighbours[a]]


@given(st.lists(st.sampled_from(HEXSIDES), min_size=1, max_size=20))
def test_halves_are_what_is_reached_without_crossing_the_line(line):
    assert land.find_halves(line, BOARD) == (plain_half(line, 0), plain_half(line, 1))


# Checks


def found(*path, value, check):
    """Return the findings of the check after replacing a value of the chart."""
    chart = deepcopy(CHART)
    inner = chart
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return list(check(chart))


def terrain(chart):
    return land.check_terrain(chart, BOARD, "3.1")


def rivers(chart):
    return land.check_rivers(chart, BOARD, "9.2")


def rails(chart):
    return land.check_rails(chart, BOARD, "8.1")


def edges(chart):
    return land.check_edges(chart, BOARD, {"blue": "10.3", "red": "10.2"})


HEXSIDES_OF_BUG = ("rivers", "bug", "hexsides")
FIRST = ("railroads", "one", "path")


@pytest.mark.parametrize(
    ("path", "value", "check", "severity", "text", "at"),
    [
        (
            ("terrain", "marsh"),
            ["0604"],
            terrain,
            ERROR,
            "0604 is sea, and marsh too; a hex has one terrain",
            ("terrain", "sea", 0),
        ),
        (
            HEXSIDES_OF_BUG,
            ["0201-0202", "0202-0201"],
            rivers,
            WARNING,
            "0202-0201: written twice, the second time mirrored",
            (*HEXSIDES_OF_BUG, 1),
        ),
        (
            FIRST,
            ["0102", "0202", "0303", "0402", "0404"],
            rails,
            ERROR,
            "0402-0404: the hexes are not adjacent",
            (*FIRST, 4),
        ),
        (("edges", "red"), ["0604"], edges, ERROR, "0604 is no playable hex", ("edges", "red", 0)),
        (("edges", "red"), ["0601", "0103"], edges, ERROR, "0103 is an edge hex of both sides", ("edges", "red", 1)),
    ],
)
def test_a_fault_is_found_in_its_place(path, value, check, severity, text, at):
    """The other faults of maps are in ``bad/scenario.yaml`` of Battle for Kursk."""
    rule = {terrain: "3.1", rivers: "9.2", rails: "8.1", edges: "10.2"}[check]
    assert found(*path, value=value, check=check) == [Finding(severity, rule, text, ("map", *at))]


@pytest.mark.parametrize(("columns", "rows", "key"), [("06-01", "01-04", "columns"), ("01-06", "D-A", "rows")])
def test_the_lower_number_comes_first(columns, rows, key):
    chart = {"grid": {"columns": columns, "rows": rows, "high-columns": "odd"}}
    (only,) = land.check_grid(chart, "3.1")
    text = f"{key} {chart['grid'][key]}: the lower number comes first"
    assert only == Finding(ERROR, "3.1", text, ("map", "grid", key))


def cut(line):
    return land.check_line(line, BOARD, "8.1", "the Front", ("map", "front"))


def test_a_line_with_a_hexside_that_is_none():
    said, halves = cut([*MIDDLE, "0304-0604", "0201-0401"])
    assert [(each.text, each.path[-1]) for each in said] == [
        ("0304-0604: 0604 is no playable hex", 7),
        ("0201-0401: the hexes are not adjacent", 8),
    ]
    assert halves == []


def test_land_beyond_the_sea_lies_on_no_side_of_a_line():
    chart = {**CHART, "terrain": {"sea": ["0601", "0501", "0502", "0503", "0504"]}}
    said, halves = land.check_line(MIDDLE, land.board_of(chart), "8.1", "the Front", ("map", "front"))
    assert [each.text for each in said] == [
        "3 hexes lie on no side of the Front, 0602 among them: it does not cut the land in two"
    ]
    assert halves == []
