"""The store: one SQLite file in the post folder, with the memory of a mailbox.

Mails, letters and signed files are separate files. The order of writing is: the file, its row, the network. So no row
names a missing file. A letter in doubt is sent again with the same bytes. One program at a time changes the store: see
:func:`post_folder.lock_post` (decision 80).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import mailed
from kursk_pbem.desk.own.mailed import convert_errors, open_store, writing_by_path
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk

store_path, open_reading = mailed.store_path, mailed.open_reading


@contextmanager
def open_writing(home: Path) -> Iterator[sqlite3.Connection]:
    """Open the store for writing. If blocks are nested, the outermost block commits. Raises DiskError."""
    path = store_path(home)
    outer = writing_by_path().get(path)
    if outer is not None:
        yield outer
        return
    disk.make_private(path.parent)
    with convert_errors(path):
        found = open_store(path, make=True)
        writing_by_path()[path] = found
        try:
            found.execute("begin immediate")
            yield found
            found.execute("commit")
        finally:
            del writing_by_path()[path]
            found.close()  # rolls back without a commit


def load_setting(home: Path, name: str) -> str:
    """Return a stored value, or ''. Raises DiskError."""
    with open_reading(home) as store:
        row = store.execute("select value from setting where name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def save_setting(home: Path, name: str, value: str) -> None:
    """Store a value under a name; '' removes it. Raises DiskError."""
    with open_writing(home) as store:
        if value:
            store.execute("insert or replace into setting values (?, ?)", (name, value))
        else:
            store.execute("delete from setting where name = ?", (name,))


def back_up(home: Path, copy: Path) -> None:
    """Write a copy of the store to a new file. Raises UsageError if the file exists."""
    if copy.exists():
        raise UsageError(f"{copy} exists: name a new file")
    with open_reading(home) as store, convert_errors(copy):
        store.execute("vacuum into ?", (str(copy),))
    with suppress(PermissionError):
        copy.chmod(0o600)


def rebuild(home: Path) -> Path | None:
    """Replace a damaged store by a new store. Return the new path of the damaged store, or None.

    The journal names the due letters, and the letters keep the bytes of their files. The mailbox is read again.
    """
    path, number = store_path(home), 1
    there = path.exists()
    while (aside := path.with_suffix(f".damaged-{number}")).exists():
        number += 1
    if there:
        path.rename(aside)
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    save_setting(home, "begun", clock.now())
    save_setting(home, "rebuilt", clock.now())
    return aside if there else None
