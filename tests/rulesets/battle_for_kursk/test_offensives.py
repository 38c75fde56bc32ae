"""9.2 communication in battle, 9.2.1 Offensives: lead, support, marker, losses, one net shift."""

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import Tracked
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.seen import attack_hints
from rulesets.battle_for_kursk.board import (
    Dice,
    attack,
    battles,
    in_communication,
    kursk,
    message,
    odds,
    ordered,
    payments,
    place,
    play,
    refused,
    shifts,
)

LINE = "2707: r-5 | 2706: g-2-ss | 2606: g-48-pz | 2705: g-11 | 2605: g-42 | 2805: g-52; offensives german 1"


def communication(found):
    return [shift.by for shift in found.shifts if shift.rule == "9.2-communication"]


def test_9_2_communication_the_defender_is_cut_off():
    """A defender out of communication gives the attacker a column (K-50)."""
    ringed = place("2707: r-5 | 2606: g-11 | 2807: g-42")
    assert communication(odds(ringed, "2707", "g-11 g-42")) == [1]
    assert communication(odds(place("2707: r-5 | 2606: g-11 | 2708: g-42"), "2707", "g-11 g-42")) == []


def test_9_2_communication_all_attackers_must_be_cut_off():
    """The German in the pocket alone gives the Russian a column; with a friend from outside the pocket in the battle he
    does not. Both sides out: the shifts cancel (K-50)."""
    pocket = "2707: g-11 | 2706: r-5 | 2708: r-33"
    state = place(pocket)
    assert not in_communication(state, "2707", "german")
    assert communication(odds(state, "2706", "g-11")) == [-1]
    with_friend = place(f"{pocket} | 2605: g-42")
    assert in_communication(with_friend, "2605", "german")
    assert communication(odds(with_friend, "2706", "g-11 g-42")) == []
    both = place("1510: r-5 | 1509: g-11 | 1511: g-42 | 1508: r-33")
    assert not in_communication(both, "1510", "russian")
    assert not in_communication(both, "1509", "german")
    assert sorted(communication(odds(both, "1510", "g-11"))) == [-1, 1]


def test_9_2_communication_a_supporter_counts_among_the_units_of_the_battle():
    """A supporter in communication saves the attackers from the shift (K-50)."""
    state = place("2707: g-2-ss | 2708: r-5 | 2706: r-33 | 2606: g-11")
    assert communication(odds(state, "2708", "g-2-ss")) == [-1]
    assert communication(odds(state, "2708", "g-2-ss", "g-11")) == []


