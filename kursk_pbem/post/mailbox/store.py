"""The store: one SQLite file in the post folder, which holds all that a mailbox remembers.

Mails, letters and signed files stay files of their own. They are written in this order: the file, its row, the network.
So no row names a file that is missing. A letter of which nobody knows whether it went out is sent again, with the same
bytes. The store is changed by one program at a time: see :func:`place.locked` (decision 80).
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
from kursk_pbem.post.mailbox import place, upgrade

VERSION = 1
"""The version of the tables, as ``PRAGMA user_version`` says it."""
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
"""The connections that this thread is writing with, by path: what is nested joins the outer one."""
_checked = set[Path]()


def path_of(home: Path) -> Path:
    """Return where the store of a private folder lies, there or not."""
    return place.root(home) / NAME


@contextmanager
def reading(home: Path) -> Iterator[sqlite3.Connection]:
    """Give the store to read from; an empty one where nothing has been written yet. DiskError."""
    path = path_of(home)
    outer = _writing().get(path)
    if outer is not None:
        yield outer
        return
    with _told(path):
        found = _connected(path) if path.parent.is_dir() else _empty()
        try:
            yield found
        finally:
            found.close()


@contextmanager
def writing(home: Path) -> Iterator[sqlite3.Connection]:
    """Give the store to write to. The changes count once the outermost block has ended well. DiskError."""
    path = path_of(home)
    outer = _writing().get(path)
    if outer is not None:
        yield outer
        return
    place.folder(path.parent)
    with _told(path):
        found = _connected(path)
        _writing()[path] = found
        try:
            found.execute("begin immediate")
            yield found
            found.execute("commit")
        finally:
            del _writing()[path]
            found.close()  # which takes back what was not committed


def setting(home: Path, name: str) -> str:
    """Return a value that was stored under a name, '' without one. DiskError."""
    with reading(home) as store:
        row = store.execute("select value from setting where name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def set_setting(home: Path, name: str, value: str) -> None:
    """Store a value under a name, in place of the one before; '' removes it. DiskError."""
    with writing(home) as store:
        if value:
            store.execute("insert or replace into setting values (?, ?)", (name, value))
        else:
            store.execute("delete from setting where name = ?", (name,))


def back_up(home: Path, copy: Path) -> None:
    """Write a copy of the store to a file that is not there yet. UsageError."""
    if copy.exists():
        raise UsageError(f"{copy} is there already: name a new file")
    with reading(home) as store, _told(copy):
        store.execute("vacuum into ?", (str(copy),))
    with suppress(PermissionError):
        copy.chmod(0o600)


def rebuild(home: Path) -> Path | None:
    """Make a new store in place of a damaged one; return the path that one has then, None without one.

    The letters that are due follow from the journal, each with the bytes of its file. The mailbox is read anew.
    """
    path, number = path_of(home), 1
    there = path.exists()
    while (aside := path.with_suffix(f".damaged-{number}")).exists():
        number += 1
    if there:
        path.rename(aside)
        path.with_name(f"{NAME}-journal").unlink(missing_ok=True)
        _checked.discard(path)
    with writing(home) as rows:
        rows.execute("delete from setting where name like 'cursor %'")  # those of version 0.2 lie there still
        set_setting(home, "begun", clock.now())
        set_setting(home, "rebuilt", clock.now())
    return aside if there else None


def _writing() -> dict[Path, sqlite3.Connection]:
    if not hasattr(_open, "by_path"):
        _open.by_path = {}
    found: dict[Path, sqlite3.Connection] = _open.by_path
    return found


def _empty() -> sqlite3.Connection:
    found = sqlite3.connect(":memory:", isolation_level=None)
    found.executescript(_TABLES)
    return found


def _connected(path: Path) -> sqlite3.Connection:
    """Open a store; make its tables if it has none, and look once in a process whether it is damaged."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    found = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        found.execute("pragma synchronous = full")
        if _version(found) == 0:
            _make_tables(found, path.parent)
        _check(found, path)
    except BaseException:
        found.close()
        raise
    return found


def _check(found: sqlite3.Connection, path: Path) -> None:
    """UsageError for the store of another version; sqlite3.DatabaseError for a damaged one, looked at once."""
    if (version := _version(found)) != VERSION:
        raise UsageError(f"{path} was written by another version of kursk (tables {version}): use that version")
    if path not in _checked:
        (said,) = found.execute("pragma quick_check").fetchone()
        if said != "ok":
            raise sqlite3.DatabaseError(said)
        _checked.add(path)


def _version(found: sqlite3.Connection) -> int:
    (version,) = found.execute("pragma user_version").fetchone()
    return int(version)


def _make_tables(found: sqlite3.Connection, root: Path) -> None:
    """Make the tables, and fill them with what an older version has written in files of the post folder."""
    found.execute("begin immediate")
    if _version(found) == 0:  # no other program was first
        for statement in _TABLES.split(";\n"):
            found.execute(statement)
        upgrade.fill(found, root)
        found.execute(f"pragma user_version = {VERSION}")
    found.execute("commit")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell what SQLite complains of as an error of a file, with what to type. DiskError."""
    try:
        yield
    except sqlite3.IntegrityError:  # a bug
        raise
    except sqlite3.OperationalError as error:
        raise DiskError(f"{path} cannot be used now: {error}") from None
    except sqlite3.DatabaseError as error:
        raise SpoiltError(f"{path} is damaged ({error}): 'kursk post rebuild' makes a new one") from None
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
