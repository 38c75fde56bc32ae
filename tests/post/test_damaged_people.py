"""Damaged files of people at a referee's desk: what they ask waits, and what they say of their address."""

import shutil

import pytest
from helpers.mailbags import letter
from helpers.refereed_mail import comes, damages, played_on

from kursk_pbem.post import people, place
from kursk_pbem.post.referee import ear
from kursk_pbem.trust import keys, slip, sshsig


@pytest.mark.parametrize("moved", [False, True])
def test_what_somebody_asks_whose_file_is_damaged_waits_until_it_is_healed(world, moved):
    """Nobody was told, and the mail was dealt with; a program's stays as little as before."""
    played_on(world)
    path = place.root(world.ref.home) / "people" / f"{people.mark(world.anna.public)}.json"
    whole = path.read_bytes()
    damages(path)
    world.director.sits()
    for day in (world.asks("STATUS"), world.asks("HELP", Auto_Submitted="auto-replied"), world.director.post()):
        (line,) = day.done
        assert str(path) in line
        assert "questions from addresses not known wait" in line
        assert f"'kursk people add {sshsig.fingerprint(world.anna.public)} ADDRESS' says the address anew" in line
    assert world.words() == []
    if moved:
        path.unlink()
        for _round in range(2):
            (line,) = world.director.post().done
            assert people.Person(world.anna.public).fingerprint in line
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ear, "_MOST_KEPT", 0)
            most = "more than 0, or 10 from one address, such questions: the others are not kept"
            assert world.director.post().done == [most]
        world.asks("STATUS")
        world.asks("HELP", X="another")
        world.ref.kursk("people", "add", "--key", world.anna.place / "me.pub", "Anna", world.anna.address, "-q")
        done = ["answered Anna: status", "answered Anna: help"]
        assert world.director.post().done == done
        assert {reader for reader, _raw in world.words()} == {world.anna.address}
        return
    damages(path, whole)
    assert world.director.post().done == ["answered anna@example.test: status"]
    assert [reader for reader, _raw in world.words()] == [world.anna.address]
    assert world.director.post().done == []


def test_T49_one_stranger_takes_no_places_of_others_while_a_file_is_damaged(world):
    """A hundred places wait for whoever is not known; a stranger's hundred questions took all of them."""
    path = place.root(world.ref.home) / "people" / f"{people.mark(world.anna.public)}.json"
    whole = path.read_bytes()
    damages(path)
    for number in range(100):
        mail = f"From: {'xX'[number % 2]}@evil.test\r\nMessage-ID: <e{number}@evil.test>\r\n\r\nSTATUS\r\n"
        world.office.put(mail.encode(), world.ref.address)
    world.time.passes(60)
    day = world.asks("STATUS")
    assert any("10 from one address" in line for line in day.done)
    assert len(place.names(place.root(world.ref.home) / "in" / "spool")) == 2 * (10 + 1)
    damages(path, whole)
    world.director.post()
    assert [reader for reader, _raw in world.words()] == [world.anna.address]


def test_that_a_file_was_lost_is_forgotten_once_its_games_are_gone(world):
    """Questions of strangers waited for a player of whom nothing was left; not while a game cannot be read."""
    noted = place.root(world.ref.home) / "referee" / "lost" / people.mark(world.anna.public)
    damages(noted, b"")
    (world.ref.place / "0000.yaml").unlink()
    path = world.folder / "0000.yaml"
    raw = path.read_bytes()
    for content, there in ((raw, True), (b"x", True), (None, False)):
        path.write_bytes(content) if content is not None else shutil.rmtree(world.folder)
        world.director.sits()
        world.director.post()
        assert noted.exists() is there
    assert not world.director.errand.chair.ear.unsure


def test_a_file_where_it_is_noted_whose_file_was_damaged_stops_no_round(world):
    damages(place.root(world.ref.home) / "referee" / "lost")
    comes(world, world.boris, 1)
    assert world.ref.desk(world.game).seq == 2
    assert world.director.errand.chair.ear.unsure
    assert world.asks("STATUS").done[-1].startswith("answered anna")


def test_a_card_for_a_damaged_file_is_not_taken_and_its_mail_stays(world):
    path = damages(place.root(world.ref.home) / "people" / f"{people.mark(world.anna.public)}.json")
    signed = slip.card(world.ref.public, "new@example.test", 1, keys.load(world.anna.key))
    world.office.put(letter(slip.emit(signed).encode("ascii"), world.anna.address), world.ref.address)
    (line,) = world.director.post().cards
    assert path.name in line
    assert path.read_bytes() == b"x"
    path.unlink()
    (line,) = world.director.post().cards
    assert "they are reached at new@example.test" in line
