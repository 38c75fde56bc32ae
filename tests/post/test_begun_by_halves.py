"""A director begins a game, and the command that does it is refused, or killed, behind the folder that it made."""

import shutil

import pytest
from helpers import crash_play, postal
from helpers.mailbags import letter, turn
from helpers.postmen import fork
from helpers.refereed_mail import comes, hours

from kursk_pbem.cli import run
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Term


@pytest.fixture
def proposed(automatic):
    """A second game, whose proposal waits for its director's word."""
    world = automatic
    game = postal.began(world.anna, world.boris, relay=world.ref.public)
    world.office.put(letter(turn(world.anna, game, 0), world.anna.address), world.ref.address)
    world.director.post()
    assert f"game {game[:8]} is proposed" in str(world.director.errand.chair.pending())
    return world, game


def listed(world, game):
    """What the list for the director says of a game."""
    world.director.sits()
    world.director.post()
    return str([line for line in world.director.errand.chair.pending() if game[:8] in line])


@pytest.mark.parametrize("at", [5, 9, 15, 21, 60])
def test_2_12_a_game_whose_beginning_was_killed_stays_in_the_list(proposed, at):
    """It was a proposal no longer, and without a receipt: nothing ran in it, and nothing told of it, for ever."""
    world, game = proposed

    def work():
        with world.ref.sitting():
            crash_play.kill(at)
            run(["receipt", game[:16], "--days", "7"])

    fork(work)
    done = (world.ref.folder(game) / "receipt-0000.yaml").exists()
    assert done == (at == 60)
    assert ("begins it" in listed(world, game)) != done


def test_2_12_a_game_that_was_begun_without_days_stays_in_the_list(proposed):
    world, game = proposed
    world.ref.kursk("receipt", game[:16], status=2)
    for who, other, seq in ((world.boris, world.anna, 1), (world.anna, world.boris, 2)):
        comes(world, who, seq, game)
        postal.carried(game, seq, who, other)
    assert f"'kursk receipt {world.ref.folder(game)} --days 7' begins it" in listed(world, game)
    world.ref.kursk("receipt", world.ref.folder(game), "--days", 7)
    assert listed(world, game) == "[]"
    hours(world, 13 * 24, step=12)
    assert (world.ref.folder(game) / "forfeit.yaml").exists()
    assert listed(world, game) == "[]"


def test_2_12_a_game_that_was_begun_in_order_is_not_listed(proposed, tmp_path):
    """Nor is the mail of its proposal, saved where the games lie, once the game has gone into an archive."""
    world, game = proposed
    file = world.ref.place / "0000.yaml"
    file.write_bytes(turn(world.anna, game, 0))
    timekeeper.receipt(timekeeper.open_folder(file, world.ref.home, Term(days=7)), world.ref.key, Term(days=7))
    assert listed(world, game) == "[]"
    comes(world, world.boris, 1, game)
    assert listed(world, game) == "[]"
    shutil.move(world.ref.folder(game), tmp_path / "archive")
    assert "begins it" not in listed(world, game)
