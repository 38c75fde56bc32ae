"""8.0 Results of combat, 10.0 Kampfgruppen."""

from __future__ import annotations

from itertools import combinations

import pytest

from kursk_pbem.kernel.events import Fought, Moved, Noted, Placed, Removed
from kursk_pbem.rulesets.kursk_1971 import losses, retreat
from kursk_pbem.rulesets.kursk_1971.seen import headlines
from rulesets.kursk_1971.board import at, attack, bare, events, fight, points, pos, raid, where

EVEN = {"1514": "g-gd g-110", "1513": "s-1t s-5t"}  # 8 against 8
AX, AR, BR, DR = "0", "1", "3", "6"


def even(die, *, policy=None, game=None, places=None, order=None, **plan):
    """Resolve an attack at 1:1; in a forest the die may be as low as 0."""
    game = game or bare(edition="print")
    order = order or attack("1513", "g-gd g-110", **plan)
    return fight(game, at(game, places or EVEN), order, faces={order["id"]: die}, policy=policy)


def test_8_0_ax_all_that_attacked_and_nobody_else():
    game = bare(forest=["1513"], optional_rules="neither-played", edition="print")
    result = even("1", game=game, places={"1514": "g-gd g-110 g-296", "1513": "s-1t s-5t"})
    assert events(result, Fought)[0].result == "AX"
    assert where(result.after, "g-gd", "g-110", "g-296") == ["eliminated", "eliminated", "1514"]
    assert points(result.after) == (0, 3 * 6 + 2)


FORK = {"1512": "g-gd g-110", "1513": "g-296 g-134 g-211", "1511": "s-1t s-5t"}
"""Behind the attackers stands a full stack: 1412 and 1612 are equally near to supply."""


def test_8_0_ar_the_defender_moves_the_attackers():
    """S-13, S-14, S-40: the defender chooses hexes and order; units may separate."""
    order = attack("1511", "g-gd g-110", retreat=["toward 0101"])  # the attacker's wish has no effect here
    plain = even(AR, places=FORK, order=order)
    assert [(event.unit, event.path) for event in events(plain, Moved)] == [("g-110", ("1412",)), ("g-gd", ("1412",))]
    policy = {"retreat": ["g-gd toward 1812", "g-110 1412"]}
    picked = even(AR, places=FORK, order=order, policy=policy)
    assert [(event.unit, event.path) for event in events(picked, Moved)] == [("g-gd", ("1612",)), ("g-110", ("1412",))]


def test_8_0_ar_who_has_no_hex_is_destroyed():
    """S-14, S-27: without a Kampfgruppe. A full stack has no room."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-1t", "1515": "s-5t", "1413": "g-110 g-296 g-134"})
    assert retreat.find_candidates(pos(game, state), "g-gd") == ()
    result = fight(game, state, attack("1513", "g-gd"), faces={"b1": "1"})
    assert events(result, Fought)[0].result == "AR"
    gone = events(result, Removed)[0]
    assert (gone.unit, gone.why) == ("g-gd", "no hex to retreat to")
    assert where(result.after, "kg2-1") == "off-map"
    assert points(result.after) == (0, 18)


def test_8_0_ar_not_into_a_zone_of_control():
    """S-8, S-14: a friend in the hex does not cancel the zone."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-1t", "1615": "s-5t", "1515": "g-110", "1415": "g-134"})
    assert game.board.names(retreat.find_open_hexes(pos(game, state), "g-gd")) == ["1414"]


def test_8_0_ar_nearest_supply_may_be_further_than_before():
    """S-33: from the railway, distance 0, to the nearest open hex, distance 1."""
    game = bare()
    here = pos(game, at(game, {"1516": "g-gd", "1517": "s-1t"}))
    index = game.board.index
    assert game.board.names(retreat.find_open_hexes(here, "g-gd")) == ["1415", "1515", "1615"]
    assert [retreat.supply_distance(here, "g-gd", index[label]) for label in ("1415", "1515", "1615")] == [1, 2, 3]
    assert retreat.find_candidates(here, "g-gd") == (index["1415"],)


def test_8_0_ar_without_any_line_the_straight_way_to_the_edge():
    """S-33: without supply Germans go west, Soviets to the nearest of their edges."""
    game = bare()
    cut = {"0116": "s-13at", "1514": "g-gd", "1511": "s-1t"}
    state = at(game, cut)
    labels = game.board.labels
    assert {labels[hex_][:2] for hex_ in retreat.find_candidates(pos(game, state), "g-gd")} == {"14"}


