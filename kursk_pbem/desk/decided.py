"""Games of tournaments whose board the log has decided: nobody signs a message there (docs/directors.md 6.4)."""

from __future__ import annotations

from kursk_pbem.desk import jsonfiles
from kursk_pbem.game.journal import Record

NAME = "decided.json"
"""The file in a game's private record with the reason."""


def mark_game(own: Record, why: str) -> None:
    """Save the reason for signing nothing in a game; '' deletes the reason, as after a correction. Raises DiskError."""
    if why != explain_decided(own):
        jsonfiles.write_object(own.path / NAME, {"why": why})


def explain_decided(own: Record) -> str:
    """Return the reason for signing nothing in a game, or ''. Raises DiskError."""
    return str(jsonfiles.read_object(own.path / NAME).get("why", ""))
