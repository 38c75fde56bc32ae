"""Files from the disk: only ordinary ones, and never more of them than asked for.

A named pipe would make a command wait for ever, and a stranger's folder may hold one under any name (T27).
"""

from __future__ import annotations

import errno
import os
import stat
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import TypeVar

Read = TypeVar("Read")
NOT_ORDINARY = "it is a pipe or a device, not an ordinary file"
_REMEMBERED, _SMALL, _TINY = 4 * 1024 * 1024, 64 * 1024, 1024
"""Bytes of files whose reading is remembered, and how many such a file has at most, and counts as at least.

In bytes and not in files: a mailbox that referees looks into a few small files of each of its hundreds of games.
"""


def is_there(path: Path) -> bool:
    """Whether there is an ordinary file; false where one may not look, while ``Path.is_file`` raises (Python 3.11)."""
    return os.path.isfile(path)  # noqa: PTH113


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

    What it gives is shared and must not be changed. Those read longest ago are forgotten where there is no more room;
    large files are read each time: they would drive out all others.
    """
    kept: OrderedDict[tuple[bytes, str], Read] = OrderedDict()
    guard, used = Lock(), [0]

    @wraps(reads)
    def read_again(raw: bytes, name: str) -> Read:
        with guard:
            if (raw, name) in kept:
                kept.move_to_end((raw, name))
                return kept[raw, name]
        read = reads(raw, name)
        if len(raw) <= _SMALL:
            with guard:
                used[0] += _room(raw) if (raw, name) not in kept else 0
                kept[raw, name] = read
                while used[0] > _REMEMBERED:
                    used[0] -= _room(kept.popitem(last=False)[0][0])
        return read

    return read_again


def _room(raw: bytes) -> int:
    """The bytes of a file as they count for what is remembered: a tiny one takes room, too."""
    return max(len(raw), _TINY)
