"""Copies of the demonstration for the commands to work in, and the program as a wheel, installed."""

import shutil
import sys
from pathlib import Path

import pytest
from helpers import shared

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import wheel as wheels


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


@pytest.fixture(scope="session")
def built(tmp_path_factory, request):
    """The archive of the sources of this checkout, and the wheel built from it. Only to be read."""
    return wheels.find_packages(shared.make_once(tmp_path_factory, request.config, "dist", wheels.build_packages))


@pytest.fixture(scope="session")
def installed(built, tmp_path_factory, request):
    """The Python of an environment with the wheel and what it needs in it, no extra. Only to be read."""
    _sources, wheel = built

    def install(folder):
        wheels.install_wheel(wheel, folder, offline=True)

    return wheels.find_python(shared.make_once(tmp_path_factory, request.config, "fresh", install))
