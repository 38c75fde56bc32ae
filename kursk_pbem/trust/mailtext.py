"""The texts of a mail or another file: body, attachments, forwarded mails, pages of HTML, links, packed files.

Nothing is executed, fetched or followed. Every step has a limit: a mail costs at most two seconds or 200 MB.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import decoding, link
from kursk_pbem.trust.decoding import Budget, Unread, normalize_text

if TYPE_CHECKING:
    from email.message import Message as Headers

TOO_LONG = f"the turn beginning here is longer than {MAX_BYTES} bytes, the maximum; ask the sender for a shorter turn"
MAX_HEADER = 65_536
MAX_FIELD = 2_000
"""Maximum length of a Content-Type or a similar field, because Python's mail parser is too slow with longer ones."""
MAX_PAGES = 1024 * 1024
"""Maximum total size, in bytes, of the HTML pages of a mail that are parsed."""
MAX_FLOWED = 50_000
"""Maximum number of lines of a text in format=flowed."""
MAX_BLOCKS = 2_000
"""Maximum number of turns and papers in a mail."""

MAIL = re.compile(  # a field that few other texts have, after other fields
    rb"(?i)(?:(?!kursk-)[!-9;-~]{1,60}+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*?(?:Content-Type|Message-ID|Received):"
)
_MAILBOX = re.compile(rb"\n\n(?=From [^\n]{0,200}[0-9]:[0-9][^\n]{0,200}\n)")
_BLANK_LINE = re.compile(rb"\n\n|\A\n")
_FIELD = re.compile(rb"^content-[a-z-]{1,40}:[^\n]*+(?:\n[ \t][^\n]*+)*+", re.IGNORECASE | re.MULTILINE)
_HEADER = re.compile(rb"(?:[^\n]*\n){0,2}[A-Za-z][A-Za-z0-9-]{1,60}:[ \t\n]")
_SAVED = re.compile(rb"(?!kursk-)" + _HEADER.pattern)
_NAME = re.compile(rb"""name\*?(?:[0-9]{1,2}\*?)?=[ \t]{0,9}"?([^"\r\n;]{1,200})""", re.IGNORECASE)
_BREAK = re.compile(rb"<(?:br[ \t]{0,9}/?|/(?:p|div|li|tr|pre|h[1-6]))[ \t]{0,9}>\n*", re.IGNORECASE)
_TAG = re.compile(rb"<[^<>]{0,1000}>")
_PAGE = re.compile(rb"(?i)\s*+<(?:!doctype html|html|head|body|div|p|pre)\b")
_JSON, _STRING = (
    re.compile(rb"\s*+[\[{](?!\"(?:branches|commit)\":)"),
    re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL),
)
_ELSEWHERE = re.compile(rb"^X-(?:Apple-Content-Length|Mozilla-Altered):", re.MULTILINE)
_LONG_ENTITY = re.compile(r"&#\w{9,}+")
_FIRST = rb"kursk-(?:pbem|tournament|invitation):[ \t]*(?:['\"]|[\x80-\xff]{1,3})?[0-9]"
_BEGIN, _WITHIN = re.compile(rb"^" + _FIRST, re.MULTILINE), re.compile(_FIRST)
_BEHIND = re.compile(_FIRST + rb"['\"\x80-\xff]{0,3}[ \t]*+\n")
_MAYBE_QUOTED = re.compile(rb"^([> \t|]{0,40})" + _FIRST, re.MULTILINE)
CUT, UNSIGNED, CHANGED = "is cut off", "is not signed", "was changed on the way"
"""The faults of a block, in words."""
_SIGNATURE, _ARMOR, _END = b"\nsignature:", b"-----BEGIN SSH SIGNATURE", b"-----END SSH SIGNATURE-----"
_PRIVATE = re.compile(rb"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END[^\n]*|\Z)", re.DOTALL)
_RECORD = re.compile(rb"(?s)PuTTY-User-Key|\{\s*\"(?:at\": \"[^\"]*\",\s*\"id\": |folder\": .*\"secret\": )")
_SCRUBBED = re.compile(rb"^A non-text attachment was scrubbed\.\.\.\nName: ([^\n]{1,200})", re.MULTILINE)
_TRAILING = re.compile(rb"[ \t]++$", re.MULTILINE)
_STATE = re.compile(rb"[ \t]*+\n(?:[ \t]*+\n)*+(state:[ \t]*+(?:#[^\n]*+)?+\n(?:[ \t][^\n]*+\n|\n)++)")


@frozen
class Part:
    """A decoded text of a mail, with LF at line ends.

    ``place``: the source file or forwarded mail, '' for the mail's own text.
    """

    text: bytes = field(repr=False)
    place: str = ""
    words: bool = False  # plain text, shown first to a reader


@dataclass
class Opened:
    """An opened mail or file: its texts, and all its files that are no text, even harmless ones such as pictures."""

    parts: list[Part] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


