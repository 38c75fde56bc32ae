"""8.0 tactical retreats, 9.0 tactical advances, 2.0-breakthrough, 15.9 the edge of the map."""

import pytest

from kursk_pbem.kernel.events import Fought, Moved
from kursk_pbem.rulesets.juggernauts import retreat
from kursk_pbem.rulesets.juggernauts.retreat import Attack
from rulesets.juggernauts.board import at, attack, fight, is_, july, list_fought, list_notes, list_refusals, place, pos


def ends(text, uid, origins, length=1, waiting=""):
    """Return the possible last hexes of a retreat."""
    board, here = july().board, pos(place(text))
    what = Attack(here.where[uid], board.mask(origins.split()), board.mask(waiting.split()))
    return {board.labels[way[-1]] for way in retreat.list_ways(here, uid, what, length)}


def test_8_0_away_from_the_attackers():
    """J-30, J-44: no hexside may touch the attacker's hex; steps further away come first."""
    assert ends("T15: r-57a | S15: g-2ss", "r-57a", "S15") == {"T16", "U16", "U15"}
    assert ends("T15: r-57a | S15: g-2ss | U16: g-42k", "r-57a", "S15 U16") == set()
    assert ends("T15: r-57a | S15: g-505 | U16: g-503", "r-57a", "S15 U16") == set()
    two = ends("T15: r-57a | S15: g-2ss", "r-57a", "S15", 2)
    assert two == {"T17", "U17", "V16", "V15", "V14"}


def test_8_0_not_through_zones_without_friends_or_lines():
    """J-30: a friend, or a friendly line that no zone reaches, opens a hex."""
    text = "T15: r-57a | S15: g-2ss | V16: g-42k"
    assert ends(text, "r-57a", "S15") == {"T16", "U15"}
    assert ends(f"{text} | U16: r-1tc", "r-57a", "S15") == {"T16", "U16", "U15"}
    line = "P10: r-57a | O10: g-505 | Q10: g-42k"
    assert "Q11" in ends(line, "r-57a", "O10")
    assert "Q11" not in ends(f"{line}; lost Q11", "r-57a", "O10")


def test_8_0_not_across_a_hexside_that_touches_an_attacker_except_behind_a_line():
    """J-30: J10 is attacked from I10; I11 and J9 touch I10 and are second-line hexes."""
    found = ends("J10: r-57a | I10: g-505", "r-57a", "I10")
    assert {"J9", "I11"} & found == set()  # steps further away come first (J-44)
    tight = ends("J10: r-57a | I10: g-505 | K10: g-503 | K11: g-656 | J11: g-221s", "r-57a", "I10")
    assert tight == {"J9", "I11"}


def test_8_0_not_through_friends_who_are_still_to_be_attacked():
    """J-30."""
    text = "T15: r-57a | S15: g-2ss | T16: r-6a"
    assert "T16" in ends(text, "r-57a", "S15")
    assert "T16" not in ends(text, "r-57a", "S15", 1, "T16")


def test_8_0_the_usual_way_and_wishes():
    """J-30, J-44, J-45: far from attackers, then near the own edge, then the lowest hex; wishes override."""
    state = place("T15: r-57a | S15: g-2ss")
    assert at(fight(state, attack("T15", "g-2ss"), dice="4"), "r-57a") in ("T16", "U16", "U15")
    for wish in ("U15", "T16"):
        assert at(fight(state, attack("T15", "g-2ss"), dice="4", policy={"retreat": [wish]}), "r-57a") == wish
    away = fight(state, attack("T15", "g-2ss"), dice="1", policy={"retreat": ["toward W14"]})
    assert list_fought(away).result == "D2"
    assert at(away, "r-57a") in ("V14", "V15")
    short = place("T15: r-11ga | S15: g-2ss | U16: g-503 | U15: g-656 | T17: g-505 | R17: g-30k | V17: g-52k")
    one = fight(short, attack("T15", "g-2ss"), dice="1")
    assert (list_fought(one).result, at(one, "r-11ga")) == ("D2", "T16")


