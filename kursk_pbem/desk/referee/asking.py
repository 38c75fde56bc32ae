"""A referee is asked before a paper is signed, and signs nothing if the game has changed in the meantime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.game import histories
from kursk_pbem.game.games import Game

Confirm = Callable[[Mapping[str, str]], None]
"""Show what will be signed, and raise if the referee does not want it."""


def meanwhile(folder: Path, game: Game, confirm: Confirm | None) -> Confirm:
    """Return the question; after it, nothing is signed if something has come for the game. None asks nobody."""
    if confirm is None:
        return lambda _said: None

    def ask(said: Mapping[str, str]) -> None:
        """Raise UsageError if the folder holds something else after the question."""
        confirm(said)
        need_same(_held(game), _held(histories.load(folder).game), folder)

    return ask


def need_same(before: object, now: object, folder: Path) -> None:
    """Raise UsageError if facts behind a question have changed while somebody was asked."""
    if before != now:
        raise UsageError(
            f"something has come for {folder} while you were asked: nothing is signed; look at it, and give the "
            "command again"
        )


def _held(game: Game) -> tuple[object, ...]:
    """Return the ids of all messages and papers of a game."""
    return game.chain.ids, {paper.id for paper in game.papers.all}
