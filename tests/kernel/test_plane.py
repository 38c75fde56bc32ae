"""The table top against exact rationals: every predicate, and the cases that lie exactly on a limit."""

from fractions import Fraction
from itertools import pairwise
from math import isqrt

import pytest
from helpers.rationals import rational_distance, rational_holds, rational_meet, ray_touches
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.plane import CLOCK, FRONT, RAYS, REAR, SIDE, Polygon

coordinate = st.integers(0, 40)
points = st.tuples(coordinate, coordinate)
far = st.integers(0, 60)
PYTHAGORAS = [(3, 4), (5, 12), (8, 15), (7, 24), (20, 21), (1, 0), (0, 1)]


def turned(place, times=1):
    """Turned to the right about the corner, which is where the vectors of CLOCK turn."""
    for _ in range(times):
        place = place[1], -place[0]
    return place


@pytest.mark.slow
@given(points, points, points, points)
@example((0, 0), (4, 4), (2, 2), (9, 2))
@example((0, 0), (4, 0), (4, 0), (9, 0))
@example((0, 0), (4, 0), (5, 0), (9, 0))
@example((1, 1), (1, 1), (0, 0), (2, 2))
def test_segments_meet_as_in_fractions(a, b, c, d):
    assert plane.meet(a, b, c, d) == rational_meet(a, b, c, d) == plane.meet(d, c, b, a)


@pytest.mark.slow
@given(points, points, points, far)
@example((0, 0), (10, 0), (5, 7), 7)
@example((0, 0), (10, 0), (-3, 4), 5)
@example((0, 0), (30, 40), (-4, 3), 5)
def test_a_way_is_near_a_point_as_in_fractions(a, b, p, limit):
    assert plane.is_near(a, b, p, limit) == (rational_distance(a, b, p) <= limit**2)


def test_exactly_at_a_limit_is_inside_it():
    assert plane.is_within((0, 0), (300, 400), 500)
    assert not plane.is_within((0, 0), (300, 401), 500)
    assert plane.is_near((0, 0), (1000, 0), (500, 100), 100)
    assert not plane.is_near((0, 0), (1000, 0), (500, 101), 100)
    assert plane.is_near((5, 5), (5, 5), (8, 9), 5)  # a way of no length
    assert not plane.is_near((5, 5), (5, 5), (8, 9), 4)
    assert not plane.over((0, 0), (100, 0), 100)
    assert plane.over((0, 0), (99, 0), 100)
    assert plane.compare_length([(0, 0), (300, 400), (300, 500)], 600) == 0
    assert plane.compare_length([(0, 0), (300, 400), (300, 501)], 600) == 1
    assert plane.compare_length([(0, 0), (300, 400), (300, 499)], 600) == -1


@given(st.lists(st.tuples(st.integers(0, 99999), st.integers(0, 99999)), min_size=1, max_size=8), st.integers(0, 10**6))
def test_the_length_of_a_path_is_between_bounds_as_narrow_as_you_like(path, limit):
    scale = 10**30
    roots = [isqrt(plane.square(a, b) * scale * scale) for a, b in pairwise(path)]
    low, high = Fraction(sum(roots), scale), Fraction(sum(roots) + len(roots), scale)
    found = plane.compare_length(path, limit)
    if not low <= limit <= high:
        assert found == (1 if low > limit else -1)
    assert plane.measure_path(path) <= high
    assert plane.measure_path(path) + 1 >= low


def test_lengths_that_differ_in_the_twentieth_place_are_told_apart():
    """Legs a little longer than a whole number of hundredths each, by less than five places can show."""
    one = [(0, 0), (99999, 1), (0, 2), (99999, 3)]
    limit = plane.measure_path(one)
    assert plane.compare_length(one, limit) == 1
    assert plane.compare_length(one, limit + 1) == -1
    near = [(0, 0), (99999, 0), (99999, 1), (0, 0)]  # 99999 + 1 + sqrt(99999^2 + 1)
    assert plane.compare_length(near, 2 * 99999 + 1) == 1
    assert plane.measure_path(near) == 2 * 99999 + 1