def test_15_9_who_is_forced_off_the_map_is_lost():
    """J-45: only if driven, and only without a way on the map."""
    state = place("T17: r-10a | T16: g-2ss | S17: g-42k | U17: g-30k")
    forced, free = (fight(state, attack("T17", "g-2ss", push=push), dice="3") for push in ("1", "0"))
    assert list_fought(forced).result == "D2"
    assert at(forced, "r-10a") == "eliminated"
    assert at(free, "r-10a") == "T17"


CORNER = "W15: g-55k | W14: r-13a | W16: r-65a; stage russian-orders"


@pytest.mark.parametrize(("die", "result", "where"), [("2", "D1", "W15"), ("1", "D2", "eliminated")])
def test_8_0_nobody_leaves_the_map_across_a_hexside_that_touches_an_attacker(die, result, where):
    """J-16, J-30, J-45, J-53: such a unit is surrounded: a D1 Disrupts the unit, a D2 is a DE."""
    umpire = fight(place(CORNER), attack("W15", "r-13a r-65a", push="1"), dice=die)
    assert (list_fought(umpire).result, at(umpire, "g-55k")) == (result, where)
    assert any("surrounded" in note for note in list_notes(umpire, "6.0"))
    assert not list_notes(umpire, "15.9")
    one = fight(place(CORNER), attack("W15", "r-13a"), dice=die)
    assert (list_fought(one).result, at(one, "g-55k")) == (result, "eliminated")  # the unit leaves the map past W16


def test_8_0_what_cannot_leave_the_map_holds_though_emplaced():
    """J-53: surrounded artillery treats a D1 as a D, and the army in its hex stays."""
    text = "A8: r-65a r-4ak | A7: g-2ss | A9: g-48pzk; emplaced r-4ak"
    umpire = fight(place(text), attack("A8", "g-2ss g-48pzk"), dice="3")
    assert list_fought(umpire).result == "D1"
    for uid in ("r-65a", "r-4ak"):
        assert (at(umpire, uid), is_(umpire, "disrupted", uid)) == ("A8", True)


def test_8_0_room_in_a_stack_comes_before_the_way_away_from_attackers():
    """J-44: C13-B13 leads away and is full; C13-B12 passes an attacker's hex and has room."""
    text = "D12: r-65a | D11: g-48pzk | E13: g-47pzk | B13: r-70a r-48a | C14: r-60a r-38a"
    order = attack("D12", "g-48pzk g-47pzk")
    umpire = fight(place(text), order, dice="1")
    assert (list_fought(umpire).result, at(umpire, "r-65a")) == ("D2", "B12")
    assert not is_(umpire, "disrupted", "r-70a")
    room = fight(place(text.replace("r-70a r-48a", "r-70a")), order, dice="1", policy={"retreat": ["B12"]})
    assert at(room, "r-65a") == "B13"
    full = fight(place(f"{text} | B12: r-3a r-11a"), order, dice="1")
    assert (at(full, "r-65a"), is_(full, "disrupted", "r-65a")) == ("B13", True)


def test_12_0_nobody_withdraws_into_a_full_hex_of_their_own_accord():
    """J-44: only a forced retreat may exceed the limit, and a D forces none."""
    text = "W10: r-69a | V9: g-505 | W9: g-47pzk | V10: g-5pz | W11: r-63a r-1tc r-7ak | V11: g-48pzk"
    umpire = fight(place(text), attack("W10", "g-505"), dice="1", policy={"withdraw": "2"})
    assert (list_fought(umpire).result, at(umpire, "r-69a")) == ("D", "W10")
    assert not any(is_(umpire, "disrupted", uid) for uid in ("r-63a", "r-1tc", "r-7ak"))
    driven = fight(place(text), attack("W10", "g-47pzk"), dice="4", policy={"withdraw": "2"})
    assert (list_fought(driven).result, at(driven, "r-69a")) == ("D1", "W11")
    assert all(is_(driven, "disrupted", uid) for uid in ("r-63a", "r-1tc", "r-7ak"))