def test_8_0_br_first_the_defenders_then_the_attackers():
    """S-13: the defending player moves both."""
    policy = {"retreat": ["s-5t 1612", "g-gd toward 1812", "toward 1112"]}
    result = even(BR, places=FORK, order=attack("1511", "g-gd g-110"), policy=policy)
    moved = [event.unit for event in events(result, Moved)]
    assert moved == ["s-5t", "s-1t", "g-gd", "g-110"]
    assert where(result.after, "g-gd", "g-110") == ["1612", "1412"]
    assert {event.rule for event in events(result, Moved)} == {"8.0-br"}


@pytest.mark.parametrize(
    ("policy", "there"),
    [
        ({"retreat": ["g-gd 1612"]}, "1612"),
        ({"hexes": {"1511": {"retreat": ["g-gd 1612"]}}, "retreat": ["g-gd 1412"]}, "1612"),
        ({"battles": {"b1": {"retreat": ["g-gd 1612"]}}, "hexes": {"1511": {"retreat": ["g-gd 1412"]}}}, "1612"),
        ({"battles": {"b1": {"retreat": []}}, "retreat": ["g-gd 1612"]}, "1412"),
    ],
)
def test_8_0_ar_which_answer_counts(policy, there):
    """S-58: first the answer for the attack, then for its hex, then for all; an empty list counts."""
    result = even(AR, places=FORK, order=attack("1511", "g-gd g-110"), policy=policy)
    assert where(result.after, "g-gd") == there


def test_8_0_dr_the_attacker_moves_the_defenders():
    """S-13: DR mirrors AR."""
    places = {"1512": "s-1t s-5t", "1513": "s-31t s-2t s-25t", "1511": "g-gd g-110"}
    order = attack("1512", "g-gd g-110", retreat=["s-5t toward 1812", "toward 1112"])
    result = even(DR, places=places, order=order, policy={"retreat": ["1612"]})
    assert events(result, Fought)[0].result == "DR"
    assert where(result.after, "s-1t", "s-5t") == ["1412", "1612"]
    assert {event.rule for event in events(result, Moved)} == {"8.0-dr"}


def test_8_0_dx_everybody_in_the_hex():
    game = bare()
    places = {"1514": "g-gd g-lah g-dr", "1613": "g-3pz g-2pz", "1513": "s-2gc s-13at s-air1", "2001": "s-1t"}
    order = attack("1513", "g-gd g-lah g-dr g-3pz g-2pz")
    result = fight(game, at(game, places), order, faces={"b1": "6"})
    assert [(each.column, each.result) for each in events(result, Fought)] == [("7:1", "DX")]
    assert where(result.after, "s-2gc", "s-13at", "s-air1") == ["eliminated"] * 3
    assert len(events(result, Removed)) == 3, "the attackers lose nobody"
    assert points(result.after) == (2 + 2, 0), "a base has no strength"


def exchange(die, losses_=(), game=None, attackers="g-gd g-110 g-296", defenders="s-1t"):
    game = game or bare(optional_rules="neither-played", edition="print")
    order = attack("1513", attackers, losses=list(losses_)) if losses_ else attack("1513", attackers)
    return fight(game, at(game, {"1514": attackers, "1513": defenders}), order, faces={"b1": die})


def test_8_0_ex_as_much_strength_as_the_defence():
    """S-15, S-16, S-47: 4 points are due; by default the smallest excess, then infantry."""
    result = exchange("6")  # 10 against 4, 2:1
    assert events(result, Fought)[0].result == "EX"
    assert where(result.after, "s-1t", "g-110", "g-296", "g-gd") == ["eliminated", "eliminated", "eliminated", "1514"]
    assert points(result.after) == (12, 4)


def test_8_0_ex_the_attacker_chooses():
    """S-16, S-47: payment from the front of a list; lists worth too little are ignored."""
    result = exchange("6", ["g-gd"])
    assert where(result.after, "g-gd", "g-110") == ["eliminated", "1514"]
    result = exchange("6", ["g-110"])
    assert where(result.after, "g-110", "g-296", "g-gd") == ["eliminated", "eliminated", "1514"]
    result = exchange("6", ["g-110", "g-gd", "g-296"])
    assert where(result.after, "g-110", "g-296", "g-gd") == ["eliminated", "1514", "eliminated"]


