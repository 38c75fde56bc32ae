"""Odds on the board name their conditions: earlier battles, Offensive markers, the posture."""

from __future__ import annotations

import re
import shutil

import pytest
from helpers.signed_play import Table
from rulesets.battle_for_kursk import first_turn

from board.screens import enters, list_orders, meets, opened
from board.seats import Client, Seat
from kursk_pbem.desk.seat import battles, forms, scene
from kursk_pbem.game import entropy

NORTH = {"id": "north", "hex": "1912", "attackers": ["g-20", "g-46-pz"], "advance": ["g-20"]}
PONYRI = {"id": "ponyri", "hex": "2011", "attackers": ["g-41-pz", "g-47-pz"]}
TWO = {**first_turn.ORDERS, "orders": {"battles": [NORTH, PONYRI]}}


@pytest.fixture
def german(demo_folder, tmp_path):
    """Return the German board of the demonstration; the draft of message 8 engages."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    client = Client(Seat("german", tmp_path / "demo" / "german")).enter()
    assert client.order("posture engage").status_code == 200
    return client


@pytest.fixture
def attacked(tmp_path):
    """Return the Russian board before two battles; the first can cut off the second defender."""
    with entropy.fix_random_bytes("odds"):
        table = Table(tmp_path / "two").begin()
        table.turn(first_turn.OPENING)
        table.turn(TWO)
    return Seat("russian", table.russian.place)


def card(client, unit):
    return forms.make_unit_card(scene.open_scene(client.seat.room, client.seat.game), unit)


def test_a_ring_marks_odds_that_cost_an_offensive_marker(german):
    """Bug: '1:1' for an enemy that cannot be attacked without a marker."""
    seen = card(german, "g-47-pz")
    rings = {target["place"]: target["odds"] for target in seen["targets"]}
    assert (rings["1912"], rings["2112"]) == ("3:1", "(1:1)")
    assert "Odds in brackets: only with an Offensive marker." in seen["legend"]
    plain = {target["place"]: target["odds"] for target in card(german, "g-41-pz")["targets"]}
    assert all(re.fullmatch(r"[0-9]:1|\([0-9]:1\)|-", odds) for odds in plain.values())


def test_the_conditions_of_an_advance_are_told_in_words(german):
    form = german.get(german.at("form?verb=attack&words=1912 with g-20 g-46-pz")).get_json()["html"]
    told = dict(re.findall('<option value="(if-[a-z]+)" [^>]*>([^<]*)</option>', form))
    assert told == {"if-free": "if free", "if-supplied": "if supplied"}


@pytest.mark.parametrize("order", ["posture deploy", "wait"])
def test_12_0_no_ring_where_attacks_are_forbidden(german, order):
    assert german.order(order).status_code == 200
    assert card(german, "g-47-pz")["targets"] == []


def test_no_ring_for_a_unit_whose_side_only_answers(attacked):
    """The posture allows attacks, but not in this message."""
    seen = scene.open_scene(attacked.room, attacked.game)
    assert all(forms.make_unit_card(seen, uid)["targets"] == [] for uid in ("r-70", "r-13"))


def test_9_0_the_card_of_an_attacked_hex_names_the_battle_before_it(attacked):
    """Bug: the earlier battle cut the defender's communication and changed the shown column."""
    seen = scene.open_scene(attacked.room, attacked.game)
    told = "As the position stands now; north, fought earlier, can change the odds to 2:1."
    (place,) = battles.list_waiting(seen, "2011")
    assert place["caveat"] == told
    assert {each["caveat"] for each in battles.list_attacked(seen)} == {
        told,
        "Fought first: later battles do not change the odds.",
    }
    drawn = seen.layers["battles"]
    assert ">1:1?</text>" in drawn
    assert "<title>as the position stands now; fought after north</title>" in drawn


def test_a_ring_and_the_pill_of_a_declared_battle_lie_apart(browser, german):
    """Bug: '5:15:1' at an enemy with a declared battle."""
    assert german.order("attack 1912 with g-46-pz").status_code == 200
    with opened(browser, german.seat) as screen:
        enters(screen)
        screen.unit("g-46-pz")
        screen.settled()
        page = screen.page
        pill = page.locator("#layer-battles .burst .tag").first.bounding_box()
        for ring in page.locator("#layer-hand .ring-text").all():
            assert not meets(ring.bounding_box(), pill), ring.inner_text()