def test_8_0_one_step_into_a_line_past_the_attacker_where_all_others_are_full():
    """J-44: J9 and I11 touch the attacker's hex, and are second-line hexes with room."""
    text = "J10: r-57a | I10: g-2ss | K10: r-6a r-13a | K11: r-48a r-70a | J11: {}"
    order = attack("J10", "g-2ss", push="1")
    packed = place(text.format("r-60a r-65a"))
    assert at(fight(packed, order, dice="2"), "r-57a") == "I11"
    assert at(fight(packed, order, dice="2", policy={"retreat": ["K11", "J9"]}), "r-57a") == "J9"
    free = fight(place(text.format("r-60a")), order, dice="2", policy={"retreat": ["J9"]})
    assert at(free, "r-57a") == "J11"


def test_8_0_of_equal_ways_the_lowest_last_hex_and_then_the_lowest_first():
    """J-30: also among the ways that fit a wish."""
    state, order = place("J10: r-57a | I10: g-2ss"), attack("J10", "g-2ss")
    ways = {}
    for wish in ("K12", "toward K12", "J11-K12", "K11-K12"):
        umpire = fight(state, order, dice="1", policy={"retreat": [wish]})
        ways[wish] = next(event.path for event in umpire.events if isinstance(event, Moved) and event.how == "retreat")
    assert ways == {wish: ("K11" if wish == "K11-K12" else "J11", "K12") for wish in ways}
    corner = place("T15: r-57a | S15: g-2ss")
    assert at(fight(corner, attack("T15", "g-2ss", push="1"), dice="1", policy={"retreat": ["away S15"]}), "r-57a") == (
        at(fight(corner, attack("T15", "g-2ss", push="1"), dice="1"), "r-57a")
    )


def advanced(text, order, die="3", policy=None):
    return fight(place(text), order, dice=die, policy=policy)


def test_9_0_two_hexes_for_tanks_and_cavalry_after_de_and_d2():
    """J-31: other units one; the retreat's way is open, other hexes only with enough factors."""
    text = "T15: r-10a | S15: g-2ss g-42k"
    umpire = advanced(text, attack("T15", "g-2ss g-42k", advance="g-2ss U15,g-42k U15"), "1")
    assert list_fought(umpire).result == "DE"
    assert (at(umpire, "g-2ss"), at(umpire, "g-42k")) == ("U15", "S15")
    assert any("only one hex" in note for note in list_notes(umpire, "9.0"))
    cavalry = place("T15: g-323i | S15: r-5gcc r-7gcc r-1mc; stage russian-orders")
    ride = fight(cavalry, attack("T15", "r-5gcc r-7gcc r-1mc", advance="r-5gcc U15,r-1mc U16"), dice="1")
    assert list_fought(ride).result == "DE"
    assert (at(ride, "r-5gcc"), at(ride, "r-1mc")) == ("U15", "S15")


def test_9_0_rivers_forest_and_swamp_stop_tanks_after_one_hex():
    """J-31: the Oskol is between T12 and T13."""
    umpire = advanced("T12: r-10a | T11: g-2ss", attack("T12", "g-2ss", advance="g-2ss T13"), "1")
    assert at(umpire, "g-2ss") == "T11"
    dry = advanced("T12: r-10a | T11: g-2ss", attack("T12", "g-2ss", advance="g-2ss S12"), "1")
    assert at(dry, "g-2ss") == "S12"


