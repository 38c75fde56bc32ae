"""The text map of any picture: hexes, their contents, lines along hexes, and searches."""

import re

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.picture import Edge, Line, Mark, Picture, Piece, Place, Region, Zone, find_adjacent
from kursk_pbem.report import textmap
from kursk_pbem.report.textmap import Page


def hexes(**spots):
    return tuple(Region(label, (), "clear", spot) for label, spot in spots.items())


FLAT = Picture("flat", hexes(h0101=(1, 2), h0201=(2, 3), h0102=(1, 4)))
POINTY = Picture("pointy", hexes(A1=(0, 0), A2=(2, 0), B1=(1, 1)))


def test_columns_of_flat_tops_are_staggered_by_half_a_hex():
    assert textmap.render_map(FLAT, legend=()) == (
        "+h0101 .\n|\n|         +h0201 .\n|         |\n+h0102 .  |\n|         |\n|\n|\n"
    )


def test_rows_of_pointy_tops_are_staggered_by_half_a_hex():
    assert textmap.render_map(POINTY, legend=()) == (
        "+A1 .     +A2 .\n|         |\n|         |\n|         |\n     +B1 .\n     |\n     |\n     |\n"
    )


@pytest.mark.parametrize(
    ("picture", "a", "b", "shown"),
    [
        (FLAT, "h0101", "h0102", {"h0102": "~|||"}),
        (FLAT, "h0101", "h0201", {"h0201": "+~||"}),
        (FLAT, "h0201", "h0102", {"h0201": "+|~~"}),
        (POINTY, "A1", "A2", {"A2": "+~~|"}),
        (POINTY, "A1", "B1", {"B1": "~|||"}),
        (POINTY, "B1", "A2", {"A2": "+||~"}),
    ],
)
def test_an_edge_shows_in_one_border_whichever_way_it_is_written(picture, a, b, shown):
    for one, other in ((a, b), (b, a)):
        drawn = Picture(picture.form, picture.regions, (Edge(one, other, "river"),))
        borders = {label: border for label, border in textmap._draw_borders(drawn).items() if border != "+|||"}
        assert borders == shown


def test_what_stands_in_a_hex():
    pieces = (Piece("g-1", "A1", "german", "5-4", band=True), Piece("g-2", "A1", "german", "3-3"))
    places, marks = (Place("A1", "Stalino", "city", "german"),), (Mark("A1", "objective"), Mark("A1", "fortification"))
    drawn = Picture("pointy", POINTY.regions, (), places, pieces, marks)
    lines = textmap.render_map(drawn, legend=textmap.explain_signs(drawn)).split("\n")
    assert [line[1:10].rstrip() for line in lines[:4]] == ["A1 .cg#", "!Stalino", "g-1 +1", "(5-4)"]
    legend = "\n".join(lines)
    assert "c City" in legend
    assert "# an active fortification, with the first letter of the owner." in legend  # for any holder of the hex
    assert "Line 4: the figures, (in brackets) if the unit is reduced." in legend


def test_brackets_of_a_counter_are_no_sign_of_a_loss():
    """Kursk (1971) 7.0-g: '(3)-8' is a whole brigade."""
    drawn = Picture("pointy", POINTY.regions, (), (), (Piece("g-10br", "A1", "german", "(3)-8"),))
    assert "Line 4: the figures, as on the counter." in textmap.explain_signs(drawn)


def test_what_can_be_found():
    drawn = Picture("pointy", POINTY.regions, (), (Place("A2", "Orel", "city"),), (Piece("g-1", "B1", "g", "1"),))
    named = Picture("pointy", hexes(A1=(0, 0), A12=(22, 0)), (), (Place("A12", "A12 Tula", "city"),))
    assert textmap.find_region(named, "a1").id == "A1"  # not the city in a hex with these first digits
    for wanted, found in (("A1", "A1"), ("a1", "A1"), ("orel", "A2"), ("G-1", "B1")):
        assert textmap.find_region(drawn, wanted).id == found
    towns = (("A1", "Tomarovka"), ("B1", "Tim"))  # towns named in reports but not drawn on maps
    called = Picture("pointy", POINTY.regions, names=towns)
    assert textmap.find_region(called, "tomarovka").id == "A1"
    with pytest.raises(UsageError, match=r"^'t' may be A1 \(Tomarovka\), B1 \(Tim\): say which place"):
        textmap.find_region(called, "t")
    for wanted in ("a9", "Kursk", "g-2", "\x1b[31m"):
        with pytest.raises(UsageError, match="is not on the map") as error:
            textmap.find_region(drawn, wanted)
        assert "\x1b" not in error.value.message