SHAPES = {
    "square": Polygon(((10, 10), (30, 10), (30, 30), (10, 30))),
    "notch": Polygon(((5, 5), (35, 5), (35, 35), (20, 12), (5, 35))),
    "sliver": Polygon(((0, 0), (40, 1), (20, 1))),
}
shapes = st.sampled_from(list(SHAPES.values()))


@pytest.mark.slow
@given(shapes, points)
@example(SHAPES["square"], (10, 20))
@example(SHAPES["square"], (30, 30))
@example(SHAPES["notch"], (20, 12))
def test_ground_holds_a_point_as_in_fractions(ground, p):
    assert ground.holds(p) == rational_holds(ground, p)
    assert Polygon(ground.outline[::-1]).holds(p) == ground.holds(p)


@pytest.mark.slow
@given(shapes, points, points)
@example(SHAPES["square"], (10, 0), (10, 9))
@example(SHAPES["square"], (0, 20), (20, 0))
def test_a_way_touches_ground_as_in_fractions(ground, a, b):
    wanted = rational_holds(ground, a) or any(rational_meet(a, b, *edge) for edge in ground.edges)
    assert ground.touches(a, b) == ground.touches(b, a) == wanted


def test_a_corner_is_touched_and_a_miss_by_a_hundredth_is_not():
    square = SHAPES["square"]
    assert square.touches((0, 20), (20, 0))  # through the corner 10, 10
    assert not square.touches((0, 19), (19, 0))
    assert square.touches((0, 30), (40, 30))  # along the upper edge
    assert not square.touches((0, 31), (40, 31))
    assert square.touches((15, 15), (16, 16))


@pytest.mark.parametrize(
    ("outline", "fault"),
    [
        (((0, 0), (10, 0)), "fewer than three"),
        (((0, 0), (10, 0), (10, 0), (0, 10)), "twice running"),
        (((0, 0), (10, 0), (10, 10), (0, 0)), "twice running"),
        (((0, 0), (10, 0), (5, 0), (5, 9)), "turns back on itself at 0.10, 0.00"),
        (((0, 0), (10, 0), (20, 0)), "turns back"),
        (((0, 0), (10, 10), (10, 0), (0, 10)), "meets itself"),
        (((0, 0), (10, 0), (10, 10), (5, 0), (0, 10)), "meets itself"),
    ],
)
def test_what_is_no_outline_is_told(outline, fault):
    assert fault in Polygon(outline).fault()


def test_good_outlines_have_no_fault():
    assert [shape.fault() for shape in SHAPES.values()] == ["", "", ""]
    assert Polygon(((0, 0), (5, 0), (10, 0), (5, 8))).fault() == ""  # a corner on a straight edge is allowed


def test_pieces_of_ground_are_apart_or_not():
    one, other = Polygon(((0, 0), (10, 0), (10, 10), (0, 10))), Polygon(((13, 14), (20, 14), (20, 20)))
    assert one.apart(other, 4)
    assert not one.apart(other, 5)
    assert not one.apart(Polygon(((2, 2), (3, 2), (3, 3))), 0)
    assert not Polygon(((2, 2), (3, 2), (3, 3))).apart(one, 0)
    assert not one.apart(Polygon(((-5, 4), (15, 5), (-5, 6))), 0)


# Rays


@given(st.integers(-99, 99), st.integers(-99, 99), st.integers(0, 5000))
def test_the_sign_of_a_whole_number_and_a_root(whole, factor, of):
    scale = 10**40
    root = isqrt(of * scale * scale)
    exact = isqrt(of) ** 2 == of
    found = plane.root_sign(whole, factor, of)
    if exact:
        assert found == plane._sign_of(whole + factor * isqrt(of))
    else:
        assert found == plane._sign_of(whole * scale + factor * root) or abs(whole * scale + factor * root) <= abs(
            factor
        )


