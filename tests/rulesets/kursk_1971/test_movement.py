"""3.0 Movement, 4.0 Zones of control, 5.0 Stacking, 13.0 Reinforcements."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Moved
from kursk_pbem.rulesets.kursk_1971 import movement
from rulesets.kursk_1971.board import at, bare, events, go, legal, play, pos, refused, said, shipped, where

DEEP = {"1001": "s-61-1"}  # a Soviet unit far away


def mp(game, state, unit, *path, phase="movement"):
    """Return the reported cost of a path; None if too expensive."""
    result = play(game, state, {phase: [{"unit": unit, "path": list(path)}]})
    moves = events(result, Moved)
    return int(moves[0].mp) if moves else None


def test_3_0_movement_as_far_as_the_allowance_lets():
    """S-2: an infantry division has 5 points, a panzer division 8, in each of its phases."""
    game = bare()
    state = at(game, {"1514": "g-110 g-gd", **DEEP})
    for unit, points in (("g-110", 5), ("g-gd", 8)):
        found = movement.find_reach(pos(game, state), unit, movement.count_allowance(game, unit, supplied=True))
        assert max(way.mp for way in found.values()) == points
        here = pos(game, state).where[unit]
        assert max(game.board.distance(here, there) for there in found) == points


def test_3_0_movement_motorized_units_have_it_again():
    """S-2: a whole allowance in the motorized phase; points are not carried over."""
    game = bare()
    state = at(game, {"1514": "g-gd", **DEEP})
    after = legal(game, state, {"movement": [go("g-gd", "1506")], "motorized": [go("g-gd", "1514")]})
    assert where(after, "g-gd") == "1514"
    assert refused(game, state, {"movement": [], "motorized": [go("g-gd", "1505")]}) == ["3.0-a"]


@pytest.mark.parametrize(("unit", "points"), [("g-110", 1), ("g-gd", 2), ("g-air1", 2)])
def test_3_0_a_forest_and_swamp_cost_motorized_units_and_bases_one_more(unit, points):
    for kind in ("forest", "swamp"):
        game = bare(**{kind: ["1513"]})
        assert mp(game, at(game, {"1514": unit, **DEEP}), unit, "1513") == points


def test_3_0_b_only_motorized_units_move_after_combat():
    """S-2: ground elements are not motorized."""
    game = bare()
    state = at(game, {"1514": "g-110 g-gd g-air1", **DEEP})
    assert where(legal(game, state), "g-110") == "1514", "nobody must move"
    assert legal(game, state, {"motorized": [go("g-gd", "1513")]})
    assert refused(game, state, {"motorized": [go("g-110", "1513")]}) == ["3.0-b"]
    assert refused(game, state, {"motorized": [go("g-air1", "1513")]}) == ["9.0-c"]


def test_3_0_c_in_any_direction_step_by_step():
    game = bare()
    state = at(game, {"1514": "g-110", **DEEP})
    assert where(legal(game, state, {"movement": [go("g-110", "1513", "1612", "1613")]}), "g-110") == "1613"
    assert refused(game, state, {"movement": [go("g-110", "1512", "1511")]}) == ["3.0-c"]
    assert refused(game, state, {"movement": [go("g-110", "1508")]}) == ["3.0-a"]
    assert refused(game, state, {"movement": [{"unit": "g-110", "path": ["1500"]}]}) == ["3.0-c"]
    assert refused(game, state, {"movement": [go("g-999", "1513"), go("g-134", "1513")]}) == ["3.0-c", "3.0-c"]


def test_3_0_d_nobody_moves_the_enemy():
    game = bare()
    assert refused(game, at(game, {"1514": "g-110", **DEEP}), {"movement": [go("s-61-1", "1002")]}) == ["3.0-d"]


def test_3_0_e_a_movement_phase_holds_no_combat():
    """Adjacent enemies do not fight in movement; motorized movement waits for the dice."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1512": "s-61-1"})
    after = legal(game, state, {"movement": [go("g-gd", "1513")]})
    assert where(after, "s-61-1") == "1512"
    orders = {"battles": [{"id": "b", "hex": "1512", "attackers": ["g-gd"]}], "motorized": [go("g-gd", "1514")]}
    state = at(game, {"1513": "g-gd", "1512": "s-61-1"})
    assert refused(game, state, orders) == ["2.0-phases"]


