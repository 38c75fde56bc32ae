"""The board in a browser: accessibility, keyboard, conflicts, table top."""

from __future__ import annotations

import re
import shutil

import pytest
from helpers import intake
from helpers.signed_play import Table
from rulesets import toys
from rulesets.battle_for_kursk import first_turn

from board.screens import enters, opened
from board.seats import Seat, begun
from kursk_pbem.desk.own import desks
from kursk_pbem.game import entropy, folders


@pytest.fixture(scope="module")
def seats(demo_folder, tmp_path_factory):
    """Return the seats after the demonstration, before message 8. Tests restore a changed draft."""
    root = tmp_path_factory.mktemp("pages")
    shutil.copytree(demo_folder, root / "demo")
    return {side: Seat(side, root / "demo" / side) for side in ("german", "russian")}


@pytest.fixture
def german(seats):
    """Return a seat with a fresh draft."""
    seat = seats["german"]
    draft = seat.draft()
    before = draft.read_bytes()
    yield seat
    draft.write_bytes(before)


def test_a_turn_is_ordered_by_keyboard_alone(browser, german):
    """Find a unit, walk the mark to a lit hex, order, take back, do again, compose an attack, sign."""
    with opened(browser, german) as screen:
        page = screen.page
        page.get_by_role("link", name="Boris").focus()
        screen.press("Enter")
        page.get_by_role("tab", name="Orders").wait_for()
        screen.settled()
        before = german.draft().read_bytes()
        screen.press("/")
        page.keyboard.type("esebeck")
        screen.press("Enter")
        page.get_by_role("heading", name="Esebeck").wait_for()
        screen.settled()
        for key in ("ArrowLeft", "ArrowLeft", "ArrowUp", "Enter"):
            screen.press(key)
        page.get_by_role("status").get_by_text("Ordered: ").wait_for()
        screen.settled()
        assert b"unit: g-esebeck" in german.draft().read_bytes()
        ordered = german.draft().read_bytes()
        screen.press("Control+z")
        page.get_by_role("status").get_by_text("undone").wait_for()
        screen.settled()
        assert german.draft().read_bytes() == before
        screen.press("Control+y")
        page.get_by_role("status").get_by_text("redone").wait_for()
        screen.settled()
        assert german.draft().read_bytes() == ordered
        screen.press("w")
        screen.settled()
        page.get_by_role("tab", name="Orders").focus()
        screen.press("ArrowRight")
        page.get_by_role("tabpanel", name="Compose").wait_for()
        screen.press("?")
        page.get_by_role("dialog", name="Keys").wait_for()
        screen.press("Escape")


LAYOUTS = {
    "Cyrillic": {"n": "т", "z": "я", "y": "н", "r": "к", "0": "0"},
    "CapsLock": {"n": "N", "z": "Z", "y": "Y", "r": "R", "0": "0"},
    "AZERTY": {"n": "n", "z": "z", "y": "y", "r": "r", "0": "à"},
}
"""What a browser names a pressed key, by layout."""
PLACES = {"AZERTY": {"z": "KeyW"}}
"""Places of keys that differ from those of a QWERTY board."""
PRESS = """([key, code, ctrlKey]) => document.querySelector("#map").dispatchEvent(
  new KeyboardEvent("keydown", { key, code, ctrlKey, bubbles: true, cancelable: true }))"""


@pytest.mark.some(9)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_keys_work_by_letter_and_by_place_in_every_layout(browser, german, layout):
    """Bug: with a Russian layout or CapsLock, undo and 'next unit' did nothing."""
    with opened(browser, german) as screen:
        page = screen.page
        enters(screen)

        def press(key, *, control=False):
            code = PLACES.get(layout, {}).get(key) or (f"Digit{key}" if key.isdigit() else f"Key{key.upper()}")
            page.evaluate(PRESS, [LAYOUTS[layout][key], code, control])
            screen.settled()

        press("n")
        page.get_by_role("tabpanel", name="Unit").get_by_role("heading").first.wait_for()
        page.get_by_role("tab", name="Orders").click()
        page.get_by_label("Or in words").fill("note good luck")
        screen.press("Enter")
        page.locator("#listed").get_by_text("good luck").wait_for()
        press("z", control=True)
        page.get_by_role("status").get_by_text("undone").wait_for()
        press("y", control=True)
        page.get_by_role("status").get_by_text("redone").wait_for()
        press("r")
        assert page.locator("#ruler").get_attribute("aria-pressed") == "true"
        whole = page.locator("#map svg").get_attribute("viewBox")
        screen.press("+")
        press("0")
        assert page.locator("#map svg").get_attribute("viewBox") == whole


