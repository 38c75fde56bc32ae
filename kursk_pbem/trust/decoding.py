"""Bytes of mails as texts, the kind of bytes that are no text, and the budget of reading a thing."""

from __future__ import annotations

import binascii
import codecs
import re
import urllib.parse
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from kursk_pbem.frozen import frozen

ENCRYPTED = "an encrypted mail: decrypt it first, save it, and type 'kursk inbox FILE'"
EMPTY = "an empty file: ask for it again"
PRIVATE = "a private key or record: keep it to yourself; it was not read"
_KINDS = {
    "a saved folder of this program: 'kursk open FILE' reads it": rb"PK\x03\x04.{26}kursk-saved\.json",
    "a file of Office": rb"PK\x03\x04.{26}(?:mimetype|\[Content_Types\]\.xml)|\{\\rtf",
    "a mail of Outlook (.msg, .pst) or a file of Office: save the attachment by itself": rb"\xd0\xcf\x11\xe0|!BDN",
    "zip": rb"PK(?:\x03\x04|\x05\x06)",
    "gzip": rb"\x1f\x8b",
    "xz": rb"\xfd7zXZ\x00",
    "bzip2": rb"BZh[1-9]",
    "tar": rb".{257}ustar",
    "a signature": rb"-----BEGIN PGP SIGN|0.{1,9}?\x06\x09\x2a\x86H\x86\xf7\x0d\x01\x07\x02.{1,300}?"
    rb"(?:0\x0b\x06\x09\x2a\x86H\x86\xf7\x0d\x01\x07\x01|\x06\x09\x2a\x86H\x86\xf7\x0d\x01\x07\x01\x00\x00)",
    "a mail signed in one file (S/MIME): ask for the turn as an ordinary attachment": rb"0.{1,9}?\x06"
    rb"\x09\x2a\x86H\x86\xf7\x0d\x01\x07\x02",
    ENCRYPTED: rb"0.{1,9}?\x06[\x09\x0b]\x2a\x86H\x86\xf7\x0d\x01",
    "a PDF": rb"%PDF",
    "a 7-Zip archive": rb"7z\xbc\xaf\x27\x1c",
    "a RAR archive": rb"Rar!\x1a\x07",
    "a Zstandard archive": rb"\x28\xb5\x2f\xfd",
    "a winmail.dat of Outlook": rb"\x78\x9f\x3e\x22",
    "only what macOS knows about a file: ask for the file itself": rb"\x00\x05\x16\x07",
    "in iCloud and not on this machine yet: open it in the Finder, then try again": rb"bplist00",
    "a picture": rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|BM.{4}\x00\x00|II\*\x00|MM\x00\*|RIFF.{4}WEBP",
    "a database": rb"SQLite format 3",
    EMPTY: rb"\Z",
}
_KIND = re.compile(b"|".join(b"(%s)" % magic for magic in _KINDS.values()), re.DOTALL)
PACKED = ("zip", "gzip", "xz", "bzip2", "tar")
_NO_DIGITS = re.sub(rb"[A-Za-z0-9+/]", b"", bytes(range(256)))  # of base64
_QUOTES = re.compile(rb"(>*)(?: ?)(.*)", re.DOTALL)
_HARD_BLANK = re.compile(rb"^[> \t|]*\xc2?\xa0[ \xc2\xa0]*", re.MULTILINE)
_HARD_ARMOR = re.compile(rb"\xa0[ \xc2\xa0]*-----BEGIN SSH")
_SMART_DASH = rb"\xe2\x80[\x93\x94]"
_SMART = re.compile(
    rb"^[> \t|]{0,40}kursk-[a-z]{1,20}:[ \t]*+\xe2\x80[\x98-\x9d][0-9]|" + _SMART_DASH + b"-?(?:BEGIN|END) SSH",
    re.MULTILINE,
)
_SMART_ARMOR = re.compile(
    rb"(?<![-\x93\x94])(?:%b|-){1,8}(BEGIN|END) SSH SIGNATURE(?:%b|-){1,8}" % (_SMART_DASH, _SMART_DASH)
)
_SMART_QUOTES = re.compile(rb"\xe2\x80([\x98\x99])|\xe2\x80[\x9c\x9d]")
_UU = re.compile(rb"^begin [0-7]{3,4} ([^\n]{1,200})\n(?:[!-`][^\n]{0,90}+\n)++", re.MULTILINE)
_BASE64 = re.compile(rb"^(?:[A-Za-z0-9+/]{40,}+\n?)++[A-Za-z0-9+/]*+={0,2}", re.MULTILINE)


