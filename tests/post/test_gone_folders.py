"""Games of a referee's mailbox whose folder is gone, on a disk that is not mounted say: told until it is back."""

import shutil
from datetime import timedelta

import pytest
from helpers.boards_by_mail import begins
from helpers.mailbags import letter, turn
from helpers.postmen import Time
from helpers.refereed_mail import ends_by_itself, hours, played_on
from helpers.rolled_mail import Rolled

from kursk_pbem.game import folders
from kursk_pbem.post import place
from kursk_pbem.post.referee import deadlines

GONE = "is not over, and its folder is gone from"


@pytest.fixture(params=["relayed", "rolled"])
def referees(request, friends, tmp_path):
    """The mailbox of a referee, with a game that is under way."""
    if request.param == "relayed":
        world = request.getfixturevalue("automatic")
        played_on(world)
        (world.ref.place / "0000.yaml").unlink()
        yield world
    else:
        with Time().rules() as time:
            yield Rolled(friends, tmp_path, time)


@pytest.fixture
def away(referees, tmp_path):
    """Its folder lies elsewhere; where that is."""
    hours(referees, 6, step=6)
    assert GONE not in str(referees.director.errand.chair.pending())
    elsewhere = shutil.move(referees.ref.folder(referees.game), tmp_path / "elsewhere")
    referees.director.sits()
    hours(referees, 12, step=6)
    return elsewhere


def test_2_12_a_saved_proposal_among_the_games_is_no_folder_of_one(automatic, tmp_path):
    """It stood for the game, at message 0: nobody was told, and a damaged mail counted for four messages from there."""
    world = automatic
    played_on(world)
    hours(world, 6, step=6)
    assert (world.ref.place / "0000.yaml").exists()
    elsewhere = shutil.move(world.folder, tmp_path / "elsewhere")
    world.director.sits()
    hours(world, 12, step=6)
    assert len(told(world)) == 1
    world.boris.sign(world.game)
    cut = turn(world.boris, world.game, 3).partition(b"-----END SSH")[0]
    world.office.put(letter(cut, world.boris.address), world.ref.address)
    world.director.post()
    assert deadlines.damaged_at(world.ref.home, world.game)
    assert place.load(place.root(world.ref.home) / "referee" / "damaged" / f"{world.game[:16]}.json")["last"] == "6"
    shutil.move(elsewhere, world.folder)
    world.director.sits()
    assert told(world) == []


@pytest.mark.parametrize("spoilt", [True, False])
def test_2_12_with_a_spoilt_list_no_game_ends_that_may_have_been_away(automatic, tmp_path, spoilt):
    """It was forgotten, and with it that words about it had been read from an address that nobody knows."""
    world = automatic
    played_on(world)
    (world.ref.place / "0000.yaml").unlink()
    hours(world, 6, step=6)
    elsewhere = shutil.move(world.folder, tmp_path / "elsewhere")
    if spoilt:
        (place.root(world.ref.home) / "referee" / "seen.json").write_bytes(b"{")
    world.director.sits()
    hours(world, 12, step=6)
    shutil.move(elsewhere, world.folder)
    world.director.sits()
    assert ends_by_itself(world) == (not spoilt)


def told(world):
    """What the list says of games whose folder is gone."""
    return [line for line in world.director.errand.chair.pending() if GONE in line]


def test_2_12_a_game_whose_folder_is_gone_is_told_until_it_is_back(referees, away):
    """Its player fell silent, and nobody was reminded or told, for ever."""
    (line,) = told(referees)
    assert f"game {referees.game[:8]} {GONE}" in line
    hours(referees, 24, step=12)
    assert any(GONE.encode() in raw for _at, _from, to, raw in referees.office.mails if to == "boss@example.test")
    shutil.move(away, referees.ref.folder(referees.game))
    assert told(referees) == []


def test_2_12_one_that_its_director_has_deleted_is_not(referees, away):
    short = referees.game[:16]
    referees.ref.kursk("status", "--forget", short, "--yes")
    hours(referees, 12, step=6)
    assert told(referees) == []
    shutil.move(away, referees.ref.folder(referees.game))
    referees.director.sits()
    hours(referees, 12, step=6)
    shutil.move(referees.ref.folder(referees.game), away)
    referees.director.sits()
    assert short in str(told(referees))


def test_2_12_what_somebody_writes_about_it_meanwhile_counts(referees, away):
    """A game with a private record, as one that its referee rolls, was taken for one that is over."""
    subject = f"Subject: Re: [kursk {referees.game[:8]}] message 2\n".encode()
    referees.office.put(b"From: me@new.test\n" + subject + b"\nIt does not work here\n", referees.ref.address)
    referees.director.post()
    assert (place.root(referees.ref.home) / "referee" / "wrote" / referees.game[:16]).exists()


def test_2_12_one_whose_folder_is_there_leaves_no_list(referees):
    hours(referees, 6, step=6)
    with pytest.raises(AssertionError, match="2"):
        referees.ref.kursk("status", "--forget", referees.game[:16], "--yes")


def test_2_12_one_that_is_over_may_be_moved_away(automatic, tmp_path):
    played_on(automatic)
    assert ends_by_itself(automatic)
    shutil.move(automatic.folder, tmp_path / "archive")
    automatic.director.sits()
    automatic.director.post()
    assert told(automatic) == []


def test_2_12_a_folder_that_nobody_may_open_is_told_as_that_alone(automatic, close):
    played_on(automatic)
    (automatic.ref.place / "0000.yaml").unlink()
    close.append(automatic.folder)
    automatic.director.sits()
    automatic.director.post()
    assert told(automatic) == []
    assert "nothing is done in this game" in str(automatic.director.errand.chair.pending())


@pytest.mark.parametrize("judged", [False, True])
def test_2_12_a_board_that_is_judged_may_be_moved_away(relayed, tmp_path, judged):
    game = begins(relayed)
    for _round in range(8):  # the players learn which game it is
        relayed.time.now += timedelta(hours=6)
        relayed.ref.post()
    if judged:
        for player in relayed.players.values():
            player.post()
            player.friend.kursk("tournament", "agree", "1-1", "draw", "--yes")
            player.post()
            relayed.time.now += timedelta(hours=3)
            relayed.ref.post()
        relayed.direct("tournament", "judge", "1-1", "agree", "--yes", "--in", relayed.folder)
        relayed.ref.sits()
        relayed.ref.post()
    shutil.move(relayed.folder / "games" / folders.folder_name(game), tmp_path / "archive")
    relayed.ref.sits()
    relayed.ref.post()
    lines = [line for line in relayed.ref.errand.chair.pending() if GONE in line]
    assert bool(lines) != judged
