"""The store: one SQLite file in the post folder, with the memory of a mailbox.

Mails, letters and signed files are separate files. The order of writing is: the file, its row, the network. So no row
names a missing file. A letter in doubt is sent again with the same bytes. One program at a time changes the store: see
:func:`post_folder.lock_post` (decision 80).
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError, SpoiltError, UsageError
from kursk_pbem.post.mailbox import post_folder

VERSION = 1
"""Version of the tables in ``PRAGMA user_version``."""
NAME = "post.sqlite"
_TABLES = """
create table setting (name text primary key, value text not null) without rowid;
create table box (path text primary key, known text not null) without rowid;
create table mail (digest text primary key, state text not null, said text not null, at text not null) without rowid;
create index waiting on mail (state) where state = 'waits';
create table arrival (game text not null, seq integer not null, turn text not null, message_id text not null,
  sender text not null, arrived text not null, fetched text not null, primary key (game, seq, turn)) without rowid;
create table letter (game text not null, name text not null, digest text not null, edition integer not null,
  seq integer not null, over integer not null default 0, data text not null, primary key (game, name)) without rowid;
create table delivery (game text not null, name text not null, mark text not null, state text not null,
  at text not null, words text not null, tries integer not null, doubts integer not null, first text not null,
  primary key (game, name, mark)) without rowid;
create table person (key text primary key, name text not null, serial integer not null) without rowid;
create table address (key text not null, place integer not null, text text not null, state text not null,
  back integer not null, source text not null, since text not null, primary key (key, place)) without rowid;
create table card (mark text not null, serial integer not null, primary key (mark, serial)) without rowid;
create table absence (game text not null, mark text not null, first text not null, last text not null,
  primary key (game, mark, first, last)) without rowid;
create table heard (address text primary key, at text not null) without rowid;
"""

_open = threading.local()
"""This thread's writing connections by path: nested blocks join the outer block."""
_checked = set[Path]()


def store_path(home: Path) -> Path:
    """Return the path of a private folder's store, existing or not."""
    return post_folder.locate(home) / NAME


@contextmanager
def open_reading(home: Path) -> Iterator[sqlite3.Connection]:
    """Open the store for reading, or an empty store before the first write. Raises DiskError."""
    path = store_path(home)
    outer = _open_by_path().get(path)
    if outer is not None:
        yield outer
        return
    with _convert_errors(path):
        found = _open_store(path) if path.parent.is_dir() else _open_empty()
        try:
            yield found
        finally:
            found.close()


@contextmanager
def open_writing(home: Path) -> Iterator[sqlite3.Connection]:
    """Open the store for writing. The outermost block commits. Raises DiskError."""
    path = store_path(home)
    outer = _open_by_path().get(path)
    if outer is not None:
        yield outer
        return
    post_folder.make_folder(path.parent)
    with _convert_errors(path):
        found = _open_store(path)
        _open_by_path()[path] = found
        try:
            found.execute("begin immediate")
            yield found
            found.execute("commit")
        finally:
            del _open_by_path()[path]
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
    with open_reading(home) as store, _convert_errors(copy):
        store.execute("vacuum into ?", (str(copy),))
    with suppress(PermissionError):
        copy.chmod(0o600)


def rebuild(home: Path) -> Path | None:
    """Replace a damaged store by a new one; return the new path of the damaged store, or None.

    The journal determines the due letters, each with the bytes of its file. The mailbox is read again.
    """
    path, number = store_path(home), 1
    there = path.exists()
    while (aside := path.with_suffix(f".damaged-{number}")).exists():
        number += 1
    if there:
        path.rename(aside)
        path.with_name(f"{NAME}-journal").unlink(missing_ok=True)
        _checked.discard(path)
    with open_writing(home) as rows:
        rows.execute("delete from setting where name like 'cursor %'")  # old cursors of version 0.2 would skip mails
        save_setting(home, "begun", clock.now())
        save_setting(home, "rebuilt", clock.now())
    return aside if there else None


def _open_by_path() -> dict[Path, sqlite3.Connection]:
    if not hasattr(_open, "by_path"):
        _open.by_path = {}
    found: dict[Path, sqlite3.Connection] = _open.by_path
    return found


def _open_empty() -> sqlite3.Connection:
    found = sqlite3.connect(":memory:", isolation_level=None)
    found.executescript(_TABLES)
    return found


def _open_store(path: Path) -> sqlite3.Connection:
    """Open a store; make missing tables; check for damage once in a process."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    found = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        found.execute("pragma synchronous = full")
        if _read_version(found) == 0:
            _make_tables(found)
        _check_store(found, path)
    except BaseException:
        found.close()
        raise
    return found


def _check_store(found: sqlite3.Connection, path: Path) -> None:
    """Raise UsageError for the store of another version; sqlite3.DatabaseError for a damaged store."""
    if (version := _read_version(found)) != VERSION:
        raise UsageError(f"{path} was written by a different version of kursk (tables {version}): use this version")
    if path not in _checked:
        (said,) = found.execute("pragma quick_check").fetchone()
        if said != "ok":
            raise sqlite3.DatabaseError(said)
        _checked.add(path)


def _read_version(found: sqlite3.Connection) -> int:
    (version,) = found.execute("pragma user_version").fetchone()
    return int(version)


def _make_tables(found: sqlite3.Connection) -> None:
    """Make the tables."""
    found.execute("begin immediate")
    if _read_version(found) == 0:  # no other program was first
        for statement in _TABLES.split(";\n"):
            found.execute(statement)
        found.execute(f"pragma user_version = {VERSION}")
    found.execute("commit")


@contextmanager
def _convert_errors(path: Path) -> Iterator[None]:
    """Convert SQLite errors to errors of a file, with a command to type. Raises DiskError."""
    try:
        yield
    except sqlite3.IntegrityError:  # a bug
        raise
    except sqlite3.OperationalError as error:
        raise DiskError(f"{path} cannot be used now: {error}") from None
    except sqlite3.DatabaseError as error:
        raise SpoiltError(f"{path} is damaged ({error}): 'kursk post rebuild' makes a new file") from None
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
