"""Random games end in both dice modes, with valid positions and events.

``ARMOR_GAMES=40`` plays 40 games of each kind instead of two.
"""

import os

import pytest
from helpers import registry, sweeps

from kursk_pbem.kernel.events import Rolled, apply
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulebook import books
from rulesets import toys

KIT = registry.kit("armor-commander")
GAMES = int(os.environ.get("ARMOR_GAMES", "2"))
PARAGRAPHS = books.load(KIT.ruleset.rulebook).paragraphs


@pytest.mark.slow
@pytest.mark.parametrize("refereed", [False, True], ids=["players", "referee"])
@pytest.mark.parametrize("cohesion", sweeps.some(["pairs", "chain"], 2))
@pytest.mark.parametrize("scenario", KIT.scenarios)
def test_random_games_come_to_their_end(scenario, cohesion, refereed):
    """No crash, no dead end; ``toys.play`` checks the invariants after every message."""
    setting = KIT.setting(scenario, {"cohesion": cohesion}, refereed=refereed)
    dice = 0
    for seed in range(GAMES):
        for before, result in toys.play(KIT, setting, seed):
            state = before
            for event in result.events:
                state = apply(state, event)
                assert event.rule in PARAGRAPHS, event
                if isinstance(event, Rolled):
                    assert len(event.label) <= 64
                    dice += len(event.digits)
            assert state == result.after
            assert not KIT.ruleset.play.invariants(setting, state)
        assert state.stage == OVER
        verdict = KIT.ruleset.play.verdict(setting, state)
        assert (verdict.how, verdict.winner) in KIT.endings
    assert dice > 10 * GAMES
