"""The replay of a finished game of each system in a browser: read by everybody, stepped by keyboard and mouse."""

from pathlib import Path

import pytest

from board.screens import violations
from kursk_pbem.game import histories
from kursk_pbem.game import replay as replays
from kursk_pbem.report import replay as pages

GAMES = Path(__file__).parents[1] / "games"
ENDED = ("armor-commander/village-draw", "battle-for-kursk/draw", "juggernauts/draw", "kursk-1971/draw")
TABS = ("Report", "Standing", "Chart", "Luck", "Proof")


@pytest.fixture(params=ENDED)
def replay(request, browser, tmp_path):
    """A page of a replay as it lies on a disk; nothing may have been complained of or asked for."""
    path = tmp_path / "game.html"
    path.write_text(pages.page(replays.of(histories.load(GAMES / request.param))), encoding="utf-8")
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    wrong = []
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith("file:") else None)
    page.goto(path.as_uri())
    yield page
    page.context.close()
    assert not wrong


def frame(page):
    return int(page.get_by_role("slider", name="Frame").input_value())


def test_a_replay_is_stepped_and_read(replay):
    heading = replay.get_by_role("heading", level=2)
    assert heading.inner_text().endswith("the first position")
    last = int(replay.get_by_role("slider", name="Frame").get_attribute("max"))
    data = replay.evaluate("JSON.parse(document.getElementById('data').textContent)")
    assert len(data["frames"]) == last + 1
    assert all(each["title"] for each in data["frames"])
    for number, each in enumerate(data["frames"][1:20], 1):
        replay.keyboard.press("ArrowRight")
        assert frame(replay) == number
        assert heading.inner_text() == f"Turn {each['turn']}: {each['title']}"
    replay.keyboard.press("Home")
    assert frame(replay) == 0
    replay.keyboard.press("PageDown")
    assert frame(replay) > 0
    replay.get_by_role("button", name="To the last frame").click()
    assert frame(replay) == last
    assert "verified" in replay.locator("#check").inner_text()
    replay.get_by_role("combobox", name="Find").fill(min(data["names"]))
    replay.keyboard.press("Enter")
    for scheme in ("light", "dark"):
        replay.emulate_media(color_scheme=scheme)
        for name in TABS:
            replay.get_by_role("tab", name=name).click()
            assert violations(replay, "aside") == [], (scheme, name)
    assert violations(replay, "body") == []
