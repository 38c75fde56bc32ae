"""Private help at the map: title, planning arrows, ruler, notes and picture. Nothing of these is sent or signed."""

from __future__ import annotations

import pytest

from board.screens import IN_CLICK, enters, opened, violations
from board.seats import Client, begun, by_turn
from kursk_pbem.game import journal

NOTE = "Hold Oboyan; strike at 1912 für später.\n"


def seat_to_move(root, scenario):
    mine, _theirs = by_turn(begun(root, scenario))
    return mine


def stroke(screen, start, end, button="right", *keys):
    """Drag from point to point of the window."""
    for key in keys:
        screen.page.keyboard.down(key)
    screen.page.mouse.move(*start)
    screen.page.mouse.down(button=button)
    screen.page.mouse.move(*end, steps=4)
    screen.page.mouse.up(button=button)
    for key in keys:
        screen.page.keyboard.up(key)


def middle(screen, place):
    box = screen.page.locator(f"#at-{place}").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def plans(screen):
    return [drawn.get_attribute("class") for drawn in screen.page.locator("#layer-plans > *").all()]


def test_notes_are_private_limited_and_never_overwrite_unseen_notes(tmp_path):
    """The notes are one file of the private record; the game folder and the mail do not contain them."""
    mine = seat_to_move(tmp_path, "battle-for-kursk/citadel")
    client = Client(mine).enter()
    first = client.get(client.at("notes")).get_json()
    assert first["text"] == ""

    def save(text, stamp):
        return client.post(client.at("notes"), {"text": text, "stamp": stamp})

    saved = save(NOTE, first["stamp"])
    assert saved.status_code == 200
    late = save("from another window", first["stamp"])
    assert (late.status_code, late.get_json()["text"]) == (409, NOTE)
    long = save("ä" * (1 << 15) + "!", saved.get_json()["stamp"])
    assert long.status_code == 400
    assert "at most 65536" in long.get_data(as_text=True)
    held = journal.find(mine.home, mine.game).path / "notes.txt"
    assert held.read_text(encoding="utf-8") == NOTE
    client.signs()
    for part in ("mail", "mail.eml", "replay", "turn.svg"):
        assert b"Oboyan; strike" not in client.get(client.at(part)).data
    holders = [path for path in tmp_path.rglob("*") if path.is_file() and b"Oboyan; strike" in path.read_bytes()]
    assert holders == [held]


@pytest.mark.long("test-board-all")
def test_a_player_plans_measures_writes_and_copies_at_the_map(browser, tmp_path):
    """Plans last over a reload, and the draft stays as it is. The table top measures inches."""
    mine = seat_to_move(tmp_path / "hexes", "battle-for-kursk/citadel")
    draft = mine.draft().read_bytes()
    with opened(browser, mine, permissions=["clipboard-read", "clipboard-write"]) as screen:
        screen.page.context.add_init_script(IN_CLICK)
        enters(screen)
        assert screen.page.title() == "Your move - Citadel, turn 1"
        one, two = middle(screen, "1912"), middle(screen, "2112")
        stroke(screen, one, two)
        stroke(screen, two, one, "right", "Shift")
        stroke(screen, one, middle(screen, "1911"), "right", "Alt")
        screen.page.mouse.click(*one, button="right")
        assert plans(screen) == ["plan plan-0", "plan plan-1", "plan plan-2", "plan plan-0"]
        stroke(screen, two, one, "right", "Shift")  # the same again removes it
        screen.page.reload()
        screen.whole()
        assert plans(screen) == ["plan plan-0", "plan plan-2", "plan plan-0"]

        screen.press("r")
        stroke(screen, one, two, "left")
        assert screen.page.locator(".ruler-text").text_content() == "2 hexes"
        assert "2 hexes from 1912 to 2112" in screen.page.get_by_role("status").first.inner_text()
        screen.press("Escape")
        assert len(plans(screen)) == 3  # Esc drops the ruler first
        screen.press("Escape")
        assert plans(screen) == []

        screen.button("Notes")
        screen.page.get_by_role("textbox", name="Your notes").fill(NOTE)
        screen.page.get_by_text("Saved.").wait_for()
        assert violations(screen.page, "#notepad") == []
        screen.press("Escape")
        screen.page.reload()
        screen.whole()
        screen.press("t")
        screen.page.locator("#notes-text:enabled").wait_for()
        assert screen.page.locator("#notes-text").input_value() == NOTE
        screen.press("Escape")

        for refused in (False, True):
            if refused:
                screen.page.evaluate(
                    "() => { navigator.clipboard.write = () => Promise.reject(new Error('refused')); }"
                )
            screen.button("Layers")
            if refused:
                with screen.page.expect_download() as saved:
                    screen.button("Copy this map as picture")
                assert saved.value.suggested_filename == "map-message-1.png"
            else:
                screen.button("Copy this map as picture")
                screen.page.get_by_text("Copied: paste the picture").wait_for()
            screen.press("Escape")
        picture = saved.value.path().read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 50_000  # with the styles of the map
    assert mine.draft().read_bytes() == draft

    table = seat_to_move(tmp_path / "table", "armor-commander/gun-line")
    with opened(browser, table) as screen:
        enters(screen)
        box = screen.page.locator("#map .table").bounding_box()
        inch = float(screen.page.evaluate("document.querySelector('#map svg').getScreenCTM().a")) * 1000
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        screen.button("Ruler")
        stroke(screen, at, (at[0] + 3 * inch, at[1] - 4 * inch), "left")
        told = screen.page.locator(".ruler-text").text_content()
        assert abs(float(told.removesuffix(" inches")) - 5) < 0.05
        assert len(told.split()[0].partition(".")[2]) == 2
        stroke(screen, at, (at[0] + 80, at[1]))
        assert plans(screen) == ["plan plan-0"]
        screen.button("Layers")
        screen.button("Clear plans")
        assert plans(screen) == []