def test_a_unit_is_found_by_what_its_counter_says():
    """Orders use '15' for the 15th, not for a town in a hex beginning with 15. Two equal names need a choice."""
    pieces = (Piece("s-15", "A2", "soviet", "2-4", name="15"), Piece("s-8g", "B1", "soviet", "3-5", name="8G"))
    spots = hexes(**{"1510": (0, 0), "A2": (2, 0), "B1": (1, 1)})
    drawn = Picture("pointy", spots, names=(("1510", "Kromy"),), pieces=pieces)
    for said, found in (("15", "A2"), ("8g", "B1"), ("8 G", "B1"), ("S-8G", "B1"), ("kromy", "1510")):
        assert textmap.find_region(drawn, said).id == found
    twins = Picture("pointy", drawn.regions, pieces=(*pieces, Piece("g-15", "B1", "german", "2-5")))
    with pytest.raises(UsageError, match=r"'15' may be s-15 \(15\), g-15: say which unit you mean"):
        textmap.find_region(twins, "15")


def test_a_window_holds_what_is_near():
    row = Picture("flat", hexes(**{f"h{n:02d}": (n, n % 2) for n in range(20)}))
    shown = textmap.render_map(row, around="h10", radius=2, legend=())
    assert [label in shown for label in ("h07", "h08", "h12", "h13")] == [False, True, True, False]


