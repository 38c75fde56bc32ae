"""The signing dialog during changes by a second tab, a terminal, an editor or a mail.

"Sign it" signs exactly the text of the dialog; a changed text is shown first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

from board.screens import WAIT, Screen, opened
from board.seats import Seat, begun
from kursk_pbem.desk.draft import policies
from kursk_pbem.desk.seat import dialogs
from kursk_pbem.game import folders

CITADEL = "battle-for-kursk/citadel"
KURSK = "from kursk_pbem.cli import main; main()"
POLL = 3500
"""Milliseconds: longer than a page waits before it asks whether something has changed."""


@pytest.fixture
def seat(tmp_path):
    """Return the Russian board before message 1 against Anna."""
    return list(begun(tmp_path, CITADEL).values())[1]


@contextmanager
def second_tab(screen):
    """Open another tab of the same board."""
    page = screen.page.context.new_page()
    page.set_default_timeout(WAIT)
    tab = Screen(page, screen.seat)
    page.goto(screen.page.url)
    tab.whole()
    yield tab
    page.close()
    screen.wrong += tab.wrong


def types(screen, words):
    page = screen.page
    page.get_by_role("tab", name="Orders").click()
    page.get_by_role("textbox", name="Or in words").fill(words)
    page.get_by_role("tabpanel", name="Orders", exact=True).get_by_role("button", name="Order", exact=True).click()
    screen.settled()


def asked(screen):
    """Open the signing dialog for the posture 'deploy'."""
    screen.click("link", "Anna")
    screen.whole()
    types(screen, "posture deploy")
    screen.button("Sign …")
    dialog = screen.page.get_by_role("dialog", name="Sign this message?")
    dialog.get_by_text("posture deploy").first.wait_for()
    return dialog


def in_a_tab(screen):
    with second_tab(screen) as tab:
        types(tab, "posture engage")


def in_a_terminal(screen):
    command = [sys.executable, "-c", KURSK, "order", str(screen.seat.folder), "posture", "engage"]
    subprocess.run(command, env={**os.environ, "KURSK_HOME": str(screen.seat.home)}, check=True, capture_output=True)


def in_an_editor(screen):
    path = screen.seat.draft()
    path.write_bytes(path.read_bytes().replace(b"posture: deploy", b"posture: engage"))


def sealed(seat, seq=1):
    slot = seat.sit().own.read_slot(seq)
    return str(slot.seals) if slot else ""


@pytest.mark.some(6)
@pytest.mark.parametrize("wait", [0, POLL], ids=["at once", "after a poll"])
@pytest.mark.parametrize("changes", [in_a_tab, in_a_terminal, in_an_editor])
def test_what_the_dialog_shows_is_what_is_sealed(browser, seat, changes, wait):
    with opened(browser, seat) as screen:
        page, dialog = screen.page, asked(screen)
        changes(screen)
        page.wait_for_timeout(wait)
        assert "posture deploy" in dialog.inner_text()
        assert "posture engage" not in dialog.inner_text()
        screen.button("Sign it", dialog)
        dialog.get_by_text("the text has changed since the page asked you").wait_for()
        assert "New: The posture of turn 1: posture engage" in dialog.inner_text()
        assert sealed(seat) == ""
        screen.wrong = [each for each in screen.wrong if "409" not in each]  # the answer with the reason
        screen.button("Sign it", dialog)
        page.get_by_role("dialog", name="Signed").get_by_text("Wrote").wait_for()
    assert "engage" in sealed(seat)


def test_a_double_click_does_not_sign_what_has_changed(browser, seat):
    """The dialog returns under the mouse with a briefly disabled button."""
    with opened(browser, seat) as screen:
        page, dialog = screen.page, asked(screen)
        in_an_editor(screen)
        box = dialog.get_by_role("button", name="Sign it").bounding_box()
        for _click in range(6):
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(100)
        dialog.get_by_text("the text has changed since the page asked you").wait_for()
        screen.wrong = [each for each in screen.wrong if "409" not in each]
        dialog.get_by_role("button", name="Not yet").click()
        screen.settled()
    assert sealed(seat) == ""


def test_the_page_takes_in_what_changed_once_the_dialog_is_closed(browser, seat):
    with opened(browser, seat) as screen:
        page, dialog = screen.page, asked(screen)
        in_an_editor(screen)
        page.wait_for_timeout(POLL)
        panel = page.get_by_role("tabpanel", name="Orders", exact=True)
        assert "deploy" in panel.inner_text()
        dialog.get_by_role("button", name="Not yet").click()
        panel.get_by_text("posture engage").first.wait_for()


def test_cities_keep_their_names_when_the_page_takes_in_a_change(browser, seat):
    """The page fills the layer of names; answers of the board must not replace the layer."""
    with opened(browser, seat) as screen:
        page, dialog = screen.page, asked(screen)
        names = page.locator("#layer-names text.name").all_text_contents()
        dialog.get_by_role("button", name="Not yet").click()
        in_an_editor(screen)
        page.get_by_role("tabpanel", name="Orders", exact=True).get_by_text("posture engage").first.wait_for()
        assert names
        assert page.locator("#layer-names text.name").all_text_contents() == names


def test_two_tabs_agree_after_undo_and_redo(browser, seat):
    with opened(browser, seat) as screen:
        screen.click("link", "Anna")
        screen.whole()
        with second_tab(screen) as tab:
            for at in (screen, tab):
                at.page.get_by_role("tab", name="Orders").click()
            types(screen, "posture engage")
            tab.page.locator("#listed").get_by_text("posture engage").first.wait_for()
            tab.button("Undo")
            tab.page.locator("#listed").get_by_text("posture engage").first.wait_for(state="detached")
            screen.page.locator("#listed").get_by_text("posture engage").first.wait_for(state="detached")
            screen.button("Redo")
            screen.settled()
            tab.page.locator("#listed").get_by_text("posture engage").first.wait_for()
            assert tab.page.locator("#listed").inner_text() == screen.page.locator("#listed").inner_text()


def test_a_click_on_what_has_changed_outside_does_nothing_else(browser, seat):
    """A cross pressed during a new list removes the visible order or nothing."""
    with opened(browser, seat) as screen:
        page = screen.page
        screen.click("link", "Anna")
        screen.whole()
        types(screen, "posture deploy")
        path = seat.draft()
        edited = path.read_bytes().replace(b"posture: deploy", b"posture: engage")
        held = []

        def slow(route):
            held.append(route)  # the answer with the new list is on the way during the click

        page.route("**/now", slow)
        path.write_bytes(edited)
        with page.expect_request("**/now"):
            pass
        page.get_by_role("button", name="Take out order").first.click()
        held[0].continue_()
        page.get_by_role("status").get_by_text("was not done").wait_for()
        assert path.read_bytes() == edited


# A kept successor, and a second successor of the opponent


@pytest.fixture
def due_russian(demo_folder, tmp_path, browser):
    """Return the Russian board before message 9, with two German proposals."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    german, russian = (Seat(side, tmp_path / "demo" / side) for side in ("german", "russian"))
    old = german.folder
    with opened(browser, german) as screen:
        screen.click("link", "Boris")
        screen.whole()
        screen.signs()
    mails = [folders.message_path(old, 8)]
    for options in ({"at": "7", "option/weather": "die"}, {"at": "7"}):
        before = set(german.place.glob("game-*/0000.yaml"))
        dialogs.make_talk(german.sit(), "successor", options)
        mails += set(german.place.glob("game-*/0000.yaml")) - before
    return russian, mails


