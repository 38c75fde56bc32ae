"""Orders on the board speak of names and places; the typed words fold below."""

import pytest

from board import july_juggernauts as july
from board.seats import Client
from kursk_pbem.desk.seat import naming, scene
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.rulesets import ruleset

NAMED = {
    "attack P7 with g-52k g-10bde as b-p7 advance g-52k": (
        "attack P7 with LII. Armeekorps, 10. Panzerbrigade (Panther); advance LII. Armeekorps"
    ),
    "move g-52k O7 P7": "move LII. Armeekorps to O7, P7",
    "attack P7 with g-52k advance g-52k if-supplied g-10bde if-free losses g-52k": (
        "attack P7 with LII. Armeekorps; advance LII. Armeekorps if supplied, "
        "10. Panzerbrigade (Panther) if free; losses LII. Armeekorps"
    ),
    "note: attack with g-52k as b-p7": "note: attack with g-52k as b-p7",
}


@pytest.fixture
def current(tmp_path):
    seat = july.due(tmp_path)
    return scene.open_scene(seat.room, seat.game)


def test_an_order_names_units_and_places_and_no_name_of_a_program(current):
    for words, named in NAMED.items():
        assert naming.name_order(current, words) == named


def test_a_long_row_of_units_is_counted_after_the_fourth(current):
    """Bug: at 200 percent, the names of 22 units hid the other orders."""
    units = sorted(current.state.units)[:9]
    named = naming.name_order(current, " ".join(["attack", "P7", "with", *units]))
    assert named.count(",") == 3
    assert named.endswith(" and 5 others")


def test_the_list_of_orders_has_names_and_folds_the_typed_words(tmp_path):
    mine = july.due(tmp_path)
    client = Client(mine).enter()
    assert client.order("attack P7 with g-52k").status_code == 200
    listed, folded = client.get(client.at()).text.partition('<ol id="listed">')[2].split('<details id="as-typed">')[:2]
    assert ">attack P7 with g-52k" not in listed
    assert ">attack P7 with g-52k" in folded


@pytest.mark.parametrize(("system", "measure"), [("juggernauts", "combat factors"), ("battle-for-kursk", "points")])
def test_an_idea_counts_what_its_system_counts(system, measure):
    """Bug: the ideas of Juggernauts counted victory points, which Juggernauts has not."""
    assert find_ideas(ruleset(system)).measure == measure
