"""Mailboxes: mbox, Maildir and folders are never changed; known mails are not opened again."""

import random

import pytest
from helpers.mailbags import WAYS, box, foreign, letter, make_maildir, states, taken, turn

from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.round.outcome import TAKEN


@pytest.mark.parametrize("kind", [box, make_maildir])
def test_a_mailbox_of_several_games_is_taken_whole(several, tmp_path, kind):
    anna, games = several
    mails = [
        letter(turn(other, game, 1), other.address, how=how)
        for (game, other), how in zip(games.items(), WAYS, strict=False)
    ]
    mails += [foreign(number) for number in range(20)] + mails[:2]
    random.Random(1).shuffle(mails)
    path = kind(tmp_path, mails)
    before = {each: each.read_bytes() for each in path.rglob("*") if each.is_file()} or path.read_bytes()
    day = taken(anna, path)
    assert states(day) == [(1, TAKEN)] * 3
    assert (day.mails, day.faults, day.status) == (25, [], 0)
    for game, other in games.items():
        assert turn(anna, game, 1) == turn(other, game, 1)
        assert folders.draft_path(anna.folder(game), 2).exists()
    assert ({each: each.read_bytes() for each in path.rglob("*") if each.is_file()} or path.read_bytes()) == before


@pytest.mark.long("test-all")
def test_T49_a_mail_of_fifty_megabytes_is_named_and_not_read(pair, tmp_path):
    anna, boris, game = pair
    boris.sign(game)
    big = letter(turn(boris, game, 1), subject="huge") + b"y\n" * 25_000_000
    (tmp_path / "list.mbox").write_bytes(b"From x\n" + big + b"\n\nFrom x\nSubject: a\n\nhello\n")
    day = taken(anna, tmp_path / "list.mbox")
    assert ("huge" in str(day.faults[0]), "MiB" in str(day.faults[0]), day.mails) == (True, True, 2)


def test_of_an_mbox_that_grew_the_new_mails_are_taken(several, tmp_path):
    anna, games = several
    (one, boris), (two, carla), *_more = games.items()
    path = box(tmp_path, [letter(turn(boris, one, 1), boris.address), foreign(1)])
    assert taken(anna, path).mails == 2
    assert taken(anna, path).mails == 0
    box(tmp_path, [letter(turn(carla, two, 1), carla.address)])
    assert states(taken(anna, path)) == [(1, TAKEN)]


def test_T59_a_maildir_is_not_changed_and_known_names_are_not_opened(pair, tmp_path, monkeypatch):
    anna, boris, game = pair
    boris.sign(game)
    path = make_maildir(tmp_path, [letter(turn(boris, game, 1)), *(foreign(number) for number in range(5))])
    assert taken(anna, path).mails == 6
    (new,) = [each for each in (path / "new").iterdir() if b"my turn" in each.read_bytes()]
    new.rename(path / "cur" / f"{new.name}:2,S")
    assert taken(anna, path).mails == 0
    memory = b"".join(each.read_bytes() for each in (post_folder.locate(anna.home) / "in").rglob("*") if each.is_file())
    assert b"shop.example" not in memory
    assert b"Offer" not in memory


def test_T48_what_comes_of_a_game_whose_folder_is_away_waits_until_it_is_back(pair, tmp_path):
    """An unmounted disk loses no turn."""
    anna, boris, game = pair
    boris.sign(game)
    path = make_maildir(tmp_path, [letter(turn(boris, game, 1))])
    folder, away = anna.folder(game), tmp_path / "away"
    folder.rename(away)
    anna.kursk("inbox", path, status=2)
    away.rename(folder)
    assert states(taken(anna, path)) == [(1, TAKEN)]
