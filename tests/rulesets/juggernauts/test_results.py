"""2.0: every result; No Retreat and Forced Exchange (6.0); Disruption (4.0); recovery after attacks (5.0)."""

import pytest

from kursk_pbem.kernel.events import Decided, Fought
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.juggernauts import losses
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
    list_slips,
    order_moves,
    place,
    resolve,
)

LEVEL = {
    "1:1": ("T15: r-11ga | S15: g-48pzk", "g-48pzk"),
    "3:1": ("T15: r-10a | S15: g-2ss", "g-2ss"),
    "3:2": ("T15: r-57a | S15: g-3pzk", "g-3pzk"),
    "1:3": ("T15: r-11ga | S15: g-20k", "g-20k"),
}
STAY = {"no-retreat": "yes"}


def result(column, die, extra="", policy=None, **plan):
    """Fight an attack from S15 on T15 at this column with this die."""
    text, attackers = LEVEL[column]
    return fight(place(text + extra), attack("T15", attackers, **plan), dice=str(die), policy=policy)


def test_2_0_results_are_those_of_the_table_in_order():
    """J-64: attacks follow the declared order, and each reveals its sealed plan."""
    state = place("T15: r-57a | S15: g-2ss | R15: r-6a | R14: g-48pzk")
    umpire = fight(state, attack("R15", "g-48pzk", advance="g-48pzk"), attack("T15", "g-2ss", name="b2"), dice="16")
    told = [event for event in umpire.events if isinstance(event, Fought)]
    assert [(each.label, each.dice) for each in told] == [("b1/combat", "1"), ("b2/combat", "6")]
    assert list_notes(umpire, "2.0") == ["plan for b1: advance g-48pzk"]


def test_2_0_de_all_defenders_are_eliminated():
    umpire = result("3:1", 1)
    assert list_fought(umpire).result == "DE"
    assert at(umpire, "r-10a") == "eliminated"


def test_2_0_dn_attacker_says_how_far_and_owner_goes_on():
    """J-7, J-19: after push 0 the defenders stay Disrupted; the owner may add two hexes less n."""
    umpire = result("3:1", 2, push="0")
    assert list_fought(umpire).result == "D2"
    assert at(umpire, "r-10a") == "T15"
    assert is_(umpire, "disrupted", "r-10a")
    assert at(result("3:1", 2), "r-10a") != "T15"
    one = result("3:1", 2, push="1")
    none = result("3:1", 2, policy={"withdraw": "2"}, push="0")
    board = july().board
    far = [board.distance(board.index["T15"], board.index[at(each, "r-10a")]) for each in (one, none)]
    assert far == [1, 0]
    d1 = result("3:1", 4, policy={"withdraw": "2"})
    assert list_fought(d1).result == "D1"
    assert board.distance(board.index["T15"], board.index[at(d1, "r-10a")]) == 2


def test_2_0_d_disrupts_and_they_may_withdraw():
    """J-7, J-70: all units of a hex withdraw, or none; the defenders stay Disrupted."""
    stay, go = result("3:2", 4), result("3:2", 4, policy={"withdraw": "1", "retreat": ["T16"]})
    assert list_fought(stay).result == "D"
    assert (at(stay, "r-57a"), at(go, "r-57a")) == ("T15", "T16")
    assert is_(stay, "disrupted", "r-57a")
    assert is_(go, "disrupted", "r-57a")


def test_2_0_x_exchanges_as_much_as_can_be_paid():
    """J-10, J-11: the attacker loses the smallest sufficient total, and may advance as after a D1."""
    state = place("T15: r-57a r-1tc | S15: g-3pzk g-503")
    umpire = fight(state, attack("T15", "g-3pzk g-503", advance="g-503"), dice="5")
    assert list_fought(umpire).result == "X"
    (decided,) = (event for event in umpire.events if isinstance(event, Decided))
    assert decided.source == "default"  # the plan does not mention it
    assert at(umpire, "r-57a") == at(umpire, "r-1tc") == "eliminated"
    assert at(umpire, "g-3pzk") == "eliminated"
    assert at(umpire, "g-503") == "T15"


