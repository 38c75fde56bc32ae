"""7.0 Combat: attackers, strengths, limited units, odds, the die."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Fought, Noted, Removed, Rolled
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from kursk_pbem.rulesets.kursk_1971.seen import exact_odds
from rulesets.kursk_1971.board import at, attack, bare, events, fight, legal, points, pos, raid, refused, said, where

# 1514 lies beside 1513, 1515, 1613, 1614, 1413 and 1414.
FRONT = {"1514": "g-gd g-110", "1513": "s-61-1 s-61-2"}


def told(game, state, *battles, faces, **more):
    return events(fight(game, state, *battles, faces=faces, **more), Fought)


def odds(game, places, hex_, attackers, *, support=""):
    state = at(game, places)
    return assess(pos(game, state), Battle("b1", game.board.index[hex_], tuple(attackers.split()), support))


def test_7_0_as_the_player_likes():
    """S-59: the message with the attacks seals their plans and nothing else."""
    game = bare()
    state = at(game, FRONT)
    assert legal(game, state).stage == "soviet-orders"
    plans = {"plans/2": {"b1": {"advance": ["g-gd"]}}}
    assert legal(game, state, {"battles": [attack("1513", "g-gd")]}, sealed=plans).stage == "german-answer"
    assert refused(game, state, sealed=plans) == ["7.0"]
    assert refused(game, state, {"battles": [attack("1513", "g-gd")]}, sealed={"plan/2": {}}) == ["7.0"]
    wrong = {"plans/2": {"b1": {"advance": ["s-1t"], "losses": ["g-gd", "g-gd"], "retreat": ["nowhere at all"]}}}
    assert refused(game, state, {"battles": [attack("1513", "g-gd")]}, sealed=wrong) == ["7.0"] * 3


def test_7_0_two_attacks_of_one_id():
    game = bare()
    state = at(game, {**FRONT, "1614": "s-8g"})
    twins = [attack("1513", "g-gd"), attack("1614", "g-110")]
    assert refused(game, state, {"battles": twins}) == ["7.0"]


def test_7_0_procedure_strengths_added_and_compared():
    """S-5: 8 against 4 is 2:1; dice beyond the table count as its end."""
    game = bare()
    (fought,) = told(game, at(game, FRONT), attack("1513", "g-gd g-110"), faces={"b1": "6"})
    assert (fought.attack.total, fought.defence.total, fought.column, fought.result) == ("8", "4", "2:1", "EX")
    state = at(game, {**FRONT, "1510": "g-air1"})
    (fought,) = told(game, state, attack("1513", "g-gd g-110", support="g-air1"), faces={"b1": "6"})
    assert (fought.die, fought.result) == ("8", "EX"), "8 is read as 6"


def test_7_0_procedure_nothing_attacks_with_nothing():
    """S-3: strength 1 halved is 0; the attack is refused, or skipped at its die."""
    game = bare()
    state = at(game, {"1514": "g-mant", "1513": "s-61-1", "0316": "s-13at"})
    assert refused(game, state, {"battles": [attack("1513", "g-mant")]}) == ["7.0-procedure"]


def test_7_0_a_only_units_beside_the_hex():
    """S-11: attacks are on all units of one hex."""
    game = bare()
    state = at(game, {**FRONT, "1512": "g-t", "1517": "g-lah"})
    assert refused(game, state, {"battles": [attack("1513", "g-gd g-lah")]}) == ["7.0-a"]
    assert refused(game, state, {"battles": [attack("1515", "g-gd")]}) == ["7.0-a"]
    assert refused(game, state, {"battles": [attack("9999", "g-gd")]}) == ["7.0-a"]
    assert refused(game, state, {"battles": [attack("1513", "")]}) == ["7.0-a"]
    assert refused(game, state, {"battles": [attack("1513", "s-61-1")]}) == ["7.0-a"]
    (fought,) = told(game, state, attack("1513", "g-gd g-t"), faces={"b1": "1"})
    assert fought.defence.units == ("s-61-1", "s-61-2")


def test_7_0_a_an_attack_that_has_become_impossible_is_skipped():
    """S-12: no die falls after the base is destroyed from the air."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-air1", "1510": "g-air1 g-air2"})
    result = fight(
        game, state, attack("1513", "g-gd"), raids=[raid("s-air1", "g-air1 g-air2")], faces={"r1": "6", "b1": "6"}
    )
    assert [each.label for each in events(result, Rolled)] == ["r1/air"]
    assert any("no enemy is left" in each.text for each in events(result, Noted))


