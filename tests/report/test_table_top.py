"""Pictures of a table top: pills over targets, thumbnails with models of a visible size."""

import re

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Place, Region, Sight
from kursk_pbem.report.pictures import svg, svgstyle, svgtable
from kursk_pbem.rulesets import ruleset


def gun_line():
    system = ruleset("armor-commander")
    setting = scenarios.make_setting(system, scenarios.load("armor-commander/gun-line"), {}, "players")
    return system, system.seen.picture(setting, system.data.setup(setting))


def test_what_shots_need_is_a_pill_ahead_of_their_targets_and_an_arc_has_a_word():
    mates = [(9_000, 30_000), (10_500, 31_000), (9_000, 33_000)]
    drawn = svgtable.sights(
        [
            *(Sight((9_000, 0), spot, "clear", "5+") for spot in mates),
            Sight((9_000, 0), (40_000, 9_000), "clear", "5+"),  # the same number, but far away
            Sight((0, 0), (1_000, 0), "arc", "front"),
            Sight((0, 0), (1, 1), "blocked"),
        ],
        [Piece("own", "", "german", "", spot=(9_300, 25_500))],
    )
    pills = re.findall(
        r'translate\((\d+),(\d+)\)"><g class="tag aimed"><rect[^>]*/><text y="118">([^<]*)</text>', drawn
    )
    assert [text for _x, _y, text in pills] == ["3 \u00d7 5+", "5+"]
    x, y = map(int, pills[0][:2])
    assert 9_000 <= x <= 10_500
    assert 25_500 + 2_000 < y < 30_000 - 2_000  # clear of the targets and of the own model before them
    assert re.findall(r'<text class="sight-text"[^>]*>([^<]*)', drawn) == ["front"]


def test_a_mark_is_joined_to_the_model_that_moved_on_after_the_shot():
    moved = Piece("g-1", "", "german", "", spot=(5_000, 1_000))
    came = svgtable.Outcome((5_000, 9_000), "saved", "saved", "g-1")
    assert '<path class="ghost"' in svgtable.draw_outcome(came, [moved])
    assert "ghost" not in svgtable.draw_outcome(came, [Piece("g-1", "", "german", "", spot=(5_000, 9_000))])
    assert "<path" not in svgtable.draw_outcome(came, [Piece("g-2", "", "german", "", spot=(5_000, 1_000))])


def test_a_table_has_a_frame_and_shows_all_figures_of_inches():
    system, picture = gun_line()
    drawn = svg.render(picture, system.sides)
    left, top, _width, _height = map(int, re.search(r'viewBox="([^"]*)"', drawn)[1].split())
    assert 'class="neat"' in drawn
    assert 'class="neat outer"' in drawn
    across = re.findall(r'class="inch" x="-?[0-9]+" y="(-?[0-9]+)"', drawn)
    down = re.findall(r'class="inch left" x="(-?[0-9]+)"', drawn)
    assert {int(y) - 1_100 > top for y in across} == {int(x) - 1_300 > left for x in down} == {True}  # on a page, too


def test_a_thumbnail_shows_the_models_and_where_they_stand():
    system, picture = gun_line()
    drawn = svg.draw_thumbnail(picture, system.sides)
    whole = svg.find_frame(svg.to_scale(picture))
    left, top, width, height = map(int, re.search(r'viewBox="([^"]*)"', drawn).group(1).split())
    assert width == height <= min(whole[2:])
    assert left >= whole[0]
    assert top >= whole[1]
    corner = svg.draw_thumbnail(picture, system.sides, whole=True)  # a frame marks the visible part of the table
    assert re.search(r'viewBox="([^"]*)"', corner).group(1) == " ".join(map(str, svg.find_frame(svg.to_scale(picture))))
    models = re.findall(r'translate\((-?\d+),(-?\d+)\) scale\(3\)"><g class="counter model', drawn)
    assert len(models) == len(picture.pieces)
    for x, y in models:
        assert left < int(x) < left + width
        assert top < int(y) < top + height


def test_houses_have_roofs_and_names_are_clear_of_fronts_and_objectives():
    house = Region("mill", ((0, 0), (4000, 0), (4000, 3000), (0, 3000)), "village")
    models = [
        Piece(f"m-{x}{y}", "", "red", "", "armor", spot=(9000, 9000), reach=500, facing=(x, y))
        for x, y in ((0, 1), (0, -1), (1, 0))
    ]
    goal = Place("", "the market", "goal", spot=(2000, 19000), far=3000)
    table = Picture(PLANE, (house,), places=(goal,), pieces=tuple(models), size=(20000, 20000), unit=svg.INCH)
    drawn = svg.render(table, ("red", "blue"))
    assert drawn.count('class="roof dark"') == drawn.count('class="ridge"') == 1
    labels = {name: (int(x), int(y)) for x, y, name in re.findall(r'whole" x="(\S+)" y="(\S+)">([^<]*)', drawn)}
    assert labels["m-01"][1] > 0 > labels["m-0-1"][1]
    assert labels["m-10"][0] < 0
    ((x, y),) = re.findall(r'of-ground"[^>]* x="(\d+)" y="(\d+)"[^>]*>mill', drawn)
    assert (int(x) - 2000) ** 2 + (int(y) - 19000) ** 2 > 3000**2


def test_hulls_of_both_sides_stand_out_from_a_light_and_a_dark_table():
    def measure_light(color):
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for side in ("hull-0", "hull-1"):
        for hull, table in zip(svgstyle.PALETTE[side], svgstyle.PALETTE["table"], strict=True):
            dark, light = sorted((measure_light(hull), measure_light(table)))
            assert (light + 0.05) / (dark + 0.05) > 2.9, (side, hull, table)
