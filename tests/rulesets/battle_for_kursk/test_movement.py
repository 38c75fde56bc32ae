"""7.0 Zones of control, 8.0 Movement, 8.1 rail movement, 11.1 mud: a test for each paragraph."""

import pytest

from kursk_pbem.kernel.events import Moved
from rulesets.battle_for_kursk.board import (
    in_communication,
    kursk,
    moves,
    names,
    place,
    play,
    reach,
    refused,
    retreats,
    view,
)

RUSSIAN_MOVES = "stage russian-orders"


def test_7_0_a_zone_is_the_six_hexes_around():
    """A unit alone in the open controls the six hexes around it and not its own."""
    zone = view(place("2707: g-11")).zoc("german")
    assert names(zone) == ["2606", "2607", "2706", "2708", "2806", "2807"]


def test_7_0_a_zone_reaches_enemies_and_crosses_rivers():
    """A zone covers a hex with an enemy in it, and hexes over river and Major River (K-29)."""
    zone = names(view(place("1821: g-11 | 1921: r-5")).zoc("german"))
    assert "1921" in zone  # over the Dniepr, with a Russian in it
    assert "1820" in zone


def test_7_0_friends_do_not_open_a_zone_to_movement_or_communication():
    """A Russian is in a German zone. The hex stays an EZOC hex: no other Russian can pass there or trace supply
    through the hex (K-29, K-30, K-37)."""
    state = place(f"2707: g-11 | 2708: r-5 | 2709: r-33; {RUSSIAN_MOVES}")
    refused(state, moves("r-33 2708 2808"), "8.3", "2708 lies in an enemy zone")
    assert view(state).ezoc("russian") >> kursk().board.index["2708"] & 1
    # Ringed by three Germans, the unit in the middle has friends next to it, all in zones: no communication.
    ring = place("1510: r-5 | 1511: r-33 | 1409: g-11 | 1412: g-42 | 1610: g-52 | 1608: g-59 | 1509: r-10")
    assert not in_communication(ring, "1510", "russian")


def test_7_1_from_one_zone_straight_into_another():
    """A unit that starts in an EZOC leaves the EZOC freely; its first step may enter the next EZOC, where the unit
    stops."""
    state = place(f"2707: g-11 | 2708: r-5; {RUSSIAN_MOVES}")
    assert play(state, moves("r-5 2807")).at("r-5") == "2807"
    refused(state, moves("r-5 2807 2806"), "8.3", "2807 lies in an enemy zone")
    assert play(state, moves("r-5 2709 2809 2808")).mp("r-5") == "3"


def test_7_2_zones_in_combat():
    """A retreat through a zone costs a step, a retreat that ends in a zone costs the unit; see 9.3 (K-61)."""
    state = place("2707: r-5 | 2706: g-11 | 2607: g-42 | 2807: g-52")
    kind, paths = retreats(state, "r-5")
    assert kind == "costly"
    assert all(path[:4] in ("2606", "2708", "2806") for path in paths)


def test_7_3_zones_cut_the_path_of_replacements():
    """A reduced Russian behind a chain of German zones cannot be flipped; with the chain broken he can."""
    ring = "2810: r-5 reduced | 2808: g-11 | 3010: g-42 | 2812: g-52 | 2710: g-59"
    orders = "orders: {replacements: [{unit: r-5, gain: flip}]}"
    shut = place(f"{ring}; posture russian reposition; {RUSSIAN_MOVES}")
    assert not in_communication(shut, "2810", "russian")
    refused(shut, orders, "10.0-2", "is not In Communication")
    opened = place(f"{ring.replace('3010: g-42 | ', '')}; posture russian reposition; {RUSSIAN_MOVES}")
    assert play(opened, orders).steps("r-5") == 2


