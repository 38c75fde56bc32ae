"""Advice for a player: header, waiting units, the defender's page, removed and illegal orders."""

from __future__ import annotations

import re

import pytest
from rulesets.battle_for_kursk import first_turn

from board.screens import enters, opened, violations
from board.seats import Client, Seat, begun, by_turn, fought, sent
from kursk_pbem.desk.draft import wording
from kursk_pbem.desk.seat import forms, panels, scene
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.events import Fought

EXCHANGE_DR = "On a DR, do you turn the retreat into an exchange of losses?"
EXCHANGE_DRL = "On a DRL, do you turn the loss into an exchange of losses?"


@pytest.fixture
def table(tmp_path):
    """Return a game with an attack in message 2, before the answer."""
    return fought(tmp_path, 2)


def test_the_header_keeps_its_height(browser, german):
    """The map stays in place with legal, illegal and unfinished drafts."""
    with opened(browser, german) as screen:
        enters(screen)
        page = screen.page
        heights = {page.locator("#bar").bounding_box()["height"]}
        for words in ("move g-2-ss 1716", "attack 2014 g-24-pz"):
            assert Client(german).enter().order(words).status_code == 200
            page.reload()
            screen.whole()
            heights.add(page.locator("#bar").bounding_box()["height"])
        assert len(heights) == 1


def test_what_to_do_now_names_no_dice_that_have_fallen(table):
    """Bug: the header named dice that the player had seen already."""
    table.turn({})
    client = Client(Seat("german", table.german.place)).enter()
    assert "Now: German movement after the dice." in client.get(client.at()).get_data(as_text=True)
    for ruleset, playables in scenarios.list_scenarios():
        setting = scenarios.make_setting(ruleset, scenarios.load(playables[0].id), {}, "players")
        for stage in ruleset.play.stages(setting).values():
            if stage.rolls and stage.phases:
                assert stage.split, stage.key
                assert not re.search("dice|die|results|initiative", stage.split.left.replace("after the dice", ""))


def test_12_0_an_order_of_one_word_says_what_it_does(german):
    """Bug: the list of orders showed only 'waive'."""
    page = Client(german).enter().get(f"/game/{german.game}/").text
    listed = re.search('<ol id="listed">.*?</ol>', page, re.DOTALL)
    assert 'waive <span class="quiet">give orders at once, without seeing' in listed.group()
    assert re.search('data-verb="wait"[^>]*>wait for the posture</button>', page)


def test_units_that_can_still_move_carry_a_sign_and_are_walked(browser, german):
    """An ordered unit loses the sign; n visits units with the sign."""
    with opened(browser, german) as screen:
        enters(screen)
        page = screen.page
        assert "can still move. Press n" in page.locator("#bar").inner_text()
        able = page.locator("#bar [data-able]").get_attribute("data-able").split()
        assert page.locator("#map .able-sign").count() == len(able)
        screen.press("n")
        screen.settled()
        chosen = page.locator("#map [data-unit].chosen").first.get_attribute("data-unit")
        assert chosen in able
        page.locator("#map .lit path[role=button]").first.click()
        screen.settled()
        left = page.locator("#bar [data-able]").get_attribute("data-able").split()
        assert set(able) - set(left) == {chosen}


def test_the_defender_sees_who_attacks_at_what_odds_and_what_an_answer_does(browser, table):
    """9.3: the chances use the answers of the draft. A ring marks the hex of the form on the map."""
    seat = Seat("russian", table.russian.place)
    with opened(browser, seat) as screen:
        enters(screen)
        page, box = screen.page, screen.page.locator("#map").bounding_box()
        page.mouse.move(box["x"] + 60, box["y"] + 60)
        for _turn in range(12):
            page.mouse.wheel(0, -200)
        card = page.get_by_role("tabpanel", name="Orders", exact=True).get_by_role("article")
        assert card.get_by_role("heading").inner_text() == "2011 (ponyri)"
        assert "2:1" in card.inner_text()
        assert "70th Army" in card.inner_text()
        assert "the defender's choice: accept" in card.inner_text()
        assert violations(page) == []
        screen.button("Say what this defender does …", card)
        screen.settled()
        page.wait_for_timeout(600)
        ring = page.locator("#layer-hand .ring.aim").bounding_box()
        assert box["x"] <= ring["x"] <= box["x"] + box["width"]
        assert box["y"] <= ring["y"] <= box["y"] + box["height"]
        heading = page.get_by_role("tabpanel", name="Compose").get_by_role("heading").first.inner_text()
        assert heading.endswith("70th Army in 2011")
        screen.sets(EXCHANGE_DR, ["always"], "radio")
        screen.settled()
        assert "the defender's choice: exchange" in page.locator("#odds").inner_text()
        screen.submit()
        assert "the defender's choice: exchange" in card.inner_text()


