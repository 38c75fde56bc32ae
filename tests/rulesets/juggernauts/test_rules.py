"""Rules: words of reports and warnings, passages that are easily read differently, and verdicts that no card holds."""

import pytest

from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.account.battles import clashes
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import RULESET, odds, readiness
from kursk_pbem.rulesets.juggernauts.seen import exact_odds, outlook
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
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
    list_unused,
    order_moves,
    order_strikes,
    place,
    pos,
    resolve,
)


def defence(text, hex_, origins):
    board = july().board
    return odds.find_defence(pos(place(text)), board.index[hex_], board.mask(origins.split()))


def test_7_0_pressed_attack_is_read_higher_and_lower():
    """J-18: rows 1 to 3 a column up, rows 4 to 6 one down for a German and two for a Russian."""
    german, russian = place("T15: r-57a | S15: g-46pzk"), place("T15: g-46pzk | T16: r-1ta; stage russian-orders")
    for state, order, down in (
        (german, attack("T15", "g-46pzk", pressed=True), 1),
        (russian, attack("T15", "r-1ta", pressed=True), 2),
    ):
        for die in range(1, 7):
            told = list_fought(fight(state, order, dice=str(die)))
            level = july().columns.index(told.column) + (1 if die <= 3 else -down)
            assert told.result == july().crt[level, die]
            columns = [july().columns[july().columns.index(told.column) + by] for by in (1, -down)]
            said = "Pressed Attack: dice 1 to 3 are read at {}, 4 to 6 at {} [7.0], by"
            assert told.roles[0][0] == said.format(*columns)


def test_15_2_lines_are_entered_in_an_advance_when_they_are_taken():
    """J-51: an adjacent Russian first line does not bar an advance, a German line does."""
    taken = fight(place("H8: g-2ss"), attack("I9", "g-2ss", advance="g-2ss"), dice="1")
    assert at(taken, "g-2ss") == "I9"
    order = attack("I9", "g-2ss g-505", advance="g-2ss,g-505 only I8")
    past = fight(place("H8: g-2ss g-505 | I9: r-10a"), order, dice="1")
    assert (list_fought(past).result, at(past, "g-505")) == ("D2", "I8")
    russian = place("I9: r-11ga r-1ta | I8: r-5gta | H9: g-323i | H10: r-4ta; stage russian-orders; lost G10 H7")
    orders = (attack("H9", "r-11ga r-4ta r-1ta", advance="r-11ga,r-1ta only H8"), attack("H8", "r-5gta", name="b2"))
    umpire = fight(russian, *orders, dice="16")
    assert list_fought(umpire).result == "DE"
    assert (at(umpire, "r-11ga"), at(umpire, "r-1ta")) == ("H9", "I9")


def test_12_0_nobody_withdraws_into_a_full_hex_of_their_own_accord():
    """J-44: only a forced retreat may exceed the limit, and a D forces none."""
    text = "W10: r-69a | V9: g-505 | W9: g-47pzk | V10: g-5pz | W11: r-63a r-1tc r-7ak | V11: g-48pzk"
    umpire = fight(place(text), attack("W10", "g-505"), dice="1", policy={"withdraw": "2"})
    assert (list_fought(umpire).result, at(umpire, "r-69a")) == ("D", "W10")
    assert not any(is_(umpire, "disrupted", uid) for uid in ("r-63a", "r-1tc", "r-7ak"))
    driven = fight(place(text), attack("W10", "g-47pzk"), dice="4", policy={"withdraw": "2"})
    assert (list_fought(driven).result, at(driven, "r-69a")) == ("D1", "W11")
    assert all(is_(driven, "disrupted", uid) for uid in ("r-63a", "r-1tc", "r-7ak"))


def test_9_0_two_hexes_for_tanks_and_cavalry_after_de_and_d2():
    """J-31: other units one; the retreat's way is open, other hexes only with enough factors."""
    text = "T15: r-10a | S15: g-2ss g-42k"
    umpire = fight(place(text), attack("T15", "g-2ss g-42k", advance="g-2ss U15,g-42k U15"))
    assert list_fought(umpire).result == "DE"
    assert (at(umpire, "g-2ss"), at(umpire, "g-42k")) == ("U15", "S15")
    assert any("only one hex" in note for note in list_notes(umpire, "9.0"))
    cavalry = place("T15: g-323i | S15: r-5gcc r-7gcc r-1mc; stage russian-orders")
    ride = fight(cavalry, attack("T15", "r-5gcc r-7gcc r-1mc", advance="r-5gcc U15,r-1mc U16"), dice="1")
    assert list_fought(ride).result == "DE"
    assert (at(ride, "r-5gcc"), at(ride, "r-1mc")) == ("U15", "S15")


