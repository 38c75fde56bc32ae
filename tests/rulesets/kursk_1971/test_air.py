"""9.0 Air units: bases, five missions, their dice."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Fought, Removed, Rolled, Unmarked
from kursk_pbem.report import battle
from kursk_pbem.rulesets.kursk_1971 import air, movement, raids
from kursk_pbem.rulesets.kursk_1971.orders import Raid
from kursk_pbem.rulesets.kursk_1971.raids import share_patrols
from kursk_pbem.rulesets.kursk_1971.seen import wording
from rulesets.kursk_1971.board import (
    at,
    attack,
    bare,
    events,
    fight,
    go,
    legal,
    play,
    points,
    pos,
    raid,
    refused,
    said,
    where,
)

HOME = {"1510": "g-air1 g-air2", "2001": "s-1t"}
RAIDED = {"1510": "g-air1 g-air2 g-air3", "1511": "g-air4 g-air5", "1520": "s-air1 s-air2", "2022": "s-1t"}


def patrols(fought):
    """Return the patrols in the arithmetic of attacked bases."""
    (base,) = fought.defence.rows
    return tuple(told.removeprefix("1 more by the patrol of ") for told in base.changes[1:])


def fly(unit, hex_):
    return {"unit": unit, "hex": hex_}


def test_9_0_ground_elements_do_not_attack():
    """S-26, S-53: base and aircraft are one unit in the hex of the ground element."""
    game = bare()
    state = at(game, {"1514": "g-air1 g-gd", "1513": "s-61-1"})
    assert refused(game, state, {"battles": [attack("1513", "g-gd g-air1")]}) == ["9.0"]
    assert set(game.counters) == {*state.units}
    assert "g-gse1" not in state.units


def test_9_0_procedure_as_far_as_its_range():
    """S-50: range is twelve hexes on any terrain, in or out of supply."""
    game = bare(forest=[f"15{row:02d}" for row in range(11, 22)])
    state = at(game, {**HOME, "0316": "s-13at"})
    assert not pos(game, state).is_supplied("g-air1")
    assert legal(game, state, {"patrol": [fly("g-air1", "1522")]})
    assert refused(game, state, {"patrol": [fly("g-air1", "1523")]}) == ["9.0-d3"]
    assert refused(game, state, {"patrol": [fly("g-air1", "9999"), fly("s-air1", "1511")]}) == ["9.0-d3", "9.0-d3"]


def test_9_0_a_any_number_of_aircraft_over_a_hex():
    game = bare()
    orders = {"patrol": [fly("g-air1", "1514"), fly("g-air2", "1514")]}
    after = legal(game, at(game, HOME), orders)
    assert after.marks["patrol"] == {"g-air1": "1514", "g-air2": "1514"}


def test_9_0_b_each_aircraft_has_its_own_base():
    """S-53: the counters of a number are one unit and are lost together."""
    game = bare()
    state = at(game, {**HOME, "1511": "s-5t"}, side="soviet", patrol={"g-air1": "2020"})
    after = fight(game, state, attack("1510", "s-5t"), faces={}).after
    assert where(after, "g-air1", "g-air2") == ["eliminated", "eliminated"]
    assert "patrol" not in after.marks


def test_9_0_c_a_base_moves_on_foot_and_pays_as_motorized():
    """S-61: bases move in the initial movement only, and do not both move and fly."""
    game = bare(forest=["1509"])
    state = at(game, HOME)
    moved = play(game, state, {"movement": [go("g-air1", "1509", "1508")]})
    assert moved.violations == ()
    assert where(moved.after, "g-air1") == "1508"
    assert moved.after.mark("flown", "g-air1") == "base-move"
    assert refused(game, state, {"movement": [go("g-air1", "1505")]}) == ["3.0-a"], "five points of four"
    both = {"movement": [go("g-air1", "1509")], "patrol": [fly("g-air1", "1514")]}
    assert refused(game, state, both) == ["9.0-d3"]
    flown = at(game, {**HOME, "1520": "s-air1"}, patrol={"s-air1": "1515"})
    first = {"interception": [fly("g-air1", "1515")], "movement": [go("g-air1", "1509")]}
    assert refused(game, flown, first) == ["9.0-c"]


def test_9_0_d_one_mission_in_a_game_turn():
    """S-23: aircraft in flight during the enemy's turn are free after that turn."""
    game = bare()
    state = at(game, {**HOME, "1520": "s-air1", "1514": "g-gd", "1513": "s-61-1"})
    two = {"battles": [attack("1513", "g-gd", support="g-air1")], "superiority": [raid("s-air1", "g-air1")]}
    assert refused(game, state, two) == ["9.0-d1"]
    assert refused(game, state, {"patrol": [fly("g-air1", "1514"), fly("g-air1", "1513")]}) == ["9.0-d3"]
    up = legal(game, state, {"patrol": [fly("g-air1", "1514")]})
    assert up.mark("flown", "g-air1") == "patrol"
    down = legal(game, up, seq=3)
    assert down.side == "german"
    assert not down.marks.get("flown")
    assert not down.marks.get("patrol")


