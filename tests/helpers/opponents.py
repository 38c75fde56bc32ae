"""The practice opponent in the process of the tests. tests/practice starts the opponent as a process of its own."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.own import register
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.game import disk
from kursk_pbem.practice import opponent


def answer_here(home: Path, level: int, request: bytes) -> bytes:
    """Return the opponent's answer, as ``partner.ask_opponent`` does. Raises UsageError."""
    place = home / register.PRACTICE / f"level-{level}"
    disk.make_private(place)
    try:
        return opponent.answer_request(place, request)
    except KurskError as error:
        raise UsageError(f"the practice opponent cannot answer: {error}") from error
