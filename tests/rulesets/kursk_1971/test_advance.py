"""8.0-advance by adjacent units after every result; 7.0-c, 7.0-g and 9.0-d2 in combat."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Fought, Moved, Noted, Removed, Rolled
from kursk_pbem.kernel.hexes.useless import SAME
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.kursk_1971 import RULESET, retreat
from kursk_pbem.rulesets.kursk_1971.seen import choices, outlook, unused
from rulesets.kursk_1971.board import asking, at, attack, bare, events, fight, legal, ordered, play, pos, said, where

BESIDE = {"1514": "g-gd g-110", "1513": "s-1t s-5t", "1413": "g-296", "1613": "s-31t"}
"""8 against 8; 1413 is beside the attacked hex, 1613 beside that of the attackers; neither takes part."""
AR, BR, DR, EX = "1", "3", "6", "6"


def fought(die, *, policy=None, places=None, who="g-gd g-110", game=None, **plan):
    """Resolve an attack on 1513, print edition without Kampfgruppen."""
    game = game or bare(edition="print", optional_rules="neither-played")
    result = fight(game, at(game, places or BESIDE), attack("1513", who, **plan), faces={"b1": die}, policy=policy)
    return result, events(result, Fought)[0].result


def advanced(result):
    """Return the units that advanced, with their hexes."""
    return [(event.unit, event.path[-1]) for event in events(result, Moved) if event.how == "advance"]


def test_8_0_advance_after_br_units_that_took_no_part_enter_both_hexes():
    """'In all of the above cases': only units that retreated in this result stay out."""
    policy = {"advance": ["s-1t 1514", "s-31t"]}
    result, told = fought(BR, policy=policy, advance=["g-gd", "g-296"])
    assert told == "BR"
    assert advanced(result) == [("g-296", "1513"), ("s-31t", "1514")]


@pytest.mark.parametrize(("die", "told"), [(AR, "AR"), (DR, "DR")])
def test_8_0_advance_units_that_took_no_part_enter_what_was_left(die, told):
    result, found = fought(die, policy={"advance": ["s-31t"]}, advance=["g-296"])
    assert found == told
    assert advanced(result) == [("s-31t", "1514") if told == "AR" else ("g-296", "1513")]


def test_8_0_advance_after_an_exchange_the_enemy_enters_the_hex_of_who_paid():
    """'Whether by retreat or destruction': the hex of paying units is empty, too."""
    places = {"1514": "g-gd", "1413": "g-110 g-296", "1513": "s-1t", "1412": "s-31t"}
    paid = ["g-110", "g-296"]
    result, told = fought(EX, places=places, who="g-gd g-110 g-296", policy={"advance": ["s-31t"]}, losses=paid)
    assert told == "EX"
    assert where(result.after, *paid) == ["eliminated", "eliminated"]
    assert advanced(result) == [("s-31t", "1413")]


@pytest.mark.parametrize("wish", ["g-296", "g-296 1415"])
def test_8_0_advance_a_unit_joins_a_kampfgruppe_of_its_defense(wish):
    """S-17: the exchange has vacated 1415, and a friend that retreated there leaves the hex open."""
    places = {"1515": "g-gd", "1415": "s-1t s-2gc", "1514": "s-5t", "1615": "s-10t", "1414": "g-296"}
    who = attack("1515", "s-1t s-2gc s-5t s-10t", losses=["s-1t", "s-2gc"], retreat=["1415"])
    game = bare()
    result = fight(game, at(game, places, "soviet"), who, faces={"b1": "6"}, policy={"advance": [wish]})
    assert events(result, Fought)[0].result == "EX"
    assert where(result.after, "s-1t", "s-2gc", "kg2-1") == ["eliminated", "eliminated", "1415"]
    assert advanced(result) == [("g-296", "1415")]


def test_8_0_advance_a_hex_that_was_left_by_advancing_stays_shut():
    """Results empty hexes for an advance, advances do not."""
    result, told = fought(DR, policy={"advance": ["s-31t"]}, advance=["g-gd", "g-110"])
    assert told == "DR"
    assert advanced(result) == [("g-gd", "1513"), ("g-110", "1513")]


def test_8_0_advance_only_from_a_hex_beside_it():
    far = {**BESIDE, "1413": "g-112", "1415": "g-296"}
    result, _told = fought(DR, places=far, advance=["g-296"])
    assert advanced(result) == []
    said_ = "no unit advances into 1513: no unit of the plan is still adjacent"
    assert said_ in [event.text for event in events(result, Noted)]


def test_8_0_advance_who_took_part_may():
    result, _told = fought(DR, advance=["g-110"])
    assert advanced(result) == [("g-110", "1513")]
    result, _told = fought(AR, policy={"advance": ["s-5t"]})
    assert advanced(result) == [("s-5t", "1514")]


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


@pytest.mark.parametrize(
    ("advance", "vain"), [(["s-31t"], False), (["s-31t 1514"], False), (["s-31t 1413"], True), (["s-25t"], True)]
)
def test_8_0_advance_what_counts_for_nothing_is_said(advance, vain):
    game = bare(edition="print")
    state = at(game, {**BESIDE, "1514": "g-gd", "1712": "s-25t"})
    declared = legal(game, state, {"battles": [attack("1513", "g-gd")]})
    policy = {"advance": advance}
    result = play(game, declared, policy=policy, seq=3)
    told = [
        one.text
        for one in unused.find_unused(game, declared, result.events, Filing(3, "soviet", policy=policy))
        if one.vain
    ]
    assert told == [f"advance {advance[0]} has no effect in b1: {SAME}"] * vain


def test_8_0_advance_the_odds_count_a_hex_as_left_though_others_follow():
    """The advance of a third unit elsewhere leaves the defenders' hex empty."""
    game = bare(edition="print", optional_rules="neither-played")
    declared = legal(game, at(game, BESIDE), {"battles": [attack("1513", "g-gd g-110")]})
    quiet, follows = (
        RULESET.seen.odds(game, legal(game, declared, policy=policy, seq=3), {})[0]
        for policy in ({}, {"advance": ["s-31t"]})
    )
    assert any("s-31t advances to 1514" in one.text for one in follows.outcomes)
    assert follows.sums == quiet.sums