def test_a_table_top_is_drawn_to_scale():
    wood = Region("wood", ((0, 0), (1000, 0), (1000, 1000), (0, 1000)), "forest")
    tank = Piece("t-1", "", "german", "Tiger", marks=("pinned",), spot=(1250, 3000))
    drawn = Picture("plane", (wood,), pieces=(tank,), size=(3600, 3600), unit=100)
    lines = textmap.render_map(drawn).split("\n")
    assert lines[0] == "." * 72
    assert lines[35] == "f" * 20 + "." * 52
    assert lines[(3600 - 3000) // 100][25] == "1"
    assert "  1  t-1 at 12.50, 30.00  Tiger, pinned" in lines


# Legend lines: lines, shading, owners


@pytest.mark.parametrize(
    ("a", "b", "shown"),
    [
        ("h0101", "h0102", {"h0102": "H|||"}),
        ("h0101", "h0201", {"h0201": "+H||"}),
        ("h0201", "h0102", {"h0201": "+||H"}),
    ],
)
def test_a_railway_shows_where_it_crosses_a_side_and_a_river_stays(a, b, shown):
    """On one line one sign shows both; on two lines each has a sign."""
    rail = Picture("flat", FLAT.regions, lines=(Line(a, b, "railway"),))
    assert {at: border for at, border in textmap._draw_borders(rail).items() if border != "+|||"} == shown
    both = Picture("flat", FLAT.regions, (Edge(a, b, "river"),), lines=(Line(b, a, "railway"),))
    ((at, border),) = [each for each in textmap._draw_borders(both).items() if each[1] != "+|||"]
    assert at in shown
    assert border in ("%|||", "+%||", "+|~H")


def test_a_fortification_says_whose_it_is_also_beside_a_city():
    marks = (Mark("A1", "fortification", "red"), Mark("A2", "fortification", "blue"))
    drawn = Picture("pointy", POINTY.regions, (), (Place("A1", "Mill", "city", "blue"),), marks=marks)
    first = textmap.render_map(drawn).split("\n")[0]
    assert first == "+A1 .cb#r +A2 .#b"


def test_zones_are_shaded_behind_the_figures_on_request():
    pieces = (Piece("g-1", "A1", "german", "5-4"),)
    drawn = Picture("pointy", POINTY.regions, pieces=pieces, zones=(Zone("german", ("A1", "B1")), Zone("russian", ())))
    plain, shaded = (textmap.render_map(drawn, page=Page(zone=zone)).split("\n") for zone in ("", "ger"))
    assert ":" not in "".join(plain)
    assert shaded[3].startswith("|5-4 :::::")
    assert shaded[7].endswith(":" * 9)
    with pytest.raises(UsageError, match="'blue' has no zones of control on this map; german, russian have"):
        textmap.render_map(drawn, page=Page(zone="blue"))


def test_colours_are_those_of_sides_and_nothing_of_a_scenario_reaches_the_terminal():
    evil = Picture(
        "pointy",
        POINTY.regions,
        places=(Place("A1", "\x1b[31mMill", "city", "red"),),
        pieces=(Piece("g-1", "A1", "blue", "5-4"), Piece("r-1", "A2", "red", "5-4")),
    )
    text = textmap.render_map(evil, page=Page(colour=True))
    assert "\x1b[1;36mg-1\x1b[0m" in text
    assert "\x1b[1;31mr-1\x1b[0m" in text
    assert "\x1b[31m" not in text
    assert re.sub("\x1b\\[[0-9;]+m", "", text) == textmap.render_map(evil)


def test_formations_are_named_for_the_units_shown():
    pieces = (
        Piece("g-1", "A1", "blue", "5-4", formation="1st Army"),
        Piece("g-2", "B1", "blue", "5-4"),
        Piece("g-3", "A2", "blue", "5-4", formation="1st Army"),
    )
    drawn = Picture("pointy", POINTY.regions, pieces=pieces)
    assert textmap.formations(drawn) == ["1st Army (blue): g-1 A1, g-3 A2"]
    assert textmap.formations(drawn, around="A1", radius=0) == ["1st Army (blue): g-1 A1"]


# Small hexes


ROW = tuple(Region(f"{x:02d}{y:02d}", (), "clear", (x, 2 * y + x % 2)) for x in range(1, 21) for y in range(1, 4))


@pytest.mark.parametrize("width", [64, 80, 120, 160, 199])
def test_a_map_is_as_wide_as_the_page_at_most(width):
    pieces = tuple(Piece(f"g-{x}-pz", f"{x:02d}02", "german", "10-6", band=x % 2 == 1) for x in range(1, 21))
    drawn = Picture("flat", ROW, pieces=pieces)
    lines = textmap.render_map(drawn, page=Page(width)).split("\n")
    assert max(map(len, lines)) <= width
    assert [lines[0].find(f"{x:02d}") for x in (1, 20)] != [-1, -1]
    assert "".join(lines).count("g") == 20


def test_small_hexes_say_as_much_of_a_unit_as_there_is_room_for():
    drawn = Picture("flat", ROW, pieces=(Piece("g-148-pz", "0502", "german", "10-6", band=True),))
    seen = {width: textmap.render_map(drawn, page=Page(width)) for width in (64, 130, 170, 190, 300)}
    shown = {width: re.search(r"g[-(]?[0-9][-0-9a-z()]*", text)[0] for width, text in seen.items()}
    assert shown == {64: "g10", 130: "g10-6", 170: "g(10-6)", 190: "g-148-pz", 300: "g-148-pz"}
    assert "+0502 ." in seen[300], "there is room for the usual blocks"


def test_small_hexes_keep_cities_owners_marks_and_zones():
    marks = (Mark("0502", "fortification", "red"), Mark("0602", "objective"))
    places = (Place("0502", "Mill", "city", "blue"), Place("0602", "Ford", "major-city"))
    drawn = Picture("flat", ROW, places=places, marks=marks, zones=(Zone("red", ("0502",)),))
    text = textmap.render_map(drawn, page=Page(130, zone="red"))
    assert ".cb#r" in text
    assert "!C" in text
    assert ":::::" in text
    legend = " ".join(textmap.explain_signs(drawn, page=Page(130)))
    assert "number of a hex: the column" in legend
    assert "Line 1 of a hex: ground ." in legend, "numbers stand along the rim"


def test_numbers_stand_above_rows_of_small_hexes_too():
    regions = tuple(Region(f"{'AB'[y]}{x + 1}", (), "clear", (2 * x + y, y)) for x in range(17) for y in (0, 1))
    lines = textmap.render_map(Picture("pointy", regions), page=Page(80)).split("\n")
    assert lines[0].split() == [str(x) for x in range(1, 18)]
    assert lines[1].startswith("A .")
    assert {lines[1][number.start()] for number in re.finditer("[0-9]+", lines[0])} == {"."}


def test_beside_a_hex_stand_its_neighbours():
    assert find_adjacent(FLAT, "h0101") == ("h0201", "h0102")
    assert find_adjacent(POINTY, "A1") == ("A2", "B1")
    assert find_adjacent(FLAT, "nowhere") == ()


def test_a_long_name_does_not_hide_how_many_stand_under_it():
    under = (Piece("g-47pzk", "A1", "g", "7-6-4"), Piece("g-505", "A1", "g", "[1-1-4]"))
    drawn = Picture("pointy", hexes(A1=(0, 0)), pieces=under)
    shown = textmap.render_map(drawn, legend=textmap.explain_signs(drawn))
    assert "|g-47pzk+1" in shown
    assert "with the brackets of the counter" in " ".join(shown.split())
