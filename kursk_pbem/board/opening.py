"""The file that opens the board in a browser. The file is in the private folder while the server runs.

The server locks the file (decision 48). The lock ends with the process, so a file without a lock is old, and the next
board deletes the file. Other users could read an address on a command line, but cannot read the file.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.ground import locks
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk

_NAME = re.compile(r"board-[0-9]{1,5}\.html")


class Opening:
    """A file with the board's ``address``, readable only by the owner. Raises UsageError if writing fails."""

    def __init__(self, home: Path, port: int, address: str) -> None:
        self.path = home / f"board-{port}.html"
        try:
            disk.make_private(home)
            _delete_unlocked(home)
            self.path.unlink(missing_ok=True)  # this process holds the port, so the file is old
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            self._handle = os.open(self.path, flags, 0o600)
            locks.try_lock(self._handle)
            disk.write_all(self._handle, _make_page(address).encode("ascii"))
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Delete the file that opens the board."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


def _delete_unlocked(home: Path) -> None:
    """Delete the files of killed boards: files without a lock."""
    for path in home.iterdir():
        if not _NAME.fullmatch(path.name) or path.is_symlink() or not path.is_file():
            continue
        with suppress(OSError):
            handle = os.open(path, os.O_RDWR)
            try:
                left_over = locks.try_lock(handle) is True
            finally:
                os.close(handle)
            if left_over:
                path.unlink()


def _make_page(address: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>kursk</title>\n'
        f'<meta http-equiv="refresh" content="0;url={address}"></head>\n'
        f'<body><p><a href="{address}">To the board</a></p></body>\n</html>\n'
    )
