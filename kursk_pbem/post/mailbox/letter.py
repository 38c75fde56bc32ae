"""Letters: one set of bytes each, the same whenever and wherever they are written (RFC 5322, 2045; CRLF at line ends).

A letter is described by plain data and then never changes: what it carries, for whom, in which edition, with which
subject and words. Its Message-ID follows from the ids of what it carries and from the keys of its readers. Header
values come from closed alphabets, and the finished bytes are parsed again: nobody slips a line into a header (T46).
"""

from __future__ import annotations

import binascii
import email.policy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from email.parser import BytesParser
from email.utils import format_datetime
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import DS, canon, sha256_hex
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.trust.papers import EXTENSION, FIELDS

GAME_HOST = "kursk.invalid"
OURS = "X-Kursk-Referee"
"""The header of what a referee's mailbox writes by itself; nothing with it is answered."""
TO, CC = "To", "Cc"
MESSAGE = "message"
"""What kind of item a message of a game is; a paper is of its own type."""

YAML = "application/yaml"
MIME = ("MIME-Version", "1.0")

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
    if that is not known. ``edition``: 0, unless a person sends the same thing anew. ``card``: the own address that
    cards in it tell, '' without one; ``cards``: the marks of the readers for whom there is one, none in letters of old.
    ``auto``: a referee's mailbox may have written it by itself (RFC 3834).
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
    card: str = ""
    auto: bool = False
    cards: tuple[str, ...] = ()

    @property
    def seq(self) -> int:
        """The number of the newest message that it is about."""
        return max(item.seq for item in self.items)

    @property
    def of_game(self) -> bool:
        """Whether it is about a game; otherwise it is of a tournament, and may be about any of its reader's boards."""
        return all(item.kind == MESSAGE or item.kind in FIELDS for item in self.items)

    @property
    def carried(self) -> tuple[Item, ...]:
        """All that is attached, in the order of the game."""
        return tuple(sorted((*self.others, *self.items), key=lambda item: (item.seq, item.kind != MESSAGE, item.kind)))

    @property
    def told(self) -> tuple[str, ...]:
        """The marks of the readers for whom it holds a card: of old that was the one it was written to."""
        return (self.cards or tuple(reader.mark for reader in self.to[:1])) if self.card else ()

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
        return f"<k1.{self.digest}.{self.edition}@{addresses.domain(self.sender) or GAME_HOST}>"

    def to_plain(self) -> dict[str, Any]:
        """The same as data for JSON."""
        return asdict(self)


def from_plain(data: Mapping[str, Any]) -> Letter:
    """A letter from what :meth:`Letter.to_plain` gave. KeyError, TypeError, ValueError for anything else."""
    items, others = (tuple(Item(**item) for item in data[name]) for name in ("items", "others"))
    readers = tuple(Reader(**reader) for reader in data["to"])
    cards = tuple(data.get("cards", ()))
    letter = Letter(**{**data, "items": items, "others": others, "to": readers, "cards": cards})
    strange = set(cards) - {reader.mark for reader in readers}
    if not items or strange or any(reader.address and not addresses.is_address(reader.address) for reader in letter.to):
        raise ValueError(letter.name)
    return letter


def digest_of(ids: Iterable[str], marks: Iterable[str]) -> str:
    """What names a letter that carries what has these ids, for the readers whose keys have these marks."""
    said = {"kind": "turn", "ids": sorted(ids), "to": sorted(marks)}
    return sha256_hex(DS + b"letter\0" + canon(said))[:32]


def game_thread(game: str) -> str:
    """The Message-ID that every letter of a game refers to, so that the game is one thread for both sides."""
    return f"<k1.game.{game[:32]}@{GAME_HOST}>"


def render(letter: Letter, files: Sequence[tuple[str, bytes]], *, draft: bool = False) -> bytes:
    """The bytes of a letter with its attachments (name, content).

    A ``draft`` has no From, Date or Message-ID: the mail program that opens it puts in its own.
    """
    attached = [(name, YAML, content) for name, content in files]
    return assembled(_headers(letter, draft=draft), letter.body, letter.digest, attached)


