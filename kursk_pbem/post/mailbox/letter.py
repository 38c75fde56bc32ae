"""Letters: one set of bytes each, the same whenever and wherever they are written (RFC 5322, 2045; CRLF at line ends).

A letter is described by plain data and then never changes: what it carries, for whom, in which edition, with which
subject and words. Its Message-ID follows from the ids of what it carries and from the keys of its readers. Header
values come from closed alphabets, and the policy refuses a line break in a header (T46).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import DS, canon, sha256_hex
from kursk_pbem.trust.papers import EXTENSION

GAME_HOST = "kursk.invalid"
OURS = "X-Kursk-Referee"
"""The header of what a referee's mailbox writes by itself; nothing with it is answered."""
TO, CC = "To", "Cc"
MESSAGE = "message"
"""What kind of item a message of a game is; a paper is of its own type."""
REPLIED, GENERATED = "auto-replied", "auto-generated"
"""What kind of item a letter in words is: an answer, or what a mailbox writes by itself (RFC 3834)."""

_WIDTH = 76
_POLICY = SMTP.clone(max_line_length=_WIDTH, cte_type="7bit")

_BEGINS = re.compile(r"kursk-(?:pbem|tournament)\s*:", re.IGNORECASE)
_YEAR_1 = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Item:
    """What a letter carries: a message, or a referee's paper about message ``seq``; ``id`` is 64 hex digits.

    Of a tournament it is what its desk has put down: ``kind`` names that, ``seq`` is of the newest log paper in it.
    """

    kind: str
    seq: int
    id: str

    def file(self, game: str) -> str:
        """What it is called as an attachment."""
        about = "" if self.kind == MESSAGE else f"{self.kind}-"
        which = f"-{self.id[:8]}" if self.kind == EXTENSION else ""  # one letter may hold several
        return f"kursk-{game[:8]}-{about}{self.seq:04d}{which}.yaml"


@dataclass(frozen=True)
class Reader:
    """Somebody a letter goes to: the ``mark`` of their key, the address, and in which header it stands."""

    mark: str
    address: str
    role: str = TO


@dataclass(frozen=True)
class Letter:
    """A letter in plain data. ``items`` are why it is written, ``others`` go with them.

    ``sender``: one's own address, '' without one. ``answers``: the Message-ID by which the answered message came, ''
    if that is not known. ``edition``: 0, unless a person sends the same thing anew. ``cards``: the marks of the readers
    for whom it holds a card that tells the sender's address. ``auto``: a referee's mailbox may have written it by
    itself (RFC 3834). A letter in words has one item, which names it; its ``game`` may be ''.
    """

    game: str
    items: tuple[Item, ...]
    others: tuple[Item, ...]
    to: tuple[Reader, ...]
    sender: str
    date: str
    subject: str
    body: str
    answers: str = ""
    edition: int = 0
    auto: bool = False
    cards: tuple[str, ...] = ()

    @property
    def seq(self) -> int:
        """The number of the newest message that it is about."""
        return max(item.seq for item in self.items)

    @property
    def carried(self) -> tuple[Item, ...]:
        """All that is attached, in the order of the game."""
        return tuple(sorted((*self.others, *self.items), key=lambda item: (item.seq, item.kind != MESSAGE, item.kind)))

    @property
    def digest(self) -> str:
        """32 hex digits that follow from what it carries and for whom."""
        return digest_of((item.id for item in self.carried), (reader.mark for reader in self.to))

    @property
    def name(self) -> str:
        """What it is called in the outbox."""
        return f"{self.seq:04d}-{self.digest}-{self.edition}"

    @property
    def message_id(self) -> str:
        """Its Message-ID; the domain is that of the sender's address."""
        kind = "words." if self.items[0].kind in (REPLIED, GENERATED) else ""
        return f"<k1.{kind}{self.digest}.{self.edition}@{self.sender.partition('@')[2] or GAME_HOST}>"


def from_plain(data: Mapping[str, Any]) -> Letter:
    """Return a letter from what ``asdict`` gave."""
    items, others = (tuple(Item(**item) for item in data[name]) for name in ("items", "others"))
    readers = tuple(Reader(**reader) for reader in data["to"])
    return Letter(**{**data, "items": items, "others": others, "to": readers, "cards": tuple(data["cards"])})


def digest_of(ids: Iterable[str], marks: Iterable[str]) -> str:
    """What names a letter that carries what has these ids, for the readers whose keys have these marks."""
    said = {"kind": "turn", "ids": sorted(ids), "to": sorted(marks)}
    return sha256_hex(DS + b"letter\0" + canon(said))[:32]


def render(letter: Letter, files: Iterable[tuple[str, bytes]], *, draft: bool = False) -> bytes:
    """Return the bytes of a letter with its attachments (name, content). ValueError for a line break in a field.

    A ``draft`` has no From, Date or Message-ID: the mail program that opens it puts in its own. Every letter of a game
    refers to one Message-ID, so that the game is one thread for both sides.
    """
    thread = f"<k1.game.{letter.game[:32]}@{GAME_HOST}>" if letter.game else ""
    headers = {"X-Unsent": "1"} if draft else {"From": letter.sender}
    for role in (TO, CC):
        headers[role] = ", ".join(reader.address for reader in letter.to if reader.role == role and reader.address)
    headers["Subject"] = letter.subject
    if not draft:
        date = _YEAR_1 + timedelta(seconds=times.seconds(letter.date) - times.DAY)
        headers |= {"Date": format_datetime(date), "Message-ID": letter.message_id}
    headers |= {"In-Reply-To": letter.answers, "References": f"{thread} {letter.answers}".strip()}
    if letter.auto and not draft:
        kind = letter.items[0].kind
        headers |= {"Auto-Submitted": kind if kind == REPLIED else GENERATED, OURS: "1"}
    mail = EmailMessage(policy=_POLICY)
    for name, value in headers.items():
        if value:
            mail[name] = value
    body = "\n".join(harmless(letter.body.split("\n")))
    plain = body.isascii() and all(len(line) <= _WIDTH for line in body.split("\n"))
    mail.set_content(body, disposition="inline", cte="7bit" if plain else "quoted-printable")
    mail.make_mixed(boundary=f"=_kursk-{letter.digest}")
    for name, content in files:
        main, sub = ("image", "svg+xml") if name.endswith(".svg") else ("application", "yaml")
        mail.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return mail.as_bytes(policy=_POLICY.clone(max_line_length=998))  # no Message-ID of somebody else is folded


def harmless(lines: Iterable[str]) -> list[str]:
    """The lines of a body, in none of which a turn could seem to begin.

    Somebody else's name or words may say so: with another sign the line, which tells of others too, is still there.
    """
    return [_BEGINS.sub(lambda found: found[0].replace(":", ";"), line) for line in lines]
