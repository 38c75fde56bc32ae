"""A demonstration runs in the page without a key, and continues as a game."""

from __future__ import annotations

import re

import pytest
from helpers import sweeps

from board.screens import opened, violations
from board.seats import Client
from kursk_pbem.demo import script as scripts
from kursk_pbem.desk.seat import ownkeys


def test_an_opening_is_watched_from_an_empty_home_and_played_on(browser, stranger):
    """One click plays the first battle; the home page still asks for nothing."""
    with opened(browser, stranger, news=True) as screen:
        page = screen.page
        screen.button("Watch a battle (1 minute)")
        assert screen.clicks == 1
        page.get_by_role("heading", name=re.compile("^Message 4 of 7, step 1 of")).wait_for()
        assert violations(page) == []
        film = page.get_by_role("region", name="What happened")
        onward = film.get_by_role("button", name="Play both sides yourself")
        assert onward.is_hidden()
        page.get_by_role("slider", name="Step of the message").press("End")
        screen.button("Message after", film)
        screen.settled()
        title = film.get_by_role("heading").first
        while not re.match(r"Message 7 of 7, step (\d+) of \1:", title.inner_text()):  # one step more closes the film
            screen.button("Step", film)
            screen.settled()
        onward.wait_for()
        assert "A demonstration" in page.locator("#bar").inner_text()
        assert page.get_by_role("button", name="Sign …").count() == 0  # nothing is to be done before
        screen.button("Skip")
        assert "you play both sides here" in page.locator("#bar").inner_text()
        assert page.get_by_role("button", name="Play both sides yourself").is_visible()
        screen.click("link", "To your games")
        page.get_by_role("link", name="A demonstration").wait_for()
        assert page.get_by_role("button", name="Make my key").is_hidden()
        screen.button("Watch Battle for Kursk")
        page.get_by_role("heading", name=re.compile("^Message 4 of 7, step 1 of")).wait_for()
    assert len(stranger.room.known()) == 1
    assert ownkeys.list_own_keys(stranger.room) == ([], [])


@pytest.mark.parametrize("system", sweeps.some([*scripts.SCRIPTS], 4))
def test_every_system_shows_one(stranger, system):
    client = Client(stranger).enter()
    answer = client.post("/demonstration", {"system": system})
    assert answer.status_code == 200
    (known,) = stranger.room.known()
    desk = stranger.room.desk(known.game)
    assert desk.seq == scripts.load_script(system).last + 1
    assert stranger.room.both(known.game)


def test_there_is_none_of_what_nobody_knows(stranger):
    client = Client(stranger).enter()
    assert client.post("/demonstration", {"system": "../chess"}).status_code == 400
    assert stranger.room.known() == ()
