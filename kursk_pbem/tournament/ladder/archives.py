"""The archives of several tournaments: found in folders, and compared with each other."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.ratings import Event, Rated
from kursk_pbem.errors import TrustError, shell_word
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.score.rating import make_event


@frozen
class Archive:
    """A verified archive of an ended tournament. ``findings``: the verdicts on its games."""

    path: Path
    book: Book
    findings: Mapping[str, Finding]

    @cached_property
    def event(self) -> Event:
        """The rated games of the tournament."""
        return make_event(self.book, self.findings)

    @property
    def file(self) -> str:
        """The file name of the archive in a ladder."""
        return f"archive-{self.book.id[:16]}.zip"


def list_paths(given: Iterable[Path]) -> list[Path]:
    """Return the paths of archives, without equal copies. A folder that is no tournament gives its zips by name."""
    found: dict[str, Path] = {}
    for path in given:
        inside = [] if store.log_path(path, 0).is_file() else sorted(path.glob("*.zip"))
        for each in inside or [path]:
            key = str(each)
            with suppress(OSError):  # a folder; the verdict names a file that cannot be read
                key = hashlib.sha256(each.read_bytes()).hexdigest()
            found.setdefault(key, each)
    return list(found.values())


def choose_newest(archives: Iterable[Archive]) -> list[Archive]:
    """Return the newest archive of each tournament (the first of equal ones), sorted by the end of the tournament.

    Raises TrustError if the log of a newer archive does not contain the newest paper of an older archive.
    """
    found: dict[str, Archive] = {}
    for archive in archives:
        other = found.setdefault(archive.book.id, archive)
        new, old = sorted((other, archive), key=lambda one: -len(one.book.log))
        if new.book.log[old.book.head.seq].id != old.book.head.id:
            compare = f"'kursk tournament prove {shell_word(old.path)} {shell_word(new.path)}' compares the logs"
            why = f"two logs of {show(new.book.rules.title)}: {old.path} and {new.path}; {compare}"
            raise TrustError("chain", why)
        found[archive.book.id] = new
    return sorted(found.values(), key=lambda one: (one.event.end, one.event.id))


def to_json(archives: Iterable[Archive], rows: Iterable[Rated], *, glicko: bool) -> dict[str, Any]:
    """Return ratings as JSON data, with the archives that contain the rated games."""
    events = [
        {
            "tournament": archive.event.id,
            "title": archive.event.title,
            "end": archive.event.end,
            "games": len(archive.event.results),
            "seq": archive.book.head.seq,
            "head": archive.book.head.id,
        }
        for archive in archives
    ]
    players = [{name: value for name, value in vars(row).items() if value != ""} for row in rows]
    return {"method": "glicko-2" if glicko else "elo", "events": events, "players": players}
