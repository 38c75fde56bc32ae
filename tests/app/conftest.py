"""Fixtures of the page's tests: they need the page that `make app` has built, and KURSK_APP, set by `make test-app`."""

import importlib
import os
from contextlib import ExitStack

import pytest
from board.conftest import LIGHT, MISSING, WHOLE, find_chromium
from board.moves import at  # noqa: F401  a fixture

from app import drivers, remote
from app.pages import hosted
from kursk_pbem.board import hosting

ENGINES = ("chromium", *drivers.MISSING)
WAIT = 60_000


@pytest.fixture(scope="session")
def started():
    """Return the type of the system's Chromium, and how to start it."""
    if not os.environ.get("KURSK_APP") or not (hosting.BUILT / "app.json").is_file():
        pytest.skip("make test-app builds the page and plays in it")
    sync_api = importlib.import_module("playwright.sync_api")
    found = find_chromium(WHOLE)
    if found is None:
        pytest.skip(MISSING)
    with sync_api.sync_playwright() as playwright:
        yield playwright.chromium, {"executable_path": found, "args": ["--no-sandbox", *LIGHT]}


@pytest.fixture(scope="session")
def chromium(started):
    """Start the system's Chromium."""
    kind, how = started
    running = kind.launch(**how)
    yield running
    running.close()


@pytest.fixture(scope="session")
def display():
    """Start a screen in memory for WebKit."""
    with drivers.screen() as name:
        yield name


@pytest.fixture(params=ENGINES)
def profiles(request, tmp_path):
    """Return a function that makes an empty browser profile, in each engine; ``moving``: with all motion."""
    with ExitStack() as stack:
        if request.param == "chromium":
            browser = request.getfixturevalue("chromium")

            def make(*, moving=False):
                motion = "no-preference" if moving else "reduce"
                made = browser.new_context(reduced_motion=motion, viewport={"width": 1280, "height": 850})
                stack.callback(made.close)
                made.set_default_timeout(WAIT)
                return made

        else:
            if not os.environ.get("KURSK_APP") or not (hosting.BUILT / "app.json").is_file():
                pytest.skip("make test-app builds the page and plays in it")
            if not drivers.is_here(request.param):
                pytest.skip(drivers.MISSING[request.param])
            names = iter(range(9))

            def make(*, moving=False):
                place = tmp_path / f"profile-{next(names)}"
                display = request.getfixturevalue("display") if request.param == "webkit" else ""
                made = remote.Profile(stack.enter_context(drivers.started(request.param, place, display, moving)))
                made.set_default_timeout(WAIT)
                return made

        yield make


@pytest.fixture
def context(profiles):
    """Return an empty browser profile."""
    return profiles()


@pytest.fixture
def origin():
    """Serve the page; return its address."""
    with hosted(hosting.BUILT) as address:
        yield address
