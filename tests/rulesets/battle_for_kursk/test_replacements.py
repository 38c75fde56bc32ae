"""10.0 Replacements: points, flips, placements, returns, give-ups; communication and control of cities."""

from kursk_pbem.kernel.events import Noted, Placed, StepsLost
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import replacements
from rulesets.battle_for_kursk.board import (
    attack,
    battles,
    in_communication,
    kursk,
    moves,
    names,
    ordered,
    place,
    placements,
    play,
    refused,
    view,
)

REST = "posture german reposition russian reposition"


def gains(*orders):
    """Gains in short: ``"g-11 flip"``, ``"g-11 2422"``."""
    lines = []
    for order in orders:
        uid, what = order.split()
        lines.append(
            f"  - {{unit: {uid}, gain: flip}}" if what == "flip" else f"  - {{unit: {uid}, gain: place, hex: '{what}'}}"
        )
    return "\n".join(["orders:", "  replacements:", *lines])


def test_10_0_points_of_the_turn_are_steps():
    """Turn D, German Reposition: 1 IRP and 2 ARP from the turn track, no more and no fewer (K-12)."""
    state = place(f"1507: g-3-pz reduced | 1508: g-48-pz reduced | 1608: g-2-ss reduced; turn D; {REST}")
    assert replacements.count_points(kursk(), state, "german") == {"IRP": 1, "ARP": 2}
    assert play(state, gains("g-3-pz flip", "g-48-pz flip")).steps("g-48-pz") == 2
    refused(state, gains("g-3-pz flip", "g-48-pz flip", "g-2-ss flip"), "10.5", "no armor replacement point")


def test_10_0_only_own_units_gain():
    """The rules refuse an enemy unit and an unknown unit."""
    refused(place(f"1507: r-5 reduced; turn D; {REST}"), gains("r-5 flip", "g-999 flip"), "10.0", number=2)


def test_10_0_1_an_eliminated_unit_comes_back_reduced():
    """A gain places an eliminated unit with its reduced side up, and only an eliminated one; the hex must be named
    (K-14)."""
    state = place(f"1507: g-11; turn D; {REST}")
    assert play(state, gains("g-43 1404")).steps("g-43") == 1
    refused(state, gains("g-11 1404"), "10.0-1", "is not eliminated (1507)")
    refused(state, "orders: {replacements: [{unit: g-43, gain: place}]}", "10.0-1", "name the hex")


def test_10_0_2_a_flip_needs_a_reduced_unit_on_the_map_in_communication():
    """Refused: a full unit, a unit off the map, a unit out of communication, a unit with a named hex (K-14)."""
    state = place(f"1507: g-11 | 2707: g-42 reduced | 2706: r-5 | 2708: r-33; turn D; {REST}")
    assert not in_communication(state, "2707", "german")
    refused(state, gains("g-11 flip"), "10.0-2", "is at full strength already")
    refused(state, gains("g-43 flip"), "10.0-2", "is not on the map (eliminated)")
    refused(state, gains("g-42 flip"), "10.0-2", "is not In Communication")
    text = "orders: {replacements: [{unit: g-11, gain: flip, hex: '1507'}]}"
    refused(state, text, "10.0-2", "a flip names no hex")


def test_10_0_friendly_controlled_passing_through_is_enough():
    """A panzer drives through empty Yelets and out again: Yelets is German. A Russian unit that drives through takes
    Yelets back (K-36)."""
    played = play(place("2510: g-3-pz"), moves("g-3-pz 2511 2610"))
    assert played.controls("2511") == "german"
    state = place("2410: r-4-t; control 2511 german; stage russian-orders")
    played = play(state, moves("r-4-t 2511 2410"))
    assert played.controls("2511") == "russian"
    assert played.at("r-4-t") == "2410"