@pytest.mark.parametrize(("kind", "modifier", "die"), [((), 2, "5"), (("forest",), 1, "4"), (("river",), 0, "")])
def test_9_0_d1_two_more_on_the_die(kind, modifier, die):
    """S-4: cases of the text: 3 becomes 5, -1 becomes +1, -2 is cancelled."""
    more = {"forest": ["1513"]} if "forest" in kind else {"rivers": ["1513-1514"]} if "river" in kind else {}
    game = bare(**more)
    state = at(game, {**HOME, "1514": "g-gd", "1513": "s-5t"})
    (fought,) = events(fight(game, state, attack("1513", "g-gd", support="g-air1"), faces={"b1": "3"}), Fought)
    assert sum(shift.by for shift in fought.shifts) == modifier
    assert fought.die == die


def test_9_0_d1_one_for_an_attack_in_range():
    game = bare()
    state = at(game, {"3005": "g-air1", "1514": "g-gd", "1513": "s-61-1"})
    assert refused(game, state, {"battles": [attack("1513", "g-gd", support="g-air1")]}) == ["9.0-d1"]
    assert refused(game, state, {"battles": [attack("1513", "g-gd", support="g-gd")]}) == ["9.0-d1"]
    far = said(game, state, {"battles": [attack("1513", "g-gd", support="g-air1")]})
    assert far == "b1: g-air1 flies 12 hexes from its base, but 1513 is 15 hexes away"
    moved = {"movement": [go("g-air1", "3006")], "battles": [attack("1513", "g-gd", support="g-air1")]}
    assert "b1: g-air1 has moved its ground element" in said(game, state, moved)


SUPPORTED = {**HOME, "1514": "g-gd", "1513": "s-5t", "1520": "s-air1"}


@pytest.mark.parametrize("choice", ["skip", "attack"])
def test_9_0_d1_support_that_a_patrol_keeps_away(choice):
    """S-24, S-51: support may be declared; without it the attack is skipped or fought. The aircraft have not flown."""
    game = bare()
    state = at(game, SUPPORTED, patrol={"s-air1": "1513"})
    order = attack("1513", "g-gd", support="g-air1", unsupported=choice)
    result = fight(game, state, order, faces={"b1": "1"})
    (fought,) = events(result, Fought)
    assert bool(fought.column) == (choice == "attack")
    assert not fought.shifts
    assert result.middle.mark("flown", "g-air1") == ""
    assert legal(game, result.middle, {"patrol": [fly("g-air1", "1514")]}, seq=4)


def test_9_0_d1_judged_when_the_attack_comes():
    """S-51: a patrol ends with the destruction of its base from the air."""
    game = bare()
    state = at(game, SUPPORTED, patrol={"s-air1": "1513"})
    order = attack("1513", "g-gd", support="g-air1")
    result = fight(game, state, order, raids=[raid("s-air1", "g-air2")], faces={"r1": "6", "b1": "1"})
    assert events(result, Fought)[1].shifts[0].by == 2


