"""The chances of declared battles: the chances add up, and equal the results of real messages for each face of the
die."""

from fractions import Fraction
from itertools import islice

import pytest

from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import RULESET, sequence
from rulesets.battle_for_kursk import random_play
from rulesets.battle_for_kursk.board import attack, battles, kursk, message, place, play

CX5 = "1301: r-43 reduced | 1200: r-3-sh | 1400: r-4-sh | 1201: g-59 | 1302: g-6 reduced | 1401: g-39-pz reduced"
ATTACK5 = battles(attack("1301", "g-59 g-6 g-39-pz", advance="g-39-pz"))
CX6 = (
    "1301: r-43 reduced | 1400: r-4-sh | 1402: r-68 | 1401: g-39-pz reduced | 1302: g-6 reduced | 1201: g-59"
    "; stage russian-orders"
)
OPEN = "2707: r-5 | 2606: g-48-pz | 2706: g-2-ss"
TWO = battles(attack("2707", "g-48-pz g-2-ss"))
MOSCOW = "2402: r-5 | 2401: g-48-pz | 2302: g-2-ss | 2502: g-3-pz; turn A; clear"
FOUR = "2402: r-5 | 2401: g-48-pz | 2302: g-2-ss | 2502: g-3-pz | 2403: g-57-pz; turn A; clear"


def declared(state, text):
    """The position in which the battles wait for the defender's answer."""
    done = message(state, text)
    assert done.legal, [str(violation) for violation in done.violations]
    return done.after


def chances(state, sealed=None, scene="campaign"):
    return RULESET.seen.odds(kursk(scene), state, sealed or {})


def only(state, sealed=None):
    (found,) = chances(state, sealed)
    return found


def faces(found):
    """Face of the die -> its outcome."""
    return {face: outcome for outcome in found.outcomes for face in outcome.faces}


def supporters(fought):
    return [uid for what, who in fought.roles if what == "in support" for uid in who]


def same_as_played(found, state, orders, answer=""):
    """Check that each face, thrown in the real message flow, has the result that the odds state."""
    before = declared(state, orders)
    for face, outcome in faces(found).items():
        played = play(state, orders, dice={found.fought.battle: int(face)}, answer=answer)
        defender = found.fought.defence.units[0]
        assert played.fought(found.fought.battle).result == outcome.result
        assert played.at(defender) == outcome.figures["defender-place"]
        assert before.units[defender].steps - played.steps(defender) == int(outcome.figures["defender-steps"])
        others = [each.unit for each in found.fought.attack.rows] + supporters(found.fought)
        lost = sum(before.units[uid].steps - played.steps(uid) for uid in others)
        assert lost == int(outcome.figures["attacker-steps"])
        advanced = [uid for uid in others if played.at(uid) == found.fought.place]
        assert advanced == ([outcome.figures["advance"]] if "advance" in outcome.figures else [])


def test_9_3_every_outcome_of_combat_example_5():
    """Combat Example 5 at 1:1: AL 2, NE 2, DR and EX 1 each; the doomed defender turns DR into EX (K-75)."""
    found = only(declared(place(CX5), ATTACK5))
    assert (found.fought.ratio, found.fought.column, found.fought.dice) == ("2:1", "1:1", "")
    assert [(one.result, one.faces, one.chance) for one in found.outcomes] == [
        ("AL", ("1", "2"), Fraction(1, 3)),
        ("NE", ("3", "4"), Fraction(1, 3)),
        ("DR", ("5",), Fraction(1, 6)),
        ("EX", ("6",), Fraction(1, 6)),
    ]
    assert found.outcomes[2].text == (
        "the defender's choice: exchange",
        "r-43 is eliminated: an exchange costs its last step",
        "the attacker loses 2 steps, 4 SP: g-59 eliminated",
        "g-39-pz advances",
    )
    assert dict(found.sums) == {"the hex is vacated": Fraction(1, 3), "the defender is eliminated": Fraction(1, 3)}
    assert dict(found.means) == {
        "steps lost by the defender": Fraction(1, 3),
        "steps lost by the attacker": Fraction(1),
        "strength points lost by the attacker": Fraction(2),
    }


