"""A received mail and the few facts in its header: apparent sender, subject and route.

The facts are not trusted. They are shown to people, and select mails worth reading.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import field
from email.message import Message as Headers
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import cached_property, lru_cache

from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox.letter import OURS
from kursk_pbem.trust import mailtext

MAX_HEADER = 65_536
MAX_MAIL = 8 * 1024 * 1024
"""Maximum bytes of a mail. Larger mails are reported and not read."""

FILE, PLACE = "file", "place"
"""The place named in the owner's command: the file of the mail, or a folder or mailbox."""
_MAX_SUBJECT = 1000
"""Maximum characters read of a subject: decoding ``punycode`` takes the square of the length."""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n|\r\r")
_ABOUT_GAME = re.compile(r"(?<![a-z0-9])kursk[^a-z0-9]{1,9}[0-9a-f]{8}|(?<![a-z0-9])game-[0-9a-f]{16}", re.IGNORECASE)
"""A game's name in a subject or a file name."""
_THREAD = re.compile(r"<k1\.(?:[0-9a-f]{32}|game|words)\.")
_LETTER_ID = re.compile(r"<k1\.([0-9a-f]{32})\.([0-9]{1,4})@")
_NO_FIELD = re.compile(rb"^(?![!-9;-~]+[ \t]*:|[ \t]).*\n?", re.MULTILINE)
"""A header line without a field: the library would treat all lines below as the body."""


@frozen
class Mail:
    """A mail: its bytes, and ``place``, the name of the file or server's folder with the mail.

    ``times``: the known times, ``fetched`` and ``arrived``. ``fault``: why only the header is kept, or '' for a whole
    mail. ``whole``: the digest of the whole mail if ``raw`` is only its header. ``asked``: did the owner's command name
    this mail? ``FILE``: the command named its file. ``PLACE``: its folder or mailbox. '': neither.
    """

    raw: bytes = field(repr=False)
    place: str
    times: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    whole: str = ""
    asked: str = ""

    @cached_property
    def _head(self) -> bytes:
        end = _BLANK_LINE.search(self.raw, 0, MAX_HEADER)
        return self.raw[: end.start() if end else MAX_HEADER]

    @property
    def headers(self) -> Headers:
        """The header fields of the mail."""
        return _parse_header(self._head)

    def header(self, name: str) -> str:
        """Return a header field in one line, or ''."""
        return " ".join(str(self.headers.get(name, "")).split())

    def header_values(self, name: str) -> list[str]:
        """Return the values of all header fields with a name, each in one line."""
        return [" ".join(str(value).split()) for value in self.headers.get_all(name, [])]

    @cached_property
    def sender(self) -> str:
        """The claimed sender's address, or '' if unusable."""
        return addresses.read_sender(self.header("From"))

    @cached_property
    def writer(self) -> str:
        """The address of the person who wrote the mail, or '' if a server wrote it."""
        return "" if self.by_server else self.sender

    @cached_property
    def message_id(self) -> str:
        """The Message-ID of the mail, or '' if another header must not contain the id."""
        text = self.header("Message-ID")
        return text if addresses.is_message_id(text) else ""

    @property
    def said(self) -> dict[str, str]:
        """The facts about the mail to be saved: ``message`` (the Message-ID), ``sender`` and the times."""
        return {"message": self.message_id, "sender": self.writer, **self.times}

    @cached_property
    def subject(self) -> str:
        """The decoded subject of the mail, cut after a maximum length."""
        return addresses.decode_field(self.header("Subject")[:_MAX_SUBJECT])

    @cached_property
    def name(self) -> str:
        """The name of the mail in messages: sender, subject and date. For a turn from a file, the file's name."""
        if self.header("kursk-pbem") or not (self.header("From") or self.header("Subject")):
            return self.place
        date = f", {show(self.header('Date'))}" if self.header("Date") else ""
        return f"{self.place}: the mail from {show(self.header('From'))}, subject {show(self.subject)}{date}"

    @cached_property
    def ours(self) -> bool:
        """True if the subject, the thread or the name of an attachment refers to a game."""
        files = mailtext.list_file_names(self.raw).decode("utf-8", "replace")
        thread = f"{self.header('In-Reply-To')} {self.header('References')}"
        return bool(_THREAD.search(thread) or _ABOUT_GAME.search(self.subject) or _ABOUT_GAME.search(files))

    @property
    def letter_id(self) -> tuple[str, int]:
        """Digest and edition of this program's letter, read from the Message-ID. Other mails have '' and 0."""
        found = _LETTER_ID.match(self.header("Message-ID"))
        return (found[1], int(found[2])) if found is not None else ("", 0)

    @cached_property
    def by_server(self) -> bool:
        """True for a server's report. Signs: header fields (RFC 3464), empty return path, sender mailer-daemon."""
        signs = [name in self.headers for name in ("X-Failed-Recipients", "X-DSNContext")]
        signs += ["mailer-daemon" in self.header("From").lower(), "<>" in self.header_values("Return-Path")]
        return any(signs) or self.header("Content-Type").lower().startswith("multipart/report")

    @cached_property
    def without_body(self) -> Mail:
        """The mail without its body."""
        return Mail(self._head, self.place, self.times, whole=self.digest)

    @property
    def _submitted(self) -> list[str]:
        """The values of Auto-Submitted (RFC 3834)."""
        return [re.split(r"[;(\s]", value.strip().lower())[0] for value in self.header_values("Auto-Submitted")]

    @cached_property
    def automatic(self) -> bool:
        """True if a program wrote the mail."""
        return any(word not in ("", "no") for word in self._submitted)

    @cached_property
    def replied(self) -> bool:
        """True for an automatic reply that quotes another mail. A letter by a referee's program is not a reply."""
        return OURS not in self.headers and any(word in ("auto-replied", "auto-notified") for word in self._submitted)

    @cached_property
    def header_hash(self) -> str:
        """The hash of the mail's header, 64 hex digits. Mails with equal headers have equal hashes."""
        return _hash(self._head or self.raw)

    @cached_property
    def digest(self) -> str:
        """The id of the mail, 64 hex digits: 32 of the header's hash, then 32 of the whole mail's hash."""
        return self.whole or self.header_hash[:32] + _hash(self.raw)[:32]


@lru_cache(maxsize=4)
def _parse_header(head: bytes) -> Headers:
    """Parse a header. The cache is small: a stranger's headers may take 35 times their length."""
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return BytesHeaderParser(policy=compat32).parsebytes(_NO_FIELD.sub(b"", head))


def _hash(raw: bytes) -> str:
    """Return a hash, equal for each kind of line ends."""
    return hashlib.sha256(raw.replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()
