"""Views for players: drafts, moves, odds by case, reasons, unused possibilities, tables, commands, map."""

import random
from fractions import Fraction

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.hexes.useless import SAME
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outlook import UNFOLLOWED
from kursk_pbem.report import odds, textmap
from kursk_pbem.rulesets.juggernauts import RULESET
from kursk_pbem.rulesets.juggernauts.battles import find_required
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.seen import exact_odds, outlook, possible, wording
from kursk_pbem.rulesets.juggernauts.seen.unused import GOOD
from rulesets import toys
from rulesets.juggernauts.board import (
    Faces,
    asking,
    attack,
    declare_attacks,
    fight,
    july,
    list_unused,
    order_moves,
    place,
    wait_for_answer,
    written,
)
from rulesets.juggernauts.kit import KIT

SEEN = RULESET.seen


def random_positions(seed, refereed=False):
    setting = KIT.setting(KIT.scenarios[0], dict(KIT.options), refereed=refereed)
    return setting, [result for _before, result in toys.play(KIT, setting, seed)]


@pytest.mark.long
@pytest.mark.parametrize("every", [12, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("refereed", [False, pytest.param(True, marks=pytest.mark.long)], ids=["players", "referee"])
def test_everything_can_be_looked_at_in_every_position_of_a_game(refereed, every):
    """Drafts, moves, map, tables, odds and accounts never fail, and chances add up to one."""
    setting, results = random_positions(3, refereed)
    for result in results[::every]:
        state = result.middle
        SEEN.hints(setting, state, 5)
        SEEN.outlook(setting, state, "")
        SEEN.track(setting, state)
        assert textmap.render_map(SEEN.picture(setting, state))
        SEEN.standing(setting, state)
        for event in result.events:
            wording.Wording(setting).tell(event)
        for told in SEEN.odds(setting, result.after, {}):
            given_up = UNFOLLOWED in told.assumed and told.title.startswith("Air strike") and not told.outcomes
            assert given_up or sum(outcome.chance for outcome in told.outcomes) == Fraction(1)


def test_what_moves_offers_is_what_is_accepted():
    state = RULESET.data.setup(july())
    rng = random.Random(1)
    for phase in outlook.make_outlook(july(), state, "").phases:
        for mover in rng.sample(phase.movers, 12):
            end = rng.choice(mover.ends)
            assert not order_moves(state, (mover.unit, end.place)).violations
            assert not order_moves(state, (mover.unit, " ".join(("", *end.path)))).violations


def test_14_4_the_die_of_a_panther_is_no_matter_of_other_units():
    """The card of a unit contains only notes for this unit."""

    def told(unit):
        return [
            note
            for note in outlook.make_outlook(july(), RULESET.data.setup(july()), unit).phases[0].notes
            if "14.4" in note
        ]

    assert [len(told(unit)) for unit in ("g-2ss", "g-10bde", "")] == [0, 1, 1]


def test_odds_have_a_case_with_no_retreat_and_one_without():
    """J-16: until the defender has answered."""
    umpire = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss", forced="D1", advance="g-2ss"))
    without, with_ = exact_odds.list_chances(july(), umpire.state, {})
    assert "without No Retreat!" in without.assumed[0]
    assert any("g-2ss" in text for one in with_.outcomes for text in one.text)
    assert {one.result for one in without.outcomes} == {"D2", "D1", "D", "X"}
    answered = umpire.state.with_(agenda={**umpire.state.agenda, "answered": "2"})
    (only,) = exact_odds.list_chances(july(), answered, {})
    assert only.assumed[0] == "nothing was answered: they withdraw nowhere"


def test_odds_of_a_panther_on_the_move():
    umpire = order_moves(place("T15: r-57a | R15: g-10bde | S16: g-48pzk"), ("g-10bde", "R14 S15"))
    umpire = declare_attacks(umpire.state, attack("T15", "g-10bde g-48pzk"))
    panther, *cases = exact_odds.list_chances(july(), umpire.state, {})
    assert {str(one.chance): one.figures["place"] for one in panther.outcomes} == {"2/3": "S15", "1/3": "R14"}
    assert {len(face) for one in cases[0].outcomes for face in one.faces} == {2}


def test_the_zone_of_a_hex_is_that_of_units_that_have_one_10_0():
    """Bug: the list contained Tigers next to a korps, or a lone division, which have no zone."""
    for stack, holders in (
        ("g-47pzk g-505", ("g-47pzk",)),
        ("g-47pzk g-4pz", ("g-47pzk",)),
        ("g-47pzk g-4pz g-5pz; disrupted g-4pz", ("g-47pzk",)),
        ("g-4pz g-5pz", ("g-4pz", "g-5pz")),
    ):
        state = place(f"K9: r-2ta | I9: {stack}").with_(side="russian", stage="russian-orders")
        ((mover,),) = (phase.movers for phase in outlook.make_outlook(july(), state, "r-2ta").phases)
        assert {end.marks["zone"] for end in mover.ends} == {(), holders}


def test_why_a_unit_may_not_go():
    state = place("T15: r-57a | S15: g-48pzk | H9: g-42k")
    assert outlook.explain_refusal(july(), state, "g-48pzk", "S14") == ()
    assert outlook.explain_refusal(july(), state, "g-42k", "I9")[0].endswith("[15.2]")
    assert "13.1" in outlook.explain_refusal(july(), state, "g-42k", "A1")[0]
    start = RULESET.data.setup(july())
    for uid, here, goal, line in (
        ("g-47pzk", "H8", "I7", "I7 cannot be entered from the front, H7"),
        ("g-7k", "N5", "N7", "N6 cannot be entered from the front, N5"),
    ):
        why = f"no way leads to {goal} from {here}; on the shortest the line in {line} [15.2]"
        assert outlook.explain_refusal(july(), start, uid, goal) == (why,)
    with pytest.raises(UsageError):
        outlook.explain_refusal(july(), state, "g-42k", "Z1")
    with pytest.raises(UsageError):
        outlook.make_outlook(july(), state, "g-9")
    with pytest.raises(UsageError):
        outlook.make_outlook(july(), state, "r-6a")


def test_words_of_orders_become_orders():
    state = place("I9: r-57a r-4ak | H9: g-41pzk g-656 | H8: g-47pzk g-505 | S15: g-2ss")
    ask = asking(state)
    assert written("keil", ask, "2 ss ne") == {"orders": {"panzerkeil": [{"unit": "g-2ss", "facing": "NE"}]}}
    assert written("move", ask, "II SS s14 s13")["orders"]["movement"] == [{"unit": "g-2ss", "path": ["S14", "S13"]}]
    found = written("attack", ask, "ponyri with all push 0 advance 41 pz 47 pz j9 losses 656 as big-one")
    (order,) = found["orders"]["battles"]
    assert order["attackers"] == ["g-41pzk", "g-47pzk", "g-505", "g-656"]
    assert (order["id"], order["push"], order["losses"]) == ("big-one", ["0"], ["g-656"])
    assert order["advance"] == ["g-41pzk", "g-47pzk J9"]
    more = written("attack", asking(state, found), "i9 pressed yes breakthrough join i8")
    assert more["orders"]["battles"][0]["pressed"] == "yes"
    assert more["orders"]["battles"][0]["breakthrough"] == ["join b-i8"]
    russian = asking(place("I9: r-57a r-4ak | H9: g-41pzk; stage russian-orders"))
    assert written("emplace", russian, "4 art")["orders"]["emplace"] == ["r-4ak"]
    assert written("return", russian, "1 tk voronezh")["orders"]["replacements"] == [{"unit": "r-1tc", "hex": "L15"}]
    for verb, words in (("move", "2"), ("attack", ""), ("attack", "i9"), ("keil", "2 ss"), ("answer", "")):
        with pytest.raises(UsageError):
            written(verb, ask, words)


def test_left_overs_name_attacks_formations_and_idle_units():
    rules = [each.rule for each in list_unused(RULESET.data.setup(july()))]
    assert rules[:1] == ["3.0"]
    assert {"14.1", "13.0"} <= set(rules)


@pytest.mark.parametrize("refereed", [False, True], ids=["players", "referee"])
def test_13_3_who_has_attacked_is_not_named_for_an_attack_in_the_blitzkrieg(refereed):
    """Two korps attacked T15 in the first step, so only the third is unused."""
    setting = july(refereed=refereed)
    units = place("T15: r-57a | T12: r-6a | S15: g-2ss | S16: g-48pzk | T11: g-3pzk | V9: g-24pzk", setting)
    acted = {"acted": {"g-2ss": "0", "g-48pzk": "0"}}
    state = units.with_(stage="german-dice", marks={**units.marks, **acted})
    orders = {"battles": [attack("T12", "g-3pzk", advance="g-3pzk")]}
    assert [each.rule for each in list_unused(state, seq=3, setting=setting, orders=orders)] == ["13.0"]
    after = adjudicate(RULESET, setting, state, Filing(3, "german", orders=orders), Faces(3, "1")).after
    assert SEEN.outlook(setting, after, "g-2ss").targets == ()


def test_3_0_must_what_else_an_attack_needs_is_said_with_it():
    """A player needs to know the other required attacks. Bug: 'if J4 is attacked too' without a unit that could."""
    state = RULESET.data.setup(july()).with_(side="russian", stage="russian-orders")
    pos = position(july(), state)
    good = [chance for chance in possible.attacks(pos, "russian") if chance.odds.reached >= GOOD]
    assert all(find_required(pos, chance.battle) for chance in good)
    told = list_unused(state, seq=5)[0].text
    named = next(chance for chance in good if july().board.labels[chance.battle.hex] == told.split()[3])
    assert "could" not in told
    assert told.endswith(f" requires an attack on {' and on '.join(find_required(pos, named.battle))}")


def test_3_0_must_an_attack_that_stands_alone_is_named_first():
    """Even at worse odds, because the player can order it alone."""
    state = RULESET.data.setup(july())
    told, pos = list_unused(state)[0].text, position(july(), state)
    chances = list(possible.attacks(pos, "german"))
    (named,) = [one for one in chances if july().board.labels[one.battle.hex] == told.split()[0]]
    assert not find_required(pos, named.battle)
    alone = [one for one in chances if one.odds.reached >= GOOD and not find_required(pos, one.battle)]
    assert told.endswith(f" by g-2ss; {len(alone) - 1} other hexes at 2:1 or better")
    assert len(alone) == 4


def test_the_map_shows_lines_and_markers():
    state = place("T15: r-57a | S15: g-2ss; keil g-2ss NE; disrupted r-57a; lost I9")
    picture = SEEN.picture(july(), state)
    pieces = {piece.id: piece for piece in picture.pieces}
    assert pieces["g-2ss"].marks == ("panzerkeil NE",)
    assert pieces["r-57a"].band
    assert "I9" not in {mark.at for mark in picture.marks}
    assert ("H9", "I9") in {(edge.a, edge.b) for edge in picture.edges if edge.kind == "front"}


def test_a_line_that_was_entered_does_not_hold_in_the_headlines():
    state = place("R9: g-3pzk g-503")
    after = fight(state, attack("R10", "g-3pzk g-503", push="1", advance="g-3pzk"), dice="5")
    told = SEEN.headlines(july(), state, after.events, after.state)
    assert told[0] == "Lines broken in R10"
    assert told[1] == "R10: III. Panzerkorps in R10"
    held = fight(state, attack("R10", "g-3pzk g-503", push="1"), dice="5")
    assert "R10: Russian 1st line holds; nobody loses a step" in SEEN.headlines(july(), state, held.events, held.state)


def test_the_picture_shows_supply_16_1():
    state = place("T15: r-57a | S15: g-48pzk | H9: g-42k")
    shown = {zone.side: set(zone.at) for zone in SEEN.picture(july(), state).reached}
    there = position(july(), state)
    assert shown == {side: set(july().board.names(there.supply(side))) for side in ("german", "russian")}
    assert "T15" in shown["russian"] - shown["german"]
    assert "S15" in shown["german"]


def test_odds_say_which_case_they_are_of_and_who_enters():
    state = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss", advance="g-2ss")).state
    cases = exact_odds.list_chances(july(), state, {})
    text = odds.render_odds("Attacks", cases, wording.Wording(july()))
    assert "b1, case: with No Retreat! orders: defenders leave the hex" in " ".join(text.split())
    entered = [dict(each.sums)["the attackers enter the hex"] for each in cases]
    assert entered[0] > entered[1] > 0
    through = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss", advance="g-2ss U15")).state
    cases = exact_odds.list_chances(july(), through, {})
    assert any("advances: g-2ss to U15" in "; ".join(one.text) for one in cases[0].outcomes)
    assert dict(cases[0].sums)["the attackers enter the hex"] > 0  # on the way to the hex after it
    line = declare_attacks(place("R9: g-3pzk g-503"), attack("R10", "g-3pzk g-503")).state
    (only,) = exact_odds.list_chances(july(), line, {})
    assert only.assumed[0] == "case: no unit is left to answer"
    assert dict(only.sums) == {"the attackers enter the hex (no advance is planned)": Fraction(0)}
    answer = {"policy": {"withdraw": "1"}, "answered": "2"}
    (only,) = exact_odds.list_chances(july(), state.with_(agenda={**state.agenda, **answer}), {})
    assert only.assumed[0] == "the defenders' answer: they withdraw one hex"


@pytest.mark.parametrize(
    ("keil", "goes", "told"),
    [
        (" | U16: r-38a; keil g-3pzk SE", ["g-3pzk", "g-503"], None),
        ("; keil g-3pzk SE", ["g-3pzk", "g-503"], "U16 holds no enemy unit"),
        ("; keil g-3pzk SE", ["g-3pzk"], "g-503 does not"),
        ("; keil g-3pzk SE", ["g-503 U15"], "g-3pzk does not"),
        ("", ["g-3pzk", "g-503"], "no Panzerkeil takes part"),
    ],
)
def test_a_breakthrough_that_cannot_come_is_left_over(keil, goes, told):
    """J-32: the warning comes while the plan can still change."""
    state = place(f"T15: r-10a | S15: g-3pzk g-503{keil}")
    order = {**attack("T15", "g-3pzk g-503", breakthrough="U16"), "advance": goes}
    left = list_unused(state, orders={"battles": [order]})
    found = [each.text for each in left if each.rule == "2.0-breakthrough"]
    assert [told in text for text in found] == ([True] if told else [])


@pytest.mark.parametrize(("keil", "idle"), [("", "S11, L8, r-57a"), ("; keil g-3pzk E", "L8")])
def test_an_answer_that_a_breakthrough_may_ask_for_is_not_left_over_2_0_breakthrough(keil, idle):
    """Bug: the answer for S11 was called unused, but the Panzerkeil went on from R10."""
    state = wait_for_answer(place(f"S11: r-57a | R9: g-3pzk g-503{keil}"), attack("R10", "g-3pzk g-503"))
    hexes = {"S11": {"no-retreat": "yes"}, "L8": {"withdraw": "1"}}
    told = list_unused(state, seq=2, policy={"hexes": hexes, "units": {"r-57a": {"withdraw": "1"}}})
    assert told[0].text == f"your answer has no effect, because your units are not attacked {idle}"


LONE, WEAK = ("T15: r-57a | S15: g-2ss", "g-2ss"), ("T15: r-57a r-38a | S15: g-30k", "g-30k")
STRONG, ODD = ("T15: r-57a | S15: g-2ss g-48pzk", "g-2ss g-48pzk"), ("T15: r-57a | S15: g-30k", "g-30k")
TWIN = ("T15: r-57a | S15: g-3pzk g-48pzk", "g-3pzk g-48pzk")
SURE = ("T15: r-38a | S15: g-2ss g-48pzk g-3pzk; disrupted r-38a", "g-2ss g-48pzk g-3pzk")


@pytest.mark.parametrize(
    ("who", "policy", "told"),
    [
        (LONE, {"retreat": ["U16"]}, ""),
        (LONE, {"retreat": ["S16", "away T15"]}, "retreat S16, away T15"),
        (LONE, {"no-retreat": "yes", "retreat": ["U16"]}, "retreat U16"),
        (LONE, {"units": {"r-57a": {"retreat": ["L8"]}}}, "retreat L8 for r-57a"),
        (WEAK, {"withdraw": "1", "no-retreat": "no", "crowd": "stay"}, ""),
        (ODD, {"withdraw": "1", "retreat": ["U16"]}, ""),
        ((f"{ODD[0]} | U16: r-6a r-10a", ODD[1]), {"withdraw": "1", "retreat": ["U16"]}, "retreat U16"),
        (WEAK, {"retreat": ["U16"]}, "retreat U16"),
        (SURE, {"withdraw": "2"}, "withdraw 2"),
    ],
)
def test_8_0_a_wish_of_an_answer_that_no_die_calls_for_is_told(who, policy, told):
    """2.0-d, 6.0: wishes for retreats and withdrawals, and hexes that no way reaches."""
    state = wait_for_answer(place(who[0]), attack("T15", who[1]))
    left = list_unused(state, seq=2, policy=policy)
    assert [note.text for note in left] == [f"{told} has no effect in b1: {SAME}"] * bool(told)


@pytest.mark.parametrize(
    ("who", "plan", "told"),
    [
        (STRONG, {"push": ["0"], "losses": ["g-2ss"], "exchange": ["no"]}, ["losses g-2ss", "exchange no"]),
        (TWIN, {"losses": ["g-48pzk"], "forced": ["D1"]}, []),  # only No Retreat! orders call for both
        (WEAK, {"push": ["1"], "forced": ["D1"]}, ["push 1", "forced D1"]),
        (SURE, {"push": ["1"], "losses": ["g-2ss"], "advance": ["g-2ss"]}, ["push 1", "losses g-2ss"]),
    ],
)
def test_2_0_what_a_plan_says_that_no_die_calls_for_is_told(who, plan, told):
    """6.0-forced, 2.0-breakthrough: Forced Exchanges cost units; an exploit needs a breakthrough."""
    order = {**attack("T15", f"{who[1]} g-503"), **plan, "exploit": ["g-503"]}
    left = list_unused(place(who[0].replace("S15:", "S15: g-503")), orders={"battles": [order]})
    exploit = "'exploit g-503' has no effect in b1: the plan has no breakthrough"
    wanted = [*(f"{vain} has no effect in b1: {SAME}" for vain in told), exploit]
    assert [note.text for note in left if note.rule == "2.0"] == wanted


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ({"breakthrough": ["join on"]}, []),
        ({"breakthrough": ["join before"]}, ["before is fought earlier"]),
        ({"breakthrough": ["V16"]}, ["V16 is not beside T15"]),
        ({"breakthrough": ["U16"]}, ["U16 is attacked later in your message and can only be joined"]),
        ({"breakthrough": ["U16", "U15"]}, []),  # 'before' may drive a unit there
        ({"cancel": ["unless before"]}, []),
        (
            {"cancel": ["unless on"]},
            ["the plan cancels b1, because on is not fought earlier, unless an earlier attack requires it"],
        ),
        ({"cancel": ["below 1:5"]}, []),
        (
            {"cancel": ["below 7:1"]},
            ["b1 is now at 3:1, and the plan cancels the attack at these odds, unless an earlier attack requires it"],
        ),
    ],
)
def test_a_plan_that_the_order_of_the_attacks_forbids_is_left_over_2_0_breakthrough_3_0_cancel(plan, told):
    """J-64, J-66: a joined attack must come later; a condition must come earlier."""
    state = place("T15: r-10a | S15: g-3pzk g-503 | U16: r-38a | V15: g-48pzk | S10: r-57a | S9: g-2ss; keil g-3pzk SE")
    order = {**attack("T15", "g-3pzk g-503"), "id": "b1", "advance": ["g-3pzk", "g-503"], **plan}
    first, last = {**attack("S10", "g-2ss"), "id": "before"}, {**attack("U16", "g-48pzk"), "id": "on"}
    filing = Filing(1, "german", orders={"battles": [first, order, last]})
    result = adjudicate(RULESET, july(), state, filing, Faces(1, "1"))
    assert not [fault for fault in result.violations if fault.rule != "3.0-must"]
    left = SEEN.unused(july(), result.middle, result.events[result.duties :], filing)
    found = [note.text for note in left if note.rule in ("2.0-breakthrough", "3.0-cancel")]
    assert len(found) == len(told)
    assert all(part in text for part, text in zip(told, found, strict=True))