def test_9_0_d2_interdiction_controls_one_hex():
    """S-22: 3 to enter, 2 to leave, until the end of the enemy's player turn."""
    game = bare()
    state = at(game, {**HOME, "1514": "s-61-1", "1517": "s-61-2"})
    up = legal(game, state, {"interdiction": [fly("g-air1", "1515")]})
    here = pos(game, up)
    assert game.board.names(here.find_controlled("soviet") & ~here.find_zone("german")) == ["1515"]
    assert refused(game, up, {"movement": [go("s-61-1", "1515", "1516")]}, seq=3) == ["3.0-a"]
    assert where(legal(game, up, {"movement": [go("s-61-1", "1515")]}, seq=3), "s-61-1") == "1515"
    assert legal(game, up, seq=3).marks == {}


def test_9_0_d3_a_patrol_keeps_interdiction_out():
    """S-24, S-43: a patrol about to land still keeps interdiction out."""
    game = bare()
    state = at(game, {**HOME, "1520": "s-air1"}, patrol={"s-air1": "1515"})
    assert refused(game, state, {"interdiction": [fly("g-air1", "1515")]}) == ["9.0-d2"]
    assert legal(game, state, {"interdiction": [fly("g-air1", "1516")], "patrol": [fly("g-air2", "1515")]})
    cleared = {"interception": [fly("g-air2", "1515")], "interdiction": [fly("g-air1", "1515")]}
    after = legal(game, state, cleared)
    assert after.marks["interdiction"] == {"g-air1": "1515"}
    assert "patrol" not in after.marks


def fought_raid(attackers, patrols, die, *, policy=None, targets=("s-air1",), **marks):
    game = bare()
    over = {f"s-air{number}": "1520" for number in range(3, 3 + patrols)}
    places = {**RAIDED, "2020": "s-air3 s-air4 s-air5"}
    state = at(game, places, patrol=over, **marks) if over else at(game, places, **marks)
    flown = ["g-air1", "g-air2", "g-air3", "g-air4", "g-air5"][:attackers]
    share = len(flown) // len(targets)
    orders = [raid(base, " ".join(flown[n * share : (n + 1) * share]), f"r{n + 1}") for n, base in enumerate(targets)]
    faces = {order["id"]: die for order in orders}
    return fight(game, state, raids=orders, faces=faces, policy=policy)


@pytest.mark.parametrize(
    ("attackers", "patrols", "column"),
    [(1, 0, "1:1"), (2, 0, "2:1"), (5, 0, "4:1"), (3, 1, "1:1"), (5, 1, "2:1"), (1, 1, "1:2"), (2, 2, "1:2")],
)
def test_9_0_d4_each_counts_one(attackers, patrols, column):
    """S-25: ground element and patrols count 1 each."""
    (fought,) = events(fought_raid(attackers, patrols, "6"), Fought)
    assert (fought.column, fought.result) == (column, "D")
    assert fought.defence.total == str(1 + patrols)


def test_9_0_d4_below_one_to_two_no_die_is_thrown():
    result = fought_raid(1, 2, "6")
    assert events(result, Rolled) == []
    assert where(result.after, "s-air1") == "1520"


def test_9_0_d4_nobody_else_is_lost():
    result = fought_raid(3, 1, "6")
    assert [each.unit for each in events(result, Removed)] == ["s-air1"]
    assert result.middle.marks["patrol"] == {"s-air3": "1520"}
    assert points(result.after) == (0, 0), "S-41: an air unit gives no points"
    assert where(fought_raid(3, 1, "1").after, "s-air1") == "1520"


def test_9_0_d4_each_element_of_a_hex_by_itself():
    """S-25, S-43: patrols are shared equally by default, the remainder to the lowest id."""
    found = events(fought_raid(4, 3, "1", targets=("s-air2", "s-air1")), Fought)
    assert [(each.defence.units, each.defence.total, each.column) for each in found] == [
        (("s-air2",), "2", "1:1"),
        (("s-air1",), "3", "1:2"),
    ]
    assert [patrols(each) for each in found] == [("s-air5",), ("s-air3", "s-air4")]


