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
    july,
    list_fought,
    list_notes,
    list_refusals,
    list_unused,
    order_moves,
    place,
    resolve,
)


@pytest.mark.parametrize(("stands", "who", "low"), [("", "g-24pzk", "1:2"), ("; stage russian-orders", "r-1ta", "1:3")])
def test_7_0_the_columns_of_a_pressed_attack_are_named(stands, who, low):
    """J-18: rows 4 to 6 one column down for a German, and two for a Russian."""
    hexes = ("T15: r-57a | S15: g-24pzk", "T15: g-41pzk | T16: r-1ta")["russian" in stands]
    told = list_fought(fight(place(hexes + stands), attack("T15", who, pressed=True)))
    assert told.roles[0][0].startswith(f"Pressed Attack: dice 1 to 3 are read at 3:2, 4 to 6 at {low} [7.0], by")


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


def test_16_2_who_moves_out_of_supply_is_told_why_it_is_disrupted():
    ring = "T15: r-1tc | R14: g-42k | R16: g-52k | T17: g-30k | V16: g-7k | V14: g-20k | T13: g-13k"
    moved = order_moves(place(f"{ring}; stage russian-orders"), ("r-1tc", " T16"))
    assert list_notes(moved, "16.2") == ["1st Tank Corps is Disrupted: moved out of supply"]


@pytest.mark.parametrize(
    ("stands", "advance", "die", "why"),
    [
        ("", "g-2ss U15,g-42k U15", "1", "g-42k does not advance: the unit may advance only one hex"),
        (" | T16: r-6a", "g-2ss U15,g-42k U15", "4", "g-42k does not advance: {} U15"),
        ("", "g-2ss A1", "1", "g-2ss does not advance: the way does not exist"),
    ],
)
def test_9_0_what_has_become_impossible_is_skipped(stands, advance, die, why):
    """J-47: the report gives the reason."""
    state = place(f"T15: r-10a | S15: g-2ss g-42k{stands}")
    policy = {"withdraw": "2", "retreat": ["U15-V14"]}
    umpire = fight(state, attack("T15", "g-42k g-2ss", advance=advance), dice=die, policy=policy)
    assert list_notes(umpire, "9.0") == [why.format("a zone of control stops the advance before")]


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
