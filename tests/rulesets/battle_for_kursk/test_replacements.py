"""10.0 Replacements: points, flips, placements, returns, give-ups; communication and control of cities."""

from rulesets.battle_for_kursk.board import in_communication, ordered, place, placements, play, refused

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


def test_10_7_nearest_to_the_formation():
    """A corps of 9th Army returns as near as possible to another unit of 9th Army: Orel is nearest to its corps at
    2010. If no unit of 9th Army is on the map, the corps may appear anywhere (K-17)."""
    state = place(f"2010: g-46-pz | 1404: g-11; turn D; {REST}")
    assert placements(state, "g-41-pz") == ["2110"]
    refused(state, gains("g-41-pz 1808"), "10.7", "1808 is not the nearest place to its formation; possible: 2110")
    assert len(placements(place(f"1404: g-11; turn D; {REST}"), "g-41-pz")) > 20


def test_10_7_units_placed_earlier_count_and_fill_their_hex():
    """Two corps of one army without a unit on the map: the first may appear anywhere, the second only as near to the
    first as possible, and not in its hex (K-18)."""
    state = place(f"1015: g-11; turn D; {REST}")
    assert play(state, gains("g-41-pz 1808", "g-46-pz 1507")).at("g-46-pz") == "1507"
    refused(state, gains("g-41-pz 1808", "g-46-pz 1808"), "10.3", "1808 is occupied by g-41-pz; possible: 1507, 2110")
    refused(state, gains("g-41-pz 1808", "g-46-pz 0610"), "10.7", "0610 is not the nearest")


def test_9_3_who_waits_off_the_map_can_be_named_to_return():
    """Bug: the phase of the return was adjudicated before the list: 'now there is no choice'. And the output
    described a flip to full strength 'in off-map'."""
    state = place("off-map: g-52 reduced | 2016: g-3-pz | 2418: r-40; posture german pause; turn 4")
    assert ordered(state, "return", "52 2117")[1] == ["g-52"]
    assert ordered(state, "replace", "52")[0][0].said == "LII (g-52) comes to full strength"