def test_10_0_friendly_controlled_by_advance_and_by_retreat_and_never_by_leaving():
    """An advance takes a city, and a retreat into or through a city, too. An abandoned city, or a city with a
    destroyed garrison, stays with the side of its last unit (K-36)."""
    state = place("2511: r-9-tc reduced | 2512: g-48-pz | 2411: g-2-ss; turn A; clear")
    orders = battles(attack("2511", "g-48-pz g-2-ss", advance="g-2-ss"))
    assert play(state, orders, dice={"b1": 6}).controls("2511") == "german"
    assert play(state, orders.replace(", advance: ['g-2-ss']", ""), dice={"b1": 6}).controls("2511") == "russian"
    assert play(place("2110: g-3-pz"), moves("g-3-pz 2010")).controls("2110") == "german"
    through = place("2210: r-5 | 2310: g-48-pz | 2211: g-2-ss")
    played = play(through, battles(attack("2210", "g-48-pz g-2-ss", retreat="2010")), dice={"b1": 3})
    assert played.path("r-5") == ("2110", "2010")
    assert played.controls("2110") == "russian"


def test_10_0_friendly_controlled_placing_a_unit_needs_the_city_already():
    """Placed units enter cities that are theirs; control does not change (K-7, K-36)."""
    state = place(f"1507: g-11; turn D; {REST}")
    assert play(state, gains("g-43 1404")).after.marks.get("control", {}) == {}


def test_10_0_in_communication_a_path_to_the_own_edge():
    """Any length, any terrain, over rivers; the hex itself may lie in a zone, the hexes after it may not (K-37)."""
    state = place("1821: g-11 | 1921: r-5 | 0606: g-42")
    assert in_communication(state, "1821", "german")
    assert in_communication(state, "0606", "german")  # on the blue edge
    assert in_communication(state, "3005", "russian")
    assert not in_communication(place("2707: g-11 | 2706: r-5 | 2708: r-33"), "2707", "german")


def test_10_0_in_communication_enemy_cities_block_and_own_edge_hexes_do_not_need_a_path():
    """A chain through an enemy city is none; a unit on its own edge is in communication even inside a zone (K-37,
    K-39)."""
    edge = place("1301: r-43 | 1302: g-2-ss | 1201: g-59")
    assert in_communication(edge, "1301", "russian")
    # 2402 with German zones all round: Moscow blocks no unit, but its neighbors do.
    shut = place("2402: r-5 | 2401: g-11 | 2403: g-42")
    assert not in_communication(shut, "2402", "russian")


def test_10_0_in_communication_the_colours_of_the_edges():
    """Red edges serve Russians, blue edges Germans; the hexes of the north edge behind the Germans serve no side
    (K-39)."""
    pos = view(place("1507: g-11 | 2707: r-5"))
    for label in ("0800", "1000", "2726"):
        hex_ = kursk().board.index[label]
        assert not (pos.setting.edges["german"] | pos.setting.edges["russian"]) >> hex_ & 1
    assert "2000" in names(pos.setting.edges["russian"])
    assert "0610" in names(pos.setting.edges["german"])


def test_10_1_a_unit_gains_one_step_in_a_player_turn():
    """Placed and flipped in one phase, or flipped twice: refused (K-14)."""
    state = place(f"1507: g-11 | 1508: g-42; posture german pause; turn D; {REST.replace('german reposition', '')}")
    assert replacements.count_points(kursk(), state.with_(marks={**state.marks}), "german")["IRP"] == 2
    refused(state, gains("g-43 1404", "g-43 flip"), "10.1", "has gained a step in this phase already")


def test_10_2_edge_hexes_and_cities_for_russians():
    """A Russian army appears on an empty red edge hex outside German zones, or in an empty Russian city in
    communication, in a zone or not (K-15). Not in a German city, not on a blue or neutral edge, not in the open."""
    state = place(f"1601: g-11; turn D; {REST}; stage russian-orders; control 1801 german 1200 german")
    found = placements(state, "r-70")
    assert {"2400", "3010", "2406", "2511"} <= set(found)
    assert not {"1600", "1701", "1501", "1801", "0610", "2726", "2707", "2110"} & set(found)
    assert "1200" not in found  # on the red edge, in no zone, and a German city
    refused(state, gains("r-70 1200"), "10.2", "1200 is a city of the enemy")
    refused(state, gains("r-70 2707"), "10.2", "2707 is neither a city of yours nor a hex on your edge of the map")
    zone = place(f"2510: g-11; turn D; {REST}; stage russian-orders")
    assert "2511" in placements(zone, "r-70")  # in a zone, and in communication
    assert "2511" not in placements(place("2511: r-5; stage russian-orders"), "r-70")  # not empty


