"""Fixtures of the page's tests: they need the page that `make app` has built, and KURSK_APP, set by `make test-app`."""

import importlib
import os
import shutil

import pytest
from board.conftest import CHROMIUM, LIGHT, MISSING
from board.moves import at  # noqa: F401  a fixture

from app.pages import hosted
from kursk_pbem.board import hosting


@pytest.fixture(scope="session")
def started():
    """Return the type of the system's Chromium, and how to start it."""
    if not os.environ.get("KURSK_APP") or not (hosting.BUILT / "app.json").is_file():
        pytest.skip("make test-app builds the page and plays in it")
    sync_api = importlib.import_module("playwright.sync_api")
    found = os.environ.get("KURSK_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
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


@pytest.fixture
def context(chromium):
    """Return an empty browser profile."""
    made = chromium.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 850})
    made.set_default_timeout(30_000)
    yield made
    made.close()


@pytest.fixture
def origin(chromium):
    """Serve the page; return its address."""
    with hosted(hosting.BUILT) as address:
        yield address