def test_9_0_d4_a_report_says_that_bases_are_attacked_and_never_patrols():
    """Bug: a report listed a base and a distant patrol as attacked units that held."""
    (fought,) = events(fought_raid(3, 1, "1"), Fought)
    (_depth, title), *_rest = battle.describe_battle(fought, wording.Wording(bare()))
    assert "(s-air1)" in title
    assert "(s-air3)" not in title


def test_9_0_d4_patrols_as_the_defender_says():
    """S-25, S-52: an impossible share cancels the shares of its hex."""
    policy = {"patrol": {"s-air2": ["s-air3", "s-air4", "s-air5"]}}
    found = events(fought_raid(4, 3, "1", targets=("s-air1", "s-air2"), policy=policy), Fought)
    assert [each.defence.total for each in found] == ["1", "4"]
    wrong = {"patrol": {"s-air2": ["s-air1", "s-air4"], "s-air1": ["s-air3"]}}
    found = events(fought_raid(4, 3, "1", targets=("s-air1", "s-air2"), policy=wrong), Fought)
    assert [each.defence.total for each in found] == ["3", "2"]


TWO_HEXES = {
    "1520": "s-air1 s-air2",
    "1820": "s-air3 s-air4",
    "2020": "s-air5 s-air6 s-air7",
    "2510": "s-1t",
    "1510": "g-air1 g-air2 g-air3 g-air4",
}
OVER = {"s-air5": "1520", "s-air6": "1520", "s-air7": "1820"}
USUAL = [("s-air5",), ("s-air6",), ("s-air7",), ()]
"""Two bases in each of two hexes, two patrols over one hex, one over the other, with the default shares."""


@pytest.mark.parametrize(
    ("patrol", "shared"),
    [
        ({}, USUAL),
        ({"s-air2": ["s-air6", "s-air5"], "s-air4": ["s-air7"]}, [(), ("s-air6", "s-air5"), (), ("s-air7",)]),
        ({"s-air2": ["s-air5", "s-air6"]}, [(), ("s-air5", "s-air6"), ("s-air7",), ()]),
        ({"s-air2": ["s-air5", "s-air6"], "s-air4": ["s-air8"]}, [(), ("s-air5", "s-air6"), ("s-air7",), ()]),
        ({"s-air2": ["s-air5", "s-air7"], "s-air4": []}, [("s-air5",), ("s-air6",), (), ()]),
        ({"s-air1": ["s-air5", "s-air6", "s-air7"]}, USUAL),
        ({"s-air1": ["s-air6"], "s-air2": ["s-air3"]}, USUAL),
        ({"s-air1": [], "s-air2": ["s-air5"]}, [(), ("s-air5",), ("s-air7",), ()]),
    ],
    ids=["none", "all", "one hex", "not there", "over the other hex", "too many", "one base wrong", "fewer"],
)
def test_9_0_d4_impossible_shares_fall_back_hex_by_hex(patrol, shared):
    """S-43, S-52: an impossible share changes nothing in another hex."""
    game = bare()
    state = at(game, TWO_HEXES, patrol=OVER)
    orders = [raid(f"s-air{number}", f"g-air{number}", f"r{number}") for number in range(1, 5)]
    faces = {f"r{number}": "1" for number in range(1, 5)}
    result = fight(game, state, raids=orders, faces=faces, policy={"patrol": patrol})
    assert [patrols(each) for each in events(result, Fought)] == shared


def test_9_0_d4_a_patrol_that_has_left_since_lapses_the_shares_of_its_hex_alone():
    """S-52, S-58: standing answers apply at the dice; s-air6 was turned back earlier."""
    game = bare(refereed=True)
    over = {"s-air5": "1520", "s-air7": "1820"}
    held = {"patrol": {"s-air2": ["s-air5", "s-air6"], "s-air4": ["s-air7"]}}
    waiting = [Raid(f"r{number}", f"s-air{number}", (f"g-air{number}",)) for number in range(1, 5)]
    assert share_patrols(pos(game, at(game, TWO_HEXES, patrol=over)), waiting, held) == {
        "s-air1": ("s-air5",),
        "s-air2": (),
        "s-air3": (),
        "s-air4": ("s-air7",),
    }


