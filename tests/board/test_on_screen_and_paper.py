"""Popovers over the map, the first paint, large letters, and printing."""

from __future__ import annotations

import re

import pytest

from board.screens import CUT, ON_TOP, SIDEWAYS, enters, opened, violations
from board.seats import Client
from kursk_pbem.desk.seat import scene

SHOWN = """(each, corner) => {
  const box = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(box.x + 9, box[corner] + (corner === "top" ? 3 : -3)));
}"""
OVERLAP = """(inside) => {
  const shown = [...document.querySelectorAll(inside)].filter((each) => each.checkVisibility());
  const box = (each) => each.getBoundingClientRect();
  const meet = (one, other) => box(one).left < box(other).right - 1 && box(other).left < box(one).right - 1
    && box(one).top < box(other).bottom - 1 && box(other).top < box(one).bottom - 1;
  return shown.flatMap((one, at) => shown.slice(at + 1)
    .filter((other) => !one.contains(other) && !other.contains(one) && meet(one, other))
    .map((other) => one.outerHTML.slice(0, 60) + " / " + other.outerHTML.slice(0, 60)));
}"""
"""Script that finds pairs of overlapping elements, except an element inside the other."""


@pytest.mark.some(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_layers_filter_and_colours_are_one_popover_above_their_button(browser, opening, scheme):
    """Bug: the popover covered button, filter and colors, and a phone could not close it."""
    with opened(browser, opening, color_scheme=scheme) as screen:
        enters(screen)
        page = screen.page
        button, shown = page.get_by_role("button", name="Layers"), page.locator("#tools")
        for width in (390, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            for closes in (button.click, lambda: screen.press("Escape"), lambda: page.mouse.click(330, 300)):
                map_ = page.locator("#map").bounding_box()
                button.click()
                box, under = shown.bounding_box(), button.bounding_box()
                assert page.locator("#map").bounding_box() == map_
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= under["y"]
                for each in (button, *shown.get_by_role("checkbox").all(), *shown.get_by_role("combobox").all()):
                    assert each.evaluate(ON_TOP), width
                closes()
                assert not shown.is_visible()
        button.click()
        assert violations(page) == []
        shown.get_by_label("formations").check()
        assert page.locator("#layer-formations").get_attribute("hidden") is None


def test_the_first_html_hides_the_layers_that_are_not_ticked(opening):
    """Bug: the map appeared with zones, supply and formations, and jumped a second later."""
    page = Client(opening).enter().get(f"/game/{opening.game}/").text
    for key, _name in scene.LAYERS:
        for layer in re.findall(rf'<g[^>]* class="layer layer-{key}"[^>]*>', page):
            assert (" hidden" in layer) == (key not in scene.SHOWN), layer
    assert page.count(" hidden>") > 5


def test_a_thumbnail_keeps_its_width_beside_a_long_text(browser, opening):
    """Bug: 43 pixels wide in Firefox."""
    with opened(browser, opening) as screen:
        picture = screen.page.locator(".games .card img").first
        assert picture.evaluate("(each) => getComputedStyle(each).flex") == "0 0 34%"
        card = screen.page.locator(".games .card").first.bounding_box()
        assert abs(picture.bounding_box()["width"] - card["width"] * 0.34) < 3


@pytest.mark.some(2)
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_letters_of_twice_the_size_lie_on_nothing_and_signing_stays_in_reach(browser, opening, width):
    """Bug with text at 200 %: the header overlapped, and *Undo* and *Sign* were outside the window."""
    with opened(browser, opening, viewport={"width": width, "height": 1000}) as screen:
        enters(screen)
        page = screen.page
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(SIDEWAYS) == 0
        for inside in ("#bar .strip > *, #bar button", "#tabs button", "footer > *"):
            assert page.evaluate(OVERLAP, inside) == []
        assert page.evaluate(CUT, "#bar button, #tabs button, footer button") == []
        for name in ("Undo", "Sign …", "Layers"):
            assert page.get_by_role("button", name=name).evaluate(ON_TOP), name


@pytest.mark.parametrize(("width", "height", "letters"), [(640, 400, "100%"), (1280, 800, "200%")])
def test_at_200_percent_two_orders_are_visible_beside_the_map(browser, opening, width, height, letters):
    """Bug: below a map of 145 pixels the list began, with one order."""
    with opened(browser, opening, viewport={"width": width, "height": height}) as screen:
        enters(screen)
        page = screen.page
        page.evaluate("(size) => void (document.documentElement.style.fontSize = size)", letters)
        screen.button("Show me this turn")
        screen.settled()
        seen = page.locator("#map").bounding_box()
        assert seen["height"] > 0.7 * height
        for order in page.locator("#listed li").all()[:2]:
            assert order.bounding_box()["x"] >= seen["x"] + seen["width"]
            for corner in ("top", "bottom"):
                assert order.evaluate(SHOWN, corner), (order.inner_text(), corner)
        assert page.evaluate(SIDEWAYS) == 0
        assert violations(page) == []


def test_a_game_is_printed_with_its_title_its_map_and_its_report(browser, opening):
    """Bug: the sheet showed buttons and the minimap without title and report."""
    shown = """() => [...document.querySelectorAll("body *")].filter((each) => each.checkVisibility())
      .filter((each) => each.matches("button:not(.link), input, select, summary, footer, #tabs, #mini, #unit, #orders"))
      .map((each) => each.outerHTML.slice(0, 80))"""
    with opened(browser, opening, color_scheme="dark", viewport={"width": 718, "height": 1000}) as screen:
        enters(screen)
        page = screen.page
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(shown) == []
        for part in (page.locator("header h1"), page.locator("#map svg"), page.locator("#report")):
            assert part.is_visible()
        report = page.locator("#report").bounding_box()
        assert report["height"] > 200
        assert report["y"] >= page.locator("#map").bounding_box()["y"] + page.locator("#map").bounding_box()["height"]
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 27, 27)"
        assert page.evaluate("document.documentElement.scrollHeight") > 1000
