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


def test_the_other_player_takes_the_proposal_as_status_says(world):
    world.begin()
    (board,) = world.book().boards.values()
    told = {name: who.kursk("tournament", "status", who.tournament) for name, who in world.entrants.items()}
    (taken,) = (name for name, said in told.items() if "kursk accept FILE" in said)
    taker, said = world.entrants[taken], told[taken]
    (writer,) = (who for name, who in world.entrants.items() if name != taken)
    writer.kursk("tournament", "propose", board.name, "--dir", writer.place, "--in", writer.tournament)
    (proposal,) = writer.place.glob("game-*/0000.yaml")
    taker.does(said, "accept", FILE=proposal)
    assert [*taker.place.glob("game-*/0001.draft.yaml")]


def test_a_director_without_the_record_restores_it_before_a_receipt(world):
    world.begin()
    (board,) = world.book().boards.values()
    world.play(board, 1)
    proposal = next(world.director.inbox.glob("*-0000.yaml"))
    shutil.move(world.director.home, world.root / "lost")
    said = world.director.kursk("referee", "receipt", proposal, "--days", 7, status=2)
    world.director.does(said, "tournament restore", FOLDER=world.folder)


def test_a_log_that_was_signed_twice_convicts_nobody(world):
    """Two lines of equal draws: time granted twice aims nothing."""
    world.begin()
    folder = shutil.copytree(world.folder, world.root / "the other copy")
    home = shutil.copytree(world.director.home, world.root / "home")
    world.director.kursk("tournament", "grant", "all", 2, "flood", "--yes", "--in", world.folder)
    shutil.rmtree(world.director.home)
    shutil.copytree(home, world.director.home)
    world.director.kursk("tournament", "grant", "all", 5, "storm", "--yes", "--in", folder)
    told = "no conviction: 8 log papers, 1 void paper"
    world.director.kursk("tournament", "prove", world.folder, folder, status=1, told=told)


def test_papers_that_two_commands_took_wait_for_nobody(tmp_path):
    """Bug: after 'kursk inbox' and 'kursk tournament inbox' of the same mails, status still asked to accept them."""
    world = World(tmp_path / "my cups")
    world.new("--swiss", 1, "--system", CITADEL)
    world.enter(["anna", "boris"])
    world.post()
    world.director.kursk("inbox", world.director.inbox, status=None)
    assert "ask to take part" in world.director.kursk("tournament", "status", world.folder)
    world.inbox()
    assert "ask to take part" not in world.director.kursk("tournament", "status", world.folder)
