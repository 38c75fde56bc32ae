"""A lock for files that are read, changed and written (decision 48).

The operating system releases the lock when its process ends. The lock is held only for comparing and writing, never
while waiting for a person.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import DiskError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

NAME = "lock"
WAIT = 10.0
"""Maximum waiting time in seconds; writing takes far less than one second."""
_REST = 0.01
_FAR = 1 << 30  # the locked byte is after all content
_TAKEN = frozenset((errno.EACCES, errno.EAGAIN, errno.EDEADLK))
_NO_LOCKS = frozenset((errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL))


@contextmanager
def hold_lock(record: Path) -> Iterator[None]:
    """Hold the lock of a private record during a 'with' block.

    Raises DiskError if another program keeps the lock. A thread must not take the lock twice.
    """
    path = record / NAME
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
    try:
        _wait_for_lock(handle, path)
        try:
            yield
        finally:
            _release_lock(handle)
    finally:
        os.close(handle)  # closing releases the lock too, on some systems later


def _wait_for_lock(handle: int, path: Path) -> None:
    until = clock.read_monotonic() + WAIT
    while _is_taken(handle, path):
        if clock.read_monotonic() > until:
            whose = _describe_holder(handle)
            raise DiskError(
                f"another program{whose} is writing in the game and does not finish; nothing was written. "
                f"Wait for the program or end it, then try again (locked file: {path})"
            )
        clock.sleep(_REST)
    with suppress(OSError):  # helps waiting programs; not essential
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode("ascii"))


def _is_taken(handle: int, path: Path) -> bool:
    """Return whether another process has the lock. Raises DiskError if the state is unknown."""
    try:
        return try_lock(handle) is False
    except OSError as error:
        raise DiskError(f"{path} cannot be locked: {error.strerror}") from None


def try_lock(handle: int) -> bool | None:
    """Try to lock an open file. Return True if locked, False if not, and None if the file system has no locks.

    Closing the file releases the lock. Without locks, only a comparison of the draft's content prevents lost changes.
    """
    try:
        if sys.platform == "win32":
            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        if error.errno in _NO_LOCKS:
            return None
        raise
    return True


def need_locks(folder: Path) -> None:
    """Check that the file system of a folder has the locks that SQLite needs. Raises DiskError if not.

    Without locks, SQLite would wait for a minute and then report a locked file. The check locks a temporary file, since
    closing another handle of SQLite's own file would release SQLite's locks.
    """
    if sys.platform == "win32":
        return
    try:
        with TemporaryFile(dir=folder) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _NO_LOCKS:
            why = f"{folder} is on a disk without file locks, perhaps a network disk"
            raise DiskError(f"{why}: put KURSK_HOME on a local disk") from None


def _release_lock(handle: int) -> None:
    with suppress(OSError):
        os.ftruncate(handle, 0)  # keep process numbers out of copies of the folder
        if sys.platform == "win32":
            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_UN)


def _describe_holder(handle: int) -> str:
    with suppress(OSError):
        os.lseek(handle, 0, os.SEEK_SET)
        number = os.read(handle, 20).decode("ascii", "replace")
        return f" (process {number})" if number.isdigit() else ""
    return ""
