"""Fetched mails: a file ``post/in/ID.eml`` for each waiting mail, and a row with its state.

A mail waits until it can be processed, and is reported every round. The owner may delete its file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import files
from kursk_pbem.post.mailbox import arrival, post_folder, store
from kursk_pbem.post.mailbox.envelope import MAX_MAIL, Mail

WAITS, TAKEN = "waits", "taken"


def _mail_path(home: Path, digest: str) -> Path:
    return post_folder.locate(home) / "in" / f"{digest}.eml"


def add_mail(home: Path, raw: bytes, **said: str) -> bool:
    """Save a new mail: first the file, then the row. Return False if the mail is known. Raises DiskError.

    ``said``: ``folder``, ``uid`` with the scope of the UID (``numbers``), and times. The first saved times count.
    """
    mail, said["size"] = Mail(raw, ""), str(len(raw))
    if mail.digest in _find_alike(home, mail):
        return False
    post_folder.write_file(_mail_path(home, mail.digest), raw)
    with store.open_writing(home) as rows:
        rows.execute("insert into mail values (?, ?, ?, ?)", (mail.digest, WAITS, json.dumps(said), clock.now()))
    return True


def is_known(home: Path, head: bytes, size: int, uid: int, numbers: str) -> bool:
    """Return whether a mail is saved or processed, by its header, size and UID. ``numbers``: the scope of the UID."""
    there = _find_alike(home, Mail(head, ""))
    sized = (said for said in there.values() if said.get("size") == str(size))
    return any(said.get("numbers") != numbers or said.get("uid") == str(uid) for said in sized)


def _find_alike(home: Path, mail: Mail) -> dict[str, dict[str, str]]:
    """Return digest, place and times of the mails with the header of this one."""
    with store.open_reading(home) as rows:
        found = rows.execute("select digest, said from mail where digest glob ?", (f"{mail.header_hash[:32]}*",))
        return {digest: json.loads(said) for digest, said in found}


def _list_waiting(home: Path) -> list[tuple[str, dict[str, str]]]:
    """Return digest, place and times of each waiting mail with an existing file."""
    with store.open_reading(home) as rows:
        found = rows.execute("select digest, said from mail where state = ?", (WAITS,)).fetchall()
    return [(digest, json.loads(said)) for digest, said in found if _mail_path(home, digest).exists()]


def holds_any(home: Path) -> bool:
    """Return whether a fetched mail waits for processing. Raises DiskError."""
    return bool(_list_waiting(home))


@dataclass
class Spool:
    """The waiting mails as a source of mails. ``shown``: digests of mails read."""

    home: Path
    shown: list[str] = field(default_factory=list)

    def mails(self) -> Iterator[Mail | FileError]:
        """Yield the waiting mails in order of arrival, because the first copy of a turn counts."""
        waiting = _list_waiting(self.home)
        timed = [(arrival.best_time(said), int(said.get("uid") or 0), digest, said) for digest, said in waiting]
        for _at, _uid, digest, said in sorted(timed, key=lambda mail: (not mail[0], *mail[:3])):
            path = _mail_path(self.home, digest)
            try:
                raw = files.read(path, MAX_MAIL)
            except OSError as error:
                yield FileError(f"cannot be read: {error.strerror}; the mail waits", Where(str(path)))
                continue
            kept = {key: said[key] for key in ("internal", "arrived", "fetched") if said.get(key)}
            self.shown.append(digest)
            yield Mail(raw, said.get("folder", "the mailbox"), kept)

    def remember(self, again: Collection[str]) -> None:
        """Record the mails as processed, except the ids in ``again``."""
        done = [row for row in self.shown if row not in again]
        with store.open_writing(self.home) as rows:
            for row in done:
                rows.execute("update mail set state = ?, at = ? where digest = ?", (TAKEN, clock.now(), row))
        for row in done:
            _mail_path(self.home, row).unlink(missing_ok=True)
        self.shown.clear()