def test_9_3_drl_combat_example_6_no_matter_the_die_roll():
    """Combat Example 6: no matter the die roll, the 39th Corps will be eliminated: a chance of 6/6."""
    found = only(declared(place(CX6), battles(attack("1401", "r-43 r-4-sh r-68"))))
    assert dict(found.sums)["the defender is eliminated"] == 1
    assert {one.figures["defender"] for one in found.outcomes} == {"eliminated"}


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("text", "orders", "answer"),
    [
        (CX5, ATTACK5, ""),
        (CX5, ATTACK5, "policy: {exchange-dr: never}"),
        (CX5, battles(attack("1301", "g-59 g-6 g-39-pz", losses="g-6, g-59", advance="g-6")), ""),
        (OPEN, TWO, ""),
        (OPEN, battles(attack("2707", "g-48-pz g-2-ss", retreat="away 2606", losses="g-2-ss", advance="g-2-ss")), ""),
        (MOSCOW, battles(attack("2402", "g-48-pz g-2-ss g-3-pz")), "policy: {stand-fast: always}"),
        (MOSCOW, battles(attack("2402", "g-48-pz g-2-ss g-3-pz")), "policy: {battles: {b1: {stand-fast: never}}}"),
        (FOUR, battles(attack("2402", "g-48-pz g-2-ss g-3-pz g-57-pz")), ""),
        (
            "1915: g-3-pz | 2014: r-38 | 2015: r-40; stage russian-orders",
            battles(attack("1915", "r-38 r-40", losses="r-38, r-40", advance="r-40")),
            "",
        ),
    ],
)
def test_9_3_outcomes_are_those_of_the_real_messages(text, orders, answer):
    """Every face of the die, brute force through declaration, answer and dice."""
    state = place(text)
    waiting = declared(state, orders)
    if answer:
        waiting = message(waiting, answer, seq=11).after
    found = only(waiting)
    assert sum(one.chance for one in found.outcomes) == 1
    assert "".join(sorted(faces(found))) == "123456"
    same_as_played(found, state, orders, answer)


def test_9_3_stand_fast_the_policy_at_hand_is_named():
    """Unanswered: the default is assumed and said so; answered: as filed, and by default for the rest (K-75)."""
    orders = battles(attack("2402", "g-48-pz g-2-ss g-3-pz"))
    waiting = declared(place(MOSCOW), orders)
    doomed = "Stand Fast on a DR if the unit would be eliminated"
    assert only(waiting).assumed[0] == f"the umpire's default (K-75), assumed until the answer: {doomed}"
    answered = message(waiting, "policy: {stand-fast: always}", seq=11).after
    assert only(answered).assumed[0] == "the defender's answer, as filed: Stand Fast on a DR always"
    silent = message(waiting, "", seq=11).after
    assert only(silent).assumed[0] == f"the umpire's default (K-75), because the defender filed no answer: {doomed}"
    fates = [{one.result: one.figures["defender"] for one in only(each).outcomes} for each in (waiting, answered)]
    assert [each["DR"] for each in fates] == ["retreats", "loses a step and stays"]
    assert not any("defender" in line for line in only(declared(place(OPEN), TWO)).assumed)


