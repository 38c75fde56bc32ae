"""Finished games, and games of other players."""

from __future__ import annotations

import re
import shutil

import pytest
from helpers import finished_games, registry

from board.screens import opened
from board.seats import Client, Stranger


@pytest.fixture
def over(tmp_path):
    """Return a spectator with the mails of a finished game."""
    stranger = Stranger("", tmp_path / "games")
    shutil.copytree(finished_games.folder_of(registry.kit(), "moscow"), stranger.place / "game-1")
    return stranger


def test_the_card_of_a_game_that_is_only_watched_says_so(over):
    """Bug: the sentence ended with 'you are'."""
    page = Client(over).enter().get("/").text
    assert "; you watch</p>" in page
    assert "you are<" not in re.sub(r"\s*<", "<", page)


def test_a_finished_game_opens_on_its_result_with_the_whole_of_it_to_watch(browser, over):
    """Bug: empty orders asked for a mail."""
    with opened(browser, over) as screen:
        page = screen.page
        page.get_by_role("region", name="Games").get_by_role("link").first.click()
        report = page.get_by_role("tabpanel", name="Report")
        report.get_by_text("The game is over.").first.wait_for()
        screen.button("Watch the whole game", report)
        page.get_by_role("heading", name=re.compile("^Message 1 of ")).wait_for()
        screen.press("Escape")
        page.get_by_role("tab", name="Orders").click()
        assert "When the mail comes" not in page.locator("#orders").inner_text()
        assert page.locator("#drop").count() == 1
