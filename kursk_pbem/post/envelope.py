"""A mail as it came, and the little that is read of its headers: who seems to have sent it, about what, by which way.

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
from kursk_pbem.post import address as addresses
from kursk_pbem.post.letter import OURS
from kursk_pbem.trust import mailtext

MAX_HEADER = 65_536
MAX_MAIL = 8 * 1024 * 1024
"""Bytes of a mail that is looked through; a larger one is named."""

_MOST_SUBJECT = 1000
"""Characters of a subject that are read: to decode ``punycode`` costs the square of its length."""
_SENDERS = ("From", "Sender", "Resent-From", "Resent-Sender", "Reply-To", "X-Original-From", "Return-Path")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n|\r\r")
_SUBJECT = re.compile(
    r"(?<![a-z0-9])(?:kursk|games?)(?:[^a-z0-9]{1,9}(?:pbem|games?|no|nr|numbers?|ids?)){0,2}[^a-z0-9]{1,9}[0-9a-f]{8}",
    re.IGNORECASE,
)
"""How a subject says that it is about a game: as 'game no. 12345678' too, but not as 'game of 12345678'."""
ABOUT_FILE = re.compile(rb"(?<![a-z0-9])(?:kursk[^A-Za-z0-9]{1,9}[0-9a-f]{8}|game-[0-9a-f]{16})", re.IGNORECASE)
"""How the name of a file says what game it is of: people pack what is mailed, and programs rename it."""
WORDS = "<k1.words."
_OF_THREAD = re.compile(r"(?<![A-Za-z0-9._-])k1\.(?:[0-9a-f]{32}|game|words)\.")
_WORDS_ID = re.compile(r"<k1\.words\.([0-9a-f]{32})(?:\.game-[0-9a-f]{8})?@")
_LETTER_ID = re.compile(r"<k1\.([0-9a-f]{32})\.[0-9]{1,4}@")
_GAME_ID = re.compile(r"<k1\.game\.([0-9a-f]{32})@")
_ANSWER = (
    r"(?![^][(){}]{0,80}(?i:auto|repl|respon|antwort|answer|ticket|case|out of|office|absen|abwes|away|vacation|urlaub"
    r"|holiday|solved|closed|\bre\b|\bfwd?\b|\bwg\b|\baw\b|#))"
)
"""What stands in no brackets of a gateway: programs that answer, and people, write these there."""
_TAGS = (
    rf"(?:\[(?!kursk ){_ANSWER}[^\[\]]{{1,80}}\]|\{{{_ANSWER}[^{{}}]{{1,80}}\}}|\({_ANSWER}[^()]{{1,80}}\)"
    r"|[^][(){}\w]|\d|\b(?i:"
    r"ext|extern\w{0,4}|outside|unverified|untrusted|unsafe|suspicious|likely|possibl[ey]|probabl[ey]|suspected"
    r"|spam|junk|bulk|scam|virus|phish(?:ing)?|caution|warning|attention|achtung|vorsicht|e?mail|message|sender)\b)*+"
)
"""What gateways put before a subject, and no answer: words in brackets or of a few kinds, and signs."""
_ABOUT_GAME = r".{1,200}, (?:papers about )?message [0-9]{1,4}[,:] "
_ABOUT_CUP = (
    r"(?:(?:entry of|stands in for number|opening of draw|(?:opened )?bid for board|a (?:claim about|ruling on) board"
    r"|your game) .{1,60}|a new key|withdrawal|board [^ :]{1,32}: .{1,40}|absent from .{1,30} to .{1,30}"
    r"|.{1,200}: (?:news|a draw|the end|round [0-9]{1,5})|(?!a reminder:)[ A-Za-z0-9.,:;()'/?+-]{70})\s*\Z"
)
"""What entrants and directors write under; so long a subject was cut."""
_LETTER_SUBJECT = re.compile(rf"{_TAGS}\[kursk [0-9a-f]{{8}}\] (?:{_ABOUT_GAME}|{_ABOUT_CUP})")
_RETURNED = re.compile(
    r"(undeliverable|returned mail|failed mail|non-?delivery): .*|returned mail - .*|failure notice"
    r"|mail system error - returned mail|(?-i:DELIVERY FAILURE: .*)|mail could not be delivered"
    r"|undeliver(ed|able) (e?mail|message)( returned to sender|: .*)?"
    r"|delivery status notification( ?\(.*\))?|mail delivery failed(: returning message to sender)?"
    r"|((\[postmaster\] )?(e?mail|message|permanent) )?delivery failure( notification)?",
    re.IGNORECASE,
)
"""The whole subjects of servers' reports that no fields say to be reports; nobody writes a letter under one."""
_OTHER_REPORT = re.compile(r"report-type\s*=\s*\"?(?!delivery-status|disposition-notification)[a-z]", re.IGNORECASE)
_EMPTY = ("", "mailer-daemon")
"""Return paths to nobody; qmail writes the last."""
_NOBODY = (*_EMPTY, "#")
"""The same as other servers write them, with a host behind that; some write their postmaster's."""
_POSTMASTER = "postmaster"
_MOST_KIND = 2000
"""Characters of a Content-Type that are read."""
_NO_FIELD = re.compile(rb"^(?![!-9;-~]+[ \t]*:|[ \t]).*\n?", re.MULTILINE)
_COMMENT = re.compile(r"\([^()]{0,998}\)")
_DEPTH = 5
"""Brackets in brackets that are looked into."""
_ENDS = re.compile(rb"(?<!\r)\r{2,}+\n")
_AT_ONCE = 65_536
"""Bytes of a mail, and the rest of a line, whose line ends are put right at once."""
_BLANK_BEHIND = re.compile(rb"^([!-9;-~]+)[ \t]+(?=:)", re.MULTILINE)


