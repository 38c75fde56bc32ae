"""15.0 entrenchment, lines, city, river, forest, hill; attacks that require others (3.0-must)."""

import pytest

from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import odds, readiness
from rulesets.juggernauts.board import (
    at,
    attack,
    declare_attacks,
    fight,
    is_,
    july,
    list_fought,
    list_notes,
    list_refusals,
    order_moves,
    place,
    pos,
    resolve,
)


def defence(text, hex_, origins):
    board = july().board
    return odds.find_defence(pos(place(text)), board.index[hex_], board.mask(origins.split()))


def entrenched(text, side):
    umpire = Umpire(july(), place(text), 1)
    readiness.entrench(umpire, Filing(1, side))
    return set(umpire.state.marks.get("entrenched", {}))


def test_15_1_infantry_entrenches_and_defends_with_one_more():
    """J-37, J-61, J-56: automatic, except for tank armies and Disrupted units; until the unit moves or attacks."""
    text = "T15: r-57a r-2ta r-4ak | T16: r-6a; disrupted r-6a"
    assert entrenched(text, "russian") == {"r-57a"}
    assert defence("T15: r-57a; entrenched r-57a", "T15", "S15").total == 5
    state = place("T15: r-57a | S15: g-42k g-2ss; entrenched g-42k")
    assert not is_(order_moves(state, ("g-42k", "R15")), "entrenched", "g-42k")
    assert not is_(fight(state, attack("T15", "g-42k g-2ss"), dice="6"), "entrenched", "g-42k")


def test_15_2_lines_are_entered_in_an_advance_when_they_are_taken():
    """J-51: an adjacent Russian first line does not bar an advance, a German line does."""
    taken = fight(place("H8: g-2ss"), attack("I9", "g-2ss", advance="g-2ss"), dice="1")
    assert at(taken, "g-2ss") == "I9"
    order = attack("I9", "g-2ss g-505", advance="g-2ss,g-505 only I8")
    past = fight(place("H8: g-2ss g-505 | I9: r-10a"), order, dice="1")
    assert (list_fought(past).result, at(past, "g-505")) == ("D2", "I8")
    russian = place("I9: r-11ga r-1ta | I8: r-5gta | H9: g-323i | H10: r-4ta; stage russian-orders; lost G10 H7")
    orders = (attack("H9", "r-11ga r-4ta r-1ta", advance="r-11ga,r-1ta only H8"), attack("H8", "r-5gta", name="b2"))
    umpire = fight(russian, *orders, dice="16")
    assert list_fought(umpire).result == "DE"
    assert (at(umpire, "r-11ga"), at(umpire, "r-1ta")) == ("H9", "I9")


def test_15_2_no_result_speaks_of_defenders_where_only_a_line_defends():
    """Bug: a D reported 'defenders Disrupted; they may withdraw' for an empty hex."""
    fights = [list_fought(fight(place("H9: g-46pzk"), attack("I9", "g-46pzk"), dice=die)) for die in "123456"]
    told = {each.result: each.meaning for each in fights}
    assert (told["D"], told["D1"]) == ("the line holds", "line broken; attackers may enter")
    assert not any("defenders" in meaning for meaning in told.values())


def test_6_0_a_d_promises_no_withdrawal_to_who_has_no_retreat_orders():
    """Bug: the report said 'they may withdraw' of defenders who may not."""
    umpire = fight(place("T15: r-10a | S15: g-2ss"), attack("T15", "g-2ss"), dice="6", policy={"no-retreat": "yes"})
    assert (list_fought(umpire).result, at(umpire, "r-10a")) == ("D", "T15")
    assert list_fought(umpire).meaning.endswith("withdrawal possible without No Retreat! orders")


def test_15_4_russian_lines_are_taken_by_a_d1_but_not_with_no_retreat():
    """J-28, J-29: second and third lines with a unit add one to the front, and do not block movement."""
    state, order = place("H9: g-2ss | I9: r-57a"), attack("I9", "g-2ss", advance="g-2ss")
    gone, held = fight(state, order, dice="3"), fight(state, order, dice="3", policy={"no-retreat": "yes"})
    assert list_fought(gone).result == "D1"
    assert (at(gone, "g-2ss"), at(held, "g-2ss")) == ("I9", "H9")
    assert defence("J9: r-57a", "J9", "I9").total == 5
    assert defence("J9: r-57a", "J9", "I9 J8").total == 4
    assert defence("K9: r-57a", "K9", "J9").total == 5
    assert at(order_moves(place("I9: g-2ss; lost I9"), ("g-2ss", "J9 K9")), "g-2ss") == "K9"


def test_15_5_major_cities_add_up_to_two_for_infantry():
    """J-3: at most the printed factors; nothing for tanks alone."""
    assert defence("L8: r-57a", "L8", "L9").total == 6
    assert defence("L8: r-1tc", "L8", "L9").total == 1
    assert defence("E4: g-221s", "E4", "E5").total == 2
    assert defence("L6: r-57a; lost L6", "L6", "L5").total == 4


def test_15_7_forest_and_15_8_hill():
    """J-3, J-46: one infantry unit in a forest, one unit of any kind in J8: the greatest factor."""
    assert dict(defence("K17: r-57a r-10a", "K17", "K16").units) == {"r-57a": 5, "r-10a": 3}
    assert defence("K17: r-1tc", "K17", "K16").total == 1
    assert defence("J8: r-1tc; lost J8", "J8", "J9").total == 2
    assert dict(defence("J8: r-10a r-57a; lost J8", "J8", "J9").units) == {"r-10a": 3, "r-57a": 5}


