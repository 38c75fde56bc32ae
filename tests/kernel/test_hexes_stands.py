"""Faults of a unit in an order."""

from types import SimpleNamespace

import pytest

from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.hexes.stands import explain_foreign, explain_own
from kursk_pbem.kernel.state import State, Unit

BOARD = Board(Grid(1, 3, 1, 3))
COUNTERS = {uid: SimpleNamespace(side=side) for uid, side in (("b", "red"), ("a", "red"), ("c", "blue"), ("d", "red"))}
SETTING = SimpleNamespace(board=BOARD, counters=COUNTERS, sides=("red", "blue"))
PLACES = {"b": "0101", "a": "0101", "c": "0203", "d": "eliminated"}
STATE = State("1", "red", "x", {uid: Unit(place, 1) for uid, place in PLACES.items()})


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
    assert explain_own(SETTING, STATE, "red", uid) == why
    assert explain_foreign(SETTING, "red", uid) == ("" if uid == "d" else why)
