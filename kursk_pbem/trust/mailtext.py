"""The texts of a mail: body, attachments, forwarded mails, pages of HTML, links, and files in zip or gzip files.

Nothing is executed, fetched or followed. Every step has a limit: a mail costs at most two seconds or 200 MB.
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
from kursk_pbem.trust import link

MAX_MAIL = 32 * 1024 * 1024
"""Bytes of a saved mail or mailbox."""
TOO_LONG = f"the turn beginning here is longer than {MAX_BYTES} bytes, the maximum; ask the sender for a shorter turn"
MAX_HEADER = 65_536
MAX_FIELD = 2_000
"""Letters of a Content-Type or a similar field. The library reads longer fields too slowly."""
MAX_PARTS, MAX_DEPTH = 200, 6
"""Parts of a mail, and the depth of nested mails and multiparts."""
MAX_UNPACKED, MAX_FILES = 4 * 1024 * 1024, 100
"""Total bytes of the zip and gzip files of a mail, and files in one zip file."""
MAX_PAGES = 1024 * 1024
"""Total bytes of the parsed HTML pages of a mail."""
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
_BEGIN = re.compile(rb"^kursk-(?:pbem|tournament|invitation):[ \t]*['\"]?[0-9]", re.MULTILINE)
_MAYBE_QUOTED = re.compile(rb"^(?:> ?)?kursk-(?:pbem|tournament|invitation):[ \t]*['\"]?[0-9]", re.MULTILINE)
_SIGNATURE, _END = b"\nsignature:", b"-----END SSH SIGNATURE-----"
_TRAILING = re.compile(rb"[ \t]++$", re.MULTILINE)
_STATE = re.compile(rb"[ \t]*+\n(?:[ \t]*+\n)*+(state:[ \t]*+(?:#[^\n]*+)?+\n(?:[ \t][^\n]*+\n|\n)++)")


@dataclass(frozen=True)
class Part:
    """A decoded text of a mail, with LF at line ends.

    ``place``: the source file or forwarded mail, '' for the mail's own text.
    """

    text: bytes = field(repr=False)
    place: str = ""
    words: bool = False  # plain text, shown first to a reader


@dataclass
class Opened:
    """An opened mail. ``parts``: its texts and files; ``names``: the names of its files and of zipped files."""

    parts: list[Part] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Block:
    """A turn or paper in a mail, from its first line to the end of its signature, and the position below.

    ``fault``: why the block is incomplete, otherwise ''.
    """

    text: bytes
    state: bytes
    place: str
    fault: str


def open_mail(raw: bytes, name: str) -> Opened:
    """Return the texts of a mail, a mailbox (mbox) or a saved text. Raises FileError if the mail is too complex."""
    if len(raw) > MAX_MAIL:
        raise FileError(f"more than {MAX_MAIL // 1024 // 1024} MiB; save the mail with the turn by itself", Where(name))
    reader = _Reader(name)
    raw = _normalize_text(raw)
    for mail in _MAILBOX.split(raw) if raw.startswith(b"From ") else (raw,):
        reader.left = MAX_PARTS
        reader.read_mail(mail, "", 0)
    parts = reader.opened.parts
    if not any(_MAYBE_QUOTED.search(part.text) for part in parts):
        linked = next((text for text in (*(part.text for part in parts), raw) if link.is_link(text)), b"")
        parts += [Part(text, "a link") for text in link.read_links(linked, name)]
    return reader.opened


def list_file_names(raw: bytes) -> bytes:
    """Return the file names of a mail, one a line."""
    return b"\n".join(_NAME.findall(raw))


def find_blocks(opened: Opened, name: str, first_word: str) -> Iterator[Block]:
    """Yield the turns or papers beginning with ``first_word``. Raises FileError if there are too many.

    Quoted blocks (``> `` before each line) are read only if the mail contains no unquoted block.
    """
    parts = opened.parts
    if not any(_BEGIN.search(part.text) for part in parts):
        parts = [Part(_remove_quotes(part.text), part.place) for part in parts if _MAYBE_QUOTED.search(part.text)]
    left = MAX_BLOCKS
    for part in parts:
        starts = [match.start() for match in islice(_BEGIN.finditer(part.text), left + 1)]
        left -= len(starts)
        if left < 0:
            raise FileError(f"more than {MAX_BLOCKS} turns; save the mail with the turn alone", Where(name))
        for start, end in pairwise([*starts, len(part.text)]):
            if part.text.startswith(first_word.encode("ascii") + b":", start):
                yield _cut_block(part.text[start:end], part.place)


def _remove_quotes(text: bytes) -> bytes:
    return (b"\n" + text).replace(b"\n> ", b"\n").replace(b"\n>", b"\n")


def _cut_block(text: bytes, place: str) -> Block:
    signed = text.find(_SIGNATURE)
    end = text.find(_END, signed) if signed >= 0 else -1
    if end < 0:
        cut = signed >= 0 or re.search(rb"^(?:commit|mix|state-in|state-out):", text, re.MULTILINE) is not None
        return Block(text, b"", place, "is cut off" if cut else "is not signed")
    if end - signed > MAX_FIELD:
        return Block(text, b"", place, "was changed on its way")
    end += len(_END)
    state = _STATE.match(text if text.endswith(b"\n") else text + b"\n", end)
    signature = _TRAILING.sub(b"", text[signed:end])  # a different spelling would count as a second copy
    return Block(text[:signed] + signature + b"\n", state[1] if state else b"", place, "")


class _Reader:
    """Open one mail within the limits."""

    def __init__(self, name: str) -> None:
        self.name, self.opened = name, Opened()
        self.left, self.unpacked, self.pages = MAX_PARTS, MAX_UNPACKED, MAX_PAGES

    def read_mail(self, raw: bytes, place: str, depth: int, kind: str = "text/plain") -> None:
        """Read a mail or a part: a header, an empty line, a body. Raises FileError."""
        self.left -= 1
        if depth > MAX_DEPTH or self.left < 0:
            why = "it is made of too many parts: ask for the turn again, as the only attachment of a mail"
            raise FileError(why, Where(self.name))
        blank = _BLANK_LINE.search(raw, 0, MAX_HEADER)
        head, body = (raw[: blank.start()], raw[blank.end() :]) if blank else (raw[:MAX_HEADER], raw[MAX_HEADER:])
        headers = _parse_headers(head)
        headers.set_default_type(kind)
        kind, file = headers.get_content_type(), _read_parameter(headers, "filename", "Content-Disposition")
        file = file or _read_parameter(headers, "name")
        self.opened.names += [file] if file else []
        if kind.startswith("multipart/"):
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            for part in _split_multipart(body, _read_parameter(headers, "boundary")):
                self.read_mail(part, place, depth + 1, inner)
            return
        data = _decode_body(body, str(headers.get("Content-Transfer-Encoding", "")).strip().lower())
        place = file or place
        if kind == "message/rfc822" or file.lower().endswith(".eml"):
            self.read_mail(_normalize_text(data), place or "a forwarded mail", depth + 1)
        elif kind == "text/html":
            self._add_part(self._read_html(_normalize_text(data)), place)
        elif not depth and _MAYBE_QUOTED.search(head):
            self._add_part(raw, place)  # a text saved without its header
        elif kind == "text/plain" and not place and headers.get_content_disposition() != "attachment":
            flowed, joined = (
                _read_parameter(headers, "format").lower() == "flowed",
                _read_parameter(headers, "delsp").lower() == "yes",
            )
            text = _normalize_text(data)
            text = _join_flowed_lines(text, joined=joined) if flowed and text.count(b"\n") <= MAX_FLOWED else text
            self.opened.parts.append(Part(text, words=True))
        else:
            self._read_file(data, place)

    def _read_file(self, data: bytes, file: str) -> None:
        """Read an attachment of any declared type, packed or not."""
        if data.startswith(b"\x1f\x8b"):
            try:
                self._add_unpacked(zlib.decompressobj(31).decompress(data, self.unpacked + 1), file)
            except zlib.error:
                self._add_part(data, file)
        elif data.startswith(b"PK\3\4") and data.count(b"PK\1\2") <= MAX_FILES:
            try:
                self._unzip(data)
            except (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, NotImplementedError):
                self._add_part(data, file)
        else:
            self._add_part(_normalize_text(data), file)

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
        self._add_part(_normalize_text(data), file)

    def _add_part(self, text: bytes, place: str) -> None:
        self.opened.parts.append(Part(text, place))

    def _read_html(self, page: bytes) -> bytes:
        """Return the text of an HTML page without tags. A page without a turn is returned unchanged."""
        if b"kursk-" not in page:
            return page
        self.pages -= len(page)
        text = _TAG.sub(b"", _BREAK.sub(b"\n", page)) if self.pages >= 0 else page
        shown = html.unescape(_LONG_ENTITY.sub("", text.decode("utf-8", "replace"))) if self.pages >= 0 else ""
        return shown.replace("\xa0", " ").encode("utf-8", "replace") or page


def _parse_headers(head: bytes) -> Headers:
    """Return the header fields about the body, without overlong fields."""
    fields = islice((one for one in _FIELD.findall(head) if len(one) <= MAX_FIELD), 12)
    return HeaderParser(policy=compat32).parsestr("".join(one.decode("ascii", "replace") + "\n" for one in fields))


def _read_parameter(headers: Headers, name: str, header: str = "Content-Type") -> str:
    """Return a parameter of a field, or '' if missing or unreadable."""
    try:
        value = headers.get_param(name, "", header)
        text = value if isinstance(value, str) else value[2] or ""
    except ValueError:  # a piece of RFC 2231 with an unknown character set
        return ""
    return " ".join(text.split())


def _split_multipart(body: bytes, boundary: str) -> list[bytes]:
    """Return the parts of a multipart body. Without a closing boundary, the last part ends with the body."""
    if not boundary:
        return [b"\n" + body]
    mark = b"\n--" + boundary.encode("ascii", "replace")
    pieces = (b"\n" + body).split(mark, MAX_PARTS + 1)[1:]
    last = next((at for at, piece in enumerate(pieces) if piece.startswith(b"--")), len(pieces))
    return [piece.partition(b"\n")[2] for piece in pieces[:last]]


def _decode_body(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding != "base64":
        return body
    try:
        return binascii.a2b_base64(body)
    except binascii.Error:  # cut off
        digits = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
        return binascii.a2b_base64(digits[: len(digits) // 4 * 4])


def _normalize_text(data: bytes) -> bytes:
    """Return a text as UTF-8 with LF at line ends. Turns are plain ASCII, so only UTF-16 needs decoding."""
    head = data[:100]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or 2 * head.count(0) >= len(head) - 4 > 0:
        little = head.startswith(b"\xff\xfe") or head[1::2].count(0) > head[::2].count(0)
        data = data.decode("utf-16-le" if little else "utf-16-be", "replace").encode("utf-8", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _join_flowed_lines(text: bytes, *, joined: bool) -> bytes:
    """Undo format=flowed (RFC 3676): join lines with a final blank, remove the leading blank of others."""
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