# 7.0-c: no enemy unit is attacked twice

DRIVEN = {"1513": "s-8g", "1514": "g-gd g-lah", "1412": "g-t", "1612": "g-2pz g-3pz", "1512": "s-16g"}
TWO = (attack("1513", "g-gd g-lah", "b1", retreat=["1512"]), attack("1512", "g-t g-2pz g-3pz", "b2"))


def test_7_0_c_a_unit_attacked_before_takes_no_part_in_the_second_attack():
    """S-38: a unit driven into a hex attacked later adds nothing and ignores the result."""
    game = bare(edition="print", forest=["1512"])
    result = fight(game, at(game, DRIVEN), *TWO, faces={"b1": "3", "b2": "6"})
    first, second = events(result, Fought)
    assert (first.result, second.result) == ("DR", "HX")
    assert [(row.unit, row.counts) for row in second.defence.rows] == [("s-16g", "3"), ("s-8g", "0")]
    assert where(result.after, "s-8g", "s-16g") == ["1512", "eliminated"]


def test_7_0_c_an_attack_that_retreats_leaves_it_alone():
    game = bare(edition="print", forest=["1512"])
    result = fight(game, at(game, DRIVEN), *TWO, faces={"b1": "3", "b2": "1"})
    assert events(result, Fought)[1].result in ("AR", "BR", "DR")
    assert where(result.after, "s-8g") == "1512"


# 7.0-g: a limited unit alone is eliminated by any regular unit

CUT = {"0316": "s-13at", "1514": "g-mant"}
"""The 1-8 brigade, out of supply: 1 halved is 0."""


@pytest.mark.parametrize("stack", ["s-8art", "s-3at", "s-8art s-air1"])
def test_7_0_g_a_unit_without_strength_eliminates_limited_units_alone(stack):
    game = bare()
    state = at(game, {**CUT, "1513": stack})
    assert sum(outlook.find_strong_attacks(pos(game, state), "german")[0].odds.attack.values()) == 0
    result = fight(game, state, attack("1513", "g-mant"), faces={})
    assert events(result, Rolled) == []
    assert {event.unit for event in events(result, Removed)} == {*stack.split()}


@pytest.mark.parametrize("stack", ["s-8art s-61-1", "s-61-1", "s-air1"])
def test_7_0_g_against_anybody_else_it_needs_strength(stack):
    game = bare()
    state = at(game, {**CUT, "1513": stack})
    assert outlook.find_strong_attacks(pos(game, state), "german") == []
    assert "have no strength" in said(game, state, {"battles": [attack("1513", "g-mant")]})


# 9.0-d2: interdiction is a zone of control for a retreat


def test_9_0_d2_a_retreat_does_not_enter_an_interdicted_hex():
    """S-22, S-40: a friend in the interdicted hex changes nothing."""
    game = bare(edition="print", optional_rules="neither-played")
    places = {"1514": "g-gd", "1513": "s-1t", "2001": "s-air1"}
    free = at(game, places)
    there = game.board.labels[retreat.find_candidates(pos(game, free), "g-gd")[0]]
    for stands in (places, {**places, there: "g-110"}):
        barred = at(game, stands, interdiction={"s-air1": there})
        assert game.board.index[there] not in retreat.find_candidates(pos(game, barred), "g-gd")
    order = attack("1513", "g-gd")
    open_, shut = (
        fight(game, state, order, faces={"b1": AR})
        for state in (free, at(game, places, interdiction={"s-air1": there}))
    )
    assert where(open_.after, "g-gd") == there
    assert where(shut.after, "g-gd") != there


def test_9_0_d2_interdiction_elsewhere_changes_no_retreat():
    game = bare(edition="print")
    places, order = {"1514": "g-gd", "1513": "s-1t", "2001": "s-air1"}, attack("1513", "g-gd")
    ends = [
        where(fight(game, at(game, places, interdiction=skies), order, faces={"b1": AR}).after, "g-gd")
        for skies in ({}, {"s-air1": "1614"})
    ]
    assert ends[0] == ends[1] != "1514"
