"""The law of freshness (protocol 2.4) in Battle for Kursk: no player chooses after seeing dice.

``FRESHNESS_GAMES=40`` plays 40 random games of each kind instead of one or two, for more than the usual run."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import product

import pytest
from helpers import sweeps
from helpers.adversary import FACES, Sitting, Watch, begin, distribution, no_dice
from helpers.watched_play import watched

from kursk_pbem.game.games import SeedDice
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulesets.battle_for_kursk import sequence
from kursk_pbem.trust import commit
from rulesets.battle_for_kursk.board import place
from rulesets.battle_for_kursk.watched_games import KURSK, PLAYS, kursk, usual, written

MANY = int(os.environ.get("FRESHNESS_GAMES", "0"))


@pytest.mark.some(9)
@pytest.mark.slow
@pytest.mark.parametrize("name", sweeps.some(PLAYS, 3))
def test_in_random_games_nobody_chooses_with_dice_in_sight(name):
    """Every message of every stage, with other orders, answers, waivers, notes, offers, nonces and void messages in its
    place: see ``helpers.watched_play``."""
    found = usual(name, 0)
    assert found.thought > 3 * (found.last.seq - 2)
    for seed in range(MANY):
        watched(PLAYS[name](), seed, 400)


@pytest.mark.slow
def test_every_stage_is_met():
    assert written().keys() == set(sequence.STAGES) - {OVER}


# The same eyes on weaker protocols


def test_a_seed_without_the_message_before_is_seen(monkeypatch):
    true = commit.derive_seed
    monkeypatch.setattr(commit, "derive_seed", lambda opening, _prev: true(opening, bytes(32)))
    with pytest.raises(AssertionError, match="its writer knows his seed of"):
        watched(PLAYS["sieges"](), 0, 8)


def test_a_secret_that_travels_with_the_orders_is_seen(monkeypatch):
    true = Sitting.draft

    def telling(self, choices=None, kind="turn", following=b""):
        own = true(self, choices, kind, following).following
        more = {} if kind == "reply" else {"note": f"by the way: {own.hex()}"}
        return true(self, {**(choices or {}), **more}, kind, following)

    monkeypatch.setattr(Sitting, "draft", telling)
    with pytest.raises(AssertionError, match="its writer knows the seed of"):
        watched(PLAYS["sieges"](), 0, 8)


# A small siege: the values of the best orders and answers, with visible dice and without

SIEGE = (
    "2406: r-25-rc | 2405: g-47-pz | 2506: g-48-pz | 2407: g-2-ss | 2213: r-8-erc | 2214: g-24-pz | 2114: g-11"
    "; stage russian-orders; turn D; posture german engage russian engage; offensives german 3 russian 3"
)
POSTURE = {"choice": {"posture/turn-1": {"posture": "engage"}}, "waive": "posture"}
WHEN = ("never", "always")


def siege(tag):
    """Message 2, German, is due; the Russian's nonces follow from ``tag``."""
    sitting = begin(KURSK, kursk(), place(SIEGE), "siege", {"russian": tag})
    return sitting.turn({"seal": {"posture/turn-1": {"posture": "pause"}}})


def ordered(one="b1", two="b2", tula=("g-48-pz",), tank=("g-24-pz", "g-11"), *, turned=False):
    """Two battles with varied names, attackers and order."""
    first = {"id": one, "hex": "2406", "attackers": list(tula), "advance": list(tula[:1])}
    second = {"id": two, "hex": "2213", "attackers": list(tank)}
    return {**POSTURE, "orders": {"battles": [second, first] if turned else [first, second]}}


def orders():
    """Return the German orders that can change the result, and the names and sequences that must not change it."""
    corps = (("g-48-pz",), ("g-47-pz", "g-48-pz", "g-2-ss"))
    tanks = (("g-24-pz",), ("g-24-pz", "g-11"))
    for ids, tula, tank, turned in product((("b1", "b2"), ("b2", "b1")), corps, tanks, (False, True)):
        yield ordered(*ids, tula, tank, turned=turned)


