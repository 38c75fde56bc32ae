"""Pictures of every system's maps: well formed, complete, clear counters, safe from names."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from helpers import registry

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.picture import PLANE, Mark, Picture, Piece, Place, Region, find_middle
from kursk_pbem.report.pictures import svg, svgcounters, svgground, svgtext
from report.paths import SVG, draw_map, find_picture, list_bounds, list_maps

EACH = pytest.mark.parametrize("scenario", list_maps(registry.kits()))


def read_map(scenario: str) -> ET.Element:
    return ET.fromstring(draw_map(scenario))  # noqa: S314 - our own


def drawn(shapes: Picture, kit: registry.Kit, **more: object) -> ET.Element:
    return ET.fromstring(svg.render(shapes, kit.ruleset.sides, **more))  # noqa: S314 - our own


def moved(element: ET.Element) -> tuple[int, int]:
    x, y = re.fullmatch(r"translate\((-?\d+),(-?\d+)\)", element.get("transform", "")).groups()
    return int(x), int(y)


def classes(element: ET.Element) -> list[str]:
    return element.get("class", "").split()


def counters(root: ET.Element) -> list[ET.Element]:
    return [each for each in root.iter(f"{SVG}g") if "counter " in f"{each.get('class', '')} "]


@EACH
def test_every_counter_on_the_map_is_drawn_or_counted_and_stands_in_its_hex(scenario):
    """The top two counters of a stack are drawn, and a number counts the others.

    A counter is closer to the hex middle than to a hexside.
    """
    shapes = find_picture(scenario)
    root = read_map(scenario)
    middles = {each.id: find_middle(each.outline) for each in shapes.regions}
    stacks: dict[str, list[str]] = {}
    for piece in shapes.pieces:
        if piece.at in middles:
            stacks.setdefault(piece.at, []).append(piece.id)
    ids = {next(each.iter(f"{SVG}title")).text.partition(",")[0]: moved(each) for each in counters(root)}
    if shapes.form == PLANE:
        assert ids.keys() == {piece.id for piece in shapes.pieces}
        return
    assert ids.keys() == {uid for stack in stacks.values() for uid in stack[: svgcounters.SHOWN]}
    numbers = sorted(each.text for each in root.iter(f"{SVG}text") if each.get("class") == "count")
    assert numbers == sorted(str(len(stack)) for stack in stacks.values() if len(stack) > 1)
    for at, stack in stacks.items():
        for uid in stack[: svgcounters.SHOWN]:
            assert all(abs(a - b) <= 290 for a, b in zip(ids[uid], middles[at], strict=True)), uid


@EACH
def test_every_place_is_named_once(scenario):
    shapes = find_picture(scenario)
    shown = [each for each in read_map(scenario).iter(f"{SVG}text") if "of-ground" not in classes(each)]
    names = ["".join(each.itertext()) for each in shown if "name" in classes(each)]
    towns = {name for _at, name in shapes.names}
    assert sorted({*names} - towns) == sorted(place.name for place in shapes.places if place.name)
    assert len(names) == len({*names})  # a town, which is decoration, has a name where there is room


@EACH
def test_every_reference_of_a_file_is_in_the_file(scenario):
    """Bug: Batik refused sheets, because a mark had no sign."""
    text = draw_map(scenario)
    assert {*re.findall(r'href="#([^"]*)', text)} <= {*re.findall(r' id="([^"]*)', text)}


@EACH
def test_no_name_or_number_lies_under_or_over_a_counter(scenario):
    """The test compares boxes of letters, six tenths of the height wide, with boxes of counters."""
    shapes = find_picture(scenario)
    if shapes.form == PLANE:
        pytest.skip("models stand where they like")
    root, half = read_map(scenario), svgcounters.HALF
    boxes = [moved(each) for each in counters(root)]
    numbers = next(each for each in root.iter(f"{SVG}g") if each.get("class") == "numbers")
    texts = [(each, 130) for each in numbers]
    texts += [(each, int(each.get("font-size"))) for each in root.iter(f"{SVG}text") if "name" in classes(each)]
    for each, size in texts:
        x, y, wide = int(each.get("x")), int(each.get("y")), 30 * size * len(each.text) // 100
        low, high = y - 7 * size // 10, y + size // 5
        for a, b in boxes:
            apart = x + wide <= a - half or x - wide >= a + half or high <= b - half or low >= b + half
            assert apart, (each.text, a, b)


@pytest.mark.some(4)
@EACH
def test_a_part_of_the_map_has_a_smaller_frame(scenario):
    shapes, kit = find_picture(scenario), registry.of_scenario(scenario)
    whole = read_map(scenario).get("viewBox").split()
    shape = (*shapes.pieces, *shapes.regions)[0]  # only ground before a deployment
    part = drawn(shapes, kit, around=shape.id, radius=2).get("viewBox").split()
    assert int(part[2]) < int(whole[2])
    with pytest.raises(UsageError):
        svg.render(shapes, kit.ruleset.sides, around="nowhere at all")


def test_names_from_files_cannot_break_out():
    """A name of a place or unit stays text; characters outside XML become question marks."""
    kit = registry.kit()
    shapes = find_picture(kit.scenarios[0])
    hostile = '</text><script>alert("x")</script>&\x00\x1b\ufffe'
    where = shapes.regions[0].id
    one = Piece(hostile, where, kit.sides[0], hostile, hostile, hostile, hostile, marks=(hostile,))
    shapes = replace(shapes, pieces=(one,), places=(Place(where, hostile, "city", hostile),))
    root = drawn(shapes, kit, title=hostile)
    assert not list(root.iter(f"{SVG}script"))
    assert not any(name.startswith("on") for each in root.iter() for name in each.attrib)
    assert svgtext.escape("<a href='x'>\x07") == "&lt;a href=&#39;x&#39;&gt;?"


def test_the_same_position_is_the_same_bytes():
    kit = registry.kit()
    shapes = find_picture(kit.scenarios[0])
    assert svg.render(shapes, kit.sides) == draw_map(kit.scenarios[0])


def test_regions_that_touch_have_one_outline():
    """Shared sides are omitted, a hole has a separate outline, and a stack's hex counts once."""
    hexes = {
        (x, y): (
            (x * 15, y * 18 + x % 2 * 9),
            (x * 15 + 10, y * 18 + x % 2 * 9),
            (x * 15 + 15, y * 18 + 9 + x % 2 * 9),
            (x * 15 + 10, y * 18 + 18 + x % 2 * 9),
            (x * 15, y * 18 + 18 + x % 2 * 9),
            (x * 15 - 5, y * 18 + 9 + x % 2 * 9),
        )
        for x in range(3)
        for y in range(3)
    }
    one, other = hexes[0, 0], hexes[0, 1]
    assert svgground.area([one, one]).count("M") == 1
    assert svgground.area([one, other]).count("M") == 1
    assert svgground.area([one, hexes[2, 2]]).count("M") == 2
    ring = [each for at, each in hexes.items() if at != (1, 1)]
    assert svgground.area(ring).count("M") == 2
    assert svgground.area([*ring, hexes[1, 1]]) == svgground.area(hexes.values())


