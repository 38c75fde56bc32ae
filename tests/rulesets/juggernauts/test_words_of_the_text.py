"""Passages of the text that are easily applied differently."""

import pytest

from kursk_pbem.kernel.account.battles import clashes
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.kernel.hexes.useless import SAME
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import arrivals
from kursk_pbem.rulesets.juggernauts.seen import exact_odds, useless_answers
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
from rulesets.juggernauts.board import (
    at,
    attack,
    declare_attacks,
    fight,
    is_,
    july,
    list_fought,
    list_notes,
    order_moves,
    place,
    pos,
)


def far(umpire, uid, start):
    board = july().board
    return board.distance(board.index[start], board.index[at(umpire, uid)])


# 2.0-x, 15.2


def test_2_0_x_an_empty_line_hex_falls_when_its_factors_are_paid():
    """J-49: 'taken by ... eXchange ..., with attacking factors paying for the fort. line hex first': without entry."""
    umpire = fight(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk"), dice="5")
    assert (list_fought(umpire).result, at(umpire, "g-46pzk")) == ("X", "eliminated")
    assert is_(umpire, "lost", "I9")


def test_2_0_x_a_line_falls_whose_defenders_all_die():
    """J-74: no unit survives in the hex, and all attackers die, too."""
    text = "T9: g-42k | T10: r-1ta r-23tc; stage russian-orders; lost S10 U10"
    umpire = fight(place(text), attack("T9", "r-1ta r-23tc"), dice="3")
    assert (list_fought(umpire).result, at(umpire, "g-42k")) == ("X", "eliminated")
    assert {at(umpire, uid) for uid in ("r-1ta", "r-23tc")} == {"eliminated"}
    assert is_(umpire, "lost", "T9")


def test_2_0_x_declined_leaves_the_line():
    umpire = fight(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk", exchange="no"), dice="5")
    assert not is_(umpire, "lost", "I9")


def test_15_2_odds_tell_of_a_line_that_falls():
    state = declare_attacks(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk")).state
    (only,) = exact_odds.list_chances(july(), state, {})
    (exchange,) = [each for each in only.outcomes if each.result == "X"]
    assert "the line in I9 is lost" in exchange.text


def test_15_2_the_story_tells_that_a_line_fell():
    """Bug: the story said that the line held, because no unit entered."""
    umpire = fight(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk"), dice="5")
    (clash,) = clashes(umpire.events)
    words = Wording(july())
    told = tell_battle(clash, Voice(words, lambda uid: f"the {words.unit(uid)}", lambda _label: ("", "Ponyri")), 0)
    assert told.endswith("The Russian 1st line fell, and the XXXXVI. Panzerkorps was lost.")


# 2.0-dn


@pytest.mark.parametrize(
    ("die", "push", "hexes"), [("4", "0", 1), ("4", "1", 2), ("2", "0", 0), ("2", "1", 1), ("2", "2", 2)]
)
def test_2_0_dn_defenders_continue_by_two_less_n(die, push, hexes):
    """J-7: 'on a D1, up to 1 more': on a D2 none, however far the attacker drives them."""
    order = attack("T15", "g-2ss", push=push)
    umpire = fight(place("T15: r-10a | S15: g-2ss"), order, dice=die, policy={"withdraw": "2"})
    assert list_fought(umpire).result == ("D1" if die == "4" else "D2")
    assert far(umpire, "r-10a", "T15") == hexes


def told_in_vain(state, attackers):
    state = declare_attacks(state, attack("T15", attackers)).state
    return [*useless_answers.find_useless(pos(state), {"withdraw": "2"}, "russian")]


def test_2_0_dn_a_withdrawal_that_only_a_d2_could_call_for_is_told_in_vain():
    """J-7: after a D2 units cannot go further than driven."""
    nothing = f"withdraw 2 has no effect in b1: {SAME}"
    assert told_in_vain(place("T15: r-10a | S15: g-2ss g-3pzk g-20k"), "g-2ss g-3pzk g-20k") == [nothing]
    assert told_in_vain(place("T15: r-10a | S15: g-2ss g-3pzk"), "g-2ss g-3pzk") == []


# 11.1, 11.2


def test_11_2_arrivals_come_undisrupted_onto_a_full_hex():
    """J-77: 'arriving UnDisrupted'; the stacking limit applies to moving units."""
    state = place("L15: r-6a r-10a; stage russian-orders; factors 3")
    umpire = Umpire(july(), state, 1)
    arrivals.return_tanks(umpire, Filing(1, "russian", orders={"replacements": [{"unit": "r-9tc", "hex": "L15"}]}))
    assert at(umpire, "r-9tc") == "L15"
    assert not is_(umpire, "disrupted", "r-9tc")


# 6.0

STACK = "T15: r-57a r-4ak | S15: g-2ss"


def test_6_0_no_retreat_orders_for_one_unit_on_a_d2():
    """J-53: orders for single units: the unit with No Retreat! orders dies, the other retreats."""
    umpire = fight(
        place("T15: r-10a r-6a | S15: g-2ss g-3pzk g-20k"),
        attack("T15", "g-2ss g-3pzk g-20k"),
        dice="1",
        policy={"units": {"r-10a": {"no-retreat": "yes"}}},
    )
    assert list_fought(umpire).result == "D2"
    assert at(umpire, "r-10a") == "eliminated"
    assert far(umpire, "r-6a", "T15") == 2
    assert "D2 becomes DE for r-10a: No Retreat!" in list_notes(umpire, "6.0")


def test_6_0_no_retreat_orders_for_one_unit_on_a_d1():
    """J-53: the D1 is a D for this unit, which stays; no attacker enters its hex."""
    policy = {"withdraw": "2", "units": {"r-6a": {"no-retreat": "yes"}}}
    order = attack("T15", "g-2ss g-3pzk g-20k", advance="g-2ss")
    umpire = fight(place("T15: r-10a r-6a | S15: g-2ss g-3pzk g-20k"), order, dice="3", policy=policy)
    assert list_fought(umpire).result == "D1"
    assert (at(umpire, "r-6a"), far(umpire, "r-10a", "T15")) == ("T15", 2)
    assert is_(umpire, "disrupted", "r-6a")
    assert at(umpire, "g-2ss") == "S15"


def test_6_0_one_unit_may_be_free_of_the_orders_of_its_hex():
    policy = {"no-retreat": "yes", "units": {"r-4ak": {"no-retreat": "no", "withdraw": "1"}}}
    umpire = fight(place(STACK), attack("T15", "g-2ss"), dice="6", policy=policy)
    assert list_fought(umpire).result == "AD"
    umpire = fight(place(STACK), attack("T15", "g-2ss"), dice="4", policy=policy)
    assert list_fought(umpire).result == "D"
    assert (at(umpire, "r-57a"), far(umpire, "r-4ak", "T15")) == ("T15", 1)


def test_14_2_a_position_is_held_by_the_orders_of_any_unit():
    """J-20: 'eliminated by a D1 ..., unless the position is held with a No Retreat! defense'."""
    state = place("T15: r-10a r-4ak | S15: g-2ss; emplaced r-4ak")
    held, lost = (
        fight(state, attack("T15", "g-2ss"), dice="3", policy={"units": {"r-10a": {"no-retreat": word}}})
        for word in ("yes", "no")
    )
    assert list_fought(held).result == "D1"
    assert (at(held, "r-10a"), at(lost, "r-4ak")) == ("T15", "eliminated")
    assert far(held, "r-4ak", "T15") == 1


def test_6_0_orders_for_one_unit_allow_a_forced_exchange():
    policy = {"units": {"r-57a": {"no-retreat": "yes"}}}
    order = attack("T15", "g-2ss g-3pzk", forced="D")
    umpire = fight(place("T15: r-57a r-6a | S15: g-2ss g-3pzk"), order, dice="5", policy=policy)
    assert list_fought(umpire).result == "D"
    assert any(event.rule == "6.0-forced" for event in umpire.events)


# 12.0


@pytest.mark.parametrize(
    ("crowd", "first", "others"),
    [("stay", "T16", ("T16", "T16")), ("lose", "eliminated", ("T16", "T16")), ("on", "T17", ("U17", "T17"))],
)
def test_12_0_choice_the_owner_chooses_when_a_retreat_overfills_a_hex(crowd, first, others):
    """J-45: 'may voluntarily eliminate any of his retreating units instead', or move all of that hex on."""
    state = place("T15: r-57a | S15: g-2ss | S16: r-38a r-40a | U16: r-13a r-60a | U15: r-61a r-3a | T16: r-6a r-10a")
    umpire = fight(state, attack("T15", "g-2ss", push="1"), dice="3", policy={"crowd": crowd})
    assert (at(umpire, "r-57a"), at(umpire, "r-6a"), at(umpire, "r-10a")) == (first, *others)


# 14.1


def test_14_1_a_panzerkeil_is_lost_by_a_combat_result_only():
    """J-6: 'due to combat, from any Disrupting combat result': not by an overfull stack."""
    state = place("R15: g-2ss | S15: g-3pzk g-48pzk g-46pzk; keil g-2ss SE")
    umpire = order_moves(state, ("g-2ss", " S15"))
    assert is_(umpire, "disrupted", "g-2ss")
    assert is_(umpire, "panzerkeil", "g-2ss")
    beaten = fight(place("T15: r-11ga | S15: g-48pzk g-505; keil g-48pzk SE"), attack("T15", "g-48pzk g-505"), dice="6")
    assert list_fought(beaten).result == "AD"
    assert not is_(beaten, "panzerkeil", "g-48pzk")
