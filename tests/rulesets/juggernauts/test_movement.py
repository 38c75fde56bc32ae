"""10.0 zones, 12.0 stacking, 13.0 operational movement, 16.1 supply, 5.0 recovery."""

from dataclasses import replace

import pytest

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import readiness
from kursk_pbem.rulesets.juggernauts.position import position
from rulesets.juggernauts.board import (
    at,
    attack,
    fight,
    is_,
    july,
    list_notes,
    list_reachable,
    list_refusals,
    list_slips,
    order_moves,
    place,
    pos,
)


def zone(state, side):
    return {*july().board.names(pos(state).zone(side).mask)}


def test_10_0_zones_of_armies_and_korps():
    """J-21, J-38: Disrupted or not; Hungarians and corps have no zone."""
    around = {"S15", "S16", "T16", "U16", "U15", "T14"}
    for text in ("T15: r-57a", "T15: r-57a; disrupted r-57a", "T15: r-2ta"):
        assert zone(place(text), "russian") == around
    assert zone(place("T15: g-42k"), "german") == around
    for nobody in ("T15: h-8k", "T15: r-1tc", "T15: r-1mc", "T15: r-5gcc"):
        assert not zone(place(nobody), "german") | zone(place(nobody), "russian")


def test_10_0_zones_of_two_divisions():
    """J-21: two undisrupted divisions, stacked or adjacent."""
    assert not zone(place("T15: g-4pz"), "german")
    assert zone(place("T15: g-4pz g-12pz"), "german") == {"S15", "S16", "T16", "U16", "U15", "T14"}
    assert zone(place("T15: g-4pz | T14: g-12pz"), "german") == {"S15", "U15"}
    assert not zone(place("T15: g-4pz g-12pz; disrupted g-12pz"), "german")


def test_10_0_brackets_have_no_zone():
    """J-22."""
    for text in ("T15: g-505 g-656", "T15: g-221s", "T15: r-4ak"):
        assert not zone(place(text), "german") | zone(place(text), "russian")


def test_10_0_a_move_ends_in_a_zone():
    state = place("T15: r-57a | R15: g-48pzk")
    assert list_slips(order_moves(state, ("g-48pzk", "S15 T14 U14"))) == ["10.0"]
    assert at(order_moves(state, ("g-48pzk", "S15")), "g-48pzk") == "S15"


def test_10_0_move_from_zone_to_zone():
    """J-21: never of the same enemy; of another enemy only as a move of one hex."""
    same = place("T15: r-57a | S15: g-48pzk")
    assert list_slips(order_moves(same, ("g-48pzk", " T14"))) == ["10.0-move"]
    assert at(order_moves(same, ("g-48pzk", "T14")), "g-48pzk") == "T14"  # around, out of the zone and in again
    assert at(order_moves(same, ("g-48pzk", "S14 T13 U14")), "g-48pzk") == "U14"
    other = place("T15: r-57a | R13: r-6a | S15: g-48pzk")
    assert at(order_moves(other, ("g-48pzk", "S14")), "g-48pzk") == "S14"
    assert list_slips(order_moves(other, ("g-48pzk", "S14 T13"))) == ["10.0"]


def test_10_0_move_not_across_a_river_or_a_line():
    """J-42, J-56: every line counts, also friendly lines, but not lost lines. The move needs its factor."""
    assert list_slips(order_moves(place("O11: r-57a | O14: r-6a | O12: g-48pzk"), ("g-48pzk", " O13"))) == ["10.0-move"]
    line = "O9: r-57a | O12: r-6a | O10: g-42k"
    assert list_slips(order_moves(place(line), ("g-42k", " O11"))) == ["10.0-move"]
    assert not list_slips(order_moves(place(f"{line}; lost O11"), ("g-42k", " O11")))
    assert list_reachable(place("T15: g-42k | S15: r-10a; stage russian-dice"), "r-10a", second=True) == set()


