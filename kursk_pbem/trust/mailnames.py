"""The names of the files of a mail, as people read them.

Mail programs write a name with letters of other scripts as words (RFC 2047), of which neighbours are read together, or
with %xx for a byte, and a long one in pieces (RFC 2231). Whoever asks looks for plain letters: no character set is
decoded, and so nothing stumbles over one. In linear time.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from itertools import chain, islice
from urllib.parse import unquote_to_bytes

from kursk_pbem.trust import mailbytes

_NAME, _AS = rb"(?:^[ \t]*+|;[ \t]*+)(?:file)?name", re.MULTILINE | re.IGNORECASE
_FIELD = re.compile(_NAME + rb"(?:[ \t]?=|(?=\*[0-9]{0,3}\*?[ \t]?=))([^\r\n;]{1,500})", _AS)
"""The name of a file in a mail; what is merely spoken of, or stands in a link, is none."""
_CODED = re.compile(
    _NAME + rb"(\*[0-9]{0,3}\*?[ \t]?=|[ \t]?=(?=[^\r\n;]{0,500}?=\?))"
    rb"([^\r\n;]{1,500}(?:\r?\n[ \t]++=\?[^\r\n;]{1,100}){0,9})",
    _AS,
)
"""One that is not written as it is read, with the lines below it that begin with a word."""
_SIGNS = (b"\n*", b"=?")
"""Without these in what is found every name is written as it is read."""
_LATER = re.compile(rb"\*0*[1-9]")
"""How a piece begins that is not the first."""
_WORD = re.compile(rb"=\?[^?\s]{1,40}\?([bq])\?([^?\r\n]{0,200})\?=(?:\s++(?==\?))?+", re.IGNORECASE)
_LONGEST, _MOST = 500, 1000
"""Bytes to which pieces are joined; fields of a mail that are decoded: nobody mails so many files."""


def listed(raw: bytes) -> bytes:
    """The names of the files of a mail, each behind a line end: as they stand there, and as they are read."""
    names = b"\n" + b"\n".join(_FIELD.findall(raw))
    return b"\n".join([names, *(name for name, _end in _decoded(raw))]) if _any_coded(names) else names


def each(raw: bytes, names: bytes) -> Iterator[tuple[bytes, int]]:
    """Each of the names that are ``listed``, and where its field ends: as all stand there, then as they are read."""
    plain = ((field[1], field.end()) for field in _FIELD.finditer(raw))
    return chain(plain, _decoded(raw)) if _any_coded(names) else plain


def _any_coded(names: bytes) -> bool:
    return any(sign in names for sign in _SIGNS)


def _decoded(raw: bytes) -> Iterator[tuple[bytes, int]]:
    """Names that are not written as they are read; of one in pieces at each of them what is known of it there."""
    whole = b""
    for field in islice(_CODED.finditer(raw), _MOST):
        begun = whole[-_LONGEST:] if _LATER.match(field[1]) else b""
        whole = begun + field[2].strip(b' \t"')
        yield words(unquote_to_bytes(whole)), field.end()


def words(text: bytes) -> bytes:
    """A text in which encoded words stand as they are read, as far as they are of plain letters."""
    return _WORD.sub(_said, text).replace(b"\0", b"")  # as UTF-16 writes plain letters


def _said(word: re.Match[bytes]) -> bytes:
    if word[1] in b"Bb":
        return mailbytes.base64(word[2].translate(None, mailbytes.NOT_BASE64))
    return binascii.a2b_qp(word[2], header=True)
