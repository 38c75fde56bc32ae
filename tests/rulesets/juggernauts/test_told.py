"""Messages to players in positions that invite untrue messages."""

from dataclasses import replace

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml
from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.events import Decided, Moved, Removed, Rolled
from kursk_pbem.kernel.state import ANSWERED, ELIMINATED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import RULESET, air, marks, setup
from kursk_pbem.rulesets.juggernauts.seen import bombing, choices, exact_odds, hints, outlook
from kursk_pbem.rulesets.juggernauts.seen.headlines import make_headlines
from kursk_pbem.rulesets.juggernauts.seen.tables import make_tables
from kursk_pbem.rulesets.juggernauts.seen.verbs import list_verbs
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
from rulesets.juggernauts.board import (
    asking,
    at,
    attack,
    declare_attacks,
    fight,
    is_,
    july,
    list_fought,
    list_notes,
    list_unused,
    offered,
    order_moves,
    order_strikes,
    place,
    resolve,
    wait_for_answer,
    written,
)

VERBS = {verb.name: verb for verb in list_verbs(july("historical", "flown"))}


def flight(text, *strikes, dice="", policy=None, setting=None):
    """Declare strikes of (hex, air units) in message 1; answer and resolve them unless there are no dice."""
    setting = setting or july(flown="flown")
    umpire = order_strikes(place(text, setting), *strikes, setting=setting)
    return resolve(umpire, dice, policy or {}) if dice else umpire


@pytest.mark.parametrize(("who", "told"), [("48pz 2ss", "4:1; nobody advances"), ("48pz 3pz", ""), ("48pz 12pz", "")])
def test_an_attack_of_units_that_may_not_make_it_has_no_odds_3_0(who, told):
    """Bug: a refused attack had odds, although one unit was distant and another Disrupted."""
    ask = asking(place("T15: r-57a | S15: g-48pzk | S16: g-2ss | Q10: g-3pzk | T14: g-12pz; disrupted g-12pz"))
    (edit,) = VERBS["attack"].write(ask, ["T15", "with", *who.split()])
    assert edit.said.partition(": ")[2] == told
    assert ("nobody advances" in edit.said) == bool(told)


def test_who_attacks_elsewhere_is_not_counted_into_the_odds_of_another_attack_3_0():
    state = place("T15: r-57a | T16: r-1mc | S16: g-48pzk | S15: g-2ss")
    among = dict(offered("attack", asking(state))[""].among)
    draft = written("attack", asking(state), "T15 with g-48pzk")
    alone = dict(offered("attack", asking(place("T15: r-57a | T16: r-1mc | S15: g-2ss")))[""].among)
    then = dict(offered("attack", asking(state, draft))[""].among)
    assert set(among) == {"T15", "T16"}
    assert then == {"T15": among["T15"]}  # no unit is left for T16; this attack can still change
    assert alone["T15"] != among["T15"]
    draft = written("attack", asking(state), "T16 with g-48pzk")
    assert dict(offered("attack", asking(state, draft))[""].among) == {"T15": alone["T15"], "T16": among["T16"]}


def said(name, ask, text):
    (verb,) = (verb for verb in list_verbs(july(flown="flown")) if verb.name == name)
    return [edit.said for edit in verb.write(ask, text.split()) if edit.said]


def test_an_order_says_whose_air_units_it_drops_20_1():
    state = place("T15: r-57a | S15: g-2ss")
    flown = {"orders": {"aircraft": [{"id": "s-t15", "hex": "T15", "planes": ["g-lf4", "g-lf6"]}]}}
    ask = asking(state, flown, setting=july(flown="flown"))
    assert said("strike", ask, "T15 with g-lf6") == ["T15 by g-lf6, instead of g-lf4, g-lf6"]
    assert said("strike", ask, "T15 with g-lf6 g-lf4") == ["T15 by g-lf6, g-lf4"]
    ask = replace(ask, draft={"policy": {"intercept": ["g-lf4"]}})
    assert said("answer", ask, "intercept g-lf6") == ["intercept g-lf6, instead of g-lf4"]


