"""What tests of the toys stand on: the toys put into the program, and a game of one begun by commands."""

import pytest
from helpers import registry

from kursk_pbem.game import entropy
from rulesets import toys
from rulesets.typed import Players


@pytest.fixture
def plugged(monkeypatch):
    """The program with the toys in it."""
    toys.plug(monkeypatch)


@pytest.fixture
def begun(tmp_path, monkeypatch, plugged):
    """A function that begins a game: (ruleset, options of propose, whether a referee rolls) -> its players."""

    def begin(rid, *options, refereed=False, seed=1):
        players = Players(tmp_path, registry.kit(rid), monkeypatch, seed=seed, refereed=refereed)
        players.begin(*options)
        return players

    with entropy.fix_random_bytes("toys"):
        yield begin
