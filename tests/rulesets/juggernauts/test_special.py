"""14.0 Panzerkeil, artillery korps, Ferdinands, Panthers; 20.0 the air rules."""

from dataclasses import replace

import pytest

from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import air, movement, readiness
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from rulesets.juggernauts.board import (
    at,
    attack,
    declare_attacks,
    fight,
    is_,
    july,
    list_fought,
    list_notes,
    list_refusals,
    list_slips,
    order_moves,
    place,
    pos,
    resolve,
)


def step_one(state, **orders):
    """Carry out step 1 of a player turn with these orders."""
    umpire = Umpire(july(), state, 1)
    filing = Filing(1, state.side, orders=orders)
    (readiness.form_wedges if state.side == "german" else readiness.set_artillery)(umpire, filing)
    return umpire


def faces(uid, way):
    return [{"unit": uid, "facing": way}]


def test_14_1_who_may_be_a_panzerkeil():
    """J-62: with undisrupted Tigers or Ferdinands in the hex; otherwise it ends in the next step 1."""
    for text, uid, able in (
        ("T15: g-2ss", "g-2ss", True),
        ("T15: g-3pzk g-503", "g-3pzk", True),
        ("T15: g-41pzk g-656", "g-41pzk", True),
        ("T15: g-48pzk g-10bde", "g-48pzk", False),
        ("T15: g-4pz g-503", "g-4pz", False),
        ("T15: g-3pzk g-503; disrupted g-503", "g-3pzk", False),
        ("T15: g-2ss; disrupted g-2ss", "g-2ss", False),
    ):
        umpire = step_one(place(text), panzerkeil=faces(uid, "NE"))
        assert list_slips(umpire) == ([] if able else ["14.1"]), text
        assert is_(umpire, "panzerkeil", uid) == able
        if text.endswith("disrupted g-2ss"):  # its Tigers are part of the counter
            assert [each.message for each in umpire.violations] == ["is Disrupted, and therefore no Panzerkeil"]
    gone = step_one(place("T15: g-3pzk | T14: g-503; keil g-3pzk E"))
    assert not is_(gone, "panzerkeil", "g-3pzk")
    turned = step_one(place("T15: g-2ss; keil g-2ss E"), panzerkeil=faces("g-2ss", "W"))
    assert turned.state.mark("panzerkeil", "g-2ss") == "W"
    assert list_slips(step_one(place("T15: g-2ss"), panzerkeil=faces("g-2ss", "W") * 2)) == ["14.1"]


@pytest.mark.parametrize(("way", "by"), [("SE", 1), ("E", 0), ("SW", 0), ("NW", 0)])
def test_14_1_a_panzerkeil_attacks_where_it_points(way, by):
    state = place(f"T15: r-57a | S15: g-2ss; keil g-2ss {way}")
    shifts = list_fought(fight(state, attack("T15", "g-2ss"), dice="4")).shifts
    assert sum(shift.by for shift in shifts) == by


@pytest.mark.parametrize(("way", "by"), [("E", -1), ("NE", -1), ("SE", -1), ("NW", 0), ("SW", 0), ("W", 1)])
def test_14_1_a_panzerkeil_is_attacked(way, by):
    """J-6: facing T16, to its east: front, forward flanks, rear flanks, rear."""
    state = place(f"T15: g-2ss | T16: r-5gta r-1ta; keil g-2ss {way}; stage russian-orders")
    shifts = list_fought(fight(state, attack("T15", "r-5gta r-1ta"), dice="6")).shifts
    assert sum(shift.by for shift in shifts) == by


def test_14_1_the_worst_side_counts_and_the_worst_of_two():
    """J-6, J-52: one attacker at the rear is enough."""
    text = "T15: g-2ss | T16: r-5gta | T14: r-1ta; keil g-2ss E; stage russian-orders"
    assert list_fought(fight(place(text), attack("T15", "r-5gta r-1ta"), dice="6")).shifts[0].by == 1
    both = "T15: g-2ss g-3pzk | T16: r-5gta; keil g-2ss E; keil g-3pzk NW; stage russian-orders"
    assert not list_fought(fight(place(both), attack("T15", "r-5gta"), dice="6")).shifts


