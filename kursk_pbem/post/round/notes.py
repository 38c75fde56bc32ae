"""Letters in words that a referee's mailbox writes by itself: answers, reminders, the director's list.

The name of a letter follows from its day, its reader and what it says, so it is written once. Its file comes first,
then its row, and each attempt is counted before it is made. A reader gets at most one letter in a round. Such letters
carry no turn, say that a program made them (RFC 3834), and answer no program.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import DS, canon, sha256_hex
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
A_DAY, IN_ALL = 10, 500
"""Answers to one person, and all answers, on one day."""
KEPT = 40
"""Days for which the file of a letter stays."""
_MOVED = "moved"


@dataclass(frozen=True)
class Note:
    """A letter in words to one person: the ``mark`` of their key, and the ``address`` on file.

    ``answers``: the Message-ID of what it answers, ``question``: the hash of that mail, ``game``: whose thread it
    belongs to; '' without. ``reply``: that was itself a reply to a letter in words. ``files``: name, type, content.
    """

    mark: str
    address: str
    subject: str
    body: str
    kind: str = GENERATED
    answers: str = ""
    game: str = ""
    reply: bool = False
    files: tuple[tuple[str, str, bytes], ...] = ()
    question: str = ""


Given = Counter[tuple[str, str, bool]]
"""How many answers there are, by the beginning of their reader's mark, their address, and if they answer replies."""


def given(home: Path, day: str) -> tuple[Given, set[str]]:
    """Return how many answers of a day there are, and the hashes of the mails that are answered. Raises DiskError."""
    query = "select mark, reader, reply, question from note where kind = ? and day = ?"
    found = _select(home, query, REPLIED, day)
    counted = Given((mark[:16], reader.lower(), bool(reply)) for mark, reader, reply, _question in found)
    return counted, {question for *_of, question in found} - {""}


def full(counted: Given, mark: str, address: str, *, reply: bool) -> bool:
    """Return whether a person's questions of this day are answered no more; the first one always is.

    ``counted``: what was ``given``. ``address``: where their answers go. ``reply``: questions in replies to our letters
    count apart from those that anybody can have written.
    """
    theirs = counted[mark[:16], address.lower(), reply]
    all_given = sum(number for (_mark, _to, said), number in counted.items() if said == reply)
    return theirs >= A_DAY or (theirs > 0 and all_given >= IN_ALL)


def readers(home: Path) -> dict[str, tuple[str, str]]:
    """Return name and reader's mark of each letter, by the digest in its Message-ID. Raises DiskError.

    Nobody else knows the digest (``_secret``): who replies to a letter reads the mails to the address it went to.
    """
    return {digest: (name, mark) for digest, name, mark in _select(home, "select digest, name, mark from note")}


def went_to(home: Path, name: str, address: str) -> bool:
    """Return whether a letter is written to an address. Raises DiskError."""
    return any(addresses.same(to, address) for (to,) in _select(home, "select reader from note where name = ?", name))


def write(home: Path, note: Note, sender: str, day: str, key: str = "") -> bool:
    """Write a letter for good; return False if it was written before. Raises DiskError.

    ``key``: what it is about, if its words do not say it.
    """
    held = [sha256_hex(content) for _name, _type, content in note.files]
    words = {"at": note.address, "subject": note.subject, "body": note.body, **({"files": held} if held else {})}
    digest, name = _named(home, day, note.mark, {"to": note.mark, **({"key": key} if key else words)})
    if _select(home, "select 1 from note where name = ?", name):
        return False
    place.once(_path(home, name), _render(note, sender, digest))
    row = (name, day, note.mark, digest, note.address, sender, note.kind, clock.now(), note.question, note.reply)
    with store.writing(home) as rows:
        columns = "name, day, mark, digest, reader, sender, kind, at, question, reply"
        rows.execute(f"insert into note ({columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608
    return True


def known(home: Path, day: str, mark: str, key: str) -> bool:
    """Return whether the letter with this key of this day was written to somebody. Raises DiskError."""
    name = _named(home, day, mark, {"to": mark, "key": key})[1]
    return bool(_select(home, "select 1 from note where name = ?", name))


def waiting(home: Path) -> bool:
    """Return whether a letter is still to go out. Raises DiskError."""
    return bool(_select(home, "select 1 from note where became = ''"))


def send(home: Path, transport: Transport, director: str, busy: Collection[str] = ()) -> Iterator[str]:
    """Try the letters that are not over, answers first; yield what is worth telling. Raises DiskError, OSError.

    ``director``: the address of whoever directs. ``busy``: marks of those who got another letter in this round; what
    answers no question waits for the next one.
    """
    had, query = set(busy), "select name, mark, kind, reader, sender, tries, tried, back from note where became = ''"
    for name, mark, kind, reader, sender, tries, tried, back in _select(home, f"{query} order by kind desc, at, name"):
        if (mark in had and kind == GENERATED) or (
            tries and 0 <= times.between(tried, clock.now()) < WAITS[min(tries, len(WAITS)) - 1]
        ):
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


def _named(home: Path, day: str, mark: str, said: Mapping[str, Any]) -> tuple[str, str]:
    """Return the digest and the name of what says this. The same words of another day are another letter."""
    digest = hmac.new(_secret(home), DS + b"words\0" + canon({"day": day, **said}), "sha256").hexdigest()[:32]
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