@pytest.mark.parametrize(
    ("counts", "due", "wishes", "paid"),
    [
        ({"g-gd": 6, "g-110": 2, "g-296": 2}, 4, (), ["g-110", "g-296"]),
        ({"g-gd": 6, "g-3pz": 5, "g-110": 2}, 5, (), ["g-3pz"]),
        ({"g-gd": 6, "g-lah": 6}, 4, (), ["g-gd"]),
        ({"g-110": 2, "g-134": 2, "g-18pz": 4}, 4, (), ["g-110", "g-134"]),
        ({"g-110": 2, "g-134": 2, "g-211": 2}, 3, (), ["g-110", "g-134"]),
        ({"g-gd": 6, "g-110": 0}, 9, (), ["g-110", "g-gd"]),
        ({"g-gd": 6, "g-110": 2}, 2, ("g-gd",), ["g-gd"]),
        ({"g-gd": 6, "g-110": 2}, 7, ("g-110",), ["g-110", "g-gd"]),
        ({"g-110": 2, "g-gd": 6}, 0, (), []),
    ],
)
def test_8_0_ex_who_pays(counts, due, wishes, paid):
    """S-15, S-16, S-47: attackers worth too little are all lost."""
    assert sorted(losses.choose_payment(bare(), counts, due, wishes)) == paid


def test_8_0_ex_is_the_cheapest_by_trying_all():
    """S-47: compared with every subset."""
    game = bare()
    units = ["g-110", "g-134", "g-18pz", "g-211", "g-3pz", "g-505", "g-gd", "g-mant"]
    for number in range(2, 9):
        counts = {uid: game.counters[uid].attack for uid in units[:number]}
        for due in range(1, sum(counts.values()) + 1):
            ways = [
                way
                for size in range(1, number + 1)
                for way in combinations(sorted(counts), size)
                if sum(counts[uid] for uid in way) >= due
            ]
            best = min(
                ways,
                key=lambda way: (
                    sum(counts[uid] for uid in way),
                    sum(game.counters[uid].motorized for uid in way),
                    way,
                ),
            )
            assert tuple(losses.choose_payment(game, counts, due, ())) == best


def test_8_0_half_ex_half_rounded_up():
    """S-15: 5 points of defense cost 3."""
    game = bare(optional_rules="neither-played", edition="print")
    state = at(game, {"1514": "g-gd g-lah g-dr g-505", "1413": "g-110 g-296", "1513": "s-5gm", "2001": "s-1t"})
    result = fight(game, state, attack("1513", "g-gd g-lah g-dr g-505 g-110 g-296"), faces={"b1": "6"})
    assert events(result, Fought)[0].result == "HX"
    gone = {each.unit for each in events(result, Removed)}
    assert gone == {"s-5gm", "g-110", "g-296"}


def test_8_0_advance_into_a_hex_that_was_left():
    """S-17: remaining units advance as ordered, up to the stacking limit."""
    result = even(DR, places={"1514": "g-gd g-110 g-296", "1513": "s-1t s-5t"}, advance=["g-gd"])
    assert where(result.after, "g-gd", "g-110", "g-296") == ["1513", "1514", "1514"]
    assert where(even(DR).after, "g-gd") == "1514"
    both = even(DR, advance=["g-110", "g-gd"])
    assert where(both.after, "g-gd", "g-110") == ["1513", "1513"]


def test_8_0_advance_of_nobody_where_the_plan_names_only_who_paid():
    """Bug: the report denied that other attackers were adjacent."""
    places = {"1514": "g-gd g-110 g-296", "1513": "s-24"}
    result = even("5", places=places, order=attack("1513", "g-gd g-110 g-296", losses=["g-110"], advance=["g-110"]))
    assert where(result.after, "g-110", "g-gd", "s-24") == ["eliminated", "1514", "eliminated"]
    said = "no unit advances into 1513: no unit of the plan is still adjacent"
    assert said in [event.text for event in events(result, Noted)]


def test_8_0_advance_as_many_as_fit():
    """S-17: in the order of the plan."""
    places = {"1514": "g-gd g-lah", "1413": "g-dr g-t", "1513": "s-1t s-5t s-31t s-13at"}
    wishes = ["g-t", "g-lah", "g-gd", "g-dr"]
    result = even(DR, places=places, order=attack("1513", "g-gd g-lah g-dr g-t", advance=wishes))
    assert where(result.after, *wishes) == ["1513", "1513", "1513", "1413"]


