"""Letters of a tournament as draft files for a mail program: no addresses, and always equal bytes.

The papers are attached because mail programs reformat bodies. ``X-Unsent: 1`` opens a draft for sending. Headers have
closed alphabets, so a paper cannot inject headers (T46).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Sequence
from dataclasses import field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import compat32, default
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders
from kursk_pbem.report import layout
from kursk_pbem.tournament import open_papers
from kursk_pbem.tournament.records import Book

SENT = "sent"
WIDTH = 72
"""The number of columns of a letter."""
POST = "kursk post"
BY_HAND = "Without 'kursk post': save this mail, type 'kursk tournament inbox FILE', and mail any file that it writes."
_NOT_IN_HEADERS = re.compile(r"[^ A-Za-z0-9.,:;()'/+-]")
_LONGEST_SUBJECT = 120
_LONGEST_NAME = 32
_LARGEST = 32 * 1024 * 1024
_POLICY = default.clone(max_line_length=998)  # a subject stays on its line
_DIGITS, _MORE_DIGITS = 8, 32


@frozen
class Draft:
    """A saved letter: subject, body, attachments (name, content), and the SHA-256 of its bytes."""

    subject: str
    body: str
    files: tuple[tuple[str, bytes], ...] = field(repr=False)
    sha256: str


def format_subject(tournament: str, words: str) -> str:
    """Return a subject line: first digits of the tournament's id, then words. A ``?`` replaces forbidden letters."""
    return f"[kursk {tournament[:8]}] {_NOT_IN_HEADERS.sub('?', words)[:_LONGEST_SUBJECT]}"


def format_commands(commands: Sequence[str], head: str = "Type:") -> list[str]:
    """Return the end of a letter: the commands to type, a line each."""
    return [*layout.wrap(head, width=WIDTH), "", *(f"    {line}" for line in commands)]


def format_note(name: str, parts: Sequence[str], typed: Sequence[str], foot: str = "", top: str = "Type:") -> list[str]:
    """Return the lines of a letter: paragraphs, the commands to type below the line ``top``, and a ``foot``."""
    lines = [f"Dear {' '.join(name.split())},", ""] if name else []
    lines += [line for part in parts for line in (*layout.wrap(part, width=WIDTH), "")]
    return [*lines, *format_commands(typed, top), *(["", "-- ", *layout.wrap(foot, width=WIDTH)] if foot else [])]


def compose_letter(subject_: str, body: Sequence[str], attached: tuple[str, str]) -> bytes:
    """Return a letter as the bytes of an ``.eml`` file: body lines, and an ASCII attachment (name, text)."""
    text, (name, inside) = "\n".join(body), attached
    mark = hashlib.sha256(f"{text}\0{name}\0{inside}".encode()).hexdigest()[:24]
    mail = EmailMessage(policy=_POLICY)
    mail["X-Unsent"], mail["Subject"] = "1", subject_
    mail.set_content(text, cte="8bit")
    mail.make_mixed(boundary=f"kursk-{mark}")
    mail.add_attachment(inside.encode("ascii"), maintype="application", subtype="yaml", filename=name)
    return mail.as_bytes()


def attachment_name(tournament: str, about: str) -> str:
    """Return the file name of an attachment. The program searches mails for attachments with such names."""
    return f"kursk-{tournament[:8]}-{about[:_LONGEST_NAME]}.yaml"


def read_letter(place: Path, name: str) -> Draft:
    """Return a saved letter, sent or unsent. Raises UsageError if the file is missing or unreadable."""
    path = next((path for path in (place / f"{name}.eml", place / SENT / f"{name}.eml") if path.is_file()), None)
    if path is None:
        raise UsageError(f"the letter {name} is gone from {place}")
    try:
        raw = files.read(path, _LARGEST)
        mail = BytesParser(policy=compat32).parsebytes(raw)
        parts = [part for part in mail.walk() if not part.is_multipart()]
        text, *held = [(str(part.get_filename()), bytes(part.get_payload(decode=True) or b"")) for part in parts]
        return Draft(str(mail["Subject"]), text[1].decode("utf-8"), tuple(held), hashlib.sha256(raw).hexdigest())
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({type(error).__name__}): move the file away") from None


def write_letter(place: Path, name: str, letter: bytes) -> Path | None:
    """Write a letter, readable only by the owner. Return None if the letter exists."""
    folders.make(place)
    path = place / f"{name}.eml"
    return path if disk.create(path, letter) else None


def list_letters(place: Path) -> list[str]:
    """Return the names of all letters, sorted, including sent letters."""
    return sorted({path.stem for pattern in ("*.eml", f"{SENT}/*.eml") for path in place.glob(pattern)})


def list_unsent(place: Path) -> list[Path]:
    """Return the letters that are not recorded as sent."""
    return sorted(place.glob("*.eml"))


def remove_later(place: Path, seq: int) -> None:
    """Remove letters with log papers from number ``seq`` on: another version of the log replaces these papers."""
    for path in (*place.glob("*.eml"), *place.glob(f"{SENT}/*.eml")):
        number = path.stem.rpartition("-log-")[2]
        if number.isdecimal() and int(number) >= seq:
            path.unlink(missing_ok=True)


def mark_sent(place: Path, name: str = "*") -> int:
    """Record all letters, or the named letter, as sent. Return the number of letters."""
    unsent = sorted(place.glob(f"{name}.eml"))
    folders.make(place / SENT)
    for path in unsent:
        path.replace(place / SENT / path.name)
    return len(unsent)


def reader_digits(key: str, taken: Container[str] = ()) -> str:
    """Return the digits (from the key's hash) that begin a reader's file names. ``taken``: digits in use."""
    whole = sha256_hex(key.encode("ascii"))
    return whole[:_DIGITS] if whole[:_DIGITS] not in taken else whole[:_MORE_DIGITS]


def reader_keys(book: Book) -> dict[str, str]:
    """Return the readers' keys by the digits that begin their file names. Former keys are included."""
    every = [(since, key) for entrant in book.entrants.values() for since, key in entrant.keys]
    every += [(book.received[paper.id], key) for key, paper in open_papers.list_outsiders(book).items()]
    every += [(len(book.log), book.rules.witness)] if book.witness else []
    named: dict[str, str] = {}
    for key in dict.fromkeys(key for _since, key in sorted(every, key=lambda known: known[0])):
        named[reader_digits(key, named)] = key
    return named


def letter_digits(letter: Path) -> str:
    """Return the digits that begin a letter's file name."""
    return letter.name.partition("-")[0]