def test_9_0_zones_hold_infantry_and_cavalry_but_not_after_a_de():
    """J-65: tanks only if they do not cross the attacked hex."""
    text = "T15: r-10a | S15: g-2ss g-42k | T14: r-6a"
    order = attack("T15", "g-42k g-2ss", advance="g-42k,g-2ss", push="1")
    held = fight(place(text), order, dice="2")
    assert list_fought(held).result == "D2"
    assert (at(held, "g-42k"), at(held, "g-2ss")) == ("S15", "T15")
    sure = fight(place(text), order)
    assert list_fought(sure).result == "DE"
    assert (at(sure, "g-42k"), at(sure, "g-2ss")) == ("T15", "T15")


def test_15_6_a_panther_pays_for_a_river_out_of_what_a_blitzkrieg_leaves_it():
    """J-43: from its printed four factors, or three in a Blitzkrieg; T12 is across the Oskol."""
    text = "T12: r-10a | T16: g-10bde"
    for stage, slip in (("german-orders", []), ("german-dice", ["15.6"])):
        start = place(f"{text}; stage {stage}")
        umpire = declare_attacks(order_moves(start, ("g-10bde", "T15 T14 T13")).state, attack("T12", "g-10bde"))
        assert [each.rule for each in umpire.violations] == slip
        near = place("T12: r-10a | T15: g-10bde; stage " + stage)
        assert not declare_attacks(order_moves(near, ("g-10bde", "T14 T13")).state, attack("T12", "g-10bde")).violations


@pytest.mark.parametrize("planes", ["", "g-lf4 g-lf4", "r-2va"])
def test_20_1_a_strike_names_own_air_units_once(planes):
    umpire = order_strikes(place("I9: r-57a", july(flown="flown")), ("I9", planes))
    assert [each.rule for each in umpire.violations] == ["20.1"]


@pytest.mark.parametrize(
    ("attackers", "defenders", "column"),
    [(8, 1, "more than 7:1"), (79, 10, "7:1"), (29, 10, "2:1"), (1, 5, "1:5"), (10, 51, "1:6")],
)
def test_1_0_odds_beside_the_table_have_names(attackers, defenders, column):
    assert odds.name_column(july(), odds.find_level(attackers, defenders)) == column


def test_15_2_no_result_speaks_of_defenders_where_only_a_line_defends():
    """Bug: a D reported 'defenders Disrupted; they may withdraw' for an empty hex."""
    fights = [list_fought(fight(place("H9: g-46pzk"), attack("I9", "g-46pzk"), dice=die)) for die in "123456"]
    told = {each.result: each.meaning for each in fights}
    assert (told["D"], told["D1"]) == ("the line holds", "line broken; attackers may enter")
    assert not any("defenders" in meaning for meaning in told.values())


def test_6_0_a_d_promises_no_withdrawal_to_who_has_no_retreat_orders():
    """Bug: the report said 'they may withdraw' of defenders who may not."""
    umpire = fight(place("T15: r-10a | S15: g-2ss"), attack("T15", "g-2ss"), dice="6", policy={"no-retreat": "yes"})
    assert (list_fought(umpire).result, at(umpire, "r-10a")) == ("D", "T15")
    assert list_fought(umpire).meaning.endswith("withdrawal possible without No Retreat! orders")


def test_3_0_all_that_is_wrong_with_an_attack_is_said_at_once():
    """A mistake of the attackers hides no mistake of the plan, and an illegal attack is not missing."""
    state = place("I9: r-57a | I8: r-6a | H8: g-2ss | D8: g-48pzk")
    said = list_refusals(state, attack("I9", "g-2ss"), attack("I8", "g-48pzk", name="b2", push="3", losses="g-2ss"))
    assert [sentence.partition(":")[0] for _rule, sentence in said] == [
        "g-48pzk in D8 is not adjacent to the hex attacked",
        "push",
        "losses",
    ]


@pytest.mark.parametrize(
    ("text", "hex_", "line"),
    [
        ("G12: r-9tc | G13: g-3pzk | F11: g-46pzk; keil g-3pzk NW", "G12", "F11"),
        ("B9: r-9tc | A10: g-3pzk | C9: g-46pzk; keil g-3pzk NE", "B9", "C9"),
    ],
)
def test_3_0_cancel_nobody_breaks_through_into_their_own_units_in_a_line_of_the_enemy(text, hex_, line):
    """J-66: units may be set up in an enemy line, which is not lost but defends only its owner."""
    umpire = fight(place(text), attack(hex_, "g-3pzk", advance="g-3pzk", breakthrough=line), dice="1")
    assert [event.battle for event in umpire.events if isinstance(event, Fought)] == ["b1"]
    assert at(umpire, "g-46pzk") == line
    assert not is_(umpire, "disrupted", "g-46pzk")