@pytest.mark.parametrize(
    ("dice", "met", "first"),
    [
        ("16", (), ["57th Army hit from the air"]),
        ("55", (), []),
        ("65", ("r-5va",), ["4th Luftflotte is shot down"]),
        (
            "31",
            ("r-5va",),
            ["5th Air Army is intercepted", "57th Army hit from the air", "1st Tank Corps hit from the air"],
        ),
    ],
)
def test_headlines_say_what_air_units_did_20_0(dice, met, first):
    setting = july("historical", "flown")
    umpire = flight("I9: r-57a r-1tc", ("I9", "g-lf4"), dice=dice, policy={"intercept": [*met]} if met else {})
    told = make_headlines(setting, umpire.state, umpire.events, umpire.state)
    assert [line for line in told if "air" in line.lower() or "Luftflotte" in line] == first
    assert not [line for line in told if line.count("destroyed") > 1]
    ordered = flight("I9: r-57a", ("I9", "g-lf4"))
    assert "1 air strike ordered on Ponyri" in make_headlines(setting, ordered.state, ordered.events, ordered.state)


NEAR = "I9: r-57a r-1tc"


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
    """J-68: row 4 turns the bomber back."""
    umpire = flight(NEAR, ("I9", "g-lf4"), dice=f"{die}1", policy={"intercept": ["r-5va"]})
    met = next(event for event in umpire.events if isinstance(event, kinds.Tested))
    assert text in met.text
    assert (met.what, met.subject, met.chance) == ("Interception by 5th Air Army", "g-lf4", chance)
    assert is_(umpire, "disrupted", "r-57a") == bombed
    assert bool(umpire.state.marks.get("down")) == ("down" in text)


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
    rows = [event.good for event in umpire.events if isinstance(event, Rolled)]
    assert rows == [{"high": "low", "low": "high"}[each] if die_b else each for each in good]


def test_reports_say_when_an_air_unit_rests_and_when_it_is_back_20_4():
    """J-68: bug: reports did not say which air units could fly."""
    setting = july("historical", "flown")
    rests = flight("I9: r-57a", ("I9", "g-lf4"), dice="6")
    back = Umpire(setting, rests.state.with_(marks={marks.DOWN: {"g-lf4": "1"}}), 4)
    air.return_planes(back, turn=False)
    for umpire, told in ((rests, "does not strike in the next turn"), (back, "is back")):
        assert [f"4th Luftflotte (g-lf4) {told}"] in [Wording(setting).tell(event) for event in umpire.events]


def test_an_end_from_the_air_is_told_once_20_4():
    gone = Removed("20.4", "r-1tc", ELIMINATED, "destroyed from the air")
    state = place("I9: r-57a")
    assert make_headlines(july(), state, [gone], state)[0] == "1st Tank Corps destroyed: from the air"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "strikes once in a turn, and is ordered twice"),
        ("g-lf4 down", "is shot down and does not fly yet"),
        ("g-lf4/strike next", "does not strike after an AA"),
        ("g-lf4/strike yes", "has struck in this turn, or rests after an AA of the last turn"),
    ],
)
def test_why_an_air_unit_does_not_strike_20_1(words, why):
    setting, (key, value) = july("historical", "flown"), (words.split() or ("", ""))
    table = {} if not key else {marks.DOWN: {key: "1"}} if value == "down" else {marks.FLOWN: {key: value}}
    state = place("I9: r-57a | J9: r-1tc", setting).with_(marks=table)
    umpire = order_strikes(state, *((hex_, "g-lf4") for hex_ in ("I9", "J9")[: 1 if words else 2]))
    assert [violation.message for violation in umpire.violations] == [f"g-lf4 {why}"]


def test_no_dice_are_named_of_a_pressed_attack_that_column_b_turns_round_7_0():
    texts = [*choices.PRESSED.values(), *hints.PLAN_LINES]
    assert [text for text in texts if "1 to 3" in text] == []


