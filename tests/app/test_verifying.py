"""The page that a tournament's site links to: a visitor verifies an archive, and watches it."""

import shutil

import pytest

from app.pages import Page

pytestmark = pytest.mark.app


def test_a_visitor_verifies_an_archive_and_watches_it(context, origin, demo_folder, tmp_path):
    """Back and a second archive work; a damaged archive gets a sentence; nothing is stored."""
    zipped = shutil.make_archive(str(tmp_path / "demo"), "zip", demo_folder / "german")
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04 and no more")
    page = Page(context, origin).open("#verify")
    page.board.get_by_role("heading", name="Verify", exact=True).wait_for()
    assert "#" not in page.window.url
    page.board.locator("#archive-files").set_input_files(zipped)
    page.board.get_by_role("button", name="Verify").click()
    page.board.get_by_role("heading", name="VERIFIED", exact=True).wait_for()
    page.board.get_by_role("link", name="Watch it, with luck and proof").click()
    page.board.locator("#check").get_by_text("verified").wait_for()
    page.board.get_by_role("tab", name="Luck").click()
    page.board.get_by_role("link", name="Back").click()
    page.board.locator("#archive-files").set_input_files(broken)
    page.board.get_by_role("button", name="Verify").click()
    page.board.get_by_text("the zip is damaged").wait_for()
    page.open()
    page.board.get_by_role("button", name="Play both sides", exact=True).wait_for()
    assert page.board.locator(".games article").count() == 0
    assert [each for each in page.wrong if "400" not in each] == []