def test_14_1_a_disrupting_result_ends_it():
    """J-6, J-56: AD, D, D1, D2; not an AE that the unit survives."""
    state = place("T15: r-11ga | S15: g-48pzk g-505; keil g-48pzk SE")
    umpire = fight(state, attack("T15", "g-48pzk g-505"), dice="6")
    assert list_fought(umpire).result == "AD"
    assert not is_(umpire, "panzerkeil", "g-48pzk")
    defends = place("T15: g-46pzk g-656 | T16: r-5gta r-1ta; keil g-46pzk SW; stage russian-orders")
    assert not is_(fight(defends, attack("T15", "r-5gta r-1ta"), dice="4"), "panzerkeil", "g-46pzk")


def test_14_2_artillery_is_emplaced_or_on_the_road():
    """J-20, J-40: a choice of step 1 for undisrupted artillery; it attacks emplaced and moves on the road."""
    text = "T15: g-42k | T16: r-4ak; stage russian-orders"
    assert list_refusals(place(text), attack("T15", "r-4ak"))[0][0] == "14.2"
    assert not list_refusals(place(f"{text}; emplaced r-4ak"), attack("T15", "r-4ak"))
    assert list_slips(order_moves(place(f"{text}; emplaced r-4ak"), ("r-4ak", "T17"))) == ["14.2"]
    assert at(order_moves(place(text), ("r-4ak", "T17")), "r-4ak") == "T17"
    assert is_(step_one(place(text), emplace=["r-4ak"]), "emplaced", "r-4ak")
    assert not is_(step_one(place(f"{text}; emplaced r-4ak"), road=["r-4ak"]), "emplaced", "r-4ak")
    for bad in ({"road": ["r-4ak"]}, {"emplace": ["r-1tc"]}, {"emplace": ["r-4ak", "r-4ak"]}):
        assert list_slips(step_one(place(text), **bad)) == ["14.2"]
    assert list_slips(step_one(place(f"{text}; disrupted r-4ak"), emplace=["r-4ak"])) == ["14.2"]


@pytest.mark.parametrize("die", "123456")
def test_14_2_artillery_alone_does_no_better_than_a_d(die):
    """J-20, J-56: also several together; artillery suffers and exchanges nothing."""
    state = place("T15: g-42k | T16: r-4ak r-7ak; emplaced r-4ak r-7ak; stage russian-orders")
    umpire = fight(state, attack("T15", "r-4ak r-7ak"), dice=die, policy={"withdraw": "1"})
    good = list_fought(umpire).result in ("D", "D1", "D2", "DE", "D/AE")
    assert is_(umpire, "disrupted", "g-42k") == good
    assert at(umpire, "r-4ak") == at(umpire, "r-7ak") == "T16"
    assert not is_(umpire, "disrupted", "r-4ak")
    assert (at(umpire, "g-42k") != "T15") == good


def test_14_2_artillery_with_others_suffers_nothing_and_does_not_advance():
    """J-20: no AD, no AE, no exchange."""
    text = "T15: {} | T16: r-1ta r-4ak; emplaced r-4ak; stage russian-orders"
    order = attack("T15", "r-1ta r-4ak", advance="r-4ak,r-1ta", losses="r-4ak")
    for defender, die in (("g-2ss", "5"), ("g-2ss", "6"), ("g-48pzk", "5"), ("g-42k", "1")):
        umpire = fight(place(text.format(defender)), order, dice=die)
        assert at(umpire, "r-4ak") == "T16"
        assert not is_(umpire, "disrupted", "r-4ak")
    assert at(umpire, "r-1ta") == "T15"


