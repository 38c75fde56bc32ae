"""A game's draft that is not signed, or is written anew: what a person wrote there must not get lost."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import folders
from kursk_pbem.trust.messages import Message


def edited(desk: Desk) -> Path | None:
    """Return the draft of the message that is due at this desk if a person has written something there."""
    path = folders.draft_path(desk.folder, desk.seq)
    if not path.is_file():
        return None
    fresh = (drafts.write(desk, bare=bare).encode("ascii") for bare in (False, True))
    return None if path.read_bytes() in fresh else path


def differing(desk: Desk, message: Message) -> Path | None:
    """Return the game's own draft if a person wrote something there that is not in ``message``, a draft from a file."""
    path, read = folders.draft_path(desk.folder, desk.seq), message.document
    if not read.raw or not path.is_file() or path.resolve() == Path(read.name).resolve():
        return None
    return None if to_utf8(path.read_bytes()) == read.raw else edited(desk)


def keep(desk: Desk, message: Message) -> Path | None:
    """Copy that draft to a file that signing leaves alone, and return the copy. Raises DiskError if it cannot."""
    draft = differing(desk, message)
    return folders.keep_aside(draft) if draft is not None else None