def test_8_0_each_unit_once_in_a_phase_and_afresh_in_the_next():
    """A panzer moves its full allowance in the Armor and Rail Phase and again in the Movement Phase, but not twice in
    one of them (K-24, K-33)."""
    state = place("2707: g-3-pz")
    first = moves("g-3-pz 2708 2709 2710", "armor-and-rail")
    second = moves("g-3-pz 2709 2708 2707 2706 2705 2704")
    played = play(state, f"{first}\n{second.removeprefix('orders:')}".replace("\n\n", "\n"))
    assert played.at("g-3-pz") == "2704"
    assert [event.mp for event in played.of(Moved)] == ["3", "6"]
    refused(state, moves("g-3-pz 2708, g-3-pz 2709"), "8.0", "has moved in this phase already")


def test_8_0_units_move_in_the_order_written():
    """A column moves off head first: the rear unit may end where the head stood only if the head has left (K-24)."""
    state = place("2707: g-11 | 2708: g-42")
    assert play(state, moves("g-42 2709, g-11 2708")).at("g-11") == "2708"
    refused(state, moves("g-11 2708, g-42 2709"), "8.2.2", "2708 holds a friendly unit")


def test_8_0_a_destination_alone_means_the_cheapest_way_and_then_the_lowest():
    """``to: 2507`` from 2707 is two steps, by 2606 or 2607; the sequence of the lowest labels is taken (K-35). Round a
    forest the cheaper way wins though its labels are higher."""
    assert play(place("2707: g-11"), moves("g-11 to 2507")).path("g-11") == ("2606", "2507")
    state = place("2207: g-11")  # to 2205: by the forest 2206 three points, two hexes; no way round is cheaper
    assert play(state, moves("g-11 to 2205")).path("g-11") == ("2206", "2205")
    refused(place("2707: g-11"), moves("g-11 to 2201"), "8.0", "cannot reach 2201")
    refused(place("2707: g-11 | 2706: g-52"), moves("g-11 to 2706"), "8.2.2", "2706 holds a friendly unit (g-52)")


def test_8_0_only_own_units_on_the_map_move():
    """An unknown unit, an enemy, an eliminated unit: the umpire refuses all at once."""
    state = place("2707: g-11 | 2407: r-5")
    refused(state, moves("g-999 2708, r-5 2408, g-42 2708"), "8.0", number=3)


def test_8_0_points_are_spent_up_to_the_allowance_and_hex_by_hex():
    """Infantry has 4 points: the rules refuse a fifth open hex, and a jump."""
    state = place("2707: g-11")
    assert reach(state, "g-11")["2711"] == 4
    refused(state, moves("g-11 2708 2709 2710 2711 2712"), "8.0-terrain", "costs 6 of 4")
    refused(place("2707: g-11"), moves("g-11 2708 2709 2808 2807 2806"), "8.0-terrain", "costs 5 of 4")
    refused(state, moves("g-11 2709"), "8.0", "2709 is not adjacent to 2707")


@pytest.mark.parametrize(
    ("start", "end", "mp"),
    [
        ("2707", "2708", 1),  # clear
        ("2510", "2511", 1),  # city (Yelets)
        ("2407", "2406", 1),  # Major City (Tula)
        ("2307", "2306", 2),  # forest
        ("2412", "2411", 2),  # rough
        ("2802", "2803", 6),  # marsh
        ("2508", "2607", 1),  # across the Don
        ("2105", "2204", 1),  # an active fortification of the enemy's
        ("2410", "2411", 2),  # along a railway into the rough
    ],
)
def test_8_0_terrain_costs(start, end, mp):
    """The costs of a step for a panzer of 6 points (K-25)."""
    assert reach(place(f"{start}: g-3-pz; turn D"), "g-3-pz")[end] == mp


def test_8_0_terrain_marsh_takes_everything_first_and_last():
    """Marsh is entered with the whole allowance or not at all, and the unit goes no further (K-26)."""
    state = place("2802: g-11")
    assert play(state, moves("g-11 2803")).mp("g-11") == "4"
    refused(state, moves("g-11 2803 2703"), "8.0-terrain", "costs 5 of 4")
    refused(place("2801: g-11"), moves("g-11 2802 2803"), "8.0-terrain", "must be the first step")