def test_10_0_friends_make_a_move_of_one_hex_free():
    """J-21: also a friend that has just left."""
    state = place("T15: r-57a | S15: g-48pzk | T14: g-42k")
    assert at(order_moves(state, ("g-48pzk", "T14")), "g-48pzk") == "T14"
    gone = order_moves(state, ("g-42k", "T13"), ("g-48pzk", "T14"))
    assert not gone.violations
    assert at(gone, "g-48pzk") == "T14"


def test_12_0_stacking_limits():
    """J-27: Germans three units, two korps, one panzerkorps; Russians two and an artillery korps."""
    where = july().board.index["T15"]
    for text, uid, keeps in (
        ("T15: g-42k g-505", "g-52k", True),
        ("T15: g-42k g-30k", "g-52k", False),
        ("T15: g-48pzk", "g-3pzk", False),
        ("T15: g-42k g-505 g-503", "g-656", False),
        ("T15: r-57a r-6a", "r-4ak", True),
        ("T15: r-57a r-6a", "r-1tc", False),
        ("T15: r-57a r-6a r-4ak", "r-7ak", False),
        ("T15: r-4ak r-7ak", "r-2ak", True),
    ):
        assert pos(place(f"{text} | R15: {uid}")).has_room(uid, where) == keeps, (text, uid)


def test_12_0_over_the_limit_who_moves_is_disrupted():
    """J-27, J-56: in the last hex or on the way."""
    state = place("T15: g-42k g-30k | R15: g-52k g-46pzk")
    umpire = order_moves(state, ("g-46pzk", "S15 T15 U15"))
    assert is_(umpire, "disrupted", "g-46pzk")
    assert at(umpire, "g-46pzk") == "U15"
    assert not is_(umpire, "disrupted", "g-42k")
    assert not is_(
        order_moves(state, ("g-46pzk", "U15")), "disrupted", "g-46pzk"
    )  # without a path the unit goes around


def test_12_0_over_the_limit_by_a_retreat_the_stack_is_disrupted():
    """J-45: a hex with room comes first; without room, all units are Disrupted."""
    ring = "T15: r-57a | S15: g-2ss | S16: g-13k | T14: g-7k"
    full = place(f"{ring} | T16: r-6a r-1tc | U16: r-10a r-2tc | U15: r-69a r-9tc")
    umpire = fight(full, attack("T15", "g-2ss"), dice="3")
    where = at(umpire, "r-57a")
    assert where in ("T16", "U16", "U15")
    there = [uid for uid, unit in umpire.state.units.items() if unit.place == where]
    assert all(is_(umpire, "disrupted", uid) for uid in there)
    roomy = place(f"{ring} | T16: r-6a r-1tc | U15: r-69a r-9tc")
    assert at(fight(roomy, attack("T15", "g-2ss"), dice="3"), "r-57a") not in ("T16", "U15")


def test_13_0_moves_one_after_the_other_and_never_into_enemies():
    state = place("T15: r-57a | R15: g-48pzk")
    assert list_slips(order_moves(state, ("g-48pzk", "S15 T15"))) == ["10.0"]
    assert list_slips(order_moves(state, ("r-57a", "T16"), ("g-9", "T16"), ("g-42k", "T16"))) == ["13.0"] * 3
    assert list_slips(order_moves(place("R15: g-48pzk"), ("g-48pzk", "R16"), ("g-48pzk", "R17"))) == ["13.0"]
    assert list_slips(order_moves(place("S15: g-48pzk | T15: r-1tc"), ("g-48pzk", "T15"))) == ["13.0"]
    assert list_slips(order_moves(place("S15: g-48pzk"), ("g-48pzk", "Z9"))) == ["13.0"]


@pytest.mark.parametrize(
    ("uid", "far"), [("g-48pzk", 6), ("g-42k", 4), ("h-8k", 3), ("r-1mc", 6), ("r-6ga", 5), ("r-57a", 4), ("r-4ak", 6)]
)
def test_13_1_factors_and_13_2_bonus(uid, far):
    """J-38: factors and bonus over open ground."""
    side = "russian" if uid.startswith("r") else "german"
    board, state = july().board, place(f"R15: {uid}; stage {side}-orders")
    assert max(board.distance(board.index["R15"], board.index[label]) for label in list_reachable(state, uid)) == far


