"""The browser killed at random moments of signing: ``make test-app KILLS=100 SEED=...``."""

import importlib
import os
import random
import re
import signal
import time
from pathlib import Path
from threading import Timer

import pytest

from app.inside import READ, Mirror
from app.pages import Page
from kursk_pbem.audit import verify

pytestmark = pytest.mark.app
KILLS = int(os.environ.get("KURSK_KILLS", "3"))
SEED = int(os.environ.get("KURSK_SEED", "0")) or random.randrange(1, 10**6)
MOST = 12
"""Messages of a game; then another game begins."""


def kill_browser(profile):
    """Kill every process of the browser with this profile."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if f"--user-data-dir={profile}".encode() in (place / "cmdline").read_bytes():
                os.kill(int(place.name), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended


def read_messages(page):
    """Return the stored messages by seat, game and number."""
    files = {name: data for name, _mode, _time, data in page.window.evaluate(READ)}
    return {name: files[name] for name in files if re.search(r"/game-\w+/\d{4}\.yaml$", name)}


def test_a_killed_browser_has_stored_what_it_showed_and_one_message_of_each_number(started, origin, tmp_path):
    kind, how = started
    stopped = importlib.import_module("playwright.sync_api").Error
    print(f"KURSK_SEED={SEED}")
    chance, known, span, shown, signed = random.Random(SEED), {}, 2.0, False, 0
    for number in range(KILLS + 1):
        context = kind.launch_persistent_context(tmp_path / "profile", reduced_motion="reduce", **how)
        context.set_default_timeout(120_000)
        page = Page(context, origin).open()
        found = read_messages(page)
        assert found.items() >= known.items(), (SEED, number)  # what was stored stays, with the same bytes
        new = {name[-9:] for name in found.keys() - known.keys()}
        assert new or not shown, (SEED, number)
        assert len({(name[-31:], data) for name, data in found.items()}) == len({name[-31:] for name in found})
        known, signed = found, signed + len(new)
        if number == KILLS:
            break
        if number % MOST == 0:
            page.home()
            page.begin()
            known = read_messages(page)
        page.board.get_by_role("button", name="Sign …").click()
        page.board.get_by_role("button", name="Sign it").wait_for()
        began, shown = time.monotonic(), False
        Timer(chance.uniform(0, span), kill_browser, [tmp_path / "profile"]).start()
        try:
            page.board.get_by_role("button", name="Sign it").click()
            page.board.get_by_text("is at this board").wait_for()
            shown, span = True, 1.5 * (time.monotonic() - began)
            page.window.wait_for_timeout(60_000)
        except stopped:
            continue
    mirror = Mirror(page.window, tmp_path / "seat")
    mirror.get()
    folders = [path for path in mirror.place.rglob("game-*") if (path / "0000.yaml").exists()]
    assert folders
    assert [verify.verify_game(folder).status for folder in folders] == [0] * len(folders)
    print(f"{KILLS} kills, {signed} messages")
    context.close()
