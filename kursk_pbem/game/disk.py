"""Write files completely or not at all, even if the machine stops.

The content goes into a temporary file in the same folder and is synced to the disk. Then the file is renamed. If
writing fails, the functions raise DiskError and remove the temporary file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.errors import DiskError

PREFIX = ".kursk-"
STALE = 3600
FRESH = 10
"""Ages of a temporary file in seconds. After STALE its process is dead. After FRESH a live process holds a lock."""

_NO_LINKS = frozenset((errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL))
_NO_LOCKS = frozenset((*_NO_LINKS, errno.ENOLCK, errno.EBADF))  # NFS raises the last two for a folder


def replace(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file completely, in place of an existing file. Raises DiskError."""
    with _naming(path):
        temporary = _write_temporary(path.parent, data)
        try:
            with contextlib.suppress(PermissionError):  # see create
                os.chmod(temporary, mode)  # noqa: PTH101
            os.replace(temporary, path)  # noqa: PTH105
        except BaseException:
            _remove(temporary)
            raise


def create(path: Path, data: bytes, mode: int = 0o600) -> bool:
    """Create a file, sync it to the disk, and return True. If the file exists, change nothing and return False.

    Raises DiskError.
    """
    with _naming(path):
        temporary = _write_temporary(path.parent, data)
        try:
            with contextlib.suppress(PermissionError):  # some file systems have no modes
                os.chmod(temporary, mode)  # noqa: PTH101  this module uses plain system calls
            _claim(temporary, path)
        except FileExistsError:
            return False
        finally:
            _remove(temporary)
        _sync_folder(path.parent)
    return True


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Raise DiskError with the name of the file if the system cannot write."""
    try:
        yield
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None


def _write_temporary(folder: Path, data: bytes) -> str:
    """Write a complete temporary file with a unique name; return its path."""
    import tempfile  # noqa: PLC0415  most commands write nothing

    _remove_stale_rarely(folder)
    handle, name = tempfile.mkstemp(prefix=PREFIX, dir=folder)
    _lock_file(handle)
    try:
        try:
            write_all(handle, data)
        finally:
            os.close(handle)
    except BaseException:
        _remove(name)
        raise
    return name


def make_private(folder: Path) -> Path:
    """Create a folder and its missing parents, readable by their owner only, whatever the umask. Raises DiskError."""
    try:
        for each in (*reversed(folder.parents), folder):
            if not each.is_dir():
                each.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise DiskError(f"{each} cannot be made: {error.strerror}") from None
    return folder


def list_folder(folder: Path) -> list[Path]:
    """Return the paths in a folder, sorted; an empty list if the folder is missing.

    Raises DiskError for an unreadable folder or a broken link, because the folder's files may still exist.
    """
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not os.path.lexists(folder):
            return []
        raise DiskError(f"{folder} cannot be read: {error.strerror}") from None


def write_all(handle: int, data: bytes) -> None:
    """Write bytes to an open file and sync the file to the disk."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
    os.fsync(handle)


def _claim(temporary: str, path: Path) -> None:
    """Give a complete file its name. Raises FileExistsError if the name is taken."""
    if os.name == "nt":
        os.rename(temporary, path)  # noqa: PTH104  on Windows this fails if the name is taken
        return
    if not hasattr(os, "link"):  # a web page
        _claim_without_links(temporary, path)
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
    """Name a file on a file system without hard links, by a lock. The lock does not bind other machines."""
    import fcntl  # noqa: PLC0415  Windows has no fcntl

    handle = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # the lock ends with the process
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
    """Name a file on a file system without links and locks. A crash can leave an empty file, which is harmless."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        _remove(path)
        raise


def _sync_folder(folder: Path) -> None:
    """Sync a folder if the system can, so a new name survives a crash."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync folders
            raise
    finally:
        os.close(handle)


_cleaned: dict[str, float] = {}
"""Time of the last cleaning, by folder. Cleaning before each new file would take quadratic time."""


def _remove_stale_rarely(folder: Path) -> None:
    """Remove temporary files of killed processes, at most once per hour and folder. Files of running processes stay."""
    name, started = str(folder), time.monotonic()
    if started - _cleaned.get(name, -STALE) < STALE:
        return
    _cleaned[name] = started
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        now = time.time()
        for entry in entries:
            if entry.name.startswith(PREFIX):
                age = now - entry.stat(follow_symlinks=False).st_mtime
                if age > STALE or (age > FRESH and _is_abandoned(entry.path)):
                    _remove(entry.path)


def _lock_file(handle: int) -> bool:
    """Lock an open file until it is closed; return whether the lock was possible."""
    try:
        import fcntl  # noqa: PLC0415  Windows has no fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _is_abandoned(path: str) -> bool:
    """Return whether a temporary file has no writer; False if the system cannot tell."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        return _lock_file(handle)
    finally:
        os.close(handle)


def _remove(path: str | Path) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)  # noqa: PTH108
