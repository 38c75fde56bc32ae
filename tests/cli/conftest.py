"""Copies of the demonstration for the commands to work in."""

import shutil

import pytest


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
