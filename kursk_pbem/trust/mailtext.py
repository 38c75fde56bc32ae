"""The texts of a mail: its own text, attachments, forwarded mails, pages of HTML, and files in a zip or gzip file.

Nothing is executed, fetched or followed. Every step has a bound: no mail costs more than two seconds or 200 MB.
"""

from __future__ import annotations

import binascii
import html
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message as Headers
from email.parser import HeaderParser
from email.policy import compat32
from io import BytesIO
from itertools import islice, pairwise

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats.canonical import MAX_BYTES

MAX_MAIL = 32 * 1024 * 1024
"""Bytes of a saved mail or mailbox."""
TOO_LONG = (
    f"the turn that begins here is longer than the {MAX_BYTES} bytes that a turn may have; ask its writer for "
    "one that says less"
)
MAX_HEADER = 65_536
MAX_FIELD = 2_000
"""Letters of a Content-Type or another field about a part: the library reads longer ones too slowly."""
MAX_PARTS, MAX_DEPTH = 200, 6
"""Parts of a mail, and how many mails and multiparts may be inside each other."""
MAX_UNPACKED, MAX_FILES = 4 * 1024 * 1024, 100
"""Bytes that the zip and gzip files of a mail may hold together, and files in one zip file."""
MAX_PAGES = 1024 * 1024
"""Bytes of the pages of HTML in a mail that are read."""
MAX_FLOWED = 50_000
"""Lines of a text in format=flowed."""
MAX_BLOCKS = 2_000
"""Turns and papers in a mail."""

_MAILBOX = re.compile(rb"\n\n(?=From [^\n]{0,200}[0-9]:[0-9][^\n]{0,200}\n)")
_BLANK_LINE = re.compile(rb"\n\n|\A\n")
_FIELD = re.compile(rb"^content-[a-z-]{1,40}:[^\n]*+(?:\n[ \t][^\n]*+)*+", re.IGNORECASE | re.MULTILINE)
_NAME = re.compile(rb"""name\*?(?:[0-9]{1,2}\*?)?=[ \t]{0,9}"?([^"\r\n;]{1,200})""", re.IGNORECASE)
_BREAK = re.compile(rb"<(?:br[ \t]{0,9}/?|/(?:p|div|li|tr|pre|h[1-6]))[ \t]{0,9}>\n*", re.IGNORECASE)
_TAG = re.compile(rb"<[^<>]{0,1000}>")
_LONG_ENTITY = re.compile(r"&#\w{9,}+")
_QUOTES = re.compile(rb"(>*)(?: ?)(.*)", re.DOTALL)
_BEGIN = re.compile(rb"^kursk-(?:pbem|tournament):[ \t]*['\"]?[0-9]", re.MULTILINE)
_MAYBE_QUOTED = re.compile(rb"^(?:> ?)?kursk-(?:pbem|tournament):[ \t]*['\"]?[0-9]", re.MULTILINE)
_SIGNATURE, _END = b"\nsignature:", b"-----END SSH SIGNATURE-----"
_TRAILING = re.compile(rb"[ \t]++$", re.MULTILINE)
_STATE = re.compile(rb"[ \t]*+\n(?:[ \t]*+\n)*+(state:[ \t]*+(?:#[^\n]*+)?+\n(?:[ \t][^\n]*+\n|\n)++)")


@dataclass(frozen=True)
class Part:
    """A decoded text of a mail, with LF at line ends.

    ``place``: the file or the forwarded mail that it is from, '' for the mail's own text.
    """

    text: bytes = field(repr=False)
    place: str = ""
    words: bool = False  # plain text that a reader sees first


@dataclass
class Opened:
    """A mail, opened. ``parts``: its texts and files; ``names``: the names of its files, and of those in zip files."""

    parts: list[Part] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Block:
    """A turn or paper in a mail: from its first line to the end of its signature; the position below it, if any.

    ``fault``: why it is not complete, '' if it is.
    """

    text: bytes
    state: bytes
    place: str
    fault: str


