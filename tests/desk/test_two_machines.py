"""Two people play on two machines each: nobody signs twice, nobody honest is convicted, every game goes on."""

import pytest
from helpers import postal
from helpers.two_machines import TwoHomes
from rulesets import toys

from kursk_pbem.game import entropy

SEEDS = (1, 2, 3, 4, 5)


@pytest.fixture
def world(monkeypatch, tmp_path):
    """Return a function that makes the world of a seed."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("two machines"):
        yield lambda seed: TwoHomes(tmp_path, seed)


@pytest.mark.parametrize(
    ("seed", "steps"), [(1, 60), *(pytest.param(seed, 500, marks=pytest.mark.long) for seed in SEEDS)]
)
def test_T37_two_people_on_two_machines_sign_no_number_twice(world, seed, steps):
    """A saved, copied, lost or restored folder once led honest people to a second signature."""
    made = world(seed)
    made.runs(steps)
    assert made.figures["signed"] > steps // 20


def test_two_moved_homes_with_a_game_each_open_in_each_other(world, tmp_path):
    """Each refused the folder of the other, because it lacked a game, and neither signed any more."""
    anna, boris = world(1).people
    games = []
    for at in (0, 1):
        anna.sits(at)
        raw, game = postal.propose_game(boris, anna)
        anna.accept(raw)
        games.append(game)
        anna.types("save", tmp_path / f"{at}.zip", "--move")
    anna.sits(0)
    assert anna.types("open", tmp_path / "1.zip", "--yes")[0] == 0
    for game in games:
        anna.fill(game)
        assert anna.types("sign", game[:8], "--yes")[0] == 2
        assert anna.types("restore", game[:8], "--confirm", 0, "--yes")[0] == 0
        assert anna.types("sign", game[:8], "--yes")[0] == 0
