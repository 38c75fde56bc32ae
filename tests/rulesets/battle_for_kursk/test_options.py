"""Game options: the weather die of 11.3, and stopping for a decision that no answer covers (K-64, K-75)."""

from __future__ import annotations

from functools import cache

import pytest

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import Fought, Rolled
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk.position import is_mud

PAUSE = {"posture": "pause", "reaction": "no"}
HASH = "0" * 64


@cache
def game(**options):
    return RULESET.data.load(scenario.load(scenario.find("battle-for-kursk/campaign")), options)


class Fixed:
    """Dice as told, for one message."""

    def __init__(self, seq, **dice):
        self.seq, self.dice = seq, dice

    def roll(self, label, n):
        return str(self.dice[label.split("/")[0].replace("-", "_")])


def send(kursk, state, seq, dice=None, **fields):
    filing = Filing(seq, state.side, **fields)
    return adjudicate(RULESET, kursk, state, filing, dice)


def legal(*args, **fields):
    result = send(*args, **fields)
    assert not result.violations, [str(each) for each in result.violations]
    return result


def seal(turn, value=PAUSE):
    label = f"posture/turn-{turn}"
    return {"secret": {label: HASH}, "sealed": {label: value}}


def first_die(face):
    """The first turn of the campaign with the weather die: three messages, the die in the third (protocol 2.3)."""
    kursk = game(weather="die")
    first = legal(kursk, RULESET.data.setup(kursk), 1)
    second = legal(kursk, first.after, 2)
    assert (first.after.stage, second.after.stage) == ("first-binding", "first-weather")
    return legal(kursk, second.after, 3, Fixed(3, weather=face), **seal("a"))


@pytest.mark.parametrize(("face", "mud"), [(1, True), (3, True), (4, False), (6, False)])
def test_11_3_turn_a_is_mud_at_1_to_3(face, mud):
    third = first_die(face)
    assert is_mud(third.middle) == mud
    assert [e.label for e in third.events if isinstance(e, Rolled)] == ["weather/turn-a"]
    assert (third.after.stage, third.after.side) == ("posture", "german")


def test_11_3_no_posture_is_sealed_before_the_die():
    """Both players choose postures after the roll (K-64): message 1 may seal no posture."""
    kursk = game(weather="die")
    result = send(kursk, RULESET.data.setup(kursk), 1, **seal("a"))
    assert [v.rule for v in result.violations] == ["12.0-2"]


def test_11_3_the_die_replaces_the_script():
    """Turn A is scripted as mud; with the option it is clear until the die says otherwise (K-64, K-85)."""
    assert is_mud(RULESET.data.setup(game()))
    assert not is_mud(RULESET.data.setup(game(weather="die")))


def turn_b(german=PAUSE, russian=PAUSE, face=2):
    """Turn A passes in pause, then the German rolls for turn B and seals, the Russian answers, the German reveals."""
    kursk = game(weather="die")
    state = first_die(6).after
    fourth = legal(kursk, state, 4, choice={"posture/turn-a": PAUSE}, waive="posture")
    fifth = legal(kursk, fourth.after, 5, reveal={"posture/turn-a": PAUSE})
    assert (fifth.after.turn, fifth.after.stage, fifth.after.side) == ("B", "weather", "german")
    sixth = legal(kursk, fifth.after, 6, Fixed(6, weather=face), **seal("b", german))
    assert (sixth.after.stage, sixth.after.side) == ("weather-answer", "russian")
    seventh = legal(kursk, sixth.after, 7, choice={"posture/turn-b": russian})
    assert seventh.after.stage == "german-orders"
    return kursk, sixth, legal(kursk, seventh.after, 8, reveal={"posture/turn-b": german})


@pytest.mark.parametrize(("face", "mud"), [(2, True), (3, False)])
def test_11_3_turn_b_is_mud_at_1_and_2(face, mud):
    _kursk, sixth, eighth = turn_b(face=face)
    assert is_mud(sixth.middle) == mud == is_mud(eighth.middle)


