"""All orders of a few messages with accidents, over the real desk: nobody is stuck, nobody is accused (2.6)."""

import pytest
from rulesets import toys

from desk import line_model
from kursk_pbem.game import entropy


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "machines", "setbacks"),
    [
        (3, (1, 1), (1, 0)),
        pytest.param(5, (1, 1), (1, 0), marks=pytest.mark.long),
        pytest.param(5, (1, 1), (0, 1), marks=pytest.mark.long),
        pytest.param(5, (1, 1), (1, 1), marks=pytest.mark.long),
        pytest.param(4, (2, 1), (0, 1), marks=pytest.mark.long),
    ],
)
def test_2_6_every_order_of_messages_with_accidents_can_end(tmp_path, monkeypatch, length, machines, setbacks):
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("line model"):
        states, stuck = line_model.explore(line_model.begin(tmp_path), length, machines, setbacks)
    assert states > 10
    assert stuck == []