def test_the_answer_form_makes_no_order_that_is_illegal(browser, table):
    """What is left to the default adds no word to the order."""
    seat = Seat("russian", table.russian.place)
    with opened(browser, seat) as screen:
        enters(screen)
        screen.verb("answer")
        screen.click("radio", "ponyri")
        screen.settled()
        assert screen.page.locator("#brief.bad").count() == 0
        give = screen.page.get_by_role("tabpanel", name="Compose").get_by_role("button", name="Order")
        assert give.is_disabled() or screen.page.locator("#form .words").inner_text() == "answer ponyri"
        screen.sets(EXCHANGE_DR, ["always"], "radio")
        screen.settled()
        assert screen.page.locator("#form .words").inner_text() == "answer ponyri exchange-dr always"
        assert screen.page.locator("#brief.bad").count() == 0
        screen.submit()
        screen.verb("answer")
        screen.click("radio", "ponyri")
        screen.settled()
        assert screen.group(EXCHANGE_DR).get_by_role("radio", name="the usual choice").count() == 0


@pytest.mark.long("test-all")
def test_an_order_that_is_taken_out_gives_back_what_it_displaced(table):
    """7.0: an attack replaces the seal of a posture; without the attack the seal returns."""
    for choices in ({}, {}):
        table.turn(choices)
    seat = Seat("russian", table.russian.place)
    client = Client(seat).enter()
    before = scene.open_scene(seat.room, seat.game).sheet.choices
    assert "seal" in before
    assert client.order("attack 1101 all").status_code == 200
    found = scene.open_scene(seat.room, seat.game)
    assert "seal" not in found.sheet.choices
    ((number, words),) = [
        (number, each["words"])
        for number, each in enumerate(panels.make_context(seat.room, found)["orders"], 1)
        if each["words"].startswith("attack")
    ]
    answer = client.post(client.at("out"), {"number": number, "words": words, "stamp": client.stamp()})
    assert any(line.startswith("given back: posture") for line in answer.get_json()["said"])
    after = scene.open_scene(seat.room, seat.game)
    assert after.sheet.choices == before
    assert after.violations == ()


def test_an_illegal_order_hides_its_own_arrow_alone_and_is_named(german):
    """A legal attack stays on the map, and a later order is not blamed."""
    client = Client(german).enter()
    assert client.order("attack 2319 g-24-pz g-57-pz").status_code == 200
    wrong = client.order("attack 2014 g-24-pz").get_json()
    assert wrong["bad"]
    found = scene.open_scene(german.room, german.game)
    assert found.violations
    assert [each.place for each in found.declared] == ["2319"]
    later = client.order("move g-esebeck 1910").get_json()
    assert not any(line.startswith("Not allowed") for line in later["said"])
    assert not later["bad"]


@pytest.mark.long("test-all")
def test_12_0_the_header_lists_no_phase_that_the_posture_lacks(german):
    """Bug with a posture without battles: the header listed a Combat Phase."""
    client = Client(german).enter()
    listed = {}
    for posture in ("engage", "deploy", "pause"):
        assert client.order(f"posture {posture}").status_code == 200
        listed[posture] = panels.make_bar(scene.open_scene(german.room, german.game), (), both=False)["phases"]
    refused = client.get(client.at("form?verb=attack&words=1200")).get_json()["html"]
    assert "Not with the posture pause" in refused
    assert "Nothing can be chosen here" not in refused
    client.order("posture engage")
    form = client.get(client.at("form?verb=attack&words=1200")).get_json()["html"]
    assert "hidden><legend>leads an Offensive" in form  # no unit can: the box was empty
    assert listed["engage"][2:] == ["Armor and Rail Movement Phase", "Combat Phase: battles declared", "Movement Phase"]
    assert listed["deploy"][2:] == ["Armor and Rail Movement Phase", "Movement Phase"]
    assert listed["pause"][2:] == []


def test_8_0_what_moves_after_the_dice_is_said_where_somebody_tries(browser, german):
    """After a declared battle infantry moves in the next message: card and hex say so, and n skips the units."""
    client = Client(german).enter()
    told = "order movement in your next message"
    with opened(browser, german) as screen:
        enters(screen)
        page = screen.page
        page.get_by_label("Or in words").fill("attack 2319 g-24-pz g-57-pz")
        screen.press("Enter")
        screen.settled()
        screen.unit("g-11")
        card = page.get_by_role("tabpanel", name="Unit")
        assert told in card.inner_text()
        screen.hex("2117")
        assert told in page.locator("#said").inner_text()
        assert "g-11" not in page.locator("#bar [data-able]").get_attribute("data-able").split()
        assert "then Movement Phase, after the dice" in page.locator("#bar .phases").inner_text()
    assert any(told in line for line in client.get(client.at("why?unit=g-11&place=2117")).get_json()["lines"])


def test_where_the_next_battle_is_declared_its_odds_stand_alone(german):
    """The result of the last battle disappears, because pills would overlap."""
    here = scene.open_scene(german.room, german.game)
    fought = [event for event in here.desk.history.last_step.result.events if isinstance(event, Fought)]
    place = next(event.place for event in fought if any(target.place == event.place for target in here.outlook.targets))
    pills = here.layers["results"].count('class="burst"')
    assert pills == len(fought)
    assert Client(german).enter().order(f"attack {place} with all").status_code == 200
    then = scene.open_scene(german.room, german.game)
    assert then.layers["results"].count('class="burst"') == pills - 1
    assert then.layers["battles"].count('class="burst"') == 1