def assembled(
    headers: Iterable[tuple[str, str]], body: str, digest: str, files: Sequence[tuple[str, str, bytes]]
) -> bytes:
    """The bytes of a mail from header fields, words and attachments (name, type, content); ``digest``: 32 hex digits.

    AssertionError unless they say exactly that.
    """
    boundary = f"=_kursk-{digest}"
    fields = [*headers, ("Content-Type", f'multipart/mixed;\r\n boundary="{boundary}"')]
    lines = [*(f"{name}: {value}" for name, value in fields), "", f"--{boundary}", *_text(body)]
    for name, kind, content in files:
        lines += [f"--{boundary}", *_attachment(name, kind, content)]
    lines += [f"--{boundary}--", ""]
    raw = "\r\n".join(lines).encode("ascii")
    _check(raw, fields, [(name, content) for name, _kind, content in files])
    return raw


def _headers(letter: Letter, *, draft: bool) -> list[tuple[str, str]]:
    thread = game_thread(letter.game)
    headers = [("X-Unsent", "1")] if draft else [("From", letter.sender)]
    for role in (TO, CC):
        listed = ", ".join(reader.address for reader in letter.to if reader.role == role and reader.address)
        headers += [(role, listed)] if listed else []
    headers.append(("Subject", letter.subject))
    if not draft:
        headers += [("Date", date_of(letter.date)), ("Message-ID", letter.message_id)]
    headers += [("In-Reply-To", letter.answers)] if letter.answers else []
    headers.append(("References", f"{thread}\r\n {letter.answers}" if letter.answers else thread))
    headers.append(MIME)
    return [*headers, ("Auto-Submitted", "auto-generated"), (OURS, "1")] if letter.auto and not draft else headers


def date_of(text: str) -> str:
    """A time as it stands in a mail."""
    moment = _YEAR_1 + timedelta(seconds=times.seconds(text) - times.DAY)
    return format_datetime(moment)


def _text(body: str) -> list[str]:
    """The words of a letter as a part: in ASCII if they are, otherwise quoted-printable."""
    lines = ["Content-Type: text/plain; charset=utf-8", "Content-Disposition: inline"]
    plain = body.isascii() and "=_" not in body and all(len(line) <= 76 for line in body.split("\n"))
    if plain:
        return [*lines, "Content-Transfer-Encoding: 7bit", "", *body.split("\n")]
    quoted = binascii.b2a_qp(body.encode("utf-8")).decode("ascii").replace("\r\n", "\n")
    return [*lines, "Content-Transfer-Encoding: quoted-printable", "", *quoted.split("\n")]


def _attachment(name: str, kind: str, content: bytes) -> list[str]:
    encoded = (binascii.b2a_base64(content[at : at + 57], newline=False) for at in range(0, len(content), 57))
    return [
        f"Content-Type: {kind}",
        f'Content-Disposition: attachment; filename="{name}"',
        "Content-Transfer-Encoding: base64",
        "",
        *(line.decode("ascii") for line in encoded),
    ]


def _check(raw: bytes, headers: Iterable[tuple[str, str]], files: Sequence[tuple[str, bytes]]) -> None:
    """AssertionError unless the bytes, parsed again, have exactly these headers and attachments."""
    wanted = [(name, value.replace("\r\n", "\n")) for name, value in headers]
    parsed = BytesParser(policy=email.policy.compat32).parsebytes(raw)
    read = [(name, str(value).replace("\r\n", "\n")) for name, value in parsed.items()]
    newer = BytesParser(policy=email.policy.default).parsebytes(raw, headersonly=True)
    held = [(part.get_filename(), part.get_payload(decode=True)) for part in list(parsed.walk())[2:]]
    if read != wanted or list(newer.keys()) != [name for name, _value in wanted] or held != list(files):
        raise AssertionError("a letter does not say what it should")


def harmless(lines: Iterable[str]) -> list[str]:
    """The lines of a body, in none of which a turn could seem to begin.

    Somebody else's name or words may say so: with another sign the line, which tells of others too, is still there.
    """
    return [_BEGINS.sub(lambda found: found[0].replace(":", ";"), line) for line in lines]
