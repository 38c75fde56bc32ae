"""A small tournament that several tests begin from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.tourney import World


class Quiet:
    """Where a world listens to commands: nothing of what they print is kept."""

    def readouterr(self) -> tuple[str, str]:
        return "", ""


def entered(root: Path, *more: str, listener: Any = None) -> World:
    """Four have entered a Swiss over two rounds whose games may be adjourned; the first is paired.

    ``more``: for their entries.
    """
    world = World(root, listener or Quiet())
    world.new("--swiss", 2, "--system", "battle-for-kursk/citadel", edit={"adjourn: 'no'": "adjourn: 'yes'"})
    world.enter(["anna", "boris", "carla"])
    world.enter(["dmitri"], *more)
    world.begin()
    return world


def four(root: Path) -> World:
    """Board 1-1 has ended by a resignation, 1-2 waits for an answer to message 3."""
    world = entered(root)
    boards = world.book().boards
    world.play(boards["1-1"], 3, "german")
    world.play(boards["1-2"], 3)
    world.inbox()
    return world


def ended(root: Path) -> World:
    """The whole tournament, to its end. Dmitri wants to be shown by number alone."""
    world = entered(root, "--only-number")
    world.play_round(moves=5)
    world.inbox()
    world.later(1)
    world.pair()
    world.exchange()
    world.pair()
    world.post()
    world.take()
    world.play_round()
    world.inbox()
    world.later(1)
    world.director.kursk("tournament", "end", world.folder)
    return world