def test_2_0_x_of_equal_sets_the_lowest_ids():
    """J-46: unmatched defenders suffer a D; on a tie the lowest ids are lost."""
    assert losses.choose_largest({"a": 3, "b": 3, "c": 2}, 5) == ("a", "c")
    assert losses.choose_payment({"x": 4, "y": 2, "z": 2}, 3) == ("x",)
    assert losses.choose_payment({"x": 4, "y": 2, "z": 2}, 3, ("z",)) == ("z", "y")
    state = place("T15: r-57a r-6a | S15: g-46pzk g-20k | S16: g-52k")
    umpire = fight(state, attack("T15", "g-46pzk g-20k g-52k"), dice="4")
    assert list_fought(umpire).result == "X"
    assert at(umpire, "r-57a") == at(umpire, "r-6a") == "eliminated"
    assert [at(umpire, uid) for uid in ("g-46pzk", "g-20k", "g-52k")] == ["eliminated"] * 3


def test_2_0_x_may_be_declined_and_must_be_if_nobody_is_matched():
    """J-10: an attacker of 3 cannot match an army of 7."""
    state = place("T15: r-57a | S15: g-3pzk")
    declined = fight(state, attack("T15", "g-3pzk", exchange="no"), dice="5")
    assert at(declined, "r-57a") == "T15"
    assert list_notes(declined, "2.0-x")
    cannot = result("1:3", 2)
    assert list_fought(cannot).result == "X"
    assert (at(cannot, "r-11ga"), at(cannot, "g-20k")) == ("T15", "S15")
    assert not is_(cannot, "disrupted", "r-11ga")


def test_2_0_x_takes_the_line_before_the_units():
    """J-46, J-49: an empty line hex costs its factors; surviving attackers may enter."""
    state = place("H8: g-46pzk | G8: g-20k")
    umpire = fight(state, attack("I9", "g-46pzk", advance="g-46pzk"), dice="5")
    assert (list_fought(umpire).column, list_fought(umpire).result) == ("3:2", "X")
    assert at(umpire, "g-46pzk") == "eliminated"
    both = fight(place("H8: g-46pzk | H9: g-505"), attack("I9", "g-46pzk g-505", advance="g-505"), dice="6")
    assert list_fought(both).result == "X"
    assert is_(both, "lost", "I9")
    assert (at(both, "g-46pzk"), at(both, "g-505")) == ("eliminated", "I9")


def test_2_0_ad_disrupts_the_attackers():
    """J-56: all of them, except several ArtKor alone."""
    umpire = result("3:2", 6)
    assert list_fought(umpire).result == "AD"
    assert is_(umpire, "disrupted", "g-3pzk")
    assert not is_(umpire, "disrupted", "r-57a")


def test_2_0_ae_attackers_lose_what_the_defence_is_worth():
    """J-9, J-56: the plan's list first; survivors are not Disrupted and keep their Panzerkeil."""
    text = "T15: r-57a r-6a | S15: g-42k g-2ss | S16: g-13k; keil g-2ss SE"
    umpire = fight(
        place("T15: r-11ga r-1ta | S15: g-42k | S16: g-13k g-323i"),
        attack("T15", "g-42k g-13k g-323i", losses="g-13k"),
        dice="6",
    )
    assert list_fought(umpire).result == "AE"
    assert {at(umpire, uid) for uid in ("g-42k", "g-13k", "g-323i")} == {"eliminated"}
    assert losses.choose_victims({"a": 5, "b": 3, "c": 3}, 4, ("b",)) == ("b", "c")
    assert losses.choose_victims({"a": 5, "b": 3, "c": 3}, 3, ("a", "b")) == ("a",)
    assert losses.choose_victims({"a": 2}, 9, ()) == ("a",)
    some = fight(place(text), attack("T15", "g-42k g-2ss g-13k"), dice="1")
    assert is_(some, "panzerkeil", "g-2ss")