def answers(notes=1):
    """Every right waived or used, and notes to grind."""
    for number in range(notes):
        yield {"note": str(number)}
        for words in product(WHEN, repeat=3):
            policy = dict(zip(("stand-fast", "exchange-dr", "exchange-drl"), words, strict=True))
            yield {"policy": policy, "note": str(number)}


class Faces:
    """Dice of one message with given faces, in order."""

    def __init__(self, seq, faces):
        self.seq, self._faces = seq, iter(faces)

    def roll(self, label, n):
        return next(self._faces)


def lead(state):
    """Steps and hexes that the Russian has lost more than the German."""
    lost = {"german": 0, "russian": 0}
    for uid, unit in place(SIEGE).units.items():
        now = state.units[uid]
        lost[kursk().counters[uid].side] += unit.steps - now.steps + (unit.place != now.place)
    return lost["russian"] - lost["german"]


def after_dice(sitting, draft, dice):
    """Return the lead after the German dice, if the German sends this and the Russian sends no other answer."""
    state, k = draft.result.after, sitting.seq + 1
    kept = {**sitting.kept, sitting.due: draft.seals}
    while k <= 4:
        reveal = {label: entry["value"] for label, entry in kept[state.side].items()}
        filing = Filing(k, state.side, reveal=reveal, resigns=k == 4)
        state = adjudicate(KURSK, kursk(), state, filing, dice if k == 4 else None).after
        k += 1
    return lead(state)


def worth(sitting, party, draft):
    """Return the value of a message in points of lead: the result if the dice can be computed, else the mean of all
    rolls."""
    opening = party.opens(sitting.chain.nonce, 4, (*sitting.chain.commitments, None)[4]) if sitting.seq == 3 else None
    if opening is not None:
        return Fraction(after_dice(sitting, draft, SeedDice(commit.derive_seed(opening, bytes.fromhex(draft.id)), 4)))
    falls = [after_dice(sitting, draft, Faces(4, faces)) for faces in product(FACES, repeat=2)]
    return Fraction(sum(falls), len(falls))


def best(sitting, watch, options):
    """Return the best message for the German, or the Russian, and its value."""
    drafts = [sitting.draft(choices) for choices in options]
    assert all(draft.result.legal for draft in drafts)
    party = watch.thinks(sitting, drafts)
    value = {draft.id: worth(sitting, party, draft) for draft in drafts}
    draft = min(drafts, key=lambda draft: value[draft.id] * (-1 if sitting.due == "german" else 1))
    return draft, value[draft.id]


def leads(sitting):
    """Return the mean lead when the game continues to the end of the German dice, over all rolls."""

    def play():
        now = sitting
        while now.seq <= 4:
            now = now.turn()
        return lead(now.game.state)

    return sum(outcome * chance for outcome, chance in distribution(play).items())


FAIR_LEAD = {"german": 2, "russian": Fraction(2, 3)}


@pytest.mark.some(2)
@pytest.mark.parametrize("side", FAIR_LEAD)
def test_the_best_orders_and_the_best_answer_are_worth_no_more_than_fair_dice_make_them(side):
    """A player can compute no die before choosing; the later dice give the player the mean of all rolls."""
    sitting = siege("fair")
    sitting = sitting if side == "german" else sitting.turn(ordered())
    watch, options = Watch(sitting.mailed), list(orders() if side == "german" else answers())
    with no_dice():
        draft, value = best(sitting, watch, options)
    assert leads(sitting.post(draft)) == value
    assert value == FAIR_LEAD[side]


def test_D1_an_answer_with_the_dice_in_sight_turns_the_siege():
    """The German's secret is in a note next to the orders: the Russian chooses the answer with the best dice."""
    found = []
    for tag in range(8):
        sitting = siege(tag)
        told = {"note": sitting.draft(ordered()).following.hex()}
        sitting = sitting.turn({**ordered(), **told})
        draft, _value = best(sitting, Watch(sitting.mailed), answers(notes=4))
        found.append(lead(sitting.post(draft).draft().result.after))
    assert Fraction(sum(found), len(found)) < FAIR_LEAD["russian"] - 1