def test_15_7_ground_helps_the_unit_that_is_the_greatest_as_it_stands():
    """J-46: with its entrenchment and other ground; on a tie the lowest id."""

    def worth(text, hex_="A10"):
        return dict(defence(text, hex_, "B10").units)

    assert worth("A10: r-57a r-6a") == {"r-57a": 5, "r-6a": 4}
    assert worth("A10: r-57a r-6a; entrenched r-6a") == {"r-57a": 4, "r-6a": 6}
    assert worth("A10: r-65a r-6a; entrenched r-6a") == {"r-65a": 6, "r-6a": 5}
    assert worth("L8: r-57a r-6a; entrenched r-6a", "L8") == {"r-57a": 4, "r-6a": 7}


def test_3_0_cancel_what_events_have_overtaken_is_not_made():
    """J-69: no attacker or no defender remains."""
    state = place("T15: r-10a | S15: g-2ss")
    umpire = declare_attacks(state, attack("T15", "g-2ss"))
    gone = umpire.state.with_(units={**umpire.state.units, "r-10a": Unit("R1", 1)})
    umpire.state = gone
    assert list_notes(resolve(umpire, "1", {}), "3.0-cancel") == ["attack b1 does not take place: no defender is left"]
    panther = order_moves(place("T15: r-57a | R15: g-10bde"), ("g-10bde", "R14 S15")).state
    alone = resolve(declare_attacks(panther, attack("T15", "g-10bde")), "11", {})
    assert list_notes(alone, "3.0-cancel") == ["attack b1 does not take place: no attacker is left"]


def test_14_1_a_disrupted_panzerkorps_is_told_why_it_is_no_panzerkeil():
    """J-62: its Tigers are part of the counter."""
    umpire = Umpire(july(), place("T15: g-2ss; disrupted g-2ss"), 1)
    readiness.form_wedges(umpire, Filing(1, "german", orders={"panzerkeil": [{"unit": "g-2ss", "facing": "NE"}]}))
    assert [each.message for each in umpire.violations] == ["is Disrupted, and therefore no Panzerkeil"]


@pytest.mark.parametrize("die", "15")
def test_14_4_the_die_of_a_panther_has_its_chance_in_the_report(die):
    umpire = resolve(order_moves(place("S17: g-10bde"), ("g-10bde", "S16 S15 S14 S13")), die, {})
    (test,) = [event for event in umpire.events if isinstance(event, kinds.Tested)]
    assert test.chance == "2/6"


@pytest.mark.parametrize(
    ("stands", "move", "rule"),
    [
        ("T15: r-57a | R15: g-48pzk", ("g-48pzk", "S15 T15"), "10.0"),
        ("T15: r-1tc | S15: g-48pzk", ("g-48pzk", "T15"), "13.0"),
        ("T15: r-1tc | S15: g-52k | T16: g-42k | U15: g-30k; stage russian-orders", ("r-1tc", "S16"), "10.0-move"),
    ],
)
def test_13_0_a_move_among_enemies_is_refused_for_what_stops_it(stands, move, rule):
    assert [each.rule for each in order_moves(place(stands), move).violations] == [rule]


def test_16_2_who_moves_out_of_supply_is_told_why_it_is_disrupted():
    ring = "T15: r-1tc | R14: g-42k | R16: g-52k | T17: g-30k | V16: g-7k | V14: g-20k | T13: g-13k"
    moved = order_moves(place(f"{ring}; stage russian-orders"), ("r-1tc", " T16"))
    assert list_notes(moved, "16.2") == ["1st Tank Corps is Disrupted: moved out of supply"]