def test_2_0_ae_of_those_listed_who_can_be_spared_lives():
    """J-9: "equal to defense factors": no unit dies if the others pay enough."""
    assert losses.choose_victims({"a": 5, "b": 3}, 4, ("b", "a")) == ("a",)
    state = place("T15: r-65a | S15: g-53k g-13k g-505")
    umpire = fight(state, attack("T15", "g-53k g-13k g-505", losses="g-505,g-13k,g-53k"), dice="6")
    assert (list_fought(umpire).column, list_fought(umpire).result) == ("1:1", "D/AE")
    assert [at(umpire, uid) for uid in ("g-505", "g-13k", "g-53k")] == ["S15", "eliminated", "eliminated"]


def test_2_0_ae_with_d_first_the_attackers_then_the_defence():
    """J-8, J-47: D/AE; surviving attackers may follow a withdrawal."""
    umpire = fight(place("T15: r-57a | S15: g-42k g-52k; disrupted"), attack("T15", "g-42k g-52k"), dice="6")
    assert list_fought(umpire).result == "D/AE"
    assert at(umpire, "g-42k") == at(umpire, "g-52k") == "eliminated"
    assert is_(umpire, "disrupted", "r-57a")
    assert not [each for each in list_notes(umpire) if "g-42k" in each]


def test_4_0_a_disrupted_unit_neither_moves_nor_attacks():
    state = place("T15: r-57a | S15: g-2ss; disrupted g-2ss")
    assert list_refusals(state, attack("T15", "g-2ss"))[0][0] == "4.0"
    assert list_slips(order_moves(state, ("g-2ss", "R15"))) == ["4.0"]


def test_4_0_entrenched_units_lose_it_when_disrupted_twice():
    """J-15: a second Disruption has no other effect."""
    umpire = result("3:2", 4, "; disrupted r-57a; entrenched r-57a")
    assert not is_(umpire, "entrenched", "r-57a")
    assert is_(umpire, "disrupted", "r-57a")
    once = result("3:2", 3, "; entrenched r-57a")
    assert list_fought(once).result == "D"
    assert is_(once, "entrenched", "r-57a")


def test_5_0_those_attacked_recover_after_an_attack_that_fails():
    """J-13: '-', AD and AE; not D/AE, not in a Blitzkrieg, no Guards."""
    text = "T15: r-57a | S15: g-46pzk; disrupted r-57a"
    for die, name, recovers in ((5, "AD", True), (4, "X", True), (6, "D/AE", False), (3, "D", False)):
        umpire = fight(place(text), attack("T15", "g-46pzk", exchange="no"), dice=str(die))
        assert list_fought(umpire).result == name
        assert is_(umpire, "disrupted", "r-57a") == (not recovers)
    later = fight(place(text), attack("T15", "g-46pzk"), dice="5", second=True)
    assert is_(later, "disrupted", "r-57a")
    guards = fight(place("T15: r-6ga | S15: g-46pzk; disrupted r-6ga"), attack("T15", "g-46pzk"), dice="5")
    assert is_(guards, "disrupted", "r-6ga")


def test_6_0_no_retreat_turns_d1_into_d_and_d2_into_de():
    """J-16, J-53: orders for a battle, a hex or the side; all units stay."""
    for policy in (STAY, {"hexes": {"T15": STAY}}, {"battles": {"b1": {**STAY, "withdraw": "2"}}}):
        d1, d2 = result("3:1", 4, policy=policy), result("3:1", 2, policy=policy)
        assert (list_fought(d1).result, list_fought(d2).result) == ("D1", "D2")
        assert at(d1, "r-10a") == "T15"
        assert is_(d1, "disrupted", "r-10a")
        assert at(d2, "r-10a") == "eliminated"