def test_the_table_of_the_air_says_what_its_codes_mean_20_4():
    setting = july("historical", "flown")
    table = make_tables(setting)[-1]
    codes = {cell for row in table.rows for cell in row[1:3]}
    assert codes == {"D", "D*", "D-Rudel", "none", "AA"}
    assert all(f" {code}: " in table.notes[0] for code in codes)
    assert "'-down'" in table.notes[1]
    other = make_tables(replace(setting, die_b=True))[-1]
    assert [row[1:] for row in other.rows] == [row[1:] for row in reversed(table.rows)]  # as rolled


@pytest.mark.parametrize(
    ("advance", "told"),
    [
        ("g-3pzk,g-48pzk", [("g-48pzk", "T15")]),
        ("g-48pzk,g-3pzk", [("g-3pzk", "T15")]),
        ("g-3pzk T16,g-48pzk", []),
        ("g-3pzk,g-48pzk only U15,g-3pzk", []),
        ("g-3pzk,g-48pzk U16", [("g-48pzk", "T15")]),  # units passing through count
        ("g-3pzk", []),
    ],
)
def test_an_advance_of_two_panzerkorps_into_one_hex_is_warned_of_12_0(advance, told):
    """J-27: and the effect follows if all units advance."""
    state = place("T15: r-10a | S15: g-3pzk | T14: g-48pzk; turn 2")
    order = attack("T15", "g-3pzk g-48pzk", advance=advance)
    left = list_unused(state, orders={"battles": [order]})
    warned = [note.text for note in left if "stacking" in note.text]
    assert warned == [
        f"b1: after the planned advances {uid} exceeds the stacking limit in {label}: Disrupted" for uid, label in told
    ]
    after = fight(state, order, dice="1")
    assert [uid for uid in ("g-3pzk", "g-48pzk") if is_(after, "disrupted", uid)] == [uid for uid, _label in told]


def test_12_0_who_passes_a_crowd_is_told_so_wherever_the_way_ends():
    """Bug: a way through two full hexes to an empty hex had no warning."""
    state = place("H9: g-41pzk | H8: g-47pzk g-505 | H7: g-46pzk | H5: g-20k | G8: g-10pzg g-12pz g-4pz")
    ((mover,),) = (phase.movers for phase in outlook.make_outlook(july(), state, "g-41pzk").phases)
    over = {end.place: end.marks["over"] for end in mover.ends}
    assert over["H5"] == over["H4"] == ("g-47pzk", "g-505", "g-46pzk")
    assert over["H6"] == over["G10"] == ()


def test_13_4_who_can_run_somebody_over_is_told_so():
    """Bug: the program proposed an attack with required others, although a move was enough."""
    state = place("S15: r-57a | S14: g-503; stage russian-orders")
    ((mover,),) = (phase.movers for phase in outlook.make_outlook(july(), state, "r-57a").phases)
    runs = {end.place: end.marks["run"] for end in mover.ends}
    assert (runs["S14"], runs["S13"], runs["S16"]) == (("g-503",), ("g-503",), ())


def test_6_0_nobody_is_ask_for_an_answer_where_only_a_line_is_attacked():
    """Bug: warned of a missing answer for a hex without units."""
    for text, told in (("T15: r-57a | S15: g-2ss", ["6.0"]), ("H9: g-41pzk | L8: r-57a", [])):
        hexes = ("T15", "g-2ss") if told else ("I9", "g-41pzk")
        left = list_unused(wait_for_answer(place(text), attack(*hexes)), seq=2)
        assert [each.rule for each in left] == told


def test_20_2_who_can_meet_nobody_is_told_when_listed():
    """Bug: no warning for an air unit shot down, or for a third unit against two bombers."""
    setting = july("historical", "flown")
    ordered = flight("I9: r-57a | J9: r-1tc | T15: r-6a", ("I9", "g-lf4 g-lf6")).state
    for down, listed, idle in (
        ("r-2va", ["r-2va", "r-5va", "r-16va"], "r-2va"),
        ("", ["r-2va", "r-5va", "r-16va"], "r-16va"),
        ("", ["r-2va"], ""),
    ):
        state = ordered.with_(side="russian", stage="german-answer", marks={marks.DOWN: {down: "1"}} if down else {})
        left = list_unused(state, seq=2, setting=setting, policy={"intercept": listed})
        told = [each.text for each in left]
        assert told[:1] == [f"no bomber is left, or the air unit cannot fly now: intercept {idle}"] * bool(idle)