def test_9_0_one_hex_after_d1_and_more_if_they_went_farther():
    """J-31, J-47: also for infantry."""
    text, policy = "T15: r-10a | S15: g-2ss g-42k", {"withdraw": "2", "retreat": ["U16-V16", "T16-T17"]}
    order = attack("T15", "g-42k g-2ss", advance="g-2ss U16,g-42k U16")
    near = advanced(text, order, "4")
    assert list_fought(near).result == "D1"
    assert at(near, "g-2ss") == "S15"
    far = advanced(text, order, "4", policy)
    assert (at(far, "g-2ss"), at(far, "g-42k")) == ("U16", "U16")
    d = advanced("T15: r-57a | S15: g-3pzk", attack("T15", "g-3pzk", advance="g-3pzk"), "4", {"withdraw": "1"})
    assert (list_fought(d).result, at(d, "g-3pzk")) == ("D", "T15")


def test_9_0_off_the_way_of_the_retreat_only_if_the_hex_is_filled():
    """J-31, J-65: by attack factors equal to the modified defence; infantry keeps to the way."""
    text = "T15: r-57a | S15: g-48pzk g-503 | S16: g-2ss"
    weak = advanced(text, attack("T15", "g-48pzk g-503 g-2ss", advance="g-503 U15"), "1")
    assert at(weak, "g-503") == "S15"
    strong = advanced(text, attack("T15", "g-48pzk g-503 g-2ss", advance="g-48pzk,g-503 U15,g-2ss only T16"), "1")
    assert (at(strong, "g-48pzk"), at(strong, "g-503"), at(strong, "g-2ss")) == ("T15", "U15", "T16")
    alone = advanced(text, attack("T15", "g-48pzk g-503 g-2ss", advance="g-2ss only T16"), "1")
    assert at(alone, "g-2ss") == "S16"


def test_9_0_zones_hold_infantry_and_cavalry_but_not_after_a_de():
    """J-65: tanks only if they do not cross the attacked hex."""
    text = "T15: r-10a | S15: g-2ss g-42k | T14: r-6a"
    order = attack("T15", "g-42k g-2ss", advance="g-42k,g-2ss", push="1")
    held = advanced(text, order, "2")
    assert list_fought(held).result == "D2"
    assert (at(held, "g-42k"), at(held, "g-2ss")) == ("S15", "T15")
    sure = advanced(text, order, "1")
    assert list_fought(sure).result == "DE"
    assert (at(sure, "g-42k"), at(sure, "g-2ss")) == ("T15", "T15")


def test_9_0_over_the_limit_who_advances_is_disrupted():
    """J-27."""
    text = "T15: r-10a | S15: g-46pzk g-3pzk"
    umpire = advanced(text, attack("T15", "g-46pzk g-3pzk", advance="g-46pzk,g-3pzk"), "1")
    assert is_(umpire, "disrupted", "g-3pzk")
    assert not is_(umpire, "disrupted", "g-46pzk")


def test_9_0_what_has_become_impossible_is_skipped():
    """J-47: the report gives the reason."""
    umpire = advanced("T15: r-57a | S15: g-2ss", attack("T15", "g-2ss", advance="g-2ss", push="0"), "4")
    assert at(umpire, "g-2ss") == "S15"
    strange = attack("T15", "g-2ss", advance="r-57a,g-2ss W1 W2")
    assert [rule for rule, _why in list_refusals(place("T15: r-57a | S15: g-2ss"), strange)] == ["2.0", "2.0"]
    wrong = advanced("T15: r-10a | S15: g-2ss", attack("T15", "g-2ss", advance="g-2ss A1"), "1")
    assert list_notes(wrong, "9.0") == ["g-2ss does not advance: the way does not exist"]


KEIL = "T15: r-10a | S15: g-3pzk g-503 | U15: r-1tc | U16: r-2tc; keil g-3pzk SE"
GOES = "g-3pzk,g-503"