def test_a_click_explains_what_the_pill_on_a_hex_says(table, german):
    """A waiting battle is on the card of a unit; the last result is in the attack form."""
    client = Client(Seat("russian", table.russian.place)).enter()
    units = client.seat.sit().game.state.units
    defender = next(uid for uid, unit in units.items() if unit.place == first_turn.BATTLE["hex"])
    card = client.get(client.at(f"unit/{defender}")).get_json()["html"]
    assert "Chance that" in card
    fought = scene.open_scene(german.room, german.game)
    event = next(event for event in fought.desk.history.last_step.result.events if isinstance(event, Fought))
    client = Client(german).enter()
    form = client.get(client.at(f"form?verb=attack&words={event.place}")).get_json()["html"]
    assert f"Result: {event.result}" in form


def test_12_0_4_an_attack_that_the_posture_forbids_is_not_offered_and_the_enemy_says_why(tmp_path):
    """The first Russian posture allows no combat, so a form would be refused."""
    seats = begun(tmp_path, "battle-for-kursk/citadel")
    for _message in (1, 2):
        sent(*by_turn(seats))
    mine, _theirs = by_turn(seats)
    here = scene.open_scene(mine.room, mine.game)
    assert here.checked.result.middle.mark("russian", "posture") == "deploy"
    assert "attack" not in [verb.name for verb in here.sheet.verbs if wording.is_possible(here.sheet, verb)]
    enemy = next(piece.id for piece in here.picture.pieces if piece.side == "german")
    assert any("[12.0-4]" in note for note in forms.make_unit_card(here, enemy)["notes"])


def test_9_3_each_answer_shows_its_outcome_before_the_choice(browser, table):
    """The pill, the unit's card and the list of orders open the same form; equal outcomes share a box."""
    seat = Seat("russian", table.russian.place)
    with opened(browser, seat) as screen:
        enters(screen)
        page = screen.page
        compose = page.get_by_role("tabpanel", name="Compose")
        screen.button("Say what the defender of 2011 does")
        screen.settled()
        assert page.locator("#strip").inner_text().split() == ["2:1", "NE", "33.3%", "DR", "33.3%", "EX", "33.3%"]
        right = screen.group(EXCHANGE_DR)
        told = {
            choice: page.locator(
                f"#{right.locator(f'[value={choice}]').get_attribute('aria-describedby')}"
            ).inner_text()
            for choice in ("never", "always")
        }
        assert told["never"] == "33.3% DR: 70th Army retreats to 2013"
        assert told["always"].startswith("33.3% DR: 70th Army retreats to 2013 and loses 1 step; the attacker loses")
        assert "All choices have the same result here." in screen.group(EXCHANGE_DRL).inner_text()
        screen.button("Cancel", compose)
        page.get_by_label("Find").fill("r-70")
        screen.press("Enter")
        screen.settled()
        card = page.get_by_role("tabpanel", name="Unit")
        screen.button("Say what this defender does …", card)
        screen.settled()
        assert compose.get_by_role("heading").first.inner_text() == "answer ponyri: 70th Army in 2011"
        assert violations(page, "#compose") == []


def test_9_2_1_an_offensive_is_one_tick(browser, german):
    """The tick chooses a leader with its supporters and shows names; the odds stay in view."""
    assert Client(german).enter().order("posture engage").status_code == 200
    with opened(browser, german) as screen:
        enters(screen)
        page = screen.page
        screen.unit("r-9-tc")
        form = page.locator("#form")
        attacker = screen.group("attackers").get_by_role("checkbox", name="XLVI Panzer Corps 4-6")
        assert attacker.get_attribute("value") == "g-46-pz"
        assert page.locator("#compose .bad").count() == 0
        assert screen.group("supports it").count() == 0
        form.get_by_role("checkbox", name="with an Offensive").check()
        screen.settled()
        assert form.locator(".words").inner_text().endswith(" lead g-46-pz support g-41-pz g-47-pz advance g-20")
        assert page.locator("#compose .bad").count() == 0
        page.locator("#compose").evaluate("panel => { panel.scrollTop = panel.scrollHeight; }")
        assert page.locator("#strip .pill").is_visible()
        form.get_by_role("checkbox", name="with an Offensive").uncheck()
        screen.settled()
        assert "lead" not in form.locator(".words").inner_text()


def test_dots_show_that_an_answer_is_on_its_way(browser, german):
    """Bug: the page showed nothing between a click and the answer."""
    dots = "getComputedStyle(document.querySelector('.now'), '::after').visibility"
    with opened(browser, german) as screen:
        enters(screen)
        held = []
        screen.page.route("**/unit/*", lambda route: held.append(route))  # noqa: PLW0108  a builtin is no handler
        screen.press("n")
        while screen.page.evaluate(dots) != "visible":  # the page forbids wait_for_function: it evaluates a string
            screen.page.wait_for_timeout(100)
        held.pop().continue_()
        screen.settled()
        assert screen.page.evaluate(dots) == "hidden"
