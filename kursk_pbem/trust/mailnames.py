"""The names of the files of a mail, as people read them.

Mail programs write a name with letters of other scripts as words (RFC 2047), of which neighbours are read together, or
with %xx for a byte, and a long one in pieces (RFC 2231). Whoever asks looks for plain letters: no character set is
decoded, and so nothing stumbles over one. In linear time.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from itertools import repeat

from kursk_pbem.trust import mailbytes

_FOLD = rb"[ \t]*+(?:\r?\n[ \t]++)?+"
_AT = rb"%b=%b" % (_FOLD, _FOLD)
_QUOTED = rb'"[^"\\\r\n]{0,1000}+(?:(?:\\[^\r\n]|\r?\n[ \t])[^"\\\r\n]{0,1000}+){0,50}+"[^\r\n;]{0,1000}+'
"""To its closing quote, over the lines below it: where none closes it ends before the next, so no two are long."""
_BARE = rb"[^\r\n;]{1,1000}+(?:\r?\n[ \t]++=\?[^\r\n;]{1,1000}+){0,9}+"
"""To the end of the line, with the lines below it that begin with an encoded word."""
_FIELD = re.compile(
    rb"(?:^[ \t]*+|;[ \t]*+)(?:file)?name(?:%b|(?=\*[0-9]{0,3}\*?%b))((?:\*[0-9]{0,3}\*?%b)?+(?:%b|%b))"
    % (_AT, _AT, _AT, _QUOTED, _BARE),
    re.MULTILINE | re.IGNORECASE,
)
"""The name of a file in a mail; what is merely spoken of, or stands in a link, is none."""
_SIGNS = (b"\n*", b"=?")
"""Without these in what is found every name is written as it is read."""
_LATER = re.compile(rb"\*0*[1-9]")
"""How a piece begins that is not the first."""
_WORD = re.compile(rb"=\?[^?\s]{1,40}\?([bq])\?([^?\r\n]{0,1000})\?=(?:\s++(?==\?))?+", re.IGNORECASE)
_BYTES = re.compile(rb"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2})*+")
_LONGEST, _MOST = 1200, 1000
"""Bytes at the end of a name, and before a piece, that are decoded; fields of a mail: nobody mails so many files."""


def listed(raw: bytes) -> bytes:
    """The names of the files of a mail, each behind a line end: as they stand there, and as they are read."""
    found = _FIELD.findall(raw)
    names = b"\n" + b"\n".join(found)
    if not _any_coded(names):
        return names
    return b"\n" + b"\n".join([name for name, _end in _with_decoded(zip(found, repeat(0)))])


def each(raw: bytes, names: bytes) -> Iterator[tuple[bytes, int]]:
    """Each of the names that are ``listed``, and where its field ends."""
    plain = ((field[1], field.end()) for field in _FIELD.finditer(raw))
    return _with_decoded(plain) if _any_coded(names) else plain


def _any_coded(names: bytes) -> bool:
    return any(sign in names for sign in _SIGNS)


def _with_decoded(fields: Iterable[tuple[bytes, int]]) -> Iterator[tuple[bytes, int]]:
    """All names, with what those say that are not written as they are read; of pieces, what is known at each."""
    whole, left = b"", _MOST
    for name, end in fields:
        yield name, end
        if left and (name[:1] == b"*" or b"=?" in name):
            left -= 1
            mark, _is, said = name.partition(b"=") if name[:1] == b"*" else (b"", b"", name)
            begun = whole[-_LONGEST:] if _LATER.match(mark) else b""
            whole = begun + said.translate(None, b"\r\n").strip(b' \t"')[-_LONGEST:]
            yield as_read(whole), end


def as_read(text: bytes) -> bytes:
    """A text in which %xx and encoded words stand as they are read, as far as they are of plain letters."""
    return _WORD.sub(_said, _BYTES.sub(_meant, text)).replace(b"\0", b"")  # as UTF-16 writes plain letters


def _meant(some: re.Match[bytes]) -> bytes:
    return binascii.unhexlify(some[0].translate(None, b"%"))


def _said(word: re.Match[bytes]) -> bytes:
    if word[1] in b"Bb":
        return mailbytes.base64(word[2].translate(None, mailbytes.NOT_BASE64))
    return binascii.a2b_qp(word[2], header=True)
