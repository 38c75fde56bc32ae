"""Tournaments shared by several tests: played once in a session, then copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from helpers.four import play_first_round
from helpers.tourney import Participant, World

from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.site import publication
from tournament.dated import draw_with_witness


def keep(name, build):
    """Return two fixtures: a tournament that ``build(root)`` plays once, and a copy for each test."""

    @pytest.fixture(scope="session", name=f"_{name}")
    def built(tmp_path_factory):
        return build(tmp_path_factory.mktemp(name))

    @pytest.fixture(name=name)
    def found(request, tmp_path):
        return copied(request.getfixturevalue(f"_{name}"), tmp_path / name)

    return built, found


_four, four = keep("four", play_first_round)
"""A Swiss of four players: board 1-1 ended by resignation, 1-2 waits for an answer to message 3."""
_watched, watched = keep("watched", draw_with_witness)
"""A Swiss of four with the witness Wera; the field of the first draw is closed."""


@pytest.fixture(scope="session")
def published(ended):
    """Return the finished tournament, its proof and its site; no test may change them."""
    proof = verify.verify_tournament(ended.folder)
    return ended, proof, publication.build_files(publication.load_view(ended.folder, proof))


def copied(kept, place):
    """Return a copy of a tournament for one test."""
    shutil.copytree(kept.root, place)
    world = World.__new__(World)
    world.__dict__.update(kept.__dict__)
    world.root, world.commands = place, {}
    world.director = moved(kept.director, world)
    world.entrants = {name: moved(who, world) for name, who in kept.entrants.items()}
    return world


def moved(who, world):
    """Return a person in a copy of the tournament."""
    found = Participant(who.name, world.root / who.name, world)
    relative = Path(who.tournament).relative_to(who.world.root)
    found.tournament = world.root / relative
    return found
