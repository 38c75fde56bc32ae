"""What a stranger meets in the first turn of Juggernauts and of Citadel, played by mouse from the page alone."""

from __future__ import annotations

from helpers.signed_play import Table
from rulesets.battle_for_kursk import first_turn

from board import july as july_1971
from board import july_juggernauts as july
from board import screens, seats
from board.seats import Client, Seat
from kursk_pbem.desk.seat import forms, panels, playback, scene
from kursk_pbem.game import entropy
from kursk_pbem.rulesets.juggernauts import marks


def test_13_0_who_has_no_order_can_still_move_after_the_first_attack(tmp_path):
    """Juggernauts: an attack binds those who attack alone; the others keep their dot, and n finds them."""
    mine = july.due(tmp_path)
    client = Client(mine).enter()
    before = panels.able(scene.of(mine.room, mine.game))
    assert client.order("attack P7 with g-10bde g-52k").status_code == 200
    here = scene.of(mine.room, mine.game)
    assert set(panels.able(here)) == set(before) - {"g-10bde", "g-52k"}
    assert "Operational movement" in panels.bar(here, (), both=False)["phases"]


def test_4_0_the_map_shows_who_is_disrupted_while_orders_are_given(tmp_path):
    """Juggernauts: recovery closes the turn, after all orders; until then card and counter agree."""
    with entropy.fixed("e"):  # these dice Disrupt g-52k
        mine, theirs = july.due(tmp_path), Seat("russian", tmp_path / "russian")
        for words in ("attack P7 with g-52k", "attack P8 with g-10bde"):
            Client(mine).enter().order(words)
        july.sent(july.sent(mine, theirs), mine)
    here = scene.of(mine.room, mine.game)
    assert "g-52k" in here.checked.result.middle.marks[marks.DISRUPTED]
    assert "g-52k" not in here.checked.result.after.marks[marks.DISRUPTED]
    (phase,) = forms.unit(here, "g-52k")["phases"]
    assert any("is Disrupted and does not move" in line for line in phase["notes"])
    assert "g-52k" in here.state.marks[marks.DISRUPTED]


def test_9_3_a_battle_without_a_choice_says_why_where_it_is_told(tmp_path):
    """Nobody looks in vain for the button that the other battles have: the card has the words of the form."""
    with entropy.fixed("newcomer"):
        table = Table(tmp_path / "fought").begin()
        izyum = {"id": "izyum", "hex": "2218", "attackers": ["g-42"]}
        for choices in (first_turn.OPENING, {**first_turn.ORDERS, "orders": {"battles": [first_turn.BATTLE, izyum]}}):
            table.turn(choices)
    seat = Seat("russian", table.russian.place)
    page = Client(seat).enter().get(f"/game/{seat.game}/").get_data(as_text=True)
    cards = page.split('<article class="battle-card">')[1:3]
    assert ["Say what this defender does" in card for card in cards] == [True, False]
    assert "has no choice to make there; only a defender in a Major City" in cards[1]


def test_9_0_d1_what_is_ordered_in_the_air_shows_no_attack_on_the_ground(tmp_path):
    """Kursk (1971): raids are declared before attacks; each frame draws what is declared by then, the last one all."""
    seats.typed(tmp_path, july_1971.SCENARIO, july_1971.content, 1)
    frames = playback.of(Seat("german", tmp_path / "german").sit(), 1)["frames"]
    shown = {frame["title"].partition(": ")[2]: frame["drawn"].count('class="burst"') for frame in frames}
    assert shown["Air superiority missions"] == len(july_1971.RAIDS["german"])
    assert [*shown.values()][-1] > shown["Air superiority missions"]


def test_k_73_a_plan_is_chosen_for_a_battle_and_not_offered_without_one(tmp_path):
    """Battle for Kursk: 'plan' left nothing but its own name in the line for words."""
    with entropy.fixed("newcomer"):
        table = Table(tmp_path / "fought").begin()
        table.turn(first_turn.OPENING)
    german = Seat("german", table.german.place)
    client = Client(german).enter()
    page = client.get(client.at()).get_data(as_text=True)
    assert 'data-verb="plan"' not in page
    assert client.order("attack 2011 all").status_code == 200
    assert 'data-verb="plan"' in client.get(client.at()).get_data(as_text=True)
    chosen = forms.form(scene.of(german.room, german.game), "plan", "b2011")["clauses"]
    assert [clause["word"] for clause in chosen] == ["losses", "advance", "retreat"]


def test_the_list_of_orders_and_what_can_be_ordered_stand_in_columns(browser, tmp_path):
    """Of an order of several lines number and buttons stand at its first; no text runs back below its button."""
    mine = july.due(tmp_path)
    words = "attack I9 with g-41pzk g-47pzk g-505 g-656 losses g-656 g-505 advance g-41pzk"
    assert Client(mine).enter().order(words).status_code == 200
    with screens.opened(browser, mine) as screen:
        page = screen.page
        page.get_by_role("region", name="Games").get_by_role("link").first.click()
        screen.whole()
        line, out = (page.locator(f"#listed {part}").bounding_box() for part in (".edit", ".out"))
        assert line["height"] > 1.5 * out["height"]
        assert abs(line["y"] - out["y"]) < 4
        for verb in page.locator(".verbs li").all():
            button, text = (verb.locator(part).bounding_box() for part in (".verb", ".quiet"))
            assert text["x"] >= button["x"] + button["width"]
