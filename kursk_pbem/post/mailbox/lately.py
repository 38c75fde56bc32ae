"""Where this player found mails last: a command that needs one looks there again."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import boxes, store

_NAME = "lately"


def remember(home: Path, file: Path) -> None:
    """Put down where a mail was taken from: its folder, or the mailbox that it is. DiskError."""
    source = file if file.is_dir() or (file.is_file() and boxes.is_mbox(file)) else file.parent
    of_game = folders.proposal_path(source).is_file() and source.resolve().name.startswith("game-")
    if not of_game and last(home) != source.resolve():
        store.set_setting(home, _NAME, str(source.resolve()))


def last(home: Path) -> Path | None:
    """The folder or mailbox in which mails were found last; None if none is known. DiskError."""
    said = store.setting(home, _NAME)
    return (home / said).resolve() if said else None
