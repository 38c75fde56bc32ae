"""Fetch new mails possibly for this program, with the server's times of receipt. Mails stay unread.

New mails have UIDs from the cursor on, under the same UIDVALIDITY. Under a new UIDVALIDITY, the last days are read
again. If one mail breaks the connection in two rounds, the fetch skips the mail and reports the skip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from datetime import UTC, date, datetime
from email import message_from_bytes

from kursk_pbem.desk.ground import clock
from kursk_pbem.frozen import frozen
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.smtp import UnreachableError

MAX_MAIL, MAX_UNKNOWN = 8 * 1024 * 1024, 1024 * 1024
"""Maximum bytes of a fetched mail, and of a stranger's mail fetched for its attachments."""
MAX_HEADER = 65_536
MAX_SECONDS = 10 * 60
"""Seconds before a fetch stops between two mails. The next round continues."""
_GROUP = 200
"""Number of mails for one request of headers."""
_BREAKS = (
    "the server fails at every request for the mail with UID %d: save the mail with your mail program and type "
    "'kursk inbox FILE'; or ask the sender again"
)
_MISSING = "the server did not give the mail: look for the mail with your mail program, and save the turn"

Judge = Callable[["Entry"], bool | None]
"""A function that decides by the header whether to fetch a mail; None if text or attachments must decide."""


@frozen
class Cursor:
    """Progress in a folder: the ``next`` UID under a UIDVALIDITY; mails from the day ``since`` may be new.

    ``failed``: the UID at the last break of the connection, otherwise 0.
    """

    validity: int = 0
    next: int = 0
    since: date | None = None
    failed: int = 0


@frozen
class Arrived:
    """A mail. ``internal``: the server's time of receipt in UTC, or ''.

    ``why``: the reason for not fetching the mail, otherwise ''. Then ``raw`` is only the header.
    """

    uid: int
    raw: bytes = field(repr=False)
    internal: str = ""
    why: str = ""


@frozen
class Batch:
    """A new cursor, with the number of mails ``seen`` and a mail to save first."""

    cursor: Cursor
    seen: int = 0
    mail: Arrived | None = None


@frozen
class Entry:
    """What is known of a mail before it is fetched: UID, size in bytes as the server says, header."""

    uid: int
    size: int
    head: bytes


def fetch_batches(
    mailbox: Mailbox, folder: str, cursor: Cursor, first: date, judge: Judge, since: date
) -> Iterator[Batch]:
    """Yield new mails in batches. The caller saves a batch's mail before its cursor. Raises UnreachableError.

    ``first``: the first day to read in a new folder. ``since``: the cursor's day after a complete fetch.
    """
    validity, following = mailbox.select(folder)
    if not cursor.next or validity != cursor.validity or 0 < following < cursor.next:  # the server reset the numbers
        first = min(first, cursor.since or first)
        uids = mailbox.search(b"SINCE", f"{first:%d-%b-%Y}".encode("ascii"))
        cursor = Cursor(validity, uids[0] if uids else following or 1, first)
        yield Batch(cursor)  # a break must not move the first day
    begin, end = cursor.next, clock.read_monotonic() + MAX_SECONDS
    uids = [uid for uid in mailbox.search(b"UID", b"%d:*" % begin) if uid >= begin]  # includes the last mail anyway
    for start in range(0, len(uids), _GROUP):
        group = uids[start : start + _GROUP]
        entries = _fetch_headers(mailbox, group)
        yield Batch(cursor, len(entries))
        for entry in _select_wanted(mailbox, entries, judge):
            try:
                mail, broke = fetch_mail(mailbox, entry), None
            except UnreachableError as error:
                mail, broke = Arrived(entry.uid, entry.head, why=_BREAKS % entry.uid), error
            if broke is not None and cursor.failed != entry.uid:
                yield Batch(replace(cursor, next=entry.uid, failed=entry.uid))
                raise broke
            cursor = replace(cursor, next=entry.uid + 1, failed=0)
            yield Batch(cursor, 0, mail)
            if broke is not None:
                raise broke
            if clock.read_monotonic() > end:
                raise UnreachableError(f"{mailbox.server.host} is slow: the next round fetches the other mails")
        cursor = replace(cursor, next=group[-1] + 1)
        yield Batch(cursor)
    yield Batch(replace(cursor, since=since))


