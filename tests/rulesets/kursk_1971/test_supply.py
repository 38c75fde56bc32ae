"""6.0 Supply, 11.0 Army integrity."""

from __future__ import annotations

from kursk_pbem.kernel.events import Fought
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.position import position
from rulesets.kursk_1971.board import at, attack, bare, events, fight, go, legal, pos, refused, shipped, where

ROW_27 = {"1526": "g-110", "1527": "g-296"}  # ten and eleven hexes from the railway of row 16


def supplied(game, places, uid, **marks):
    return position(game, at(game, places, **marks)).is_supplied(uid)


def test_6_0_a_line_to_a_railway_that_leads_off_ones_own_edge():
    """S-21: west for Germans, east for Soviets; a cut railway gives no supply."""
    game = bare()
    assert supplied(game, {"1516": "g-110"}, "g-110")
    assert not supplied(game, {"1516": "g-110", "0316": "s-61-1 s-61-2"}, "g-110")
    assert supplied(game, {"1516": "s-1t", "0316": "g-110"}, "s-1t")
    assert not supplied(game, {"1516": "s-1t", "2616": "g-110"}, "s-1t")


def test_6_0_railways_of_the_scenario_that_lead_nowhere():
    """S-21: rails off the south and north edges behind the Germans supply neither side."""
    game = shipped()
    assert game.board.names(game.exits["german"]) == ["0101", "0107", "0119", "0124", "0128"]
    ends = {"0732", "1101", "1232", "1832"}
    assert not ends & {*game.board.names(game.exits["german"] | game.exits["soviet"])}


def test_6_0_when_for_movement_as_the_phase_begins():
    """S-20, S-60: a unit freed during the phase keeps half; a unit freed earlier has its whole allowance."""
    game = bare()
    cut = {"1520": "g-gd", "1514": "g-t"}
    state = at(game, {**cut, "0316": "s-61-1"})
    assert refused(game, state, {"movement": [go("g-gd", "1525")]}) == ["3.0-a"]
    assert where(legal(game, state, {"movement": [go("g-gd", "1524")]}), "g-gd") == "1524"
    interdicted = at(game, {**cut, "0517": "g-air1", "2816": "s-air1"}, interdiction={"s-air1": "0316"})
    assert refused(game, interdicted, {"movement": [go("g-gd", "1525")]}) == ["3.0-a"]
    freed = {"interception": [{"unit": "g-air1", "hex": "0316"}], "movement": [go("g-gd", "1525")]}
    assert where(legal(game, interdicted, freed), "g-gd") == "1525"


def test_6_0_when_judged_again_for_the_motorized_movement():
    """S-2: a friend in the hex between cancels the zone of control there."""
    game = bare()
    state = at(game, {"1520": "g-gd", "0317": "g-t", "0315": "s-1t"})
    assert not pos(game, state).is_supplied("g-gd")
    assert refused(game, state, {"motorized": [go("g-gd", "1525")]}) == ["3.0-a"]
    orders = {"movement": [go("g-t", "0316")], "motorized": [go("g-gd", "1525")]}
    assert where(legal(game, state, orders), "g-gd") == "1525"


def test_6_0_when_for_combat_at_the_moment_of_the_attack():
    """S-20: the first attack cuts the line, so the second defense is halved."""
    game = bare()
    state = at(game, {"1520": "s-1t", "1519": "s-5t", "1419": "g-gd g-lah g-dr", "1619": "g-3pz g-2pz", "1521": "g-t"})
    assert pos(game, state).is_supplied("s-1t")
    first = attack("1519", "g-gd g-lah g-dr g-3pz g-2pz", "b1")
    for orders, total in (([first, attack("1520", "g-t", "b2")], "2"), ([attack("1520", "g-t", "b2"), first], "4")):
        result = fight(game, state, *orders, faces={"b1": "6", "b2": "1"})
        told = {each.battle: each for each in events(result, Fought)}
        assert told["b1"].result == "DX"
        assert told["b2"].defence.total == total


def test_6_0_range_ten_hexes():
    """S-21: the railway hex counts, the unit's own hex does not."""
    game = bare()
    assert supplied(game, ROW_27, "g-110")
    assert not supplied(game, ROW_27, "g-296")


def test_6_0_range_as_crooked_as_need_be_but_never_off_the_rails_again():
    game = bare()
    wall = {"1520": "g-110", "1518": "s-61-1"}  # straight ahead lies an enemy
    assert supplied(game, wall, "g-110")
    gap = {"1516": "g-110", "0316": "s-13at"}  # the railway is cut; walking round the cut is no railway
    assert not supplied(game, gap, "g-110")


