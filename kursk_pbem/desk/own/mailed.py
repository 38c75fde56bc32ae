"""The mail store of a private folder: its tables, its opening with one rule for errors, and the questions of a desk.

Commands and rounds of the post write to the store by ``post/mailbox/store.py``.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kursk_pbem.desk.ground import locks
from kursk_pbem.errors import DiskError, SpoiltError, UsageError

if TYPE_CHECKING:
    import sqlite3

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

_writing = threading.local()
_checked = set[Path]()


def store_path(home: Path) -> Path:
    """Return the path of the mail store in a private folder, even if the store does not exist yet."""
    return home / "post" / NAME


@contextmanager
def open_reading(home: Path) -> Iterator[sqlite3.Connection]:
    """Open the mail store for reading. If nothing was saved yet, open an empty store. Raises DiskError."""
    path = store_path(home)
    outer = writing_by_path().get(path)
    if outer is not None:
        yield outer
        return
    with convert_errors(path), closing(open_store(path)) as found:
        yield found


def list_messages(home: Path, game: str, least: int) -> list[tuple[int, str, bool]]:
    """Return the mailed messages from number ``least`` on: number, id, and whether sent. Raises DiskError."""
    if not store_path(home).exists():
        return []
    with open_reading(home) as rows:
        letters = rows.execute("select data, over from letter where game = ? and seq >= ?", (game, least)).fetchall()
    items = ((item, bool(over)) for data, over in letters for item in json.loads(data)["items"])
    return [
        (item["seq"], item["id"], over) for item, over in items if item["kind"] == "message" and item["seq"] >= least
    ]


def has_account(home: Path) -> bool:
    """Return whether the private folder has a mail account."""
    return (home / "post" / "account.toml").exists()


def was_sent(home: Path, game: str, seq: int, id_: str) -> bool:
    """Return whether a message was sent from this machine, or marked as sent."""
    return (seq, id_, True) in list_messages(home, game, seq)


def writing_by_path() -> dict[Path, sqlite3.Connection]:
    """Return this thread's connections open for writing: path -> connection. Nested blocks share a connection."""
    if not hasattr(_writing, "by_path"):
        _writing.by_path = {}
    found: dict[Path, sqlite3.Connection] = _writing.by_path
    return found


def open_store(path: Path, *, make: bool = False) -> sqlite3.Connection:
    """Open a mail store. ``make``: create the file if missing; otherwise use an empty store in memory."""
    import sqlite3  # noqa: PLC0415  costs 2 ms, and most desks have no mail account

    if make and not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if not path.exists():
        path = Path(":memory:")
    elif path not in _checked:
        locks.need_locks(path.parent)
    found = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        found.execute("pragma synchronous = full")
        _check_store(found, path, _read_version(found) or _make_tables(found))
    except BaseException:
        found.close()
        raise
    return found


def _check_store(found: sqlite3.Connection, path: Path, version: int) -> None:
    """Raise UsageError for the store of another version; sqlite3.DatabaseError for a damaged store."""
    import sqlite3  # noqa: PLC0415

    if version != VERSION:
        raise UsageError(f"{path} is from another version of kursk, with tables {version}: use that other version")
    if path not in _checked:
        (said,) = found.execute("pragma quick_check").fetchone()
        if said != "ok":
            raise sqlite3.DatabaseError(said)
        _checked.add(path)


def _read_version(found: sqlite3.Connection) -> int:
    (version,) = found.execute("pragma user_version").fetchone()
    return int(version)


def _make_tables(found: sqlite3.Connection) -> int:
    """Make the tables; return their version."""
    found.execute("begin immediate")
    if _read_version(found) == 0:  # no other program was first
        for statement in _TABLES.split(";\n"):
            found.execute(statement)
        found.execute(f"pragma user_version = {VERSION}")
    found.execute("commit")
    return _read_version(found)


@contextmanager
def convert_errors(path: Path) -> Iterator[None]:
    """Raise DiskError, with a command to type, in place of SQLite errors in a 'with' block."""
    import sqlite3  # noqa: PLC0415

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
