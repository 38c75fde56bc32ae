"""7.0 Zones of control, 8.0 Movement, 8.1 rail movement, 11.1 mud: a test for each paragraph."""

from rulesets.battle_for_kursk.board import moves, place, play, refused

RUSSIAN_MOVES = "stage russian-orders"


def test_7_1_from_one_zone_straight_into_another():
    """A unit that starts in an EZOC leaves the EZOC freely; its first step may enter the next EZOC, where the unit
    stops."""
    state = place(f"2707: g-11 | 2708: r-5; {RUSSIAN_MOVES}")
    assert play(state, moves("r-5 2807")).at("r-5") == "2807"
    refused(state, moves("r-5 2807 2806"), "8.3", "2807 lies in an enemy zone")
    assert play(state, moves("r-5 2709 2809 2808")).mp("r-5") == "3"


def test_8_0_units_move_in_the_order_written():
    """A column moves off head first: the rear unit may end where the head stood only if the head has left (K-24)."""
    state = place("2707: g-11 | 2708: g-42")
    assert play(state, moves("g-42 2709, g-11 2708")).at("g-11") == "2708"
    refused(state, moves("g-11 2708, g-42 2709"), "8.2.2", "2708 holds a friendly unit")