def test_a_plan_has_its_chance_under_the_battles_and_is_not_written(german):
    """The plan stays on the page: the draft does not change."""
    assert 'id="goal"' not in german.get(german.at("")).text, "nothing is declared yet"
    assert german.order("attack 1912 with g-46-pz advance g-46-pz").status_code == 200
    before = german.seat.draft().read_bytes()
    assert 'id="goal"' in german.get(german.at("")).text
    lines = german.get(german.at("plan?text=take 1912 and lose at most 0 steps")).get_json()["lines"]
    assert lines[0] == "Plan of the German side, after all battles:"
    assert [line.partition(":")[0] for line in lines[1:4]] == ["  take 1912", "  lose at most 0 steps", "  all of it"]
    (why,) = german.get(german.at("plan?text=win")).get_json()["lines"]
    assert "is no goal of a plan" in why
    assert german.seat.draft().read_bytes() == before


def test_a_typed_plan_shows_its_chance_and_follows_the_orders(browser, german):
    """The lines under the orders are computed again after each order."""
    assert german.order("attack 1912 with g-46-pz advance g-46-pz").status_code == 200
    shown = "#goal-told >> text=take 1912: "
    with opened(browser, german.seat) as screen:
        enters(screen)
        screen.page.fill("#goal-text", "take 1912")
        screen.page.press("#goal-text", "Enter")
        screen.page.wait_for_selector(shown)
        screen.page.fill("#typed", "note good luck")
        screen.page.press("#typed", "Enter")
        screen.page.wait_for_selector("#listed >> text=good luck")
        screen.page.wait_for_selector(shown)


@pytest.mark.usefixtures("sooner")
def test_why_not_attack_here_tells_ideas_and_writes_nothing(german):
    """The hints are those of 'kursk hint', under the orders."""
    before = german.seat.draft().read_bytes()
    assert "Why not attack here?" in german.get(german.at("")).text
    told = german.get(german.at("hints")).get_json()["html"]
    assert told.count("<li>") == told.count("<button") > 1
    assert "Chances are exact. Gains are an opinion" in told
    assert german.seat.draft().read_bytes() == before


def test_an_idea_is_a_button_that_writes_its_orders(browser, german):
    """An idea is added to the draft; a whole plan takes the place of the draft, and Undo brings the draft back."""
    with opened(browser, german.seat) as screen:
        enters(screen)
        page, had = screen.page, list_orders(screen)
        for kind in ("Order it", re.compile("^Take these")):
            screen.button("Why not attack here?")
            idea = page.locator("#hints-told").get_by_role("button", name=kind).first
            idea.wait_for()
            wanted = idea.get_attribute("data-words")
            idea.click()
            page.locator("#hints-told:empty").wait_for(state="attached")
            screen.settled()
            listed = list_orders(screen)
            assert {*wanted.split(", ")} - {""} <= {*listed}
            assert listed != had
            screen.button("Undo")
            screen.settled()
            assert list_orders(screen) == had


def test_odds_are_dim_only_while_they_are_reckoned_anew(browser, german):
    """Bug: on a slow machine the odds grew dim at every look for changes."""
    opacity = "getComputedStyle(document.querySelector('#odds')).opacity"
    with opened(browser, german.seat) as screen:
        enters(screen)
        screen.unit("r-9-tc")
        held, page = [], screen.page
        for path in ("stamp", "try"):
            page.route(f"**/{path}", lambda route: held.append(route))  # noqa: PLW0108  a builtin is no handler
            if path == "try":
                page.locator("#form").get_by_role("checkbox", name="with an Offensive").check()
            while not held:
                page.wait_for_timeout(100)
            page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished)).then(() => true)")
            assert (page.evaluate(opacity) == "1") == (path == "stamp")
            page.unroute(f"**/{path}")  # goes on with what is held
            screen.settled()
            held.clear()