@pytest.mark.parametrize(
    ("mode", "column", "no_retreat", "lost"),
    [
        ("emplaced", "D1", "no", True),
        ("road", "D1", "no", False),
        ("road", "D2", "no", True),
        ("emplaced", "D1", "yes", False),
        ("emplaced", "D", "no", False),
        ("road", "D2", "yes", True),
        ("emplaced", "X", "no", True),
    ],
)
def test_14_2_artillery_attacked(mode, column, no_retreat, lost):
    """J-20, J-53: lost by a D2, emplaced by a D1, except with No Retreat! orders; exchanged like other units."""
    state = place(f"T15: r-4ak r-57a | S15: g-2ss; {'emplaced r-4ak' if mode == 'emplaced' else 'turn 1'}")
    dice = {"D1": "2", "D2": "1", "D": "4", "X": "5"}[column]
    umpire = fight(state, attack("T15", "g-2ss", push="0"), dice=dice, policy={"no-retreat": no_retreat})
    assert (list_fought(umpire).column, list_fought(umpire).result) == ("3:2", column)
    assert (at(umpire, "r-4ak") == "eliminated") == lost


@pytest.mark.parametrize("result", ["D1", "D2"])
@pytest.mark.parametrize("mode", ["emplaced", "road"])
def test_14_2_orders_of_another_unit_hold_the_position_of_artillery(mode, result):
    """J-53: 'unless the position is held' excepts every result; artillery on the road has no exception."""
    state = place(f"T15: r-4ak r-57a | S15: g-2ss; {'emplaced r-4ak' if mode == 'emplaced' else 'turn 1'}")
    policy = {"units": {"r-57a": {"no-retreat": "yes"}}}
    umpire = fight(state, attack("T15", "g-2ss", push="1"), dice={"D1": "2", "D2": "1"}[result], policy=policy)
    assert list_fought(umpire).result == result
    assert at(umpire, "r-57a") == ("eliminated" if result == "D2" else "T15")
    assert at(umpire, "r-4ak") == ("eliminated" if (mode, result) == ("road", "D2") else "T16")


def test_14_2_surrounded_artillery_takes_a_d1_as_a_d():
    """J-53, J-40: retreating artillery is on the road."""
    ring = "S16: g-13k | T16: g-42k | U16: g-30k | U15: g-52k | T14: g-7k"
    state = place(f"T15: r-4ak r-11ga | S15: g-2ss | {ring}; emplaced r-4ak")
    umpire = fight(state, attack("T15", "g-2ss"), dice="2")
    assert list_fought(umpire).result == "D1"
    assert at(umpire, "r-4ak") == "T15"
    free = fight(
        place("T15: r-4ak | S15: g-323i; emplaced r-4ak"), attack("T15", "g-323i"), dice="3", policy={"withdraw": "1"}
    )
    assert list_fought(free).result == "D"
    assert not is_(free, "emplaced", "r-4ak")


def test_14_3_ferdinands_are_lost_when_they_would_be_disrupted():
    """J-26: by an AD as attackers, by a D or worse as defenders."""
    attacks = fight(place("T15: r-11ga | S15: g-48pzk g-656"), attack("T15", "g-48pzk g-656"), dice="5")
    assert list_fought(attacks).result == "AD"
    assert at(attacks, "g-656") == "eliminated"
    for die, result, lost in (("4", "D", True), ("3", "D1", True), ("6", "AD", False), ("5", "X", False)):
        state = place("T15: g-656 g-46pzk | T16: r-5gta r-1ta; stage russian-orders")
        umpire = fight(state, attack("T15", "r-5gta r-1ta", exchange="no"), dice=die)
        assert list_fought(umpire).result == result
        assert (at(umpire, "g-656") == "eliminated") == lost


def test_14_4_panthers_by_the_die():
    """J-25, J-43, J-59, J-67: 1 and 2 allow one factor, 3 and 4 two, 5 and 6 three, plus a bonus of one."""
    state, path = place("S17: g-10bde"), "S16 S15 S14 S13"
    assert list_slips(order_moves(state, ("g-10bde", f"{path} R13"))) == ["13.1"]
    for die, where in (("1", "S15"), ("4", "S14"), ("5", "S13")):
        ordered = order_moves(state, ("g-10bde", path))
        assert at(ordered, "g-10bde") == "S17"
        umpire = resolve(ordered, die, {})
        assert at(umpire, "g-10bde") == where
        assert is_(umpire, "disrupted", "g-10bde") == (where != "S13")
        (test,) = [event for event in umpire.events if isinstance(event, kinds.Tested)]
        assert test.chance == "2/6"
    second = order_moves(state.with_(stage="german-dice"), ("g-10bde", path))
    assert PATHS in second.state.agenda


