"""A game folder: ``game-<16 hex>`` with messages ``NNNN.yaml``, reports and the current draft.

File names come from game id and number only (T30). Files are written whole: temporary file, fsync, rename; nothing
that exists and differs is overwritten unless asked.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import BinaryIO

from kursk_pbem.errors import FileError, TrustError, UsageError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import message as messages
from kursk_pbem.trust.message import Message

_MESSAGE = re.compile(r"[0-9]{4}\.yaml")
MOST_MESSAGES = 10_000


def folder_name(game: str) -> str:
    """The folder of a game: ``game-`` and the first 16 hex digits of its id."""
    return f"game-{game[:16]}"


def message_path(folder: Path, seq: int) -> Path:
    """Where message ``seq`` of a game lies."""
    return folder / f"{seq:04d}.yaml"


def draft_path(folder: Path, seq: int) -> Path:
    """Where the draft of message ``seq`` lies."""
    return folder / f"{seq:04d}.draft.yaml"


def report_path(folder: Path, seq: int, *, draft: bool = False) -> Path:
    """Where the report of message ``seq`` lies; ``draft``: what its writer's own opening resolves already."""
    return folder / f"report-{seq:04d}{'.draft' if draft else ''}.txt"


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, at most as many as a turn file may have and one more. FileError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return read_stream(file)
    except FileNotFoundError:
        raise FileError("there is no such file", Where(str(path))) from None
    except OSError as error:
        if path.is_dir():
            raise FileError("this is a folder; name the file in it", Where(str(path))) from None
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None


def read_stream(stream: BinaryIO) -> bytes:
    """The same of a stream that is open already, such as standard input."""
    return stream.read(MAX_BYTES + 1)


def read_message(path: Path) -> Message:
    """A signed message from a file."""
    return messages.read(read_bytes(path), str(path))


def message_files(folder: Path) -> list[Path]:
    """The message files of a game folder in order of their numbers. UsageError if it is none.

    TrustError if a number is missing before the last.
    """
    found = sorted(each for each in folder.iterdir() if _MESSAGE.fullmatch(each.name)) if folder.is_dir() else []
    if not found:
        raise UsageError(f"{folder} is no game folder: it holds no 0000.yaml")
    for number, path in enumerate(found):
        if path.name != f"{number:04d}.yaml":
            missing = message_path(folder, number)
            raise TrustError("chain", f"message {number} is missing, and later ones are there", Where(str(missing)))
    return found


def write(path: Path, text: str, *, force: bool = False) -> bool:
    """Write a file whole; False if it is there with these very bytes. UsageError if it differs and not ``force``."""
    data = text.encode("utf-8")
    try:
        if path.exists():
            if path.read_bytes() == data:
                return False
            if not force:
                raise UsageError(f"{path} is already there and differs; move it away, or use --force")
        _replace(path, data)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    return True


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".kursk-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