def test_a_card_that_comes_late_does_not_turn_away_from_a_tab(browser, german):
    """After 'undo' the page requests the card of the unit again; the player has left the tab."""
    with opened(browser, german) as screen:
        enters(screen)
        screen.unit("g-2-ss")
        screen.lit("1716").click()
        screen.page.get_by_role("status").get_by_text("to 1716").wait_for()
        screen.settled()
        screen.page.route("**/unit/*", lambda route: (screen.page.wait_for_timeout(400), route.continue_()))
        screen.press("Control+z")
        screen.page.get_by_role("status").get_by_text("undone").wait_for()
        screen.page.get_by_role("tab", name="Report").click()
        screen.settled()
        assert screen.page.get_by_role("tab", name="Report").get_attribute("aria-selected") == "true"


def test_why_a_hex_cannot_be_reached_is_said_with_its_paragraph(browser, german):
    with opened(browser, german) as screen:
        enters(screen)
        screen.unit("g-2-ss")
        screen.hex("3012")
        assert "[8." in screen.page.get_by_role("status").inner_text()


def test_a_move_is_dragged_and_bent(browser, german):
    with opened(browser, german) as screen:
        enters(screen)
        screen.unit("g-2-ss")
        start, end = screen.counter("g-2-ss").bounding_box(), screen.lit("1716").bounding_box()
        mouse = screen.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
        mouse.up()
        screen.page.get_by_role("status").get_by_text("to 1716").wait_for()
        screen.settled()
        assert b"to: '1716'" in german.draft().read_bytes()
        screen.lit("1815").click(modifiers=["Shift"])
        screen.unit("g-2-ss")
        text = german.draft().read_text()
        assert "'1815'" in text
        assert "to: '1716'" not in text


def test_what_becomes_illegal_stays_and_says_why(browser, german):
    """A move made illegal by another order is marked in the list, and signing stops."""
    with opened(browser, german) as screen:
        enters(screen)
        screen.moves({"unit": "g-2-ss", "to": "1716"}, "armor-and-rail")
        screen.verb("posture")
        screen.sets("posture", ["pause"], "radio")
        screen.submit()
        orders = screen.page.get_by_role("tabpanel", name="Orders", exact=True)
        refused = orders.get_by_role("listitem").filter(has_text="⚠").first
        assert "[12.0-4]" in refused.inner_text()
        assert screen.page.get_by_role("button", name="Sign …").is_disabled()
        assert b"unit: g-2-ss" in german.draft().read_bytes()


@pytest.mark.long("test-board-all")
def test_an_editor_and_the_page_work_on_one_draft(browser, german):
    """The page shows changes of the editor; a stale click writes nothing and gives a message."""
    with opened(browser, german) as screen:
        enters(screen)
        path = german.draft()
        path.write_bytes(path.read_bytes() + b"note: written outside\n")
        screen.page.get_by_role("status").get_by_text("now shows the change").wait_for()
        orders = screen.page.get_by_role("tabpanel", name="Orders", exact=True)
        orders.get_by_text("written outside").first.wait_for()
        good = path.read_bytes()
        path.write_bytes(good + b"orders: {{{\n")
        orders.get_by_text("cannot be read").wait_for()
        path.write_bytes(good)
        orders.get_by_text("written outside").first.wait_for()


@pytest.mark.long("test-board-all")
def test_offers_and_standing_answers_have_their_place(browser, tmp_path, seats):
    shutil.copytree(seats["german"].place.parent, tmp_path / "demo")
    mine, theirs = (Seat(side, tmp_path / "demo" / side) for side in ("german", "russian"))
    with opened(browser, mine) as screen:
        enters(screen)
        screen.page.get_by_role("tab", name="More").click()
        screen.page.locator("#policy-text").fill("stand-fast: always")
        screen.button("Keep")
        screen.page.get_by_role("status").get_by_text("standing policy").wait_for()
        screen.button("Offer a draw …")
        screen.button("Sign it")
        screen.page.get_by_role("dialog", name="Signed").get_by_text("Wrote").wait_for()
        with screen.page.expect_navigation():
            screen.button("OK")
    with opened(browser, theirs) as screen:
        screen.take(folders.message_path(mine.folder, 8))
        screen.page.get_by_role("tab", name="More").click()
        screen.button("Accept …")
        screen.button("Sign it")
        screen.page.get_by_role("dialog", name="Signed").get_by_text("Wrote").wait_for()
        with screen.page.expect_navigation():
            screen.button("OK")
        screen.page.get_by_text("draw", exact=False).first.wait_for()
    assert theirs.sit().game.over