def test_2_0_breakthrough_the_panzerkeil_attacks_once_more():
    """J-32, J-66: after a DE, by plan, with the units that advanced."""
    order = attack("T15", "g-3pzk g-503", advance=GOES, breakthrough="U15", exploit="g-3pzk")
    umpire = fight(place(KEIL), order, dice="1")
    assert list_fought(umpire, 1).battle == "b1/on"
    assert at(umpire, "r-1tc") == "eliminated"
    assert (at(umpire, "g-3pzk"), at(umpire, "g-503")) == ("U15", "T15")
    without = fight(place(KEIL), attack("T15", "g-3pzk g-503", advance=GOES), dice="1")
    assert at(without, "r-1tc") == "U15"
    stays = fight(place(KEIL), attack("T15", "g-3pzk g-503", breakthrough="U15"), dice="1")
    assert at(stays, "r-1tc") == "U15"
    plain = fight(place(KEIL.partition(";")[0]), order, dice="1")
    assert at(plain, "r-1tc") == "U15"


def test_2_0_breakthrough_joins_an_attack_that_still_waits():
    """J-66: the joined attack follows at once, with the Panzerkeil."""
    text = KEIL.replace(";", " | V14: g-42k | V15: g-46pzk;")
    orders = (
        attack("T15", "g-3pzk g-503", advance=GOES, breakthrough="U15,join b2"),
        attack("U15", "g-46pzk", name="b2", push="0"),
    )
    umpire = fight(place(text), *orders, dice="1")
    assert list_notes(umpire, "2.0-breakthrough") == ["breakthrough after b1 by g-3pzk, g-503, in b2"]
    assert list_notes(umpire, "2.0")[1:] == ["plan for b2: push 0"]  # bug: missing for joined attacks
    assert list_fought(umpire, 1).battle == "b2"
    assert set(list_fought(umpire, 1).attack.units) == {"g-46pzk", "g-3pzk", "g-503"}


@pytest.mark.parametrize("policy", [None, {"no-retreat": "yes"}])
def test_2_0_breakthrough_also_after_a_de_that_was_converted(policy):
    """J-66: No Retreat! orders change a D2 to a DE."""
    order = attack("T15", "g-3pzk g-503", advance=GOES, breakthrough="U15")
    umpire = fight(place(KEIL.replace("r-10a", "r-57a")), order, dice="21", policy=policy)
    assert list_fought(umpire).result == "D2"
    assert (at(umpire, "r-1tc") == "eliminated") == bool(policy)


ALONE = "T15: r-1tc | T16: r-5tc | S15: g-2ss; keil g-2ss SE"
PAIR = "T15: r-1tc | T16: r-5tc | S15: g-3pzk g-503; keil g-3pzk SE"


def onward(umpire):
    """Return the attacks made, except the first, with their attackers."""
    return [(event.battle, event.place, event.attack.units) for event in umpire.events if isinstance(event, Fought)][1:]


@pytest.mark.parametrize("named", ["T16", "T16,U16", "U16,T16", "R14,U16,T16"])
def test_2_0_breakthrough_the_first_attack_named_that_can_be_made_is_made(named):
    """J-66: U16 is empty; an impossible attack does not use up the breakthrough."""
    umpire = fight(place(ALONE), attack("T15", "g-2ss", advance="g-2ss", breakthrough=named), dice="1")
    assert onward(umpire) == [("b1/on", "T16", ("g-2ss",))]


def test_2_0_breakthrough_passes_over_what_is_below_1_5():
    """J-66, 1.0-least: six armies in U16 are too many for the weakest korps and its Tigers."""
    many = "r-11ga r-13a r-65a r-5ga r-6ga r-40a"
    text = f"T15: r-1tc | T16: r-5tc | U16: {many} | S15: g-46pzk g-503; keil g-46pzk SE"
    order = attack("T15", "g-46pzk g-503", advance="g-46pzk,g-503", breakthrough="U16,T16")
    umpire = fight(place(text), order, dice="1")
    assert onward(umpire) == [("b1/on", "T16", ("g-46pzk", "g-503"))]