def test_11_3_the_german_seals_and_reveals_with_his_orders():
    _kursk, _sixth, eighth = turn_b({"posture": "reposition", "reaction": "no"}, PAUSE)
    assert eighth.middle.mark("german", "posture") == "reposition"
    assert eighth.after.stage == "russian-orders"


def test_12_0_3_emergency_reaction_when_the_german_reveals_last():
    """The Russian engages openly, the German had sealed pause with reaction: he counts as reposition for a marker."""
    engage = {"posture": "engage", "reaction": "no"}
    kursk = game(weather="die")
    state = first_die(6).after
    state = legal(kursk, state, 4, choice={"posture/turn-a": PAUSE}, waive="posture").after
    state = legal(kursk, state, 5, reveal={"posture/turn-a": PAUSE}).after
    state = state.with_(tracks={**state.tracks, "offensives-german": 1, "offensives-russian": 2})
    sealed = {"posture": "pause", "reaction": "yes"}
    state = legal(kursk, state, 6, Fixed(6, weather=6), **seal("b", sealed)).after
    state = legal(kursk, state, 7, choice={"posture/turn-b": engage}).after
    eighth = legal(kursk, state, 8, reveal={"posture/turn-b": sealed})
    assert eighth.middle.mark("german", "posture") == "reposition"
    assert eighth.middle.tracks["offensives-german"] == 0


def test_11_3_a_turn_without_a_die_begins_as_ever():
    """Turns D to 5 have no chance of mud: the Russian seals with his last message."""
    kursk = game(weather="die")
    state = turn_b()[2].after.with_(turn="C")
    result = legal(kursk, state, 9, **seal("d"))
    assert (result.after.turn, result.after.stage) == ("D", "posture")


# Stopping for a decision: Russians in the fortified Major City of Tula (2406, active from turn B), and a second battle.

ATTACK = [
    {"id": "b1", "hex": "2406", "defender": "r-25-rc", "attackers": ["g-47-pz", "g-48-pz", "g-2-ss"]},
    {"id": "b2", "hex": "2213", "defender": "r-8-erc", "attackers": ["g-24-pz"]},
]
NEAR = {"g-47-pz": "2405", "g-48-pz": "2506", "g-2-ss": "2407", "r-25-rc": "2406", "g-24-pz": "2214", "r-8-erc": "2213"}


def waiting(policy=None, **options):
    """Message 4 of a game is due: the German dice of two battles."""
    kursk = game(**options)
    start = RULESET.data.setup(kursk)
    near = {uid: Unit(spot, 1 if uid == "r-8-erc" else 2) for uid, spot in NEAR.items()}
    units = {uid: near.get(uid, Unit("eliminated", 0)) for uid in start.units}
    marks = {**start.marks, **{side: {"posture": "engage", "previous": "engage"} for side in ("german", "russian")}}
    agenda = {"battles": ATTACK, "declared": "2", "answered": "3"}
    if policy:
        agenda["policy"] = policy
    tracks = {**start.tracks, "mud": 0}
    state = start.with_(
        turn="D", side="german", stage="german-dice", units=units, marks=marks, agenda=agenda, tracks=tracks
    )
    return kursk, state


def test_9_3_uncovered_ask_stops_at_a_choice_that_nothing_covers():
    """K-75: a DR on a unit that may stand fast or exchange; no answer was filed: the dice stop, nothing moves."""
    kursk, state = waiting(uncovered="ask")
    fourth = legal(kursk, state, 4, Fixed(4, b1=1, b2=1))
    assert fourth.dice == {"b1/combat": "1"}
    pending = fourth.middle.agenda["pending"]
    assert pending == {
        "owner": "russian",
        "battle": "b1",
        "kind": "conversion",
        "options": ["accept", "stand-fast", "exchange"],
    }
    assert fourth.middle.units == state.units
    assert (fourth.after.stage, fourth.after.side) == ("german-decision", "russian")


