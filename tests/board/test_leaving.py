"""Back, forward and reload ask before a half typed order is lost."""

from __future__ import annotations

from board.screens import enters, opened

LEFT = """addEventListener("beforeunload", () => (sessionStorage.left =
  [document.querySelector("header").inert, getComputedStyle(document.body, "::after").content].join()))"""
"""Notes how a board looks that is being left."""


def asked(screen, leave):
    """Return whether the browser asks before leaving; the answer is to stay."""
    found = []

    def stays(dialog):
        found.append(dialog.type)
        dialog.dismiss()

    screen.page.on("dialog", stays)
    leave()
    screen.page.wait_for_timeout(500)
    screen.page.remove_listener("dialog", stays)
    return found == ["beforeunload"]


def reloads(screen):
    return lambda: screen.page.evaluate("setTimeout(() => location.reload())")


def test_a_form_or_words_that_are_begun_are_asked_about_before_the_page_is_left(browser, opening):
    """Bug: Back lost a half filled form without a question."""
    with opened(browser, opening) as screen:
        page = screen.page
        enters(screen)
        page.locator("#map").click(position={"x": 5, "y": 5})
        screen.verb("posture")
        page.get_by_role("tabpanel", name="Compose").get_by_role("radio").first.check()
        screen.settled()
        assert asked(screen, reloads(screen))
        assert asked(screen, lambda: page.evaluate("history.back()"))
        assert page.get_by_role("tabpanel", name="Compose").get_by_role("radio").first.is_checked()
        screen.submit()
        page.get_by_label("Or in words").fill("note good luck")
        assert asked(screen, reloads(screen))
        screen.press("Enter")
        screen.settled()
        with page.expect_navigation():
            assert not asked(screen, reloads(screen))


def test_whoever_signs_is_not_asked_and_the_old_board_takes_no_clicks(browser, opening):
    """Bug: between 'Signed' and the next board the old board looked alive, and a click was lost."""
    with opened(browser, opening) as screen:
        page, found = screen.page, []
        enters(screen)
        for line in page.get_by_label("Or in words").all():  # a page has no such line
            line.fill("note good luck")
        page.on("dialog", lambda dialog: (found.append(dialog.type), dialog.accept()))
        screen.button("Sign …")
        screen.button("Sign it")
        page.get_by_role("dialog", name="Signed").get_by_text("Wrote").wait_for()
        page.evaluate(LEFT)
        with page.expect_navigation():
            screen.button("OK", page.get_by_role("dialog", name="Signed"))
        told = page.evaluate("sessionStorage.left")
        assert "true" in told
        assert "The next board loads" in told
        page.get_by_role("tab", name="Orders").wait_for()
        assert not page.locator("header[inert]").count()
        assert found == []
