"""1.0: the table cell by cell, ratios, shifts; 7.0 the Pressed Attack."""

import pytest

from kursk_pbem.rulesets.juggernauts import odds as reckoning
from rulesets.juggernauts.board import attack, fight, july, list_fought, list_refusals, place


@pytest.mark.parametrize(
    ("attackers", "defenders", "column"),
    [
        (7, 5, "1:1"),
        (15, 10, "3:2"),
        (2, 5, "1:3"),
        (4, 10, "1:3"),
        (2, 1, "2:1"),
        (8, 1, "more than 7:1"),
        (79, 10, "7:1"),
        (1, 5, "1:5"),
        (10, 51, "1:6"),
        (5, 5, "1:1"),
        (1, 1, "1:1"),
        (29, 10, "2:1"),
    ],
)
def test_1_0_ratio_in_favour_of_the_defence(attackers, defenders, column):
    """J-2, J-39: 1.4 is 1:1, 1.5 is 3:2, 0.4 is 1:3; 8:1 is beyond the table, 1:6 below it."""
    assert reckoning.name_column(july(), reckoning.find_level(attackers, defenders)) == column


def test_7_0_pressed_attack_is_read_higher_and_lower():
    """J-18: rows 1 to 3 a column up, rows 4 to 6 one down for a German and two for a Russian."""
    german, russian = place("T15: r-57a | S15: g-46pzk"), place("T15: g-46pzk | T16: r-1ta; stage russian-orders")
    for state, order, down in (
        (german, attack("T15", "g-46pzk", pressed=True), 1),
        (russian, attack("T15", "r-1ta", pressed=True), 2),
    ):
        for die in range(1, 7):
            told = list_fought(fight(state, order, dice=str(die)))
            level = july().columns.index(told.column) + (1 if die <= 3 else -down)
            assert told.result == july().crt[level, die]
            columns = [july().columns[july().columns.index(told.column) + by] for by in (1, -down)]
            said = "Pressed Attack: dice 1 to 3 are read at {}, 4 to 6 at {} [7.0], by"
            assert told.roles[0][0] == said.format(*columns)


def test_3_0_one_attack_for_a_unit_and_for_a_hex():
    """J-54."""
    state = place("T15: r-57a | T16: r-6a | S16: g-2ss g-42k | U16: g-52k")
    assert not list_refusals(state, attack("T15", "g-2ss"))  # without an attack on the adjacent T16
    rules = list_refusals(state, attack("T15", "g-2ss"), attack("T16", "g-2ss", name="b2"))
    assert [rule for rule, _why in rules] == ["3.0"]
    rules = list_refusals(state, attack("T15", "g-2ss"), attack("T15", "g-42k", name="b2"))
    assert [rule for rule, _why in rules] == ["3.0"]
    strange = list_refusals(state, attack("T15", "r-57a g-48pzk g-9999"))
    assert [rule for rule, _why in strange] == ["3.0", "3.0", "3.0"]
    assert list_refusals(state, attack("T14", "g-2ss"))[0] == (
        "3.0",
        "T14 holds no enemy unit and no first line of theirs",
    )
    assert list_refusals(state, attack("T15", ""))[0][0] == "3.0"
