"""14.0 Panzerkeil, artillery korps, Ferdinands, Panthers; 20.0 the air rules."""

from dataclasses import replace

import pytest

from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import air, readiness
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from rulesets.juggernauts.board import (
    at,
    attack,
    declare_attacks,
    is_,
    july,
    list_fought,
    list_notes,
    list_slips,
    order_moves,
    order_strikes,
    place,
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


# The air rules


def flight(text, *orders, dice="1", policy=None, setting=None):
    """Declare and resolve air strikes."""
    setting = setting or july("historical", "flown")
    umpire = order_strikes(place(text, setting), *orders, setting=setting)
    return umpire if dice is None else resolve(umpire, dice, policy or {})


NEAR = "I9: r-57a r-1tc"


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
