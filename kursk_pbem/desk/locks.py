"""One program at a time: a lock around files that are read, changed and written back (decision 48).

It is a lock of the system on a file in the private record of the game, so it ends with the process that holds it,
however that ends; the file itself stays and means nothing. It is held while something is compared and written, never
while a person is asked.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

NAME = "lock"
WAIT = 10.0
"""Seconds after which a program gives up and says so; whoever writes is done in far less than one."""
_REST = 0.01
_FAR = 1 << 30  # the byte that is locked lies behind all that anybody reads
_TAKEN = frozenset((errno.EACCES, errno.EAGAIN, errno.EDEADLK))
_NO_LOCKS = frozenset((errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL))


@contextmanager
def held(record: Path) -> Iterator[None]:
    """Inside this context no other program, and no other thread of this one, writes in this private record.

    UsageError if another one does not come to its end. Not to be held twice by one thread.
    """
    path = record / NAME
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
    try:
        _wait(handle, path)
        try:
            yield
        finally:
            _free(handle)
    finally:
        os.close(handle)  # which would end the lock too, on some systems a little later


def _wait(handle: int, path: Path) -> None:
    until = clock.ticking() + WAIT
    while _taken(handle, path):
        if clock.ticking() > until:
            whose = _holder(handle)
            raise DiskError(
                f"another program{whose} is writing in this game and does not come to its end; nothing was written. "
                f"Wait for it or end it, and do this again ({path} is what it holds)"
            )
        clock.rest(_REST)
    with suppress(OSError):  # for whoever has to wait; a full disk is no reason not to go on
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode("ascii"))


def _taken(handle: int, path: Path) -> bool:
    """Whether somebody else has it. UsageError where that cannot be found out."""
    try:
        return take(handle) is False
    except OSError as error:
        raise DiskError(f"{path} cannot be locked: {error.strerror}") from None


def take(handle: int) -> bool | None:
    """Take the lock of an open file if nobody has it: whether it is ours now. It ends when the file is closed.

    None where the file system knows no locks: there nobody waits for anybody, and only the comparison is left.
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


def _free(handle: int) -> None:
    with suppress(OSError):
        os.ftruncate(handle, 0)  # the number of a process is in no copy of the folder
        if sys.platform == "win32":
            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_UN)


def _holder(handle: int) -> str:
    """Which process holds it, in words; '' if that is not known."""
    with suppress(OSError):
        os.lseek(handle, 0, os.SEEK_SET)
        number = os.read(handle, 20).decode("ascii", "replace")
        return f" (process {number})" if number.isdigit() else ""
    return ""