def test_9_0_what_has_become_impossible_is_skipped():
    """J-47: the report gives the reason."""
    umpire = fight(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss", advance="g-2ss", push="0"), dice="4")
    assert at(umpire, "g-2ss") == "S15"
    strange = attack("T15", "g-2ss", advance="r-57a,g-2ss W1 W2")
    assert [rule for rule, _why in list_refusals(place("T15: r-57a | S15: g-2ss"), strange)] == ["2.0", "2.0"]
    wrong = fight(place("T15: r-10a | S15: g-2ss"), attack("T15", "g-2ss", advance="g-2ss A1"))
    assert list_notes(wrong, "9.0") == ["g-2ss does not advance: the way does not exist"]


KEIL = "T15: r-10a | S15: g-3pzk g-503 | U15: r-1tc | U16: r-2tc; keil g-3pzk SE"
GOES = "g-3pzk,g-503"


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


def test_9_0_a_game_of_adjudication_4_goes_on_where_the_first_hex_of_the_retreat_is_entered():
    """J-45, J-80: the army enters U16, which is overfull, and goes on; adjudication 4 counted U16."""
    state = place("U14: g-24pzk | U15: r-65a | U16: r-69a r-9tc | T15: r-2tc r-5tc | V15: r-10tc r-19tc")
    after = fight(state, attack("U15", "g-24pzk", push="1", advance="g-24pzk U16"), dice="1", policy={"crowd": "on"})
    assert list_fought(after).result == "D2"
    assert (at(after, "r-65a"), at(after, "g-24pzk"), after.since) == ("U17", "U16", (1, ""))


LINE = "I9: r-57a | I8: r-6a | H8: g-2ss g-48pzk"


def made(umpire):
    """Return the attacks made, in order."""
    return [event.battle for event in umpire.events if isinstance(event, Fought)]


def test_3_0_must_what_was_called_off_before_forbids_the_attack_that_needs_it():
    """J-12, J-73: a cancelled feint at I8 does not permit an attack on I9 alone; an attack made requires it."""
    orders = attack("I9", "g-2ss"), attack("I8", "g-48pzk", name="b2", cancel="below 7:1")
    umpire = fight(place(LINE), *reversed(orders), dice="6")
    assert made(umpire) == []
    assert list_notes(umpire, "3.0-must") == ["attack b1 does not take place: I8 had to be attacked too"]
    required = fight(place(LINE), *orders, dice="6")
    assert made(required) == ["b1", "b2"]
    assert "b2 is not called off, because an earlier attack requires b2" in list_notes(required)


def test_3_0_must_a_panther_that_does_not_arrive_takes_the_others_with_it():
    """J-73: without the Panther there is no attack on I8, so the attack on I9 is off, too."""
    state = order_moves(place("I9: r-57a | I8: r-10a | H8: g-2ss | F8: g-10bde"), ("g-10bde", "G8 H8")).state
    orders = attack("I9", "g-2ss"), attack("I8", "g-10bde", name="b2")
    assert made(resolve(declare_attacks(state, *orders), "56", {})) == ["b1", "b2"]
    assert made(resolve(declare_attacks(state, *orders), "16", {})) == []


def test_2_0_breakthrough_that_cannot_be_made_is_told():
    """J-66: the report mentions every planned breakthrough."""
    text = "T15: r-10a | S15: g-3pzk g-503 | U15: r-1tc"
    order = attack("T15", "g-3pzk g-503", advance="g-3pzk,g-503", breakthrough="U15")
    plain = fight(place(text.replace("r-10a", "r-2tc r-5tc")), order, dice="1")
    assert list_notes(plain, "2.0-breakthrough") == ["no breakthrough after b1: no Panzerkeil made the attack"]
    apart = fight(place(f"{text}; keil g-3pzk SE"), {**order, "advance": ["g-3pzk U16", "g-503"]}, dice="1")
    (told,) = list_notes(apart, "2.0-breakthrough")
    assert told == "no breakthrough after b1: the whole Panzerkeil has not advanced into a single hex"
    stays = fight(place(f"{text}; keil g-3pzk SE"), {**order, "advance": []}, dice="1")
    assert list_notes(stays, "2.0-breakthrough") == ["no breakthrough after b1: the Panzerkeil has not advanced"]
    away = fight(place(f"{text}; keil g-3pzk SE"), {**order, "breakthrough": ["W1", "join b1"]}, dice="1")
    told = "no breakthrough after b1: no named hex or attack is in reach"
    assert list_notes(away, "2.0-breakthrough") == [told]
    weak = fight(place(f"{text}; keil g-3pzk SE"), order, dice="6")  # bug: no note after other results than a DE
    assert list_fought(weak).result != "DE"
    assert list_notes(weak, "2.0-breakthrough") == ["no breakthrough after b1: only a DE brings one"]


def test_9_0_the_second_hex_of_an_advance_is_closed_by_the_zone_of_the_first():
    """10.0: a move ends in a zone; only a complete move of one hex to friends is free (J-21)."""
    text = "T15: r-10a | S15: g-2ss g-42k | T16: r-6a"
    order = attack("T15", "g-42k g-2ss", advance="g-2ss U15,g-42k U15")
    policy = {"withdraw": "2", "retreat": ["U15-V14"]}
    umpire = fight(place(text), order, dice="4", policy=policy)
    assert list_fought(umpire).result == "D1"
    assert (at(umpire, "r-10a"), at(umpire, "g-2ss"), at(umpire, "g-42k")) == ("V14", "U15", "S15")
    assert list_notes(umpire, "9.0") == ["g-42k does not advance: a zone of control stops the advance before U15"]
    free = fight(place(text.replace("T16: r-6a", "T17: r-6a")), order, dice="4", policy=policy)
    assert at(free, "g-42k") == "U15"


def test_1_0_sure_says_what_it_does_also_for_artillery_alone():
    """J-20: more than 7:1 is a DE, which is a D for artillery alone."""
    state = place("T15: g-505 | T16: r-4ak r-7ak; emplaced r-4ak r-7ak; stage russian-orders")
    umpire = fight(state, attack("T15", "r-4ak r-7ak"))
    assert list_notes(umpire, "1.0-sure") == ["b1: more than 7:1 is a DE without a die"]
    assert at(umpire, "g-505") == "T15"
    left = list_unused(state, orders={"battles": [attack("T15", "r-4ak r-7ak")]})
    assert "planned no advance" not in " ".join(note.text for note in left)  # no unit could advance


def test_13_3_attacks_of_the_second_step_are_in_the_headlines():
    """Bug: headlines omitted attacks that the message with the first dice ordered."""
    first = declare_attacks(place("R9: g-3pzk g-503 | H5: g-20k"), attack("R10", "g-3pzk g-503")).state
    second = first.with_(agenda={**first.agenda, BATTLES: [{**first.agenda[BATTLES][0], "hex": "I6"}]})
    assert "1 attack ordered on I6" in RULESET.seen.headlines(july(), first, (), second)
    assert not [line for line in RULESET.seen.headlines(july(), second, (), second) if "ordered" in line]


def test_17_2_where_armour_is_placed_no_unit_is_said_to_move():
    """Bug: the historical hex counted as the unit's place, with moves from there."""
    state = RULESET.data.setup(july("by-choice"))
    shown = outlook.make_outlook(july("by-choice"), state, "g-5pz")
    assert (shown.phases, shown.notes) == ((), ("Units move after all armour is placed [17.2].",))
    assert outlook.explain_refusal(july("by-choice"), state, "g-5pz", "D7") == shown.notes


def test_9_0_a_panther_on_the_move_may_advance_from_where_it_means_to_be():
    """J-43: bug: the advance was called impossible from the Panther's first hex."""
    order = attack("T15", "g-2ss g-10bde", advance="g-2ss,g-10bde")
    orders = {"movement": [{"unit": "g-10bde", "to": "S15"}], "battles": [order]}
    left = list_unused(place("T15: r-10a | S15: g-2ss | S13: g-10bde"), orders=orders)
    assert [note.text for note in left if note.vain] == []


def far(umpire, uid, start):
    board = july().board
    return board.distance(board.index[start], board.index[at(umpire, uid)])


def test_15_2_odds_tell_of_a_line_that_falls():
    state = declare_attacks(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk")).state
    (only,) = exact_odds.list_chances(july(), state, {})
    (exchange,) = [each for each in only.outcomes if each.result == "X"]
    assert "the line in I9 is lost" in exchange.text


def test_15_2_the_story_tells_that_a_line_fell():
    """Bug: the story said that the line held, because no unit entered."""
    umpire = fight(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk"), dice="5")
    (clash,) = clashes(umpire.events)
    words = Wording(july())
    told = tell_battle(clash, Voice(words, lambda uid: f"the {words.unit(uid)}", lambda _label: ("", "Ponyri")), 0)
    assert told.endswith("The Russian 1st line fell, and the XXXXVI. Panzerkorps was lost.")


def test_6_0_no_retreat_orders_for_one_unit_on_a_d2():
    """J-53: orders for single units: the unit with No Retreat! orders dies, the other retreats."""
    umpire = fight(
        place("T15: r-10a r-6a | S15: g-2ss g-3pzk g-20k"),
        attack("T15", "g-2ss g-3pzk g-20k"),
        dice="1",
        policy={"units": {"r-10a": {"no-retreat": "yes"}}},
    )
    assert list_fought(umpire).result == "D2"
    assert at(umpire, "r-10a") == "eliminated"
    assert far(umpire, "r-6a", "T15") == 2
    assert "D2 becomes DE for r-10a: No Retreat!" in list_notes(umpire, "6.0")
