"""A small tournament as the start of several tests."""

from __future__ import annotations

from pathlib import Path

from helpers.tourney import World


def enter_four(root: Path, *more: str) -> World:
    """Return a Swiss tournament of two rounds and four entrants, with the first round paired; games may be adjourned.

    ``more``: further options of the last entry.
    """
    world = World(root)
    world.new("--swiss", 2, "--system", "battle-for-kursk/citadel", edit={"adjourn: 'no'": "adjourn: 'yes'"})
    world.enter(["anna", "boris", "carla"])
    world.enter(["dmitri"], *more)
    world.begin()
    return world


def play_first_round(root: Path) -> World:
    """Return a tournament with board 1-1 resigned, and 1-2 waiting for an answer to message 3."""
    world = enter_four(root)
    boards = world.book().boards
    world.play(boards["1-1"], 3, "german")
    world.play(boards["1-2"], 3)
    world.inbox()
    return world


def play_to_end(root: Path) -> World:
    """Return a finished tournament; the list shows only the number of Dmitri."""
    world = enter_four(root, "--only-number")
    world.play_round(moves=5)
    world.inbox()
    world.later(1)
    world.next_round()
    world.play_round()
    world.inbox()
    world.later(1)
    world.director.kursk("tournament", "end", world.folder)
    return world
