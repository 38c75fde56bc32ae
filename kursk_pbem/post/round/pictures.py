"""The turn of a letter as a picture, for owners of a mailbox who want pictures in their letters.

Readers first see dice on the board, so a picture shows the game before the first dice that its reader has not seen.
"""

from __future__ import annotations

from contextlib import suppress

from kursk_pbem.errors import MissingError
from kursk_pbem.film import pixels, stills
from kursk_pbem.film.stage import Stage
from kursk_pbem.formats.text import in_header
from kursk_pbem.game.histories import History
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.mailbox.letter import Letter, Picture
from kursk_pbem.post.round.game_mail import GameMail

MOST = 500_000
"""Maximum bytes of a picture."""
_ALTERNATIVE = 600


def check_libraries() -> None:
    """Raise MissingError if the packages that draw pictures are not installed."""
    for module in ("resvg_py", "PIL.Image"):
        pixels.load_library(module, "a picture in letters")


def draw_picture(seat: GameMail, letter: Letter, history: History) -> Picture | None:
    """Return a picture for a letter with a message, or None: no player reads it, or packages are missing.

    ``history``: the verified game up to the newest message of the letter.
    """
    marks = {people.mark_of(key): side for side, key in seat.keys.items() if side in history.game.ruleset.sides}
    reader = next((marks[reader.mark] for reader in letter.to if reader.mark in marks), "")
    carried = [item.seq for item in letter.items if item.kind == letters.MESSAGE]
    if not reader or not any(carried):  # message 0 comes from strangers
        return None
    film = stills.make_film(History(history.steps[: letter.seq + 1]), reader=reader)
    with suppress(MissingError):
        data = pixels.draw_film(Stage(film), pixels.PNG)
        name = f"kursk-{seat.game[:8]}-{letter.seq:04d}.png"
        return Picture(name, data, in_header(film.stills[-1].text, _ALTERNATIVE)) if len(data) <= MOST else None
    return None
