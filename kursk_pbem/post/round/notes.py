"""Letters in words that a referee's mailbox writes by itself: answers, reminders, the director's list.

The name of a letter follows from its day, its reader and what it says, so it is written once. Its file comes first,
then its row, and each attempt is counted before it is made. A reader gets at most one letter in a round. Such letters
carry no turn, say that a program made them (RFC 3834), and answer no program.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import DS, canon
from kursk_pbem.game import entropy
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import people, place, store
from kursk_pbem.post.mailbox.outbox import WAITS
from kursk_pbem.post.wire import smtp
from kursk_pbem.post.wire.smtp import Transport

NOBODY = "0" * 32
"""The mark of the director's own list, who has no key among the players."""
REPLIED, GENERATED = "auto-replied", "auto-generated"
A_DAY = 10
"""Letters with answers to one address on one day."""
KEPT = 40
"""Days for which the file of a letter stays."""
_MOVED = "moved"


@dataclass(frozen=True)
class Note:
    """A letter in words to one person: the ``mark`` of their key, and the ``address`` on file.

    ``answers``: the Message-ID of what it answers, ``game``: whose thread it belongs to; '' without. ``files``: name,
    type, content.
    """

    mark: str
    address: str
    subject: str
    body: str
    kind: str = GENERATED
    answers: str = ""
    game: str = ""
    files: tuple[tuple[str, str, bytes], ...] = ()


def answered(home: Path, address: str, day: str) -> int:
    """Return how many letters with answers were written to an address on a day. Raises DiskError."""
    query = "select count(*) from note where kind = ? and lower(reader) = ? and day = ?"
    return int(_select(home, query, REPLIED, address.lower(), day)[0][0])


def write(home: Path, note: Note, sender: str, day: str, key: str) -> bool:
    """Write a letter for good; return False if it was written before. Raises DiskError.

    ``key``: what it is about. A reader gets one letter about a thing and a ``day``.
    """
    digest, name = _named(home, day, note.mark, key)
    if known(home, day, note.mark, key):
        return False
    place.put(_path(home, name), _render(note, sender, digest))
    row = (name, day, note.mark, digest, note.address, sender, note.kind, clock.now())
    with store.writing(home) as rows:
        columns = "name, day, mark, digest, reader, sender, kind, at"
        rows.execute(f"insert into note ({columns}) values (?, ?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608
    return True


def known(home: Path, day: str, mark: str, key: str) -> bool:
    """Return whether the letter with this key of this day was written to somebody. Raises DiskError."""
    return bool(_select(home, "select 1 from note where name = ?", _named(home, day, mark, key)[1]))


def waiting(home: Path) -> bool:
    """Return whether a letter is still to go out. Raises DiskError."""
    return bool(_select(home, "select 1 from note where became = ''"))


def send(home: Path, transport: Transport, director: str, busy: Collection[str] = ()) -> Iterator[str]:
    """Try the letters that are not over, answers first; yield what is worth telling. Raises DiskError, OSError.

    ``director``: the address of whoever directs. ``busy``: marks of those who got another letter in this round. Each
    reader gets one in a round.
    """
    had, query = set(busy), "select name, mark, reader, sender, tries, tried, back from note where became = ''"
    for name, mark, reader, sender, tries, tried, back in _select(home, f"{query} order by kind desc, at, name"):
        if mark in had or (tries and 0 <= times.between(tried, clock.now()) < WAITS[min(tries, len(WAITS)) - 1]):
            continue
        if not transport.ready():
            return
        there = [director] if mark == NOBODY else [person.reached for person in people.marked(home, mark)]
        if back or not any(addresses.same(reader, address) for address in there):
            why = "it came back from there" if back else "its reader is not reached there any more"
            yield f"a letter in words to {reader} does not go out: {why}"
            _set(home, name, "became = ?", _MOVED)
            continue
        had.add(mark)
        _set(home, name, "tries = tries + 1, tried = ?", clock.now())
        answer = transport.send(place.read(_path(home, name)), sender, reader)
        if answer.state in (smtp.SENT, smtp.REFUSED) or tries >= len(WAITS):
            if answer.state != smtp.SENT:
                yield f"a letter in words to {reader} did not go out: {answer.words}"
            _set(home, name, "became = ?", answer.state)


def tried(home: Path, digest: str) -> list[tuple[str, str]]:
    """Return name and address of the letter with this digest, if it was tried and did not come back."""
    return _select(home, "select name, reader from note where digest = ? and tries and back = ''", digest)


def note_bounce(home: Path, name: str, why: str) -> None:
    """Record that a letter came back. Raises DiskError."""
    _set(home, name, "back_at = ?, back = ?", clock.now(), why)


def troubled(home: Path, mark: str, since: str) -> bool:
    """Return whether a letter to somebody has come back since a time. Raises DiskError."""
    return bool(_select(home, "select 1 from note where mark = ? and back != '' and back_at >= ?", mark, since))


def tidy(home: Path) -> None:
    """Remove the files of letters that are over and older than 40 days."""
    for name in place.names(_path(home, "").parent):
        old = times.between(f"{name[:10]}T00:00:00Z", clock.now()) > KEPT * times.DAY
        if old and not _select(home, "select 1 from note where name = ? and became = ''", name.removesuffix(".eml")):
            _path(home, name.removesuffix(".eml")).unlink(missing_ok=True)


def listed(lines: Sequence[str]) -> str:
    """Return lines as the body of a letter."""
    return "\n".join([*lines, ""])


def _path(home: Path, name: str) -> Path:
    return place.root(home) / "out" / "words" / f"{name}.eml"


def _select(home: Path, query: str, *of: object) -> list[Any]:
    with store.reading(home) as rows:
        return rows.execute(query, of).fetchall()


def _set(home: Path, name: str, what: str, *of: object) -> None:
    with store.writing(home) as rows:
        rows.execute(f"update note set {what} where name = ?", (*of, name))  # noqa: S608


def _named(home: Path, day: str, mark: str, key: str) -> tuple[str, str]:
    """Return the digest and the name of the letter to somebody with this key and day."""
    said = canon({"day": day, "to": mark, "key": key})
    digest = hmac.new(_secret(home), DS + b"words\0" + said, "sha256").hexdigest()[:32]
    return digest, f"{day}-{mark[:16]}-{digest}"


def _secret(home: Path) -> bytes:
    """Return what makes that digest one that nobody works out who has not got the letter. Raises DiskError."""
    if not (secret := store.setting(home, "secret")):
        secret = entropy.fresh().hex()
        store.set_setting(home, "secret", secret)
    return bytes.fromhex(secret)


def _render(note: Note, sender: str, digest: str) -> bytes:
    """Return the bytes of a letter. Its Message-ID names its game, because an answer may hold nothing else of that."""
    about = f".game-{note.game[:8]}" if note.game else ""
    headers = {
        "From": sender,
        "To": note.address,
        "Subject": note.subject,
        "Date": letters.date_of(clock.now()),
        "Message-ID": f"<k1.words.{digest}{about}@{addresses.domain(sender) or letters.GAME_HOST}>",
        "In-Reply-To": note.answers,
        "References": f"{letters.game_thread(note.game) if note.game else ''} {note.answers}".strip(),
        "Auto-Submitted": note.kind,
        letters.OURS: "1",
    }
    return letters.assemble(headers, "\n".join(letters.harmless(note.body.split("\n"))), digest, note.files)
