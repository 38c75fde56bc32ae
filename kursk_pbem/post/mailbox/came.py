"""By which mail a turn came, and when: its Message-ID, and the times that a receipt rests on.

A row is written when the turn is first seen, and its first mail counts: a receipt that is signed later says the same.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import store


def note(home: Path, game: str, seq: int, turn: str, **said: str) -> None:
    """Put down of a turn with this id what its mail said: ``message``, ``sender``, ``arrived``, ``fetched``."""
    row = (game, seq, turn, *(said.get(name, "") for name in ("message", "sender", "arrived", "fetched")))
    with store.writing(home) as found:
        found.execute("insert or ignore into arrival values (?, ?, ?, ?, ?, ?, ?)", row)


def said(home: Path, game: str, seq: int, turn: str) -> dict[str, str]:
    """What was put down of a turn; nothing if that is nothing."""
    asked = "select message_id, sender, arrived, fetched from arrival where game = ? and seq = ? and turn = ?"
    with store.reading(home) as found:
        row = found.execute(asked, (game, seq, turn)).fetchone()
    there = zip(("message", "sender", "arrived", "fetched"), row or (), strict=False)
    return {name: str(value) for name, value in there if value}


def message_id(home: Path, game: str, seq: int, turn: str) -> str:
    """The Message-ID by which a turn came, '' if there is none that could stand in a header that others read.

    That of a letter in words, a reminder that brought what was lost, shows who has it: the opponent is not told.
    """
    text = said(home, game, seq, turn).get("message", "")
    return text if addresses.is_message_id(text) and not text.startswith("<k1.words.") else ""


def drop(home: Path, game: str, seq: int, turn: str) -> None:
    """Forget when a turn came that was refused. Raises DiskError."""
    with store.writing(home) as found:
        found.execute("delete from arrival where game = ? and seq = ? and turn = ?", (game, seq, turn))