def test_2_0_breakthrough_passes_over_an_attack_that_would_be_called_off():
    """J-66, 3.0-cancel: b2 depends on b3, a later attack; b2 comes in its turn."""
    text = "T15: r-1tc | T16: r-5tc | S15: g-2ss | U17: g-48pzk | U15: r-2tc | V14: g-4pz; keil g-2ss SE"
    first = attack("T15", "g-2ss", advance="g-2ss", breakthrough="join b2")
    b2, b3 = attack("T16", "g-48pzk", name="b2", cancel="unless b3"), attack("U15", "g-4pz", name="b3")
    passed = fight(place(text), first, b3, b2, dice="11")
    assert [battle for battle, _place, _who in onward(passed)] == ["b3", "b2"]
    assert onward(passed)[1][2] == ("g-48pzk",)
    done = fight(place(text), b3, first, b2, dice="11")
    assert onward(done)[1] == ("b2", "T16", ("g-48pzk", "g-2ss"))


def test_2_0_breakthrough_is_told_when_nothing_named_can_be_attacked():
    """J-66: the report says why."""
    umpire = fight(place(ALONE), attack("T15", "g-2ss", advance="g-2ss", breakthrough="U16,U15"), dice="1")
    (told,) = list_notes(umpire, "2.0-breakthrough")
    assert told == "no breakthrough after b1: no named hex or attack is in reach"
    assert onward(umpire) == []


@pytest.mark.parametrize(
    ("goes", "made"), [("g-503", False), ("g-3pzk", False), ("g-3pzk,g-503 U15", False), ("g-503,g-3pzk", True)]
)
def test_2_0_breakthrough_is_made_by_the_whole_panzerkeil_or_not_at_all(goes, made):
    """J-32, J-66: Tigers without their korps cannot, nor the korps without Tigers that attacked."""
    umpire = fight(place(PAIR), attack("T15", "g-3pzk g-503", advance=goes, breakthrough="T16"), dice="1")
    assert bool(onward(umpire)) == made
    (told,) = list_notes(umpire, "2.0-breakthrough")
    assert told.startswith("breakthrough" if made else "no breakthrough")


def test_2_0_breakthrough_of_a_korps_whose_tigers_did_not_attack():
    """J-32, J-52: units that did not attack cannot advance and are not needed."""
    umpire = fight(place(PAIR), attack("T15", "g-3pzk", advance="g-3pzk", breakthrough="T16"), dice="1")
    assert onward(umpire) == [("b1/on", "T16", ("g-3pzk",))]


def test_2_0_breakthrough_one_of_two_panzerkeile_is_enough():
    """J-32: each is a separate formation; the other may stay."""
    text = f"{PAIR.replace(';', ' | T14: g-2ss;')}; keil g-2ss E"
    order = attack("T15", "g-2ss g-3pzk g-503", breakthrough="T16")
    for goes, who in (
        ("g-2ss", "g-2ss"),
        ("g-3pzk,g-503", "g-3pzk g-503"),
        ("g-3pzk,g-2ss only U15", ""),
        ("g-3pzk,g-503,g-2ss only U15", "g-3pzk g-503"),
    ):
        umpire = fight(place(text), {**order, "advance": goes.split(",")}, dice="1")
        assert [set(units) for _battle, _place, units in onward(umpire)] == ([{*who.split()}] if who else []), goes


@pytest.mark.parametrize(("wish", "since"), [("U16", (5, "9.0")), ("U15", (1, ""))])
def test_9_0_a_game_of_adjudication_4_stops_only_where_an_advance_differs(wish, since):
    """J-45, J-80: adjudication 4 did not count the hexes that a defender enters after an overfull hex."""
    state = place("U14: g-24pzk | U15: r-1mc | U16: r-2tc r-23tc | T15: r-9tc r-5tc | V15: r-10tc r-19tc")
    plan = attack("U15", "g-24pzk", push="1", advance=f"g-24pzk {wish}".removesuffix(" U15"))
    after = fight(state, plan, dice="3", policy={"crowd": "on"})
    assert (at(after, "g-24pzk"), after.since) == (wish, since)
