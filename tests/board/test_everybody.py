"""Accessibility of every system: axe finds no faults, and a turn needs no mouse."""

from __future__ import annotations

import re

import pytest

from board.screens import enters, opened, violations
from board.seats import begun, by_turn, sent
from kursk_pbem.desk.seat import scene
from kursk_pbem.game import entropy

GAMES = {
    "armor-commander/gun-line": 3,
    "battle-for-kursk/citadel": 3,
    "kursk-1971/august3": 3,
    "juggernauts/july-1943": 6,
}
"""A scenario of each system, and the number of earlier messages, sometimes with dice."""
TABS = ("Unit", "Orders", "Compose", "Tables", "Report", "More")


@pytest.fixture(params=GAMES, ids=lambda scenario: scenario.partition("/")[0])
def mine(request, tmp_path):
    """Return the seat with the next message; earlier messages follow the defaults of the drafts."""
    with entropy.fix_random_bytes("everybody"):
        seats = begun(tmp_path, request.param)
        for _message in range(GAMES[request.param]):
            sent(*by_turn(seats))
    return by_turn(seats)[0]


@pytest.mark.some(99)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page_of_any_system(browser, mine, scheme):
    """Home, panels, unit card, order forms, watching, an older position."""
    here = scene.open_scene(mine.room, mine.game)
    unit = next(piece.id for piece in here.picture.pieces if piece.side == here.desk.own_side)
    with opened(browser, mine, color_scheme=scheme, viewport={"width": 1280, "height": 800}) as screen:
        page = screen.page
        assert violations(page) == [], "home"
        enters(screen)
        assert violations(page) == [], "the page of the game"
        screen.unit(unit)
        for name in TABS:
            page.get_by_role("tab", name=name, exact=True).click()
            assert violations(page, "aside") == [], name
        page.get_by_role("tab", name="Orders", exact=True).click()
        for name in [button.get_attribute("data-verb") for button in page.locator("#orders .verbs .verb").all()]:
            if name == "note" or page.locator(f"#orders .verbs .verb[data-verb={name}]").get_attribute("data-alone"):
                continue
            page.locator(f"#orders .verbs .verb[data-verb={name}]").click()
            screen.settled()
            first = page.locator("#form input[type=radio]").first
            if first.count() and page.locator("#form").get_attribute("data-opens"):
                first.click(force=True)  # the opened form may lack the choice
                screen.settled()
            assert violations(page, "aside") == [], name
            screen.settled()
            screen.press("Escape")
            page.get_by_role("tab", name="Orders", exact=True).click()
        screen.button("Sign …")
        page.get_by_role("dialog", name="Sign this message?").wait_for()
        assert violations(page) == [], "Sign …"
        screen.press("Escape")
        page.get_by_role("tab", name="Report", exact=True).click()
        screen.button(re.compile("^Watch message"))
        screen.settled()
        assert violations(page) == [], "watching"
        screen.press("Escape")
        page.get_by_role("tab", name="More", exact=True).click()
        page.get_by_text("All messages", exact=True).click()
        with page.expect_navigation():
            page.locator("#log a").first.click()
        page.get_by_role("tab", name="Report").wait_for()
        assert violations(page) == [], "an older position"


@pytest.mark.some(2)
def test_a_turn_is_ordered_without_a_mouse(browser, mine):
    """From the list of games to an order and the signing dialog, by keyboard."""
    with opened(browser, mine) as screen:
        page = screen.page
        link = page.get_by_role("region", name="Games").get_by_role("link").first
        link.focus()
        screen.press("Enter")
        screen.whole()
        before = page.locator("#listed .edit").count()
        page.locator("#typed").focus()
        page.keyboard.type("note by keys alone")
        screen.press("Enter")
        screen.settled()
        assert page.locator("#listed .edit").count() == before + 1
        page.locator("#listed .edit").last.focus()
        screen.press("Enter")
        assert page.locator("#typed").input_value() == "note by keys alone"
        page.keyboard.type(" again")
        screen.press("Enter")
        screen.settled()
        assert page.locator("#listed .edit").last.inner_text() == "note by keys alone again"
        assert page.locator("#listed .edit").count() == before + 1
        page.locator("#map").focus()
        screen.press("h")
        assert not page.locator("#map [data-unit]").first.is_visible()
        screen.press("h")
        assert page.locator("#map [data-unit]").first.is_visible()
        screen.press("g")
        page.get_by_role("dialog").wait_for()
        assert violations(page) == []
        screen.press("Escape")
