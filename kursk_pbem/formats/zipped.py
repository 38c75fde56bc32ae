"""Zips from others, read within limits: nothing is unpacked to a disk here."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator

from kursk_pbem.errors import FileError


def is_ordinary(info: zipfile.ZipInfo) -> bool:
    """Return whether an entry of a zip is an ordinary file, and no link."""
    return info.external_attr >> 28 in (0, 8)  # the kind of file on Unix


def read_zip(
    raw: bytes, most: int, files: int, want: Callable[[zipfile.ZipInfo], bool], damaged: str
) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the wanted files of a zip. Raises FileError for a damaged or too large zip.

    ``most``: maximum bytes, packed and unpacked; ``files``: maximum number; ``want`` may refuse the zip; ``damaged``:
    the message about a damaged zip. Folders are left out.
    """
    large = f"the zip is too large: at most {most >> 20} MB in {files} files"
    if len(raw) > most or raw.count(b"PK\x01\x02") > 2 * files:
        raise FileError(large)
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            for number, info in enumerate(archive.infolist(), 1):
                if info.is_dir() or not want(info):
                    continue
                with archive.open(info) as stream:
                    data = stream.read(most + 1)
                most -= len(data)
                if most < 0 or number > files:
                    raise FileError(large)
                yield info.orig_filename, data
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, ValueError, RuntimeError):
        raise FileError(damaged) from None
