"""Commands named in messages about tournaments work, also in a path with a blank (see tests/cli)."""

import shutil

import pytest
from helpers.tourney import World

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def world(tmp_path):
    """Return a Swiss of one round with two entrants and an open field."""
    world = World(tmp_path / "my cups")
    world.new("--swiss", 1, "--system", CITADEL)
    world.enter(["anna", "boris"])
    world.collect()
    return world


def test_a_form_without_a_system_names_the_list(tmp_path):
    director = World(tmp_path / "my cups").director
    said = director.kursk("tournament", "new", tmp_path / "cup", "--swiss", 2, status=2)
    assert CITADEL in director.does(said, "scenario")


def test_whoever_is_in_no_tournament_reads_how_one_begins(tmp_path):
    director = World(tmp_path / "my cups").director
    said = director.kursk("tournament", "standings", status=2)
    director.does(said, "tournament new", "my cup", "--swiss", 2, "--system", CITADEL)
    assert (director.place / "my cup" / "rules.yaml").exists()


def test_a_director_without_the_record_restores_it_before_a_receipt(world):
    world.begin()
    (board,) = world.book().boards.values()
    world.play(board, 1)
    proposal = next(world.director.inbox.glob("*-0000.yaml"))
    shutil.move(world.director.home, world.root / "lost")
    said = world.director.kursk("referee", "receipt", proposal, "--days", 7, status=2)
    world.director.does(said, "tournament restore", FOLDER=world.folder)
