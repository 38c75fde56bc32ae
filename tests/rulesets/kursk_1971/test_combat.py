"""7.0 Combat: attackers, strengths, limited units, odds, the die."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Fought, Noted, Rolled
from kursk_pbem.rulesets.kursk_1971.seen import exact_odds
from rulesets.kursk_1971.board import at, attack, bare, events, fight, legal, points, raid, refused, said, where

# 1514 lies beside 1513, 1515, 1613, 1614, 1413 and 1414.
FRONT = {"1514": "g-gd g-110", "1513": "s-61-1 s-61-2"}


def test_7_0_a_an_attack_that_has_become_impossible_is_skipped():
    """S-12: no die falls after the base is destroyed from the air."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-air1", "1510": "g-air1 g-air2"})
    result = fight(
        game, state, attack("1513", "g-gd"), raids=[raid("s-air1", "g-air1 g-air2")], faces={"r1": "6", "b1": "6"}
    )
    assert [each.label for each in events(result, Rolled)] == ["r1/air"]
    assert any("no enemy is left" in each.text for each in events(result, Noted))


def test_7_0_c_once_in_a_phase():
    game = bare()
    state = at(game, {**FRONT, "1614": "s-8g", "1612": "g-t"})
    two = [attack("1513", "g-gd", "b1"), attack("1614", "g-gd", "b2")]
    assert refused(game, state, {"battles": two}) == ["7.0-c"]
    assert "on several hexes, which 7.0-h allows, is not played here (S-11)" in said(game, state, {"battles": two})
    same = [attack("1513", "g-gd", "b1"), attack("1513", "g-110", "b2")]
    assert refused(game, state, {"battles": same}) == ["7.0-c"]
    assert refused(game, state, {"battles": [attack("1513", "g-gd g-gd")]}) == ["7.0-c"]


# 8th Guards, attacked first, is driven into the forest 1512, which is attacked next. By the print edition no zone of
# a hex in the attackers' control, where retreats end.
DRIVEN = {"1513": "s-8g", "1514": "g-gd g-lah", "1412": "g-t", "1612": "g-2pz g-3pz"}
TWO = (attack("1513", "g-gd g-lah", "b1", retreat=["1512"]), attack("1512", "g-t g-2pz g-3pz", "b2"))


def test_7_0_c_where_only_the_attacked_are_left_the_attack_is_skipped():
    """S-12, S-38: the base in the hex is gone, and the remaining unit was attacked before."""
    game = bare(edition="print", forest=["1512"])
    state = at(game, {**DRIVEN, "1512": "s-air1", "1510": "g-air1 g-air2"})
    result = fight(game, state, *TWO, raids=[raid("s-air1", "g-air1 g-air2")], faces={"r1": "6", "b1": "3"})
    assert where(result.after, "s-8g") == "1512"
    last = events(result, Fought)[-1]
    assert (last.battle, last.column) == ("b2", "")
    assert "attacked before" in last.note


@pytest.mark.parametrize(("stack", "lost"), [("g-505", 6), ("g-505 g-653", 9), ("g-505 g-air1", 6), ("g-air1", 0)])
def test_7_0_g_alone_they_are_eliminated_without_a_die(stack, lost):
    """S-3, S-18, S-26: with points and an advance; a ground element is no partner."""
    game = bare()
    state = at(game, {"1514": stack, "1513": "s-1t", "1410": "g-gd"}, side="soviet")
    result = fight(game, state, attack("1514", "s-1t", advance=["s-1t"]), faces={})
    (fought,) = events(result, Fought)
    assert (fought.column, fought.dice) == ("no defence", "")
    assert "no die" in fought.note
    assert points(result.after) == (0, lost)
    assert where(result.after, "s-1t") == "1514"


def test_8_0_answers_are_checked_and_kept():
    """S-52, S-58: answers for an attack, a hex, all, in this order; impossible answers are refused."""
    game = bare()
    declared = legal(game, at(game, FRONT), {"battles": [attack("1513", "g-gd")]})
    for policy in ({"battles": {"b9": {"retreat": ["1512"]}}}, {"hexes": {"9999": {}}}):
        assert refused(game, declared, policy=policy, seq=3) == ["8.0"]
    assert refused(game, declared, policy={"retreat": ["over there"]}, seq=3) == ["8.0-ar"]
    assert refused(game, declared, policy={"advance": ["g-gd"]}, seq=3) == ["8.0-advance"]
    assert refused(game, declared, policy={"advance": ["s-61-1", "s-61-1 1514"]}, seq=3) == ["8.0-advance"]
    assert refused(game, declared, policy={"patrol": {"s-61-1": []}}, seq=3) == ["9.0-d4"]
    assert refused(game, declared, policy={"patrol": {"s-air1": ["s-air2", "s-air2"]}}, seq=3) == ["9.0-d4"]
    kept = legal(game, declared, policy={"retreat": ["away 1514"]}, seq=3)
    assert kept.agenda["policy"] == {"retreat": ["away 1514"]}
    assert "no attack of that name" in said(game, declared, policy={"battles": {"b9": {}}}, seq=3)


def test_s_12_the_attack_that_can_take_away_another_is_named():
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-air1", "1510": "g-air1 g-air2"})
    orders = {"battles": [attack("1513", "g-gd")], "superiority": [raid("s-air1", "g-air1 g-air2")]}
    air, ground = exact_odds.list_chances(game, legal(game, state, orders), {})
    assert air.caveat == "fought first: later battles do not change the odds"
    assert ground.caveat == "as the position stands now; r1, fought earlier, can change the odds to no attack"
