"""8.0-ex, 8.0-half-ex, 10.0-a: units on the map, and the mover, during a Kampfgruppe's retreat from an exchange."""

from __future__ import annotations

from random import Random

import pytest

from kursk_pbem.kernel.events import Fought, Moved, Placed, Removed
from kursk_pbem.kernel.state import ELIMINATED, Unit
from kursk_pbem.rulesets.kursk_1971 import RULESET, retreat
from rulesets.kursk_1971.board import at, attack, bare, events, fight, legal, points, pos, where

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


def half(**more):
    places = {**RING, "0915": "s-12t s-5t"}
    return exchange(places, f"{THREE} s-5t", HX, **more)


def stack(defenders="g-25pg g-5pz", die=EX, **more):
    """Place two divisions against 24 points, so that two corps pay, or infantry as well."""
    places = {**RING, "1013": "s-10t s-5t", "0915": "s-12t s-1t", "1115": "s-15t s-2t", "1014": defenders}
    return exchange(places, "s-10t s-5t s-12t s-1t s-15t s-2t", die, **more)


@pytest.mark.parametrize("plan", [{"losses": ["s-10t"]}, {}], ids=["by list", "by default"])
def test_8_0_ex_who_pays_has_left_when_a_kampfgruppe_retreats(plan):
    """S-39: removals of both sides come before retreats, so 1013 is free for the division."""
    result = exchange(**plan)
    assert told(result) == "EX"
    assert gone(result) == ["s-10t", "g-25pg"]
    assert groups(result) == [("kg1-5", "1013")]
    assert points(result.after) == (12, 9)


@pytest.mark.parametrize("plan", [{"losses": ["s-10t"]}, {}], ids=["by list", "by default"])
def test_8_0_half_ex_who_pays_has_left_when_a_kampfgruppe_retreats(plan):
    """S-39, S-15: half the price, otherwise like an exchange."""
    result = half(**plan)
    assert told(result) == "HX"
    assert gone(result) == ["s-10t", "g-25pg"]
    assert groups(result) == [("kg1-5", "1013")]
    assert points(result.after) == (12, 9)


@pytest.mark.parametrize(("payer", "there"), [("s-10t", "1013"), ("s-12t", "0915"), ("s-15t", "1115")])
def test_8_0_ex_the_attackers_list_opens_the_way(payer, there):
    """S-39, S-47: the paying units decide the empty hex; other attackers still control hexes."""
    assert groups(exchange(losses=[payer])) == [("kg1-5", there)]


def test_8_0_ex_more_than_needed_may_be_given_up_and_opens_nothing_more():
    """S-47: units after the payment stay and fill their hex."""
    result = exchange(losses=["s-12t", "s-10t"])
    assert where(result.after, "s-12t", "s-10t") == ["eliminated", "1013"]
    assert groups(result) == [("kg1-5", "0915")]


def test_8_0_ex_a_zone_of_control_goes_with_who_pays():
    """S-39: an artillery corps without a zone stays; the adjacent hex 0914 is free."""
    places = {
        "1013": "s-10t s-8art",
        "1114": "s-12t s-15t",
        "1014": "g-25pg",
        "0915": "g-31 g-7 g-110",
        "1015": "g-134 g-211 g-296",
    }
    result = exchange(places, losses=["s-10t"])
    assert told(result) == "EX"
    assert groups(result) == [("kg1-5", "0914")]
    assert where(result.after, "s-8art") == "1013"


def test_8_0_ex_a_hex_is_filled_by_who_did_not_attack():
    """S-39: a corps that did not attack stays in 1013 and bars the retreat."""
    result = exchange({**RING, "1013": "s-10t s-5t"}, losses=["s-10t"])
    assert groups(result) == []
    assert events(result, Removed)[-1].why == "defenders destroyed; no hex for a Kampfgruppe"
    assert points(result.after) == (12, 12)


def test_8_0_ex_of_a_stack_the_plain_go_first_then_one_division_after_the_other():
    """S-39, S-40: plain defenders, payers, then divisions in the mover's order, otherwise by id."""
    paid = ["s-10t", "s-5t", "s-12t"]
    result = stack("g-25pg g-5pz g-26", "6", losses=paid)
    assert told(result) == "EX"
    assert gone(result) == ["g-26", "s-10t", "s-12t", "s-5t", "g-25pg", "g-5pz"]
    assert groups(result) == [("kg1-5", "1013"), ("kg1-6", "1013")]
    assert points(result.after) == (36, 2 + 9 + 9)
    wished = stack("g-25pg g-5pz g-26", "6", losses=paid, retreat=["g-5pz toward 0101"])
    assert gone(wished)[-2:] == ["g-5pz", "g-25pg"]


