"""The law of freshness (protocol 2.4): no player chooses after seeing dice.

``FRESHNESS_GAMES=40`` plays 40 random games of each kind instead of one.
"""

import os

import pytest
from helpers import sweeps
from helpers.watched_play import watched

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import combat, movement, sequence
from rulesets.juggernauts.board import Faces, attack, declare_attacks, july, order_moves, place
from rulesets.juggernauts.watched_games import PLAYS, usual, written

MANY = int(os.environ.get("FRESHNESS_GAMES", "0"))


@pytest.mark.some(9)
@pytest.mark.slow
@pytest.mark.parametrize("name", sweeps.some(PLAYS, 3))
def test_in_random_games_nobody_chooses_with_dice_in_sight(name):
    """Every message of every stage, with changed orders, answers, notes, offers, nonces and void messages."""
    found = usual(name, 0)
    assert found.thought > 2 * (found.last.seq - 2)
    for seed in range(MANY):
        watched(PLAYS[name](), seed, 400)


@pytest.mark.long
def test_every_stage_is_met():
    assert written().keys() == set(sequence.STAGES) - {OVER}


# Dice of movement, combat and later steps: never in the declaring message or in the answer


def rolling(state, seq, run):
    run(Umpire(july(), state, seq, Faces(seq, "1")), Filing(seq, "german"))


@pytest.mark.parametrize("seq", [1, 2])
def test_no_die_falls_before_both_have_fixed_what_it_depends_on(seq):
    fights = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss")).state
    panther = order_moves(place("R15: g-10bde"), ("g-10bde", "R14 R13")).state
    for state, run in ((fights, combat.resolve_attacks), (panther, movement.roll_panthers)):
        with pytest.raises(AssertionError, match="a die of message"):
            rolling(state, seq, run)
        rolling(state, 3, run)


def test_an_answer_in_the_same_message_is_too_late():
    state = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss")).state
    late = state.with_(agenda={**state.agenda, "answered": "3"})
    with pytest.raises(AssertionError, match="a die of message"):
        rolling(late, 3, combat.resolve_attacks)


def test_the_panther_does_not_move_before_its_die():
    """No choice in the ordering message or in the answer can follow the die."""
    umpire = order_moves(place("R15: g-10bde"), ("g-10bde", "R14 R13"))
    assert umpire.state.units["g-10bde"].place == "R15"
    assert list(umpire.state.agenda["panthers"]) == ["g-10bde"]
