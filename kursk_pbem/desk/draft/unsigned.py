"""The game's own draft when its writer signs or checks another file: what they wrote there must not get lost."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import DiskError
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import disk, folders
from kursk_pbem.trust.messages import Message

UNSIGNED = ".unsigned"
"""Added to the name of a draft that was not signed."""


def differing(desk: Desk, message: Message) -> Path | None:
    """Return the game's own draft if a person wrote something there that is not in ``message``, a draft from a file."""
    path = folders.draft_path(desk.folder, desk.seq)
    read = message.document
    if not read.raw or not path.is_file() or path.resolve() == Path(read.name).resolve():
        return None
    written = path.read_bytes()
    fresh = (drafts.write(desk, bare=bare).encode("ascii") for bare in (False, True))
    return None if to_utf8(written) == read.raw or written in fresh else path


def keep(desk: Desk, message: Message) -> Path | None:
    """Copy that draft to a file that signing leaves alone, and return the copy. Raises DiskError if it cannot."""
    draft = differing(desk, message)
    if draft is None:
        return None
    written = draft.read_bytes()
    for number in count(1):
        copy = draft.with_name(f"{draft.name}{UNSIGNED}{f'-{number}' if number > 1 else ''}")
        try:
            if disk.create(copy, written) or copy.read_bytes() == written:
                return copy
        except OSError as error:
            raise DiskError(f"{copy} cannot be written: {error.strerror}") from None
    raise AssertionError("numbers do not end")
