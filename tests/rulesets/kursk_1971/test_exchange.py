"""8.0-ex, 8.0-half-ex, 10.0-a: units on the map, and the mover, during a Kampfgruppe's retreat from an exchange."""

from __future__ import annotations

from kursk_pbem.kernel.events import Fought, Moved, Placed, Removed
from kursk_pbem.kernel.state import ELIMINATED, Unit
from kursk_pbem.rulesets.kursk_1971 import RULESET
from rulesets.kursk_1971.board import at, attack, bare, events, fight, legal, points

RING = {"1013": "s-10t", "0915": "s-12t", "1115": "s-15t", "1014": "g-25pg", "1015": "g-31", "0916": "g-7"}
"""A 4-8 with three tank corps of 4-6 around it: every hex beside it is theirs or in a zone of control of theirs."""
THREE = "s-10t s-12t s-15t"
EX, HX = "5", "5"
"""Dice of an exchange at 3:1, and of half of one at 4:1."""


def exchange(places=RING, attackers=THREE, die=EX, *, hex_="1014", policy=None, game=None, side="soviet", **plan):
    state = at(game or bare(), places, side=side)
    return fight(game or bare(), state, attack(hex_, attackers, **plan), faces={"b1": die}, policy=policy)


def told(result):
    return events(result, Fought)[0].result


def groups(result):
    """Return the hexes of new Kampfgruppen, in order."""
    return [(event.unit, event.place) for event in events(result, Placed)]


def gone(result):
    """Return the removed units in order; replaced divisions count as removed at their replacement."""
    return [event.unit for event in events(result, Removed)]


def test_8_0_ex_a_hex_is_filled_by_who_did_not_attack():
    """S-39: a corps that did not attack stays in 1013 and bars the retreat."""
    result = exchange({**RING, "1013": "s-10t s-5t"}, losses=["s-10t"])
    assert groups(result) == []
    assert events(result, Removed)[-1].why == "defenders destroyed; no hex for a Kampfgruppe"
    assert points(result.after) == (12, 12)


def test_8_0_ex_with_one_counter_the_first_division_takes_it():
    """S-39, S-40: the mover chooses the first division; the other scores its whole value."""
    game = bare()
    places = {**RING, "1013": "s-10t s-5t", "0915": "s-12t s-1t", "1115": "s-15t s-2t", "1014": "g-25pg g-5pz"}
    state = at(game, places, side="soviet")
    few = {
        uid: Unit(ELIMINATED, 0) if uid.startswith("kg1") and uid != "kg1-9" else unit
        for uid, unit in state.units.items()
    }
    order = attack("1014", "s-10t s-5t s-12t s-1t s-15t s-2t", losses=["s-10t", "s-5t"], retreat=["g-5pz toward 0101"])
    result = fight(game, state.with_(units=few), order, faces={"b1": EX})
    assert gone(result) == ["s-10t", "s-5t", "g-5pz", "g-25pg"]
    assert groups(result) == [("kg1-9", "1013")]
    assert events(result, Removed)[-1].why == "defenders destroyed; no Kampfgruppe is left"
    assert points(result.after) == (24, 9 + 12)


# German attackers pay


# Units on the map after other results


def test_8_0_br_the_attackers_still_stand_while_the_defenders_retreat():
    """S-13, S-40: attackers block hexes during the retreat of the defenders."""
    places = {"1513": "s-1t s-5t", "1514": "g-gd", "1412": "g-lah", "1612": "g-dr"}
    result = exchange(places, "g-gd g-lah g-dr", "2", hex_="1513", side="german")  # halved: 18 against 4
    assert told(result) == "BR"
    assert [(event.unit, event.why) for event in events(result, Removed)] == [
        ("s-1t", "no hex to retreat to"),
        ("s-5t", "no hex to retreat to"),
    ]
    assert [event.unit for event in events(result, Moved)] == ["g-dr", "g-gd", "g-lah"]


# Odds


def waiting(game, places, order):
    """Return a position with a Soviet attack waiting for dice."""
    return legal(game, legal(game, at(game, places, side="soviet"), {"battles": [order]}), seq=3)


def test_8_0_ex_the_odds_are_those_of_the_real_resolution():
    """S-39: each predicted outcome equals the resolution."""
    game, order = bare(), attack("1014", THREE, losses=["s-10t"])
    found = RULESET.seen.odds(game, waiting(game, RING, order), {})[0]
    text = next(one.text for one in found.outcomes if one.result == "EX")
    assert text == ("s-10t is eliminated", "g-25pg retreats to 1013", "g-25pg is eliminated", "kg1-5 is formed in 1013")
    for one in found.outcomes:
        for faces in one.faces:
            result = exchange(die=faces, losses=["s-10t"])
            assert told(result) == one.result
            assert str(points(result.after)[1]) == one.figures["attacker-points"]