def test_3_0_f_passing_a_full_stack_is_forbidden():
    """S-36: a small unit may pass, or stay, as the fourth unit."""
    game = bare()
    state = at(game, {"1514": "g-112 g-653", "1513": "g-110 g-296 g-134", **DEEP})
    assert refused(game, state, {"movement": [go("g-112", "1513", "1512")]}) == ["5.0-e"]
    assert where(legal(game, state, {"movement": [go("g-653", "1513", "1512")]}), "g-653") == "1512"
    assert where(legal(game, state, {"movement": [go("g-653", "1513")]}), "g-653") == "1513"


def test_3_0_g_never_into_an_enemy():
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-13at"})  # without a zone of control
    assert refused(game, state, {"movement": [go("g-gd", "1513", "1512")]}) == ["3.0-g"]
    assert "s-13at" in said(game, state, {"movement": [go("g-gd", "1513", "1512")]})


def test_3_0_h_once_in_a_phase():
    game = bare()
    state = at(game, {"1514": "g-gd", **DEEP})
    assert refused(game, state, {"movement": [go("g-gd", "1513"), go("g-gd", "1514")]}) == ["3.0-h"]


def test_3_0_i_over_different_terrain_in_one_phase():
    game = bare(forest=["1513"], swamp=["1512"])
    assert mp(game, at(game, {"1514": "g-gd", **DEEP}), "g-gd", "1513", "1512", "1511") == 5


def test_3_0_terrain_all_costs_add_up():
    """Numbers of the text: 6 between controlled hexes, 8 into a fortified hex."""
    game = bare(lines=[("soviet", ["1414"])])
    state = at(game, {"1514": "g-gd", "1613": "s-61-1", "1413": "s-61-2", "1515": "g-t"})
    assert mp(game, state, "g-gd", "1614") == 6
    state = at(game, {"1514": "g-gd", "1513": "s-61-1", "1314": "s-61-2"})
    assert mp(game, state, "g-gd", "1414") == 8


def test_3_0_fortified_two_points_more_for_the_enemy_only():
    """S-31: own lines and fortified cities cost nothing extra."""
    for kind in ({"lines": [("soviet", ["1513"])]}, {"cities": [("soviet", "1513")]}):
        game = bare(**kind)
        assert mp(game, at(game, {"1514": "g-110", **DEEP}), "g-110", "1513") == 3
        mine = at(game, {"1514": "s-61-1", "2801": "g-110"}, side="soviet")
        assert mp(game, mine, "s-61-1", "1513") == 1


def test_3_0_fortified_kept_whoever_was_there():
    """S-31: a retaken line works again, and never helps the enemy."""
    game = bare(lines=[("soviet", ["1513"])])
    state = at(game, {"1514": "g-110", **DEEP})
    after = legal(game, state, {"movement": [go("g-110", "1513")]})
    back = legal(game, after.with_(side="german", stage="german-orders"), {"movement": [go("g-110", "1514")]})
    assert mp(game, back.with_(side="german", stage="german-orders"), "g-110", "1513") == 3
    assert mp(game, at(game, {"1514": "s-61-1", "1001": "g-110"}, side="soviet"), "s-61-1", "1513") == 1


def test_4_0_the_six_hexes_around_a_unit():
    game = bare()
    state = at(game, {"1514": "s-61-1"})
    found = game.board.names(pos(game, state).find_zone("soviet"))
    assert found == ["1413", "1414", "1513", "1515", "1613", "1614"]


def test_4_0_a_three_more_to_enter():
    """S-10: without the points the move is illegal."""
    game = bare()
    state = at(game, {"1514": "g-110 g-gd", "1511": "s-61-1"})
    assert mp(game, state, "g-gd", "1513", "1512") == 5
    state = at(game, {"1515": "g-110", "1511": "s-61-1"})
    assert mp(game, state, "g-110", "1514", "1513", "1512") is None
    assert refused(game, state, {"movement": [go("g-110", "1514", "1513", "1512")]}) == ["3.0-a"]


def test_4_0_b_two_more_to_leave():
    game = bare()
    state = at(game, {"1513": "g-110", "1512": "s-61-1"})
    assert mp(game, state, "g-110", "1514") == 3


def test_4_0_c_armor_into_a_controlled_forest():
    """S-6, S-10: the example: 5 into a controlled forest, 7 between controlled forests."""
    game = bare(forest=["1513", "1614", "1514"])
    state = at(game, {"1515": "g-gd", "1513": "s-61-1"})
    assert mp(game, state, "g-gd", "1514") == 5
    state = at(game, {"1514": "g-gd", "1613": "s-61-1"})
    assert mp(game, state, "g-gd", "1614") == 7