def test_7_0_b_nobody_must_attack():
    game = bare()
    (fought,) = told(game, at(game, FRONT), attack("1513", "g-110"), faces={"b1": "1"})
    assert fought.attack.units == ("g-110",)


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


def test_7_0_c_a_unit_attacked_before_adds_nothing_and_is_left_alone():
    """S-38: the first attack drives the unit into a hex attacked later."""
    game = bare(edition="print", forest=["1512"])
    result = fight(game, at(game, {**DRIVEN, "1512": "s-16g"}), *TWO, faces={"b1": "3", "b2": "6"})
    first, second = events(result, Fought)
    assert (first.column, first.result) == ("4:1", "DR")
    assert [(row.unit, row.counts) for row in second.defence.rows] == [("s-16g", "3"), ("s-8g", "0")]
    assert second.defence.rows[1].changes == ("attacked before",)
    assert (second.column, second.die, second.result) == ("5:1", "5", "HX")
    assert where(result.after, "s-8g", "s-16g") == ["1512", "eliminated"]
    assert sum(each.unit in TWO[1]["attackers"] for each in events(result, Removed)) == 1, "half of 3 is paid"


def test_7_0_c_where_only_the_attacked_are_left_the_attack_is_skipped():
    """S-12, S-38: the base in the hex is gone, and the remaining unit was attacked before."""
    game = bare(edition="print", forest=["1512"])
    state = at(game, {**DRIVEN, "1512": "s-air1", "1510": "g-air1 g-air2"})
    result = fight(game, state, *TWO, raids=[raid("s-air1", "g-air1 g-air2")], faces={"r1": "6", "b1": "3"})
    assert where(result.after, "s-8g") == "1512"
    last = events(result, Fought)[-1]
    assert (last.battle, last.column) == ("b2", "")
    assert "attacked before" in last.note


def test_7_0_c_where_the_rest_dies_without_a_die_only_the_rest_dies():
    """S-26, S-38: a base has no defense; the corps driven into the hex survives."""
    game = bare(edition="print", forest=["1512"])
    result = fight(game, at(game, {**DRIVEN, "1512": "s-air1"}), *TWO, faces={"b1": "3"})
    assert where(result.after, "s-8g", "s-air1") == ["1512", "eliminated"]
    assert [each.label for each in events(result, Rolled)] == ["b1/combat"]


def test_7_0_c_a_brigade_attacked_before_takes_nobodys_partner():
    """S-35, S-38: 13th counts nothing; the corps serves 3rd, a unit not yet attacked."""
    game = bare()
    state = at(game, {"1512": "s-1t s-13at s-3at", "1511": "g-t"})
    battle = Battle("b1", game.board.index["1512"], ("g-t",))
    assert assess(pos(game, state), battle, ("s-13at",)).defence == {"s-1t": 4, "s-13at": 0, "s-3at": 2}
    assert assess(pos(game, state), battle, ("s-1t",)).defence == {"s-1t": 0, "s-13at": 2, "s-3at": 0}


def test_7_0_d_anti_tank_brigades_with_a_corps_each():
    """S-18, S-35: two corps serve two brigades, one corps serves one; brigades never attack."""
    game = bare()
    both = odds(game, {"1513": "s-1t s-5t s-13at s-3at", "1514": "g-gd"}, "1513", "g-gd")
    assert sum(both.defence.values()) == 4 + 4 + 2 + 2
    one = odds(game, {"1513": "s-1t s-13at s-3at", "1514": "g-gd"}, "1513", "g-gd")
    assert one.defence == {"s-1t": 4, "s-13at": 2, "s-3at": 0}
    state = at(game, {"1513": "s-1t s-13at", "1514": "g-gd"}, side="soviet")
    assert refused(game, state, {"battles": [attack("1514", "s-1t s-13at")]}) == ["7.0-d"]


