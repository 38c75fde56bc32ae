"""A click on a listed order edits the order by form, map or words; Esc cancels."""

from __future__ import annotations

import shutil

import pytest

from board.screens import enters, list_orders, opened, violations
from board.seats import Client, Seat
from kursk_pbem.desk.seat import forms, scene


@pytest.fixture
def german(demo_folder, tmp_path):
    """Return the German board before message 2, with three orders in the draft."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    seat = Seat("german", tmp_path / "demo" / "german")
    client = Client(seat).enter()
    (one, units), (other, _others) = list(attacked(seat).items())[::3][:2]  # apart, so no unit is in two attacks
    for words in (
        "move 24 pz 2220",
        f"attack {one} with {' '.join(units)} losses {units[1]}",
        f"attack {other} with all",
    ):
        assert client.order(words).status_code == 200, words
    return seat


def attacked(seat):
    """Return hexes with several possible attackers, and the attackers."""
    here = scene.open_scene(seat.room, seat.game)
    found = {}
    for target in here.outlook.targets:
        rows = forms.make_form(here, "attack", target.place)["clauses"][0]["rows"]
        if len(rows) > 1:
            found[target.place] = [row[0] for row in rows]
    return found


def begins(screen):
    enters(screen)
    return list_orders(screen)


def test_a_click_opens_the_form_as_the_order_stands_and_saving_replaces_it(browser, german):
    place = next(iter(attacked(german)))
    with opened(browser, german) as screen:
        before = begins(screen)
        at = next(number for number, words in enumerate(before) if words.startswith(f"attack {place}"))
        screen.page.locator("#listed .edit").nth(at).click()
        screen.settled()
        page = screen.page
        assert page.get_by_role("button", name=f"Save order {at + 1}").is_visible()
        attackers = screen.group("attackers").get_by_role("checkbox")
        ticked = [box.get_attribute("value") for box in attackers.all() if box.is_checked()]
        assert len(ticked) > 1
        assert set(ticked) <= set(before[at].split())
        assert page.locator("#form .words").inner_text().partition(" losses ")[2] == before[at].partition(" losses ")[2]
        assert violations(page) == []
        attackers.first.uncheck()
        screen.press("o")
        screen.settled()
        after = list_orders(screen)
        assert len(after) == len(before)
        assert [number for number, words in enumerate(after) if words != before[number]] == [at]
        assert ticked[0] not in after[at].partition(" losses ")[0].split()
        screen.button("Undo")
        screen.settled()
        assert list_orders(screen) == before


def test_escape_or_another_unit_ends_an_edit_and_a_click_on_the_map_changes_a_move(browser, german):
    with opened(browser, german) as screen:
        before = begins(screen)
        screen.page.locator("#listed .edit[data-words^=attack]").first.click()
        screen.settled()
        screen.press("Escape")
        assert list_orders(screen) == before
        assert screen.page.locator("#listed .edit[aria-pressed=true]").count() == 0
        screen.verb("attack")
        assert screen.page.locator("#give").text_content() == "Order"
        assert not screen.page.get_by_role("button", name="Save order").count()
        screen.press("Escape")
        screen.page.get_by_role("tab", name="Orders").click()
        at = next(number for number, words in enumerate(before) if "g-24-pz" in words)
        screen.page.locator("#listed .edit").nth(at).click()
        screen.settled()
        assert screen.page.locator("#listed .edit[aria-pressed=true]").get_attribute("data-words") == before[at]
        screen.hex("2221")
        screen.settled()
        screen.page.get_by_role("tab", name="Orders").click()
        after = list_orders(screen)
        assert [number for number, words in enumerate(after) if words != before[number]] == [at]
        assert after[at].endswith("2221")
        screen.page.locator("#listed .edit[data-words*=g-24-pz]").first.click()
        screen.settled()
        screen.unit("g-40-pz")
        screen.page.locator("#layer-lit [role=button]").first.click(force=True)
        screen.settled()
        screen.page.get_by_role("tab", name="Orders").click()
        more = list_orders(screen)
        assert len(more) == len(before) + 1
        assert set(after) <= set(more)


def test_while_an_order_is_edited_the_attacked_hex_sends_an_attacker_and_no_click_loses_it(browser, german):
    """For any open clause; only attackers can advance or be lost."""
    place, units = next((place, units) for place, units in attacked(german).items() if place != "2014")
    shapes = scene.open_scene(german.room, german.game).picture
    taken = {piece.at: piece.id for piece in shapes.pieces}
    defender, other = taken[place], taken[list(attacked(german))[1]]
    with opened(browser, german) as screen:
        before = begins(screen)
        at = next(number for number, words in enumerate(before) if words.startswith(f"attack {place}"))
        screen.page.locator("#listed .edit").nth(at).click()
        screen.settled()
        screen.group("attackers").get_by_role("checkbox").first.uncheck()
        for name in ("takes losses, in order", "enters the hex if it is left: the first that can"):
            offered = screen.group(name).get_by_role("checkbox").all()
            assert [box.get_attribute("value") for box in offered if box.is_visible()] == units[1:], name
        words = screen.page.locator("#form .words")
        screen.unit(defender)
        assert f" advance {units[1]}" in words.inner_text()
        screen.unit(other)
        assert f"{other} has no part in this order" in screen.page.locator("#said").inner_text()
        screen.hex(next(region.id for region in shapes.regions if region.id not in taken))
        screen.button(f"Save order {at + 1}")
        screen.settled()
        after = list_orders(screen)
        assert len(after) == len(before)
        assert after[at].startswith(f"attack {place} with {units[1]} ")
        assert after[at].endswith(f" advance {units[1]}")