@pytest.mark.slow
@given(st.sampled_from(PYTHAGORAS), st.integers(1, 3), points, st.sampled_from(RAYS), st.integers(1, 12), shapes)
@example((1, 0), 3, (7, 20), 2, 10, SHAPES["square"])
@example((0, 1), 3, (20, 7), 0, 10, SHAPES["square"])
@example((1, 0), 3, (7, 0), 2, 10, SHAPES["square"])
def test_rays_along_whole_lengths_touch_ground_as_in_fractions(line, times, eye, half, radius, ground):
    """Where the line of sight has a whole length the ends of the rays are rational, and can be checked as segments."""
    line = line[0] * times, line[1] * times
    whole = isqrt(line[0] ** 2 + line[1] ** 2)
    offset = Fraction(half * radius, 2 * whole)
    end = eye[0] + line[0] - offset * line[1], eye[1] + line[1] + offset * line[0]
    wanted = rational_holds(ground, eye) or any(rational_meet(eye, end, *edge) for edge in ground.edges)
    target = eye[0] + line[0], eye[1] + line[1]
    assert ray_touches(eye, target, half * radius, ground) == wanted


@pytest.mark.slow
@given(points, points, st.integers(0, 3), shapes, st.sampled_from(RAYS), points)
def test_rays_turn_and_shift_with_the_table(eye, target, times, ground, half, shift):
    def there(place):
        place = turned(place, times)
        return place[0] + shift[0], place[1] + shift[1]

    moved = Polygon(tuple(map(there, ground.outline)))
    for radius in (5, 50):
        assert ray_touches(eye, target, half * radius, ground) == ray_touches(
            there(eye), there(target), half * radius, moved
        )
    assert moved.holds(there(target)) == ground.holds(target)
    assert moved.touches(there(eye), there(target)) == ground.touches(eye, target)


@given(points, points, st.integers(0, 30), st.lists(shapes, max_size=3), st.integers(-30, 30))
def test_rays_are_counted_as_if_every_edge_were_tried(eye, target, radius, grounds, off):
    """Boxes and sides of lines spare edges that no ray can meet, and no other."""
    there = tuple(Polygon(tuple((x + off, y - off) for x, y in each.outline)) for each in grounds)
    tried = [any(ray_touches(eye, target, each * radius, ground) for ground in there) for each in RAYS]
    assert plane.count_hidden(eye, target, radius, there) == sum(tried)


def test_three_of_five_rays_by_hand():
    """The target's width is 100 across the line of sight; a wall from above covers it down to a height."""
    eye, target = (0, 500), (1000, 500)
    for low, count in ((551, 0), (526, 1), (524, 2), (500, 3), (475, 4), (450, 5)):
        wall = Polygon(((990, low), (1010, low), (1010, 900), (990, 900)))
        assert plane.count_hidden(eye, target, 50, [wall]) == count, low
    two = [Polygon(((400, 505), (410, 505), (410, 900), (400, 900))), Polygon(((400, 0), (410, 0), (410, 495)))]
    assert plane.count_hidden(eye, target, 50, two) == 4
    assert plane.count_hidden(eye, target, 50, [Polygon(((-5, 490), (5, 490), (5, 510), (-5, 510)))]) == 5


def test_a_ray_that_ends_on_an_outline_touches_it():
    """The end of the highest ray lies at 1000, 550; ground from there on is touched, a hundredth further it is not."""
    wall = Polygon(((1000, 550), (1000, 900), (1100, 900)))
    assert ray_touches((0, 500), (1000, 500), 100, wall)
    assert not ray_touches((0, 500), (1000, 500), 100, Polygon(((1000, 551), (1000, 900), (1100, 900))))
    along = Polygon(((500, 500), (2000, 500), (2000, 400)))
    assert ray_touches((0, 500), (1000, 500), 0, along)
    assert not ray_touches((0, 500), (499, 500), 0, along)


# Facing