@frozen
class Block:
    """A turn or paper in a mail, from its first line to the end of its signature, and the position below.

    ``fault``: why the block is incomplete, otherwise ''. ``first``: the first word, such as ``kursk-pbem``. ``rest``:
    the text below, to the next first word.
    """

    text: bytes
    state: bytes
    place: str
    fault: str
    first: str
    rest: bytes = field(default=b"", repr=False)


def open_mail(raw: bytes, name: str, budget: Budget | None = None) -> Opened:
    """Return the texts in a mail, mailbox (mbox), packed file or text. Raises FileError if it is too complex."""
    reader = _Reader(name, budget or Budget())
    reader.read_file(raw, "", 0)
    parts = reader.opened.parts
    if not any(b"kursk-" in part.text and _MAYBE_QUOTED.search(part.text) for part in parts):
        linked = next((text for text in (*(part.text for part in parts), raw) if link.is_link(text)), b"")
        parts += [Part(text, "a link") for text in link.read_links(linked, name)]
    return reader.opened


def list_file_names(raw: bytes) -> bytes:
    """Return the names of a mail's attached files, a line for each name."""
    return b"\n".join(_NAME.findall(raw))


def find_blocks(opened: Opened, name: str) -> Iterator[Block]:
    """Yield the turns, papers and invitations in an opened mail. Raises FileError for too many.

    Quoted blocks (``> `` before each line) are read only if the mail contains no unquoted block. Blocks after other
    words in a line, as in an exported chat, are read only if the mail contains no other block.
    """
    parts = [part for part in opened.parts if b"kursk-" in part.text]
    if not any(_BEGIN.search(part.text) for part in parts):
        whole = [Part(_BEHIND.sub(rb"\n\g<0>", part.text), part.place) for part in parts if _ARMOR in part.text]
        parts = [Part(text, part.place) for part in parts for text in _remove_marks(part.text)] or whole
    left = MAX_BLOCKS
    for part in parts:
        starts = [match.start() for match in islice(_BEGIN.finditer(part.text), left + 1)]
        left -= len(starts)
        if left < 0:
            raise FileError(f"the file has more than {MAX_BLOCKS} turns; save only the mail that you need", Where(name))
        for start, end in pairwise([*starts, len(part.text)]):
            yield _cut_block(part.text[start:end], part.place)


def _remove_marks(text: bytes) -> Iterator[bytes]:
    """Yield a text without the marks of quotation or indentation before a first line, for up to three marks."""
    marks = {match[1] for match in islice(_MAYBE_QUOTED.finditer(text), MAX_BLOCKS)}
    for mark in sorted(marks, key=lambda mark: (len(mark), mark))[:3]:
        cut = (b"\n" + text).replace(b"\n" + mark, b"\n")
        yield cut.replace(b"\n" + mark.rstrip(), b"\n") if mark.strip() else cut


def _cut_block(text: bytes, place: str) -> Block:
    first = text.partition(b":")[0].decode("ascii")
    signed = text.find(_SIGNATURE)
    end = text.find(_END, signed) if signed >= 0 else -1
    if end < 0:
        cut = signed >= 0 or re.search(rb"^(?:commit|mix|state-in|state-out):", text, re.MULTILINE) is not None
        changed = _END in text or (_ARMOR in text and signed < 0)
        return Block(text, b"", place, CHANGED if changed else CUT if cut else UNSIGNED, first)
    if end - signed > MAX_FIELD:
        return Block(text, b"", place, CHANGED, first)
    end += len(_END)
    state = _STATE.match(text if text.endswith(b"\n") else text + b"\n", end)
    signature = _TRAILING.sub(b"", text[signed:end])  # a different spelling would count as a second copy
    return Block(text[:signed] + signature + b"\n", state[1] if state else b"", place, "", first, text[end:])


