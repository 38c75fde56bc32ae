"""Files on disk: only ordinary files, and with a limit of size.

Reading a named pipe would never return, and a stranger's folder may contain one under any name (T27).
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
"""Limits of the cache: total bytes; maximum bytes of a cached file; minimum bytes that each cached file counts.

The limit counts bytes instead of files, because a referee's mailbox reads a few small files of hundreds of games."""
_forgetters: list[Callable[[], None]] = []


def is_there(path: Path) -> bool:
    """Return whether an ordinary file exists. Return False without permission; ``Path.is_file`` would raise."""
    return os.path.isfile(path)  # noqa: PTH113


def read(path: Path, most: int) -> bytes:
    """Return a file's first ``most`` + 1 bytes; the last byte shows a file too long. Raises OSError if unreadable.

    A folder, a pipe or a device counts as unreadable, so the function never waits for input.
    """
    # Without O_NONBLOCK opening a pipe would wait; ordinary files ignore the flag.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    status = os.fstat(handle)
    mode = status.st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        why = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(why, os.strerror(why) if why == errno.EISDIR else NOT_ORDINARY, str(path))
    with os.fdopen(handle, "rb") as file:
        data = file.read(min(status.st_size, most) + 1)  # allocating ``most`` bytes would cost more than reading
        if status.st_size < len(data) <= most:  # the file has grown, or its size is unknown
            data += file.read(most + 1 - len(data))
        return data


def cache_reader(reads: Callable[[bytes, str], Read]) -> Callable[[bytes, str], Read]:
    """Wrap a function that reads a file's bytes and name, so that results are cached: mail rounds reread files.

    Results are shared, so never modify them. A full cache forgets the least recently read files. The cache
    ignores large files, because they would displace the others.
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
                used[0] += _measure_weight(raw) if (raw, name) not in kept else 0
                kept[raw, name] = read
                while used[0] > _REMEMBERED:
                    used[0] -= _measure_weight(kept.popitem(last=False)[0][0])
        return read

    def forget() -> None:
        with guard:
            kept.clear()
            used[0] = 0

    _forgetters.append(forget)
    return read_again


def forget_files() -> None:
    """Empty every cache of read files. A command over many games calls this, because it reads each game once."""
    for forget in _forgetters:
        forget()


def _measure_weight(raw: bytes) -> int:
    """Return the weight of a file in the cache; tiny files have a minimum weight."""
    return max(len(raw), _TINY)