def test_8_0_major_river_takes_everything_first_and_last():
    """Over the Dniepr from 1922 into Dnepropetrovsk: all 4 points, with no other step. Into marsh over the Dniepr is
    also a single step (K-26)."""
    state = place("1922: g-11")
    assert play(state, moves("g-11 1821")).mp("g-11") == "4"
    refused(state, moves("g-11 1821 1721"), "8.0-terrain")
    refused(place("2021: g-11"), moves("g-11 1922 1821"), "8.0-major-river", "across a Major River")
    assert play(place("1117: g-11"), moves("g-11 1216")).mp("g-11") == "4"


def test_8_0_nobody_leaves_the_map_or_enters_the_sea():
    """Sea and what lies beyond the edge are no hexes (K-27)."""
    state = place("2624: g-11")
    refused(state, moves("g-11 2725"), "8.0", "2725 is not a hex of this map")
    refused(place("2400: g-11"), moves("g-11 2399"), "8.0", "not a hex of this map")


def test_8_1_rail_costs_one_whatever_the_terrain():
    """Infantry from Smolensk's line by rail: forest, marsh and the Start Line, one point each (K-32). Over the Dniepr
    by rail: one point as well."""
    state = place("1505: g-11")
    assert play(state, moves("g-11 1605 1706 1806 1906", "armor-and-rail")).mp("g-11") == "4"
    state = place("2021: g-11")
    assert play(state, moves("g-11 1922 1821", "armor-and-rail")).mp("g-11") == "2"


def test_8_1_rail_steps_follow_the_links():
    """2016 and 2017 are adjacent, both on railways out of Kharkov, but without a link; and no unit leaves the rails
    during the move (K-32)."""
    state = place("2117: g-11")
    assert {"2016", "2017"} <= set(reach(state, "g-11", "rail"))
    refused(state, moves("g-11 2016 2017", "armor-and-rail"), "8.1", "no railway leads from 2016 to 2017")
    refused(state, moves("g-11 2016 2015", "armor-and-rail"), "8.1", "no railway leads from 2016 to 2015")


def test_8_1_rail_starts_on_the_own_side_of_the_start_line_only():
    """A Russian who has taken Orel stands on a railway, but west of the line: he walks next phase. From Kursk, east of
    it, he may ride over the line (K-31)."""
    state = place(f"2110: r-5 | 2113: r-10; control 2110 russian; {RUSSIAN_MOVES}")
    refused(state, moves("r-5 2111", "armor-and-rail"), "8.1", "on its own side of the Start Line")
    assert play(state, moves("r-10 2112 2111", "armor-and-rail")).at("r-10") == "2111"


def test_8_1_infantry_off_the_railway_stays_in_this_phase():
    """Infantry that is not on a railway when the phase begins does not move in it (K-31, K-33)."""
    state = place("2707: g-11")
    refused(state, moves("g-11 2708", "armor-and-rail"), "8.1")


def test_8_1_shock_is_infantry_on_rails():
    """Shock armies ride as infantry do (3.3)."""
    state = place(f"2402: r-3-sh; {RUSSIAN_MOVES}")
    assert play(state, moves("r-3-sh 2403 2404", "armor-and-rail")).at("r-3-sh") == "2404"


def test_8_1_armor_never_rides():
    """Guards and tanks beside infantry on the railway at Kaluga: they pay 2 for each forest, and the step after the
    second one is too much for the Guards' 5 points (K-33)."""
    state = place(f"2106: r-1-g | 2105: r-4-t | 2204: r-5; {RUSSIAN_MOVES}")
    played = play(state, moves("r-1-g 2206 2306 2406", "armor-and-rail"))
    assert played.mp("r-1-g") == "5"
    assert played.of(Moved)[0].how == "move"
    refused(state, moves("r-1-g 2206 2306 2406 2407", "armor-and-rail"), "8.0-terrain", "costs 6 of 5")


def test_8_1_armor_off_the_railway_moves_all_the_same():
    """Armor needs no railway in the Armor and Rail Phase."""
    assert play(place("2707: g-3-pz"), moves("g-3-pz 2708", "armor-and-rail")).at("g-3-pz") == "2708"


