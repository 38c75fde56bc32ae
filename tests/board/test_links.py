"""Paragraphs and rulings open next to the map; report and map link to each other."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from board import seats
from board.screens import enters, opened, violations
from board.seats import Client, Seat
from kursk_pbem.desk.seat import forms, scene


def after(tmp_path, many):
    return Seat("russian", seats.fought(tmp_path, many).russian.place)


@pytest.fixture
def fought(tmp_path):
    """Return the game before the German dice of message 4 for an attack on 2011."""
    return after(tmp_path, 4)


def open_tab(screen, tab):
    enters(screen)
    screen.page.get_by_role("tab", name=tab).click()


def test_a_rule_number_opens_its_paragraph_beside_the_map(browser, fought):
    """Our words and rulings; cited paragraphs open too, and the report stays in place."""
    with opened(browser, fought) as screen:
        open_tab(screen, "Report")
        page = screen.page
        report = page.get_by_role("tabpanel", name="Report")
        report.get_by_role("button", name="9.2", exact=True).first.click()
        screen.settled()
        rule = page.get_by_role("region", name="Next to the map")
        rule.get_by_role("heading", name=re.compile("^9.2 ")).wait_for()
        assert report.is_visible()
        rule.get_by_text(re.compile("^Ruling K-")).first.wait_for()
        assert violations(page) == []
        screen.press("Escape")
        assert not rule.is_visible()


def test_a_report_and_the_map_point_at_each_other(browser, fought):
    """Hovering a hex of the report rings the hex on the map; the hex shows the battle."""
    with opened(browser, fought) as screen:
        open_tab(screen, "Report")
        links = screen.page.locator("#report .link.to-unit")
        tied = "(all) => all.map((one) => getComputedStyle(one.parentElement).whiteSpace)"
        assert {*links.evaluate_all(tied)} == {"nowrap"}  # no line ends between bracket and name
        page = screen.page
        place = page.get_by_role("tabpanel", name="Report").get_by_role("button", name="2011", exact=True).first
        place.hover()
        assert page.locator("#layer-pointed circle").count() == 1
        place.click()
        screen.settled()
        text = page.get_by_role("region", name="Next to the map").inner_text()
        for told in ("Result: ", "Die (ponyri/combat): 5", "chance of the result"):
            assert told in text
        page.get_by_role("tabpanel", name="Report").get_by_role("button", name="r-70", exact=True).first.click()
        page.get_by_role("tabpanel", name="Unit").get_by_role("heading", name="70th Army").wait_for()
        assert violations(page) == []


def test_a_battle_that_waits_has_a_card_in_its_hex(tmp_path):
    answers = after(tmp_path, 2)
    (battle,) = forms.make_place_card(scene.open_scene(answers.room, answers.game), "2011")["battles"]
    assert battle["column"]
    assert battle["rows"]
    assert forms.make_place_card(scene.open_scene(answers.room, answers.game), "2319")["battles"] == []


def test_only_paragraphs_and_rulings_of_the_game_are_shown(fought):
    client = Client(fought).enter()
    for known in ("9.2", "9.3-stand-fast", "K-54"):
        assert client.get(client.at(f"rule/{known}")).status_code == 200
    for wrong in ("99.9", "Z-1", "..", "J-64"):
        assert client.get(client.at(f"rule/{wrong}")).status_code in (400, 404)


def test_light_and_dark_are_chosen_by_hand_and_kept(browser, fought):
    """The choice overrides the system, on all pages, before the first paint."""
    colour = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, fought, color_scheme="light") as screen:
        page = screen.page
        light = page.evaluate(colour)
        page.get_by_label("Colours").select_option("dark")
        dark = page.evaluate(colour)
        assert dark != light
        open_tab(screen, "Orders")
        page.get_by_text("Layers", exact=True).click()
        assert page.evaluate(colour) == dark
        assert page.get_by_label("Colours").input_value() == "dark"
        assert violations(page) == []
        ground = "getComputedStyle(document.querySelector('#map .ground.clear')).fill"
        by_hand = page.evaluate(ground)
        page.get_by_label("Colours").select_option("as the system")
        assert page.evaluate(colour) == light
        lit = page.evaluate(ground)
        page.emulate_media(color_scheme="dark")
        assert [page.evaluate(seen) for seen in (colour, ground)] == [dark, by_hand]
        page.get_by_label("Colours").select_option("light")
        assert [page.evaluate(seen) for seen in (colour, ground)] == [light, lit]
        assert lit != by_hand


def test_only_some_units_are_shown_and_walked(browser, fought):
    """Reduced units stay bright, other units are dim, and n visits the player's units."""
    here = scene.open_scene(fought.room, fought.game)
    reduced = {piece.id for piece in here.picture.pieces if piece.band}
    own = {piece.id for piece in here.picture.pieces if piece.band and piece.side == "russian"}
    with opened(browser, fought) as screen:
        open_tab(screen, "Orders")
        page = screen.page
        page.get_by_text("Layers", exact=True).click()
        page.get_by_label("Only units that").select_option("are reduced")
        bright = page.locator("#map [data-unit]:not(.dimmed)")
        assert {each.get_attribute("data-unit") for each in bright.all()} == reduced
        page.locator("#map").focus()
        for _twice in range(2):
            screen.press("n")
            screen.settled()
            assert page.locator("#map [data-unit].chosen").first.get_attribute("data-unit") in own
        assert 0 < len(own) < len(here.picture.pieces)


def test_every_style_closes_what_it_opens():
    """A brace lost in a merge disables the rest of the style sheet, and no other test notices."""
    for path in files("kursk_pbem.board").joinpath("static").iterdir():
        if path.name.endswith(".css"):
            text = path.read_text(encoding="utf-8")
            assert text.count("{") == text.count("}"), path.name