def open_mail(raw: bytes, name: str) -> Opened:
    """Return the texts of a mail, of a mailbox (mbox), or of a saved text. FileError if the mail is too complicated."""
    if len(raw) > MAX_MAIL:
        raise FileError(f"more than {MAX_MAIL // 1024 // 1024} MiB; save the mail with the turn by itself", Where(name))
    reader = _Reader(name)
    raw = _plain(raw)
    for mail in _MAILBOX.split(raw) if raw.startswith(b"From ") else (raw,):
        reader.left = MAX_PARTS
        reader.read_mail(mail, "", 0)
    return reader.opened


def file_names(raw: bytes) -> bytes:
    """Return the names of the files of a mail, one a line."""
    return b"\n".join(_NAME.findall(raw))


def find_blocks(opened: Opened, name: str, first_word: str) -> Iterator[Block]:
    """Yield the turns or papers that begin with ``first_word``. FileError if there are too many.

    Quoted ones (``> `` in front of each line) are read only if no other one begins in the mail.
    """
    parts = opened.parts
    if not any(_BEGIN.search(part.text) for part in parts):
        parts = [Part(_unquoted(part.text), part.place) for part in parts if _MAYBE_QUOTED.search(part.text)]
    left = MAX_BLOCKS
    for part in parts:
        starts = [match.start() for match in islice(_BEGIN.finditer(part.text), left + 1)]
        left -= len(starts)
        if left < 0:
            raise FileError(f"it holds more than {MAX_BLOCKS} turns; save the one mail with the turn", Where(name))
        for start, end in pairwise([*starts, len(part.text)]):
            if part.text.startswith(first_word.encode("ascii") + b":", start):
                yield _block(part.text[start:end], part.place)


def _unquoted(text: bytes) -> bytes:
    return (b"\n" + text).replace(b"\n> ", b"\n").replace(b"\n>", b"\n")


def _block(text: bytes, place: str) -> Block:
    signed = text.find(_SIGNATURE)
    end = text.find(_END, signed) if signed >= 0 else -1
    if end < 0:
        cut = signed >= 0 or re.search(rb"^(?:commit|mix|state-in|state-out):", text, re.MULTILINE) is not None
        return Block(text, b"", place, "is cut off" if cut else "is not signed")
    if end - signed > MAX_FIELD:
        return Block(text, b"", place, "was changed on its way")
    end += len(_END)
    state = _STATE.match(text if text.endswith(b"\n") else text + b"\n", end)
    signature = _TRAILING.sub(b"", text[signed:end])  # in another form it would be another copy
    return Block(text[:signed] + signature + b"\n", state[1] if state else b"", place, "")