def test_9_0_battle_commitment_a_sealed_plan_counts_where_it_is_known():
    """A sealed plan changes the outcomes only at a desk that knows the plan; other desks assume no plan (K-77)."""
    waiting = declared(place(OPEN), TWO)
    hidden = waiting.with_(agenda={**waiting.agenda, "sealed/plans/10": {"seq": "10", "hash": "0" * 64}})
    plan = {"plans/10": {"b1": {"advance": ["g-2-ss"]}}}
    assert "sealed and not known here" in only(hidden).assumed[0]
    assert not any("advance" in one.figures for one in only(hidden).outcomes)
    known = only(hidden, plan)
    assert known.assumed[0].startswith("the attacker's plan: advance g-2-ss; otherwise the usual retreat (K-76)")
    vacated = [one for one in known.outcomes if one.figures["vacated"] == "yes"]
    assert vacated
    assert {one.figures["advance"] for one in vacated} == {"g-2-ss"}


def test_9_1_below_one_to_one_nothing_can_happen():
    """Combat Example 5 in mud: no attack, no die, one outcome (K-44)."""
    found = only(declared(place(CX5 + "; mud"), ATTACK5))
    (one,) = found.outcomes
    assert (one.chance, one.faces, one.result) == (1, (), "")
    assert one.text == ("no attack takes place, no die falls",)
    assert dict(found.sums)["the hex is vacated"] == 0


def test_5_0_moscow_the_end_of_the_game_is_an_outcome():
    """An advance into Moscow ends the game in the middle of the battle; the outcome says so (K-69)."""
    orders = battles(attack("2402", "g-48-pz g-2-ss g-3-pz g-57-pz", advance="g-48-pz"))
    found = only(declared(place(FOUR), orders))
    ends = [one for one in found.outcomes if "advance" in one.figures]
    assert ends
    assert all(one.text[-1] == "the game ends: Moscow" for one in ends)


def test_9_3_a_battle_that_waits_for_a_decision_keeps_its_die():
    """With ``uncovered: ask`` the odds assume the default, and say so; a fallen die leaves one outcome (K-75)."""
    game = RULESET.data.load(kursk().scenario, {"uncovered": "ask"})
    waiting = declared(place(MOSCOW), battles(attack("2402", "g-48-pz g-2-ss g-3-pz")))
    (asked,) = RULESET.seen.odds(game, waiting, {})
    assert asked.assumed[0] == "without an answer the dice stop for the defender; here the default is assumed (K-75)"
    assert asked.outcomes == only(waiting).outcomes
    (mute,) = RULESET.seen.odds(game, declared(place(OPEN), TWO), {})
    assert not any("asked" in line for line in mute.assumed)  # in the open a unit has no choice (K-54)
    (entry,) = waiting.agenda["battles"]
    stopped = waiting.with_(agenda={**waiting.agenda, "battles": [{**entry, "rolled": "3"}], "declared": "12"})
    (one,) = RULESET.seen.odds(game, stopped, {})[0].outcomes
    assert (one.chance, one.faces) == (1, ("3",))
    assert one.text == faces(only(waiting))["3"].text
    taken = stopped.with_(agenda={**stopped.agenda, "decided": {entry["id"]: "accept"}})
    (found,) = RULESET.seen.odds(game, taken, {})
    assert found.assumed[0] == "the defender's decision: accept"  # no second question, and no assumed default
    assert not any("K-75" in line for line in found.assumed)


@pytest.mark.parametrize(
    ("line", "hex_", "who", "told", "example"),
    [
        (
            "1906: r-5 reduced | 1805: g-2-ss | 1806: g-48-pz | 1905: g-3-pz; turn B",
            "1906",
            "g-2-ss g-48-pz g-3-pz",
            "your choice: exchange-drl",
            "exchange-drl",
        ),
        (
            FOUR.replace("r-5", "r-5 reduced"),
            "2402",
            "g-48-pz g-2-ss g-3-pz g-57-pz",
            "no choice at these odds",
            "stand-fast",
        ),
    ],
)
def test_9_3_the_draft_of_an_answer_names_the_choices_that_a_die_can_give(line, hex_, who, told, example):
    """At 6:1 a die gives DRL or DE: never the DR of the other exchange and of Stand Fast."""
    (hint,) = RULESET.seen.hints(kursk(), declared(place(line), battles(attack(hex_, who))), 11)
    assert hint.lines[1].rpartition("; ")[2] == told
    assert hint.lines[-1] == f"  battles: {{b1: {{{example}: always}}}}"


