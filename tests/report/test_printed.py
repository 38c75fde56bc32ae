"""Tables, legends, arrows and parts of maps: complete, within the page, and explained once (docs/players.md 5)."""

import re
from dataclasses import replace

import pytest
from helpers import registry

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import events
from kursk_pbem.kernel.brief import Table
from kursk_pbem.kernel.events import Force, Fought, Moved, Row
from kursk_pbem.kernel.picture import Edge, Mark, Picture, Piece, Place, Region
from kursk_pbem.report import tables, textplane, trails
from kursk_pbem.report.pictures import svg, svglegend

CRT = Table("Combat Results Table", "9.2", ("die", "1:1", "3:1"), (("1", "AE", "DR"), ("2", "NE")), ("NE: none.",))
TRACK = Table("Turn Track", "5.0", ("turn", "weather"), (("1", "dry"), ("> 2", "mud")), (), "invented: ours")


# Tables


def test_tables_keep_to_the_page_and_strips_repeat_the_first_column():
    wide = Table("Odds", "9", ("die", *(f"column {n}" for n in range(9))), (("six", *map(str, range(100, 109))),))
    page = tables.render_tables([wide, CRT], 40)
    lines = page.splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[0] == "Odds [9]"
    assert len([line for line in lines if line.startswith("  die")]) > 2
    assert len([line for line in lines if line.startswith("  six")]) == len(re.findall("  die +column", page))
    told = " ".join(page.split())
    assert all(f" {number} " in told for number in range(100, 109))
    assert page.endswith("\n  2    NE\n  NE: none.\n")


def test_a_long_cell_is_wrapped_in_its_column_and_the_origin_of_the_data_is_named():
    told = Table("Terrain", "8", ("hex", "effect"), (("forest", "every unit stops " * 9),), (), "invented: ours")
    lines = tables.render_tables([told]).splitlines()
    assert max(map(len, lines)) <= 78
    column = lines[1].index("effect")
    assert {line[:column].strip() for line in lines[2:-1]} == {"forest", ""}
    assert lines[-1] == "  Data: invented: ours."


@pytest.mark.parametrize(("wanted", "found"), [("crt", [CRT]), ("9.2", [CRT]), ("turn", [TRACK]), ("", [CRT, TRACK])])
def test_a_table_is_found_by_word_beginnings_or_paragraph(wanted, found):
    assert [*tables.find_tables([CRT, TRACK], wanted)] == found


def test_an_unknown_table_is_refused_with_the_known_ones():
    for wanted in ("weather", "crt 5.0"):
        with pytest.raises(UsageError, match=r"Combat Results Table \[9.2\], Turn Track \[5.0\]"):
            tables.find_tables([CRT, TRACK], wanted)


# Legends


