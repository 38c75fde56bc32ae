"""A mail as it came, and the little that is read of its header: who seems to have sent it, about what, by which way.

Nothing of this is believed. It is shown to people, and says which mails are worth a look.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message as Headers
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import cached_property, lru_cache

from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox.letter import OURS
from kursk_pbem.trust import mailtext

MAX_HEADER = 65_536
MAX_MAIL = 8 * 1024 * 1024
"""Bytes of a mail that is looked through; a larger one is named."""

_MAX_SUBJECT = 1000
"""Characters of a subject that are read: to decode ``punycode`` costs the square of its length."""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n|\r\r")
_ABOUT_GAME = re.compile(r"(?<![a-z0-9])kursk[^a-z0-9]{1,9}[0-9a-f]{8}|(?<![a-z0-9])game-[0-9a-f]{16}", re.IGNORECASE)
"""How a subject, or the name of a file, says which game it is about."""
_THREAD = re.compile(r"<k1\.(?:[0-9a-f]{32}|game|words)\.")
_LETTER_ID = re.compile(r"<k1\.[0-9a-f]{32}\.[0-9]{1,4}@")
_NO_FIELD = re.compile(rb"^(?![!-9;-~]+[ \t]*:|[ \t]).*\n?", re.MULTILINE)
"""A line of a header that is no field: the library would take all below it for the body."""


@dataclass(frozen=True)
class Mail:
    """A mail: its bytes, and what to call the place it is from (a file, a folder of a server).

    ``times``: when it was ``fetched`` and when it ``arrived``, as far as that is known. ``fault``: why this is its
    header alone and nothing else of it is looked through, '' if it is whole.
    """

    raw: bytes = field(repr=False)
    place: str
    times: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""

    def __post_init__(self) -> None:
        if b"\r\r\n" in self.raw:  # some programs write a CR too many at the end of each line
            object.__setattr__(self, "raw", self.raw.replace(b"\r\r\n", b"\r\n"))

    @cached_property
    def _head(self) -> bytes:
        return _head(self.raw)

    @property
    def headers(self) -> Headers:
        """Its header fields."""
        return _fields(self._head)

    def header(self, name: str) -> str:
        """Return a header field in one line; '' without it."""
        return " ".join(str(self.headers.get(name, "")).split())

    def every(self, name: str) -> list[str]:
        """Return every header field of a name, each in one line."""
        return [" ".join(str(value).split()) for value in self.headers.get_all(name, [])]

    @cached_property
    def sender(self) -> str:
        """The address that it says to be from, '' if that is none that could be used."""
        return addresses.sender(self.header("From"))

    @cached_property
    def writer(self) -> str:
        """The address of the person who wrote it, '' for the report of a server."""
        return "" if self.by_server else self.sender

    @cached_property
    def message_id(self) -> str:
        """Its Message-ID, '' if it has none that could stand in another header."""
        text = self.header("Message-ID")
        return text if addresses.is_message_id(text) else ""

    @property
    def said(self) -> dict[str, str]:
        """What is stored of it: its ``message`` id, its ``sender`` and its times."""
        return {"message": self.message_id, "sender": self.writer, **self.times}

    @cached_property
    def subject(self) -> str:
        """The beginning of its subject, decoded as far as that goes."""
        return addresses.decoded(self.header("Subject")[:_MAX_SUBJECT])

    @cached_property
    def name(self) -> str:
        """What it is called in messages: sender, subject and date, or the place if it is a turn alone."""
        if self.header("kursk-pbem") or not (self.header("From") or self.header("Subject")):
            return self.place
        date = f", {show(self.header('Date'))}" if self.header("Date") else ""
        return f"{self.place}: the mail from {show(self.header('From'))}, subject {show(self.subject)}{date}"

    @cached_property
    def ours(self) -> bool:
        """Whether its subject, its thread or the name of a file says that it is about a game."""
        files = mailtext.list_file_names(self.raw).decode("utf-8", "replace")
        thread = f"{self.header('In-Reply-To')} {self.header('References')}"
        return bool(_THREAD.search(thread) or _ABOUT_GAME.search(self.subject) or _ABOUT_GAME.search(files))

    @property
    def as_a_desk_wrote_it(self) -> bool:
        """Whether its Message-ID is that of a desk's letter."""
        return _LETTER_ID.match(self.header("Message-ID")) is not None

    @cached_property
    def by_server(self) -> bool:
        """Whether its header fields say so (RFC 3464), its return path is empty, or its sender is a mailer-daemon."""
        signs = [name in self.headers for name in ("X-Failed-Recipients", "X-DSNContext")]
        signs += ["mailer-daemon" in self.header("From").lower(), "<>" in self.every("Return-Path")]
        return any(signs) or self.header("Content-Type").lower().startswith("multipart/report")

    @cached_property
    def without_body(self) -> Mail:
        """Its header alone."""
        return Mail(self._head, self.place, self.times)

    @property
    def _submitted(self) -> list[str]:
        """What fields say of how it was written (RFC 3834)."""
        return [re.split(r"[;(\s]", value.strip().lower())[0] for value in self.every("Auto-Submitted")]

    @cached_property
    def automatic(self) -> bool:
        """Whether a program wrote it."""
        return any(word not in ("", "no") for word in self._submitted)

    @cached_property
    def replied(self) -> bool:
        """Whether a program answers by it: such a mail quotes what came. The letters of a referee are none."""
        return OURS not in self.headers and any(word in ("auto-replied", "auto-notified") for word in self._submitted)

    @cached_property
    def digest(self) -> str:
        """What tells it from other mails, as far as its header goes: 64 hex digits."""
        return digest_of(self.raw)


@lru_cache(maxsize=4)
def _fields(head: bytes) -> Headers:
    """Parse a header. Only the last few are kept: a stranger's may take 35 times their length."""
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return BytesHeaderParser(policy=compat32).parsebytes(_NO_FIELD.sub(b"", head))


def digest_of(raw: bytes) -> str:
    """Return what tells a mail, or its header alone, from others."""
    return hashlib.sha256((_head(raw) or raw).replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()


def _head(raw: bytes) -> bytes:
    """Return what is before the first empty line of a mail, as far as it counts."""
    end = _BLANK_LINE.search(raw, 0, MAX_HEADER)
    return raw[: end.start() if end else MAX_HEADER]