def test_6_0_a_halved_fractions_lost():
    """S-20: 5 points become 2, strength 5 becomes 2 and 1 becomes 0."""
    game = bare()
    cut = {"0316": "s-1t", "1712": "g-110", "1514": "g-3pz g-mant", "1513": "s-61-1"}
    state = at(game, cut)
    assert refused(game, state, {"movement": [go("g-110", "1711", "1710", "1709")]}) == ["3.0-a"]
    assert where(legal(game, state, {"movement": [go("g-110", "1711", "1710")]}), "g-110") == "1710"
    told = events(fight(game, state, attack("1513", "g-3pz g-mant"), faces={"b1": "1"}), Fought)[0]
    assert told.attack.total == "2"
    assert [row.counts for row in told.attack.rows] == ["2", "0"]
    assert told.attack.rows[0].changes == ("halved (out of supply)",)


def test_6_0_b_nobody_is_lost_for_want_of_supply():
    game = bare()
    state = at(game, {"1520": "g-gd", "0316": "s-1t"})
    for _turn in range(2):
        state = legal(game, state).with_(side="german", stage="german-orders")
    assert where(state, "g-gd") == "1520"
    assert not pos(game, state).is_supplied("g-gd")


def test_6_0_c_any_number_through_any_friends_and_terrain():
    game = bare(swamp=[f"15{row:02d}" for row in range(17, 26)])
    state = at(game, {"1520": "g-110 g-296", "1519": "g-gd", "1522": "g-134", "2816": "s-1t"})
    assert all(pos(game, state).is_supplied(uid) for uid in ("g-110", "g-296", "g-gd", "g-134"))


def test_6_0_d_cut_by_units_and_zones_of_control_and_restored_by_friends():
    """S-8, S-22: enemies without a zone cut only their own hex; friends cancel zones in their hex."""
    game = bare()
    assert not supplied(game, {"1516": "g-110", "0315": "s-1t"}, "g-110")
    assert not supplied(game, {"1516": "g-110", "0316": "s-13at"}, "g-110")
    assert supplied(game, {"1516": "g-110", "0315": "s-13at"}, "g-110")
    assert supplied(game, {"1516": "g-110", "0315": "s-1t", "0316": "g-653"}, "g-110")
    flown = {"1516": "g-110", "2816": "s-air1"}
    assert not supplied(game, flown, "g-110", interdiction={"s-air1": "0316"})
    assert supplied(game, {**flown, "0316": "g-653"}, "g-110", interdiction={"s-air1": "0316"})


def test_6_0_e_into_want_of_supply_on_purpose():
    game = bare()
    state = at(game, {"1526": "g-gd", "2801": "s-1t"})
    after = legal(game, state, {"movement": [go("g-gd", "1528")]})
    assert not pos(game, after).is_supplied("g-gd")


def test_11_0_armies_keep_together():
    """S-28, S-55: always in the digital edition, by option in the print edition."""
    for options, alone in (
        ({}, False),
        ({"edition": "print"}, True),
        ({"edition": "print", "optional_rules": "both-played"}, False),
    ):
        game = bare(**options)
        assert supplied(game, {"1516": "s-61-1"}, "s-61-1") is alone


def test_11_0_a_besides_the_line_of_supply():
    game = bare()
    assert supplied(game, {"1516": "s-61-1", "1514": "s-61-2"}, "s-61-1")
    assert not supplied(game, {"1516": "s-61-1", "1514": "s-61-2", "2616": "g-110"}, "s-61-1")


def test_11_0_b_within_three_or_five_hexes_of_any_unit_of_the_army():
    """S-28: in a straight line; 9th Guards belongs to 61st Army, 5th Tank to 11th Guards."""
    game = bare()
    assert supplied(game, {"1516": "s-61-1", "1513": "s-9g"}, "s-61-1")
    assert not supplied(game, {"1516": "s-61-1", "1512": "s-9g"}, "s-61-1")
    assert supplied(game, {"1516": "s-9g", "1511": "s-61-1"}, "s-9g")
    assert not supplied(game, {"1516": "s-9g", "1510": "s-61-1"}, "s-9g")
    assert supplied(game, {"1516": "s-8g", "1513": "s-5t", "1514": "g-110"}, "s-8g")
    assert not supplied(game, {"1516": "s-61-1", "1515": "s-8g"}, "s-61-1")


def test_11_0_c_only_for_them():
    game = bare()
    for uid in ("s-1t", "s-13at", "s-8art", "s-2gc", "s-air1"):
        assert supplied(game, {"1516": uid}, uid)


def test_the_picture_shows_where_each_side_is_in_supply_6_0():
    """Shaded hexes of the board equal hexes in supply."""
    game = bare()
    state = at(game, {"1016": "g-gd", "1021": "g-26", "1030": "g-7", "1023": "s-1t"})
    shown = {zone.side: zone.at for zone in RULESET.seen.picture(game, state).reached}
    assert [label in shown["german"] for label in ("1016", "1021", "1026", "1030")] == [True, True, False, False]
    found = position(game, state)
    for uid in ("g-gd", "g-26", "g-7", "s-1t"):
        assert (state.units[uid].place in shown[found.side(uid)]) == found.is_supplied(uid)
