"""Forms with a budget show the spent points, and refuse ticks above the budget, by list or by map."""

from __future__ import annotations

import re

import pytest

from board import july_juggernauts
from board.screens import enters, opened, violations
from board.seats import IN_THE_OPEN, Client, Seat, begun, fought, sent
from kursk_pbem.desk.seat import forms, scene
from kursk_pbem.rulesets.battle_for_kursk import replacements

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def table(tmp_path):
    """Return the board before the Russian message 5."""
    return Seat("russian", fought(tmp_path).russian.place)


def budgets(seat, verb, words=""):
    return forms.make_form(scene.open_scene(seat.room, seat.game), verb, words)["budgets"]


def test_6_0_the_steps_of_a_distribution_are_counted_and_no_tick_goes_beyond(browser, tmp_path):
    _first, russian = begun(tmp_path, CITADEL).values()
    kinds = {f"{kind} steps": most for kind, most in russian.sit().game.setting.distribution.items()}
    with opened(browser, russian) as screen:
        page = screen.page
        screen.click("link", "Anna")
        screen.whole()
        screen.verb("distribute")
        shown = page.locator("#form .budgets")
        assert shown.inner_text().split(" ")[:2] == ["infantry", "steps:"]
        for name, most in kinds.items():
            shown.get_by_text(f"{name}: 0 of {most} left").wait_for()
        boxes = page.locator("#form .clause input")
        ticked = page.locator("#form .clause input:checked")
        assert page.locator("#form .clause input:enabled:not(:checked)").count() == 0
        assert ticked.count() == sum(kinds.values())
        short = page.locator("#form .clause input:disabled").first.get_attribute("value")
        screen.unit(short)
        page.get_by_text("nothing is left of the").wait_for()
        assert ticked.count() == sum(kinds.values())
        ticked.first.click()
        screen.settled()
        assert 0 < page.locator("#form .clause input:enabled:not(:checked)").count() < boxes.count()
        assert violations(page) == []


def test_9_2_1_the_markers_of_an_attack_are_counted(german):
    found = scene.open_scene(german.room, german.game)
    markers = found.state.tracks["offensives-german"]
    assert budgets(german, "attack", "2014") == {"Offensive markers": markers}
    assert budgets(german, "posture") == {"Offensive markers": markers}


def test_10_6_points_are_those_that_no_other_order_has_spent(table):
    """Each unit that gains a step takes one Russian point of the second turn."""
    client = Client(table).enter()
    had = budgets(table, "replace")
    net = replacements.count_points(table.sit().game.setting, scene.open_scene(table.room, table.game).state, "russian")
    assert had == {f"{replacements.WORD[kind]} points": max(0, points) for kind, points in net.items()}
    assert had["infantry points"] > 0
    rows = forms.make_form(scene.open_scene(table.room, table.game), "replace", "")["clauses"][0]
    first = next(word for word, costs in rows["costs"].items() if "infantry points" in costs)
    assert client.order(f"replace {first}").status_code == 200
    assert budgets(table, "replace") == {**had, "infantry points": had["infantry points"] - 1}


def test_10_6_who_gives_up_a_step_is_asked_before_anything_else(browser, german):
    """The question is above all orders until the answer; only a different answer is accepted again."""
    with opened(browser, german) as screen:
        page = screen.page
        enters(screen)
        asked = page.get_by_role("region", name="Decide first")
        text = asked.inner_text()
        assert "10.6" in text
        assert "g-40-pz" in text
        assert asked.bounding_box()["y"] < page.get_by_role("heading", name="Orders so far").bounding_box()["y"]
        assert violations(page) == []
        screen.button("Leave as it is", asked)
        asked.wait_for(state="hidden")
        page.reload()
        screen.whole()
        assert not asked.is_visible()
        screen.verb("give-up")
        boxes = page.locator("#form .clause input:checked")
        assert boxes.count() == 2
        assert page.locator("#form .clause input:enabled:not(:checked)").count() == 0
        boxes.first.click()
        page.locator("#form .clause input:enabled:not(:checked)").last.click()
        screen.submit()
        assert not asked.is_visible()


def test_9_3_the_answer_form_names_every_battle_or_says_why_not(tmp_path):
    """A defender in the open has no choice: a note replaces the row."""
    seat = Seat("russian", fought(tmp_path, 2, IN_THE_OPEN).russian.place)
    here = scene.open_scene(seat.room, seat.game)
    battles = {battle["id"] for battle in here.state.agenda["battles"]}
    (clause,) = forms.make_form(here, "answer", "")["clauses"]
    listed = {row[0] for row in clause["rows"]} & battles
    assert listed != battles
    assert {note.partition(":")[0] for note in clause["notes"]} == battles - listed


def test_hexes_of_a_retreat_are_lit_and_clicked(browser, german):
    """Possible hexes are lit; each click adds a retreat hex."""
    with opened(browser, german) as screen:
        page = screen.page
        enters(screen)
        screen.unit(
            next(
                uid
                for uid, unit in scene.open_scene(german.room, german.game).state.units.items()
                if unit.place == "2014"
            )
        )
        lit = page.locator("#layer-lit .proposed")
        assert lit.count() == 0
        screen.group("the path of the enemy").get_by_role("radio", name="away").click()
        first = lit.first.get_attribute("data-at")
        assert {each.get_attribute("data-at") for each in lit.all()} == set(
            forms.make_form(scene.open_scene(german.room, german.game), "attack", "2014")["clauses"][-1]["places"]
        )
        screen.hex(first)
        assert f"retreat away {first}" in page.locator("#form .words").inner_text()
        screen.press("Escape")
        assert lit.count() == 0


