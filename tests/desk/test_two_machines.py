"""Two people play on two machines each: nobody is accused, every game goes on."""

import pytest
from rulesets import toys

from desk.two_machines import TwoHomes
from kursk_pbem.game import entropy

SEEDS = range(1, 11)


@pytest.fixture
def world(monkeypatch, tmp_path):
    """Return a function that makes the world of a seed."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("two machines"):
        yield lambda seed: TwoHomes(tmp_path, seed)


@pytest.mark.parametrize(
    ("seed", "steps"), [(1, 60), *(pytest.param(seed, 500, marks=pytest.mark.long("test-all")) for seed in SEEDS)]
)
def test_2_6_two_people_on_two_machines_end_every_game(world, seed, steps):
    """A saved, copied, lost or restored folder leads honest people to a second signature, and to no accusation."""
    made = world(seed)
    made.runs(steps)
    assert made.figures["signed"] > steps // 20
