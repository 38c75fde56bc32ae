"""Key and name of the player, and the page for links, remembered in a file of the private folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

from kursk_pbem.desk.ground import jsonfiles, machine
from kursk_pbem.desk.own import register
from kursk_pbem.desk.own.desks import SECOND
from kursk_pbem.errors import DiskError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, journal

FILE = "player.json"
MOST = 10_000
"""Maximum size of the file in bytes."""


@frozen
class Remembered:
    """The player's key file or None, the player's name or '', and the address of the page for links or ''."""

    key: Path | None = None
    name: str = ""
    page: str = ""

    @property
    def usable_key(self) -> Path | None:
        """The path of the remembered key if its file exists, otherwise None."""
        return self.key if self.key is not None and self.key.is_file() else None


def recall(home: Path) -> Remembered:
    """Return the key, name and page remembered in a private folder. Raises DiskError if the file is unreadable."""
    path = home / FILE
    try:
        data = json.loads(files.read(path, MOST))
        key, name, page = (str(data.get(field, "")) for field in ("key", "name", "page"))
    except (FileNotFoundError, NotADirectoryError):
        return Remembered()
    except (OSError, ValueError, AttributeError, RecursionError):
        if machine.get_machine().page:  # nobody can delete the file there, and the keys are in their own folder
            return Remembered()
        raise DiskError(
            f"{path}, with your key and your name, cannot be read: delete the file, and type --key and --name again"
        ) from None
    return Remembered(Path(os.path.normpath(Path(os.path.realpath(home)) / key)) if key else None, name, page)


def find_key(home: Path, key: Path | None) -> Path | None:
    """Return ``key`` (from an option or the environment) if given, otherwise the remembered key or None.

    Raises UsageError if the remembered key is missing.
    """
    last = recall(home)
    if key is None and last.key is not None and last.usable_key is None:
        raise UsageError(f"your key {last.key} is missing: put the file back, or give another key with --key FILE")
    return key or last.key


def remember(home: Path, key: Path | None = None, name: str = "", page: str = "") -> None:
    """Remember a key, a name and a page for later commands. None or '' keeps the value remembered before.

    Never remembers the key of a practice game. Raises DiskError if the file cannot be read or written.
    """
    before = recall(home)
    if key is None or register.is_inside(home, key, (*register.GAMES_INSIDE, SECOND)):
        key = before.key
    now = Remembered(Path(os.path.realpath(key)) if key else None, name or before.name, page or before.page)
    if now == before:
        return
    told = {"key": journal.make_relative(str(now.key), home)} if now.key else {}
    told |= {field: text for field, text in (("name", now.name), ("page", now.page)) if text}
    disk.make_private(home)
    jsonfiles.write_private(home / FILE, f"{json.dumps(told, sort_keys=True)}\n".encode("ascii"))
