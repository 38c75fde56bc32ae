"""A draft kept during an offer: after the refusal it becomes the draft of the writer's next message.

The dice and reveals were part of the offer, so the draft's choices are still due (protocol 2.9).
"""

from __future__ import annotations

import re
from pathlib import Path

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import FileError
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import folders


def renumber_draft(desk: Desk) -> Path | None:
    """Give a draft the next message number after a declined offer. Return the new path, or None without a draft."""
    chain = desk.game.chain
    if not desk.mine or chain.declined != desk.own_side:
        return None
    offered = max(seq for seq in range(desk.seq) if chain.writer(seq) == desk.own_side)
    old, new = folders.draft_path(desk.folder, offered), folders.draft_path(desk.folder, desk.seq)
    if desk.own is None or not old.is_file() or new.exists():
        return None
    with locks.hold_lock(desk.own.path):
        return _write_renumbered(desk, offered, old, new)


def _write_renumbered(desk: Desk, offered: int, old: Path, new: Path) -> Path | None:
    text = to_utf8(folders.read_bytes(old)).decode("utf-8", "replace")
    text = re.sub(r"(?m)^seq:.*$", f"seq: '{desk.seq}'", text, count=1)
    text = re.sub(r"(?m)^prev:.*$", f"prev: {desk.game.chain.head_id}", text, count=1)
    text = text.replace(f" message {offered}, from ", f" message {desk.seq}, from ", 1)
    try:
        drafts.read_draft(desk, text.encode("utf-8"), str(old))
    except FileError:  # an unreadable draft stays under its old name
        return None
    folders.write(new, text)
    old.unlink(missing_ok=True)
    return new