def test_8_0_ex_several_divisions_each_find_the_room_that_is_left():
    """S-39, S-40: 0915 has room for one division; the payment decides whether 1115 is open."""
    places = {
        "1013": "s-10t s-5t s-12t",
        "1114": "s-2t",
        "1014": "g-25pg g-5pz",
        "0915": "g-31 g-7 g-653",
        "1015": "g-110 g-296 g-134",
    }
    every = "s-10t s-5t s-12t s-2t"
    assert groups(exchange(places, every, "6", losses=["s-2t", "s-10t"])) == [("kg1-5", "0915"), ("kg1-6", "1115")]
    result = exchange(places, every, "6", losses=["s-10t", "s-5t"])
    assert told(result) == "EX"
    assert groups(result) == [("kg1-5", "0915")]
    assert points(result.after) == (24, 9 + 12)


LOOSE = {"1013": "s-10t s-5t s-12t", "1014": "g-25pg", "1015": "g-31 g-7 g-110"}
"""West and east of the division, 0915 and 1115 are equally near to supply, and 1015 is full."""


@pytest.mark.parametrize(
    ("plan", "policy", "there"),
    [({}, {}, "0915"), ({"retreat": ["g-25pg 1115"]}, {}, "1115"), ({}, {"retreat": ["g-25pg 1115"]}, "0915")],
    ids=["nobody", "attacker", "defender"],
)
def test_8_0_ex_the_attacker_moves_the_kampfgruppen_of_the_defence(plan, policy, there):
    """S-13, S-39: the defender's wishes move no Kampfgruppe of the defense."""
    result = exchange(LOOSE, "s-10t s-5t s-12t", losses=["s-10t"], policy=policy, **plan)
    assert told(result) == "EX"
    assert groups(result) == [("kg1-5", there)]


def test_8_0_ex_out_of_supply_there_is_no_kampfgruppe():
    """S-27: supply at the time of the attack decides."""
    result = exchange({**RING, "0116": "s-13at"}, "s-12t s-15t", "6", losses=["s-12t"])  # 8 against 4, halved: 4:1
    assert told(result) == "HX"
    assert gone(result) == ["g-25pg", "s-12t"]
    assert points(result.after) == (12, 12)


def test_8_0_ex_without_a_counter_there_is_no_kampfgruppe():
    """S-39: destroyed Kampfgruppen do not return; the division is removed before the payment."""
    game = bare()
    state = at(game, RING, side="soviet")
    dead = {uid: Unit(ELIMINATED, 0) if uid.startswith("kg1") else unit for uid, unit in state.units.items()}
    order = attack("1014", THREE, losses=["s-10t"])
    result = fight(game, state.with_(units=dead), order, faces={"b1": EX})
    assert gone(result) == ["g-25pg", "s-10t"]
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


@pytest.mark.parametrize(
    ("options", "formed", "soviet"),
    [
        ({}, ["1013"], 9),
        ({"edition": "print"}, ["1013"], 9),
        ({"edition": "print", "optional_rules": "both-played"}, ["1013"], 9),
        ({"edition": "print", "optional_rules": "neither-played"}, [], 12),
    ],
)
def test_8_0_ex_under_each_option(options, formed, soviet):
    """S-27, S-55: with Kampfgruppen, and in the print edition without."""
    result = exchange(game=bare(**options), losses=["s-10t"])
    assert told(result) == "EX"
    assert [place for _kg, place in groups(result)] == formed
    assert points(result.after) == (12, soviet)


def test_8_0_ex_nobody_advances_before_all_is_paid_and_retreated():
    """8.0-advance, S-17: paying units advance nowhere; Kampfgruppen do not return to the hex."""
    result = exchange(losses=["s-10t"], advance=["s-10t", "s-12t"])
    assert where(result.after, "s-10t", "s-12t", "kg1-5") == ["eliminated", "1014", "1013"]
    assert [type(event) for event in result.events if isinstance(event, (Moved, Placed))] == [Moved, Placed, Moved]


# German attackers pay


ATTACK = {"1513": "s-1t s-2gc", "1514": "g-gd g-lah", "1413": "g-110", "1613": "g-134"}
"""10 or more against 6, so that the attacker pays 6."""


@pytest.mark.parametrize(
    ("wishes", "policy", "there"),
    [({}, {}, "1515"), ({"retreat": ["g-gd 1614"]}, {}, "1515"), ({}, {"retreat": ["g-gd 1415"]}, "1515")],
)
def test_8_0_ex_the_kampfgruppen_of_the_attack_are_moved_by_the_defender(wishes, policy, there):
    result = exchange(ATTACK, "g-gd g-lah", "6", hex_="1513", side="german", policy=policy, losses=["g-gd"], **wishes)
    assert told(result) == "EX"
    assert gone(result) == ["s-1t", "s-2gc", "g-gd"]
    assert groups(result) == [("kg2-1", there)]