def test_20_4_the_odds_of_a_strike_name_the_end_of_its_mission():
    """Bug: the face with an AA was described as without effect."""
    setting = july("historical", "flown")
    (found,) = bombing.odds(setting, flight("I9: r-57a", ("I9", "g-lf4")).state)
    told = {"".join(one.faces): one.text for one in found.outcomes}
    assert told == {
        "123": ("Disrupted: r-57a",),
        "45": ("no unit is lost or newly Disrupted",),  # 4: D*, in a line
        "6": ("no strike in the next turn: g-lf4",),
    }


def test_20_2_two_bombers_that_two_meet_are_followed():
    setting = july("historical", "flown")
    state = flight("I9: r-57a", ("I9", "g-lf4 g-lf6")).state
    state = state.with_(agenda={**state.agenda, "policy": {"intercept": ["r-2va", "r-5va"]}, ANSWERED: 1})
    (found,) = bombing.odds(setting, state)
    assert sum(one.chance for one in found.outcomes) == 1


def unused(state, *orders, policy=None):
    """Return the warnings for these attacks, or for the answer to them, before the signature."""
    if policy:
        left = list_unused(wait_for_answer(state, *orders), seq=2, policy=policy)
    else:
        left = list_unused(state, orders={"battles": list(orders)})
    return " / ".join(note.text for note in left)


KEIL = "T15: r-57a | S15: g-30k | U16: r-38a | V15: g-3pzk g-503; keil g-3pzk NW; disrupted r-38a; turn 2"
ON_U16 = attack("U16", "g-3pzk g-503", name="b2", advance="g-3pzk,g-503", breakthrough="T15")


@pytest.mark.parametrize(
    ("stands", "orders", "dice", "policy"),
    [
        (  # 57th Army goes back into the empty line
            "A5: r-57a | A6: g-48pzk g-505 | A3: g-2ss | A7: g-41pzk",
            (attack("A5", "g-48pzk g-505"), attack("A4", "g-2ss", name="b2")),
            "3",
            {"withdraw": "1", "battles": {"b2": {"no-retreat": "yes"}}},
        ),
        (  # the Panzerkeil attacks it
            KEIL,
            (attack("T15", "g-30k"), ON_U16),
            "613",
            {"battles": {"b1": {"no-retreat": "no"}}, "hexes": {"T15": {"no-retreat": "yes"}}},
        ),
    ],
)
def test_8_0_what_is_answered_for_an_attack_to_come_is_not_said_to_be_in_vain(stands, orders, dice, policy):
    """Bug: a warning called No Retreat! orders useless, but they held the units."""
    assert "the defenders have No Retreat! orders" in list_notes(
        fight(place(stands), *orders, dice=dice, policy=policy)
    )
    assert unused(place(stands), *orders, policy=policy) == ""


@pytest.mark.parametrize("policy", [{"withdraw": "2"}, {"hexes": {"T15": {"withdraw": "2"}}}])
def test_8_0_a_withdrawal_from_a_panzerkeil_that_goes_on_is_not_said_to_be_in_vain(policy):
    policy = {**policy, "battles": {"b1": {"withdraw": "0"}, "b2": {"withdraw": "0"}}}
    assert at(fight(place(KEIL), attack("T15", "g-30k"), ON_U16, dice="615", policy=policy), "r-57a") != "T15"
    assert "more specific" not in unused(place(KEIL), attack("T15", "g-30k"), ON_U16, policy=policy)