def test_10_2_moscow_needs_no_communication():
    """Moscow cut off: a unit may be placed there if Moscow is empty and Russian, and a unit in Moscow may be
    flipped. Tula cut off: no (K-16)."""
    ring = "2401: g-11 | 2403: g-42 | 2407: g-52 | 2405: g-59"
    base = f"turn D; {REST}; stage russian-orders"
    state = place(f"{ring}; {base}")
    assert not in_communication(state, "2402", "russian")
    assert not in_communication(state, "2406", "russian")
    found = placements(state, "r-70")
    assert "2402" in found
    assert "2406" not in found
    inside = place(f"{ring} | 2402: r-63 reduced | 2406: r-70 reduced; {base}")
    assert play(inside, gains("r-63 flip")).steps("r-63") == 2
    refused(inside, gains("r-70 flip"), "10.0-2", "is not In Communication")
    assert "2402" not in placements(place(f"{ring} | 2402: r-63; {base}"), "r-70")


def test_10_2_moscow_is_no_shelter_from_give_ups():
    """A unit in cut-off Moscow is not in communication: no step is asked of it (K-21, K-16)."""
    state = place("2402: r-4-t | 2401: g-11 | 2403: g-42; turn A; clear; stage russian-orders; posture russian engage")
    assert replacements.find_givers(view(state), "russian", "ARP") == []


def test_10_3_west_and_south_edges_and_cities_for_germans():
    """A German corps appears on the blue edges or in German cities in communication (K-15)."""
    state = place(f"2707: r-5; turn D; {REST}")
    found = placements(state, "g-43")
    assert {"0610", "1426", "1404", "2110"} <= set(found)
    assert not {"0800", "2726", "2400", "2113"} & set(found)
    refused(state, gains("g-43 2400"), "10.3", "2400 is neither a city of yours nor a hex on your edge of the map")


def test_10_4_unused_steps_lapse():
    """No points are saved: the next turn has only its own points (K-19)."""
    state = place(f"1507: g-3-pz reduced; turn C; {REST}")
    done = play(state, "")
    assert done.steps("g-3-pz") == 1
    assert not [track for track in done.after.tracks if "rp" in track]
    assert replacements.count_points(kursk(), place(f"turn D; {REST}"), "german") == {"IRP": 1, "ARP": 2}


def test_10_5_types_of_points():
    """Shock takes IRP, Guards and Tank take ARP, whatever their allowance; no IRP is used as ARP (K-14, K-19)."""
    assert [replacements.point_type(kursk(), uid) for uid in ("r-3-sh", "r-63", "g-11")] == ["IRP"] * 3
    assert [replacements.point_type(kursk(), uid) for uid in ("r-1-g", "r-5-gt", "g-3-pz")] == ["ARP"] * 3
    state = place("2402: r-1-g reduced | 2406: r-3-sh reduced; turn 1; posture russian deploy; stage russian-orders")
    assert replacements.count_points(kursk(), state, "russian") == {"IRP": 3, "ARP": 0}
    assert play(state, gains("r-3-sh flip")).steps("r-3-sh") == 2
    refused(state, gains("r-1-g flip"), "10.5", "no armor replacement point (ARP) is left")


MINUS = "1507: g-3-pz | 1508: g-48-pz reduced | 1608: g-11; turn 2"  # German Engage on turn 2: 0 IRP, -2 ARP


def test_10_6_exactly_so_many_steps_are_given_up():
    """Two armor steps: not one, not three, none of infantry; of one unit or of two, by the German's choice (K-21)."""
    state = place(MINUS)
    one = play(state, "orders: {give-ups: [g-3-pz, g-48-pz]}")
    assert (one.steps("g-3-pz"), one.at("g-48-pz")) == (1, "eliminated")
    assert play(state, "orders: {give-ups: [g-3-pz, g-3-pz]}").at("g-3-pz") == "eliminated"
    refused(state, "orders: {give-ups: [g-3-pz]}", "10.6", "1 more armor step must be given up")
    refused(state, "orders: {give-ups: [g-3-pz, g-48-pz, g-3-pz]}", "10.6", "no more armor steps")
    refused(state, "orders: {give-ups: [g-48-pz, g-48-pz, g-3-pz]}", "10.6", "g-48-pz: has no step left")
    refused(
        place(MINUS + "; posture german reposition"), "orders: {give-ups: [g-11, g-3-pz]}", "10.6", "no more infantry"
    )
    refused(state, "orders: {give-ups: [g-3-pz, g-48-pz, r-5]}", "10.6", "belongs to the russian side")


