"""First turns of Juggernauts and Citadel by mouse, for a newcomer with the page alone."""

from __future__ import annotations

import re

from board import july as july_1971
from board import july_juggernauts as july
from board import screens, seats
from board.seats import Client, Seat
from kursk_pbem.desk.draft import preview
from kursk_pbem.desk.seat import forms, guides, panels, playback, scene
from kursk_pbem.game import entropy
from kursk_pbem.rulesets.juggernauts import marks


def test_13_0_who_has_no_order_can_still_move_after_the_first_attack(tmp_path):
    """Juggernauts: an attack binds only the attackers; other units keep the dot, and n finds them."""
    mine = july.due(tmp_path)
    client = Client(mine).enter()
    before = panels.list_movable(scene.open_scene(mine.room, mine.game))
    assert client.order("attack P7 with g-10bde g-52k").status_code == 200
    here = scene.open_scene(mine.room, mine.game)
    assert set(panels.list_movable(here)) == set(before) - {"g-10bde", "g-52k"}
    assert "Operational movement" in panels.make_bar(here, (), both=False)["phases"]


def test_a_card_offers_what_else_a_unit_may_be_ordered_and_one_word_is_said_for_movement(tmp_path):
    """14.1: a Panzerkorps becomes a Panzerkeil on the card; MP replaces MF, factor and MP."""
    mine = july.due(tmp_path)
    here = scene.open_scene(mine.room, mine.game)
    card, other = (forms.make_unit_card(here, uid) for uid in ("g-2ss", "g-52k"))
    assert ["keil" in [verb.name for verb, _who in each["others"]] for each in (card, other)] == [True, False]
    assert [phase["points"] for phase in card["phases"]] == ["MP"]
    page = Client(mine).enter().get(f"/game/{mine.game}/unit/g-2ss").get_json()["html"]
    assert '<button class="target" data-verb="keil" data-words="" data-unit="g-2ss">Panzerkeil</button>' in page
    places = forms.make_form(here, "move", "g-2ss")["clauses"][0]["rows"]
    assert all(meaning.endswith(" MP") for _word, meaning, *_more in places)


def test_who_is_free_for_no_attack_is_told_so(tmp_path):
    """Bug: the card of an empty fortified hex opened a form without attackers and with a grey button."""
    mine = july.due(tmp_path)
    assert Client(mine).enter().order("attack P8 with g-2ss").status_code == 200
    (one,) = forms.make_form(scene.open_scene(mine.room, mine.game), "attack", "P9")["clauses"]
    assert (one["text"], one["rows"], len(one["notes"])) == ("attackers", [], 1)


def test_words_are_shown_by_an_example_and_a_guide_speaks_of_dots_where_there_are_some(tmp_path):
    """Bug: the line for words showed a grammar, 'emplace UNITS'; a set-up mentioned missing dots."""
    mine = july.due(tmp_path / "july")
    here = scene.open_scene(mine.room, mine.game)
    (words,) = re.findall('placeholder="as ([^"]+)"', Client(mine).enter().get(f"/game/{mine.game}/").text)
    assert not here.refused(words)
    assert "with a bar below" in guides.make_guide(here)[0]["text"]
    with entropy.fix_random_bytes("newcomer"):
        opening, _other = seats.by_turn(seats.begun(tmp_path / "citadel", "battle-for-kursk/citadel"))
    page = Client(opening).enter()
    assert "with a bar below" not in guides.make_guide(scene.open_scene(opening.room, opening.game))[0]["text"]
    assert page.order("posture engage").status_code == 200
    assert 'posture engage <span class="quiet">for turn 1</span>' in page.get(page.at()).get_data(as_text=True)


def test_0_percent_is_explained_where_nobody_is_named_to_advance(tmp_path):
    mine = july.due(tmp_path)
    sheet = scene.open_scene(mine.room, mine.game).writable
    assert "the attackers enter the hex (no advance is planned): 0.0%" in preview.preview_line(
        sheet, "attack P7 with g-52k"
    )
    assert "no advance" not in preview.preview_line(sheet, "attack P7 with g-52k advance g-52k")


def test_8_0_the_hexes_around_an_attack_are_lit_for_its_answer(tmp_path):
    """Juggernauts: up to two hexes away, without an enemy. Bug: the form listed all hexes and lit no hex."""
    mine, theirs = july.due(tmp_path), Seat("russian", tmp_path / "russian")
    Client(mine).enter().order("attack P7 with g-52k")
    seats.sent(mine, theirs)
    here = scene.open_scene(theirs.room, theirs.game)
    way = next(clause for clause in forms.make_form(here, "answer", "b-p7")["clauses"] if clause["word"] == "retreat")
    board = here.desk.game.setting.board
    near = {label for label, other in board.index.items() if board.distance(other, board.index["P7"]) <= 2}
    held = {unit.place for uid, unit in here.state.units.items() if uid.startswith("g-")}
    assert {*way["places"]} == near - held - {"P7"}
    assert len(way["places"]) <= 30