def test_4_0_c_penalties_may_keep_a_unit_where_it_is():
    """S-9: a unit with 5 points cannot pay 6."""
    game = bare()
    state = at(game, {"1513": "g-110", "1512": "s-61-1"})
    assert mp(game, state, "g-110", "1412") is None
    surrounded = at(game, {"1513": "g-110", "1512": "s-61-1", "1514": "s-61-2"})
    assert movement.find_reach(pos(game, surrounded), "g-110", 5) == {}


def test_4_0_d_several_zones_cost_no_more():
    """S-10, S-22: three units and interdiction control the hex, which costs 3 more."""
    game = bare()
    state = at(
        game,
        {"1515": "g-gd", "1513": "s-61-1 s-61-2", "1413": "s-8g", "1001": "s-air1"},
        interdiction={"s-air1": "1514"},
    )
    assert mp(game, state, "g-gd", "1514") == 4


def test_4_0_e_friends_do_not_lift_a_zone_for_movement():
    game = bare()
    state = at(game, {"1515": "g-gd", "1514": "g-110", "1513": "s-61-1"})
    assert mp(game, state, "g-gd", "1514") == 4


@pytest.mark.parametrize("unit", ["s-8art", "s-13at", "g-653", "g-10br", "g-air1", "s-air1"])
def test_4_0_f_who_has_no_zone_of_control(unit):
    game = bare()
    here = pos(game, at(game, {"1514": unit}))
    assert not any(here.find_zone(side) for side in here.setting.sides)


def test_4_0_h_small_units_have_none_and_kampfgruppen_have_one():
    """S-7: in the print edition the motorized 1-8 brigade has a zone."""
    for edition, brigade in (("digital", 0), ("print", 6)):
        game = bare(edition=edition)
        assert pos(game, at(game, {"1514": "kg1-5"})).find_zone("german").bit_count() == 6
        assert pos(game, at(game, {"1514": "g-mant"})).find_zone("german").bit_count() == brigade


def test_4_0_forest_zones_stay_out_of_woods_in_the_print_edition():
    """S-6, S-49: interdiction controls woods in both editions."""
    for edition, price in (("digital", 5), ("print", 2)):
        game = bare(forest=["1614"], edition=edition)
        assert mp(game, at(game, {"1515": "g-gd", "1613": "s-61-1"}), "g-gd", "1614") == price
    game = bare(forest=["1614"], edition="print")
    flown = at(game, {"1515": "g-gd", "1613": "s-61-1", "1001": "s-air1"}, interdiction={"s-air1": "1614"})
    assert mp(game, flown, "g-gd", "1614") == 5


def test_5_0_four_units_three_of_them_divisions():
    """S-19: two divisions and two small units may stack."""
    game = bare()
    fits = pos(game, at(game, DEEP)).can_stack
    assert fits(["g-110", "g-296", "g-134", "g-653"])
    assert fits(["g-110", "g-296", "g-653", "g-654"])
    assert not fits(["g-110", "g-296", "g-134", "g-211"])
    assert not fits(["g-110", "g-653", "g-654", "g-505", "g-503"])


def test_5_0_a_at_every_step():
    """S-19: other tests check reinforcements and set-ups."""
    game = bare()
    state = at(game, {"1514": "g-110", "1513": "g-296 g-134 g-211", **DEEP})
    assert refused(game, state, {"movement": [go("g-110", "1513")]}) == ["5.0-e"]
    orders = {"movement": [go("g-211", "1512"), go("g-110", "1513")]}
    assert where(legal(game, state, orders), "g-110") == "1513"


def test_5_0_b_germans_and_5_0_c_soviets_alike():
    game = bare()
    fits = pos(game, at(game, DEEP)).can_stack
    assert fits(["g-gd", "g-lah", "g-dr", "g-505"])
    assert not fits(["g-gd", "g-lah", "g-505", "g-503", "g-653"])


def test_5_0_c_three_corps_and_one_more():
    """S-19: an artillery corps is a corps."""
    game = bare()
    fits = pos(game, at(game, DEEP)).can_stack
    assert fits(["s-61-1", "s-61-2", "s-8art", "s-13at"])
    assert not fits(["s-61-1", "s-61-2", "s-9g", "s-8art"])


def test_5_0_d_an_air_unit_counts_as_a_division():
    game = bare()
    fits = pos(game, at(game, DEEP)).can_stack
    assert fits(["g-110", "g-296", "g-air1"])
    assert not fits(["g-110", "g-296", "g-134", "g-air1"])


