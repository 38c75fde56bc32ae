"""The terms of a mailbox are edited while it runs: they are its director's."""

import pytest
from helpers.refereed_mail import hours, played_on

from kursk_pbem.post.referee import terms

BOSS = "boss@example.test"


def edits(world, old, new):
    """The director changes a line; nothing is started anew."""
    path = terms.path_of(world.ref.home)
    said = path.read_text()
    assert old in said
    path.write_text(said.replace(old, new))


def readers(world):
    """Who got a last call."""
    return {reader for _at, _from, reader, raw in world.office.mails if b"a last call" in raw}


@pytest.fixture
def world(automatic):
    """Boris owes message 3."""
    played_on(automatic)
    return automatic


@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [
        ('forfeit = "automatic"', 'forfeit = "ask"', False),
        ("grace-hours = 24", "grace-hours = 720", False),
        ("grace-hours = 24", "grace-hours =", False),
        ("grace-hours = 24", "grace-hours = 12", True),
    ],
)
def test_2_12_a_game_ends_by_the_terms_as_they_are(world, old, new, ends):
    hours(world, 8 * 24, step=6)
    assert len(readers(world)) == 3
    edits(world, old, new)
    hours(world, 5 * 24, step=6)
    assert ("forfeit.yaml" in world.papers()) == ends


def test_2_12_a_director_who_is_named_while_the_mailbox_runs_is_told(world):
    edits(world, f'director = "{BOSS}"', 'director = ""')
    world.director.sits()
    hours(world, 24, step=6)
    edits(world, 'director = ""', f'director = "{BOSS}"')
    hours(world, 8 * 24, step=6)
    assert BOSS in readers(world)


def test_2_12_a_director_who_is_reached_elsewhere_is_told_anew(world):
    hours(world, 8 * 24, step=6)
    edits(world, f'director = "{BOSS}"', 'director = "boss@new.example"')
    hours(world, 24, step=6)
    assert {BOSS, "boss@new.example"} < readers(world)


def test_2_12_a_director_whose_address_was_away_for_a_round_is_told_anew(world):
    """The letter to the address that they had before counted."""
    hours(world, 8 * 24, step=6)
    for old, new, rounds in ((BOSS, "boss@new.example", 36), ("boss@new.example", "", 6), ("", BOSS, 6)):
        edits(world, f'director = "{old}"', f'director = "{new}"')
        hours(world, rounds, step=6)
    went = [reader for _at, _from, reader, raw in world.office.mails if b"a last call" in raw and "boss" in reader]
    assert went == [BOSS, "boss@new.example", BOSS]


def test_wrong_terms_are_told_and_everything_else_goes_on(world):
    edits(world, "grace-hours = 24", "grace-hours =")
    day = world.asks("STATUS")
    assert "referee.toml" in str(day.faults)
    assert any("STATUS [GAME]" in raw or "message 3" in raw for _reader, raw in world.words())


@pytest.mark.parametrize("away", [True, False])
def test_2_12_a_game_does_not_end_by_a_last_call_whose_answers_were_not_heard(world, away):
    """A round of post without terms hears nobody; 'kursk referee setup' says itself to move old ones away."""
    hours(world, 8 * 24, step=6)
    path = terms.path_of(world.ref.home)
    old = path.read_text()
    if away:
        path.unlink()
        world.director.director = False
        world.director.sits()
        said = f"Subject: {world.game[:8]}"
        world.office.put(f"From: a@x.test\r\n{said}\r\n\r\nWait\r\n".encode(), world.ref.address)
        (told,) = [line for line in world.director.post().done if "referee.toml is not there" in line]
        assert told.endswith(f"game {world.game[:8]} does not end by it")
        path.write_text(old)
        world.director.director = True
        world.director.sits()
    hours(world, 5 * 24, step=6)
    assert ("forfeit.yaml" in world.papers()) != away
    path.unlink()
    world.director.director = False
    world.director.sits()
    told = [line for line in world.director.post().done if "referee.toml is not there" in line]
    assert bool(told) == away  # of a game that is over nothing is told
