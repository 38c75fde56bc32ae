"""No waiting for the disk in tests: only a power cut loses data in the system's cache, a killed process loses none.

A round of mail opens its store about 30 times, which is a fifth of the time of its test. So a connection that is closed
stays ready for the next ``connect`` with the same words, as long as nobody has written the file otherwise.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from types import SimpleNamespace
from typing import Any

MOST = 24
"""Maximum number of ready connections."""
_connect, _ready = sqlite3.connect, dict[tuple[Any, ...], "_Connection"]()


class _Connection(sqlite3.Connection):
    """A database that leaves the time of writing to the system."""

    words: tuple[Any, ...] = ()
    seen: tuple[int, ...] = ()

    def execute(self, sql: str, *values: Any) -> Any:
        """Execute a statement; the answer of a pragma is asked once for a version of the file."""
        told = vars(self).setdefault("told", {})
        if not sql.startswith("pragma ") or "user_version = " in sql:
            if not sql.startswith("select"):
                told.clear()
            return super().execute(sql, *values)
        if sql not in told:
            told[sql] = super().execute(sql.replace("synchronous = full", "synchronous = off")).fetchone()
        return SimpleNamespace(fetchone=lambda: told[sql])

    def close(self) -> None:
        """Close a connection, or put it by."""
        if not self.words or self.in_transaction or self.words in _ready:
            super().close()
            return
        self.seen = _look(self.words[1])
        _ready[self.words] = self
        if len(_ready) > MOST:
            _end(next(iter(_ready)))


def _look(path: str) -> tuple[int, ...]:
    """Return what tells a version of a file."""
    if path == ":memory:":  # nobody writes there, after its tables
        return ()
    try:
        found = os.stat(path)  # noqa: PTH116  a tenth of the time
    except OSError:
        return (0,)
    return found.st_ino, found.st_dev, found.st_size, found.st_mtime_ns


def _end(words: tuple[Any, ...]) -> None:
    found = _ready.pop(words)
    found.words = ()
    found.close()


def _open(path: Any, **more: Any) -> sqlite3.Connection:
    """Return a ready connection of this process and of its main thread, or a new one."""
    if os.name == "nt" or threading.current_thread() is not threading.main_thread():  # Windows removes no open file
        return _connect(path, factory=_Connection, **more)
    words = os.getpid(), str(path), *sorted(more.items(), key=str)
    if words in _ready:
        if _ready[words].seen == _look(str(path)):
            return _ready.pop(words)
        _end(words)
    found = _connect(path, factory=_Connection, **more)
    found.words = words
    return found


def watch(patch: Any) -> None:
    """Skip waiting for the disk from now on; tests still see every call of ``fsync``."""
    patch.setattr(os, "fsync", lambda _handle: None)
    patch.setattr(sqlite3, "connect", _open)


def end() -> None:
    """Close the ready connections."""
    for words in [*_ready]:
        _end(words)