def test_5_0_e_through_friends_where_the_limit_holds():
    game = bare()
    state = at(game, {"1514": "g-110", "1513": "g-296 g-134", "1512": "g-211 g-112 g-208", **DEEP})
    assert where(legal(game, state, {"movement": [go("g-110", "1513", "1613")]}), "g-110") == "1613"
    assert refused(game, state, {"movement": [go("g-110", "1513", "1512")]}) == ["5.0-e"]
    assert "is full" in said(game, state, {"movement": [go("g-110", "1513", "1512")]})


def test_5_0_print_two_corps_and_four_anti_tank_brigades():
    """S-19, S-42: the example of the scan, for both sides."""
    game = bare(edition="print")
    fits = pos(game, at(game, DEEP)).can_stack
    brigades = ["s-13at", "s-3at", "s-28at", "s-30at"]
    assert fits(["s-61-1", "s-61-2", *brigades])
    assert not fits(["s-61-1", "s-61-2", "s-9g", *brigades[:2]])
    assert fits(["g-110", "g-296", "g-653", "g-654", "g-505", "g-503"])
    assert not fits(["g-110", "g-296", "g-134", "g-653", "g-654"])
    assert not pos(bare(), at(bare(), DEEP)).can_stack(["s-61-1", "s-61-2", *brigades])


def test_13_0_reinforcements_appear_and_move():
    """S-29, S-46: a reinforcement pays for its entry hex and moves with the rest."""
    game = shipped()
    state = at(game, {"1514": "g-110", "2001": "s-61-1"}, side="soviet", turn="3")
    orders = {"reinforcements": [{"unit": "s-10t", "hex": "3416"}], "movement": [go("s-10t", "3316", "3216")]}
    assert where(legal(game, state, orders), "s-10t") == "3216"
    long = {**orders, "movement": [go("s-10t", "3311")]}
    assert refused(game, state, long) == ["3.0-a"], "5 of 6 points are left, and 3415 is forest"


def test_13_0_reinforcements_move_at_their_whole_allowance_without_their_army():
    """S-46: 32nd Guards is alone of its army, and has half in its next movement."""
    game = shipped()
    state = at(game, {"1514": "g-110", "2001": "s-61-1"}, side="soviet", turn="3")
    orders = {"reinforcements": [{"unit": "s-32g", "hex": "3416"}], "movement": [go("s-32g", "3316", "3215", "3115")]}
    after = legal(game, state, orders)
    assert where(after, "s-32g") == "3115"
    assert not pos(game, after).is_supplied("s-32g")


def test_13_0_nobody_comes_early_or_elsewhere():
    """S-29, S-46: a unit without an order waits, and arrives later."""
    game = shipped()
    state = at(game, {"1514": "g-110", "2001": "s-61-1"}, side="soviet", turn="3")
    assert refused(game, state, {"reinforcements": [{"unit": "s-18t", "hex": "3416"}]}) == ["13.0"]
    assert refused(game, state, {"reinforcements": [{"unit": "s-10t", "hex": "3316"}]}) == ["13.0"]
    assert refused(game, state, {"reinforcements": [{"unit": "g-110", "hex": "3416"}]}) == ["13.0"]
    later = at(game, {"1514": "g-110", "2001": "s-61-1"}, side="soviet", turn="6")
    assert where(legal(game, later, {"reinforcements": [{"unit": "s-10t", "hex": "3416"}]}), "s-10t") == "3416"


def test_13_0_an_entry_hex_with_an_enemy_or_full_is_none():
    """S-46: a controlled entry hex costs 3 more."""
    game = shipped()
    state = at(game, {"3416": "g-110", "3410": "s-61-1 s-61-2 s-9g", "2001": "s-8g"}, side="soviet", turn="3")
    assert refused(game, state, {"reinforcements": [{"unit": "s-10t", "hex": "3416"}]}) == ["3.0-g"]
    assert refused(game, state, {"reinforcements": [{"unit": "s-10t", "hex": "3410"}]}) == ["5.0-a"]
    assert movement.entry_price(pos(game, state), "s-10t", game.board.index["3417"]) == 4
    assert movement.entry_price(pos(game, state), "s-10t", game.board.index["3418"]) == 1


def test_13_0_germans_come_in_august():
    """S-29: the scenario names their hex."""
    game = shipped("august3")
    state = at(game, {"1514": "g-110", "2001": "s-61-1"}, side="german", turn="2")
    assert where(legal(game, state, {"reinforcements": [{"unit": "g-3pz", "hex": "1832"}]}), "g-3pz") == "1832"
    assert refused(game, state, {"reinforcements": [{"unit": "g-3pz", "hex": "3416"}]}) == ["13.0"]
