"""Copies of the demonstration for commands, and an installed wheel of the program."""

import shutil
import sys
from pathlib import Path

import pytest
from helpers import shared

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import wheel as wheels


@pytest.fixture
def german(demo, tmp_path, monkeypatch):
    """Copy the German player's folder and private folder; message 8 is due from the German."""
    place = tmp_path / "german"
    shutil.copytree(demo / "german", place)
    monkeypatch.setenv("KURSK_HOME", str(place / "private"))
    return place


@pytest.fixture
def game(german):
    """Return the game folder in the copy."""
    return next(german.glob("game-*"))


@pytest.fixture
def draft(game):
    """Return the draft of message 8, as saved: a legal draft."""
    return game / "0008.draft.yaml"


@pytest.fixture(scope="session")
def built(tmp_path_factory, request):
    """Build the source archive of this checkout, and the wheel from the archive. Read only."""
    return wheels.find_packages(shared.make_once(tmp_path_factory, request.config, "dist", wheels.build_packages))


@pytest.fixture(scope="session")
def installed(built, tmp_path_factory, request):
    """Return the Python of an environment with the wheel and the required packages, without extras. Read only."""
    _sources, wheel = built

    def install(folder):
        wheels.install_wheel(wheel, folder, offline=True)

    return wheels.find_python(shared.make_once(tmp_path_factory, request.config, "fresh", install))


@pytest.fixture
def sits(monkeypatch):
    """Return a function that sets the folders of a player."""

    def sit(player):
        monkeypatch.setenv("KURSK_HOME", str(player.home))
        monkeypatch.setenv("KURSK_KEY", str(player.key))
        monkeypatch.chdir(player.place)
        return player

    return sit


@pytest.fixture
def seat(tmp_path, monkeypatch):
    """Return a function that seats a person in a folder, with a private folder in it; it returns the folder."""

    def sit(name):
        place = tmp_path / name
        place.mkdir(exist_ok=True)
        monkeypatch.delenv("KURSK_KEY", raising=False)
        monkeypatch.setenv("KURSK_HOME", str(place / "private"))
        monkeypatch.chdir(place)
        return place

    return sit


@pytest.fixture
def elsewhere(tmp_path, monkeypatch, game):
    """Return a folder without games, as the current folder."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.chdir(place)
    return place
