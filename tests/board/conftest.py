"""Fixtures of the board's tests. Browser tests need KURSK_BROWSER, set by `make test-board`."""

import importlib
import os
import shutil

import jinja2
import pytest
from werkzeug.routing import Rule

from app import inside
from board import screens, seats
from board.moves import at  # noqa: F401  a fixture
from kursk_pbem.audit import verify
from kursk_pbem.game import entropy

WHOLE = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = ("chromium-headless-shell", *WHOLE)
"""The first is the fastest: Chromium without windows, a package of its own on Debian. It copies by permission only."""
MISSING = "no Chromium is found: install it ('apt-get install chromium', say), or name its file in KURSK_CHROMIUM"

LIGHT = ("--disable-gpu", "--disable-software-rasterizer")
"""Chromium emulates no graphics card: on a machine without a card, emulation costs more than drawing."""


def find_chromium(names=CHROMIUM):
    """Return the program that KURSK_CHROMIUM names, or the first of these that is installed, or None."""
    return os.environ.get("KURSK_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(autouse=True, scope="session")
def _compiled_once():
    """Compile each template and each address of a page once for all tests."""
    compiled, compile_, compile_address = {}, jinja2.Environment.compile, Rule._compile_builder

    def once(environment, *text):
        if text not in compiled:
            compiled[text] = compile_(environment, *text)
        return compiled[text]

    def address_once(rule, more=True):
        key = more, *rule._trace, str(rule.defaults)
        if key not in compiled:
            compiled[key] = compile_address(rule, more)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "compile", once)
        patch.setattr(Rule, "_compile_builder", address_once)
        yield


@pytest.fixture(autouse=True)
def _inside(request):
    """Skip a browser test that cannot run in the page."""
    here = {request.node.path.name, request.node.originalname} & {*inside.OUTSIDE}
    if inside.WANTED and "browser" in request.fixturenames and here:
        pytest.skip(inside.OUTSIDE[here.pop()])


@pytest.fixture(scope="session")
def browser():
    """Start the system's Chromium."""
    if not os.environ.get("KURSK_BROWSER") and not inside.WANTED:
        pytest.skip("make test-board plays in a browser, make test-app in the page")
    sync_api = importlib.import_module("playwright.sync_api")
    found = find_chromium(WHOLE if inside.WANTED else CHROMIUM)
    assert found is not None, MISSING
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", *LIGHT])
        yield running
        running.close()


@pytest.fixture
def german(demo_folder, tmp_path):
    """Return the German of the demonstration; message 8 is due."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    return seats.Seat("german", tmp_path / "demo" / "german")


@pytest.fixture
def opening(tmp_path):
    """Return the board of citadel that writes message 1."""
    return seats.by_turn(seats.begun(tmp_path, "battle-for-kursk/citadel"))[0]


@pytest.fixture
def stranger(tmp_path):
    """Return a person without key and games."""
    (tmp_path / "empty").mkdir()
    return seats.Stranger("", tmp_path / "empty")


@pytest.fixture
def nonces(monkeypatch):
    """Return a function that restarts the nonces in every thread."""
    with entropy.fix_random_bytes("citadel"):
        found = [entropy.random_bytes() for _ in range(500)]

    def begin():
        stream = iter(found)
        monkeypatch.setattr(entropy, "random_bytes", lambda: next(stream))

    return begin


@pytest.fixture
def alike(browser, tmp_path, nonces):
    """Return a function that plays a game by mouse and by typed drafts with equal nonces, and compares the bytes.

    The function returns the seats of the boards by side, and the clicks of each message.
    """

    def play(scenario, content, compose, last):
        nonces()
        wanted = None if inside.WANTED else seats.typed(tmp_path / "typed", scenario, content, last)
        nonces()
        at_boards = seats.proposed(tmp_path / "played", scenario)
        counts = screens.played(browser, at_boards, content, compose, last)
        for seat in at_boards.values():
            wanted = wanted or seats.mails(seat, last)  # the page has other nonces
            assert seats.mails(seat, last) == wanted
            assert verify.verify_game(seat.folder).status == 0
        return at_boards, counts

    return play
