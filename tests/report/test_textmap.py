"""The text map of any picture: how hexes stand, what they hold, what runs along them, what is found on it."""

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.picture import Edge, Mark, Picture, Piece, Place, Region
from kursk_pbem.report import textmap

SQUARE = ((0, 0), (20, 0), (20, 20), (0, 20))


def hexes(**spots):
    return tuple(Region(label, (), "clear", spot) for label, spot in spots.items())


FLAT = Picture("flat", hexes(h0101=(1, 2), h0201=(2, 3), h0102=(1, 4)))
POINTY = Picture("pointy", hexes(A1=(0, 0), A2=(2, 0), B1=(1, 1)))


def test_columns_of_flat_tops_are_staggered_by_half_a_hex():
    assert textmap.render(FLAT, legend=()) == (
        "+h0101 .\n|\n|         +h0201 .\n|         |\n+h0102 .  |\n|         |\n|\n|\n"
    )


def test_rows_of_pointy_tops_are_staggered_by_half_a_hex():
    assert textmap.render(POINTY, legend=()) == (
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
        borders = {label: border for label, border in textmap._borders(drawn).items() if border != "+|||"}
        assert borders == shown


def test_what_stands_in_a_hex():
    pieces = (Piece("g-1", "A1", "german", "5-4", band=True), Piece("g-2", "A1", "german", "3-3"))
    places, marks = (Place("A1", "Stalino", "city", "german"),), (Mark("A1", "objective"), Mark("A1", "fortification"))
    drawn = Picture("pointy", POINTY.regions, (), places, pieces, marks)
    lines = textmap.render(drawn).split("\n")
    assert [line[1:10].rstrip() for line in lines[:4]] == ["A1 .cg#", "!Stalino", "g-1 +1", "(5-4)"]
    legend = "\n".join(lines)
    assert "c City" in legend
    assert "an active fortification" in legend
    assert "Line 4: its figures, (in brackets) if it is reduced." in legend


def test_what_can_be_found():
    drawn = Picture("pointy", POINTY.regions, (), (Place("A2", "Orel", "city"),), (Piece("g-1", "B1", "g", "1"),))
    for wanted, found in (("A1", "A1"), ("orel", "A2"), ("G-1", "B1")):
        assert textmap.find(drawn, wanted).id == found
    for wanted in ("a1", "Kursk", "g-2", "\x1b[31m"):
        with pytest.raises(UsageError, match="is no place of this map") as error:
            textmap.find(drawn, wanted)
        assert "\x1b" not in error.value.message


def test_a_window_holds_what_is_near():
    row = Picture("flat", hexes(**{f"h{n:02d}": (n, n % 2) for n in range(20)}))
    shown = textmap.render(row, around="h10", radius=2, legend=())
    assert [label in shown for label in ("h07", "h08", "h12", "h13")] == [False, True, True, False]


def test_a_table_top_is_drawn_to_scale():
    wood = Region("wood", ((0, 0), (1000, 0), (1000, 1000), (0, 1000)), "forest")
    tank = Piece("t-1", "", "german", "Tiger", marks=("pinned",), spot=(1250, 3000))
    drawn = Picture("plane", (wood,), pieces=(tank,), size=(3600, 3600), unit=100)
    lines = textmap.render(drawn).split("\n")
    assert lines[0] == "." * 72
    assert lines[35] == "f" * 20 + "." * 52
    assert lines[(3600 - 3000) // 100][25] == "1"
    assert "  1  t-1 at 12.50, 30.00  Tiger, pinned" in lines
