"""The files in a packed file: zip, tar, gzip, xz, bzip2. No link is followed, and nothing is written to a disk."""

from __future__ import annotations

import bz2
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import Any, TypeAlias

from kursk_pbem.formats.zipped import is_ordinary
from kursk_pbem.trust.decoding import ENCRYPTED, Budget, name_kind

try:
    import lzma
except ImportError:  # in the page
    lzma = None  # type: ignore[assignment]

_Entry: TypeAlias = "tuple[str, int, Callable[[], bytes] | str | None]"
"""Name, size, and the reader, the reason if the file is unreadable, or None for a folder."""
_LARGE, _MANY = "too large when unpacked: ask for the turn alone", "too many packed files: ask for the turn alone"
_LINK, _BLOCK = "a link or device, not followed", 512
_SIGNED_DATA = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
_SIGNED = "a signed mail (S/MIME): ask for an ordinary attachment, or type 'pip install asn1crypto' and try again"
_UNPACKERS: dict[str, Callable[[], Any]] = {"gzip": lambda: zlib.decompressobj(31), "bzip2": bz2.BZ2Decompressor}
_DAMAGED: tuple[type[Exception], ...] = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
)
if lzma:
    _UNPACKERS["xz"], _DAMAGED = lambda: lzma.LZMADecompressor(memlimit=100 << 20), (*_DAMAGED, lzma.LZMAError)


def unpack(data: bytes, place: str, budget: Budget) -> Iterator[tuple[str, bytes | str]]:
    """Yield the place and content of each file in the packed file ``place``; of an unreadable file, what it is."""
    form = name_kind(data)
    entries = {"zip": _list_zip, "tar": _list_tar, "S/MIME": _open_signed}.get(form, _expand)
    try:
        for name, size, read in entries(data, budget):
            there = ": ".join(filter(None, (place, name))) if name else re.sub(r"(?i)\.(gz|xz|bz2)$", "", place)
            budget.files -= 1
            if budget.files < 0:
                yield place, _MANY
                return
            if isinstance(read, str) or size > budget.size:
                yield there, read if isinstance(read, str) else _LARGE
            elif read:
                budget.size -= size
                yield there, read()
    except _DAMAGED:
        yield place, f"a damaged {form}: ask for it again"


def _list_zip(data: bytes, budget: Budget) -> Iterator[_Entry]:
    if data.count(b"PK\1\2") > 2 * budget.files:
        yield "", 0, _MANY
        return
    with zipfile.ZipFile(BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                yield info.filename, 0, None
            elif not is_ordinary(info):
                yield info.filename, 0, _LINK
            elif info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                yield info.filename, 0, "encrypted or packed in a rare way: ask for an ordinary zip"
            else:
                with archive.open(info) as stream:
                    yield info.filename, info.file_size, partial(stream.read, info.file_size + 1)


def _list_tar(data: bytes, _budget: Budget) -> Iterator[_Entry]:
    """Yield the entries of a tar by single headers, because the library's loop over a hostile tar may not end."""
    at = 0
    while data[at : at + _BLOCK].strip(b"\0"):
        info = tarfile.TarInfo.frombuf(data[at : at + _BLOCK], "utf-8", "replace")
        begin, special = at + _BLOCK, tarfile.LNKTYPE <= info.type < tarfile.CONTTYPE  # link, device, folder or pipe
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
    if form not in _UNPACKERS:
        yield "", 0, f"packed by {form}, which this installation cannot unpack: ask for a zip"
        return
    for _ in range(budget.files):
        unpacker = _UNPACKERS[form]()
        text += unpacker.decompress(data, budget.size + 1 - len(text))
        data = unpacker.unused_data
        if name_kind(data) != form or len(text) > budget.size:
            break
    yield "", len(text), lambda: text


def _open_signed(data: bytes, _budget: Budget) -> Iterator[_Entry]:
    """Yield the content of a signed S/MIME mail. No certificate is read: only the signature of a turn decides."""
    try:
        from asn1crypto import cms  # noqa: PLC0415  40 ms
    except ImportError:
        cms = None
    if _SIGNED_DATA not in data[:24]:
        yield "", 0, ENCRYPTED
    elif cms is None:
        yield "", 0, _SIGNED
    else:  # small pieces of it are slow to read
        yield "", 8 * len(data), lambda: bytes(cms.ContentInfo.load(data)["content"]["encap_content_info"]["content"])
