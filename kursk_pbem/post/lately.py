"""Where this player found mails last: a command that needs one looks there again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders
from kursk_pbem.post import place
from kursk_pbem.post.mailbox import boxes

_NAME = "lately.json"


def remember(home: Path, file: Path) -> None:
    """Put down where a mail was taken from: its folder, or the mailbox that it is. What cannot be put down is not."""
    source = file if file.is_dir() or (file.is_file() and boxes.is_mbox(file)) else file.parent
    with suppress(UsageError, OSError):
        of_game = folders.proposal_path(source).is_file() and source.resolve().name.startswith("game-")
        if not of_game and last(home) != source.resolve():
            place.put(place.root(home) / _NAME, {"place": _written(source.resolve(), home.resolve())})


def last(home: Path) -> Path | None:
    """The folder or mailbox in which mails were found last; None if none is known."""
    with suppress(UsageError):
        said = place.load(place.root(home) / _NAME).get("place")
        return (home / said).resolve() if isinstance(said, str) else None
    return None


def _written(source: Path, home: Path) -> str:
    """The place from the private folder on if it lies beside that, so that both can be moved together."""
    return os.path.relpath(source, home) if home.parent in source.parents else str(source)
