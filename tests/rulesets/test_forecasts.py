"""Whole-turn odds: equal to all throws at once, and estimates whose intervals contain the exact chance."""

from fractions import Fraction
from functools import cache
from itertools import islice

import pytest
from helpers import registry

from kursk_pbem.kernel import forecast
from kursk_pbem.kernel.state import ELIMINATED
from rulesets import turns

FEW = {"battle-for-kursk": 4, "kursk-1971": 4, "juggernauts": 4, "armor-commander": 6}
"""Greatest number of dice of a compared turn."""


def random_turns(rid, most):
    """Yield random turns of a system with their whole-turn odds, and the odds of all throws."""
    kit, seed = registry.kit(rid), 0
    while True:
        seed += 1
        for waiting in turns.find_turns(kit, kit.scenarios[0], seed):
            turn = kit.ruleset.seen.turn(waiting.setting, waiting.state, waiting.sealed)
            if turn is not None and waiting.dice <= most:
                thrown = waiting.throw_all(6**most)
                if thrown is not None:
                    yield turn, thrown


@cache
def list_turns(rid, number, most):
    """Return the first turns; to find them costs most."""
    return [*islice(random_turns(rid, most), number)]


def check(rid, number, most):
    for turn, thrown in list_turns(rid, number, most):
        chances = forecast.spread(turn, turns.stable)
        assert chances == thrown
        assert sum(chances.values()) == 1


@pytest.mark.some(4)
@pytest.mark.parametrize("rid", FEW)
def test_chances_of_a_whole_turn_equal_all_throws(rid):
    check(rid, 2, 3)


@pytest.mark.long("test-all")
@pytest.mark.parametrize("rid", FEW)
def test_chances_of_200_random_turns_equal_all_throws(rid):
    check(rid, 200, FEW[rid])


def test_intervals_of_estimates_contain_the_exact_chance():
    (turn, _thrown), *_more = list_turns("battle-for-kursk", 2, 3)
    start, kept = turn.start.state, 0

    def loses(after):
        return any(one.place == ELIMINATED for uid, one in after.units.items() if start.units[uid] != one)

    exact, _all = forecast.forecast(turn, [loses], "")
    assert 0 < exact.chance < 1
    for number in range(40):
        guess, _same = forecast.forecast(turn, [loses], f"seed {number}", most=1, plays=30)
        assert (exact.plays, guess.plays) == (0, 30)
        kept += guess.low <= exact.chance <= guess.high
    assert kept >= 35, "95 % of 40, less two standard deviations"


def test_an_estimate_has_wilsons_interval():
    share = forecast.estimate(0, 100)
    assert share.chance == share.low == 0
    assert Fraction(384, 10_000) < share.high < Fraction(385, 10_000), "4 / 104"
