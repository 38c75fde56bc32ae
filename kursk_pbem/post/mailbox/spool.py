"""Mails that were fetched: each is a file ``post/in/ID.eml`` while it waits, and a row that says what became of it.

A mail waits as long as it cannot be dealt with, and is told each round; whoever does not want that deletes its file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import files
from kursk_pbem.post.mailbox import arrival, envelope, place, store
from kursk_pbem.post.mailbox.envelope import MAX_MAIL, Mail

WAITS, TAKEN, NOTHING = "waits", "taken", "nothing of ours"


def _path(home: Path, digest: str) -> Path:
    return place.root(home) / "in" / f"{digest}.eml"


def put(home: Path, raw: bytes, **said: str) -> None:
    """Keep a mail that was fetched: its file, then its row. The first times of a mail count. Raises DiskError.

    ``said``: its ``folder``, its ``uid`` of which ``numbers``, and its times.
    """
    digest = envelope.digest_of(raw)
    if knows(home, raw):
        return
    place.put(_path(home, digest), raw)
    with store.writing(home) as rows:
        rows.execute("insert into mail values (?, ?, ?, ?)", (digest, WAITS, json.dumps(said), clock.now()))


def knows(home: Path, head: bytes) -> bool:
    """Return whether the mail with this header was dealt with before, or waits."""
    with store.reading(home) as rows:
        found = rows.execute("select 1 from mail where digest = ?", (envelope.digest_of(head),))
        return found.fetchone() is not None


def _waiting(home: Path) -> list[tuple[str, dict[str, str]]]:
    """Return digest, place and times of each mail that waits and whose file was not deleted."""
    with store.reading(home) as rows:
        found = rows.execute("select digest, said from mail where state = ?", (WAITS,)).fetchall()
    return [(digest, json.loads(said)) for digest, said in found if _path(home, digest).exists()]


def holds_any(home: Path) -> bool:
    """Return whether a mail waits. Raises DiskError."""
    return bool(_waiting(home))


@dataclass
class Spool:
    """The waiting mails, as a box that is looked through. ``taken``: what to flag on the server."""

    home: Path
    shown: list[str] = field(default_factory=list)
    taken: list[dict[str, str]] = field(default_factory=list)

    def mails(self) -> Iterator[Mail | FileError]:
        """Yield the waiting mails in order of arrival, because the first copy of a turn counts."""
        timed = [(arrival.when(said), int(said.get("uid") or 0), digest, said) for digest, said in _waiting(self.home)]
        for _at, _uid, digest, said in sorted(timed, key=lambda mail: (not mail[0], *mail[:3])):
            path = _path(self.home, digest)
            try:
                raw = files.read(path, MAX_MAIL)
            except OSError as error:
                yield FileError(f"cannot be read: {error.strerror}; the mail in it waits", Where(str(path)))
                continue
            self.shown.append(digest)
            kept = {key: said[key] for key in ("internal", "arrived", "fetched") if said.get(key)}
            yield Mail(raw, said.get("folder", "the mailbox"), kept)

    def remember(self, held: Collection[str], again: Collection[str] = ()) -> tuple[()]:
        """Record that the mails are dealt with, but for those of ``again``; ``held``: those with something of ours."""
        waiting = dict(_waiting(self.home))
        done = [digest for digest in self.shown if digest not in again]
        with store.writing(self.home) as rows:
            for digest in done:
                row = (TAKEN if digest in held else NOTHING, clock.now(), digest)
                rows.execute("update mail set state = ?, at = ? where digest = ?", row)
        self.taken += [waiting[digest] for digest in done if digest in held and digest in waiting]
        for digest in done:
            _path(self.home, digest).unlink(missing_ok=True)
        self.shown.clear()
        return ()