def test_4_0_the_map_shows_who_is_disrupted_while_orders_are_given(tmp_path):
    """Juggernauts: recovery comes after all orders; until then card and counter agree."""
    with entropy.fix_random_bytes("c"):  # the dice Disrupt g-52k
        mine, theirs = july.due(tmp_path), Seat("russian", tmp_path / "russian")
        for words in ("attack P7 with g-52k", "attack P8 with g-10bde"):
            Client(mine).enter().order(words)
        seats.sent(seats.sent(mine, theirs), mine)
    here = scene.open_scene(mine.room, mine.game)
    assert "g-52k" in here.checked.result.middle.marks[marks.DISRUPTED]
    assert "g-52k" not in here.checked.result.after.marks.get(marks.DISRUPTED, {})
    (phase,) = forms.make_unit_card(here, "g-52k")["phases"]
    assert any("is Disrupted and does not move" in line for line in phase["notes"])
    assert "g-52k" in here.state.marks[marks.DISRUPTED]


def test_9_3_a_battle_without_a_choice_says_why_where_it_is_told(tmp_path):
    """The card explains the missing button with the words of the form."""
    seat = Seat("russian", seats.fought(tmp_path, 2, seats.IN_THE_OPEN).russian.place)
    page = Client(seat).enter().get(f"/game/{seat.game}/").get_data(as_text=True)
    cards = page.split('<article class="battle-card">')[1:3]
    assert ["Say what this defender does" in card for card in cards] == [True, False]
    assert "has no choice; only a defender in a Major City" in cards[1]


def test_9_0_d1_what_is_ordered_in_the_air_shows_no_attack_on_the_ground(tmp_path):
    """Kursk (1971): raids come before attacks; each frame draws the declarations so far."""
    seats.typed(tmp_path, july_1971.SCENARIO, july_1971.content, 1)
    frames = playback.make_playback(Seat("german", tmp_path / "german").sit(), 1)["frames"]
    shown = {frame["card"]["title"].partition(": ")[2]: frame["drawn"].count('class="burst"') for frame in frames}
    assert shown["Air superiority missions"] == len(july_1971.RAIDS["german"])
    assert [*shown.values()][-1] > shown["Air superiority missions"]


def test_k_73_a_plan_is_chosen_for_a_battle_and_not_offered_without_one(tmp_path):
    """Bug in Battle for Kursk: 'plan' wrote only the word into the line."""
    german = Seat("german", seats.fought(tmp_path, 1).german.place)
    client = Client(german).enter()
    page = client.get(client.at()).get_data(as_text=True)
    assert 'data-verb="plan"' not in page
    assert client.order("attack 2011 all").status_code == 200
    assert 'data-verb="plan"' in client.get(client.at()).get_data(as_text=True)
    chosen = forms.make_form(scene.open_scene(german.room, german.game), "plan", "b2011")["clauses"]
    assert [clause["word"] for clause in chosen] == ["advance", "losses", "retreat"]


def test_orders_stand_in_columns_and_no_name_lies_on_the_stack_that_is_looked_at(browser, tmp_path):
    """Number and buttons are next to the first line of an order; the name Ponyri moves away from spread counters."""
    mine = july.due(tmp_path)
    words = "attack I9 with g-41pzk g-47pzk g-505 g-656 losses g-656 g-505 advance g-41pzk"
    assert Client(mine).enter().order(words).status_code == 200
    with screens.opened(browser, mine) as screen:
        page = screen.page
        screens.enters(screen)
        line, out = (page.locator(f"#listed {part}").bounding_box() for part in (".edit", ".out"))
        assert line["height"] > 1.5 * out["height"]
        assert abs(line["y"] - out["y"]) < 4
        for verb in page.locator(".verbs li").all():
            button, text = (verb.locator(part).bounding_box() for part in (".verb", ".quiet"))
            assert text["x"] >= button["x"] + button["width"]
        page.locator("#map [data-stack='I9']").click()
        screen.settled()
        cloth = page.locator("#map .cloth").bounding_box()
        names = [name for name in page.locator("#layer-names .name").all() if name.is_visible()]
        assert names
        assert not [name.text_content() for name in names if screens.meets(name.bounding_box(), cloth)]


def test_no_line_ends_at_the_hyphen_of_a_name(browser, tmp_path):
    """Bug: a line ended with 'g-' and the next line began with '10bde', also without links."""
    mine = july.due(tmp_path)
    assert Client(mine).enter().order("attack P7 with g-52k g-10bde").status_code == 200
    with screens.opened(browser, mine, viewport={"width": 390, "height": 800}) as screen:
        page = screen.page
        screens.enters(screen)
        held = page.locator("#as-typed .cited").all_text_contents()
        assert {word.rstrip(",") for word in held} >= {"g-10bde", "g-52k"}
        page.locator("#listed .edit").click()
        page.locator("#form").wait_for()
        assert page.locator("#form .words .cited").count() == 2


def test_14_4_what_nobody_can_answer_comes_last_and_is_called_no_attack(browser, tmp_path):
    """Bug in Juggernauts: a march came first under 'You are attacked', and the result D2 linked to the hex D2."""
    seats.typed(tmp_path, july.SCENARIO, july.content, 1)
    with screens.opened(browser, Seat("russian", tmp_path / "russian")) as screen:
        screens.enters(screen)
        first, *_others, last = screen.page.locator("#orders .battle-card").all()
        assert first.get_by_role("button", name="Say what this defender does").count() == 1
        assert last.get_by_text("No answer is needed here").count() == 1
        assert last.locator(".pill").count() == 0
        assert "D2" in first.locator("th").all_text_contents()
        assert first.locator("th button").count() == 0
