"""2.0: every result; No Retreat and Forced Exchange (6.0); Disruption (4.0); recovery after attacks (5.0)."""

from kursk_pbem.kernel.events import Decided, Fought
from kursk_pbem.kernel.state import Unit
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
    place,
    resolve,
)

LEVEL = {
    "1:1": ("T15: r-11ga | S15: g-48pzk", "g-48pzk"),
    "3:1": ("T15: r-10a | S15: g-2ss", "g-2ss"),
    "3:2": ("T15: r-57a | S15: g-3pzk", "g-3pzk"),
    "1:3": ("T15: r-11ga | S15: g-20k", "g-20k"),
}


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