def test_10_6_only_units_in_communication_give_up_and_all_there_are_is_enough():
    """The only panzer in communication has one step: giving up this step is enough, and the unit in the pocket may
    not be named (K-21)."""
    state = place("1507: g-3-pz reduced | 2707: g-48-pz | 2706: r-5 | 2708: r-33; turn 2")
    assert play(state, "orders: {give-ups: [g-3-pz]}").steps("g-48-pz") == 2
    refused(state, "orders: {give-ups: [g-48-pz, g-3-pz]}", "10.6", "is not on the map In Communication")
    assert play(place("2707: g-48-pz | 2706: r-5 | 2708: r-33; turn 2"), "").steps("g-48-pz") == 2


def test_10_6_the_order_of_the_phase_gains_before_give_ups():
    """Gains of one type come before give-ups of the other, whatever the file's order: in turn 2 a German Deploy has
    1 IRP and -2 ARP (K-13)."""
    state = place("1507: g-3-pz | 1508: g-11 reduced; turn 2; posture german deploy")
    text = "orders: {give-ups: [g-3-pz, g-3-pz], replacements: [{unit: g-11, gain: flip}]}"
    played = play(state, text)
    changes = [event for event in played.events if isinstance(event, (Placed, StepsLost))]
    assert [type(event).__name__ for event in changes] == ["Placed", "StepsLost"]


def test_10_6_a_draft_proposes_the_least_painful():
    """Full units by least loss and id, then reduced ones by least strength and id (K-22)."""
    state = place("1507: g-3-pz | 1508: g-48-pz | 1608: g-24-pz | 1609: g-56-pz reduced | 1610: g-57-pz")
    proposal = replacements.proposed_give_ups(view(state), "german", {"IRP": 0, "ARP": -6})
    assert proposal == ["g-57-pz", "g-24-pz", "g-3-pz", "g-48-pz", "g-24-pz", "g-3-pz"]


def test_10_6_a_unit_given_up_wholly_can_be_rebuilt():
    """The unit is in the box of eliminated units like any other unit (K-21)."""
    gone = play(place(MINUS), "orders: {give-ups: [g-48-pz, g-3-pz]}").after
    back = place(f"1507: g-3-pz reduced; turn D; {REST}")
    assert gone.units["g-48-pz"] == back.units["g-48-pz"]
    assert play(back, gains("g-48-pz 1404")).steps("g-48-pz") == 1


def test_10_7_nearest_to_the_formation():
    """A corps of 9th Army returns as near as possible to another unit of 9th Army: Orel is nearest to its corps at
    2010. If no unit of 9th Army is on the map, the corps may appear anywhere (K-17)."""
    state = place(f"2010: g-46-pz | 1404: g-11; turn D; {REST}")
    assert placements(state, "g-41-pz") == ["2110"]
    refused(state, gains("g-41-pz 1808"), "10.7", "1808 is not the nearest place to its formation; possible: 2110")
    assert len(placements(place(f"1404: g-11; turn D; {REST}"), "g-41-pz")) > 20


def test_10_7_equal_distances_are_the_owners_choice():
    """Chernigov and Konotop are equally near to a corps at 1412: either will do (K-17)."""
    state = place(f"1412: g-46-pz; turn D; {REST}")
    assert placements(state, "g-41-pz") == ["1213", "1514"]
    for label in ("1213", "1514"):
        assert play(state, gains(f"g-41-pz {label}")).at("g-41-pz") == label


def test_10_7_units_placed_earlier_count_and_fill_their_hex():
    """Two corps of one army without a unit on the map: the first may appear anywhere, the second only as near to the
    first as possible, and not in its hex (K-18)."""
    state = place(f"1015: g-11; turn D; {REST}")
    assert play(state, gains("g-41-pz 1808", "g-46-pz 1507")).at("g-46-pz") == "1507"
    refused(state, gains("g-41-pz 1808", "g-46-pz 1808"), "10.3", "1808 is occupied by g-41-pz; possible: 1507, 2110")
    refused(state, gains("g-41-pz 1808", "g-46-pz 0610"), "10.7", "0610 is not the nearest")


