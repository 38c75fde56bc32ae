"""Random games to the end: no dead end, no crash, invariants after every message."""

from __future__ import annotations

import random

import pytest
from helpers import sweeps

from kursk_pbem.kernel.events import Fought, Placed, Removed, apply
from kursk_pbem.kernel.state import OVER, from_plain
from kursk_pbem.rulesets.kursk_1971 import RULESET
from rulesets.kursk_1971.kit import KIT
from rulesets.kursk_1971.random_play import Chooser, play


def games(seed):
    scenario, options = KIT.of_seed(seed)
    return KIT.setting(scenario, options, refereed=seed % 3 == 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", sweeps.some(range(12), 12))
def test_a_random_game_comes_to_its_end(seed):
    """Events lead from position to position, mailing keeps positions, and invariants hold."""
    game, results, after = games(seed), set(), None
    for before, _filing, result in play(game, seed):
        state = before
        for event in result.events:
            state = apply(state, event)
            results |= {event.result} if isinstance(event, Fought) else set()
        after = result.after
        assert state == after
        assert from_plain(after.to_plain()) == after
        assert RULESET.play.invariants(game, after) == []
    assert after.stage == OVER
    assert RULESET.play.verdict(game, after) is not None
    assert {"AR", "AX", "BR", "DR", "DX"} <= results


def test_8_0_random_players_give_units_of_a_hex_different_wishes():
    """S-40: random games and the fuzzer move the units of a stack to different hexes."""
    stack, game = ("s-1t", "s-5t", "s-31t"), games(0)
    drawn = [Chooser(game, random.Random(seed)).retreats(stack) for seed in range(40)]
    assert sum(len({wish.split(" ")[0] for wish in wishes} & {*stack}) > 1 for wishes in drawn) > 10


@pytest.mark.long
def test_all_results_occur():
    seen = set()
    for seed in range(6):
        for _before, _filing, result in play(games(seed), seed):
            for event in result.events:
                seen |= {event.result} if isinstance(event, Fought) else set()
                seen |= {event.how} if isinstance(event, Placed) else set()
                seen |= {event.rule} if isinstance(event, Removed) else set()
    assert {"AX", "AR", "BR", "DR", "EX", "HX", "DX", "D", "NE", "kampfgruppe", "arrives", "deployed"} <= seen
    assert {"8.0-ar", "8.0-br", "8.0-ax", "8.0-dx", "9.0-e", "10.0-a"} <= seen
