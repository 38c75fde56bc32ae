"""Pictures of a table top: pills over targets, thumbnails with models of a visible size."""

import re

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.picture import Sight
from kursk_pbem.report import svg, svgsights, svgthumb
from kursk_pbem.rulesets import ruleset


def gun_line():
    system = ruleset("armor-commander")
    setting = scenarios.make_setting(system, scenarios.load("armor-commander/gun-line"), {}, "players")
    return system, system.seen.picture(setting, system.data.setup(setting))


def test_what_a_shot_needs_is_a_pill_over_its_target_and_an_arc_has_a_word():
    drawn = svgsights.sights(
        [
            Sight((0, 0), (5000, 9000), "clear", "5+"),
            Sight((0, 0), (1000, 0), "arc", "front"),
            Sight((0, 0), (1, 1), "blocked"),
        ]
    )
    assert re.findall(r'translate\(5000,(\d+)\)"><g class="tag aimed"><rect[^>]*/><text y="118">5\+</text>', drawn) == [
        "7500"
    ]
    assert re.findall(r'<text class="sight-text"[^>]*>([^<]*)', drawn) == ["front"]


def test_a_thumbnail_shows_the_models_and_where_they_stand():
    system, picture = gun_line()
    drawn = svgthumb.draw_thumbnail(picture, system.sides)
    whole = svg.find_frame(svg.to_scale(picture))
    left, top, width, height = map(int, re.search(r'viewBox="([^"]*)"', drawn).group(1).split())
    assert width == height <= min(whole[2:])
    assert left >= whole[0]
    assert top >= whole[1]
    corner = svgthumb.draw_thumbnail(picture, system.sides, whole=True)  # a frame marks the visible part of the table
    assert re.search(r'viewBox="([^"]*)"', corner).group(1) == " ".join(
        map(str, svg.prepare_for_page(svg.to_scale(picture)))
    )
    models = re.findall(r'translate\((-?\d+),(-?\d+)\) scale\(3\)"><g class="counter model', drawn)
    assert len(models) == len(picture.pieces)
    for x, y in models:
        assert left < int(x) < left + width
        assert top < int(y) < top + height
