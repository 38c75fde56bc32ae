"""The finished games of tests/games, replayed once in a process for all tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from kursk_pbem.game import folders, games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.trust.messages import Message


class Step(NamedTuple):
    """A message, the game after it, and its effect; None for message 0."""

    message: Message
    game: Game
    result: Adjudication | None


@cache
def replayed(folder: Path) -> tuple[Step, ...]:
    """Return a verified game message by message."""
    first, *others = [folders.read_message(path) for path in folders.message_files(folder)]
    steps = [Step(first, games.begin(first), None)]
    for message in others:
        steps.append(Step(message, *games.extend(steps[-1].game, message)))
    return tuple(steps)
