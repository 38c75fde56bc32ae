"""The post folder, ``post/`` in the private folder: readable by its owner alone, used by one program at a time.

Every file is written whole (``game/disk.py``): once, or as a replacement.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk.ground import clock, locks
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.game import disk


def locate(home: Path) -> Path:
    """Return the post folder of a private folder, existing or not."""
    return home / "post"


def write_file(path: Path, data: bytes) -> None:
    """Write a whole file, or replace an existing file. Raises DiskError."""
    disk.replace(disk.make_private(path.parent) / path.name, data, 0o600)


def list_names(place: Path) -> list[str]:
    """Return the sorted names of a folder's files without remains of a crash. A missing folder has no names."""
    try:
        return sorted(name for name in os.listdir(place) if not name.startswith("."))  # noqa: PTH208  ten times faster
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DiskError(f"{place} cannot be read: {error.strerror}") from None


def as_fault(error: KurskError | OSError) -> KurskError:
    """Return an OSError as a KurskError that names the file."""
    return error if isinstance(error, KurskError) else DiskError(f"{error.filename}: {error.strerror}")


class BusyError(UsageError):
    """Another program is using the same post folder."""


def lock_post(home: Path, patience: int = 0) -> contextlib.AbstractContextManager[None]:
    """Lock the post of this private folder for one program. Raises BusyError if another program has the lock.

    The lock is the system's lock on a separate file (see decision 48). Commands do not wait, because a round may take
    minutes. An automatic round waits at most ``patience`` seconds.
    """
    return _hold_lock(disk.make_private(locate(home)) / "lock", "works on the mail of this private folder", patience)


def lock_watch(home: Path) -> contextlib.AbstractContextManager[None]:
    """Prevent a second 'kursk post watch'. Other commands may run between its rounds. Raises BusyError."""
    return _hold_lock(disk.make_private(locate(home)) / "lock-watch", "already watches the mailbox", 0)


@contextlib.contextmanager
def _hold_lock(path: Path, does: str, patience: int) -> Iterator[None]:
    """Hold the lock of a file. Raises BusyError if another program holds the lock longer than ``patience`` seconds."""
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("a+b"))
            path.chmod(0o600)
            while locks.try_lock(file.fileno()) is False:
                if patience <= 0:
                    raise BusyError(f"another kursk {does}: wait for its end, or stop the program")
                clock.sleep(1)
                patience -= 1
        except OSError as error:
            raise DiskError(f"{path} cannot be written: {error.strerror}") from None
        yield