def test_8_0_advance_of_the_defence_after_ar_and_ax():
    """S-17: into hexes of the attackers only; units that retreat do not advance."""
    policy = {"advance": ["s-1t 1514", "s-5t"]}
    result = even(AR, policy=policy)
    assert where(result.after, "s-1t", "s-5t") == ["1514", "1514"]
    stays = even(AR, policy=policy, places={"1514": "g-gd g-110 g-296", "1513": "s-1t s-5t"})
    assert where(stays.after, "s-1t") == "1513", "296th Infantry has not attacked, and holds the hex"
    game = bare(forest=["1513"], optional_rules="neither-played", edition="print")
    assert where(even("1", game=game, policy=policy).after, "s-1t", "s-5t") == ["1514", "1514"], "after AX"
    assert where(even(BR, policy=policy, advance=["g-gd"]).after, "g-gd") != "1513"


def test_8_0_advance_not_into_an_enemy_line_but_into_a_fortified_city():
    """S-44, S-31: own lines may be entered; ground elements never advance."""
    places = {"1514": "g-gd g-110", "1513": "s-1t s-5t", "1413": "g-lah g-dr"}
    order = attack("1513", "g-gd g-110 g-lah g-dr", advance=["g-gd"])
    for kind, there in (
        ({"lines": [("soviet", ["1513"])]}, "1514"),
        ({"cities": [("soviet", "1513")]}, "1513"),
        ({"lines": [("german", ["1513"])]}, "1513"),
    ):
        game = bare(edition="print", **kind)
        found = even("6", game=game, places=places, order=order)
        assert events(found, Fought)[0].result in ("DR", "EX")
        assert where(found.after, "g-gd") == there


def test_8_0_advance_never_by_a_ground_element():
    policy = {"advance": ["s-air1 1514", "s-1t 1514"]}
    result = even(AR, policy=policy, places={"1514": "g-gd g-110", "1513": "s-1t s-5t s-air1"})
    assert where(result.after, "s-air1", "s-1t") == ["1513", "1514"]


# Kampfgruppen


def destroyed(game, die="6", places=None, order=None, policy=None, **marks):
    """Destroy a German division with about 12 points against 5."""
    places = places or {"1513": "g-3pz", "1514": "s-4gt s-5gm", "1613": "s-1t s-5t s-31t", "2016": "s-25t"}
    order = order or attack("1513", "s-4gt s-5gm s-1t s-5t s-31t")
    state = at(game, places, side="soviet", **marks)
    return fight(game, state, order, faces={"b1": die}, policy=policy)


def test_10_0_divisions_that_are_destroyed_fight_on():
    """S-27, S-55: always in the digital edition, by option in the print edition."""
    for options, lives in (
        ({}, True),
        ({"edition": "print"}, True),
        ({"edition": "print", "optional_rules": "neither-played"}, False),
    ):
        result = destroyed(bare(**options))
        assert where(result.after, "g-3pz") == "eliminated"
        assert (where(result.after, "kg1-5") in bare().board.index) is lives


def test_10_0_a_it_retreats_and_is_replaced():
    """S-27, S-39: the attackers move the division after the payment."""
    game = bare()
    result = destroyed(game)
    assert events(result, Fought)[0].result == "HX"
    kinds = [type(event).__name__ for event in result.events if isinstance(event, (Moved, Removed, Placed))]
    assert kinds[:4] == ["Removed", "Moved", "Removed", "Placed"]
    assert events(result, Moved)[0].rule == "10.0-a"


def test_10_0_a_only_in_supply():
    """S-27: a division out of supply is lost at its whole value."""
    result = destroyed(
        bare(),
        places={"1513": "g-3pz", "1514": "s-4gt s-5gm", "1613": "s-1t s-5t s-31t", "0116": "s-13at", "2016": "s-25t"},
    )
    assert where(result.after, "g-3pz", "kg1-5") == ["eliminated", "off-map"]
    assert points(result.after)[1] == 15


