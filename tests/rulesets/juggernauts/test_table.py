"""1.0: the table cell by cell, ratios, shifts; 7.0 the Pressed Attack."""

import os
from pathlib import Path

import pytest

from kursk_pbem.rulesets.juggernauts import odds as reckoning
from kursk_pbem.rulesets.juggernauts.orders import Battle
from rulesets.juggernauts.board import attack, declare_attacks, fight, july, list_fought, list_refusals, place, pos

# A second transcription, by columns and from the bottom up, avoids the same mistake twice.
BY_COLUMN = {
    "1:5": "AE AE AE AE AE D/AE",
    "1:4": "AE AE AE D/AE AD D",
    "1:3": "AE AE D/AE AD X D",
    "1:2": "AE D/AE AD X D1 D2",
    "1:1": "D/AE AD X D D1 D2",
    "3:2": "AD X D D1 D1 D2",
    "2:1": "X D D1 D1 D2 D2",
    "3:1": "D D1 D1 D2 D2 DE",
    "4:1": "D1 D1 D2 D2 DE DE",
    "5:1": "D1 D2 D2 DE DE DE",
    "6:1": "D2 D2 DE DE DE DE",
    "7:1": "D2 DE DE DE DE DE",
}
RULES = os.environ.get("JUGGERNAUTS_RULES", "")


def test_1_0_every_cell_of_the_table():
    crt, columns = july().crt, july().columns
    assert columns == tuple(BY_COLUMN)
    for number, (column, results) in enumerate(BY_COLUMN.items()):
        for die, result in zip(range(6, 0, -1), results.split(), strict=True):
            assert crt[number, die] == result, (column, die)


@pytest.mark.skipif(not RULES, reason="JUGGERNAUTS_RULES names no file with the text of the rules")
def test_1_0_the_table_as_the_text_of_the_rules_has_it():
    """The rulebook file has six rows that begin with the die in both columns."""
    rows = {}
    for line in Path(RULES).read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) == 14 and cells[0].isdigit():
            rows[int(cells[0])] = (int(cells[1]), cells[2:])
    assert sorted(rows) == [1, 2, 3, 4, 5, 6]
    for die, (other, results) in rows.items():
        assert other == 7 - die
        assert [july().crt[column, die] for column in range(12)] == [each.strip() for each in results]


def test_1_0_columns_a_and_b_are_labels_of_one_die():
    """J-1: in column B a 6 is read as a 1."""
    rows = [reckoning.find_row(july(), die) for die in range(1, 7)]
    assert rows == [1, 2, 3, 4, 5, 6]
    other = july.__wrapped__()
    object.__setattr__(other, "die_b", True)
    assert [reckoning.find_row(other, die) for die in range(1, 7)] == [6, 5, 4, 3, 2, 1]


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


def test_1_0_least_below_one_to_five_is_refused():
    """J-2, J-39: 1 against 7 is 1:7; a Disrupted defender makes it 1:6, two shifts 1:5."""
    state = "T15: r-11ga | S15: g-323i"
    why = "is at 1:7, and attacks below 1:5 are not allowed"
    assert list_refusals(place(state), attack("T15", "g-323i")) == [("1.0-least", why)]
    assert list_refusals(place(f"{state}; disrupted r-11ga"), attack("T15", "g-323i"))
    alone = place("T15: r-11ga | S15: g-323i g-52k | T16: g-42k | U15: g-30k; disrupted r-11ga")
    assert not pos(alone).is_supplied("r-11ga")
    assert list_fought(fight(alone, attack("T15", "g-323i"))).column == "1:5"


def test_1_0_sure_beyond_seven_to_one_no_die_falls():
    """J-2, J-39: a ratio of eight eliminates, whatever the shifts."""
    state = place("T15: r-9tc | S15: g-2ss")
    umpire = fight(state, attack("T15", "g-2ss"))
    assert umpire.state.units["r-9tc"].place == "eliminated"
    assert not umpire.rolled
    assert list_fought(umpire).column == "more than 7:1"


def test_4_0_column_one_for_any_disrupted_defender():
    """J-4, J-78: once for any number of Disrupted defenders; shifts add up."""
    state = place("T15: r-57a r-6a | S15: g-2ss | S16: g-48pzk; disrupted r-57a r-6a; keil g-2ss SE; keil g-48pzk SW")
    told = reckoning.find_odds(pos(state), Battle("b1", july().board.index["T15"], ("g-2ss", "g-48pzk")))
    assert [(shift.rule, shift.by) for shift in told.shifts] == [("4.0-column", 1), ("14.1", 1), ("14.1", 1)]
    assert reckoning.name_column(july(), told.level) == "2:1"
    assert reckoning.name_column(july(), told.reached) == "5:1"


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


def test_7_0_pressed_attack_not_below_one_to_five():
    """J-18: 1:4 pressed by a Russian would be 1:6."""
    state = place("T15: g-2ss | T16: r-10a; stage russian-orders")
    why = "a Pressed Attack would be below 1:5 with dice 4 to 6"
    assert list_refusals(state, attack("T15", "r-10a", pressed=True)) == [("7.0", why)]
    assert not list_refusals(state, attack("T15", "r-10a"))


def test_7_0_pressed_lapses_when_the_odds_have_fallen():
    """J-69: an attack at low odds becomes an ordinary attack."""
    state = place("T15: g-2ss | T16: r-10a; stage russian-orders")
    umpire = declare_attacks(state, attack("T15", "r-10a"))
    listed = [{**umpire.state.agenda["battles"][0], "pressed": "yes"}]
    battle = Battle.from_plain(listed[0], july().board.index)
    told = reckoning.find_odds(pos(state), battle)
    assert battle.pressed
    assert not told.presses
    assert reckoning.read_result(july(), told, 3) == july().crt[told.reached, 3]


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
