"""Games decided by the log of a tournament: the program signs no more messages there."""

from __future__ import annotations

from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.game.journal import Record

DECIDED = "decided.json"
"""The file in a game's private record that says why the tournament's log ends the game."""


def explain_decided(own: Record) -> str:
    """Return why the player cannot sign in a game that a tournament's log has ended; '' otherwise. Raises DiskError."""
    return str(jsonfiles.read_object(own.path / DECIDED).get("why", ""))
