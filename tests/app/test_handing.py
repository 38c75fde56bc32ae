"""A message is handed on from the board, in each engine: copied as text and as a link, and by mail."""

import re

import pytest
from board.moves import CITADEL
from board.seats import begun

from app.pages import paste
from kursk_pbem.game import folders
from kursk_pbem.trust import sofar

pytestmark = pytest.mark.app


@pytest.mark.parametrize("profiles", ["chromium", "webkit"], indirect=True)
def test_a_message_is_copied_as_text_and_as_a_link_and_mailed(context, tmp_path):
    """Bug: WebKit allows copying only within a click, and no button handed a message on."""
    _first, mine = begun(tmp_path, CITADEL).values()
    with mine.served() as board:
        page = context.new_page()
        page.goto(board.access.login_url)
        page.get_by_role("main").wait_for()
        page.goto(f"{board.access.address}{board.access.root}/game/{mine.game}/")
        page.locator("body[data-asked='0']").wait_for(state="attached")
        page.get_by_role("button", name="Sign …").click()
        page.get_by_role("button", name="Sign it").click()
        signed = page.get_by_role("dialog", name="Signed")
        signed.get_by_role("button", name="Copy as text").click()
        signed.get_by_text("Copied: paste the text into your mail").wait_for()
        written = folders.message_path(mine.folder, 1).read_bytes()
        assert paste(page) == sofar.cut_block(written).decode("ascii")  # chats cut long texts
        signed.get_by_role("button", name="Copy the address").click()
        signed.get_by_text("Copied: paste the address").wait_for()
        assert paste(page).startswith("#k1.")
        with page.expect_request(re.compile("^mailto:.subject=")):
            signed.get_by_role("button", name="New mail").click()
