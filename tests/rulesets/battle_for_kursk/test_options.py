"""Game options: the weather die of 11.3, and stopping for a decision that no answer covers (K-64, K-75)."""

from __future__ import annotations

from functools import cache

import pytest

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import RULESET

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
