"""The number of the player's newest message ever signed, on any machine: only a person knows the number.

A second signature for the same number looks like fraud. So a record signs nothing before the player has told the
number here. The answer is a note beside the journal, and each signature renews the note. A copy of the note is no
answer: the note holds the time of the system's last change of a second file, and copies and backups have another time.
Copies of whole disks keep the time, and some file systems (FAT) have no such times: the program misses such copies.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from kursk_pbem.desk.ground import jsonfiles, machine
from kursk_pbem.errors import DiskError
from kursk_pbem.game import disk

NOTE = "newest.json"
"""The file in a game's private record with the player's answer. Saved folders leave the file out."""


def note_newest(record: Path, seq: int) -> None:
    """Save ``seq`` as the number of the newest signed message, -1 for none yet. Raises DiskError.

    The second file is new each time, so a crash leaves the former note or the new note.
    """
    name = f"newest-{secrets.token_hex(8)}"
    try:
        disk.create(record / name, b"the newest message is known\n")
        jsonfiles.write_object(record / NOTE, {"file": name, "changed": _read_change(record / name), "seq": str(seq)})
        for old in record.glob("newest-*"):
            if old.name != name:
                old.unlink(missing_ok=True)
    except OSError as error:
        raise DiskError(f"{record / NOTE} cannot be written: {error.strerror}") from None


def is_known(record: Path) -> bool:
    """Return whether the player has told the newest message in this very record. Raises DiskError."""
    note = jsonfiles.read_object(record / NOTE)
    if not note or machine.get_machine().page:  # the files of a page are new after each visit, and cannot be copied
        return bool(note)
    return note.get("changed") == _read_change(record / str(note.get("file")))


def ask_newest(record: Path) -> None:
    """Delete the answer. The program asks the player before the next signature."""
    (record / NOTE).unlink(missing_ok=True)


def keep_answer(before: Path, after: Path) -> None:
    """Renew the answer in a record copied by the program to replace the former record."""
    if is_known(before):
        note_newest(after, int(jsonfiles.read_object(before / NOTE)["seq"]))


def _read_change(path: Path) -> str:
    """Return the time of a file's last change as the system counts it, '' without a file.

    Windows has the time of creation instead, which some backups keep, so the number of the file counts there, too.
    """
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_ctime_ns} {found.st_ino}" if os.name == "nt" else str(found.st_ctime_ns)