@pytest.mark.parametrize("option", ["accept", "stand-fast", "exchange"])
def test_9_3_uncovered_ask_the_battle_goes_on_with_its_die_after_the_decision(option):
    kursk, state = waiting(uncovered="ask")
    plans = {"plans/4": {"b2": {"advance": ["g-24-pz"]}}}
    fourth = legal(kursk, state, 4, Fixed(4, b1=1), secret={"plans/4": HASH}, sealed=plans)
    fifth = legal(kursk, fourth.after, 5, decisions={"b1": option})
    assert fifth.after.stage == "german-dice"
    sixth = legal(kursk, fifth.after, 6, Fixed(6, b2=6), reveal=plans)
    assert sixth.dice == {"b2/combat": "6"}
    assert [e.dice for e in sixth.events if isinstance(e, Fought)] == ["1", "6"]
    defender = sixth.middle.units["r-25-rc"]
    paid = any(sixth.middle.units[uid].steps < 2 for uid in ATTACK[0]["attackers"])
    if option == "stand-fast":
        assert (defender.place, defender.steps, paid) == ("2406", 1, False)
    elif option == "accept":  # through an EZOC, which costs a step
        assert (defender.place != "2406", defender.steps, paid) == (True, 1, False)
    else:
        assert (defender.place, paid) == ("eliminated", True)
    assert "battles" not in sixth.after.agenda


def test_9_3_uncovered_ask_a_filed_answer_is_enough():
    """An answer that names both rights covers the choice; an answer with only one right does not (K-83)."""
    half, state = waiting({"stand-fast": "always"}, uncovered="ask")
    assert "pending" in legal(half, state, 4, Fixed(4, b1=1)).middle.agenda
    kursk, state = waiting({"stand-fast": "always", "exchange-dr": "never", "exchange-drl": "never"}, uncovered="ask")
    fourth = legal(kursk, state, 4, Fixed(4, b1=1, b2=1))
    assert "pending" not in fourth.middle.agenda
    assert fourth.middle.units["r-25-rc"].place == "2406"


def test_9_3_uncovered_default_never_stops():
    kursk, state = waiting()
    fourth = legal(kursk, state, 4, Fixed(4, b1=1, b2=1))
    assert set(fourth.dice) == {"b1/combat", "b2/combat"}


@pytest.mark.parametrize("decisions", [{}, {"b1": "run"}, {"b2": "accept"}])
def test_9_3_uncovered_ask_a_decision_must_be_one_of_the_options(decisions):
    kursk, state = waiting(uncovered="ask")
    fourth = legal(kursk, state, 4, Fixed(4, b1=1))
    fifth = send(kursk, fourth.after, 5, decisions=decisions)
    assert fifth.violations


def test_9_3_uncovered_ask_nothing_else_may_stand_beside_the_decision():
    """Protocol 2.4: the owner decides, and does nothing else in this message; the attacker moves no unit during the
    wait."""
    kursk, state = waiting(uncovered="ask")
    move = {"movement": [{"unit": "g-24-pz", "to": "2215"}]}
    assert send(kursk, state, 4, Fixed(4, b1=1), orders=move).violations
    fourth = legal(kursk, state, 4, Fixed(4, b1=1))
    assert send(kursk, fourth.after, 5, decisions={"b1": "accept"}, policy={"stand-fast": "always"}).violations


def test_9_0_battle_commitment_new_plans_only_for_battles_still_to_be_fought():
    """K-75, K-84: revealed plans lapse; the plan of the waiting battle is fixed."""
    kursk, state = waiting(uncovered="ask")
    for plans in ({"b1": {"advance": ["g-47-pz"]}}, {"b3": {}}, {"b2": {"losses": ["g-47-pz"]}}):
        sealed = {"plans/4": plans}
        assert send(kursk, state, 4, Fixed(4, b1=1), secret={"plans/4": HASH}, sealed=sealed).violations, plans
