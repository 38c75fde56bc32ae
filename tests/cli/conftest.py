"""Plays the demonstration once: folders for the commands to look at."""

import shutil

import pytest
from demo_game import play_demo


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The folder of the demonstration. Only to be read."""
    return play_demo(tmp_path_factory.mktemp("demo") / "played")


@pytest.fixture
def german(demo, tmp_path, monkeypatch):
    """A copy of the German player's folder, with his home; message 8 is his to write."""
    place = tmp_path / "german"
    shutil.copytree(demo / "german", place)
    monkeypatch.setenv("KURSK_HOME", str(place / "private"))
    return place


@pytest.fixture
def game(german):
    """The game folder in that copy."""
    return next(german.glob("game-*"))


@pytest.fixture
def draft(game):
    """The draft of message 8, as it was written: legal as it stands."""
    return game / "0008.draft.yaml"