def test_14_4_panthers_move_after_all_others_and_may_drop_out():
    """J-43, J-59: attacks assume its arrival; without the Panther the others attack, or the attack is off."""
    state = place("T15: r-57a | R15: g-10bde | S16: g-48pzk")
    orders = order_moves(state, ("g-10bde", "R14 S15"), ("g-48pzk", "R16")).events
    assert [getattr(event, "unit", "") or getattr(event, "key", "") for event in orders][:1] == ["g-48pzk"]
    moved_first = order_moves(state, ("g-10bde", "R14 S15"))
    assert list(moved_first.state.agenda[PATHS]) == ["g-10bde"]
    both = declare_attacks(moved_first.state, attack("T15", "g-10bde g-48pzk"))
    assert not both.violations
    arrives = resolve(declare_attacks(moved_first.state, attack("T15", "g-10bde g-48pzk")), "41", {})
    assert set(list_fought(arrives).attack.units) == {"g-10bde", "g-48pzk"}
    late = resolve(both, "11", {})
    assert list_fought(late).attack.units == ("g-48pzk",)
    assert at(late, "g-10bde") == "R14"
    alone = resolve(declare_attacks(moved_first.state, attack("T15", "g-10bde")), "11", {})
    assert list_notes(alone, "3.0-cancel") == ["attack b1 does not take place: no attacker is left"]


def test_14_4_panthers_destroyed_and_breaking_down_in_an_advance():
    """J-25, J-43: by AD and D2; in an advance by 4 or more in a hex."""
    attacks = fight(place("T15: r-11ga | S15: g-48pzk g-10bde"), attack("T15", "g-48pzk g-10bde"), dice="5")
    assert (list_fought(attacks).result, at(attacks, "g-10bde")) == ("AD", "eliminated")
    defends = place("T15: g-10bde g-46pzk | T16: r-5gta r-1ta; stage russian-orders")
    hit = fight(defends, attack("T15", "r-5gta r-1ta", push="0"), dice="1")
    assert list_fought(hit).result == "D2"
    assert (at(hit, "g-10bde"), at(hit, "g-46pzk")) == ("eliminated", "T15")
    text, order = "T15: r-10a | S15: g-2ss g-10bde", attack("T15", "g-2ss g-10bde", advance="g-2ss,g-10bde U15")
    stops, runs, stays = (fight(place(text), order, dice=f"1{dice}") for dice in ("4", "33", "36"))
    assert (at(stops, "g-10bde"), at(runs, "g-10bde"), at(stays, "g-10bde")) == ("T15", "U15", "U15")
    assert [is_(each, "disrupted", "g-10bde") for each in (stops, runs, stays)] == [True, False, True]


# The air rules


def flight(text, *orders, dice="1", policy=None, setting=None):
    """Declare and resolve air strikes."""
    setting = setting or july("historical", "flown")
    umpire = Umpire(setting, place(text, setting), 1)
    listed = [
        {"id": f"s{number}", "hex": hex_, "planes": planes.split()} for number, (hex_, planes) in enumerate(orders)
    ]
    air.declare_strikes(umpire, Filing(1, umpire.state.side, orders={"aircraft": listed}))
    return umpire if dice is None else resolve(umpire, dice, policy or {})


def test_20_0_air_rules_only_by_agreement():
    """J-68."""
    umpire = Umpire(july(), place("T15: r-57a"), 1)
    order = {"id": "s1", "hex": "T15", "planes": ["g-lf4"]}
    air.declare_strikes(umpire, Filing(1, "german", orders={"aircraft": [order]}))
    assert list_slips(umpire) == ["20.1"]


NEAR = "I9: r-57a r-1tc"