def test_8_0_ex_the_defenders_have_left_when_kampfgruppen_of_the_attack_retreat():
    """S-39: after the defenders leave, 1412 is the only open hex."""
    places = {
        "1513": "s-1t s-2gc",
        "1612": "s-5t",
        "1413": "g-gd g-lah",
        "1514": "g-110 g-134 g-296",
        "1313": "g-31 g-7 g-26",
        "1314": "g-292 g-293 g-208",
        "1414": "g-112 g-211 g-255",
    }
    result = exchange(places, "g-gd g-lah", "6", hex_="1513", side="german", losses=["g-gd"])
    assert told(result) == "EX"
    assert groups(result) == [("kg2-1", "1412")]


def test_8_0_half_ex_of_the_attack_the_plain_go_first():
    """S-39, S-40: defenders, plain payers, then divisions in the defender's order."""
    places = {"1513": "s-5gm s-1t", "1514": "g-gd g-lah g-110", "1413": "g-dr g-3pz g-134", "1613": "g-t g-11pz"}
    who, paid = "g-gd g-lah g-110 g-dr g-3pz g-134 g-t g-11pz", ["g-11pz", "g-110"]
    result = exchange(places, who, "5", hex_="1513", side="german", losses=paid)
    assert told(result) == "HX"
    assert gone(result) == ["s-1t", "s-5gm", "g-11pz"]
    both = exchange(places, who, "5", hex_="1513", side="german", losses=["g-110", "g-3pz"])
    assert gone(both) == ["s-1t", "s-5gm", "g-110", "g-3pz"]
    assert groups(both) == [("kg1-5", groups(both)[0][1])]


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


def test_8_0_ax_plain_attackers_have_left_when_a_kampfgruppe_retreats():
    """S-39: three infantry divisions filled the wood, the only hex without zones."""
    places = {
        "1513": "s-4gt s-5gm s-1t",
        "1514": "g-gd",
        "1413": "g-110 g-134 g-211",
        "1414": "g-31 g-7 g-26",
        "1515": "g-292 g-293 g-208",
        "1614": "g-112 g-255 g-296",
    }
    game = bare(forest=["1413"], edition="print")
    result = exchange(places, "g-gd g-110 g-134 g-211", "1", hex_="1513", side="german", game=game)
    assert told(result) == "AX"
    assert gone(result) == ["g-110", "g-134", "g-211", "g-gd"]
    assert groups(result) == [("kg2-1", "1413")]


def test_8_0_dx_the_attackers_stand_and_control_when_a_kampfgruppe_retreats():
    """S-39: without a payment no adjacent hex is open."""
    result = exchange(
        {**RING, "1013": "s-10t s-5t s-1t", "0915": "s-12t s-2t s-31t", "1115": "s-15t s-3t s-6t"},
        "s-10t s-5t s-1t s-12t s-2t s-31t s-15t s-3t s-6t",
        "4",
    )
    assert told(result) == "DX"
    assert gone(result) == ["g-25pg"]
    assert points(result.after) == (0, 12)


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


def scattered(rng, game):
    """Place a division, random Soviets near and far, and an attack with a list of losses."""
    board = game.board
    near = board.names(board.near[board.index["1514"]])
    places = {"1514": rng.choice(["g-25pg", "g-25pg g-26", "g-gd", "g-3pz g-26"])}
    tanks = rng.sample(sorted(uid for uid, counter in game.counters.items() if counter.type == "tank"), 16)
    beside = rng.sample(near, 5)
    for label in beside[:4]:
        places[label] = " ".join(tanks.pop() for _ in range(rng.choice([1, 1, 2])))
    for label in rng.sample(["1412", "1415", "1512", "1516", "1612", "1615", "1315", "1713"], 3):
        places[label] = tanks.pop()
    places[beside[4]] = "g-31"
    who = [uid for label in beside[:4] for uid in places[label].split()]
    return places, attack("1514", " ".join(who), losses=rng.sample(who, len(who)))


def test_8_0_ex_in_many_positions_as_if_both_sides_had_been_lifted_from_the_map():
    """S-39: Kampfgruppen retreat as if the removed units had never been on the map."""
    game, met, elsewhere = bare(), 0, 0
    for seed in range(160):
        places, order = scattered(Random(seed), game)
        state = at(game, places, side="soviet")
        result = fight(game, state, order, faces={"b1": "5"})
        division, *others = places["1514"].split()
        if told(result) not in ("EX", "HX") or not pos(game, state).is_supplied(division):
            continue
        paid = [uid for uid in order["attackers"] if where(result.after, uid) == ELIMINATED]
        units = {**state.units, **dict.fromkeys((*paid, *others), Unit(ELIMINATED, 0))}
        there = retreat.choose_hex(pos(game, state.with_(units=units)), division, ())
        assert [game.board.index[place] for _kg, place in groups(result)] == ([] if there is None else [there])
        before = state.with_(units={**state.units, **dict.fromkeys(others, Unit(ELIMINATED, 0))})
        changed = there != retreat.choose_hex(pos(game, before), division, ())
        met, elsewhere = met + 1, elsewhere + changed
    assert met > 35
    assert elsewhere > 5
