"""Fixtures of the board's tests; those with a browser are skipped without Playwright (`make test-board` has it)."""

import os
import shutil

import pytest

from kursk_pbem.game import entropy

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
MISSING = "no Chromium is found: install it ('apt-get install chromium', say), or name its file in KURSK_CHROMIUM"


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="make test-board plays in a browser")
    found = os.environ.get("KURSK_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None and not os.environ.get("KURSK_BROWSER"):
        pytest.skip(MISSING)
    assert found is not None, MISSING
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def nonces(monkeypatch):
    """A function that begins the same nonces again, in every thread: those of a board are not the test's."""
    with entropy.fixed("citadel"):
        found = [entropy.fresh() for _ in range(500)]

    def begin():
        stream = iter(found)
        monkeypatch.setattr(entropy, "fresh", lambda: next(stream))

    return begin