def test_9_0_d4_shares_stand_when_the_first_die_falls():
    """S-57: a patrol whose base is destroyed first defends no other base."""
    game = bare()
    state = at(game, RAIDED, patrol={"s-air1": "1520"})
    orders = [raid("s-air1", "g-air1 g-air2", "r1"), raid("s-air2", "g-air3 g-air4", "r2")]
    policy = {"patrol": {"s-air2": ["s-air1"]}}
    result = fight(game, state, raids=orders, faces={"r1": "6", "r2": "1"}, policy=policy)
    assert [each.defence.total for each in events(result, Fought)] == ["1", "1"]


def test_9_0_d4_orders_that_are_none():
    """S-52: one attack for each base, one mission for each aircraft, within range."""
    game = bare()
    state = at(game, RAIDED)
    for orders in (
        [raid("s-1t", "g-air1")],
        [raid("g-air1", "g-air2")],
        [raid("s-air3", "g-air1")],
        [raid("s-air1", "")],
        [raid("s-air1", "g-air1"), raid("s-air1", "g-air2", "r2")],
        [raid("s-air1", "g-air1"), raid("s-air2", "g-air1", "r2")],
        [raid("s-air1", "g-air1 g-air1")],
        [raid("s-air1", "g-air1"), raid("s-air2", "g-air2")],
    ):
        assert refused(game, state, {"superiority": orders}) == ["9.0-d4"]


def test_9_0_d4_before_the_ground_attacks():
    """S-1: the order of the lists does not matter."""
    game = bare()
    state = at(game, {**RAIDED, "1514": "g-gd", "1513": "s-61-1"})
    result = fight(game, state, attack("1513", "g-gd"), raids=[raid("s-air1", "g-air1")], faces={"r1": "1", "b1": "1"})
    assert [each.battle for each in events(result, Fought)] == ["r1", "b1"]


def test_9_0_d4_terrain_does_not_count():
    game = bare(forest=["1520"], lines=[("soviet", ["1520"])])
    state = at(game, RAIDED)
    raided = Raid("r1", "s-air1", ("g-air1",))
    assert raids.make_fought(pos(game, state), raided, ()).shifts == ()
    assert raids.count_results(game, raids.find_column(game, raided, ())) == {"D": 2, "NE": 4}


def test_9_0_d5_each_interceptor_turns_one_back():
    """S-24, S-43: patrols before interdiction, the lowest id first; interceptors have flown."""
    game = bare()
    places = {"1510": "g-air1 g-air2 g-air3", "1520": "s-air1 s-air2 s-air3", "2001": "s-1t"}
    state = at(game, places, patrol={"s-air2": "1515", "s-air3": "1515"}, interdiction={"s-air1": "1515"})
    orders = {"interception": [fly("g-air1", "1515"), fly("g-air2", "1515"), fly("g-air3", "1515")]}
    result = play(game, state, orders)
    back = [(each.table, each.key) for each in events(result, Unmarked) if each.rule == "9.0-d5"]
    assert back == [("patrol", "s-air2"), ("patrol", "s-air3"), ("interdiction", "s-air1")]
    assert result.after.mark("flown", "g-air1") == "interception"
    one = {"interception": [fly("g-air1", "1515")], "patrol": [fly("g-air1", "1516")]}
    assert refused(game, state, one) == ["9.0-d3"]


def test_9_0_d5_nothing_to_turn_back():
    game = bare()
    state = at(game, {**HOME, "1520": "s-air1"}, patrol={"s-air1": "1515"})
    assert refused(game, state, {"interception": [fly("g-air1", "1516")]}) == ["9.0-d5"]
    two = {"interception": [fly("g-air1", "1515"), fly("g-air2", "1515")]}
    assert refused(game, state, two) == ["9.0-d5"]


