"""Letters with reproducible bytes (RFC 5322, 2045; CRLF at line ends).

A letter is immutable plain data: contents, readers, edition, subject and words. Its Message-ID is derived from the ids
of its contents and its readers' keys. Header values have closed alphabets, and the policy refuses line breaks in a
header (T46).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import DS, canon, sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.trust.papers import EXTENSION

GAME_HOST = "kursk.invalid"
OURS = "X-Kursk-Referee"
"""The header field of automatic mails from a referee's mailbox. A mail with this field gets no answer."""
TO, CC = "To", "Cc"
MESSAGE = "message"
"""The type of an item that is a message of a game. An item that is a paper has the paper's type."""
REPLIED, GENERATED = "auto-replied", "auto-generated"
"""The types of items in letters without turns: an answer, or an automatic letter (RFC 3834)."""

_WIDTH = 76
_LOG = re.compile(r"kursk-([0-9a-f]{8})-[0-9]{5}\.yaml")
_POLICY = SMTP.clone(max_line_length=_WIDTH, cte_type="7bit")

_BEGINS = re.compile(r"kursk-(?:pbem|tournament)\s*:", re.IGNORECASE)
_YEAR_1 = datetime(1, 1, 1, tzinfo=UTC)


@frozen
class Item:
    """A message in a letter, or a referee's paper about the message ``seq``. ``id``: 64 hex digits.

    In a tournament's letter, the item is a draft: ``kind`` is its name, and ``seq`` the number of its newest log paper.
    """

    kind: str
    seq: int
    id: str

    def file(self, game: str) -> str:
        """Return the name of the item's file when attached to a letter."""
        about = "" if self.kind == MESSAGE else f"{self.kind}-"
        which = f"-{self.id[:8]}" if self.kind == EXTENSION else ""  # one letter may contain several
        return f"kursk-{game[:8]}-{about}{self.seq:04d}{which}.yaml"


@frozen
class Reader:
    """A reader of a letter: ``mark`` (made from the reader's key), address, header field for the address (``role``)."""

    mark: str
    address: str
    role: str = TO


@frozen
class Picture:
    """A picture below the words of a letter. ``described``: its alternative text."""

    name: str
    data: bytes
    described: str


@frozen
class Letter:
    """A letter as plain data. A letter without attachments has one item, its name; then ``game`` may be ''."""

    game: str
    items: tuple[Item, ...]  # the new contents, for which the letter is sent
    others: tuple[Item, ...]  # more contents
    to: tuple[Reader, ...]
    sender: str  # the own address or ''
    date: str
    subject: str
    body: str
    answers: str = ""  # the Message-ID of the answered message or ''
    edition: int = 0  # 0, or higher if a player sends the letter again
    auto: bool = False  # a referee's mailbox may have written the letter (RFC 3834)
    cards: tuple[str, ...] = ()  # the marks of readers who get an address card in the letter

    @property
    def seq(self) -> int:
        """The number of the newest message in the letter."""
        return max(item.seq for item in self.items)

    @property
    def carried(self) -> tuple[Item, ...]:
        """All attached messages and papers, in the order of the game."""
        return tuple(sorted((*self.others, *self.items), key=lambda item: (item.seq, item.kind != MESSAGE, item.kind)))

    @property
    def digest(self) -> str:
        """A digest of the contents and the readers, 32 hex digits."""
        return digest_of((item.id for item in self.carried), (reader.mark for reader in self.to))

    @property
    def name(self) -> str:
        """The name of the letter in the outbox."""
        return f"{self.seq:04d}-{self.digest}-{self.edition}"

    @property
    def message_id(self) -> str:
        """The Message-ID of the letter. Its domain is the domain of the sender's address."""
        kind = "words." if self.items[0].kind in (REPLIED, GENERATED) else ""
        return f"<k1.{kind}{self.digest}.{self.edition}@{self.sender.partition('@')[2] or GAME_HOST}>"


def from_plain(data: Mapping[str, Any]) -> Letter:
    """Return the letter with these fields (plain data that ``asdict`` made)."""
    items, others = (tuple(Item(**item) for item in data[name]) for name in ("items", "others"))
    readers = tuple(Reader(**reader) for reader in data["to"])
    return Letter(**{**data, "items": items, "others": others, "to": readers, "cards": tuple(data["cards"])})


def digest_of(ids: Iterable[str], marks: Iterable[str]) -> str:
    """Return the digest of a letter. ``ids``: ids of its items. ``marks``: marks of its readers' keys."""
    said = {"kind": "turn", "ids": sorted(ids), "to": sorted(marks)}
    return sha256_hex(DS + b"letter\0" + canon(said))[:32]


def render_letter(
    letter: Letter, files: Iterable[tuple[str, bytes]], *, draft: bool = False, picture: Picture | None = None
) -> bytes:
    """Return the bytes of a letter with attachments (name, content). Raises ValueError for a line break in a field.

    A ``draft`` has no From, Date or Message-ID, because the mail program adds these fields. The letters of a game refer
    to a common Message-ID, so mail programs show the game as a thread. A letter with a tournament's log also refers to
    the log's thread. After a lost disk, the director finds the log in the log's thread.
    """
    files = tuple(files)
    logs = (named[1] for name, _content in files if (named := _LOG.match(name)) and named[1] != letter.game[:8])
    threads = dict.fromkeys(filter(None, (letter.game[:32], *logs)))
    thread = " ".join(f"<k1.game.{digits}@{GAME_HOST}>" for digits in threads)
    headers = {"X-Unsent": "1"} if draft else {"From": letter.sender}
    for role in (TO, CC):
        headers[role] = ", ".join(reader.address for reader in letter.to if reader.role == role and reader.address)
    headers["Subject"] = letter.subject
    if not draft:
        date = _YEAR_1 + timedelta(seconds=times.count_seconds(letter.date) - times.DAY)
        headers |= {"Date": format_datetime(date), "Message-ID": letter.message_id}
    headers |= {"In-Reply-To": letter.answers, "References": f"{thread} {letter.answers}".strip()}
    if letter.auto and not draft:
        kind = letter.items[0].kind
        headers |= {"Auto-Submitted": kind if kind == REPLIED else GENERATED, OURS: "1"}
    mail = EmailMessage(policy=_POLICY)
    for name, value in headers.items():
        if value:
            mail[name] = value
    body = "\n".join(disarm_lines(letter.body.split("\n")))
    plain = body.isascii() and all(len(line) <= _WIDTH for line in body.split("\n"))
    mail.set_content(body, disposition="inline", cte="7bit" if plain else "quoted-printable")
    mail.make_mixed(boundary=f"=_kursk-{letter.digest}")
    for name, content in files:
        main, sub = ("image", "svg+xml") if name.endswith(".svg") else ("application", "yaml")
        mail.add_attachment(content, maintype=main, subtype=sub, filename=name)
    if picture is not None:
        told = [f"Content-Description: {picture.described}"]
        mail.add_attachment(picture.data, "image", "png", filename=picture.name, disposition="inline", headers=told)
    return mail.as_bytes(policy=_POLICY.clone(max_line_length=998))  # foreign Message-IDs must not be folded


def disarm_lines(lines: Iterable[str]) -> list[str]:
    """Return the lines of a mail's body. A line is changed if it looks like the beginning of a turn.

    A name or a note may contain such a line. Only the colon is replaced, so people can still read the line.
    """
    return [_BEGINS.sub(lambda found: found[0].replace(":", ";"), line) for line in lines]
