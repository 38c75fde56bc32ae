"""The intake of a message as in commands and the board: read, find the game, verify, adjudicate."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.turn import play
from kursk_pbem.game import inbox


def receive(raw: bytes, name: str, home: Path, near: Path | None) -> play.Received:
    """Read and adjudicate a message without writing. ``near``: the folder of the file, or None. Raises KurskError."""
    return play.take_message(play.open_for(message := inbox.read(raw, name), home, near), message)