def test_8_2_1_an_enemy_hex_is_never_entered():
    """Neither walking nor by rail (K-27)."""
    refused(place("2707: g-3-pz | 2708: r-5"), moves("g-3-pz 2708"), "8.2.1", "holds an enemy unit (r-5)")
    state = place("2021: g-11 | 1922: r-5")
    refused(state, moves("g-11 1922", "armor-and-rail"), "8.2.1")


def test_8_2_2_friends_may_be_passed_and_not_joined():
    """A unit moves through a friend; it may not end its own move there, not even if the friend would leave later, and
    two units cannot change places (K-27, K-28)."""
    state = place("2707: g-11 | 2708: g-42")
    assert play(state, moves("g-11 2708 2709")).at("g-11") == "2709"
    refused(state, moves("g-11 2708"), "8.2.2", "holds a friendly unit (g-42)")
    refused(state, moves("g-11 2708, g-42 2707"), "8.2.2", number=2)


def test_8_2_2_a_friend_in_an_enemy_zone_is_a_wall():
    """A unit cannot pass a friendly unit in an EZOC hex, because an EZOC stops the unit, and cannot join the
    friendly unit (K-30)."""
    state = place(f"2707: g-11 | 2708: r-5 | 2709: r-33; {RUSSIAN_MOVES}")
    assert "2708" not in reach(state, "r-33")
    refused(state, moves("r-33 2708"), "8.2.2")


def test_8_3_entering_ezoc_ends_the_move():
    """A panzer that enters the zone of a Russian must stop, with any points left."""
    state = place("2707: g-3-pz | 2710: r-5")
    assert play(state, moves("g-3-pz 2708 2709")).mp("g-3-pz") == "2"
    refused(state, moves("g-3-pz 2708 2709 2808"), "8.3", "zone of control, that of r-5 in 2710: the move ends there")


def test_8_3_leaving_a_zone_costs_nothing():
    """Out of a zone and four hexes away for four points."""
    state = place("2707: g-11 | 2706: r-5")
    assert reach(state, "g-11")["2711"] == 4


def test_11_1_one_hex_whatever_it_costs():
    """In mud a unit moves one hex in each phase, into the open, forest, marsh or over the Dniepr; not two (K-34)."""
    state = place("2707: g-3-pz | 2802: g-11 | 1922: g-42; mud")
    played = play(state, moves("g-3-pz 2708, g-11 2803, g-42 1821"))
    assert [played.at(uid) for uid in ("g-3-pz", "g-11", "g-42")] == ["2708", "2803", "1821"]
    refused(state, moves("g-3-pz 2708 2709"), "11.1", "in mud a unit moves one hex")
    assert set(reach(state, "g-3-pz")) == {"2606", "2607", "2706", "2708", "2806", "2807"}


def test_11_1_armor_has_its_hex_in_each_of_two_phases_and_rail_is_free_of_mud():
    """Armor moves one hex in Phase 3 and one hex in Phase 5; infantry by rail moves its full four hexes (K-34)."""
    state = place("2707: g-3-pz | 1505: g-11; mud")
    rail = moves("g-3-pz 2708, g-11 1605 1706 1806 1906", "armor-and-rail")
    walk = moves("g-3-pz 2709").removeprefix("orders:\n")
    played = play(state, f"{rail}\n{walk}")
    assert (played.at("g-3-pz"), played.at("g-11")) == ("2709", "1906")


def test_4_0_infantry_that_went_by_rail_walks_afterwards():
    """Phase 5 includes units that moved by rail in Phase 3, with their full allowance and without rails (K-33)."""
    state = place("1505: g-11")
    rail = moves("g-11 1605 1706", "armor-and-rail")
    played = play(state, f"{rail}\n{moves('g-11 1806').removeprefix('orders:' + chr(10))}")
    assert played.at("g-11") == "1806"
    assert [event.how for event in played.of(Moved)] == ["rail", "move"]
