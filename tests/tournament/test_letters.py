"""Chapter 4: contents and number of the director's letters to a reader."""

from __future__ import annotations

import email

from helpers.tourney import World

from kursk_pbem.tournament import letters
from tournament.conftest import keep

SIDES = ("german", "soviet")


def play_one_round(root):
    """Return a round robin of four: round 1 is played, round 2 is paired, the letters are unsent."""
    world = World(root)
    world.new("--round-robin", "--system", "kursk-1971/july4", "--title", "Spring Cup")
    world.enter(["Anna", "Boris", "Carla", "Dmitri"])
    world.begin()
    world.play_round({"1-1": "german", "1-2": "soviet"})
    world.inbox()
    world.post()
    world.pair()
    return world


_world, world = keep("world", play_one_round)


def said(path):
    (part, *_attached) = email.message_from_bytes(path.read_bytes()).get_payload()
    return part.get_payload(decode=True).decode("utf-8").splitlines()


def letters_to(world, number):
    owner = letters.reader_digits(world.book().entrant(number).key)
    return [path for path in world.director.letters() if path.name.startswith(owner)]


def test_a_letter_says_result_place_next_game_and_what_to_type_first(world):
    """The whole letter to the player who lost board 1-1 and must propose the next game. The lot decides the names."""
    (path,) = letters_to(world, "1")
    lines, book = said(path), world.book()
    assert max(map(len, lines)) <= 72
    name = {number: book.entrant(number).name for number in "1234"}
    won, (first, second) = book.boards["1-1"].sides["soviet"], (book.boards["1-2"].sides[side] for side in SIDES)
    rival = book.boards["2-2"].sides["soviet"]
    text = " ".join(" ".join(lines).split())
    assert text.startswith(
        f"Dear {name['1']}, Board 1-1: you lost against {name[won]} (Soviet), by resignation, margin 20. "
        "You are in place 4 of 4 with 1 point after round 1. "
        f"Board 2-2: you play German against {name[rival]} (number {rival}) in Kursk (1971): July 4, free deployment. "
        "The game must begin by 2027-01-15 12:00 UTC and end by 2027-04-01 12:00 UTC. Propose it, if you have not yet. "
        f"Other results: 1-2 {name[first]} (German) won against {name[second]} (Soviet), by resignation, margin 20. "
        "Standings after round 1: Place No. Name Points Games + = - "
    )
    signs = (
        "A win usually gives 4 points, a defeat 1. No.: the entrant's number. Equal points: the tie-breaks of the rules"
    )
    assert f" 4 1 {name['1']} 1 1 0 0 1 {signs} decide. Type: " in text
    assert text.partition(" -- ")[2] == letters.BY_HAND
    assert [line for line in lines if line.startswith("    kursk ")] == [
        "    kursk post",
        "    kursk tournament propose 2-2",
        "    kursk post",
    ]


def test_a_reader_gets_one_letter_however_much_is_logged_before_it_is_mailed(world):
    """Several letters within a minute would hide the letter with the next opponent."""
    before = {path.name for path in world.director.letters()}
    assert len(before) == 4
    world.director.kursk("tournament", "grant", "all", 2, "a flood in the post office", "--yes", "--in", world.folder)
    after = {path.name for path in world.director.letters()}
    assert len(after) == 4
    assert not before & after
    lines = said(letters_to(world, "1")[0])
    assert any("more days: a flood in the post office." in line for line in lines)
    assert "Other results:" in lines
    world.inform()
    world.director.kursk("tournament", "grant", "all", 1, "snow", "--yes", "--in", world.folder)
    assert len(world.director.letters()) == 4
    (path,) = letters_to(world, "1")
    assert "Other results:" not in said(path)


def test_letter_missing_after_a_kill_is_written_and_others_stay(world):
    """Bug: a letter to one reader removed the unsent letters to other readers."""
    before = {path.name for path in world.director.letters()}
    letters_to(world, "1")[0].unlink()
    world.pair()
    assert {path.name for path in world.director.letters()} == before