def test_9_2_1_each_supporter_is_one_column_and_no_strength():
    """11 against 8 is 1:1; with two corps of 4th Panzer Army behind the SS it is 3:1, the strength still 11 (K-43)."""
    played = play(place(LINE), battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-11 g-42")), dice={"b1": 1})
    fought = played.fought()
    assert (fought.attack.total, fought.ratio, fought.column) == ("11", "1:1", "3:1")
    assert fought.roles == (("Offensive led by", ("g-2-ss",)), ("in support", ("g-11", "g-42")))


def test_9_2_1_the_defender_is_told_apart_who_attacks_and_who_supports():
    """'r-5 by g-2-ss, g-11, g-42: 11:8' stood above the answer, and these three have 22 strength points."""
    entry = {"id": "b1", "hex": "2707", "defender": "r-5", "attackers": ["g-2-ss"], "lead": "g-2-ss"}
    state = place(LINE).with_(agenda={"battles": ({**entry, "support": ["g-11", "g-42"]},)})
    told = attack_hints.hint_answers(position(kursk(), state)).lines[1]
    assert "by g-2-ss, led by g-2-ss, in support g-11, g-42: 11:8 = 1:1" in told


def test_9_1_long_odds_an_offensive_above_the_last_column_is_not_held_out():
    """'14:2 = 7:1; Offensive led by g-24-pz, support g-57-pz: 6:1' stood above the battles, for a marker."""
    line = "2707: r-9-tc reduced | 2706: g-2-ss | 2606: {} | 2705: g-11; offensives german 1"
    for other, held_out in (("g-48-pz", False), ("r-10", True)):  # with it 21:2 = 10:1, without 11:2 = 5:1
        (told,) = (
            each
            for each in attack_hints.hint_battles(position(kursk(), place(line.format(other))), "german", 5).lines
            if each.startswith("r-9-tc")
        )
        assert ("Offensive led by g-2-ss" in told) is held_out, told


@pytest.mark.parametrize(
    ("attackers", "lead", "support", "says", "number"),
    [
        ("g-2-ss", "g-48-pz", "g-11", "the lead unit g-48-pz must be an attacker", 1),
        ("g-2-ss", "g-2-ss", "", "needs a supporting unit", 1),
        ("g-2-ss", "g-2-ss", "g-48-pz", "is adjacent to the defender", 1),
        ("g-48-pz", "g-48-pz", "g-52", "is not adjacent to the lead unit", 1),
    ],
)
def test_9_2_1_who_may_lead_and_who_may_support(attackers, lead, support, says, number):
    """The lead is a front-line attacker; each supporter is next to it and not next to the defender (K-42, K-43)."""
    orders = battles(attack("2707", attackers, lead=lead, support=support))
    refused(place(LINE), orders, "9.2.1", says, number=number)


def test_9_2_1_infantry_does_not_lead_shock_does():
    """Armor or Shock may lead (K-42)."""
    state = place("2707: r-5 | 2706: g-11 | 2705: g-42; offensives german 1")
    orders = battles(attack("2707", "g-11", lead="g-11", support="g-42"))
    refused(state, orders, "9.2.1", "the lead unit must be armor or shock; g-11 is infantry")
    shock = place("2707: g-59 | 2706: r-3-sh | 2705: r-43; offensives russian 1; stage russian-orders")
    orders = battles(attack("2707", "r-3-sh", lead="r-3-sh", support="r-43"))
    assert play(shock, orders, dice={"b1": 1}).fought().column == "3:1"


def test_9_2_1_supporters_are_of_the_leads_army_or_front():
    """A corps of another army next to the lead is no support. Corps of Detachment Kempf are 4th Panzer Army (K-17)."""
    state = place("2707: r-5 | 2706: g-2-ss | 2705: g-59 | 2605: g-3-pz; offensives german 1")
    orders = battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-59"))
    refused(state, orders, "9.2.1", "belongs to 3rd Panzer Army, the lead unit to 4th Panzer Army")
    kempf = battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-3-pz"))
    assert play(state, kempf, dice={"b1": 1}).fought().column == "2:1"


def test_9_2_1_three_supporters_are_all_that_geometry_allows():
    """Behind a lead three hexes are next to it and not next to the defender (K-43)."""
    state = place(LINE)
    orders = battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-11 g-42 g-52"))
    assert play(state, orders, dice={"b1": 1}).fought().column == "4:1"


def test_9_2_1_net_a_detour_below_one_to_one_does_not_cancel():
    """Major City and river take 1:1 to below 1:1, three supporters bring it back to 2:1: one net shift (K-51). It does
    not lead above 6:1 either."""
    state = place(
        "1808: r-5 | 1908: g-2-ss | 1907: g-11 | 2007: g-42 | 2008: g-52; control 1808 russian; offensives german 1"
    )
    orders = battles(attack("1808", "g-2-ss", lead="g-2-ss", support="g-11 g-42 g-52"))
    fought = play(state, orders, dice={"b1": 1}).fought()
    assert (fought.ratio, fought.column) == ("1:1", "2:1")
    assert sum(columns for _rule, columns in shifts(fought)) == 1
    top = place("2707: r-9-tc | 2706: g-2-ss | 2606: g-48-pz | 2705: g-11 | 2605: g-42; offensives german 1")
    orders = battles(attack("2707", "g-2-ss g-48-pz", lead="g-2-ss", support="g-11 g-42"))
    fought = play(top, orders, dice={"b1": 1}).fought()
    assert (fought.attack.total, fought.defence.total, fought.ratio, fought.column) == ("21", "5", "4:1", "6:1")


def test_9_2_1_marker_one_for_each_offensive_and_no_more_than_there_are():
    """One marker a battle; a second Offensive needs a second marker, a fourth cannot be (K-42)."""
    two = "2707: r-5 | 2706: g-2-ss | 2705: g-11 | 2711: r-10 | 2712: g-47-pz | 2713: g-23"
    orders = battles(
        attack("2707", "g-2-ss", lead="g-2-ss", support="g-11"),
        attack("2711", "g-47-pz", lead="g-47-pz", support="g-23", bid="b2"),
    )
    assert play(place(f"{two}; offensives german 2"), orders).offensives("german") == 0
    assert play(place(f"{two}; offensives german 3"), orders).offensives("german") == 1
    refused(place(f"{two}; offensives german 1"), orders, "9.2.1", "no Offensive marker is left")


def test_9_2_1_marker_is_spent_even_if_the_attack_is_called_off():
    """6 against 8 with one supporter into a fortified city over a river: below 1:1, and the marker is gone (K-44)."""
    state = place("2406: r-5 | 2405: g-2-ss reduced | 2404: g-11; turn B; offensives german 1")
    orders = battles(attack("2406", "g-2-ss", lead="g-2-ss", support="g-11"))
    played = play(state, orders, dice={})
    assert played.fought().column == ""
    assert played.offensives("german") == 0
    assert [event.value for event in played.of(Tracked, rule="9.2.1")] == [0]


def test_9_2_1_losses_may_fall_on_the_second_echelon():
    """An exchange is paid by a supporter alone, and an attacker's loss too (K-58, K-59)."""
    state = place("2707: r-5 reduced | 2706: g-2-ss | 2705: g-11; offensives german 1")
    orders = battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-11", losses="g-11"))
    played = play(state, orders, dice={"b1": 5})
    assert played.fought().result == "EX"
    assert (played.at("g-11"), played.steps("g-2-ss")) == ("eliminated", 2)
    one = place("2406: r-5 | 2405: g-2-ss | 2404: g-11; turn A; clear; offensives german 1")
    lost = play(one, orders.replace("2707", "2406"), dice={"b1": 1})
    assert lost.fought().result == "AL"
    assert (lost.steps("g-11"), lost.steps("g-2-ss")) == (1, 2)
    assert {"g-11": 1} in [dict(p) for p in payments("g-2-ss g-11", 3)]


def test_9_2_1_a_sealed_plan_for_a_supporter_or_a_stranger_counts_as_not_written():
    """A plan that comes unseen names a supporter, a dead unit and nonsense for the advance: they are passed over, and
    the first attacker on the list goes (K-60, K-73, K-78)."""
    state = place("2707: r-9-tc reduced | 2706: g-2-ss | 2705: g-11; offensives german 1")
    declared = play(state, battles(attack("2707", "g-2-ss", lead="g-2-ss", support="g-11"))).after
    answered = message(declared, seq=11).after
    plans = {"b1": {"advance": ["g-11", "g-59", "g-2-ss if-raining", "g-2-ss"], "losses": "x", "retreat": 7}}
    filing = Filing(12, "german", reveal={"plans/10": plans})
    fought = adjudicate(RULESET, kursk(), answered, filing, Dice({"b1": 6}, 12))
    assert fought.legal
    assert (fought.after.units["g-2-ss"].place, fought.after.units["g-11"].place) == ("2707", "2705")


def test_9_2_1_an_unsupported_fight_is_an_ordinary_battle():
    """Without an Offensive, units of the second line do nothing and the marker stays."""
    played = play(place(LINE), battles(attack("2707", "g-2-ss")), dice={"b1": 3})
    assert (played.fought().column, played.fought().shifts) == ("1:1", ())
    assert played.offensives("german") == 1


def test_9_2_1_a_whole_fault_list_comes_back_at_once():
    """A lead that is no attacker in one battle and a distant attacker in another: the umpire reports both (K-80)."""
    orders = battles(attack("2707", "g-2-ss", lead="g-48-pz", support="g-11"), attack("2707", "g-52", bid="b2"))
    result = message(place(LINE), orders)
    assert [v.rule for v in result.violations] == ["9.2.1", "9.0-once-per-combat-phase", "9.0"]
    assert "battles" not in result.after.agenda


def test_9_2_1_nobody_leads_who_stands_elsewhere():
    """Bug: the program advised supporters of such a unit, and refused the supporters."""
    state = place("2015: r-40 | 2016: g-48-pz | 1806: g-41-pz | 1805: g-46-pz; offensives german 2")
    with pytest.raises(UsageError, match="g-41-pz cannot lead an Offensive: the unit is not adjacent to 2015"):
        ordered(state, "attack", "2015 with 41 pz lead 41 pz")


def test_12_0_4_no_attack_is_advised_in_a_posture_without_combat():
    """'as in 'attack 2015 all'' was refused."""
    with pytest.raises(UsageError, match=r"^Not with the posture reposition \[12.0-4\].$"):
        ordered(place("2015: r-40 | 2016: g-48-pz; posture german reposition"), "attack", "2015")


def test_12_0_2_no_attack_is_advised_while_orders_wait_for_the_other_posture():
    """Also in a draft with an open posture that waits."""
    state = place("2015: r-40 | 2016: g-48-pz; stage posture; posture none; previous german deploy")
    draft = {"choice": {"posture/turn-b": {"posture": "engage", "reaction": "no"}}}
    with pytest.raises(UsageError, match="Attacks wait for the Russian posture; the order 'waive' allows orders now"):
        ordered(state, "attack", "2015", draft)
    with pytest.raises(UsageError, match="as in 'attack 2015 all'"):
        ordered(state, "attack", "2015", {**draft, "waive": "posture"})