def test_10_7_detachment_kempf_is_4th_panzer_army():
    """III Panzer Corps of Kempf returns near II SS Panzer Corps (3.3, K-17)."""
    assert placements(place(f"2117: g-2-ss; turn D; {REST}"), "g-3-pz") == ["2116"]


def test_4_0_a_unit_acts_in_the_turn_in_which_it_came():
    """Placed in Orel in Phase 2, by rail to Kursk's line in Phase 3: it began that phase on an own railway (K-23)."""
    state = place("2707: r-5; turn B; posture german deploy")
    rail = moves("g-43 2111 2112", "armor-and-rail").removeprefix("orders:\n")
    assert play(state, f"{gains('g-43 2110')}\n{rail}").at("g-43") == "2112"


OFF = f"1507: g-11 | off-map: g-48-pz reduced; turn D; {REST}"


def test_9_3_dr_off_the_map_the_unit_returns_for_nothing():
    """In its owner's next Replacement Phase the unit is placed like a replacement, with its strength at departure,
    before any gain; a gain may flip the unit at once (K-13, K-20)."""
    state = place(OFF.replace("1507: g-11 | ", ""))
    text = "orders: {returns: [{unit: g-48-pz, hex: '1404'}], replacements: [{unit: g-48-pz, gain: flip}]}"
    played = play(state, text)
    assert (played.at("g-48-pz"), played.steps("g-48-pz")) == ("1404", 2)
    refused(
        state, "orders: {returns: [{unit: g-11, hex: '1404'}]}", "9.3-dr-off-the-map", "has not retreated off the map"
    )
    refused(state, gains("g-48-pz 1404"), "10.0-1", "is not eliminated")


def test_9_3_dr_off_the_map_not_ordered_means_the_lowest_label():
    """Without an order the umpire places the unit at the lowest of its permitted hexes (K-20). The formation rule
    applies: next to XI Corps at Roslavl means the city nearest to Roslavl."""
    played = play(place(OFF), "")
    assert played.at("g-48-pz") == placements(place(OFF), "g-48-pz")[0]
    assert played.steps("g-48-pz") == 1


def test_9_3_dr_off_the_map_it_waits_while_no_place_qualifies():
    """A Russian off the map with every red edge hex and city shut or taken waits for the next phase (K-20)."""
    game = kursk()
    state = place(f"off-map: r-5 reduced; turn D; {REST}; stage russian-orders")
    homes = [game.board.labels[hex_] for hex_, side in game.city_side.items() if side == "russian"]
    taken = sorted({*names(game.edges["russian"]), *homes})
    others = [uid for uid, counter in game.counters.items() if counter.side == "russian" and uid != "r-5"]
    full = {uid: Unit(label, 2) for uid, label in zip(others, taken, strict=False)}
    assert len(full) == len(taken)
    played = play(state.with_(units={**state.units, **full}))
    assert played.at("r-5") == "off-map"
    assert [event.rule for event in played.of(Noted) if "waits" in event.text] == ["9.3-dr-off-the-map"]
    gone = next(uid for uid, unit in full.items() if unit.place == "2406")
    room = {**state.units, **full, gone: Unit("eliminated", 0)}
    assert play(state.with_(units=room)).at("r-5") == "2406"


def test_9_3_who_waits_off_the_map_can_be_named_to_return():
    """Bug: the phase of the return was adjudicated before the list: 'now there is no choice'. And the output
    described a flip to full strength 'in off-map'."""
    state = place("off-map: g-52 reduced | 2016: g-3-pz | 2418: r-40; posture german pause; turn 4")
    assert ordered(state, "return", "52 2117")[1] == ["g-52"]
    assert ordered(state, "replace", "52")[0][0].said == "LII (g-52) comes to full strength"


def test_10_7_who_is_rebuilt_already_does_not_change_where_it_may_be():
    """Bug: the second order wrote or advised a hex next to the unit's own hex, and the rules refused the hex."""
    state = place("2015: r-38 | 2110: r-48 | 2113: r-70; posture russian pause; stage russian-orders; turn 4")
    held = {"orders": {"replacements": [{"unit": "r-40", "gain": "place", "hex": "2414"}]}}
    for draft in ({}, held):
        assert ordered(state, "replace", "40", draft)[0][-1].value["hex"] == "2414"