def test_10_0_a_without_a_hex_to_go_to_none():
    """S-39: eliminated at its whole value."""
    places = {
        "1513": "g-3pz",
        "1514": "s-4gt s-5gm",
        "1512": "s-1t s-5t s-31t",
        "1412": "g-110 g-296 g-134",
        "1413": "g-653",
        "2016": "s-25t",
    }
    order = attack("1513", "s-4gt s-5gm s-1t s-5t s-31t")
    result = destroyed(bare(), places=places, order=order)
    lost = next(event for event in events(result, Removed) if event.unit == "g-3pz")
    assert lost.why.endswith("no hex for a Kampfgruppe")
    assert where(result.after, "g-3pz", "kg1-5") == ["eliminated", "off-map"]
    assert points(result.after)[1] == 15


def test_10_0_a_whoever_moves_them_picks_their_order():
    """S-39, S-40: after AX the defender moves; by default by id."""
    game = bare(forest=["1513"], edition="print")
    places, order = {**EVEN, "1514": "g-gd g-3pz"}, attack("1513", "g-gd g-3pz")
    for policy, first in ((None, ["g-3pz", "g-gd"]), ({"retreat": ["g-gd toward 0101"]}, ["g-gd", "g-3pz"])):
        result = even("1", game=game, places=places, order=order, policy=policy)
        assert events(result, Fought)[0].result == "AX"
        assert [each.unit for each in events(result, Moved)] == first


@pytest.mark.parametrize(("unit", "group"), [("g-gd", "kg2-1"), ("g-3pz", "kg1-5"), ("g-18pz", "kg1-5")])
def test_10_0_b_which_counter(unit, group):
    """S-39, S-52: the first free Kampfgruppe of the kind."""
    game = bare()
    state = at(game, {"1513": unit})
    assert losses.find_kampfgruppe(game, state, unit) == group
    used = at(game, {"1513": unit, "1510": group})
    assert losses.find_kampfgruppe(game, used, unit) == group[:4] + str(int(group[4:]) + 1)


@pytest.mark.parametrize("unit", ["g-110", "g-mant", "g-505", "g-10br", "kg2-1", "s-1t", "g-air1"])
def test_10_0_b_only_for_these_divisions(unit):
    game = bare()
    assert losses.find_kampfgruppe(game, at(game, {"1513": unit}), unit) == ""


def test_10_0_b_none_is_left():
    """S-39: a destroyed Kampfgruppe does not return."""
    game = bare()
    dead = at(game, {"1513": "g-gd"})
    units = {uid: type(unit)("eliminated", 0) if uid.startswith("kg2") else unit for uid, unit in dead.units.items()}
    assert losses.find_kampfgruppe(game, dead.with_(units=units), "g-gd") == ""


def test_10_0_c_three_times_the_difference_and_five_times_for_the_rest():
    """S-27: numbers of the text: 6-8 minus 2-8 is 4, times 3; a destroyed 2-8 is 10, a destroyed 1-8 is 5."""
    game = bare()
    result = destroyed(game, places={"1513": "g-gd", "1514": "s-4gt s-5gm", "1613": "s-1t s-5t s-31t", "2016": "s-25t"})
    assert points(result.after)[1] == 12
    assert [losses.count_points(game, uid) for uid in ("kg2-1", "kg1-5", "g-gd", "g-110", "s-1t")] == [10, 5, 18, 2, 12]


def test_10_0_a_the_whole_strength_is_paid_in_an_exchange():
    """S-27: Grossdeutschland pays 6 points and still leaves a Kampfgruppe."""
    game = bare()
    state = at(game, {"1514": "g-gd g-lah", "1513": "s-1t s-2gc"})
    result = fight(game, state, attack("1513", "g-gd g-lah", losses=["g-gd"]), faces={"b1": "6"})
    assert events(result, Fought)[0].result == "EX"
    assert where(result.after, "g-gd", "g-lah") == ["eliminated", "1514"]
    assert where(result.after, "kg2-1") not in ("off-map", "1514")
    assert points(result.after)[1] == 12


def test_9_0_d4_an_attack_below_the_table_is_told_without_saying_that_it_became_so():
    """Bug: 'had become impossible' was reported of raids impossible from the start."""
    patrols = {"s-air1": "1520", "s-air2": "1520"}
    state = at(bare(), {"1510": "g-air1", "1520": "s-air1 s-air2"}, patrol=patrols)
    result = fight(bare(), state, raids=[raid("s-air1", "g-air1")], faces={})
    (text,) = headlines.tell_story(bare(), state, result.events, result.after)
    assert text.endswith("after all, for the order had become impossible.")
