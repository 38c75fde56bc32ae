"""Tournaments that several tests begin from, played once in a session and copied for each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from helpers.four import four as played
from helpers.person import Person
from helpers.tourney import World


@pytest.fixture(scope="session")
def _four(tmp_path_factory):
    """Four in a Swiss over two rounds: board 1-1 has ended by a resignation, 1-2 waits for an answer to message 3."""
    return played(tmp_path_factory.mktemp("four"))


@pytest.fixture
def four(_four, tmp_path, capsys):
    """A copy of that world, for one test alone."""
    place = tmp_path / "four"
    shutil.copytree(_four.root, place)
    world = World.__new__(World)
    world.__dict__.update(_four.__dict__)
    world.root, world.capsys, world.commands = place, capsys, {}
    world.director = moved(_four.director, world)
    world.entrants = {name: moved(who, world) for name, who in _four.entrants.items()}
    return world


def moved(who, world):
    """A person in a copy of their world."""
    found = Person(who.name, world.root / who.name, world)
    relative = Path(who.tournament).relative_to(who.world.root)
    found.tournament = world.root / relative
    return found