@dataclass(frozen=True)
class Mail:
    """A mail: its bytes, and what to call the place it is from (a file, a folder of a server).

    Some programs write CR CR LF at the end of each line: CR LF once more, as a text of Windows. That is one end.

    What its header says is looked for once: one mail may hold hundreds of things, and a header 20,000 fields (T27).
    ``times``: when it was ``fetched`` and when it ``arrived``, as far as that is known and may count. ``fault``: why
    this is its header alone and nothing else of it is looked through, '' if it is whole.
    """

    raw: bytes = field(repr=False)
    place: str
    times: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "raw", _with_ends(self.raw))

    @cached_property
    def _head(self) -> bytes:
        return _head(self.raw)

    @property
    def headers(self) -> Headers:
        """Its header fields; those of nothing if it begins without any."""
        return _fields(self._head)

    def header(self, name: str) -> str:
        """A header field as it stands there, in one line; '' without it."""
        return " ".join(str(self.headers.get(name, "")).split())

    def every(self, name: str) -> list[str]:
        """Every header field of a name, each in one line."""
        return [" ".join(str(value).split()) for value in self.headers.get_all(name, [])]

    @cached_property
    def sender(self) -> str:
        """The address that it says to be from, '' if that is none that could be used."""
        return addresses.sender(self.header("From"))

    @cached_property
    def senders(self) -> frozenset[str]:
        """Every address, in small letters, that its header names as one of who wrote it, passed it on or is answered.

        Whoever has lost something by it may be reached at any of them, however that is written.
        """
        values = (value for name in _SENDERS for value in self.headers.get_all(name, []))
        return addresses.every(map(addresses.text, values)) | {self.sender.lower()} - {""}

    @cached_property
    def writer(self) -> str:
        """The same where a person may have written it: whatever turn is in a report, its server is no player."""
        return "" if self.by_server else self.sender

    @cached_property
    def message_id(self) -> str:
        """Its Message-ID, '' if it has none that could stand in another header."""
        text = self.header("Message-ID")
        return text if addresses.is_message_id(text) else ""

    @property
    def said(self) -> dict[str, str]:
        """What is put down of it (post.came): its ``message`` id, its ``sender`` and its times."""
        return {"message": self.message_id, "sender": self.writer, **self.times}

    @cached_property
    def subject(self) -> str:
        """The beginning of its subject, decoded as far as that goes."""
        return addresses.decoded(self.header("Subject")[:_MOST_SUBJECT])

    @cached_property
    def name(self) -> str:
        """What it is called in words about it: its sender and subject, in plain letters, or the place it is from.

        The 'from: russian' of a file that begins with a turn is no sender of a mail.
        """
        if self.header("kursk-pbem") or not (self.header("From") or self.header("Subject")):
            return self.place
        date = f", {show(self.header('Date'))}" if self.header("Date") else ""
        return f"{self.place}: the mail from {show(self.header('From'))}, subject {show(self.subject)}{date}"

    @cached_property
    def ours(self) -> bool:
        """Whether it says that it is about a game: by its subject, its thread, or the name of a file."""
        thread = _OF_THREAD.search(self.thread) is not None
        named = _SUBJECT.search(self.subject) or ABOUT_FILE.search(mailtext.file_names(self.raw))
        return thread or named is not None

    @cached_property
    def thread(self) -> str:
        """What it says to answer, as it stands there and as it is read: some programs write it as encoded words."""
        there = " ".join(self.header(name) for name in ("In-Reply-To", "References"))
        return f"{there} {addresses.decoded(there[:_MOST_SUBJECT])}" if "=?" in there else there

    @property
    def answers_words(self) -> bool:
        """Whether it says that it answers a letter in words, which a referee's mailbox writes by itself."""
        return WORDS in self.thread

    @property
    def words_answered(self) -> list[str]:
        """Which letters in words it says to answer: what their Message-IDs hold."""
        return _WORDS_ID.findall(self.thread)

    @property
    def words(self) -> str:
        """What the Message-ID of the letter in words holds that it says to be; '' if it is none."""
        match = _WORDS_ID.match(self.header("Message-ID"))
        return match[1] if match else ""

    @cached_property
    def letter(self) -> str:
        """The digest of the letter of a desk that it is by its Message-ID, '' if it is none (post.letter)."""
        match = _LETTER_ID.match(self.header("Message-ID"))
        return match[1] if match else ""

    @property
    def as_a_desk_wrote_it(self) -> bool:
        """Whether its Message-ID says that a desk has written it: nobody has put anything above its words."""
        return self.letter != ""

    @property
    def resent(self) -> bool:
        """Whether somebody has sent it on as it was, or says so (RFC 5322, 3.6.6)."""
        return any(name.lower().startswith(("resent-", "x-resent-")) for name in self.headers.keys())  # noqa: SIM118

    @property
    def threads(self) -> list[str]:
        """How the games and tournaments begin, in 32 digits, of whose threads it says to be."""
        return _GAME_ID.findall(self.header("References"))

    @cached_property
    def written_by_desk(self) -> bool:
        """Whether it is a letter which a desk has written: each holds a turn, a paper or a card.

        Its Message-ID says so, or, where a server or a mail program has given it another, its subject, which an answer
        begins with Re:, and a gateway with words like [EXTERNAL]. A referee's says that a program wrote it, but not
        that it answers something.
        """
        return self.as_a_desk_wrote_it or (not self._answers and _LETTER_SUBJECT.match(self.subject) is not None)

    @cached_property
    def reports(self) -> bool:
        """Whether it says that it reports of another mail, such as one that could not be delivered (RFC 3464).

        Older Exims and qmail write words alone, and others do so under a subject of their own.
        """
        return self.by_server or _RETURNED.fullmatch(self.subject) is not None

    @cached_property
    def by_server(self) -> bool:
        """Whether a field beside its subject says so: a person may be called postmaster, but has a return path."""
        sender = self.header("From").lower()
        signs = any(name in self.headers for name in ("X-Failed-Recipients", "X-DSNContext"))
        empty = any(path in _EMPTY for path in self._paths)
        named = sender if empty else self.sender.lower() or sender  # a person may be called so, too
        daemon = "mailer-daemon" in named or (empty and self._of_postmaster)
        return self.in_fields or signs or daemon or sender.endswith("<>")

    @property
    def _of_postmaster(self) -> bool:
        return self.sender.lower().startswith(f"{_POSTMASTER}@")

    @cached_property
    def without_path(self) -> bool:
        """Whether no trouble with it is to be reported, as with none of a report: its return path is empty.

        That of a postmaster counts as empty, and where no server has put down any, a postmaster's does.
        """
        paths = self._paths
        return self.to_nobody or (_POSTMASTER in map(_local, paths) if paths else self._of_postmaster)

    @property
    def to_nobody(self) -> bool:
        """Whether a return path says so itself: a person may be called postmaster."""
        return any(_local(path) in _NOBODY for path in self._paths)

    @property
    def _paths(self) -> list[str]:
        """Each without the hosts on the way to it (RFC 5321, appendix C)."""
        paths = ("".join(path.lower().split()).strip("<>") for path in self.every("Return-Path"))
        return [path.rpartition(":")[2] if path.startswith("@") else path for path in paths]

    @property
    def in_fields(self) -> bool:
        """Whether such a report says that its fields tell what has happened."""
        return self.header("Content-Type").lower().startswith("multipart/report")

    @property
    def of_delivery(self) -> bool:
        """Whether no field of such a report says that it is about something else, such as a complaint of its reader.

        Whether a mail was read, or refused, says in the same way what became of it (RFC 8098).
        """
        return _OTHER_REPORT.search(self.header("Content-Type")[:_MOST_KIND]) is None

    @cached_property
    def without_body(self) -> Mail:
        """Its header alone, which says what it is called, whose it is, and what tells it from others."""
        return Mail(self._head, self.place, self.times)

    @property
    def made_of_parts(self) -> bool:
        """Whether it may have attachments, or be one."""
        return self.header("Content-Type").lower().partition("/")[0] not in ("", "text")

    @property
    def _submitted(self) -> list[str]:
        """What fields say of how it was written (RFC 3834), without what they say in brackets."""
        values = (_without_comments(str(value)) for value in self.headers.get_all("Auto-Submitted", []))
        return [value.partition(";")[0].strip().lower() for value in values]

    @cached_property
    def automatic(self) -> bool:
        """Whether a program says that it wrote it: of a vacation, say, or a rule that sends on what came."""
        return any(word not in ("", "no") for word in self._submitted)

    @cached_property
    def replied(self) -> bool:
        """Whether a program says that it answers by it: it quotes what came, and sends nothing of anybody's.

        A mailbox that referees does: its answers hold what was signed.
        """
        return self._answers and OURS not in self.headers

    @cached_property
    def _answers(self) -> bool:
        return any(word in ("auto-replied", "auto-notified") for word in self._submitted)

    @cached_property
    def digest(self) -> str:
        """What tells it from other mails, as far as its header goes: 64 hex digits."""
        return digest_of(self.raw)