def _fetch_headers(mailbox: Mailbox, uids: list[int]) -> list[Entry]:
    """Return size and header of existing mails."""
    answers = mailbox.fetch(uids, b"RFC822.SIZE", b"BODY.PEEK[HEADER]<0.%d>" % MAX_HEADER)
    return [
        Entry(uid, answer.get(b"RFC822.SIZE", 0), answer.get(b"BODY[HEADER]<0>") or b"")
        for uid, answer in sorted(answers.items())
    ]


def _select_wanted(mailbox: Mailbox, entries: list[Entry], judge: Judge) -> list[Entry]:
    """Return the mails to fetch: wanted mails, mails with our word in the text, and mails with attachments."""
    verdicts = {entry.uid: judge(entry) for entry in entries}
    doubtful = [entry.uid for entry in entries if verdicts[entry.uid] is None]
    span = b"%d:%d" % (doubtful[0], doubtful[-1]) if doubtful else b""
    found = {*mailbox.search(b"UID", span, b"BODY", b"kursk")} if doubtful else set()
    return [
        entry
        for entry in entries
        if verdicts[entry.uid]
        or (verdicts[entry.uid] is None and (entry.uid in found or (entry.size <= MAX_UNKNOWN and _has_files(entry))))
    ]


def _has_files(entry: Entry) -> bool:
    """Return whether the header permits attachments, unlike plain text or text in two forms."""
    said = message_from_bytes(entry.head)
    return said.get_content_maintype() != "text" and said.get_content_type() != "multipart/alternative"


def fetch_mail(mailbox: Mailbox, entry: Entry) -> Arrived:
    """Return the complete mail. If this is impossible, return its header and the reason."""
    if entry.size > MAX_MAIL:
        why = f"{entry.size >> 20} MiB are too many to fetch: ask for the turn alone"
        return Arrived(entry.uid, entry.head, why=why)
    answer = mailbox.fetch([entry.uid], b"BODY.PEEK[]", b"INTERNALDATE").get(entry.uid, {})
    raw, when = answer.get(b"BODY[]"), answer.get(b"INTERNALDATE")
    if not raw or len(raw) > MAX_MAIL:
        return Arrived(entry.uid, entry.head, why=_MISSING)
    internal = when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(when, datetime) else ""
    return Arrived(entry.uid, raw, internal)


def find_game(mailbox: Mailbox, game: str) -> Iterator[bytes]:
    """Yield a game's received and sent mails. ``game``: first digits, in subject or thread. Raises UnreachableError."""
    for folder in filter(None, (*mailbox.account.folders, mailbox.find_sent())):
        mailbox.select(folder)
        for entry in find_entries(mailbox, game):
            if not (mail := fetch_mail(mailbox, entry)).why:
                yield mail.raw


def find_entries(mailbox: Mailbox, game: str = "", begin: int = 1, end: int = 0) -> Iterator[Entry]:
    """Yield the headers of a game's mails in the selected folder.

    ``game``: the id or its first digits; '' means all games. ``begin``: the first UID. ``end``: the UID after the last,
    or 0 for no end. Raises UnreachableError.
    """
    subject, thread = f'"kursk {game[:8]}"'.encode("ascii"), f"k1.game.{game[:8]}".encode("ascii")
    span = b"%d:%s" % (begin, b"%d" % (end - 1) if end else b"*")
    found = mailbox.search(b"UID", span, b"OR", b"SUBJECT", subject, b"HEADER", b"References", thread)
    uids = [uid for uid in found if begin <= uid and (not end or uid < end)]  # n:* includes the last mail anyway
    for start in range(0, len(uids), _GROUP):
        yield from _fetch_headers(mailbox, uids[start : start + _GROUP])
