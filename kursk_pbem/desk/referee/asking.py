"""What a referee is asked before a paper is signed, and what their own clock and files say against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, histories
from kursk_pbem.game.games import Game

Confirm = Callable[[Mapping[str, str]], None]
"""What is shown that is to be signed, and raises where that is not wanted."""


def meanwhile(folder: Path, game: Game, confirm: Confirm | None) -> Confirm:
    """The same question; whoever asks it signs nothing if something came for the game meanwhile.

    ``game``: as it was when it was asked. None asks nobody.
    """
    if confirm is None:
        return lambda _said: None

    def ask(said: Mapping[str, str]) -> None:
        """UsageError where the folder holds something else by now."""
        confirm(said)
        need_same(_held(game), _held(histories.load(folder).game), folder)

    return ask


def need_same(before: object, now: object, folder: Path) -> None:
    """UsageError where what a question rests on has changed while somebody was asked: they have not seen that."""
    if before != now:
        raise UsageError(
            f"something has come for {folder} while you were asked: nothing is signed; look at it, and give the "
            "command again"
        )


def _held(game: Game) -> tuple[object, ...]:
    """What a folder holds of a game: the ids of its messages and papers."""
    return game.chain.ids, {paper.id for paper in game.papers.all}


def check_plausible(folder: Path, game: Game, seq: int, received: str) -> None:
    """UsageError for a time that is still to come, or before a message was signed here that the other one answers."""
    now = clock.now()
    if received > now:
        raise UsageError(f"message {seq} cannot have come {received}: that is still to come, now it is {now}")
    own = max((number for number in range(seq + 1) if game.chain.writer(number) == REFEREE), default=-1)
    path = folders.message_path(folder, own)
    signed = clock.of_file(path) if own >= 0 and path.is_file() else ""
    if signed and received < signed <= now:
        raise UsageError(
            f"message {seq} cannot have come {received}: message {own} was signed here {signed}, as the time of {path} "
            "says; say with --received when it came, a slip in the date perhaps"
        )