class _Reader:
    """Open one mail or file within the budget."""

    def __init__(self, name: str, budget: Budget) -> None:
        self.name, self.opened, self.budget = name, Opened(), budget
        self.parts, self.pages = budget.parts, MAX_PAGES

    def read_file(self, data: bytes, place: str, depth: int) -> None:
        """Read a file of any kind, judged by its content. Raises FileError."""
        kind = decoding.name_kind(data)
        if depth > self.budget.depth:
            self._add_unread(place, "packed too deep: ask for the turn without packing it")
        elif kind in decoding.PACKED:
            from kursk_pbem.trust import packed  # noqa: PLC0415  15 ms

            for there, found in packed.unpack(data, place, self.budget):
                if isinstance(found, str):
                    self._add_unread(there, found)
                else:
                    self.read_file(found, there, depth + 1)
        else:
            plain = kind and _WITHIN.search(data)  # a file of zeros and texts would pass for UTF-16
            self._read_text(data.replace(b"\r\n", b"\n") if plain else normalize_text(data), kind, place, depth)

    def _read_text(self, text: bytes, kind: str, place: str, depth: int) -> None:
        """Read a mailbox, a page, a mail, or another file; ``kind``: its kind if it is no text."""
        if kind or (b"\0" in text and not MAIL.match(text, 0, MAX_HEADER)):
            self._add_unread(place, kind or "a file of an unknown kind")
            if b"kursk-" in text and "S/MIME" not in kind:  # perhaps a turn as it is
                self._add_text(_WITHIN.sub(rb"\n\g<0>", text), place, depth)
        elif _JSON.match(text) and _WITHIN.search(text):
            strings = (match[0] for match in _STRING.finditer(text) if _WITHIN.search(match[0]))
            for string in islice(strings, MAX_BLOCKS):
                with suppress(ValueError):
                    self._add_text(json.loads(string).encode("utf-8", "replace"), place, depth)
        elif text.startswith(b"From ") and (not depth or _MAILBOX.match(b"\n\n" + text[:500])):
            for mail in _MAILBOX.split(text):
                self.parts = self.parts if depth else self.budget.parts
                self.read_mail(mail, place, depth)
        elif _PAGE.match(text):
            self._add_text(self._read_html(text), place, depth)
        elif not depth or (place.lower().endswith(".eml") and _SAVED.match(text)) or MAIL.match(text, 0, MAX_HEADER):
            self.read_mail(text, place, depth)
        else:
            self._add_text(text, place, depth)

    def read_mail(self, raw: bytes, place: str, depth: int, kind: str = "text/plain") -> None:
        """Read a mail or a part: a header, an empty line, a body. Raises FileError."""
        self.parts -= 1
        if depth > self.budget.depth or self.parts < 0:
            why = "it is made of too many parts: ask for the turn again, as the only attachment of a mail"
            raise FileError(why, Where(self.name))
        blank = _BLANK_LINE.search(raw, 0, MAX_HEADER)
        head, body = (raw[: blank.start()], raw[blank.end() :]) if blank else (raw[:MAX_HEADER], raw[MAX_HEADER:])
        headers = _parse_headers(head)
        headers.set_default_type(kind)
        kind, file = headers.get_content_type(), _read_parameter(headers, "filename", "Content-Disposition")
        file = file or _read_parameter(headers, "name")
        if kind.startswith("multipart/"):
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            for part in _split_multipart(body, _read_parameter(headers, "boundary"), self.budget.parts):
                self.read_mail(part, place, depth + 1, inner)
            return
        if kind.startswith("image/") and headers["Content-ID"]:
            return  # a picture among the words, such as the logo of a company
        if _ELSEWHERE.search(head):
            self._add_unread(file or place, "left out of this file by the mail program: save the attachment by itself")
            return
        data = decoding.decode_body(body, str(headers.get("Content-Transfer-Encoding", "")).strip().lower())
        if kind == "message/rfc822":
            self.read_mail(normalize_text(data), file or place or "a forwarded mail", depth + 1)
        elif kind == "text/html":
            self._add_text(self._read_html(normalize_text(data)), file or place, depth)
        elif not depth and (_MAYBE_QUOTED.search(head) or _ARMOR in head or not _HEADER.match(head + b"\n")):
            self._add_text(raw, place, depth, words=True)  # a text saved without its header
        elif kind == "text/plain" and not file and headers.get_content_disposition() != "attachment":
            text = normalize_text(data)
            if _read_parameter(headers, "format").lower() == "flowed" and text.count(b"\n") <= MAX_FLOWED:
                text = decoding.join_flowed_lines(text, joined=_read_parameter(headers, "delsp").lower() == "yes")
            self._add_text(text, place, depth, words=not place)
        else:
            self.read_file(data, file or place, depth + 1)

    def _add_unread(self, place: str, what: str) -> None:
        self.opened.unread.append(Unread(place, what))

    def _add_text(self, text: bytes, place: str, depth: int, *, words: bool = False) -> None:
        """Add a text without private keys, and read the files encoded in the text."""
        if _RECORD.match(text) or b" PRIVATE KEY-----" in text:
            self._add_unread(place, decoding.PRIVATE)
            text = b"" if _RECORD.match(text) else _PRIVATE.sub(b"", text)
        if b"-----BEGIN PGP MESSAGE-----" in text:
            self._add_unread(place, decoding.ENCRYPTED)
        for lost in islice(_SCRUBBED.finditer(text), 20) if b"scrubbed..." in text else ():
            self._add_unread(lost[1].decode("utf-8", "replace"), "removed by the mailing list: ask for it again")
        self.opened.parts.append(Part(decoding.repair_signs(text), place, words))
        for file, data in decoding.find_encoded(text):
            self.read_file(data, file or place, depth + 1)

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
    from email.parser import HeaderParser  # noqa: PLC0415  costs 8 ms, and few files are mails
    from email.policy import compat32  # noqa: PLC0415

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


def _split_multipart(body: bytes, boundary: str, most: int) -> list[bytes]:
    """Return the parts of a multipart body, or the body without its boundary; a last part may lack its end."""
    if not boundary:
        return [b"\n" + body]
    mark = b"\n--" + boundary.encode("ascii", "replace")
    pieces = (b"\n" + body).split(mark, most + 1)[1:] or [b"\n\n" + body]
    last = next((at for at, piece in enumerate(pieces) if piece.startswith(b"--")), len(pieces))
    return [piece.partition(b"\n")[2] for piece in pieces[:last]]
