"""Plays the demonstration once for all who look at its files."""


import pytest
from demo_game import play_demo
from signed_play import Table

from kursk_pbem.game import entropy


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The folder of the demonstration. Only to be read."""
    return play_demo(tmp_path_factory.mktemp("demo") / "played")


@pytest.fixture(scope="session")
def stranger(tmp_path_factory):
    """Another game of the same length. Only to be read."""
    return play_demo(tmp_path_factory.mktemp("stranger") / "played", "stranger")


@pytest.fixture
def table(tmp_path):
    """Two players who have agreed on a game of Citadel; message 1 is due."""
    with entropy.fixed("a table"):
        yield Table(tmp_path / "table").begin()
