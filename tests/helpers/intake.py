"""A message taken as commands and the board take it: read, its game found, verified and adjudicated there."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk import play
from kursk_pbem.game import inbox


def receive(raw: bytes, name: str, home: Path, near: Path | None) -> play.Received:
    """``near``: the folder that the file lies in, None where it lies in none. Raises KurskError; nothing is written."""
    return play.take_message(play.open_for(message := inbox.read(raw, name), home, near), message)
