"""10.0 zones, 12.0 stacking, 13.0 operational movement, 16.1 supply, 5.0 recovery."""

from dataclasses import replace

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
    list_slips,
    order_moves,
    place,
    pos,
)


def zone(state, side):
    return {*july().board.names(pos(state).zone(side).mask)}


def test_10_0_zones_of_two_divisions():
    """J-21: two undisrupted divisions, stacked or adjacent."""
    assert not zone(place("T15: g-4pz"), "german")
    assert zone(place("T15: g-4pz g-12pz"), "german") == {"S15", "S16", "T16", "U16", "U15", "T14"}
    assert zone(place("T15: g-4pz | T14: g-12pz"), "german") == {"S15", "U15"}
    assert not zone(place("T15: g-4pz g-12pz; disrupted g-12pz"), "german")


def test_10_0_move_not_across_a_river_or_a_line():
    """J-42, J-56: every line counts, also friendly lines, but not lost lines. The move needs its factor."""
    assert list_slips(order_moves(place("O11: r-57a | O14: r-6a | O12: g-48pzk"), ("g-48pzk", " O13"))) == ["10.0-move"]
    line = "O9: r-57a | O12: r-6a | O10: g-42k"
    assert list_slips(order_moves(place(line), ("g-42k", " O11"))) == ["10.0-move"]
    assert not list_slips(order_moves(place(f"{line}; lost O11"), ("g-42k", " O11")))
    assert list_reachable(place("T15: g-42k | S15: r-10a; stage russian-dice"), "r-10a", second=True) == set()


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


def test_13_0_moves_one_after_the_other_and_never_into_enemies():
    state = place("T15: r-57a | R15: g-48pzk")
    assert list_slips(order_moves(state, ("g-48pzk", "S15 T15"))) == ["10.0"]
    assert list_slips(order_moves(state, ("r-57a", "T16"), ("g-9", "T16"), ("g-42k", "T16"))) == ["13.0"] * 3
    assert list_slips(order_moves(place("R15: g-48pzk"), ("g-48pzk", "R16"), ("g-48pzk", "R17"))) == ["13.0"]
    assert list_slips(order_moves(place("S15: g-48pzk | T15: r-1tc"), ("g-48pzk", "T15"))) == ["13.0"]
    assert list_slips(order_moves(place("S15: g-48pzk"), ("g-48pzk", "Z9"))) == ["13.0"]


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


def test_16_3_lack_of_supply_alone_eliminates_nobody():
    """J-33, J-56: the report lists units out of supply."""
    state = place("T15: r-11ga | S15: g-52k | T16: g-42k | U15: g-30k; stage russian-orders")
    umpire = Umpire(july(), state, 1)
    readiness.report_supply(umpire, Filing(1, "russian"))
    assert list_notes(umpire, "19.3-6") == ["out of supply: 11th Guards Army"]
    assert umpire.state == state