def test_20_1_strikes_hit_each_unit_from_the_strongest_down():
    """J-68, J-79."""
    umpire = flight(NEAR, ("I9", "g-lf4"), dice="16")
    assert is_(umpire, "disrupted", "r-57a")
    assert not is_(umpire, "disrupted", "r-1tc")
    tests = [event for event in umpire.events if isinstance(event, kinds.Tested)]
    assert [event.subject for event in tests] == ["r-57a", "r-1tc"]


def test_20_1_planes_fly_once_and_russians_not_together():
    for orders in (
        (("I9", "g-lf4"), ("I9", "g-lf4")),
        (("I9", "g-lf4 g-lf4"),),
        (("I9", ""),),
        (("I9", "r-2va"),),
        (("T15", "g-lf4"),),
    ):
        assert list_slips(flight(NEAR, *orders, dice=None)) == ["20.1"]
    assert not list_slips(flight(NEAR, ("I9", "g-lf4 g-lf6"), dice=None))
    east = "H9: g-42k | H8: g-30k; stage russian-orders"
    assert list_slips(flight(east, ("H9", "r-2va r-5va"), dice=None)) == ["20.1"]
    assert list_slips(flight(east, ("H9", "r-2va"), ("H9", "r-5va"), dice=None)) == ["20.1"]
    used = flight(NEAR, ("I9", "g-lf4"), dice="2").state
    assert not air.is_ready(used, "g-lf4", "strike")
    assert air.is_ready(used, "g-lf6", "strike")


@pytest.mark.parametrize(
    ("die", "text", "bombed", "chance"),
    [
        ("1", "shot down", True, "1/6"),
        ("3", "5th Air Army is intercepted", True, "2/6"),
        ("4", "4th Luftflotte is intercepted", False, "2/6"),  # rows 4 and 5
        ("6", "4th Luftflotte is shot down", False, "1/6"),
    ],
)
def test_20_2_interception(die, text, bombed, chance):
    """J-68: row 4 turns the bomber back; an air unit shot down is away for two player turns."""
    umpire = flight(NEAR, ("I9", "g-lf4"), dice=f"{die}1", policy={"intercept": ["r-5va"]})
    met = next(event for event in umpire.events if isinstance(event, kinds.Tested))
    assert text in met.text
    assert (met.what, met.subject, met.chance) == ("Interception by 5th Air Army", "g-lf4", chance)
    assert is_(umpire, "disrupted", "r-57a") == bombed
    assert bool(umpire.state.marks.get("down")) == ("down" in text)
    if "down" in text:
        away = Umpire(july("historical", "flown"), umpire.state, 4)
        air.return_planes(away, turn=False)
        assert list(away.state.marks["down"].values()) == ["1"]
        air.return_planes(away, turn=True)
        assert "down" not in away.state.marks


@pytest.mark.parametrize("die_b", [False, True])
@pytest.mark.parametrize(
    ("text", "order", "met", "good"),
    [
        (NEAR, ("I9", "g-lf4"), "r-5va", ["high", "low", "low"]),
        ("H9: g-42k; stage russian-orders", ("H9", "r-2va"), "g-lf4", ["low"]),
    ],
)
def test_20_2_low_rows_are_lucky_for_the_luftwaffe_and_who_bombs(text, order, met, good, die_b):
    """J-1: bug: a German who shot down a bomber with a 1 was called unlucky."""
    setting = replace(july("historical", "flown"), die_b=die_b)
    umpire = flight(text, order, dice="52" if die_b else "25", policy={"intercept": [met]}, setting=setting)
    rows = [event.good for event in umpire.events if isinstance(event, kinds.Rolled)]
    assert rows == [{"high": "low", "low": "high"}[each] if die_b else each for each in good]


def test_20_3_range_from_supplied_cities():
    assert not list_slips(flight("T15: r-57a", ("T15", "g-lf4"), dice=None))
    assert list_slips(flight("H17: r-57a", ("H17", "g-lf4"), dice=None)) == ["20.1"]
    assert list_slips(flight("B3: g-42k; stage russian-orders", ("B3", "r-2va"), dice=None)) == ["20.1"]


