"""The archives of several tournaments, compared with each other and with a ladder that was published before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.ratings import Event, Rated
from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.errors import TrustError, UsageError, shell_word
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.tournament.faults import IncompleteError
from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.score.rating import make_event

TABLE = "ladder.json"
"""The file of a ladder with the counted archives and the ratings."""
_HASH = re.compile("[0-9a-f]{64}")


@frozen
class Archive:
    """A verified archive of an ended tournament. ``findings``: the verdicts on its games."""

    path: Path
    book: Book
    findings: Mapping[str, Finding]

    @cached_property
    def event(self) -> Event:
        """The rated games."""
        return make_event(self.book, self.findings)

    @property
    def file(self) -> str:
        """The name of the archive's copy in a ladder."""
        return name_copy(self.book.id)


def name_copy(tournament: str) -> str:
    """Return the name of the copy of a tournament's archive in a ladder. ``tournament``: its id."""
    return f"archive-{tournament[:16]}.zip"


def list_paths(given: Iterable[Path]) -> Iterator[Path]:
    """Yield the archives: a folder that is no tournament stands for its zips, sorted by name."""
    for path in given:
        inside = [] if store.log_path(path, 0).is_file() else sorted(path.glob("*.zip"))
        yield from inside or [path]


def choose_newest(archives: Iterable[Archive]) -> list[Archive]:
    """Return the newest archive of each tournament, sorted by the end of the tournament.

    Raises TrustError if the log of a newer archive does not contain the newest paper of an older archive.
    """
    found: dict[str, Archive] = {}
    for archive in archives:
        other = found.setdefault(archive.book.id, archive)
        old, new = sorted((other, archive), key=lambda one: len(one.book.log))
        if not _contains(new.book, old.book.head.id):
            compare = f"kursk tournament prove {shell_word(old.path)} {shell_word(new.path)}"
            raise TrustError(
                "chain",
                f"two logs of {show(new.book.rules.title)}: {old.path} and {new.path}; '{compare}' compares the logs",
            )
        found[archive.book.id] = new
    return sorted(found.values(), key=lambda one: (one.event.end, one.event.id))


def _contains(book: Book, head: str) -> bool:
    return any(paper.id == head for paper in book.log)


def check_published(out: Path, archives: Iterable[Archive]) -> list[Archive]:
    """Return the archives that a ladder in ``out`` does not count yet; none without a ladder.

    Raises IncompleteError if the ladder counts an archive that is missing here, or a log paper that the archive here
    does not contain. Raises UsageError if the ladder cannot be read.
    """
    known = {archive.book.id: archive for archive in archives}
    counted = set()
    for title, tournament, seq, head in _read_counted(out / TABLE):
        copy = out / name_copy(tournament)
        at = f"the ladder in {out} counts {show(title)} up to log paper {seq}"
        if tournament not in known:
            why = f"{at}, and you named no archive of this tournament"
            raise IncompleteError(f"{why}: add the archive {copy}, or write the ladder into a new folder")
        if not _contains(known[tournament].book, head):
            why = f"{at}, and the log in {known[tournament].path} does not contain the paper"
            raise IncompleteError(f"{why}: compare the archive with {copy}")
        counted.add(tournament)
    return [archive for id_, archive in known.items() if counted and id_ not in counted]


def _read_counted(path: Path) -> Iterator[tuple[str, str, int, str]]:
    """Yield title, id, number and id of the newest log paper of each tournament in a ladder."""
    try:
        for event in jsonfiles.read_object(path).get("events", ()):
            yield str(event["title"]), _check_hash(event["tournament"]), int(event["seq"]), _check_hash(event["head"])
    except (LookupError, TypeError, ValueError):
        raise UsageError(f"{path} is no table of a ladder: write the ladder into a new folder") from None


def _check_hash(text: str) -> str:
    if not _HASH.fullmatch(text):
        raise ValueError(text)
    return text


def to_json(archives: Iterable[Archive], rows: Iterable[Rated], *, glicko: bool) -> dict[str, Any]:
    """Return ratings as JSON data with the archives behind them."""
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
