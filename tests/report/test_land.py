"""Maps as land: areas keep to their hexes, lines to the frame, names to free ground, the front between the sides."""

import hashlib
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest
from helpers import registry

from kursk_pbem.kernel.picture import PLANE, Edge, Mark, Picture, Piece, Region, find_middle
from kursk_pbem.report.pictures import svg, svgfront, svgground, svgland, svgstyle, svgtext
from report.paths import SVG, draw_map, find_picture, list_bounds, list_maps, trace

MAPS = [kit for kit in registry.kits() if kit.id != "armor-commander"]
EACH = pytest.mark.parametrize("scenario", list_maps(MAPS))
NAMED = r'<text class="name [^"]*" x="(-?\d+)" y="(-?\d+)" font-size="(\d+)">([^<]*)'
FAR = 170
"""Maximum distance of an area's point from its hexes, in map units: a sixth of a hexside."""
NUMBERED = r'<text x="(-?\d+)" y="(-?\d+)">([^<]*)</text>'
SHEET = """
import hashlib
from helpers import registry
from kursk_pbem.report.pictures import svg
for kit in registry.kits():
    setting = kit.setting(kit.scenarios[0], {})
    drawn = svg.render(kit.ruleset.seen.picture(setting, kit.ruleset.data.setup(setting)), kit.ruleset.sides)
    print(hashlib.sha256(drawn.encode()).hexdigest())
"""


def areas(drawn):
    """Return the outlines of each kind of ground, in map units."""
    found = re.findall(r'<path class="ground (\w+)" d="([^"]*)"', drawn)
    return {kind: [[(10 * x, 10 * y) for x, y in loop] for loop in trace(path)] for kind, path in found}


def list_numbers(drawn):
    """Return the numbers of hexes with the boxes of their letters."""
    return [(name, svgtext.draw_box((int(x), int(y)), 2_400, 130)) for x, y, name in re.findall(NUMBERED, drawn)]


def is_inside(loops, at):
    """Return whether a point is inside closed lines: a line to the right crosses the lines an odd number of times."""
    x, y = at
    crossed = 0
    for loop in loops:
        for (ax, ay), (bx, by) in zip(loop, (*loop[1:], loop[0]), strict=True):
            if (ay > y) != (by > y) and ax + (bx - ax) * (y - ay) / (by - ay) > x:
                crossed += 1
    return crossed % 2 == 1


def is_near(outline, x, y):
    return abs(outline[0][0] - x) < 3_000 and abs(outline[0][1] - y) < 3_000


def far_from(point, outline):
    """Return the distance of a point from a convex outline, 0 inside."""
    if is_inside([outline], point):
        return 0
    (x, y), best = point, 10**9
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        long = (bx - ax) ** 2 + (by - ay) ** 2
        part = min(1, max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long))
        best = min(best, ((ax + part * (bx - ax) - x) ** 2 + (ay + part * (by - ay) - y) ** 2) ** 0.5)
    return best


@pytest.mark.some(3)
@EACH
def test_each_middle_is_in_the_area_of_its_kind_and_no_area_leaves_its_hexes(scenario):
    """The kind of a hex decides moves and battles, so a soft edge keeps within a sixth of a hexside."""
    shapes = find_picture(scenario)
    drawn = areas(svgground.draw_ground(shapes))
    frame = svgland.find_frame(shapes.regions)
    rim = [(kind, outline) for kind, outline in svgland.list_rim(shapes.regions, frame) if kind]
    for region in shapes.regions:
        at = find_middle(region.outline)
        assert {kind for kind, loops in drawn.items() if kind != "clear" and is_inside(loops, at)} == {
            region.terrain
        } - {"clear"}, region.id
    for kind, loops in drawn.items():
        own = [region.outline for region in shapes.regions if region.terrain == kind]
        own += [outline for other, outline in rim if other == kind]
        for x, y in (point for loop in loops for point in loop if kind != "clear"):
            played = is_inside([region.outline for region in shapes.regions if is_near(region.outline, x, y)], (x, y))
            near = [outline for outline in own if is_near(outline, x, y)]
            assert not played or min(far_from((x, y), outline) for outline in near) <= FAR, (kind, x, y)


