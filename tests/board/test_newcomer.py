"""Former problems of newcomers: dice, declared battles, past positions, mails, proposals."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rulesets.battle_for_kursk import first_turn

from board import seats
from board.screens import opened
from board.seats import Client, Seat, begun, pair, proposed
from kursk_pbem.desk.seat import forms, panels, scene
from kursk_pbem.game import folders

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def fought(tmp_path):
    """Return a game with two answered attacks and unsent German dice."""
    return seats.fought(tmp_path, 2)


def seen(seat):
    return scene.open_scene(seat.room, seat.game)


def test_declared_battles_are_on_the_map_of_both(fought):
    """Arrows from the attackers and a star with the odds, for attacker and defender."""
    answers = seen(Seat("russian", fought.russian.place))
    drawn = answers.layers["aims"] + answers.layers["battles"]
    assert drawn.count("arrow attack") == len(first_turn.BATTLE["attackers"])
    assert answers.declared[0].column in drawn


def test_dice_that_have_fallen_are_shown_first_and_called_unmailed(fought):
    fought.turn({})
    german = seen(Seat("german", fought.german.place))
    dice = panels.make_context(Seat("german", fought.german.place).room, german)["dice"]
    _battle, line = dice["battles"][0]
    assert re.search(r"Die .*: [1-6]", dice["text"])
    client = Client(Seat("german", fought.german.place)).enter()
    page = client.get(client.at()).get_data(as_text=True)
    assert "Your dice have fallen" in page
    assert line in page


def test_the_card_of_a_unit_says_where_it_stands_and_what_it_is_ordered(german):
    """Targets count from the end of the move, and orders can be removed on the card."""
    client = Client(german).enter()
    assert client.order("move g-2-ss 1716").status_code == 200
    card = forms.make_unit_card(seen(german), "g-2-ss")
    assert card["where"] == "1716"
    ((number, words),) = card["ordered"]
    assert words == "rail g-2-ss 1716"
    assert card["targets"] == []
    client.post(client.at("out"), {"number": number, "words": words, "stamp": client.stamp()})
    assert forms.make_unit_card(seen(german), "g-2-ss")["ordered"] == []


def test_the_card_of_a_hex_tells_no_odds_with_units_that_stand_in_another_attack(german):
    client = Client(german).enter()
    assert client.order("posture engage").status_code == 200
    assert re.search("[0-9]:[0-9]", forms.make_place_card(seen(german), "2012")["attacks"][0]["text"])
    assert client.order("attack 2112 with g-41-pz g-46-pz").status_code == 200
    (target,) = forms.make_place_card(seen(german), "2012")["attacks"]
    assert (target["verb"], target["odds"]) == ("attack", "")
    assert not re.search("[0-9]:[0-9]", target["text"])
    assert re.search("[0-9]:[0-9]", forms.make_place_card(seen(german), "2112")["attacks"][0]["text"])


def test_disrupted_units_are_found_as_such_and_not_as_reduced(demo_folder):
    """The two kinds of counters have a band."""
    here = seen(Seat("german", demo_folder / "german"))
    one, other, *rest = here.picture.pieces
    banded = (replace(one, band=True, marks=("disrupted",)), replace(other, band=True, marks=()))
    here.__dict__["picture"] = replace(here.picture, pieces=(*banded, *(replace(piece, band=False) for piece in rest)))
    bar = panels.make_bar(here, (), both=False)
    assert (bar["disrupted"], bar["reduced"]) == (one.id, other.id)


def test_the_card_of_a_hex_says_what_its_ground_costs(demo_folder):
    found = forms.make_place_card(seen(Seat("german", demo_folder / "german")), "1706")
    assert found["lines"][0] == "marsh"
    assert "marsh: MP all, attack from it at half strength [8.0-terrain]" in found["lines"]


def test_what_came_of_a_mail_can_be_loaded_again_and_proposals_stay(tmp_path):
    """A reload proposes no second game, and a second proposal stays after the first."""
    (one, other), others = (tuple(proposed(tmp_path / name, CITADEL).values()) for name in ("a", "b"))
    assert one.side == others[0].side
    client = Client(other).enter()
    texts = [folders.message_path(each.folder, 0).read_bytes() for each in (one, others[0])]
    for text in texts[::-1]:
        client.drop(text)
    page = client.get("/").get_data(as_text=True)
    assert page.count('name="proposal"') == 2
    client.accept(texts[0])
    page = client.get("/?came=1").get_data(as_text=True)
    assert ": accepted" in page
    assert page.count('name="proposal"') == 1
    assert client.get("/").get_data(as_text=True).count('name="proposal"') == 1
    assert len(list(other.place.glob("game-*"))) == 1


def test_the_newest_message_of_ones_own_is_saved_from_the_page(tmp_path):
    first, second = (Client(seat).enter() for seat in begun(tmp_path, CITADEL).values())
    saved = first.get(first.at("mail"))
    assert saved.data == folders.message_path(first.seat.folder, 0).read_bytes()
    name = f"kursk-citadel-{first.seat.game[:4]}-0000-{first.seat.side}.yaml"
    assert f'filename="{name}"' in saved.headers["Content-Disposition"]
    assert second.get(second.at("mail")).status_code == 400


@pytest.mark.long("test-board-all")
def test_a_past_position_stays_while_ones_own_draft_is_due(browser, german):
    """The page of an older message opens on the report, and is not the draft."""
    with opened(browser, german) as screen:
        page = screen.page
        screen.click("link", "Boris")
        screen.whole()
        page.get_by_role("tab", name="More", exact=True).click()
        page.get_by_text("All messages", exact=True).click()
        page.get_by_role("link", name=re.compile("^message 2,")).click()
        page.get_by_role("tabpanel", name="Report").wait_for()
        page.wait_for_timeout(3500)  # longer than the interval for reading the draft
        assert "after message 2" in page.locator("#bar").inner_text()
        assert not page.get_by_role("status").inner_text()
        screen.click("link", "Message after")
        page.locator("#bar").filter(has_text="after message 3").wait_for()
        screen.click("link", "Back to the present")
        page.locator("#bar").filter(has_text="message 8").wait_for()


def test_a_key_that_is_dropped_goes_where_a_proposal_asks_for_it(browser, tmp_path):
    """A reload after the proposal makes no second game."""
    first, second = pair(tmp_path, CITADEL).values()
    with opened(browser, first) as screen:
        page = screen.page
        key = second.place / "me.pub"
        screen.drop(key)  # without a form, the page says where a key belongs
        page.get_by_text("A public key is no mail").wait_for()
        with page.expect_navigation():  # the next drop needs the form
            screen.click("link", re.compile("^Propose a game: Citadel, July to"))
        page.evaluate(
            """(text) => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "boris.pub"));
          const how = { dataTransfer: carried, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", how));
        }""",
            key.read_text(),
        )
        with page.expect_navigation():
            screen.button("Begin")
        page.get_by_role("link", name="Save the file to mail").wait_for()
        page.reload()
        page.get_by_role("link", name="Save the file to mail").wait_for()
        first.mirror()
        assert len(list(first.place.rglob("game-*/0000.yaml"))) == 1


def test_a_form_is_left_and_another_enemy_chosen(browser, german):
    with opened(browser, german) as screen:
        page = screen.page
        screen.click("link", "Boris")
        screen.whole()
        screen.unit("r-5-gtc")
        page.get_by_role("heading", name="attack 2014: 5th Guards Tank Corps").wait_for()
        screen.unit("r-6-g")
        page.get_by_role("heading", name="attack 2115: 6th Guards Army").wait_for()
        screen.unit("g-35")
        assert "has no part in this order" in page.get_by_role("status").inner_text()
        screen.press("Escape")
        page.get_by_role("tabpanel", name="Orders", exact=True).wait_for()
        screen.unit("g-24-pz")
        page.get_by_role("heading", name="XXIV Panzer Corps").wait_for()