def followers(here, place):
    """Return the units that may advance after an attack on a hex."""
    (advance,) = [clause for clause in forms.make_form(here, "attack", place)["clauses"] if clause["word"] == "advance"]
    return [row[0] for row in advance["rows"]]


def test_the_hex_of_an_advance_is_lit_and_a_click_sends_the_next_unit(browser, german):
    """Battle for Kursk: each click on the attacked hex sends the next attacker."""
    here = scene.open_scene(german.room, german.game)
    place = next(target.place for target in here.outlook.targets if len(followers(here, target.place)) > 1)
    with opened(browser, german) as screen:
        page = screen.page
        enters(screen)
        screen.unit(next(uid for uid, unit in here.state.units.items() if unit.place == place))
        advance = screen.group("enters the hex if it is left: the first that can")
        units = followers(here, place)
        advance.locator("legend").click()
        lit = page.locator("#layer-lit path.proposed")
        assert [hex_.get_attribute("data-at") for hex_ in lit.all()] == [place]
        screen.hex(place)
        assert page.locator("#form .words").inner_text().endswith(f"advance {units[0]}")
        screen.hex(place)
        assert page.locator("#form .words").inner_text().endswith(f"advance {units[0]} {units[1]}")
        assert page.locator("#layer-join text.proposed").text_content() == "1, 2"  # no counter covers the hex


def test_hexes_behind_an_advance_are_lit_and_clicked(browser, tmp_path):
    """Juggernauts: the last ticked unit advances through the hex to the clicked hex, or only past the hex."""
    mine = july_juggernauts.due(tmp_path)
    found = next(target for target in scene.open_scene(mine.room, mine.game).outlook.targets if target.verb == "attack")
    with opened(browser, mine) as screen:
        page = screen.page
        enters(screen)
        screen.verb("attack")
        page.get_by_role("tabpanel", name="Compose").get_by_role("radio", name=found.place).first.click()
        screen.settled()
        advance = screen.group("advancing units, with hexes")
        first = advance.get_by_role("checkbox").first.get_attribute("value")
        advance.locator("legend").click()
        lit = [hex_.get_attribute("data-at") for hex_ in page.locator("#layer-lit path.proposed").all()]
        assert found.place in lit
        behind = next(hex_ for hex_ in lit if hex_ != found.place)
        words = page.locator("#form .words")
        for said in (f"{first} {behind}", f"{first} only {behind}", first):
            screen.hex(behind)
            assert words.inner_text().endswith(f"advance {said}")


def test_a_card_explains_only_the_warnings_that_its_unit_has(tmp_path):
    """Each warning is a sentence; the map draws '!' for any warning."""
    mine = july_juggernauts.due(tmp_path)
    (phase,) = forms.make_unit_card(scene.open_scene(mine.room, mine.game), "g-55k")["phases"]
    assert phase["signs"] == ["Only with the bonus; the unit does not attack afterwards."]


def test_an_empty_line_hex_is_attacked_from_its_own_card(browser, tmp_path):
    """3.0, 15.2: an empty hex has no counter to click, and may be a required target."""
    mine = july_juggernauts.due(tmp_path)
    here = scene.open_scene(mine.room, mine.game)
    empty = next(target.place for target in here.outlook.targets if not target.units)
    assert forms.make_place_card(here, "A1")["attacks"] == []
    with opened(browser, mine) as screen:
        enters(screen)
        screen.hex(empty)
        screen.button(f"attack {empty}", screen.page.get_by_role("tabpanel", name="Unit"))
        screen.settled()
        assert screen.page.locator("#form .words").inner_text().startswith(f"attack {empty} with ")


def test_what_one_seldom_says_of_an_attack_is_behind_more(browser, tmp_path):
    """Three parts of the form are open; one click opens the rest, also for the next attack."""
    mine = july_juggernauts.due(tmp_path)
    place = next(
        target.place for target in scene.open_scene(mine.room, mine.game).outlook.targets if target.verb == "attack"
    )
    with opened(browser, mine) as screen:
        page = screen.page
        enters(screen)
        for shown in (3, 10):
            screen.verb("attack")
            page.get_by_role("tabpanel", name="Compose").get_by_role("radio", name=place).first.click()
            screen.settled()
            open_ = [each for each in page.locator("#form fieldset.clause").all() if each.is_visible()]
            assert len(open_) == shown
            if shown == 3:
                screen.page.get_by_text("More choices", exact=True).click()
                assert violations(page) == []
            screen.press("Escape")


def test_the_form_of_an_answer_stays_where_it_is_and_says_what_is_in_vain(browser, tmp_path):
    """Juggernauts: choices do not move; No Retreat! with a withdrawal gives a warning at once."""
    mine = july_juggernauts.due(tmp_path)
    place = next(
        target.place for target in scene.open_scene(mine.room, mine.game).outlook.targets if target.verb == "attack"
    )
    assert Client(mine).enter().order(f"attack {place} with all").status_code == 200
    other = sent(mine, Seat("russian", tmp_path / "russian"))
    with opened(browser, other) as screen:
        enters(screen)
        screen.verb("answer")
        screen.click("radio", re.compile("^all"))
        screen.settled()
        steady, far = (
            screen.group(name)
            for name in ("Do the units stay (No Retreat! orders)?", "How many hexes do the units withdraw?")
        )
        before = steady.bounding_box()
        for group, choice in ((steady, "yes"), (far, "2")):
            group.get_by_role("radio", name=choice).check()
            screen.settled()
        assert steady.bounding_box() == before
        screen.submit()
        assert "every die gives the same result without it now" in screen.page.locator("#said").inner_text()
