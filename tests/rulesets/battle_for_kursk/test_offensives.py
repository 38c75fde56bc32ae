"""9.2 communication in battle, 9.2.1 Offensives: lead, support, marker, losses, one net shift."""

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.seen import attack_hints
from rulesets.battle_for_kursk.board import kursk, ordered, place

LINE = "2707: r-5 | 2706: g-2-ss | 2606: g-48-pz | 2705: g-11 | 2605: g-42 | 2805: g-52; offensives german 1"


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
