"""Files from the disk: only ordinary ones, and never more of them than asked for.

A named pipe would make a command wait for ever, and a stranger's folder may hold one under any name (T27).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import TypeVar

Read = TypeVar("Read")
NOT_ORDINARY = "it is a pipe or a device, not an ordinary file"
_REMEMBERED, _SMALL = 64, 64 * 1024
"""Files whose reading is remembered, and how many bytes such a file has at most."""


def read(path: Path, most: int) -> bytes:
    """The bytes of an ordinary file, ``most`` and one more if there are so many. Raises OSError if it cannot be read.

    A folder, a pipe or a device raises OSError too, at once.
    """
    # Without O_NONBLOCK a pipe would hold us up before it can be looked at; for ordinary files it means nothing.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    status = os.fstat(handle)
    mode = status.st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        why = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(why, os.strerror(why) if why == errno.EISDIR else NOT_ORDINARY, str(path))
    with os.fdopen(handle, "rb") as file:
        data = file.read(min(status.st_size, most) + 1)  # room for ``most`` would cost more than the reading
        if status.st_size < len(data) <= most:  # it has grown, or says nothing of its size
            data += file.read(most + 1 - len(data))
        return data


def remembered(reads: Callable[[bytes, str], Read]) -> Callable[[bytes, str], Read]:
    """The same reader of bytes and the name they go by, which remembers: a round of post reads few files many times.

    What it gives is shared and must not be changed. Large files are read each time: they would fill the memory.
    """
    kept = lru_cache(maxsize=_REMEMBERED)(reads)

    @wraps(reads)
    def read_again(raw: bytes, name: str) -> Read:
        return (kept if len(raw) <= _SMALL else reads)(raw, name)

    return read_again