@pytest.mark.some(3)
@EACH
def test_no_straight_hexside_separates_two_kinds_of_ground(scenario):
    """An edge passes the middle of each hexside at some distance, so that land looks like land."""
    shapes = find_picture(scenario)
    drawn = areas(svgground.draw_ground(shapes))
    edges = [point for kind, loops in drawn.items() if kind != "clear" for loop in loops for point in loop]
    kinds = {find_middle(region.outline): region.terrain for region in shapes.regions}
    looked = 0
    for (x, y), kind in kinds.items():
        outline = next(region.outline for region in shapes.regions if find_middle(region.outline) == (x, y))
        near = [point for point in edges if kind != "clear" and abs(point[0] - x) < 1_500 and abs(point[1] - y) < 1_500]
        for a, b in pairwise((*outline, outline[0])):
            if kind != "clear" and kinds.get((a[0] + b[0] - x, a[1] + b[1] - y), kind) != kind:
                looked += 1
                assert min(math.dist(svgland.find_between(a, b), point) for point in near) > 45, (kind, a, b)
    assert looked


@EACH
def test_no_line_of_the_land_leaves_the_frame(scenario):
    shapes = find_picture(scenario)
    left, top, right, bottom = svgland.find_frame(shapes.regions)
    for drawn in (svgground.draw_ground(shapes), svgground.draw_edges(shapes), svgground.draw_lines(shapes)):
        for path in re.findall(r'<path class="(?!neat)[^"]*" d="([^"]*)"', drawn):
            low_x, low_y, high_x, high_y = list_bounds(path)
            assert left - 10 <= 10 * low_x <= 10 * high_x <= right + 10
            assert top - 10 <= 10 * low_y <= 10 * high_y <= bottom + 10