def test_15_8_hill_with_a_line():
    """J-3: all additions count."""
    assert defence("J8: r-57a; entrenched r-57a", "J8", "I8").total == 4 + 1 + 1 + 1


def test_3_0_must_attack_armies_behind_lines():
    """J-12, J-48: for Germans, if the front of the army's line is towards the attacker."""
    state = place("I9: r-57a | I8: r-6a | H8: g-2ss g-48pzk")
    assert list_refusals(state, attack("I9", "g-2ss"))[0][0] == "3.0-must"
    assert not list_refusals(state, attack("I9", "g-2ss"), attack("I8", "g-48pzk", name="b2"))
    assert not list_refusals(place("I9: r-57a | I8: r-6a | H8: g-2ss; disrupted r-6a"), attack("I9", "g-2ss"))
    assert not list_refusals(place("I9: r-57a | I8: r-6a | H8: g-2ss; lost I8"), attack("I9", "g-2ss"))
    assert not list_refusals(place("I8: r-6a | H8: g-2ss"), attack("I9", "g-2ss"))


def test_3_0_all_that_is_wrong_with_an_attack_is_said_at_once():
    """A mistake of the attackers hides no mistake of the plan, and an illegal attack is not missing."""
    state = place("I9: r-57a | I8: r-6a | H8: g-2ss | D8: g-48pzk")
    said = list_refusals(state, attack("I9", "g-2ss"), attack("I8", "g-48pzk", name="b2", push="3", losses="g-2ss"))
    assert [sentence.partition(":")[0] for _rule, sentence in said] == [
        "g-48pzk in D8 is not adjacent to the hex attacked",
        "push",
        "losses",
    ]


def test_3_0_cancel_not_what_an_attack_made_before_requires():
    """J-12."""
    state = place("I9: r-57a | I8: r-6a | H8: g-2ss g-48pzk")
    orders = attack("I9", "g-2ss"), attack("I8", "g-48pzk", name="b2", cancel="below 7:1")
    made = fight(state, *orders, dice="6")
    assert [event.battle for event in made.events if hasattr(event, "ratio")] == ["b1", "b2"]
    assert "b2 is not called off, because an earlier attack requires b2" in list_notes(made)
    turned = fight(state, *reversed(orders), dice="6")
    assert not [event.battle for event in turned.events if hasattr(event, "ratio")]  # J-73


def test_15_2_an_empty_line_without_strength_is_entered_and_not_attacked():
    """J-75: such an attack is refused, or cancelled if the units left the line later; a German line keeps 1."""
    state = place("H9: g-46pzk | J9: g-48pzk")
    assert [rule for rule, _why in list_refusals(state, attack("I9", "g-48pzk"))] == ["15.2"]
    assert [rule for rule, _why in list_refusals(state, attack("I9", "g-46pzk g-48pzk"))] == ["15.2"]
    assert not list_refusals(state, attack("I9", "g-46pzk"))
    german = place("G9: r-1ta; stage russian-orders; lost G10 H8")
    assert list_fought(fight(german, attack("H9", "r-1ta"), dice="6")).defence.total == "1"
    umpire = declare_attacks(place("I9: r-1tc | J9: g-48pzk"), attack("I9", "g-48pzk"))
    gone = Unit(ELIMINATED, 0)
    umpire.state = umpire.state.with_(units={**umpire.state.units, "r-1tc": gone})
    left = resolve(umpire, "1", {})
    assert list_notes(left) == ["attack b1 does not take place: no defender is left"]
    assert not [event for event in left.events if isinstance(event, Fought)]


@pytest.mark.parametrize(
    ("text", "hex_", "line"),
    [
        ("G12: r-9tc | G13: g-3pzk | F11: g-46pzk; keil g-3pzk NW", "G12", "F11"),
        ("B9: r-9tc | A10: g-3pzk | C9: g-46pzk; keil g-3pzk NE", "B9", "C9"),
    ],
)
def test_3_0_cancel_nobody_breaks_through_into_their_own_units_in_a_line_of_the_enemy(text, hex_, line):
    """J-66: units may be set up in an enemy line, which is not lost but defends only its owner."""
    umpire = fight(place(text), attack(hex_, "g-3pzk", advance="g-3pzk", breakthrough=line), dice="1")
    assert [event.battle for event in umpire.events if isinstance(event, Fought)] == ["b1"]
    assert at(umpire, "g-46pzk") == line
    assert not is_(umpire, "disrupted", "g-46pzk")


def test_15_7_ground_helps_the_unit_that_is_the_greatest_as_it_stands():
    """J-46: with its entrenchment and other ground; on a tie the lowest id."""

    def worth(text, hex_="A10"):
        return dict(defence(text, hex_, "B10").units)

    assert worth("A10: r-57a r-6a") == {"r-57a": 5, "r-6a": 4}
    assert worth("A10: r-57a r-6a; entrenched r-6a") == {"r-57a": 4, "r-6a": 6}
    assert worth("A10: r-65a r-6a; entrenched r-6a") == {"r-65a": 6, "r-6a": 5}
    assert worth("L8: r-57a r-6a; entrenched r-6a", "L8") == {"r-57a": 4, "r-6a": 7}
