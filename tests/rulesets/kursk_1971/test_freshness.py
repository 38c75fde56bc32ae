"""No player of Kursk (1971) chooses after seeing dice. ``FRESHNESS_GAMES=40`` plays more random games."""

from __future__ import annotations

import os

import pytest
from helpers import sweeps
from helpers.watched_play import watched

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import combat
from kursk_pbem.trust import commit
from rulesets.kursk_1971.board import Dice, at, attack, bare, legal
from rulesets.kursk_1971.watched_games import PLAYS, usual, written

MANY = int(os.environ.get("FRESHNESS_GAMES", "0"))


@pytest.mark.some(9)
@pytest.mark.slow
@pytest.mark.parametrize("name", sweeps.some(PLAYS, 3))
def test_in_random_games_nobody_chooses_with_dice_in_sight(name):
    """Every message is replayed with other orders, answers, notes, offers, nonces, and void messages."""
    found = usual(name, 0)
    assert found.thought > 3 * (found.last.seq - 2)
    for seed in range(MANY):
        watched(PLAYS[name](), seed, 400)


@pytest.mark.long("test-all")
def test_every_stage_is_met():
    """Both sides set up, order, answer and roll, on the ground and in the air."""
    stages = {f"{side}-{kind}" for side in ("german", "soviet") for kind in ("set-up", "orders", "answer", "dice")}
    assert written().keys() == stages
    rolled = [label for sitting, _draft in written()["german-dice"] for label in sitting.duties().dice]
    labels = {label.partition("/")[2] for label in rolled}
    assert labels == {"combat", "air"}


def test_a_seed_without_the_message_before_is_seen(monkeypatch):
    true = commit.derive_seed
    monkeypatch.setattr(commit, "derive_seed", lambda opening, _prev: true(opening, bytes(32)))
    with pytest.raises(AssertionError, match="its writer knows his seed of"):
        watched(PLAYS["skirmish"](), 0, 8)


@pytest.mark.parametrize("answered", ["2", "3"])
def test_a_die_too_early_stops_the_program(answered):
    """An attack of message 2, answered in 3, uses no die of message 3."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-1t"})
    declared = legal(game, state, {"battles": [attack("1513", "g-gd")]})
    waiting = declared.with_(agenda={**declared.agenda, "answered": answered})
    early = Umpire(game, waiting, 3, Dice(3, {"b1/combat": "6"}))
    with pytest.raises(AssertionError, match="a die of message 3"):
        combat.resolve_attacks(early, Filing(3, "german"))
    late = Umpire(game, waiting.with_(agenda={**waiting.agenda, "answered": "4"}), 4, Dice(4, {"b1/combat": "6"}))
    with pytest.raises(AssertionError, match="a die of message 4"):
        combat.resolve_attacks(late, Filing(4, "german"))
    combat.resolve_attacks(Umpire(game, waiting, 4, Dice(4, {"b1/combat": "6"})), Filing(4, "german"))
