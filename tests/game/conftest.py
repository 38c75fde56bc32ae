"""Puts tests/ on the path, and plays the demonstration once for all who look at its files."""

import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.game import entropy


def play_demo(folder: Path, seed: str = "citadel") -> Path:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert run(["demo", str(folder), "--seed", seed]) == 0
    return folder


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
