"""The pictures of the public games: the newest turn for chats, and a finished game as an animation.

A name contains the newest message, so a picture stays until the game continues. A picture's bytes differ between
machines, so a check of a site compares only the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from kursk_pbem.film import pixels, stills
from kursk_pbem.film.stage import Stage
from kursk_pbem.game import disk
from kursk_pbem.game.histories import History
from kursk_pbem.tournament.records import Board
from kursk_pbem.tournament.site import layout
from kursk_pbem.tournament.site.view import View


def name_turn(board: Board, history: History) -> str:
    """Return the file name of the picture of a board's newest turn."""
    return layout.TURN.format(board.name, history.game.chain.head_id[:8])


def name_film(board: Board, history: History) -> str:
    """Return the file name of the animation of a board's finished game, or '' before the end."""
    return layout.FILM.format(board.name, history.game.chain.head_id[:8]) if history.game.over else ""


def list_pictures(shown: View) -> dict[str, History]:
    """Return the games by the file names of their pictures; {} for a site without pictures."""
    found: dict[str, History] = {}
    for board in shown.book.boards.values() if shown.pictures else ():
        if (history := shown.game(board)) is not None:
            names = filter(None, (name_turn(board, history), name_film(board, history)))
            found |= dict.fromkeys(names, history)
    return found


def draw_missing(
    out: Path, pictures: Mapping[str, History], track: Callable[[Iterator[str], int], Iterable[str]]
) -> list[str]:
    """Draw the missing pictures of a site; return the names of the pictures. Raises DiskError, MissingError.

    ``track``: a function of (names, number of names). The function yields the names and shows the progress.
    """
    missing = [name for name in pictures if not (out / name).is_file()]
    for name in track(iter(missing), len(missing)):
        moving = name.endswith(".gif")
        stage = Stage(stills.make_film(pictures[name], 0 if moving else None))
        disk.replace(out / name, pixels.draw_film(stage, pixels.GIF if moving else pixels.PNG))
    return missing
