"""A guide for each system points at the next action, continues afterwards, and can be left at any time."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.sweeps import long
from rulesets import toys

import kursk_pbem.rulesets
from board.screens import opened, violations
from board.seats import Client, Stranger, begun, by_turn, sent
from kursk_pbem.cli import run
from kursk_pbem.cli.common import use_home
from kursk_pbem.cli.orders.dialogue import Dialogue
from kursk_pbem.desk.seat import bothsides, forms, guides, panels, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.game import scenario_files, scenarios
from kursk_pbem.kernel.state import OVER
from kursk_pbem.practice import partner
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
    setting = scenarios.make_setting(system, scenarios.load(scenario), {}, "players")
    return system, setting, system.play.stages(setting)


EVERY = scenario_files.list_ids()


@pytest.mark.parametrize("scenario", EVERY)
def test_a_guide_knows_the_stages_and_words_of_every_scenario(scenario):
    """Every stage with orders or answers has steps, and every step has a target."""
    found, setting, stages = table_of(scenario)
    steps = guides.load_stages(found.rulebook.with_name(guides.FILE))
    said = {key for key, stage in stages.items() if key != OVER and stage.phases and key != "reveal"}
    assert said <= set(steps)
    known = {verb.name for verb in found.seen.verbs(setting)}
    for step in (each for listed in steps.values() for each in listed):
        kind, _blank, name = step["point"].partition(" ")
        assert kind in ("able", "enemy", "attacked", "orders", "verb", "tab")
        assert kind != "verb" or name in known
        assert step["text"].endswith(".")


def test_a_guide_by_kind_of_stage_leads_through_a_small_game(tmp_path, monkeypatch):
    toys.plug(monkeypatch)
    seats = begun(tmp_path, "ridge-toy/hill")
    mine = next(seat for seat in seats.values() if seat.sit().mine)
    assert [step["point"] for step in guides.make_guide(scene.open_scene(mine.room, mine.game))] == [
        "map",
        "able",
        "sign",
    ]


def test_every_system_has_a_guide():
    assert {path.parent.name.replace("_", "-") for path in FILES} == set(FIRST)


@pytest.mark.some(2)
@pytest.mark.parametrize("system", FIRST)
def test_the_first_message_of_every_system_is_guided(tmp_path, system):
    seats = begun(tmp_path, FIRST[system])
    mine = next(seat for seat in seats.values() if seat.sit().mine)
    steps = guides.make_guide(scene.open_scene(mine.room, mine.game))
    assert [steps[0]["point"], steps[-1]["point"]] == ["map", "sign"]
    assert len(steps) > 2
    client = Client(mine).enter()
    assert client.get(client.at("guide")).get_json()["steps"] == steps


PARTS = {
    "battle-for-kursk": ("strength, 4 movement", "full strength", ("strength", "movement", "the name", "symbol")),
    "kursk-1971": (
        "strength, 5 movement",
        "infantry, a division",
        ("strength", "movement", "size, a division", "stripe"),
    ),
    "juggernauts": ("attack, 3 defense, 1 movement", "good order", ("attack", "defense", "movement", "size, an army")),
    "armor-commander": (
        "tank, faces",
        "number 3 of the unit Panzer IV, unharmed",
        ("the barrel", "with its number", "its stand"),
    ),
}
"""Words of a card, and of the drawn counter, by system."""


def say(here, piece):
    return ", ".join(" ".join(pair) for pair in here.name_figures(piece))


@pytest.mark.some(2)
@pytest.mark.parametrize("system", PARTS)
def test_a_counter_is_explained_in_the_guide_the_legend_and_its_card(tmp_path, system):
    """Bug: nothing on the board told the strength of a counter from its movement."""
    figures, condition, parts = PARTS[system]
    mine = by_turn(begun(tmp_path, FIRST[system]))[0]
    here, client = scene.open_scene(mine.room, mine.game), Client(mine).enter()
    drawn = client.get(client.at("guide")).get_json()["steps"][0]["drawn"]
    legend = client.get(client.at()).text.partition('id="help"')[2]
    for part in parts:
        assert part in drawn
        assert part in legend
    able = panels.list_movable(here)
    pieces = [*here.picture.pieces[::8], *(piece for piece in here.picture.pieces if figures in say(here, piece))][:24]
    cards = {piece.id: forms.make_unit_card(here, piece.id)["lines"][0] for piece in pieces}
    assert any(figures in card and condition in card for card in cards.values())
    for uid, card in cards.items():
        assert ("can still move" in card) == (uid in able)


def test_a_guide_points_goes_on_and_is_left(browser, tmp_path):
    _first, german = begun(tmp_path, FIRST["kursk-1971"]).values()
    with opened(browser, german) as screen:
        page = screen.page
        screen.click("link", "Anna")
        screen.whole()
        guide = page.get_by_role("region", name="A guided turn")
        assert not guide.is_visible()
        screen.button("Show me this turn")
        guide.get_by_text("You play the German side").wait_for()
        assert violations(page) == []
        screen.button("Next step")
        ring = page.locator("#layer-guide circle")
        unit = next(
            each["unit"] for each in guides.make_guide(scene.open_scene(german.room, german.game)) if each["unit"]
        )
        assert ring.count() == 1
        phase = forms.make_unit_card(scene.open_scene(german.room, german.game), unit)["phases"][0]
        page.get_by_label("Or in words").fill(f"{phase['verb']} {unit} {phase['ends'][0]['place']}")
        screen.press("Enter")
        screen.settled()
        guide.get_by_text("Then attacks").wait_for()
        after = scene.open_scene(german.room, german.game)
        later = forms.make_unit_card(after, unit)["phases"][-1]  # counted from the first place of the unit
        assert (later["verb"], later["start"]) == ("motor", after.ground.point(phase["ends"][0]["place"]))
        unlit = forms.explain_refusal(after, unit, phase["ends"][-1]["place"], later["key"])
        assert unlit == ["Motorized Movement Phase: only motorized units move again after combat [3.0-b]"]
        first, *more = forms.make_unit_card(after, unit)["lines"]
        assert not {*first.partition(": ")[2].split(", ")} & {part for line in more for part in line.split(", ")}
        screen.button("move", page.get_by_role("tabpanel", name="Orders", exact=True))
        page.locator("#said").get_by_text("Choose a unit on the map").wait_for()
        there = page.url
        page.goto("about:blank")  # otherwise the guide sees the order and ends the step
        assert Client(german).enter().order("attack 1823 all").status_code == 200
        page.goto(there)
        page.locator("#orders").get_by_text("Nothing to choose now for: intercept, reinforce, motor").wait_for()
        screen.settled()
        guide.get_by_text("You play the German side").wait_for()
        assert "enemy" not in [each["point"] for each in guides.make_guide(scene.open_scene(german.room, german.game))]
        screen.button("Leave the guide")
        assert not guide.is_visible()
        assert ring.count() == 0
        page.reload()
        screen.whole()
        assert not guide.is_visible()


@pytest.mark.long("test-board-all")
def test_done_ends_the_guide_of_one_message_only(browser, tmp_path):
    """Bug: the only blue button of the last step switched the guide off, and the other side had none."""
    (tmp_path / "empty").mkdir()
    with opened(browser, Stranger("", tmp_path / "empty")) as screen:
        page, guide = screen.page, screen.page.get_by_role("region", name="A guided turn")
        orders = page.get_by_role("tab", name="Orders", exact=True)
        screen.button("Play both sides")
        seen = []
        for seq in range(1, 7):
            screen.whole()
            assert orders.get_attribute("aria-selected") == "true" or not guide.is_visible()
            seen.append((page.locator("#bar [data-own]").inner_text().split("you are ")[1][:3], guide.is_visible()))
            if guide.is_visible():
                guide.get_by_role("button", name="Next step").wait_for()
                while guide.get_by_role("button", name="Next step").is_visible():
                    screen.button("Next step")
                screen.button("Done")
                assert not guide.is_visible()
            if seq == 2:
                page.reload()
                screen.whole()
                assert not guide.is_visible()
                orders.click()
                page.get_by_label("Or in words").fill("posture engage, attack 1912 all")
                screen.press("Enter")
                screen.settled()
            screen.button("Sign …")
            with page.expect_navigation():
                screen.button("Sign it", page.get_by_role("dialog", name="Sign this message?"))
        assert seen == [("Rus", True), ("Ger", True), ("Rus", True), ("Ger", True), ("Rus", True), ("Ger", False)]


def practised(root, scenario, side):
    """Begin a game as 'kursk play' does, or with a side against the program; return the room and the game."""
    room = Room(root / "private", root)
    if side == "both":
        return room, bothsides.start_practice(room, scenario)
    room.partner = partner.Partner(room.home, room.changing).bring
    return room, partner.start_game(room.home, scenario, side, 1).game.chain.game


def typed_guides(room, game, turns):
    """Type every line of the guide of each message, and sign. Return the refused lines, and the number of lines."""
    refused, number, seen = [], 0, set()
    while not (desk := room.desk(game)).game.over and len(seen | {desk.game.state.turn}) <= turns:
        seen.add(desk.game.state.turn)
        here = scene.open_scene(room, game)
        steps = guides.list_typed_steps(here) if here.sheet else []
        shown = [each["text"] for each in guides.make_guide(here)[1:-1]]
        assert len(shown) == len(steps)
        assert all(text.startswith(words) for text, (words, _line) in zip(shown, steps, strict=True))
        with use_home(desk.record_of_writer().home):
            refused += [(desk.seq, line) for _words, line in steps if run(Dialogue(desk.folder).arguments(line))]
            assert run(["sign", str(desk.folder), "--yes"]) == 0
        number += len(steps)
    return refused, number


SEATS = [(scenario, side) for scenario in EVERY for side in ("both", *ruleset(scenario.partition("/")[0]).sides)]
FEW = [(scenario, "both") for scenario in FIRST.values()]


@pytest.mark.parametrize(("scenario", "side", "turns"), [(*FEW[0], 1), *(long((*seat, 2)) for seat in SEATS)])
def test_every_line_of_a_guide_is_legal_after_the_lines_above(tmp_path, scenario, side, turns):
    """Bug: a guide showed a patrol that its own attack forbids, and a move that its own set-up forbids."""
    refused, number = typed_guides(*practised(tmp_path, scenario, side), turns)
    assert number > 1
    assert refused == []


def test_4_3_on_a_table_the_guide_points_at_a_model(tmp_path):
    """Without known moves, the guide points at the first movable model."""
    seats = begun(tmp_path, FIRST["armor-commander"])
    for _message in (1, 2):
        other = sent(*by_turn(seats))
    steps = guides.make_guide(scene.open_scene(other.room, other.game))
    assert [step["point"] for step in steps] == ["map", "able", "sign"]
    assert steps[1]["unit"] in {piece.id for piece in scene.open_scene(other.room, other.game).picture.pieces}