@pytest.mark.parametrize(("facing", "corner"), [((2, 0), "M790 0"), ((-2, 0), "M-790 0"), ((0, 1), "M0 -790")])
def test_a_counter_that_faces_somewhere_points_there(facing, corner):
    """A picture counts upwards, and an SVG downwards. The arrowhead is outside the counter's edge."""
    piece = Piece("a", "1", "one", "4-6", "armor", facing=facing)
    text = svgcounters.draw_counter(piece, (0, 0), ("one", "other"), {})
    assert f'class="faces" d="{corner}L' in text
    assert "faces" not in svgcounters.draw_counter(replace(piece, facing=(0, 0)), (0, 0), ("one", "other"), {})


def test_letters_never_leave_a_counter():
    """The text length is set, and is within the edges for every font."""
    piece = Piece(
        "a", "1", "one", "[10A-12/14-16]", "armor", "XXXXXX", "the formation", name="a very long name of a unit"
    )
    root = ET.fromstring(svgcounters.draw_counter(piece, (0, 0), ("one", "other"), {"the formation": 3}))  # noqa: S314 - our own
    lines = [each for each in root.iter("text") if each.get("textLength")]
    assert {each.get("class") for each in lines} == {"id", "figures", "size"}
    for line in lines:
        half = int(line.get("textLength")) // 2
        assert abs(int(line.get("x"))) + half <= svgcounters.HALF - 20, line.get("class")


def test_a_zone_has_one_outline_inside_its_hexes():
    """Shared sides of two fortified hexes are omitted. The line is inside, for both orders of the corners."""
    pair = (((0, 0), (1000, 0), (1500, 866), (1000, 1732), (0, 1732), (-500, 866)),)
    flat = [pair[0], tuple((x, y + 1732) for x, y in pair[0])]
    for outlines in (flat, [tuple((y, x) for x, y in outline) for outline in flat]):
        regions = tuple(Region(str(number), outline, "clear") for number, outline in enumerate(outlines))
        shapes = Picture("flat", regions, marks=(Mark("0", "fortification", "one"), Mark("1", "fortification", "one")))
        drawn = svgground.draw_marks(shapes, ("one", "other"))
        assert drawn.count('<path class="fortification side-0"') == 1
        assert drawn.count("M") == 2  # the line and the teeth
        corners = [at for each in outlines for at in each]
        found = list_bounds(re.search(r'fortification side-0" d="([^"]*)"', drawn)[1])
        for axis in (0, 1):
            outer = [at[axis] for at in corners]
            assert min(outer) < 10 * found[axis] < 10 * found[axis + 2] < max(outer)


def test_a_formation_keeps_its_colour_on_every_cut_of_the_map():
    """If one of two formations has no units, the other stripe keeps the second color."""
    one = Piece("a", "1", "one", "4-6", "armor", formation="second army")
    shapes = Picture("flat", (), pieces=(one,), formations=("first army", "second army"))
    assert svgcounters.number_formations(shapes) == {"first army": 0, "second army": 1}


def test_rivers_have_names_and_banks():
    root = read_map("battle-for-kursk/citadel")
    names = {"".join(each.itertext()) for each in root.iter(f"{SVG}text") if "stream" in classes(each)}
    assert {"Psel", "Desna", "Oka"} <= names
    assert any("casing" in classes(each) for each in root.iter(f"{SVG}path"))
