"""Fixtures for tests of the toys: the program with the toys, and games begun by commands."""

import pytest
from helpers import registry

from kursk_pbem.game import entropy
from rulesets import toys
from rulesets.typed import Players


@pytest.fixture
def plugged(monkeypatch):
    """Add the toys to the program."""
    toys.plug(monkeypatch)


@pytest.fixture
def begun(tmp_path, monkeypatch, plugged):
    """Return a function to begin a game and return the players."""

    def begin(rid, *options, refereed=False, seed=1):
        players = Players(tmp_path, registry.kit(rid), monkeypatch, seed=seed, refereed=refereed)
        players.begin(*options)
        return players

    with entropy.fix_random_bytes("toys"):
        yield begin