@pytest.mark.long("test-board-all")
def test_a_game_goes_on_as_another_one_by_mouse_alone(browser, tmp_path, seats):
    """The German proposes a take-back, the Russian offers, the German accepts, the new game begins."""
    shutil.copytree(seats["german"].place.parent, tmp_path / "demo")
    german, russian = (Seat(side, tmp_path / "demo" / side) for side in ("german", "russian"))
    old = german.folder

    def closes(screen):
        screen.page.get_by_role("dialog", name=re.compile("Signed|Written")).get_by_text("Wrote").wait_for()
        with screen.page.expect_navigation():
            screen.button("OK")

    def signs(screen, button):
        screen.page.get_by_role("tab", name="More").click()
        screen.button(button)
        screen.page.get_by_role("dialog").get_by_text("position: TAKEN BACK").wait_for()
        screen.button("Sign it")
        closes(screen)

    def takes(screen, mail):
        screen.page.goto(screen.page.url.partition("game/")[0])
        screen.take(mail)

    with opened(browser, german) as mine, opened(browser, russian) as theirs:
        enters(mine)
        mine.signs()
        german.mirror()
        theirs.take(folders.message_path(old, 8))
        mine.page.get_by_role("tab", name="More").click()
        mine.page.get_by_role("spinbutton", name="From the position after message").fill("7")
        mine.button("Propose it …")
        closes(mine)
        german.mirror()
        (proposal,) = (each for each in german.place.rglob("game-*/0000.yaml") if each.parent.name != old.name)
        takes(theirs, proposal)
        signs(theirs, "Look at the proposal and offer it …")
        russian.mirror()
        takes(mine, folders.message_path(russian.place / old.name, 9))
        signs(mine, "Accept …")
        german.mirror()
        takes(theirs, folders.message_path(old, 10))
        theirs.page.goto(theirs.page.url.partition("game/")[0])
        theirs.drop(proposal)
        theirs.button("Accept")
        theirs.click("link", "To the game")
        theirs.whole()
        assert "message 1" in theirs.page.locator("#bar").inner_text()


def test_a_table_top_takes_a_click_as_inches(browser, tmp_path, monkeypatch):
    """Click a model, click a point: the order contains inches."""
    toys.plug(monkeypatch)
    seats = begun(tmp_path, "plane-toy/orchard")
    due = next(seat for seat in seats.values() if seat.sit().mine)
    with opened(browser, due) as screen:
        screen.click("link", "Anna" if due.side != next(iter(seats)) else "Boris")
        screen.whole()
        unit = next(uid for uid, each in due.sit().game.state.units.items() if uid.startswith(due.side[0]))
        before = due.draft().read_bytes()
        screen.unit(unit)
        box = screen.counter(unit).bounding_box()
        screen.page.mouse.click(box["x"] + 40, box["y"] + 30)
        screen.settled()
        after = due.draft().read_text()
        assert after.encode() != before
        assert f"id: {unit}" in after
        assert "to: " in after


def test_a_stack_is_spread_out_and_joined(browser, tmp_path):
    """A click spreads the counters; the badge selects a lit hex with counters."""
    seats = begun(tmp_path, "kursk-1971/july4-historical")
    due = next(seat for seat in seats.values() if seat.sit().mine)
    with opened(browser, due) as screen:
        screen.page.get_by_role("link", name=re.compile("Anna|Boris")).click()
        screen.whole()
        buried = screen.page.locator("#map [data-unit='g-653']")
        assert not buried.is_visible()
        screen.unit("g-292")
        assert buried.is_visible()
        screen.unit("g-653")
        screen.page.get_by_role("heading", name="653rd Heavy Tank").wait_for()
        screen.press("Escape")
        assert not buried.is_visible()
        screen.page.locator("#map [data-stack='1811']").click()
        assert buried.is_visible()
        screen.unit("g-653")
        beside = screen.counter("g-4pz").get_attribute("data-at")
        screen.lit(beside).click()
        screen.settled()
        assert f"to: '{beside}'" in due.draft().read_text()


def test_a_decision_for_which_the_dice_have_stopped_is_made_by_mouse(browser, tmp_path):
    """9.3, K-75, option uncovered: ask. The player signs an option on the page, and the game continues."""
    for number in range(40):
        with entropy.fix_random_bytes(f"a stop {number}"):
            table = Table(tmp_path / str(number), options={"uncovered": "ask"}).begin()
            for choices in (first_turn.OPENING, {**first_turn.ORDERS, "orders": {"battles": [first_turn.BATTLE]}}, {}):
                table.turn(choices)
            if desks.preview_duties(table.german.desk, table.german.desk.own).pending is not None:
                break
    table.turn({})
    seat = Seat("russian", table.russian.place)
    options = seat.sit().game.state.agenda["pending"]["options"]
    with opened(browser, seat) as screen:
        screen.page.get_by_role("region", name="Games").get_by_role("link").click()
        screen.whole()
        screen.verb("decide")
        assert screen.group("decision").get_by_role("radio").count() >= len(options)
        screen.sets("decision", [options[0]], "radio")
        screen.submit()
        assert f"ponyri: {options[0]}" in seat.draft().read_text()
        screen.signs()
    got = intake.receive(folders.message_path(seat.folder, 5).read_bytes(), "message 5", table.german.home, None)
    assert "pending" not in got.desk.game.state.agenda
