"""Findings of a second reading of the text (J-73, J-74 and related rulings)."""

from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.rulesets.juggernauts import RULESET
from kursk_pbem.rulesets.juggernauts.seen import outlook
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

LINE = "I9: r-57a | I8: r-6a | H8: g-2ss g-48pzk"


def made(umpire):
    """Return the attacks made, in order."""
    return [event.battle for event in umpire.events if isinstance(event, Fought)]


def test_3_0_must_what_was_called_off_before_forbids_the_attack_that_needs_it():
    """J-73: a cancelled feint at I8 does not permit an attack on I9 alone."""
    orders = attack("I9", "g-2ss"), attack("I8", "g-48pzk", name="b2", cancel="below 7:1")
    umpire = fight(place(LINE), *reversed(orders), dice="6")
    assert made(umpire) == []
    assert list_notes(umpire, "3.0-must") == ["attack b1 does not take place: I8 had to be attacked too"]
    assert made(fight(place(LINE), *orders, dice="6")) == ["b1", "b2"]


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
    assert "no named hex or attack" in list_notes(away, "2.0-breakthrough")[0]
    weak = fight(place(f"{text}; keil g-3pzk SE"), order, dice="6")  # bug: no note after other results than a DE
    assert list_fought(weak).result != "DE"
    assert list_notes(weak, "2.0-breakthrough") == ["no breakthrough after b1: only a DE brings one"]


def test_3_0_plans_that_name_other_attacks_name_those_of_the_message():
    """J-64: a misspelled attack would make a wish useless."""
    state = place("T15: r-57a | S15: g-2ss | R15: r-6a | R14: g-48pzk")
    wrong = attack("T15", "g-2ss", cancel="unless b9"), attack("R15", "g-48pzk", name="b2", breakthrough="join b7")
    assert list_refusals(state, *wrong) == [("2.0", f"your message has no attack {each}") for each in ("b9", "b7")]
    right = attack("T15", "g-2ss", cancel="unless b2"), attack("R15", "g-48pzk", name="b2", breakthrough="join b1")
    assert not list_refusals(state, *right)


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
