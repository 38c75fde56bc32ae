"""Files that come into being whole or not at all, whatever happens to the machine while they are written.

The content goes into a temporary file beside the place, onto the disk, and only then under its name. What cannot be
written raises OSError and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from pathlib import Path

from kursk_pbem.errors import DiskError

PREFIX = ".kursk-"
_MOST_SWEPT = 10_000
STALE = 3600
"""Seconds after which a temporary file belongs to a process that was killed."""

_NO_LINKS = frozenset((errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL))
_NO_LOCKS = frozenset((*_NO_LINKS, errno.ENOLCK, errno.EBADF))  # the last of NFS, for a folder


def replace(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file whole, in place of the one that is there, if any."""
    temporary = _temporary(path.parent, data)
    try:
        with contextlib.suppress(PermissionError):  # as above
            os.chmod(temporary, mode)  # noqa: PTH101
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        _remove(temporary)
        raise


def create(path: Path, data: bytes, mode: int = 0o600) -> bool:
    """Create a file, whole and on the disk, or leave the one that is there; true if created."""
    temporary = _temporary(path.parent, data)
    try:
        with contextlib.suppress(PermissionError):  # not every file system has modes
            os.chmod(temporary, mode)  # noqa: PTH101  the calls of this module are those of the system, one by one
        _claim(temporary, path)
    except FileExistsError:
        return False
    finally:
        _remove(temporary)
    _sync_folder(path.parent)
    return True


def _temporary(folder: Path, data: bytes) -> str:
    """A complete file under a name of its own."""
    import tempfile  # noqa: PLC0415  most commands write nothing

    _sweep(folder)
    handle, name = tempfile.mkstemp(prefix=PREFIX, dir=folder)
    _hold(handle)
    _fill(handle, data, name)
    return name


def _fill(handle: int, data: bytes, name: str | Path) -> None:
    """Write a new file and close it; what fails half-way is taken away again."""
    try:
        try:
            put(handle, data)
        finally:
            os.close(handle)
    except BaseException:
        _remove(name)
        raise


def inside(folder: Path) -> list[Path]:
    """What lies in a folder, in order; nothing if it is not there.

    DiskError where nobody may look, or a link leads nowhere: what lies there is not known, and is not gone.
    """
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not os.path.lexists(folder):
            return []
        raise DiskError(f"{folder} cannot be read: {error.strerror}") from None


def put(handle: int, data: bytes) -> None:
    """Write all of this into an open file, and onto the disk."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
    os.fsync(handle)


def _claim(temporary: str, path: Path) -> None:
    """Give a complete file its name, unless the name is taken: FileExistsError."""
    if os.name == "nt":
        os.rename(temporary, path)  # noqa: PTH104  fails there if the name is taken
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _claim_without_links(temporary, path)


def _claim_without_links(temporary: str, path: Path) -> None:
    """The same where the file system has no hard links: one process at a time looks for the name, and gives it.

    Of other machines that write into a shared folder at that very moment it knows nothing.
    """
    import fcntl  # noqa: PLC0415  which Windows has not

    handle = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # it ends with the process, however that ends
        os.lstat(path)
    except FileNotFoundError:
        os.replace(temporary, path)  # noqa: PTH105
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        _claim_without_locks(temporary, path)
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    finally:
        os.close(handle)


def _claim_without_locks(temporary: str, path: Path) -> None:
    """The same where there are no locks either: the name is taken once, and then the file put there.

    A crash in between leaves an empty file, which cannot be read; nothing was released with it.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        _remove(path)
        raise


def _sync_folder(folder: Path) -> None:
    """Make a new name last, on systems where a folder can be synced."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # this file system does not sync folders
            raise
    finally:
        os.close(handle)


_swept: dict[str, float] = {}
"""When this process has swept a folder: a look at each of its files for each that is made costs their square."""


def _sweep(folder: Path) -> None:
    """Remove what killed processes left behind, unless this process did so lately."""
    name, now = str(folder), time.monotonic()
    if now - _swept.get(name, -STALE) < STALE:
        return
    if len(_swept) >= _MOST_SWEPT:
        _swept.clear()
    _swept[name] = now
    sweep(folder)


def sweep(folder: Path, *, held: bool = False) -> None:
    """Remove from a folder what killed processes left behind, and nothing that a running one may still want.

    ``held``: do not wait until a file is old, if the system says that no process has it in hand.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        before = time.time() - STALE
        for entry in entries:
            if entry.name.startswith(PREFIX):
                old = entry.stat(follow_symlinks=False).st_mtime < before
                if old or (held and _left(entry.path)):
                    _remove(entry.path)


def _hold(handle: int) -> bool:
    """Lock an open file until it is closed, and return whether that is possible."""
    try:
        import fcntl  # noqa: PLC0415  which Windows has not

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _left(path: str) -> bool:
    """Return whether no process is writing this temporary file; False if the system does not say."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        return _hold(handle)
    finally:
        os.close(handle)


def _remove(path: str | Path) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)  # noqa: PTH108