class _Reader:
    """Opens one mail; counts what has been opened."""

    def __init__(self, name: str) -> None:
        self.name, self.opened = name, Opened()
        self.left, self.unpacked, self.pages = MAX_PARTS, MAX_UNPACKED, MAX_PAGES

    def read_mail(self, raw: bytes, place: str, depth: int, kind: str = "text/plain") -> None:
        """Read a mail or a part of one: a header, an empty line, a body. FileError."""
        self.left -= 1
        if depth > MAX_DEPTH or self.left < 0:
            why = "it is made of too many parts: ask for the turn again, as the only attachment of a mail"
            raise FileError(why, Where(self.name))
        blank = _BLANK_LINE.search(raw, 0, MAX_HEADER)
        head, body = (raw[: blank.start()], raw[blank.end() :]) if blank else (raw[:MAX_HEADER], raw[MAX_HEADER:])
        headers = _headers(head)
        headers.set_default_type(kind)
        kind, file = headers.get_content_type(), _param(headers, "filename", "Content-Disposition")
        file = file or _param(headers, "name")
        self.opened.names += [file] if file else []
        if kind.startswith("multipart/"):
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            for part in _inner(body, _param(headers, "boundary")):
                self.read_mail(part, place, depth + 1, inner)
            return
        data = _decoded(body, str(headers.get("Content-Transfer-Encoding", "")).strip().lower())
        place = file or place
        if kind == "message/rfc822" or file.lower().endswith(".eml"):
            self.read_mail(_plain(data), place or "a forwarded mail", depth + 1)
        elif kind == "text/html":
            self._add(self._shown(_plain(data)), place)
        elif not depth and _MAYBE_QUOTED.search(head):
            self._add(raw, place)  # a text that was saved without its header
        elif kind == "text/plain" and not place and headers.get_content_disposition() != "attachment":
            flowed, joined = _param(headers, "format").lower() == "flowed", _param(headers, "delsp").lower() == "yes"
            text = _plain(data)
            text = _unflow(text, joined=joined) if flowed and text.count(b"\n") <= MAX_FLOWED else text
            self.opened.parts.append(Part(text, words=True))
        else:
            self._read_file(data, place)

    def _read_file(self, data: bytes, file: str) -> None:
        """Read an attachment, whatever kind it says to be; it may be packed."""
        if data.startswith(b"\x1f\x8b"):
            try:
                self._add_unpacked(zlib.decompressobj(31).decompress(data, self.unpacked + 1), file)
            except zlib.error:
                self._add(data, file)
        elif data.startswith(b"PK\3\4") and data.count(b"PK\1\2") <= MAX_FILES:
            try:
                self._unzip(data)
            except (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, NotImplementedError):
                self._add(data, file)
        else:
            self._add(_plain(data), file)

    def _unzip(self, data: bytes) -> None:
        with zipfile.ZipFile(BytesIO(data)) as there:
            for info in there.infolist():
                self.opened.names.append(info.filename)
                if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not info.flag_bits & 1:
                    with there.open(info) as file:
                        self._add_unpacked(file.read(self.unpacked + 1), info.filename)

    def _add_unpacked(self, data: bytes, file: str) -> None:
        self.unpacked -= len(data)
        if self.unpacked < 0:
            raise FileError("a packed file in it is too large: ask for the turn without packing it", Where(self.name))
        self._add(_plain(data), file)

    def _add(self, text: bytes, place: str) -> None:
        self.opened.parts.append(Part(text, place))

    def _shown(self, page: bytes) -> bytes:
        """Return the text of a page of HTML, without its tags; pages without a turn are left as they are."""
        if b"kursk-" not in page:
            return page
        self.pages -= len(page)
        text = _TAG.sub(b"", _BREAK.sub(b"\n", page)) if self.pages >= 0 else page
        shown = html.unescape(_LONG_ENTITY.sub("", text.decode("utf-8", "replace"))) if self.pages >= 0 else ""
        return shown.replace("\xa0", " ").encode("utf-8", "replace") or page


def _headers(head: bytes) -> Headers:
    """Return the fields of a header that are about its body; long ones are left out."""
    fields = islice((one for one in _FIELD.findall(head) if len(one) <= MAX_FIELD), 12)
    return HeaderParser(policy=compat32).parsestr("".join(one.decode("ascii", "replace") + "\n" for one in fields))


def _param(headers: Headers, name: str, header: str = "Content-Type") -> str:
    """Return a parameter of a field, '' without it or if nobody can read it."""
    try:
        value = headers.get_param(name, "", header)
        text = value if isinstance(value, str) else value[2] or ""
    except ValueError:  # a piece of RFC 2231 in no character set
        return ""
    return " ".join(text.split())


def _inner(body: bytes, boundary: str) -> list[bytes]:
    """Return the parts of a multipart body. If the last boundary is missing, the last part ends with the body."""
    if not boundary:
        return [b"\n" + body]
    mark = b"\n--" + boundary.encode("ascii", "replace")
    pieces = (b"\n" + body).split(mark, MAX_PARTS + 1)[1:]
    last = next((at for at, piece in enumerate(pieces) if piece.startswith(b"--")), len(pieces))
    return [piece.partition(b"\n")[2] for piece in pieces[:last]]


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding != "base64":
        return body
    try:
        return binascii.a2b_base64(body)
    except binascii.Error:  # cut off
        digits = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
        return binascii.a2b_base64(digits[: len(digits) // 4 * 4])


def _plain(data: bytes) -> bytes:
    """Return a text as UTF-8 with LF at line ends. A turn is plain ASCII, so only UTF-16 needs decoding."""
    head = data[:100]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or 2 * head.count(0) >= len(head) - 4 > 0:
        little = head.startswith(b"\xff\xfe") or head[1::2].count(0) > head[::2].count(0)
        data = data.decode("utf-16-le" if little else "utf-16-be", "replace").encode("utf-8", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _unflow(text: bytes, *, joined: bool) -> bytes:
    """Undo format=flowed (RFC 3676): join the lines that end with a blank, remove the blank in front of others."""
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
