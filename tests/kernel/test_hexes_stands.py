"""Places of units, and faults of a unit in an order."""

from types import SimpleNamespace

import pytest

from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.hexes.stands import explain_foreign, explain_own, find_stands, move_unit, own_units
from kursk_pbem.kernel.state import State, Unit

BOARD = Board(Grid(1, 3, 1, 3))
COUNTERS = {uid: SimpleNamespace(side=side) for uid, side in (("b", "red"), ("a", "red"), ("c", "blue"), ("d", "red"))}
SETTING = SimpleNamespace(board=BOARD, counters=COUNTERS, sides=("red", "blue"))
PLACES = {"b": "0101", "a": "0101", "c": "0203", "d": "eliminated"}


def state(**moved):
    return State("1", "red", "x", {uid: Unit(place, 1) for uid, place in (PLACES | moved).items()})


def test_units_stand_in_stacks_by_id_and_those_off_the_map_nowhere():
    found = find_stands(SETTING, state())
    here, there = BOARD.index["0101"], BOARD.index["0203"]
    assert found.at == {here: ("a", "b"), there: ("c",)}
    assert found.where == {"a": here, "b": here, "c": there}
    assert found.occupied == {"red": 1 << here, "blue": 1 << there}


@pytest.mark.parametrize(
    ("uid", "place"),
    [("a", "0102"), ("c", "0303"), ("c", "eliminated"), ("d", "0101"), ("b", "off-map"), ("a", "0203")],
)
def test_led_on_is_found_anew(uid, place):
    before = find_stands(SETTING, state())
    assert move_unit(SETTING, before, uid, place) == find_stands(SETTING, state(**{uid: place}))
    assert before == find_stands(SETTING, state())


def test_a_unit_that_stays_changes_nothing():
    before = find_stands(SETTING, state())
    assert move_unit(SETTING, before, "a", "0101") is before
    assert move_unit(SETTING, before, "d", "off-map") is before


@pytest.mark.parametrize(
    ("uid", "why"),
    [
        ("a", ""),
        ("z", "is no unit of this game"),
        ("c", "belongs to the blue side"),
        ("d", "is not on the map (eliminated)"),
    ],
)
def test_what_is_wrong_with_a_unit_follows_its_id(uid, why):
    assert explain_own(SETTING, state(), "red", uid) == why
    assert explain_foreign(SETTING, "red", uid) == ("" if uid == "d" else why)


def test_own_units():
    assert own_units(SETTING, "red") == ["b", "a", "d"]
