"""10.0 Replacements: points, flips, placements, returns, give-ups; communication and control of cities."""

from rulesets.battle_for_kursk.board import ordered, place, placements, play, refused

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