def test_7_0_e_artillery_with_a_corps_that_attacks():
    """S-18, S-35: with one 2-4, one of two artillery corps attacks; artillery does not defend."""
    game = bare()
    places = {"1513": "s-61-1 s-8art s-2art", "1514": "g-gd", "1515": "g-t", "1413": "s-61-2"}
    state = at(game, places, side="soviet")
    assert refused(game, state, {"battles": [attack("1514", "s-61-1 s-8art s-2art")]}) == ["7.0-e"]
    assert refused(game, state, {"battles": [attack("1514", "s-8art s-61-2")]}) == ["7.0-e"], "not from its hex"
    result = fight(game, state, attack("1514", "s-61-1 s-8art"), faces={"b1": "6"})
    assert events(result, Fought)[0].attack.total == "6"
    assert odds(game, places, "1513", "g-gd").defence == {"s-61-1": 2, "s-8art": 0, "s-2art": 0}


def test_7_0_e_one_corps_serves_a_brigade_and_an_artillery_corps():
    game = bare()
    places = {"1513": "s-61-1 s-8art s-13at", "1514": "g-gd", "1412": "s-61-2"}
    assert sum(odds(game, places, "1513", "g-gd").defence.values()) == 4
    state = at(game, places, side="soviet")
    assert fight(game, state, attack("1514", "s-61-1 s-8art"), faces={"b1": "6"})


def test_7_0_f_bracketed_armor_with_a_division_each():
    """S-18: of three bracketed units with two divisions two count, in attack and defense."""
    game = bare(edition="print")  # five such units may stack
    places = {"1514": "g-110 g-gd g-505 g-503 g-653", "1513": "s-61-1", "1413": "s-61-2"}
    state = at(game, places)
    all_three = {"battles": [attack("1513", "g-110 g-gd g-505 g-503 g-653")]}
    assert refused(game, state, all_three) == ["7.0-f"]
    assert refused(game, state, {"battles": [attack("1513", "g-gd g-505 g-503")]}) == ["7.0-f"]
    (fought,) = told(game, state, attack("1513", "g-110 g-gd g-505 g-503"), faces={"b1": "1"})
    assert fought.attack.total == str(2 + 6 + 2 + 2)
    enemy = odds(game, places, "1514", "s-61-1")
    assert enemy.defence == {"g-110": 2, "g-gd": 6, "g-505": 2, "g-503": 2, "g-653": 0}


def test_7_0_f_the_strongest_of_them_count():
    """S-35: on a tie the lowest ids count."""
    places = {"1514": "g-gd g-216st g-505", "1513": "s-61-1"}
    assert odds(bare(), places, "1514", "s-61-1").defence == {"g-gd": 6, "g-216st": 0, "g-505": 2}
    places["1514"] = "g-gd g-503 g-505"
    assert odds(bare(), places, "1514", "s-61-1").defence == {"g-gd": 6, "g-503": 2, "g-505": 0}


def test_7_0_f_the_motorized_brigade_is_a_regular_unit():
    game = bare()
    state = at(game, {"1514": "g-mant g-505", "1513": "s-61-1"})
    (fought,) = told(game, state, attack("1513", "g-mant g-505"), faces={"b1": "1"})
    assert fought.attack.total == "3"


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


def test_7_0_h_a_stack_against_two_hexes():
    """S-11: units of a stack join two attacks, each on one hex."""
    game = bare()
    state = at(game, {"1514": "g-gd g-lah", "1513": "s-1t", "1515": "s-2gc", "1413": "g-653"})
    found = told(game, state, attack("1513", "g-gd", "b1"), attack("1515", "g-lah", "b2"), faces={"b1": "1", "b2": "1"})
    assert [(each.place, each.column) for each in found] == [("1513", "1:1"), ("1515", "3:1")]


def test_7_0_i_from_six_sides():
    """Surrounded units are out of supply, so a 4-6 counts 2."""
    game = bare()
    around = {"1513": "g-110", "1515": "g-296", "1613": "g-134", "1614": "g-211", "1413": "g-293", "1414": "g-208"}
    six = "g-110 g-296 g-134 g-211 g-293 g-208"
    (fought,) = told(game, at(game, {**around, "1514": "s-1t"}), attack("1514", six), faces={"b1": "1"})
    assert (fought.attack.total, fought.defence.total, fought.column) == ("12", "2", "6:1")


def test_7_0_j_part_of_a_stack():
    game = bare()
    (fought,) = told(game, at(game, FRONT), attack("1513", "g-gd"), faces={"b1": "1"})
    assert fought.attack.total == "6"


