"""The files in a packed file: zip, tar, gzip, xz, bzip2. No link is followed, and no disk written."""

from __future__ import annotations

from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from struct import error as struct_error
from struct import unpack_from
from tarfile import CONTTYPE, LNKTYPE, TarError, TarInfo
from typing import Any, TypeAlias
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import crc32, decompressobj
from zlib import error as zlib_error

from kursk_pbem.formats.zipped import is_ordinary
from kursk_pbem.trust.decoding import Budget, name_kind

try:
    from lzma import LZMADecompressor, LZMAError
except ImportError:  # in the page
    LZMADecompressor, LZMAError = None, OSError  # type: ignore[assignment,misc]

_Entry: TypeAlias = "tuple[str, int, Callable[[], bytes] | str | None]"
"""Name, size, and the reader, the reason if the file is unreadable, or None for a folder."""
_DAMAGED = (BadZipFile, TarError, LZMAError, zlib_error, struct_error, OSError, EOFError, ValueError, RuntimeError)
_LARGE, _MANY = "too large when unpacked: ask for the turn alone", "too many packed files: ask for the turn alone"
_LINK, _BLOCK = "a link, a device or a sparse file, not followed", 512


def unpack(data: bytes, place: str, budget: Budget) -> Iterator[tuple[str, bytes | str]]:
    """Yield the name and bytes of each file in a packed file. An unreadable file yields the reason."""
    form = name_kind(data)
    entries = {"zip": _list_zip, "tar": _list_tar}.get(form, _expand)
    try:
        for name, size, read in entries(data, budget):
            there = ": ".join(filter(None, (place, name)))
            budget.files -= 1
            if budget.files < 0:
                yield place, _MANY
                return
            if isinstance(read, str) or size > budget.size:
                yield there, read if isinstance(read, str) else _LARGE
            elif read:
                budget.size -= size
                yield there, _read_member(read, form)
    except _DAMAGED:
        yield place, f"a damaged {form}: ask for it again"


def _read_member(read: Callable[[], bytes], form: str) -> bytes | str:
    """Return the bytes of a packed file, or the reason; a damaged file does not hide the others."""
    try:
        return read()
    except _DAMAGED:
        return f"damaged in the {form}: ask for it again"


def _list_zip(data: bytes, budget: Budget) -> Iterator[_Entry]:
    if data.count(b"PK\1\2") > 2 * budget.files:
        yield "", 0, _MANY
        return
    with ZipFile(BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                yield info.filename, 0, None
            elif not is_ordinary(info):
                yield info.filename, 0, _LINK
            elif info.flag_bits & 1 or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                yield info.filename, 0, "encrypted or packed in a rare way: ask for an ordinary zip"
            else:
                yield info.filename, info.file_size, partial(_read_zipped, data, info)


def _read_zipped(data: bytes, info: ZipInfo) -> bytes:
    """Return a file of a zip as its directory says; the name in the file's own header may be in another alphabet."""
    at = info.header_offset
    name, more = unpack_from("<HH", data, at + 26)
    packed = data[at + 30 + name + more :][: info.compress_size]
    deflated = info.compress_type == ZIP_DEFLATED  # a false size must not unpack more
    text = decompressobj(-15).decompress(packed, info.file_size + 1) if deflated else packed
    if crc32(text) != info.CRC or data[at : at + 4] != b"PK\3\4":
        raise BadZipFile
    return text


def _list_tar(data: bytes, _budget: Budget) -> Iterator[_Entry]:
    """Yield the entries of a tar by single headers, because the library's loop over a hostile tar may not end."""
    at = 0
    while data[at : at + _BLOCK].strip(b"\0"):
        info = TarInfo.frombuf(data[at : at + _BLOCK], "utf-8", "replace")
        begin, special = at + _BLOCK, LNKTYPE <= info.type < CONTTYPE  # a link, device, folder or pipe
        end = begin + (0 if special else info.size)
        if not begin <= end <= len(data):
            raise ValueError
        at = end + -end % _BLOCK
        if info.isreg() and not info.issparse():
            yield info.name, info.size, BytesIO(data[begin:end]).read
        else:
            yield info.name, 0, _LINK if (special and not info.isdir()) or info.issparse() else None


def _expand(data: bytes, budget: Budget) -> Iterator[_Entry]:
    """Yield the content of one packed file, perhaps of several streams; of a cut file as much as there is."""
    form, text = name_kind(data), b""
    if form == "xz" and LZMADecompressor is None:
        yield "", 0, "packed by xz, which this installation cannot unpack: ask for a zip"
        return
    unpackers: dict[str, Callable[[], Any]] = {"gzip": lambda: decompressobj(31), "bzip2": BZ2Decompressor}
    unpackers["xz"] = lambda: LZMADecompressor(memlimit=100 << 20)
    for _ in range(budget.files):
        unpacker = unpackers[form]()
        text += unpacker.decompress(data, budget.size + 1 - len(text))
        data = unpacker.unused_data
        if name_kind(data) != form or len(text) > budget.size:
            break
    yield "", len(text), lambda: text