def test_6_0_surrounded_defenders_have_no_choice():
    """J-16: results change as with No Retreat! orders."""
    ring = "T15: r-10a | S15: g-2ss | S16: g-13k | T16: g-42k | U16: g-30k | U15: g-52k | T14: g-7k"
    umpire = fight(place(ring), attack("T15", "g-2ss", push="0"), dice="3")
    assert at(umpire, "r-10a") == "eliminated"
    assert any("surrounded" in note for note in list_notes(umpire, "6.0"))


@pytest.mark.parametrize(("die", "result_", "lost"), [(4, "D1", 3), (6, "D", 5)])
def test_6_0_forced_exchange_against_no_retreat(die, result_, lost):
    """J-17: D1 costs the factors once, D one and a half times, rounded up; a German lists the results."""
    state = place("T15: r-10a | S15: g-46pzk g-20k g-7k")
    order = attack("T15", "g-46pzk g-20k g-7k", forced="D1,D")
    umpire = fight(state, order, dice=str(die), policy=STAY)
    assert list_fought(umpire).result == result_
    assert at(umpire, "r-10a") == "eliminated"
    paid = sum(july().counters[uid].attack for uid in ("g-46pzk", "g-20k", "g-7k") if at(umpire, uid) == "eliminated")
    assert paid == 3 if lost == 3 else paid >= lost
    assert at(fight(state, order, dice=str(die)), "r-10a") != "eliminated"  # no Forced Exchange otherwise


def test_6_0_forced_exchange_declared_by_a_russian_holds_for_all_results():
    """J-17: an AD becomes an AE; without payment the result is unchanged (J-46)."""
    state = place("T15: g-42k | T16: r-1ta; stage russian-orders")
    umpire = fight(state, attack("T15", "r-1ta", forced="D1"), dice="5", policy=STAY)
    assert list_fought(umpire).result == "AD"
    assert at(umpire, "r-1ta") == "eliminated"
    german = fight(place("T15: r-57a | S15: g-3pzk"), attack("T15", "g-3pzk", forced="D1"), dice="6", policy=STAY)
    assert is_(german, "disrupted", "g-3pzk")
    poor = fight(place("T15: r-11ga | S15: g-48pzk"), attack("T15", "g-48pzk", forced="D"), dice="3", policy=STAY)
    assert list_fought(poor).result == "D"
    assert at(poor, "g-48pzk") == "S15"
    assert is_(poor, "disrupted", "r-11ga")
    assert not [event for event in poor.events if isinstance(event, Decided)]


def test_3_0_cancel_german_attacks_by_plan_and_russian_ones_never():
    """J-12, J-64: by another attack's effect or by column, unless an earlier attack requires the attack."""
    state = place("T15: r-10a | R15: r-57a | S15: g-2ss | R14: g-46pzk")
    orders = attack("T15", "g-2ss"), attack("R15", "g-46pzk", name="b2", cancel="unless b1")
    assert any("b2" in note for note in list_notes(fight(state, *orders, dice="6"), "3.0-cancel"))
    assert not list_notes(fight(state, *orders, dice="1"), "3.0-cancel")
    low = fight(state, attack("R15", "g-46pzk", cancel="below 2:1"))
    assert not [event for event in low.events if isinstance(event, Fought)]
    russian = place("T15: g-42k | T16: r-1ta; stage russian-orders")
    assert list_refusals(russian, attack("T15", "r-1ta", cancel="below 7:1"))[0][0] == "2.0"


def test_3_0_cancel_what_events_have_overtaken_is_not_made():
    """J-69: no attacker or no defender remains."""
    state = place("T15: r-10a | S15: g-2ss")
    umpire = declare_attacks(state, attack("T15", "g-2ss"))
    gone = umpire.state.with_(units={**umpire.state.units, "r-10a": Unit("R1", 1)})
    umpire.state = gone
    assert list_notes(resolve(umpire, "1", {}), "3.0-cancel") == ["attack b1 does not take place: no defender is left"]