@frozen
class Unread:
    """An unreadable file. ``place``: its name, '' for the outermost file; ``what``: its kind."""

    place: str
    what: str


@dataclass
class Budget:
    """The limits of reading a file and all files packed inside. Each read reduces ``size`` (bytes) and ``files``."""

    size: int = 4 * 1024 * 1024  # unpacked bytes
    files: int = 100  # packed files
    parts: int = 200  # parts of a mail
    depth: int = 12  # nested mails, multiparts and packed files


def name_kind(data: bytes) -> str:
    """Return the kind of a file by its first bytes: one of PACKED, another kind in words, or '' for text."""
    match = _KIND.match(data)
    return tuple(_KINDS)[(match.lastindex or 1) - 1] if match else ""


def decode_body(body: bytes, encoding: str) -> bytes:
    """Return a mail's body without its transfer encoding. If the body is cut off, decode the part that arrived."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding != "base64":
        return body
    try:
        return binascii.a2b_base64(body)
    except binascii.Error:
        digits = body.translate(None, _NO_DIGITS)
        return binascii.a2b_base64(digits[: len(digits) // 4 * 4])


def normalize_text(data: bytes) -> bytes:
    """Return a text with LF at line ends. UTF-16 becomes UTF-8. Other encodings stay, as turns are plain ASCII."""
    head = data[:100]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or 2 * head.count(0) >= len(head) - 4 > 0:
        little = head.startswith(b"\xff\xfe") or head[1::2].count(0) > head[::2].count(0)
        data = data.decode("utf-16-le" if little else "utf-16-be", "replace").encode("utf-8", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def join_flowed_lines(text: bytes, *, joined: bool) -> bytes:
    """Undo format=flowed (RFC 3676): join a line that ends in a blank to the next line. Drop leading blanks."""
    lines, open_depth = list[list[bytes]](), -1
    for line in text.split(b"\n"):
        match = _QUOTES.match(line)
        marks, said = (match[1], match[2]) if match else (b"", line)
        if open_depth == len(marks) and said != b"-- ":
            lines[-1].append(said)
        else:
            lines.append([b"> " * len(marks) + said])
        flows = said.endswith(b" ") and said != b"-- "
        open_depth = len(marks) if flows else -1
        if flows and joined:
            lines[-1][-1] = lines[-1][-1][:-1]
    return b"\n".join(map(b"".join, lines))


def repair_signs(text: bytes) -> bytes:
    """Return a turn in ASCII: typographic blanks, quotes and dashes of a mail program become their ASCII signs."""
    if text.isascii():
        return text
    if _SMART.search(text):
        text = _SMART_QUOTES.sub(lambda match: b"'" if match[1] else b'"', text)
        text = _SMART_ARMOR.sub(rb"-----\1 SSH SIGNATURE-----", text)
    if b"\xa0" not in text or not _HARD_ARMOR.search(text):
        return text
    return _HARD_BLANK.sub(lambda match: match[0].replace(b"\xc2\xa0", b" ").replace(b"\xa0", b" "), text)


def find_encoded(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file in a text: as uuencode, or without a name as %XX or base64."""
    if (at := text.find(b"kursk-pbem%3A")) >= 0:
        yield "", urllib.parse.unquote_to_bytes(text[at:].replace(b"+", b" "))
    for match in islice(_UU.finditer(text), 20) if b"begin " in text else ():
        with suppress(ValueError):
            yield match[1].decode("utf-8", "replace"), codecs.decode(match[0] + b"end\n", "uu")
    for match in islice(_BASE64.finditer(text), 20) if b"kursk-" not in text else ():
        data = decode_body(match[0], "base64")
        if b"kursk-" in data or name_kind(data) in PACKED:
            yield "", data
