"""A guided turn for each system: it points at what to do, goes on when it is done, and can be left at any time."""

from __future__ import annotations

from pathlib import Path

import pytest

import kursk_pbem.rulesets
from board.screens import opened, violations
from board.seats import Client, begun
from kursk_pbem.desk.seat import guides, scene
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulesets import ruleset

FIRST = {
    "battle-for-kursk": "battle-for-kursk/citadel",
    "kursk-1971": "kursk-1971/july4-historical",
    "juggernauts": "juggernauts/july-1943",
    "armor-commander": "armor-commander/crossroads",
}
FILES = sorted(Path(kursk_pbem.rulesets.__file__).parent.glob(f"*/{guides.FILE}"))


def table_of(scenario):
    system = ruleset(scenario.partition("/")[0])
    setting = scenarios.setting(system, scenarios.load(scenario), {}, "players")
    return system, setting, system.play.stages(setting)


@pytest.mark.parametrize("system", FIRST)
def test_a_guide_knows_its_stages_and_its_words(system):
    """Every stage in which something is ordered or said has steps; every step points at what there is."""
    found, setting, stages = table_of(FIRST[system])
    steps = guides.stages(found.rulebook.with_name(guides.FILE))
    assert set(steps) <= set(stages)
    ordering = {
        key for key, stage in stages.items() if key != OVER and stage.kind in ("orders", "answer") and stage.phases
    }
    assert ordering - set(steps) <= {"weather-answer"}
    known = {verb.name for verb in found.seen.verbs(setting)}
    for step in (each for listed in steps.values() for each in listed):
        kind, _blank, name = step["point"].partition(" ")
        assert kind in guides.POINTS
        assert kind != "verb" or name in known
        assert step["text"].endswith(".")


def test_every_system_has_a_guide():
    assert {path.parent.name.replace("_", "-") for path in FILES} == set(FIRST)


@pytest.mark.parametrize("system", FIRST)
def test_the_first_message_of_every_system_is_guided(tmp_path, system):
    seats = begun(tmp_path, FIRST[system])
    mine = next(seat for seat in seats.values() if seat.sit().mine)
    steps = guides.of(scene.of(mine.room, mine.game))
    assert [steps[0]["point"], steps[-1]["point"]] == ["map", "sign"]
    assert len(steps) > 2
    client = Client(mine).enter()
    assert client.get(client.at("guide")).get_json()["steps"] == steps


def test_a_guide_points_goes_on_and_is_left(browser, tmp_path):
    _first, german = begun(tmp_path, FIRST["kursk-1971"]).values()
    with opened(browser, german) as screen:
        page = screen.page
        screen.click("link", "Anna")
        screen.whole()
        guide = page.get_by_role("region", name="A guided turn")
        assert not guide.is_visible()
        screen.button("Show me this turn")
        guide.get_by_text("You play German").wait_for()
        assert violations(page) == []
        screen.button("Next step")
        ring = page.locator("#layer-guide circle")
        unit = next(each["unit"] for each in guides.of(scene.of(german.room, german.game)) if each["unit"])
        assert ring.count() == 1
        screen.unit(unit)
        page.locator("#map .lit path[role=button]").first.click()
        screen.settled()
        guide.get_by_text("Then attacks").wait_for()
        page.reload()
        guide.get_by_text("You play German").wait_for()
        screen.button("Leave the guide")
        assert not guide.is_visible()
        assert ring.count() == 0
        page.reload()
        screen.whole()
        assert not guide.is_visible()
