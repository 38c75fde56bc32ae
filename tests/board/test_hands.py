"""Handles on the map: a model, a direction on a clock, a counter of a spread stack."""

from __future__ import annotations

import pytest

from board.screens import enters, opened
from board.seats import begun

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
"""Waits until the map has the size of its window."""


@pytest.fixture
def gunner(tmp_path):
    """Return the Soviet board before a deployment on a table top."""
    seats = begun(tmp_path, "armor-commander/gun-line")
    return next(seat for seat in seats.values() if seat.sit().mine)


def middle(found):
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_model_is_turned_by_its_handle(browser, gunner):
    """4.3: the model faces the point of release, to the half hour."""
    with opened(browser, gunner) as screen:
        enters(screen)
        screen.unit("s-t-1")
        x, y = middle(screen.counter("s-t-1").locator(".base"))
        mouse = screen.page.mouse
        mouse.move(*middle(screen.page.locator("#map .handle circle")))
        mouse.down()
        mouse.move(x + 80, y, steps=4)
        mouse.up()
        screen.page.get_by_role("status").get_by_text("facing 3").wait_for()
        screen.settled()
        handle = middle(screen.page.locator("#map .handle circle"))
        assert handle[0] > x + 20
        assert abs(handle[1] - y) < 8
        assert "{id: s-t-1, face: '3'}" in gunner.draft().read_text()


def test_the_right_button_ends_a_drag(browser, gunner):
    with opened(browser, gunner) as screen:
        enters(screen)
        screen.unit("s-t-1")
        before, mouse = gunner.draft().read_bytes(), screen.page.mouse
        x, y = middle(screen.counter("s-t-1").locator(".base"))
        for ends in (True, False):
            mouse.move(*middle(screen.page.locator("#map .handle circle")))
            mouse.down()
            mouse.move(x + 80, y, steps=4)
            if ends:
                mouse.down(button="right")
                mouse.up(button="right")
                mouse.move(x + 60, y + 9, steps=2)
            mouse.up()
            screen.settled()
            assert (gunner.draft().read_bytes() == before) == ends


def test_a_drag_begun_beside_the_report_leaves_the_map_where_it_is(browser, german):
    """Bug: the card of the unit narrowed the panel, so the map moved below the pointer."""
    with opened(browser, german) as screen:
        enters(screen)
        screen.page.get_by_role("tab", name="Report").click()
        screen.page.evaluate(DRAWN)
        (x, y), place, mouse = middle(screen.counter("g-2-ss")), screen.page.locator("#at-1716"), screen.page.mouse
        before = place.bounding_box()
        mouse.move(x, y)
        mouse.down()
        mouse.move(x, y + 9, steps=3)
        screen.lit("1716").wait_for()
        screen.page.evaluate(DRAWN)
        assert place.bounding_box() == before
        mouse.move(*middle(place), steps=4)
        mouse.up()
        screen.page.get_by_role("status").get_by_text("to 1716").wait_for()


def test_a_direction_is_clicked_on_a_clock(browser, gunner):
    """24 half hours have the places of a clock: 12 above 6, 9 left of 3."""
    with opened(browser, gunner) as screen:
        enters(screen)
        screen.verb("deploy")
        screen.sets("model", ["s-t-1"], "radio")
        screen.settled()
        dial = screen.page.locator("#form .dial")
        assert dial.get_by_role("radio").count() == 24
        at = {hour: middle(dial.locator(f"[value='{hour}']")) for hour in ("12", "3", "6", "9")}
        assert at["12"][1] < at["3"][1] < at["6"][1]
        assert at["9"][0] < at["12"][0] < at["3"][0]
        dial.locator("[value='4:30']").click()
        assert "4:30" in screen.page.locator("#form .words").inner_text()


def test_counters_of_a_spread_stack_are_large_enough_to_read(browser, tmp_path):
    """Bug: half counters of 24 pixels were unreadable. Spread counters have the full size."""
    seats = begun(tmp_path, "kursk-1971/july4-historical")
    due = next(seat for seat in seats.values() if seat.sit().mine)
    with opened(browser, due) as screen:
        screen.page.get_by_role("region", name="Games").get_by_role("link").first.click()
        screen.page.get_by_role("tab", name="Orders").wait_for()
        screen.settled()
        screen.unit("g-292")
        stack = screen.page.locator("#map .spread .card")
        boxes = [card.bounding_box() for card in stack.all()]
        assert len(boxes) > 1
        assert min(box["width"] for box in boxes) >= 30
        assert len({(round(box["x"]), round(box["y"])) for box in boxes}) == len(boxes)