def test_13_1_tanks_pay_for_rivers():
    state = place("E9: g-48pzk")
    assert [event.mp for event in order_moves(state, ("g-48pzk", "E8 E7 E6 E5")).events if hasattr(event, "mp")] == [
        "5"
    ]
    assert list_slips(order_moves(state, ("g-48pzk", "E8 E7 E6 E5 E4"))) == ["13.1"]
    assert dict(july().by_land[False](july().board.index["E9"]))[july().board.index["E8"]] == 1


def test_13_2_no_bonus_out_of_or_into_zones():
    """J-23: zones of undisrupted armies in hexes without a friend."""
    fresh, tired = place("T15: r-57a | R12: g-42k"), place("T15: r-57a | R12: g-42k; disrupted r-57a")
    assert "S15" not in list_reachable(fresh, "g-42k")
    assert "S15" in list_reachable(tired, "g-42k")
    assert "S15" in list_reachable(place("T15: r-57a | R12: g-42k | S15: g-30k"), "g-42k")
    two = list_reachable(place("T15: r-57a | R13: g-42k | S15: g-30k g-505"), "g-42k")
    assert "S15" in two
    assert "S16" not in two  # two friends in one hex are not in the next hex
    start = place("T15: r-57a | S15: g-42k")
    board = july().board
    far = {board.distance(board.index["S15"], board.index[label]) for label in list_reachable(start, "g-42k")}
    assert max(far) == 2
    stays = list_reachable(place("T15: r-57a | S15: g-42k g-30k"), "g-42k")
    assert max(board.distance(board.index["S15"], board.index[label]) for label in stays) == 4


def test_13_2_who_used_the_bonus_does_not_attack():
    umpire = order_moves(place("T15: r-57a | R11: g-42k; disrupted r-57a"), ("g-42k", "S15"))
    assert list_refusals(umpire.state, attack("T15", "g-42k"))[0][0] == "13.2"


