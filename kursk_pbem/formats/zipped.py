"""Zips from others, read within limits: nothing is unpacked to a disk here."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator

from kursk_pbem.errors import FileError


def is_ordinary(info: zipfile.ZipInfo) -> bool:
    """Return whether an entry of a zip is an ordinary file, not a link."""
    return info.external_attr >> 28 in (0, 8)  # the kind of file on Unix


def read_zip(
    raw: bytes, most: int, files: int, want: Callable[[zipfile.ZipInfo], bool], damaged: str
) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the wanted files of a zip. Raises FileError for a damaged or too large zip.

    ``most``: maximum bytes, packed and unpacked. ``files``: maximum number. ``want``: returns whether to read an entry;
    may refuse the zip. ``damaged``: the message about a damaged zip. Folders are left out.
    """
    large = f"the zip is too large: at most {most >> 20} MB in {files} files"
    if len(raw) > most or raw.count(b"PK\x01\x02") > 2 * files:
        raise FileError(large)
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            wanted = [info for info in archive.infolist() if not info.is_dir() and want(info)]
            if len(wanted) > files or sum(info.file_size for info in wanted) > most:
                raise FileError(large)
            for info in wanted:
                with archive.open(info) as stream:  # it gives no more than the size that the entry claims
                    yield info.orig_filename, stream.read(info.file_size + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, ValueError, RuntimeError):
        raise FileError(damaged) from None