def test_7_0_k_odds_favour_the_defender():
    """S-3: the number of the text, 26 against 9, is 2:1; weaker attacks are rounded up."""
    game = bare()
    attackers = {"1514": "g-gd g-lah g-dr", "1613": "g-3pz g-air1", "1413": "g-mant g-110"}
    places = {**attackers, "1513": "s-8g s-16g s-36g"}
    found = odds(game, places, "1513", "g-gd g-lah g-dr g-3pz g-110 g-mant")
    assert (sum(found.attack.values()), sum(found.defence.values()), found.column) == (26, 9, 2)
    weak = odds(game, {"1514": "g-110", "1513": "s-8g s-16g"}, "1513", "g-110")
    assert (weak.ratio, weak.column) == ("1:3", -1)


def test_7_0_river_all_attackers_across_one():
    game = bare(rivers=["1513-1514", "1413-1513"])
    places = {"1514": "g-gd", "1413": "g-t", "1613": "g-lah", "1513": "s-61-1"}
    assert odds(game, places, "1513", "g-gd g-t").modifier == -2
    assert odds(game, places, "1513", "g-gd g-t g-lah").modifier == 0


@pytest.mark.parametrize("kind", ["forest", "swamp"])
def test_7_0_forest_one_off_the_die(kind):
    game = bare(**{kind: ["1513"]})
    assert odds(game, FRONT, "1513", "g-gd").modifier == -1


def test_7_0_fortified_one_off_the_die_for_its_owner():
    for kind in ({"lines": [("soviet", ["1513"])]}, {"cities": [("soviet", "1513")]}):
        game = bare(**kind)
        assert odds(game, FRONT, "1513", "g-gd").modifier == -1
        assert odds(game, {"1513": "g-gd", "1514": "s-1t"}, "1513", "s-1t").modifier == 0


def test_3_0_combat_terrain_only_the_worst_counts():
    """S-4: a line in a forest behind a river subtracts 2."""
    game = bare(forest=["1513"], rivers=["1513-1514"], lines=[("soviet", ["1513"])])
    assert odds(game, FRONT, "1513", "g-gd").modifier == -2
    game = bare(forest=["1513"], lines=[("soviet", ["1513"])])
    assert odds(game, FRONT, "1513", "g-gd").modifier == -1


def test_8_0_beyond_the_ends_of_the_table():
    """S-3, S-5: 12:1 uses column 9:1, 1:5 uses 1:3."""
    game = bare()
    strong = odds(game, {"1514": "g-gd g-lah g-dr", "1413": "g-t", "1513": "s-2gc"}, "1513", "g-gd g-lah g-dr g-t")
    assert (strong.ratio, strong.column) == ("12:1", 9)
    weak = odds(game, {"1514": "g-110", "1513": "s-8g s-16g s-36g"}, "1513", "g-110")
    assert (weak.ratio, weak.column) == ("1:5", -1)


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


def test_2_0_phases_a_result_applies_before_the_next_attack():
    """S-12: the destruction of 5th Tank opens a retreat hex for the second attackers."""
    game = bare()
    places = {
        "1514": "g-gd",
        "1513": "s-1t",
        "1515": "s-5t",
        "1413": "g-110 g-296 g-134",
        "1615": "g-lah g-dr g-t",
        "1516": "g-3pz",
    }
    first, second = attack("1515", "g-lah g-dr g-t g-3pz", "b1"), attack("1513", "g-gd", "b2")
    for orders, lives in (((first, second), True), ((second, first), False)):
        result = fight(game, at(game, places), *orders, faces={"b1": "6", "b2": "1"})
        assert {each.battle: each.result for each in events(result, Fought)} == {"b1": "DX", "b2": "AR"}
        assert (where(result.after, "g-gd") != "eliminated") is lives


def test_s_12_the_attack_that_can_take_away_another_is_named():
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-air1", "1510": "g-air1 g-air2"})
    orders = {"battles": [attack("1513", "g-gd")], "superiority": [raid("s-air1", "g-air1 g-air2")]}
    air, ground = exact_odds.list_chances(game, legal(game, state, orders), {})
    assert air.caveat == "fought first: later battles do not change the odds"
    assert ground.caveat == "as the position stands now; r1, fought earlier, can change the odds to no attack"