@pytest.mark.parametrize("ponyri_first", [True, False])
def test_an_attack_that_another_requires_is_not_said_to_be_called_off_3_0_cancel(ponyri_first):
    """J-12: I8 supports I9, so after the first attack the second is fought at any odds."""
    ponyri = attack("I9", "g-41pzk g-47pzk g-505 g-656", name="ponyri")
    order = [ponyri, attack("I8", "g-46pzk", name="west", cancel="below 7:1")][:: 1 if ponyri_first else -1]
    state = RULESET.data.setup(july())
    left = list_unused(state, orders={"battles": order})
    (told,) = [note.text for note in left if note.rule == "3.0-cancel"]
    off = "and the plan cancels the attack at these odds, unless an earlier attack requires it"
    assert told == f"west is now at 1:3, {off}"
    assert "no advance in ponyri: " in " ".join(note.text for note in left)  # and not in west
    declared = declare_attacks(state, *order).state
    west = next(each for each in exact_odds.list_chances(july(), declared, {}) if each.subject == "west")
    assert west.assumed[1] == "the attacker's plan: cancel below 7:1; taken as fought, not called off"


@pytest.mark.parametrize(
    ("wish", "vain"),
    [
        ("g-3pzk", False),
        ("g-3pzk U15", False),
        ("g-3pzk only T16", True),
        ("g-3pzk only T14", True),
        ("g-3pzk U16", True),
        ("g-3pzk U17", True),
    ],
)
def test_an_advance_to_a_hex_that_is_too_far_is_left_over_9_0(wish, vain):
    """J-65: through the attacked hex, or with 'only' from the unit's hex if other factors enter. U16 is not empty."""
    state = place("T15: r-10a | S15: g-3pzk g-503 | U16: r-38a")
    left = list_unused(state, orders={"battles": [attack("T15", "g-3pzk g-503", advance=wish)]})
    assert [note.text for note in left if note.vain] == [f"advance {wish} has no effect in b1: {SAME}"] * vain
