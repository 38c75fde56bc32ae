"""Damaged files of a referee's own desk: each is named, and costs no more than what it says."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.cup_by_mail import announced
from helpers.mailbags import letter, turn
from helpers.postmen import Time
from helpers.refereed_mail import DAY, World, begun, comes, damages, played_on

from kursk_pbem.desk import clock, policies
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.game import journal
from kursk_pbem.post import people, place, spool
from kursk_pbem.post.tournaments import events, presiding
from kursk_pbem.trust import messages


@pytest.fixture
def world(friends, tmp_path, monkeypatch):
    return World(friends, tmp_path, Time().set(monkeypatch))


def told(world):
    """What the director reads of damage: after a round, and in the list of what waits."""
    made = world.director.errand
    return "\n".join(map(str, made.faults)), "\n".join(made.chair.pending())


@pytest.mark.parametrize("gone", [False, True])
def test_a_game_whose_first_message_is_damaged_is_named_and_the_others_go_on(world, gone):
    other = begun(world, world.anna, world.boris)
    path = damages(world.ref.folder(other) / "0000.yaml")
    if gone:
        path.unlink()
    world.director.sits()
    comes(world, world.boris, 1)
    assert world.ref.desk(world.game).seq == 2
    for words in told(world):
        assert path.name in words
        assert path.parent.name in words
        assert "as it was mailed" in words


def test_a_folder_that_is_no_game_is_not_named(world):
    (world.ref.place / "game-of-a-friend").mkdir()
    (world.ref.place / f"game-{'0' * 16}").mkdir()
    world.director.sits()
    world.director.post()
    assert told(world) == ("", "")


def test_a_damaged_file_of_one_person_costs_their_letters_alone(world):
    played_on(world)
    path = damages(place.root(world.ref.home) / "people" / f"{people.mark(world.anna.public)}.json")
    world.office.mails.clear()
    world.director.sits()
    day = world.asks("STATUS", "boris")
    assert day.done[0].startswith("answered boris")
    comes(world, world.boris, 3)
    assert world.ref.desk(world.game).seq == 4
    assert {reader for _at, _sender, reader, _raw in world.office.mails} == {world.boris.address}
    assert str(path) in told(world)[1]
    assert path.read_bytes() == b"x"


def test_a_mail_stays_while_what_is_noted_of_it_cannot_be_read(world):
    """What was put down of when a turn came is damaged: nothing is wrong with the turn."""
    world.boris.sign(world.game)
    raw = turn(world.boris, world.game, 1)
    id_ = messages.read(raw, "").id
    path = damages(place.root(world.ref.home) / "came" / world.game[:16] / f"0001-{id_[:16]}.json")
    day = comes(world, world.boris, 1)
    (outcome,) = day.games[0].outcomes
    assert path.name in str(outcome.error)
    path.unlink()
    world.director.post()
    assert world.ref.desk(world.game).seq == 2


def test_a_damaged_address_of_one_s_own_stops_letters_alone(world):
    path = damages(place.root(world.ref.home) / "own.json")
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    world.director.fetch()
    world.director.errand.take()
    with pytest.raises(UsageError, match=path.name):
        world.director.errand.send()
    assert world.papers() == ["receipt-0000.yaml", "receipt-0001.yaml"]


def test_a_damaged_note_beside_a_fetched_mail_keeps_that_mail_alone_back(world):
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    world.director.fetch()
    (noted,) = (place.root(world.ref.home) / "in" / "spool").glob("*.json")
    raw = noted.read_bytes()
    damages(noted)
    day = world.asks("HELP")
    assert [noted.name in str(fault) for fault in day.faults] == [True]
    assert [reader for reader, _raw in world.words()] == [world.anna.address]
    damages(noted, raw)
    world.director.post()
    assert world.papers() == ["receipt-0000.yaml", "receipt-0001.yaml"]


@pytest.mark.parametrize(
    ("ending", "damage"), [("json", b"x: ["), ("json", b'{"from": "r@x.test", "to": null}'), ("eml", b"")]
)
def test_a_damaged_letter_in_words_keeps_no_other(world, ending, damage):
    world.office.faults.grey = 100
    world.asks("HELP")
    (path,) = (place.root(world.ref.home) / "out" / "words").glob(f"*.{ending}")
    path.unlink()
    if damage:
        damages(path, damage)
    world.office.faults.grey = 0
    world.time.passes(3600)
    world.asks("STATUS", "boris")
    assert [reader for reader, _raw in world.words()] == [world.boris.address]
    assert any(path.stem in str(fault) for fault in world.director.errand.faults)


def test_a_mail_stays_while_a_file_of_the_player_s_own_cannot_be_read(world):
    """A standing policy that was edited wrongly was a fault of the mail, which was dealt with."""
    played_on(world)
    own = journal.find(world.anna.home, world.game)
    damages(policies.path(own), b"x: [")
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.anna.address)
    anna = world.member["anna"]
    (outcome,) = anna.post().games[0].outcomes
    assert "policy.yaml" in str(outcome.error)
    assert outcome.again
    policies.path(own).unlink()
    anna.post()
    assert (world.anna.folder(world.game) / "0004.draft.yaml").exists()


@pytest.mark.parametrize("gone", [False, True])
def test_a_turn_of_a_game_whose_first_message_is_damaged_stays(world, gone):
    (world.ref.place / "0000.yaml").unlink()
    path = world.folder / "0000.yaml"
    raw = path.read_bytes()
    damages(path)
    if gone:
        path.unlink()
    world.director.sits()
    (outcome,) = comes(world, world.boris, 1).games[0].outcomes
    assert outcome.again
    damages(path, raw)
    world.director.sits()
    world.director.post()
    assert world.ref.desk(world.game).seq == 2


def test_a_mail_that_waits_no_longer_is_told(world):
    """After 60 days it went without a word."""
    damages(world.folder / "0000.yaml")
    world.director.sits()
    told = [str(fault) for fault in comes(world, world.boris, 1).faults]
    for _day in range(60):
        world.time.passes(24 * 3600)
        told += [str(fault) for fault in world.director.post().faults]
    (line,) = told
    assert "the mail from 'boris@example.test', subject 'my turn': could not be filed on 60 days" in line


@pytest.mark.parametrize("anew", [False, True])
def test_a_paper_of_a_tournament_whose_log_is_damaged_stays(time, tmp_path, anew):
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    path = cup.folder / "log" / "0000.yaml"
    raw = path.read_bytes()
    cup.players["p01"].friend.kursk("tournament", "enter", path, "p01", "--yes")
    cup.players["p01"].post()
    damages(path)
    if anew:
        events._book.cache_clear()
    cup.time.now += DAY
    assert "cannot be read" in str(cup.ref.post().refused) or not anew
    damages(path, raw)
    cup.ref.sits()
    cup.ref.post()
    assert [entrant.name for entrant in cup.book().entrants.values()] == ["p01"]


def test_what_killed_programs_left_goes_once_a_day_and_what_is_being_written_stays(tmp_path):
    """It lay for ever where nothing was written any more, and kept the folder of a game that waits no longer."""
    empty, full = (place.folder(place.root(tmp_path) / "in" / "waiting" / name) for name in ("a" * 16, "b" * 16))
    for folder in (empty, full):
        (folder / ".kursk-old").write_bytes(b"half a turn")
        os.utime(folder / ".kursk-old", (0, 0))
    (full / ".kursk-new").write_bytes(b"half a turn")
    spool.tidy(tmp_path)
    assert [path.name for path in full.iterdir()] == [".kursk-new"]
    assert list(empty.iterdir()) == []
    (place.root(tmp_path) / "in" / "tidied.json").unlink()
    os.utime(empty, (0, 0))
    spool.tidy(tmp_path)
    assert not empty.exists()
    assert full.exists()


def test_a_tournament_that_cannot_remind_ends_the_round_of_no_game(world, monkeypatch):
    def fails(*_said):
        raise UsageError("a file of it cannot be read")

    book = SimpleNamespace(rules=SimpleNamespace(title="a cup"))
    cup = SimpleNamespace(game="1" * 64, book=book, folder=world.ref.place / "cup", called=tuple)
    monkeypatch.setattr(events, "directed", lambda _home: [cup])
    monkeypatch.setattr(presiding, "remind", fails)
    assert "a cup: a file of it cannot be read" in comes(world, world.boris, 1).done
    assert world.papers() == ["receipt-0000.yaml", "receipt-0001.yaml"]


@pytest.mark.parametrize("year", [9999, 10_000, 100])
def test_a_file_of_any_year_ends_no_round(tmp_path, monkeypatch, year):
    """What a file system says after a broken clock: the round ended with a fault of the program."""
    seconds = (year - 1970) * 31_556_952
    monkeypatch.setattr(Path, "stat", lambda _path: SimpleNamespace(st_mtime=seconds))
    assert times.is_time(clock.of_file(tmp_path))