def square(name, x, terrain="clear"):
    return Region(name, ((x, 0), (x + 1000, 0), (x + 1000, 1000), (x, 1000)), terrain, (x // 500, 0))


MAP = Picture("pointy", (square("a", 0), square("b", 1000, "forest")), pieces=(Piece("g-1", "a", "german", "4-6"),))
FULL = replace(
    MAP,
    edges=(Edge("a", "b", "river"),),
    places=(Place("a", "Kursk", "major-city", "russian"),),
    marks=(Mark("b", "fortification", "russian"),),
    pieces=(Piece("g-1", "a", "german", "4-6", formation="one", band=True, marks=("disrupted",), facing=(0, 1)),),
)


def explain(picture):
    return [words for _sign, words in svglegend.list_signs(picture, ("german", "russian"), ("German", "Russian"))]


def test_the_legend_explains_each_sign_of_the_map_once_and_no_other():
    words = explain(FULL)
    assert len({*words}) == len(words)
    signs = {"clear", "forest", "a river", "Major City", "held by the German side", "held by the Russian side"}
    signs |= {"an active fortification: teeth to the enemy", "a German unit", "a Russian unit", "disrupted"}
    signs |= {"the arrowhead: the facing", "reduced: a white band, the symbol faded", "the stripe: the formation"}
    assert signs <= {*words}
    always = {"clear", "forest", "a German unit", "a Russian unit"}
    assert {*words} - {*explain(MAP)} == signs - always


def test_a_sheet_has_the_legend_without_signs_of_the_board_and_marks_the_present_turn():
    sides, names = ("german", "russian"), ("German", "Russian")
    drawn = svg.render(MAP, sides)
    sheet = svglegend.add_cartouche(drawn, MAP, sides, names, ("Citadel", "turn 2"), ((TRACK,), (CRT,)))
    told = re.findall("<text[^>]*>([^<]*)", sheet.partition('class="sheet"')[2])
    assert told[:3] == ["Citadel", "turn 2", "5 hexes"]
    assert {"forest", "a German unit", "Combat Results Table", "AE", "NE: none.", "Turn Track"} <= {*told}
    assert not {words for words in told if "the chosen unit" in words}
    assert sheet.count('class="turn"') == sheet.count('class="now"') == 1
    before, _now, after = sheet.partition('class="now"')
    assert ("weather dry" in before, "weather mud" in after) == (True, True)


def test_a_sheet_with_room_has_the_order_of_battle_and_boxes_for_counters():
    """A sheet without room omits the order of battle, so that the letters of the map stay as large."""
    sides, names = ("german", "russian"), ("German", "Russian")
    tall = replace(
        FULL, regions=(*MAP.regions, Region("c", tuple((x, y + 60_000) for x, y in MAP.regions[0].outline), "clear"))
    )

    def read(tables):
        sheet = svglegend.add_cartouche(svg.render(tall, sides), tall, sides, names, ("x",), ((TRACK,), tables))
        assert (
            svglegend.add_cartouche(svg.render(tall, sides), tall, sides, names, ("x",), ((), ())).count("holding") == 0
        )
        return re.findall("<text[^>]*>([^<]*)", sheet.partition('class="sheet"')[2]), sheet

    told, sheet = read((CRT,))
    assert {"German order of battle", "one", "g-1", "German: eliminated", "Russian: off the map"} <= {*told}
    assert sheet.count('class="holding"') == 4
    told, sheet = read((CRT,) * 150)
    assert "German order of battle" not in told
    assert 'class="holding"' not in sheet


def test_a_sheet_names_the_parts_of_a_drawn_counter():
    def figures(piece):
        return tuple(zip(piece.figures.split("-"), ("strength", "movement"), strict=True))

    sides, names = ("german", "russian"), ("German", "Russian")
    drawn = svg.render(MAP, sides)
    sheets = [
        svglegend.add_cartouche(drawn, MAP, sides, names, ("x",), ((TRACK,), (CRT,)), *more)
        for more in ((), (figures,))
    ]
    told = [re.findall('class="part"[^>]*>([^<]*)', sheet) for sheet in sheets]
    assert told == [[], ["g-1: the name", "symbol: ", "4: strength", "6: movement"]]


def test_a_sheet_grows_by_its_panel_below_a_wide_map_and_beside_a_tall_one():
    sides = ("german", "russian")

    def measure(text):
        return [*map(int, re.search(r'viewBox="([^"]*)"', text)[1].split())]

    def lay(picture, *printed):
        drawn = svg.render(picture, sides)
        return measure(drawn), measure(svglegend.add_cartouche(drawn, picture, sides, sides, ("x",), printed))

    tall = replace(
        MAP, regions=(square("a", 0), Region("b", tuple((x, y + 9000) for x, y in MAP.regions[0].outline), "clear"))
    )
    before, after = lay(MAP, (TRACK,), (CRT,))
    assert after[:3] == before[:3]
    assert after[3] > before[3]
    before, after = lay(tall, (TRACK,), (CRT,))
    assert after[2] > before[2]
    before, after = lay(tall, (), ())
    assert after[2] == before[2]


# A part of a table top

TABLE = Picture("plane", (), pieces=(Piece("g-1", "", "german", "", spot=(1000, 1000)),), size=(7200, 4800), unit=100)


def test_a_window_of_a_table_top_leaves_out_what_is_outside_in_either_direction():
    others = (Piece("aside", "", "german", "", spot=(7000, 1000)), Piece("above", "", "german", "", spot=(1000, 4700)))
    goals = (Place("", "mill", "goal", spot=(1200, 1200)), Place("", "ford", "goal", spot=(1200, 4700)))
    table = replace(TABLE, pieces=(*TABLE.pieces, *others), places=goals)
    page = "\n".join(textplane.draw_table(table, TABLE.pieces[0]))
    assert ("g-1 at 10.00, 10.00" in page, "mill, objective, at 12.00, 12.00" in page) == (True, True)
    assert not re.search("aside|above|ford", page)
    assert re.search("aside.*above", "\n".join(textplane.draw_table(table)), re.DOTALL)


def test_a_narrow_page_gets_a_table_top_in_strips_with_their_distances():
    lines = textplane.draw_table(TABLE, width=40)
    heads = [line for line in lines if line.endswith("inches from the left:")]
    assert heads == ["0.00 to 40.00 inches from the left:", "40.00 to 72.00 inches from the left:"]
    assert max(map(len, lines[: lines.index("") + 1])) <= 40


@pytest.mark.parametrize(
    ("typed", "written"),
    [("33,20; 34 21.5", "33.00, 20.00; 34.00, 21.50"), ("1.25 2", "1.25, 2.00"), ("1", ""), ("1 2 3", ""), ("a b", "")],
)
def test_places_in_inches_are_written_as_in_files(typed, written):
    assert textplane.format_places(typed) == written


# Arrows

BATTLE = Fought(
    *("9", "one", "b", Force("german", (Row("g-1", "a", "4", (), "4"), Row("g-2", "", "2", (), "2")), "6")),
    *(Force("russian", (), "2"), "3:1", (), "3:1", "3:1"),
)


def test_each_move_and_each_attacker_on_the_map_has_an_arrow():
    kit = registry.kit()
    words = kit.ruleset.seen.words(kit.setting(kit.scenarios[0], {}))
    ground = trails.Ground(MAP)
    a, b = (500, 500), (1500, 500)
    moved = [Moved("8", "g-24-pz", "a", ("off", "b"), how) for how in ("retreat", "flight")]
    arrows = [*trails.list_arrows(ground, words, [*moved, BATTLE], old=True)]
    assert [(arrow.points, arrow.kind) for arrow in arrows] == [
        ((a, b), "retreat"),
        ((a, b), "move"),
        ((a, b), "attack"),
    ]
    assert {arrow.side for arrow in arrows} == {"german"}
    assert all(arrow.old for arrow in arrows)


def test_a_fought_battle_shows_result_and_dice_and_a_later_one_unsure_odds():
    ground = trails.Ground(MAP)
    done, later = replace(BATTLE, dice="4", result="DR"), replace(BATTLE, battle="two")
    shown = [*trails.list_bursts(ground, [done, BATTLE, later, replace(later, place="off")])]
    assert [(burst.text, burst.dice) for burst in shown] == [("DR", "4"), ("3:1", ""), ("3:1?", "")]
    assert "fought after one" in shown[2].title


def test_the_last_test_of_a_shot_is_told_at_its_target_with_all_dice():
    hit = events.Tested("5", "g-1", "a hit", "g-1/1", "53", "8 or more", True, "hit", "1/2", target="s-1")
    save = events.Tested("6", "s-1", "a save", "g-1/2", "2", "5 or more", False, "destroyed", "1/3")
    arrows, shown = trails.draw_shot({"s-1": (9, 9)}, None, [hit, save])
    assert [(burst.at, burst.text, burst.dice) for burst in shown] == [((9, 9), "destroyed", "532")]
    assert (arrows, trails.draw_shot({}, None, [hit, save])) == ([], ([], []))
