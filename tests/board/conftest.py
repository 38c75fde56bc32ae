"""Fixtures of the board's tests; those with a browser run under `make test-board` alone, which sets KURSK_BROWSER."""

import importlib
import os
import shutil

import jinja2
import pytest

from board import screens, seats
from kursk_pbem.audit import verify
from kursk_pbem.game import entropy

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
MISSING = "no Chromium is found: install it ('apt-get install chromium', say), or name its file in KURSK_CHROMIUM"

LIGHT = ("--disable-gpu", "--disable-software-rasterizer")
"""Chromium emulates no graphics card: on a machine without one that costs more than drawing."""


@pytest.fixture(autouse=True, scope="session")
def _compiled_once():
    """Every test opens boards of its own; the code that comes of the text of a template is the same in all of them."""
    compiled, compile_ = {}, jinja2.Environment.compile

    def once(environment, *text):
        if text not in compiled:
            compiled[text] = compile_(environment, *text)
        return compiled[text]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "compile", once)
        yield


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium."""
    if not os.environ.get("KURSK_BROWSER"):
        pytest.skip("make test-board plays in a browser")
    sync_api = importlib.import_module("playwright.sync_api")
    found = os.environ.get("KURSK_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert found is not None, MISSING
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", *LIGHT])
        yield running
        running.close()


@pytest.fixture
def nonces(monkeypatch):
    """A function that begins the same nonces again, in every thread: those of a board are not the test's."""
    with entropy.fix_random_bytes("citadel"):
        found = [entropy.random_bytes() for _ in range(500)]

    def begin():
        stream = iter(found)
        monkeypatch.setattr(entropy, "random_bytes", lambda: next(stream))

    return begin


@pytest.fixture
def alike(browser, tmp_path, nonces):
    """A function that plays a game by mouse and typed into drafts, with the same nonces: the same bytes, and verified.

    It gives the seats of the boards by side, and the clicks that each message took.
    """

    def play(scenario, content, compose, last):
        nonces()
        wanted = seats.typed(tmp_path / "typed", scenario, content, last)
        nonces()
        at_boards = seats.proposed(tmp_path / "played", scenario)
        counts = screens.played(browser, at_boards, content, compose, last)
        for seat in at_boards.values():
            assert seats.mails(seat, last) == wanted
            assert verify.verify_game(seat.folder).status == 0
        return at_boards, counts

    return play