def test_9_0_odds_where_answers_are_filed_after_the_battles_of_message_1():
    """A referee's dice for battles of message 1 wait for message 3; it may hold standing answers (K-87, K-88)."""
    game = RULESET.data.load(kursk().scenario, {}, REFEREE)
    waiting = declared(place(MOSCOW), battles(attack("2402", "g-48-pz g-2-ss g-3-pz")))
    filed = {"policy-russian": {"seq": "3", "policy": {"stand-fast": "never"}}, "declared": "1"}
    (found,) = RULESET.seen.odds(game, waiting.with_(agenda={**waiting.agenda, **filed}), {})
    assert found.assumed[0] == "the defender's answer, as filed: no Stand Fast on a DR"
    assert sum(one.chance for one in found.outcomes) == 1


@pytest.mark.some(2)
@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 8])
def test_9_3_chances_of_random_games(seed):
    """In random games the die of the first battle of a phase has the shown result, to the last step."""
    game, checked = kursk("citadel"), 0
    for state, filing, result in islice(random_play.play(game, seed), 60):
        if not sequence.STAGES[state.stage].rolls or "battles" not in state.agenda:
            continue
        found = chances(state, filing.reveal, "citadel")
        assert all(sum(one.chance for one in each.outcomes) == 1 for each in found)
        event = next(event for event in result.events if isinstance(event, Fought))
        one = faces(found[0])[event.dice] if event.dice else found[0].outcomes[0]
        assert one.result == event.result
        after = result.middle.units
        assert after[event.defence.units[0]].place == one.figures["defender-place"]
        attackers = [each.unit for each in event.attack.rows] + supporters(event)
        lost = sum(state.units[uid].steps - after[uid].steps for uid in attackers)
        assert lost == int(one.figures["attacker-steps"])
        checked += 1
    assert checked > 3


def waits(*entries, **agenda):
    """Return Citadel after set-up, with these battles waiting for dice."""
    game = kursk("citadel")
    state = RULESET.data.setup(game)
    there = {unit.place: uid for uid, unit in state.units.items()}
    listed = [{**entry, "defender": there[entry["hex"]], "attackers": entry["attackers"].split()} for entry in entries]
    return game, state.with_(agenda={"battles": listed, "declared": "2", **agenda})


NORTH = {"id": "north", "hex": "1912", "attackers": "g-20 g-46-pz"}
PONYRI = {"id": "ponyri", "hex": "2011", "attackers": "g-41-pz g-47-pz"}
SEALED = {"sealed/plans/2": {"seq": "2", "hash": "0" * 64}}


@pytest.mark.parametrize(
    ("entries", "agenda", "caveat"),
    [
        ([{**NORTH, "advance": ["g-20"]}, PONYRI], {}, "north, fought earlier, can change the odds to 4:1"),
        ([NORTH, PONYRI], SEALED, "north, fought earlier, can change the odds to 4:1"),  # the plan is sealed
        ([{**PONYRI}, NORTH], {}, "ponyri is fought earlier and may change the odds"),
    ],
)
def test_9_0_an_earlier_battle_that_can_change_the_odds_is_named(entries, agenda, caveat):
    """K-62: bug: 3:1 was shown and 4:1 fought, because the winner of the earlier battle cut the defender's
    communication."""
    game, state = waits(*entries, **agenda)
    first, second = RULESET.seen.odds(game, state, {})
    assert first.caveat == "fought first: later battles do not change the odds"
    assert second.caveat == f"as the position stands now; {caveat}"


def test_9_0_a_battle_alone_has_no_caveat():
    game, state = waits(NORTH)
    assert [one.caveat for one in RULESET.seen.odds(game, state, {})] == [""]
