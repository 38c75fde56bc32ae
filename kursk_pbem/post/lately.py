"""Where this player found mails last: a command that needs one looks there again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders
from kursk_pbem.post import mailbox, place

_NAME = "lately.json"


def remember(home: Path, file: Path) -> None:
    """Put down where a mail was taken from: its folder, or the mailbox that it is. What cannot be put down is not."""
    found = file if file.is_dir() or (file.is_file() and mailbox.is_mbox(file)) else file.parent
    with suppress(UsageError, OSError):
        of_game = folders.proposal_path(found).is_file() and found.resolve().name.startswith("game-")
        if not of_game and last(home) != found.resolve():
            place.put(place.root(home) / _NAME, {"place": _written(found.resolve(), home.resolve())})


def last(home: Path) -> Path | None:
    """The folder or mailbox in which mails were found last; None if none is known."""
    with suppress(UsageError):
        said = place.load(place.root(home) / _NAME).get("place")
        return (home / said).resolve() if isinstance(said, str) else None
    return None


def _written(found: Path, home: Path) -> str:
    """The place from the private folder on if it lies beside that, so that both can be moved together."""
    return os.path.relpath(found, home) if home.parent in found.parents else str(found)