def test_maps_are_the_same_bytes_under_every_hash_seed():
    """Signed papers contain pictures, and a replay is compared by its bytes. Here the seed is another in each run."""
    ran = subprocess.run(
        [sys.executable, "-c", SHEET],
        env={**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": "tests"},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [hashlib.sha256(draw_map(kit.scenarios[0]).encode()).hexdigest() for kit in registry.kits()]
    assert ran.stdout.split() == here


@EACH
def test_names_of_a_file_overlap_neither_and_are_three_millimeters_high_on_a_sheet(scenario):
    root = ET.fromstring(draw_map(scenario))  # noqa: S314 - our own
    width, height = map(int, root.get("viewBox").split()[2:])
    boxes = []
    for each in root.iter(f"{SVG}text"):
        if "name" in each.get("class", "").split():
            x, y, size = (int(each.get(key)) for key in ("x", "y", "font-size"))
            assert size * 594 >= 3 * max(width, height * svg.SHEET // 1_000), each.text
            boxes.append((each.text, svgtext.draw_box((x, y), 600 * len(each.text), size)))
    for number, (name, box) in enumerate(boxes):
        assert not [other for other, more in boxes[number + 1 :] if svgtext.share(box, more)], name


@EACH
def test_names_of_rivers_and_towns_are_clear_of_counters_names_and_numbers(scenario):
    shapes = find_picture(scenario)
    text = draw_map(scenario)
    found = [(*map(int, at), name) for *at, name in re.findall(NAMED, text)]
    assert found
    names = {name: svgtext.draw_box((x, y), 600 * len(name), size) for x, y, size, name in found}
    there = {piece.at for piece in shapes.pieces}
    middles = {region.id: find_middle(region.outline) for region in shapes.regions}
    half = svgtext.COUNTER
    counters = {at: (x - half, y - half, x + half, y + half) for at, (x, y) in middles.items() if at in there}
    streams = re.findall(r'id="course-\d+" fill="none" d="([^"]*)".*?<textPath[^>]*>([^<]*)', text)
    assert streams
    for path, name in streams:
        line = [(10 * x, 10 * y) for x, y in trace(path)[0]]
        middle, long = line[len(line) // 2], sum(math.dist(*pair) for pair in pairwise(line))
        assert long > 300 * len(name), name  # a page enlarges letters, and a short line would cut letters off
        written = [(x, y) for x, y in line if abs(x - middle[0]) + abs(y - middle[1]) < 80 * len(name)]
        for other, (left, top, right, bottom) in {**names, **counters}.items():
            assert not [at for at in written if left < at[0] < right and top < at[1] < bottom], (name, other)
    towns = {name for _at, name in shapes.names} & names.keys()
    assert bool(towns) == bool(shapes.names)
    numbers = dict(list_numbers(text))
    for name in towns:
        assert not [at for at, box in {**counters, **numbers}.items() if svgtext.share(box, names[name])], name


@pytest.mark.some(3)
@EACH
def test_numbers_of_hexes_keep_off_water_and_railways(scenario):
    """Bug: rivers struck hundreds of numbers through."""
    shapes = find_picture(scenario)
    lines = svgland.draw_rivers(shapes.regions, shapes.edges) + svgground.draw_lines(shapes)
    paths = re.findall(r' d="([^"]*)"', lines)
    spots = {(10 * x, 10 * y) for path in paths for loop in trace(path) for x, y in loop}
    numbers = list_numbers(svgground.draw_numbers(shapes))
    assert len(numbers) == len(shapes.regions)
    struck = [
        name
        for name, (left, top, right, bottom) in numbers
        if any(left < x < right and top < y < bottom for x, y in spots)
    ]
    assert len(struck) <= len(numbers) // 100, struck  # no place is free if water is on most sides


def test_a_river_inside_the_map_is_thin_at_one_end_only():
    """The end nearer to the frame is the mouth: the Oka and the Sula end before the frame."""
    shapes = strip()
    rows = [
        [region for region in shapes.regions if region.outline[0][0] == 1500 * column and region.outline[0][1] < 7_000]
        for column in (2, 3)
    ]
    near = [(a, b) for a in rows[0][1:] for b in rows[1] if abs(a.outline[0][1] - b.outline[0][1]) < 1_000]
    drawn = svgland.draw_rivers(shapes.regions, tuple(Edge(a.id, b.id, "river", "Oka") for a, b in near))
    (source,) = trace(re.search(r'river w0" d="([^"]*)"', drawn)[1])
    (mouth,) = trace(re.search(r'river w4" d="([^"]*)"', drawn)[1])
    assert min(y for _x, y in source) > max(y for _x, y in mouth)


def strip(*sides):
    """Return two rows of hexes with units of the first side on the left, and of the second on the right."""
    hexagon = ((0, 0), (1000, 0), (1500, 866), (1000, 1732), (0, 1732), (-500, 866))
    spots = [(1500 * column, 1732 * row + 866 * (column % 2)) for column in range(8) for row in range(6)]
    regions = tuple(
        Region(f"{x}-{y}", tuple((x + a, y + b) for a, b in hexagon), "clear", (x // 750, y // 866)) for x, y in spots
    )
    pieces = tuple(
        Piece(f"u{region.id}", region.id, side, "1-1")
        for side, column in zip(sides, (2, 5), strict=False)
        for region in regions
        if region.outline[0][0] == 1500 * column
    )
    return Picture("flat", regions, pieces=pieces)


def test_the_front_is_between_the_units_of_the_sides_and_ends_with_the_last_unit():
    shapes = strip("one", "other")
    drawn = svgfront.draw_front(shapes, ("one", "other"))
    bands = dict(re.findall(r'front side-(\d)" d="([^"]*)"', drawn))
    for number, path in bands.items():
        left, _top, right, _bottom = list_bounds(path)
        assert 3_000 < 10 * left <= 10 * right < 8_500, number
    assert list_bounds(bands["0"])[0] < list_bounds(bands["1"])[0]  # each color on its side
    assert svgfront.draw_front(strip("one"), ("one", "other")) == ""
    assert svgfront.draw_front(replace(shapes, form=PLANE), ("one", "other")) == ""
    assert "front side-0" in svg.draw_thumbnail(shapes, ("one", "other"))
    assert "front side-1" in svg.render(shapes, ("one", "other"))


def test_every_fortified_hex_has_teeth_and_only_towards_the_enemy():
    """The two rows face the right; the row behind has a line of its own, so that no fortified hex is without sign."""
    shapes = strip("one")
    rows = [[region for region in shapes.regions if region.outline[0][0] == 1500 * column] for column in (2, 3, 4)]
    faces = tuple(
        (one.id, other.id)
        for row, ahead in pairwise(rows)
        for one in row
        for other in ahead
        if abs(one.outline[0][1] - other.outline[0][1]) < 1_000
    )
    marks = tuple(Mark(region.id, "fortification", "one") for region in (*rows[0], *rows[1]))
    drawn = svgground.draw_marks(replace(shapes, faces=faces, marks=marks), ("one", "other"))
    for kind in ("", " teeth"):
        (path,) = re.findall(rf'fortification{kind} side-0" d="([^"]*)"', drawn)
        loops = trace(path)
        assert len(loops) == 2
        assert [
            10 * min(x for x, _y in loop) > find_middle(row[0].outline)[0]
            for loop, row in zip(loops, rows[1::-1], strict=True)
        ]
        assert 10 * max(x for loop in loops for x, _y in loop) < find_middle(rows[2][0].outline)[0]


def test_fortified_lines_that_face_each_other_have_ground_between():
    """Teeth that nearly touch look like a ladder."""
    shapes = strip("one", "other")
    rows = [[region for region in shapes.regions if region.outline[0][0] == 1500 * column] for column in (3, 4)]
    marks = tuple(
        Mark(region.id, "fortification", side)
        for side, row in zip(("one", "other"), rows, strict=True)
        for region in row
    )
    near = [(a.id, b.id) for a in rows[0] for b in rows[1] if abs(a.outline[0][1] - b.outline[0][1]) < 1_000]
    faces = (*near, *((b, a) for a, b in near))
    drawn = svgground.draw_marks(replace(shapes, faces=faces, marks=marks), ("one", "other"))
    one, other = (
        [point for loop in trace(re.search(rf'teeth side-{number}" d="([^"]*)"', drawn)[1]) for point in loop]
        for number in (0, 1)
    )
    wide = int(re.search(r"[.]teeth{stroke-width:(\d+)", svgstyle.CSS)[1])
    assert min(math.dist(a, b) for a in one for b in other) - wide > 10


def test_marsh_in_the_dark_is_greener_than_water():
    """At middle zoom, a bluish marsh looks like a lake."""
    ground, reed = (bytes.fromhex(svgstyle.PALETTE[name][1][1:]) for name in ("marsh", "reed"))
    assert ground[1] > ground[2]
    assert reed[1] > reed[2]
    assert min(reed) > max(ground)


@EACH
def test_a_railway_that_ends_at_the_rim_leaves_the_map(scenario):
    """Bug: railways stopped one hex before the frame."""
    shapes = find_picture(scenario)
    middles = {region.id: find_middle(region.outline) for region in shapes.regions}
    frame = svgland.find_frame(shapes.regions)
    near = [line for line in shapes.lines if {line.a, line.b} <= middles.keys()]
    ends = [at for line in near for at in (line.a, line.b)]
    leaving = {at for at in ends if ends.count(at) == 1 and svgland.find_exit(middles[at], frame)[0] <= 1_800}
    drawn = re.findall(r'<path class="line [^"]*" d="([^"]*)"', svgground.draw_lines(shapes))
    points = {(10 * x, 10 * y) for path in drawn for loop in trace(path) for x, y in loop}
    far = [at for at in leaving if min(math.dist(svgland.find_exit(middles[at], frame)[1], one) for one in points) > 20]
    assert far == []