def test_2_0_breakthrough_an_attack_that_is_joined_is_fought_before_those_listed_between_them():
    """Bug: a2 was reported before a3, and a3 as empty, although the Panzerkeil entered it."""
    text = "T15: r-38a | S15: g-3pzk g-503 | U16: r-57a | V15: g-48pzk | S10: r-6a | S9: g-2ss g-41pzk"
    state = place(f"{text}; keil g-3pzk SE; disrupted r-38a r-57a")
    plan = {"advance": "g-3pzk,g-503", "breakthrough": "join a3", "exploit": "g-3pzk"}
    orders = (
        attack("T15", "g-3pzk g-503", name="a1", **plan),
        attack("S10", "g-2ss g-41pzk", name="a2", cancel="unless a3", advance="g-2ss"),
        attack("U16", "g-48pzk", name="a3"),
    )
    umpire = fight(state, *orders)
    assert ([list_fought(umpire, number).battle for number in range(3)], at(umpire, "g-3pzk")) == (
        ["a1", "a3", "a2"],
        "U16",
    )
    assert "not fought earlier" not in unused(state, *orders)
    assert "planned no advance" not in unused(state, *orders)


def test_9_0_that_nobody_can_advance_is_said_of_units_as_they_stand_now():
    """A breakthrough may empty the hex before."""
    text = "T15: r-10a | S15: g-48pzk g-505 | U16: r-38a | V16: r-6a | V15: g-3pzk g-503"
    state = place(f"{text}; keil g-3pzk E; disrupted r-38a r-6a r-10a; turn 2")
    plan = {"advance": "g-3pzk,g-503", "breakthrough": "U16"}
    orders = (attack("V16", "g-3pzk g-503", name="b0", **plan), attack("T15", "g-48pzk g-505", advance="g-48pzk U16"))
    assert at(fight(state, *orders), "g-48pzk") == "U16"
    assert "advance g-48pzk U16" not in unused(state, *orders)


def test_10_0_friends_a_move_to_where_a_friend_stood_is_told_as_it_goes():
    """Bug: a step of 1 MP was described as 2 MP through a full hex."""
    state = place("T15: r-57a | S15: g-48pzk | S16: g-2ss | R15: g-3pzk")
    draft = {"orders": {"movement": [{"unit": "g-2ss", "to": "Q16"}]}}
    after = order_moves(state, ("g-2ss", "Q16")).state
    ask = asking(state, draft, ahead=lambda _draft, _phase: after)
    assert said("move", ask, "48 pz s16") == ["g-48pzk to S16, 1 MP"]
    assert dict(VERBS["move"].clauses(ask, ["g-48pzk"])[0].among)["S16"] == "1 MP"
    went = [
        event for event in order_moves(state, ("g-2ss", "Q16"), ("g-48pzk", "S16")).events if isinstance(event, Moved)
    ]
    assert went[1].mp == "1"


def test_examples_of_a_draft_are_accepted_3_0_must_6_0():
    """Bug: the proposed attack required another, and the example answer always named b1."""
    state = RULESET.data.setup(july()).with_(side="russian", stage="russian-orders")
    lines = {hint.path: hint.lines for hint in hints.make_hints(july(), state, 3)}["orders", "battles"]
    example = "\n".join(lines[lines.index("battles:") + 1 :][:2])
    (order,) = strictyaml.read(f"battles:\n{example}".encode(), "a draft").data["battles"]
    assert not declare_attacks(state, order).violations
    answered = declare_attacks(state, {**order, "id": "first"}).state.with_(side="german", stage="russian-answer")
    lines = {hint.path: hint.lines for hint in hints.make_hints(july(), answered, 4)}["policy",]
    assert "policy: {withdraw: '1', battles: {first: {no-retreat: 'yes'}}}" in lines


@pytest.mark.parametrize(
    ("order", "die", "result", "told"),
    [
        (attack("T15", "g-30k", exchange="no"), "4", "X", "recovers: r-57a"),
        (attack("T15", "g-48pzk g-2ss", push="0"), "3", "D2", "no unit is lost, goes back or is newly Disrupted"),
    ],
)
def test_4_0_odds_of_an_attack_on_who_is_disrupted_say_who_recovers_5_0(order, die, result, told):
    """Bug: 'nothing changes' if the army recovers or loses its entrenchment."""
    entrenched = "; entrenched r-57a" * (result == "D2")
    state = place(f"T15: r-57a | S15: {' '.join(order['attackers'])}; disrupted r-57a{entrenched}")
    answered = declare_attacks(state, order).state
    (odds,) = exact_odds.list_chances(july(), answered.with_(agenda={**answered.agenda, ANSWERED: "2"}), {})
    assert {one.result: one.text for one in odds.outcomes}[result] == (told,)
    after = fight(state, order, dice=die)
    assert list_fought(after).result == result
    assert is_(after, "disrupted", "r-57a") == (result == "D2")
    assert not is_(after, "entrenched", "r-57a")


