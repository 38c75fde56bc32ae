"""Labels and geometry of a grid, compared with a plain drawing: adjacent hexes have close centers."""

from itertools import pairwise, product

import pytest

from kursk_pbem.kernel.hexes.grid import FLAT_NAMES, POINTY_NAMES, Grid

SHAPES = [
    Grid(*bounds, odd_high=odd_high, pointy=pointy, letters=letters)
    for bounds in ((1, 5, 1, 4), (2, 5, 3, 7))
    for odd_high, pointy in product((True, False), repeat=2)
    for letters in ("", "rows", "columns")
]


def labels(grid):
    return [grid.label(*place) for place in grid.places()]


def square(grid, one, other):
    """The square of the distance of two centres; 12 between neighbours."""
    (x, y), (a, b) = grid.centre(*one), grid.centre(*other)
    long, short = ((x - a) ** 2, (y - b) ** 2)
    return 3 * long + short if grid.pointy else long + 3 * short


def drawn(grid, place):
    """Return the adjacent hexes in the drawing of the rectangle."""
    return {other for other in grid.places() if square(grid, place, other) == 12}


def walked(grid, start):
    """Distance of every hex from one, step by step over the drawing."""
    found, edge = {start: 0}, [start]
    while edge:
        here = edge.pop(0)
        for there in sorted(drawn(grid, here) - found.keys()):
            found[there] = found[here] + 1
            edge.append(there)
    return found


@pytest.mark.parametrize("grid", SHAPES, ids=str)
def test_labels_and_places_are_each_others_inverse_and_ascend(grid):
    places = [grid.place(label) for label in labels(grid)]
    assert places == grid.places()
    assert [grid.label(*place) for place in places] == labels(grid)
    assert places == sorted(places, key=lambda place: place[::-1] if grid.letters == "rows" else place)
    assert len(set(labels(grid))) == 20


def test_what_is_no_label_of_the_rectangle_has_no_place():
    digits = Grid(1, 12, 1, 9)
    assert digits.place("0109") == (1, 9)
    letters = Grid(1, 12, 1, 9, letters="rows")
    assert letters.place("A12") == (12, 1)
    assert Grid(1, 9, 1, 12, letters="columns").place("A12") == (1, 12)
    for wrong in ("", "A", "1", "109", "00109", "0110", "1301", "01 9", "-101", "A109", "\u0660\u0661\u0660\u0661"):
        assert digits.place(wrong) is None, wrong
    for wrong in ("", "A", "12", "A0", "A13", "J1", "a1", "A01", "A1 ", "AA1", "@1", "A\u0661", "\u00c51", "A001"):
        assert letters.place(wrong) is None, wrong


@pytest.mark.parametrize("grid", SHAPES, ids=str)
def test_neighbours_are_the_hexes_drawn_beside_one(grid):
    for place in grid.places():
        around = grid.neighbours(*place)
        assert len(set(around)) == 6
        assert {square(grid, place, other) for other in around} == {12}
        assert set(around) & set(grid.places()) == drawn(grid, place)


@pytest.mark.parametrize("grid", SHAPES, ids=str)
def test_neighbours_go_clockwise_from_the_north(grid):
    for place in grid.places():
        x, y = grid.centre(*place)
        arms = [(a - x, b - y) for a, b in (grid.centre(*near) for near in grid.neighbours(*place))]
        assert arms[0] == ((1, -3) if grid.pointy else (0, -2))
        for (a, b), (c, d) in pairwise([*arms, arms[0]]):
            assert a * d - b * c > 0  # y goes downward, so a turn to the right is positive


def test_names_of_directions_say_where_the_neighbours_lie():
    for grid in SHAPES:
        place = grid.places()[6]
        for name, near in zip(POINTY_NAMES if grid.pointy else FLAT_NAMES, grid.neighbours(*place), strict=True):
            x, y = (a - b for a, b in zip(grid.centre(*near), grid.centre(*place), strict=True))
            said = ("N" if y < 0 else "S" if y > 0 else "") + ("W" if x < 0 else "E" if x > 0 else "")
            assert said == name


@pytest.mark.parametrize("grid", SHAPES, ids=str)
def test_distance_is_the_number_of_steps_over_the_drawing(grid):
    for one in grid.places():
        steps = walked(grid, one)
        assert [grid.distance(one, other) for other in grid.places()] == [steps[p] for p in grid.places()]


@pytest.mark.parametrize("grid", SHAPES, ids=str)
def test_a_direction_leads_nearer_and_straight_on_it_stays_the_same(grid):
    for one, other in product(grid.places(), repeat=2):
        if one != other:
            towards = grid.neighbours(*one)[grid.direction(one, other)]
            assert grid.distance(towards, other) == grid.distance(one, other) - 1
    for side in range(6):
        place = (10, 10)
        for _ in range(5):
            place = grid.neighbours(*place)[side]
            assert grid.direction((10, 10), place) == side


def test_a_direction_between_two_hexsides_is_the_first_of_them():
    flat, pointy = Grid(0, 9, 0, 9), Grid(0, 9, 0, 9, pointy=True)
    assert flat.direction((4, 4), (6, 4)) == FLAT_NAMES.index("NE")  # due east, through a corner
    assert pointy.direction((4, 4), (4, 2)) == POINTY_NAMES.index("NE")  # due north
