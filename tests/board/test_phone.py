"""The board on a phone of 390 x 664 pixels: fingers only, with the guide open."""

from __future__ import annotations

import re

from board.screens import SIDEWAYS, opened, violations
from board.seats import Stranger

PHONE = {"viewport": {"width": 390, "height": 664}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
LEAST = 200
"""Pixels of choices below the head of an open order."""
ROOM = """() => document.querySelector("#compose").getBoundingClientRect().bottom
  - document.querySelector(".pinned").getBoundingClientRect().bottom"""
MOUSE = re.compile("wheel|hover|right (click|drag|button)|Shift|press n|\\bclick\\b", re.IGNORECASE)


def tap(screen, found):
    found.tap()
    screen.settled()


def opens(screen, verb):
    tap(screen, screen.page.get_by_role("tab", name="Orders"))
    tap(screen, screen.page.locator(f"#orders .verb[data-verb={verb}]"))
    return measured(screen)


def measured(screen):
    """Check the open order: the guide is there, and the choices have room."""
    assert screen.page.get_by_role("region", name="A guided turn").is_visible()
    assert screen.page.evaluate(ROOM) >= LEAST
    assert screen.page.evaluate(SIDEWAYS) == 0
    return screen.page.get_by_role("tabpanel", name="Compose")


def signs(screen):
    tap(screen, screen.page.get_by_role("button", name="Sign …"))
    with screen.page.expect_navigation():
        screen.page.get_by_role("button", name="Sign it").tap()
    screen.page.get_by_role("status").get_by_text("is at this board").wait_for()
    screen.page.get_by_role("tab", name="Orders").wait_for()
    screen.settled()


def test_a_finger_plays_citadel_with_room_for_the_choices_of_each_order(browser, tmp_path):
    """Message 1, an attack in message 2, its answer, and the dice: no mouse, no key of a keyboard."""
    with opened(browser, Stranger("", tmp_path), **PHONE) as screen:
        page = screen.page
        with page.expect_navigation():
            page.get_by_role("button", name="Play both sides", exact=True).first.tap()
        page.get_by_role("tab", name="Orders").wait_for()
        screen.settled()
        assert "two fingers" in page.locator("#guide").inner_text()
        page.get_by_role("button", name="Keys and signs").tap()
        shown = page.get_by_role("dialog", name="Keys and signs")
        assert not MOUSE.search(shown.inner_text() + page.locator("body").inner_text())
        shown.get_by_role("button", name="Close").tap()

        form = opens(screen, "posture")
        tap(screen, form.get_by_role("radio", name="reposition"))
        tap(screen, form.get_by_role("button", name="Order"))
        assert "posture reposition" in page.locator("#listed").inner_text()
        tap(screen, page.get_by_role("button", name="Undo"))
        tap(screen, page.get_by_role("button", name="Redo"))
        assert "posture reposition" in page.locator("#listed").inner_text()
        signs(screen)

        form = opens(screen, "posture")
        tap(screen, form.get_by_role("radio", name="engage"))
        tap(screen, form.get_by_role("button", name="Order"))
        tap(screen, screen.counter("r-70"))
        form = page.get_by_role("tabpanel", name="Compose")
        form.get_by_role("checkbox", name="XLI Panzer").first.wait_for()
        assert page.locator("#strip .pill").inner_text() == "5:1"
        measured(screen)
        assert violations(page, "#compose") == []
        tap(screen, form.get_by_role("button", name="Order"))

        tap(screen, page.get_by_role("button", name="Arrows"))
        box = page.locator("#map").bounding_box()
        page.touchscreen.tap(box["x"] + 90, box["y"] + 90)
        assert page.locator("#layer-plans circle").count() == 1
        tap(screen, page.get_by_role("button", name="Back", exact=True))
        tap(screen, screen.counter("g-esebeck"))
        assert page.get_by_role("button", name="By way of").first.is_visible()
        signs(screen)

        opens(screen, "answer")
        signs(screen)
        dice = page.locator("#orders .headline:has(.die)").last
        footer = page.locator("footer").bounding_box()
        assert page.locator("#guide").is_visible()
        assert dice.bounding_box()["y"] + dice.bounding_box()["height"] < footer["y"]