def test_drafts_promise_no_replacement_in_the_last_turn_11_2():
    """Bug: the draft promised factors of a turn after the last."""
    for turn in july().turns:
        state = RULESET.data.setup(july()).with_(turn=turn, side="russian", stage="russian-orders")
        (hint,) = [hint for hint in hints.make_hints(july(), state, 3) if hint.path[-1] == "replacements"]
        assert ("2 tank factors then" in hint.lines[0]) == (turn != july().turns[-1])


def test_drafts_say_where_armour_stands_that_is_left_out_17_2():
    """Bug: 'it stays where it stands', in a hex of another panzerkorps."""
    setting = july("by-choice")
    umpire = Umpire(setting, RULESET.data.setup(setting).with_(stage="german-rest"), 3)
    setup.place_chosen(umpire, "german", {"g-2ss": "Q8"})
    lines = {hint.path: hint.lines for hint in hints.make_hints(setting, umpire.state, 3)}["seal", setup.REST]
    setup.place_chosen(umpire, "german", {})
    assert at(umpire, "g-48pzk") not in ("Q8", "eliminated")
    assert "stays, or goes to the nearest hex with room" in lines[0]


def test_1_0_least_nobody_is_told_to_order_an_attack_that_is_too_weak():
    """Bug: the example 'attack T15 with all' was below 1:5 and refused."""
    state = place("T15: r-57a r-6a r-10a | S15: g-4pz")
    assert "1.0-least" in [fault.rule for fault in declare_attacks(state, attack("T15", "g-4pz")).violations]
    with pytest.raises(UsageError, match="type the attackers of T15") as told:
        VERBS["attack"].write(asking(state), ["T15"])
    assert "as in" not in told.value.message


@pytest.mark.parametrize("words", ["attack with 2 ta", "strike i9", "keil", "emplace", "road", "move", "return"])
def test_a_refusal_holds_the_example_that_is_told_anew_for_each_position(words):
    """Bug: the example for Russians was 'attack i9 with 41 pz 47 pz'."""
    name, *said = words.split()
    with pytest.raises(UsageError) as told:
        VERBS[name].write(asking(place("T15: r-2ta | S15: g-4pz; stage russian-orders")), said)
    assert f"'{VERBS[name].example}'" in told.value.message


def test_2_0_x_an_exchange_that_was_not_declined_is_told_as_that():
    """J-10: bug: the reason was 'because nothing else was filed' under a filed plan."""
    umpire = fight(
        place("T15: r-57a r-1tc | S15: g-3pzk g-503"), attack("T15", "g-3pzk g-503", advance="g-503"), dice="5"
    )
    (choice,) = (event for event in umpire.events if isinstance(event, Decided))
    (line,) = Wording(july()).tell(choice)
    assert line.endswith("5 for 5, because the German side did not decline (J-10)")


def test_13_3_who_attacks_and_waits_for_the_dice_is_listed_with_no_move():
    """Bug: a spectator saw 30 moves of a unit that may not move after its attack."""
    umpire = declare_attacks(place("T15: r-57a | S15: g-2ss | S16: g-48pzk"), attack("T15", "g-2ss"))
    shown = outlook.make_outlook(july(), umpire.state.with_(stage="german-dice"), "")
    (phase,) = shown.phases
    assert [mover.unit for mover in phase.movers] == ["g-48pzk"]
    assert [target.fought.attack.units for target in shown.targets] == [("g-48pzk",)]
    assert "In an attack before its dice, and cannot move afterwards: g-2ss [13.3]." in phase.notes