def test_13_3_second_step_for_who_has_done_nothing():
    """J-24: one factor less; the bonus remains."""
    first = order_moves(place("R15: g-48pzk | Q15: g-3pzk"), ("g-48pzk", "R14")).state.with_(stage="german-dice")
    assert list_slips(order_moves(first, ("g-48pzk", "R15"))) == ["13.3"]
    assert at(order_moves(first, ("g-3pzk", "Q16")), "g-3pzk") == "Q16"
    board = july().board
    far = max(
        board.distance(board.index["Q15"], board.index[label]) for label in list_reachable(first, "g-3pzk", second=True)
    )
    assert far == 5
    fought = fight(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss"), dice="5").state
    assert list_slips(order_moves(fought.with_(stage="german-dice"), ("g-2ss", "R15"))) == ["13.3"]
    beside = place("T15: r-57a | R14: g-48pzk | S16: g-3pzk | T16: r-6a")
    near = order_moves(beside, ("g-48pzk", "S15")).state.with_(stage="german-dice")
    assert [rule for rule, _why in list_refusals(near, attack("T15", "g-48pzk"))] == ["13.3"]
    assert not list_refusals(near, attack("T15", "g-3pzk"))
    later = order_moves(beside.with_(stage="german-dice"), ("g-48pzk", "S15")).state
    assert not list_refusals(later, attack("T15", "g-48pzk"))


def test_13_4_run_over_a_lone_unit_in_square_brackets():
    """J-22: not in round brackets, and not two units."""
    state = place("T15: g-221s | R15: r-1mc; stage russian-orders")
    umpire = order_moves(state, ("r-1mc", "S15 T15 U15"))
    assert at(umpire, "g-221s") == "eliminated"
    assert at(umpire, "r-1mc") == "U15"
    assert list_slips(
        order_moves(place("T15: g-221s g-505 | R15: r-1mc; stage russian-orders"), ("r-1mc", "S15 T15"))
    ) == ["13.0"]
    assert list_slips(order_moves(place("T15: r-4ak | R15: g-48pzk"), ("g-48pzk", "S15 T15"))) == ["13.0"]


def test_13_4_run_over_not_through_the_front_of_a_line():
    """J-41."""
    state = place("H9: g-221s | I9: r-1mc; stage russian-orders")
    assert list_slips(order_moves(state, ("r-1mc", "H9"))) == ["15.2"]
    lost = place("H9: g-221s | I9: r-1mc; stage russian-orders; lost H9")
    assert at(order_moves(lost, ("r-1mc", "H9")), "g-221s") == "eliminated"


def test_16_1_supply_lines():
    """J-33: not through enemies, and not through their zones without a friend outside square brackets."""
    ring = "T15: r-11ga | S15: g-52k | T16: g-42k | U15: g-30k"
    assert not pos(place(ring)).is_supplied("r-11ga")
    assert pos(place(f"{ring} | S16: r-1tc | R16: r-2tc")).is_supplied("r-11ga")
    weak = "T15: g-221s | S15: r-57a | T16: r-6a | U15: r-10a"
    assert not pos(place(weak)).is_supplied("g-221s")
    firm = "T15: g-52k | S15: r-57a | T16: r-6a | W14: r-10a"
    assert pos(place(firm)).is_supplied("g-52k")


def test_16_1_supply_and_lines():
    """J-50: an enemy first line blocks supply only from its front; other lines never do."""
    setting = replace(july(), edges={"german": 1 << july().board.index["A17"], "russian": july().edges["russian"]})

    def supplied(text):
        return position(setting, place(text)).is_supplied("g-42k")

    assert pos(place("G9: r-57a")).is_supplied("r-57a")
    assert not supplied("H9: g-42k")
    assert supplied("H9: g-42k; lost I9")
    assert supplied("I11: g-42k")
    assert supplied("J9: g-42k")


def test_16_2_out_of_supply_who_moves_or_attacks_is_disrupted():
    """J-33, J-56: at the start of the move."""
    ring = "T15: r-11ga | S15: g-52k | T16: g-42k | U15: g-30k; stage russian-orders"
    umpire = fight(place(ring), attack("S15", "r-11ga"), dice="2")
    assert is_(umpire, "disrupted", "r-11ga")
    assert any(shift.rule == "16.2" for event in umpire.events for shift in getattr(event, "shifts", ()))
    poor = place("T15: r-1tc | S15: g-52k | T16: g-42k | U15: g-30k; stage russian-orders")
    assert list_slips(order_moves(poor, ("r-1tc", "S16"))) == ["10.0-move"]
    pocket = place(
        "T15: r-1tc | R14: g-42k | R16: g-52k | T17: g-30k | V16: g-7k | V14: g-20k | T13: g-13k; stage russian-orders"
    )
    assert not pos(pocket).is_supplied("r-1tc")
    assert list_notes(order_moves(pocket, ("r-1tc", " T16")), "16.2") == [
        "1st Tank Corps is Disrupted: moved out of supply"
    ]


def recovered(state, run, side):
    umpire = Umpire(july(), state, 1)
    run(umpire, Filing(1, side))
    return {uid for uid in state.marks["disrupted"] if not umpire.state.mark("disrupted", uid)}


def test_5_0_recovery_by_kind_and_only_in_supply():
    """J-13: Germans in their step 8, Guards in theirs, others in step 3."""
    ring = "T15: r-11ga r-1tc | S15: g-52k | T16: g-42k | U15: g-30k | R17: r-6ga r-57a"
    state = place(f"{ring}; disrupted r-11ga r-1tc r-6ga r-57a g-52k")
    assert recovered(state, readiness.recover_unattacked, "german") == {"r-57a"}
    assert recovered(state, readiness.recover_own, "russian") == {"r-6ga"}
    assert recovered(state, readiness.recover_own, "german") == {"g-52k"}


def test_16_3_lack_of_supply_alone_eliminates_nobody():
    """J-33, J-56: the report lists units out of supply."""
    state = place("T15: r-11ga | S15: g-52k | T16: g-42k | U15: g-30k; stage russian-orders")
    umpire = Umpire(july(), state, 1)
    readiness.report_supply(umpire, Filing(1, "russian"))
    assert list_notes(umpire, "19.3-6") == ["out of supply: 11th Guards Army"]
    assert umpire.state == state