def _local(path: str) -> str:
    """What stands before the host of a return path."""
    return path.partition("@")[0]


def _without_comments(value: str) -> str:
    """The value of a field without what stands in brackets, some of which may lie in others (RFC 5322, 3.2.2)."""
    for _depth in range(_DEPTH):
        value = _COMMENT.sub("", value)
    return value


@lru_cache(maxsize=4)
def _fields(head: bytes) -> Headers:
    """The fields of a header. Only the last few are held: a stranger's may take 35 times their length (T49).

    A blank before the colon was allowed once (RFC 5322, 4.5); what is no field hides none of those below it.
    """
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    head = _NO_FIELD.sub(b"", head.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    head = _BLANK_BEHIND.sub(rb"\1", head)
    return BytesHeaderParser(policy=compat32).parsebytes(head)


def digest_of(raw: bytes) -> str:
    """The same of a mail, or of its header alone; where it has none, of the mail."""
    raw = _with_ends(raw)
    return hashlib.sha256((_head(raw) or raw).replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()


def _with_ends(raw: bytes) -> bytes:
    """A mail with CR LF where it has CR CR LF, or more of them: twice the same once more.

    Piece by piece: of two million lines the library holds every one until it has put all of them together (T27).
    """
    if b"\r\r\n" not in raw:
        return raw
    whole, at = bytearray(), 0
    while at < len(raw):
        end = raw.find(b"\n", at + _AT_ONCE) + 1 or len(raw)
        whole += _ENDS.sub(b"\r\n", raw[at:end])
        at = end
    return bytes(whole)


def _head(raw: bytes) -> bytes:
    """What stands before the first empty line of a mail, as far as it counts."""
    end = _BLANK_LINE.search(raw, 0, MAX_HEADER)
    return raw[: end.start() if end else MAX_HEADER]
