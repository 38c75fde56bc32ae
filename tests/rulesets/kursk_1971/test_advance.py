"""8.0-advance by adjacent units after every result; 7.0-c, 7.0-g and 9.0-d2 in combat."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Removed, Rolled
from kursk_pbem.kernel.hexes.useless import SAME
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.seen import choices, outlook, unused
from rulesets.kursk_1971.board import asking, at, attack, bare, events, fight, legal, ordered, play, pos, said

BESIDE = {"1514": "g-gd g-110", "1513": "s-1t s-5t", "1413": "g-296", "1613": "s-31t"}
"""8 against 8; 1413 is beside the attacked hex, 1613 beside that of the attackers; neither takes part."""


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
