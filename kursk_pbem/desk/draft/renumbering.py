"""A draft in whose place its writer made an offer: after the decline it is the draft of their next message.

The dice and reveals that were due fell in the offer, so the choices of the draft are due as they were (protocol 2.9).
"""

from __future__ import annotations

import re
from pathlib import Path

from kursk_pbem.desk import locks
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import FileError
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import folders


def over(desk: Desk) -> Path | None:
    """Give the draft that waited behind a declined offer its new number, edited as it is; None if there is none."""
    chain = desk.game.chain
    if not desk.mine or chain.declined != desk.own_side:
        return None
    offered = max(seq for seq in range(desk.seq) if chain.writer(seq) == desk.own_side)
    old, new = folders.draft_path(desk.folder, offered), folders.draft_path(desk.folder, desk.seq)
    if desk.own is None or not old.is_file() or new.exists():
        return None
    with locks.held(desk.own.path):
        return _renumbered(desk, offered, old, new)


def _renumbered(desk: Desk, offered: int, old: Path, new: Path) -> Path | None:
    """The draft ``old`` of the message ``offered`` as ``new``, which is due; None if it cannot be read."""
    text = to_utf8(folders.read_bytes(old)).decode("utf-8", "replace")
    text = re.sub(r"(?m)^seq:.*$", f"seq: '{desk.seq}'", text, count=1)
    text = re.sub(r"(?m)^prev:.*$", f"prev: {desk.game.chain.head_id}", text, count=1)
    text = text.replace(f" message {offered}, from ", f" message {desk.seq}, from ", 1)
    try:
        drafts.read(desk, text.encode("utf-8"), str(old))
    except FileError:  # it was never readable: it stays where it is, beside the new one
        return None
    folders.write(new, text)
    old.unlink(missing_ok=True)
    return new