def test_9_0_d_an_aircraft_too_many_is_told_what_is_ordered_9_0_d5_s_23():
    """Bug: the refusal reported no enemy aircraft in a hex with enemy aircraft, and called ordered flights flown."""
    game = bare()
    state = at(game, {**HOME, "1520": "s-air1"}, patrol={"s-air1": "1515"})
    two = {"interception": [fly("g-air1", "1515"), fly("g-air2", "1515")]}
    none = {"interception": [fly("g-air1", "1516")]}
    both = {"patrol": [fly("g-air1", "1514")], "interdiction": [fly("g-air1", "1513")]}
    told = [said(game, state, orders) for orders in (two, none, both)]
    assert told == [
        "g-air2: g-air1 turns back every enemy aircraft over 1515",
        "g-air1: no enemy aircraft to turn back are over 1516",
        "g-air1: flies one mission in a turn, and is ordered to fly patrol over 1514 too",
    ]


def test_9_0_d5_patrols_over_a_base_are_safe():
    """S-24, S-34, S-64: safe patrols still keep missions out, but protect no interdiction."""
    game = bare()
    places = {**HOME, "1515": "s-air2", "1520": "s-air1 s-air3"}
    state = at(game, places, patrol={"s-air1": "1515"})
    assert refused(game, state, {"interception": [fly("g-air1", "1515")]}) == ["9.0-d5"]
    assert air.is_blocked(pos(game, state), "german", game.board.index["1515"])
    both = at(game, places, patrol={"s-air1": "1515"}, interdiction={"s-air3": "1515"})
    after = legal(game, both, {"interception": [fly("g-air1", "1515")]})
    assert "interdiction" not in after.marks


def test_9_0_e_with_its_base_an_aircraft_is_lost():
    """S-26, S-41: alone in a hex a base is destroyed without a die or points; in a stack a base shares the result."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-air1", "2016": "s-1t"}, interdiction={"s-air1": "1518"})
    result = fight(game, state, attack("1513", "g-gd"), faces={})
    assert where(result.after, "s-air1") == "eliminated"
    crashed = [(each.table, each.key) for each in events(result, Unmarked) if each.rule == "9.0-e"]
    assert crashed == [("interdiction", "s-air1")], "at once, and not as the others land"
    assert points(result.after) == (0, 0)


def test_9_0_e_a_base_retreats_with_its_stack():
    """S-26, S-40: aircraft stay up, because a retreat is no base move."""
    game = bare()
    state = at(game, {"1514": "g-gd g-110", "1513": "s-1t s-5t s-air1"}, patrol={"s-air1": "2020"})
    result = fight(game, state, attack("1513", "g-gd g-110"), faces={"b1": "6"})
    assert where(result.after, "s-air1") not in ("1513", "eliminated")
    assert result.middle.mark("patrol", "s-air1") == "2020"
    assert result.middle.mark("flown", "s-air1") == ""


def test_9_0_f_aircraft_of_both_sides_fly_through_each_other():
    """S-50: only distance limits a flight."""
    game = bare()
    state = at(game, {**HOME, "1515": "s-5t s-air1"}, patrol={"s-air1": "1514"})
    assert air.is_in_range(pos(game, state), "g-air1", game.board.index["1522"])
    assert (
        air.find_range(pos(game, state), "g-air1").bit_count()
        == air.find_range(pos(game, at(game, HOME)), "g-air1").bit_count()
    )


def test_shares_of_patrols_over_two_hexes_are_apart():
    game = bare()
    state = at(
        game,
        {"1520": "s-air1", "1620": "s-air2", "2020": "s-air3 s-air4", **HOME},
        patrol={"s-air3": "1520", "s-air4": "1620"},
    )
    waiting = [Raid("r1", "s-air1", ("g-air1",)), Raid("r2", "s-air2", ("g-air2",))]
    assert share_patrols(pos(game, state), waiting, {}) == {"s-air1": ("s-air3",), "s-air2": ("s-air4",)}
    assert movement.find_move_fault(pos(game, state), "g-air1", movement.INITIAL) == ""