def test_the_terms_that_the_dialog_shows_are_those_that_are_offered(browser, due_russian):
    russian, (message, one, other) = due_russian
    with opened(browser, russian) as screen:
        page = screen.page
        home = page.url
        screen.take(message)
        game = page.url
        page.goto(home)
        screen.drop(one)
        page.goto(game)
        screen.whole()
        page.get_by_role("tab", name="More").click()
        screen.button("Look at the proposal and offer it …")
        dialog = page.get_by_role("dialog", name="Sign this?")
        dialog.get_by_text("weather: CHANGES from script to die").wait_for()
        second = Screen(page.context.new_page(), russian)
        second.page.goto(home)
        second.drop(other)
        second.page.close()
        screen.button("Sign it", dialog)
        dialog.get_by_text("No more: option weather: CHANGES from script to die").wait_for()
        assert russian.sit().own.read_slot(9) is None
        screen.wrong = [each for each in screen.wrong if "409" not in each]
        screen.button("Sign it", dialog)
        page.get_by_role("dialog", name="Signed").get_by_text("Wrote").wait_for()
    offered = folders.read_message(folders.message_path(russian.folder, 9)).mapping("offer")["game"]
    assert offered == folders.read_message(other).id


def test_standing_answers_of_another_window_are_shown_before_they_are_replaced(browser, seat):
    with opened(browser, seat) as screen:
        page = screen.page
        screen.click("link", "Anna")
        screen.whole()
        page.get_by_role("tab", name="More").click()
        field = page.locator("#policy-text")
        field.fill("stand-fast: never")
        dialogs.store_policy(seat.sit(), "stand-fast: always", "")
        screen.button("Keep")
        page.get_by_role("status").get_by_text("nothing was kept").wait_for()
        assert "stand-fast: always" in page.get_by_role("tabpanel", name="More").inner_text()
        assert field.input_value() == "stand-fast: never"
        assert policies.read_raw(seat.sit().own) == b"stand-fast: always\n"
        screen.button("Keep")
        page.get_by_role("status").get_by_text("Saved. New answers").wait_for()
        assert not page.get_by_text("What is kept now").is_visible()
        screen.wrong = [each for each in screen.wrong if "409" not in each]
    assert policies.read_raw(seat.sit().own) == b"stand-fast: never\n"


def test_a_page_that_waits_says_so_and_one_that_is_left_alone_too(browser, seat):
    """A busy board differs from an ended board; unsaved text stays."""
    with opened(browser, seat) as screen:
        page = screen.page
        screen.click("link", "Anna")
        screen.whole()
        page.clock.install()
        held = []
        page.route("**/order", lambda route: held.append(route))  # noqa: PLW0108 - a built-in is no handler
        page.get_by_role("tab", name="Orders").click()
        page.get_by_role("textbox", name="Or in words").fill("posture engage")
        page.get_by_role("tabpanel", name="Orders", exact=True).get_by_role("button", name="Order", exact=True).click()
        page.wait_for_function("document.body.dataset.asked !== '0'")
        page.clock.fast_forward(9000)
        page.get_by_role("status").get_by_text("has not answered yet").wait_for()
        held[0].abort()
        page.get_by_role("status").get_by_text("cannot be reached").wait_for()
        assert page.get_by_role("textbox", name="Or in words").input_value() == "posture engage"
        screen.wrong = [each for each in screen.wrong if "ERR_FAILED" not in each]
    assert b"posture: engage" not in seat.draft().read_bytes()
