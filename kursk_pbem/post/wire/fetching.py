"""Fetch new mails that may be ours: each with the time at which the server received it. Nothing becomes read.

New is a UID from the cursor on, under the same UIDVALIDITY. Under another one the last days are looked through again.
A mail at which the connection breaks in two rounds is skipped, and told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from email import message_from_bytes

from kursk_pbem.desk import clock
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.smtp import UnreachableError

MAX_MAIL, MAX_UNKNOWN = 8 * 1024 * 1024, 1024 * 1024
"""Bytes of a mail that is fetched, and of one that is fetched from a stranger for its attachments."""
MAX_HEADER = 65_536
MAX_SECONDS = 10 * 60
"""Seconds after which a fetch ends between two mails. The next round goes on there."""
_GROUP = 200
"""Mails whose headers are asked for at once."""
_FOUND = 50
"""Mails of one game that are fetched at once."""
_BREAKS = (
    "the server breaks off each time it is asked for this mail (UID %d): save it with your mail program, and 'kursk "
    "inbox FILE' takes it; or ask for it again"
)
_MISSING = "the server did not give it, or it is gone: look at it with your mail program, and save its turn"

Judge = Callable[[bytes], bool | None]
"""Says of a header whether its mail is wanted; None: if its text holds our word, or it may have attachments."""


@dataclass(frozen=True)
class Cursor:
    """How far a folder was looked through: the next UID under a UIDVALIDITY; what came ``since`` may be new.

    ``failed``: the mail at which the connection broke in the last round, 0 if it did not.
    """

    validity: int = 0
    next: int = 0
    since: date | None = None
    failed: int = 0


@dataclass(frozen=True)
class Arrived:
    """A mail; ``internal``: when the server received it, in UTC, '' if it does not say.

    ``why``: why it is not fetched, '' if it is; otherwise ``raw`` is its header.
    """

    uid: int
    raw: bytes = field(repr=False)
    internal: str = ""
    why: str = ""


@dataclass(frozen=True)
class Batch:
    """What comes before a cursor: how many mails were ``seen``, and a mail."""

    cursor: Cursor
    seen: int = 0
    mail: Arrived | None = None


@dataclass(frozen=True)
class _Entry:
    uid: int
    size: int
    head: bytes


def fetch(mailbox: Mailbox, cursor: Cursor, first: date, judge: Judge, since: date) -> Iterator[Batch]:
    """Yield what is new; keep the mail of a batch before its cursor. Raises UnreachableError.

    ``first``: the day from which on a new folder is looked through. ``since``: the cursor's day after a whole look.
    """
    validity, following = mailbox.select()
    if not cursor.next or validity != cursor.validity or 0 < following < cursor.next:  # it was set back
        first = min(first, cursor.since or first)
        uids = mailbox.search(*_since(first))
        cursor = Cursor(validity, uids[0] if uids else following or 1, first)
        yield Batch(cursor)  # a break must not let the first day move on
    begin, end = cursor.next, clock.ticking() + MAX_SECONDS
    uids = [uid for uid in mailbox.search(b"UID", b"%d:*" % begin) if uid >= begin]  # it gives its last mail at least
    for start in range(0, len(uids), _GROUP):
        group = uids[start : start + _GROUP]
        entries = _entries(mailbox, group)
        yield Batch(cursor, len(entries))
        for entry in _wanted(mailbox, entries, judge):
            try:
                mail, broke = _whole(mailbox, entry), None
            except UnreachableError as error:
                mail, broke = Arrived(entry.uid, entry.head, why=_BREAKS % entry.uid), error
            if broke is not None and cursor.failed != entry.uid:
                yield Batch(replace(cursor, next=entry.uid, failed=entry.uid))
                raise broke
            cursor = replace(cursor, next=entry.uid + 1, failed=0)
            yield Batch(cursor, 0, mail)
            if broke is not None:
                raise broke
            if clock.ticking() > end:
                raise UnreachableError(f"{mailbox.server.host} is slow: the next round fetches the other mails")
        cursor = replace(cursor, next=group[-1] + 1)
        yield Batch(cursor)
    yield Batch(replace(cursor, since=since))


def _since(day: date) -> tuple[bytes, bytes]:
    return b"SINCE", f"{day:%d-%b-%Y}".encode("ascii")


def _entries(mailbox: Mailbox, uids: list[int]) -> list[_Entry]:
    """Return size and header of mails, without mails that are gone."""
    answers = mailbox.fetch(uids, b"RFC822.SIZE", b"BODY.PEEK[HEADER]<0.%d>" % MAX_HEADER)
    return [
        _Entry(uid, answer.get(b"RFC822.SIZE", 0), answer.get(b"BODY[HEADER]<0>") or b"")
        for uid, answer in sorted(answers.items())
    ]


def _wanted(mailbox: Mailbox, entries: list[_Entry], judge: Judge) -> list[_Entry]:
    """Return the mails to fetch: those that are wanted, and those with our word in the text or with attachments."""
    verdicts = {entry.uid: judge(entry.head) for entry in entries}
    doubtful = [entry.uid for entry in entries if verdicts[entry.uid] is None]
    span = b"%d:%d" % (doubtful[0], doubtful[-1]) if doubtful else b""
    found = {*mailbox.search(b"UID", span, b"BODY", b"kursk")} if doubtful else set()
    return [
        entry
        for entry in entries
        if verdicts[entry.uid]
        or (verdicts[entry.uid] is None and (entry.uid in found or (entry.size <= MAX_UNKNOWN and _has_files(entry))))
    ]


def _has_files(entry: _Entry) -> bool:
    """Return whether the header lets a mail have attachments: neither text alone nor the same in two forms."""
    said = message_from_bytes(entry.head)
    return said.get_content_maintype() != "text" and said.get_content_type() != "multipart/alternative"


def _whole(mailbox: Mailbox, entry: _Entry) -> Arrived:
    """Return a mail whole, or why it is not fetched."""
    if entry.size > MAX_MAIL:
        why = f"its {entry.size >> 20} MiB are too many to fetch: ask for the turn alone"
        return Arrived(entry.uid, entry.head, why=why)
    answer = mailbox.fetch([entry.uid], b"BODY.PEEK[]", b"INTERNALDATE").get(entry.uid, {})
    raw, when = answer.get(b"BODY[]"), answer.get(b"INTERNALDATE")
    if not raw or len(raw) > MAX_MAIL:
        return Arrived(entry.uid, entry.head, why=_MISSING)
    internal = when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(when, datetime) else ""
    return Arrived(entry.uid, raw, internal)


def find_game(mailbox: Mailbox, game: str) -> list[bytes]:
    """Return the first mails whose subject or thread names a game, by the first digits of its id.

    Raises UnreachableError.
    """
    mailbox.select()
    subject, thread = f"kursk {game[:8]}".encode("ascii"), f"k1.game.{game[:32]}".encode("ascii")
    uids = mailbox.search(b"OR", b"SUBJECT", subject, b"HEADER", b"References", thread)[:_FOUND]
    mails = [_whole(mailbox, entry) for entry in _entries(mailbox, uids)]
    return [mail.raw for mail in mails if not mail.why]
