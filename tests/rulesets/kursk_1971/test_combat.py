"""6.0 to 10.0: what combat and its odds say, and verdicts that no card shows."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Fought, Noted, Rolled
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.seen import choices, exact_odds, headlines, outlook
from rulesets.kursk_1971.board import (
    asking,
    at,
    attack,
    bare,
    events,
    fight,
    legal,
    ordered,
    play,
    points,
    pos,
    raid,
    refused,
    said,
    where,
)

BESIDE = {"1514": "g-gd g-110", "1513": "s-1t s-5t", "1413": "g-296", "1613": "s-31t"}
"""8 against 8; 1413 is beside the attacked hex, 1613 beside the hex of the attackers; neither takes part."""


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
    state = at(game, {"1514": "g-gd g-110", "1513": "s-61-1 s-61-2", "1614": "s-8g", "1612": "g-t"})
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


@pytest.mark.parametrize("stack", ["s-8art s-61-1", "s-61-1", "s-air1"])
def test_7_0_g_a_unit_without_strength_attacks_only_limited_units_alone(stack):
    """The 1-8 brigade is out of supply, and 1 halved is 0."""
    game = bare()
    state = at(game, {"0316": "s-13at", "1514": "g-mant", "1513": stack})
    assert outlook.find_strong_attacks(pos(game, state), "german") == []
    assert "have no strength" in said(game, state, {"battles": [attack("1513", "g-mant")]})


def test_8_0_advance_a_plan_names_own_units_that_can():
    """An open plan may name a unit outside the attack."""
    game = bare(refereed=True)
    state = at(game, BESIDE)
    outsider, enemy = ({"battles": [attack("1513", "g-gd", advance=[uid])]} for uid in ("g-296", "s-1t"))
    assert play(game, state, outsider, faces={"b1/combat": "1"}).violations == ()
    assert "s-1t is no unit of yours" in said(game, state, enemy, faces={"b1/combat": "1"})


def test_8_0_advance_outsiders_are_in_words_forms_and_hints():
    game = bare()
    state = at(game, BESIDE)
    draft, _text = ordered(game, state, "attack 1513 with gd advance 296")
    assert draft["orders"]["battles"][0]["advance"] == ["g-296"]
    form = {clause.word: clause for clause in choices.offer_attack(asking(game, state, {}), ["1513"])}
    assert {word for word, _text in form["advance"].among} == {"g-110", "g-296", "g-gd"}
    assert form["advance"].of == ()
    declared = legal(game, state, {"battles": [attack("1513", "g-gd")]})
    reply = {clause.word: clause for clause in choices.offer_answer(asking(game, declared, {}), ["b1"])}
    assert {word for word, _text in reply["advance"].among} == {"s-1t", "s-31t", "s-5t"}


def test_8_0_advance_of_nobody_where_the_plan_names_only_who_paid():
    """Bug: the report denied that other attackers were adjacent."""
    places = {"1514": "g-gd g-110 g-296", "1513": "s-24"}
    game, order = bare(edition="print"), attack("1513", "g-gd g-110 g-296", losses=["g-110"], advance=["g-110"])
    result = fight(game, at(game, places), order, faces={"b1": "5"})
    assert where(result.after, "g-110", "g-gd", "s-24") == ["eliminated", "1514", "eliminated"]
    said = "no unit advances into 1513: no unit of the plan is still adjacent"
    assert said in [event.text for event in events(result, Noted)]


def test_8_0_ex_the_odds_are_those_of_the_real_resolution():
    """S-39: each predicted outcome equals the resolution.

    A 4-8 has three tank corps of 4-6 around it: every hex beside it is theirs or in a zone of control of theirs.
    """
    ring = {"1013": "s-10t", "0915": "s-12t", "1115": "s-15t", "1014": "g-25pg", "1015": "g-31", "0916": "g-7"}
    game, order = bare(), attack("1014", "s-10t s-12t s-15t", losses=["s-10t"])
    state = at(game, ring, side="soviet")
    (found,) = RULESET.seen.odds(game, legal(game, legal(game, state, {"battles": [order]}), seq=3), {})
    text = next(one.text for one in found.outcomes if one.result == "EX")
    assert text == ("s-10t is eliminated", "g-25pg retreats to 1013", "g-25pg is eliminated", "kg1-5 is formed in 1013")
    for one in found.outcomes:
        for face in one.faces:
            result = fight(game, state, order, faces={"b1": face})
            assert events(result, Fought)[0].result == one.result
            assert str(points(result.after)[1]) == one.figures["attacker-points"]


def test_s_12_the_attack_that_can_take_away_another_is_named():
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-air1", "1510": "g-air1 g-air2"})
    orders = {"battles": [attack("1513", "g-gd")], "superiority": [raid("s-air1", "g-air1 g-air2")]}
    air, ground = exact_odds.list_chances(game, legal(game, state, orders), {})
    assert air.caveat == "fought first: later battles do not change the odds"
    assert ground.caveat == "as the position stands now; r1, fought earlier, can change the odds to no attack"


def test_9_0_d4_an_attack_below_the_table_is_told_without_saying_that_it_became_so():
    """Bug: 'had become impossible' was reported of raids impossible from the start."""
    patrols = {"s-air1": "1520", "s-air2": "1520"}
    state = at(bare(), {"1510": "g-air1", "1520": "s-air1 s-air2"}, patrol=patrols)
    result = fight(bare(), state, raids=[raid("s-air1", "g-air1")], faces={})
    (text,) = headlines.tell_story(bare(), state, result.events, result.after)
    assert text.endswith("after all, for the order had become impossible.")


def test_the_picture_shows_where_each_side_is_in_supply_6_0():
    """Shaded hexes of the board equal hexes in supply."""
    game = bare()
    state = at(game, {"1016": "g-gd", "1021": "g-26", "1030": "g-7", "1023": "s-1t"})
    shown = {zone.side: zone.at for zone in RULESET.seen.picture(game, state).reached}
    assert [label in shown["german"] for label in ("1016", "1021", "1026", "1030")] == [True, True, False, False]
    found = position(game, state)
    for uid in ("g-gd", "g-26", "g-7", "s-1t"):
        assert (state.units[uid].place in shown[found.side(uid)]) == found.is_supplied(uid)
