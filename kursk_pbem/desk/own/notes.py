"""The player's private notes on a game, in the private record. No mail, draft or export contains the notes."""

from __future__ import annotations

from kursk_pbem.desk.ground import jsonfiles, locks
from kursk_pbem.errors import ChangedError, DiskError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game.journal import Record

NAME = "notes.txt"
"""Name of the file with the notes in the private record of a game."""
MOST = 1 << 16
"""Maximum size of the notes in bytes."""


def read_notes(own: Record) -> str:
    """Return the notes on a game, '' without notes. Raises DiskError if the file is unreadable or too long."""
    path = own.path / NAME
    try:
        data = files.read(path, MOST) if path.exists() else b""
    except OSError as error:
        raise DiskError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MOST:
        raise DiskError(f"{path} has more than {MOST} bytes: shorten the file in an editor")
    return data.decode("utf-8", "replace")


def make_stamp(text: str) -> str:
    """Return the hash (stamp) of a game's notes, to notice changes."""
    return sha256_hex(text.encode("utf-8"))


def save_notes(own: Record, text: str, seen: str) -> str:
    """Save the notes on a game and return their hash. ``seen``: the hash of the notes that the writer has read.

    Raises ChangedError, and UsageError if the notes are too long.
    """
    data = text.replace("\r\n", "\n").encode("utf-8", "replace")
    if len(data) > MOST:
        raise UsageError(f"Not saved: the notes have {len(data)} bytes, but at most {MOST} fit. Shorten the notes.")
    with locks.hold_lock(own.path):
        now = read_notes(own)
        if seen != make_stamp(now):
            why = "The notes were changed in another window. Both texts are above; edit them, and the board saves them."
            raise ChangedError(why, now, make_stamp(now))
        jsonfiles.write_private(own.path / NAME, data)
    return make_stamp(data.decode("utf-8"))
