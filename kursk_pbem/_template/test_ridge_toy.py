"""Tests of Ridge Toy: ``python -m pytest`` runs them after ``pip install -e .``."""

import pytest
from ridge_toy import RULESET

from kursk_pbem import testing

BENCH = testing.Bench(RULESET)


def test_code_and_data_have_no_faults():
    assert BENCH.find_faults() == []


@pytest.mark.parametrize("refereed", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_random_games_come_to_an_end(seed, refereed):
    BENCH.play(seed, refereed=refereed)


@pytest.mark.parametrize("seed", range(5))
def test_wrong_orders_are_refused(seed):
    assert BENCH.fuzz(seed)


@pytest.mark.parametrize("seed", range(2))
def test_signed_games_verify_at_both_desks(seed, tmp_path):
    assert BENCH.verify(tmp_path, seed)
