"""The post folder, ``post/`` in the private folder: for its owner alone, and one program at a time.

Every file in it comes into being whole (``game/disk.py``): once, or in place of the one before.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk import clock, locks
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.game import disk


def root(home: Path) -> Path:
    """The post folder of a private folder, there or not."""
    return home / "post"


def folder(place: Path) -> Path:
    """Make a folder below the post folder, with those above it, for its owner alone. UsageError."""
    try:
        if not place.is_dir():
            if not place.parent.is_dir():
                folder(place.parent)
            place.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise DiskError(f"{place} cannot be made: {error.strerror}") from None
    return place


def put(path: Path, data: bytes) -> None:
    """Write a file whole, in place of the one before. UsageError."""
    try:
        disk.replace(folder(path.parent) / path.name, data, 0o600)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None


def names(place: Path) -> list[str]:
    """The names of the files in a folder, in order; none if it is not there. Leftovers of a crash are none."""
    try:
        return sorted(name for name in os.listdir(place) if not name.startswith("."))  # noqa: PTH208  ten times the speed
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DiskError(f"{place} cannot be read: {error.strerror}") from None


def fault(error: KurskError | OSError) -> KurskError:
    """Return what is wrong, for a list; a file or folder that cannot be used is named."""
    return error if isinstance(error, KurskError) else DiskError(f"{error.filename}: {error.strerror}")


class BusyError(UsageError):
    """Another program is at work on the same post."""


@contextlib.contextmanager
def locked(home: Path, patience: int = 0) -> Iterator[None]:
    """Inside here no other program changes the post of this private folder. BusyError if one does already.

    The lock of the system that guards drafts too (decision 48), on a file of its own. No command waits for it: a round
    of post may take minutes. A round that begins by itself has ``patience``, so many seconds.
    """
    with _alone(folder(root(home)) / "lock", "is at work on the post of this private folder", patience):
        yield


@contextlib.contextmanager
def watched(home: Path) -> Iterator[None]:
    """Inside here no other program does round after round; between the rounds commands may be given. BusyError."""
    with _alone(folder(root(home)) / "lock-watch", "watches this mailbox already", 0):
        yield


@contextlib.contextmanager
def _alone(path: Path, does: str, patience: int) -> Iterator[None]:
    """Hold the lock of a file; BusyError after ``patience`` seconds in which another program has it."""
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("a+b"))
            path.chmod(0o600)
            while locks.take(file.fileno()) is False:
                if patience <= 0:
                    raise BusyError(f"another kursk {does}: wait for it, or end it")
                clock.rest(1)
                patience -= 1
        except OSError as error:
            raise DiskError(f"{path} cannot be written: {error.strerror}") from None
        yield