def test_the_clock_has_24_points_and_turns_onto_itself():
    assert len(CLOCK) == 24
    assert CLOCK["12"] == (0, 1000000)
    assert CLOCK["3"] == (1000000, 0)
    assert CLOCK["6"] == (0, -1000000)
    assert CLOCK["1:30"] == (707107, 707107)
    names = list(CLOCK)
    for number, name in enumerate(names):
        assert CLOCK[names[(number + 6) % 24]] == turned(CLOCK[name])


@pytest.mark.parametrize(
    ("bearing", "wanted"),
    [
        ((0, 9), FRONT),
        ((9, 9), FRONT),
        ((-9, 9), FRONT),
        ((9, 8), SIDE),
        ((1001, 1000), SIDE),
        ((9, 0), SIDE),
        ((-9, 0), SIDE),
        ((9, -8), SIDE),
        ((9, -9), REAR),
        ((-9, -9), REAR),
        ((0, -1), REAR),
        ((0, 0), FRONT),
    ],
)
def test_arcs_end_at_45_and_135_degrees(bearing, wanted):
    for times in range(4):
        assert plane.find_arc(turned(CLOCK["12"], times), (0, 0), turned(bearing, times)) == wanted


@given(st.sampled_from(list(CLOCK)), points, points)
def test_arcs_of_the_back_are_those_of_the_front(name, here, there):
    assume(here != there)
    x, y = CLOCK[name]
    back = {FRONT: REAR, REAR: FRONT, SIDE: SIDE}
    assert plane.find_arc((-x, -y), here, there) == back[plane.find_arc((x, y), here, there)]


# Stops, cohesion, places


def test_the_stops_of_a_leg_are_its_whole_hundredths():
    assert plane.whole_points((0, 0), (3, 6)) == [(0, 0), (1, 2), (2, 4), (3, 6)]
    assert plane.whole_points((5, 5), (5, 2)) == [(5, 5), (5, 4), (5, 3), (5, 2)]
    assert plane.whole_points((0, 0), (7, 5)) == [(0, 0), (7, 5)]
    assert plane.whole_points((4, 4), (4, 4)) == [(4, 4)]


def scaled(area, factor):
    """Return the figure scaled about the corner of the table."""
    return Polygon(tuple((factor * x, factor * y) for x, y in area.outline))


def test_the_first_wrong_hundredth_of_a_leg():
    """A wall at 500 is reached after 5 inches; within 100 of a point 700 away after 6."""
    wall = Polygon(((500, -50), (600, -50), (600, 50), (500, 50)))
    touched = lambda a, b, scale: scaled(wall, scale).touches(a, b)  # noqa: E731
    assert plane.measure_legal([(0, 0), (1000, 0)], touched) == 500
    assert plane.measure_legal([(1, 1), (0, 0), (1000, 0)], touched) == 502  # 501.41
    assert plane.measure_legal([(0, 0), (1000, 1)], touched) == 501  # 500.00025
    near = lambda a, b, scale: plane.is_near(a, b, (700 * scale, 0), 100 * scale)  # noqa: E731
    assert plane.measure_legal([(0, 0), (1000, 0)], near) == 600


def test_all_pairs_or_a_chain_of_steps():
    row = [(0, 0), (600, 0), (1200, 0)]
    assert not plane.are_together(row, 600)
    assert plane.are_together(row, 600, chain=True)
    assert not plane.are_together([(0, 0), (601, 0)], 600, chain=True)
    assert plane.are_together([(0, 0), (300, 0), (600, 0)], 600)
    assert plane.are_together([], 600)
    assert plane.are_together([], 600, chain=True)


def test_a_place_is_written_in_one_way_only():
    assert plane.point("12.50, 0.05") == (1250, 5)
    assert plane.text((1250, 5)) == "12.50, 0.05"
    for other in (
        "012.50, 1.00",
        "12.5, 1.00",
        "12.50,1.00",
        "12.50, 1.00 ",
        "-1.00, 1.00",
        "\u0661.00, 1.00",
        "",
        "1,1",
        "1000.00, 1.00",
        "12.50, 1.00\n",
    ):
        with pytest.raises(ValueError, match="is no place such as"):
            plane.point(other)