def test_20_4_what_a_strike_does():
    """J-68: D* spares armour and entrenched units; Rudel destroys a tank corps; AA also ends the next turn's strike."""
    star = flight("J11: r-57a r-1tc; lost J11", ("J11", "g-lf4"), dice="4")
    assert is_(star, "disrupted", "r-57a")
    assert not is_(star, "disrupted", "r-1tc")
    assert not is_(flight("J11: r-57a; lost J11; entrenched r-57a", ("J11", "g-lf4"), dice="4"), "disrupted", "r-57a")
    assert not is_(flight("J11: r-57a", ("J11", "g-lf4"), dice="4"), "disrupted", "r-57a")
    assert at(flight(NEAR, ("I9", "g-lf6"), dice="15"), "r-1tc") == "eliminated"
    assert at(flight(NEAR, ("I9", "g-lf4"), dice="1"), "r-1tc") == "I9"
    umpire = flight(NEAR, ("I9", "g-lf4"), dice="6")
    air.return_planes(umpire, turn=True)
    assert not air.is_ready(umpire.state, "g-lf4", "strike")
    air.return_planes(umpire, turn=True)
    assert air.is_ready(umpire.state, "g-lf4", "strike")
    lost = flight("H9: g-656; stage russian-orders", ("H9", "r-5va"), dice="1")
    assert at(lost, "g-656") == "eliminated"


@pytest.mark.parametrize(
    ("text", "dice", "shaken", "lost"),
    [
        (NEAR, "15", ["r-57a"], ["r-1tc"]),
        ("I9: r-57a r-1tc r-2tc", "155", ["r-57a"], ["r-1tc"]),
        (NEAR, "51", [], ["r-1tc"]),  # the bombed unit is the destroyed unit
        ("I9: r-57a r-6a", "15", ["r-57a"], []),
        (f"{NEAR}; disrupted r-57a", "15", ["r-57a"], ["r-1tc"]),
        (f"{NEAR}; disrupted r-57a; entrenched r-57a", "15", ["r-57a"], ["r-1tc"]),
    ],
)
def test_20_4_d_rudel_is_a_d_and_destroys_a_tank_corps_besides(text, dice, shaken, lost):
    """J-68: the bombed unit is always Disrupted."""
    umpire = flight(text, ("I9", "g-lf6"), dice=dice)
    assert [uid for uid in ("r-57a", "r-6a", "r-1tc", "r-2tc") if is_(umpire, "disrupted", uid)] == shaken
    assert [uid for uid in ("r-1tc", "r-2tc") if f"{uid}" in text and at(umpire, uid) == "eliminated"] == lost
    assert not is_(umpire, "entrenched", "r-57a")


def test_15_6_a_panther_pays_for_a_river_out_of_what_a_blitzkrieg_leaves_it():
    """J-43: from its printed four factors, or three in a Blitzkrieg; T12 is across the Oskol."""
    text = "T12: r-10a | T16: g-10bde"
    for stage, slip in (("german-orders", []), ("german-dice", ["15.6"])):
        start = place(f"{text}; stage {stage}")
        umpire = declare_attacks(order_moves(start, ("g-10bde", "T15 T14 T13")).state, attack("T12", "g-10bde"))
        assert list_slips(umpire) == slip
        near = place("T12: r-10a | T15: g-10bde; stage " + stage)
        assert not list_slips(
            declare_attacks(order_moves(near, ("g-10bde", "T14 T13")).state, attack("T12", "g-10bde"))
        )


def test_13_3_a_panther_that_is_printed_slower_loses_a_factor_in_a_blitzkrieg():
    """J-43, J-67: two factors instead of the best die's three."""
    slow = replace(july().counters["g-10bde"], move=3)
    setting = replace(july(), counters={**july().counters, "g-10bde": slow})
    for stage, most in (("german-orders", 3), ("german-dice", 2)):
        there = pos(place(f"T16: g-10bde; stage {stage}", setting), setting)
        assert movement.allowance(there, "g-10bde", second=stage == "german-dice") == most
