"""Protection of a player's draft that is not signed or that is replaced."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import folders
from kursk_pbem.trust.messages import Message


def find_edited(desk: Desk) -> Path | None:
    """Return the path of the next draft if a person has edited it, otherwise None."""
    path = folders.draft_path(desk.folder, desk.seq)
    if not path.is_file():
        return None
    fresh = (drafts.render_draft(desk, bare=bare).encode("ascii") for bare in (False, True))
    return None if path.read_bytes() in fresh else path


def find_differing(desk: Desk, message: Message) -> Path | None:
    """Return the path of the player's edited draft if the draft ``message`` from elsewhere differs; otherwise None."""
    path, read = folders.draft_path(desk.folder, desk.seq), message.document
    if not read.raw or not path.is_file() or path.resolve() == Path(read.name).resolve():
        return None
    return None if to_utf8(path.read_bytes()) == read.raw else find_edited(desk)


def keep_copy(desk: Desk, message: Message) -> Path | None:
    """Copy the player's edited draft to a new name, before the draft ``message`` replaces it. Raises DiskError."""
    draft = find_differing(desk, message)
    return folders.keep_aside(draft) if draft is not None else None
