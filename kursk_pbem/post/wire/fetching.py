"""Fetch new mails that may be ours: each with the time at which the server received it. Nothing becomes read.

New is a UID from the cursor on, under the same UIDVALIDITY. Under another one the last days are looked through again.
After a break the mails are asked for one by one. A mail at which the connection breaks in two rounds is skipped, and
told, if another mail could be fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

from kursk_pbem.kernel.words import plural
from kursk_pbem.post.wire.imap import MAX_STRUCTURES, Mailbox, number
from kursk_pbem.post.wire.smtp import UnreachableError

MAX_MAIL, MAX_UNKNOWN = 8 * 1024 * 1024, 1024 * 1024
"""Bytes of a mail that is fetched, and of one that is fetched from a stranger for its attachments."""
MAX_BATCH, MAX_BATCH_BYTES = 50, 16 * 1024 * 1024
"""Mails, and bytes of them, that are fetched at once."""
MAX_HEADER = 65_536
_HEADERS, _STRUCTURES = 200, 50
"""Mails whose headers, or structures, are asked for at once."""
_MAX_UID = 2**32 - 2
_WORD = b"kursk"
_MEDIA = ("image", "audio", "video")
_BREAKS = (
    "the server breaks off each time it is asked for this mail (UID %d): save it with your mail program, and 'kursk "
    "inbox FILE' takes it; or ask for it again"
)

Judge = Callable[[bytes], bool | None]
"""Says of a header whether its mail is wanted; None: if its text holds our word, or it has attachments."""


@dataclass(frozen=True)
class Cursor:
    """How far a folder was looked through: the next UID under a UIDVALIDITY; what came ``since`` may be new.

    ``failed``: the mails at which the connection broke in the last round.
    """

    validity: int = 0
    next: int = 0
    since: date | None = None
    failed: tuple[int, ...] = ()


@dataclass(frozen=True)
class Arrived:
    """A fetched mail; ``internal``: when the server received it, in UTC, '' if it does not say."""

    uid: int
    raw: bytes = field(repr=False)
    internal: str = ""


@dataclass(frozen=True)
class Skipped:
    """A mail that is not fetched, with as much of its header as is known, and why."""

    uid: int
    head: bytes
    why: str


@dataclass(frozen=True)
class Batch:
    """Some mails of a folder: how many were ``seen``, which were fetched, which skipped, and the cursor after them."""

    cursor: Cursor
    seen: int = 0
    mails: tuple[Arrived, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class _Entry:
    uid: int
    size: int
    head: bytes


def fetch(mailbox: Mailbox, cursor: Cursor, first: date, judge: Judge, since: date) -> Iterator[Batch]:
    """Yield what is new in batches; keep the mails of a batch before its cursor. Raises UnreachableError.

    ``first``: the day from which on a new folder is looked through. ``since``: the cursor's day after a whole look.
    """
    validity, following = mailbox.select()
    fresh = not (cursor.next and validity == cursor.validity > 0) or 0 < following < cursor.next  # it was set back
    if fresh:
        first = min(first, cursor.since or first)
        found = mailbox.search(*_since(first))
    else:
        found = mailbox.search(b"UID", b"%d:*" % cursor.next)  # with nothing new the server gives its last mail
    uids = sorted(uid for uid in found if (1 if fresh else cursor.next) <= uid <= _MAX_UID)
    if fresh:  # a break must not let the first day move on
        begin = uids[0] if uids else following if 0 < following <= _MAX_UID else 1
        cursor = Cursor(validity, begin, first)
        yield Batch(cursor)
    look = _Look(mailbox, judge, cursor)
    for start in range(0, len(uids), _HEADERS):
        yield from look.group(uids[start : start + _HEADERS])
    if look.held:
        mails = plural(len(look.held), "mail")
        raise UnreachableError(f"{mailbox.server.host} broke off at {mails}, and is asked again in the next round")
    yield Batch(replace(look.cursor, since=since, failed=()))


@dataclass
class _Look:
    """A look through a folder; ``held``: mails at which the connection broke, which are asked for in the next round."""

    mailbox: Mailbox
    judge: Judge
    cursor: Cursor
    held: list[int] = field(default_factory=list)
    heads: dict[int, bytes] = field(default_factory=dict)

    def group(self, uids: list[int]) -> Iterator[Batch]:
        """Yield the batches of some mails, one by one after a break."""
        try:
            yield from self.batches(uids)
        except UnreachableError:
            self._reopen()
        else:
            return
        before, broke, good = {*self.cursor.failed}, list[int](), False
        for uid in (uid for uid in uids if uid >= self.cursor.next):
            try:
                yield from self.batches([uid])
                good = True
            except UnreachableError:
                broke.append(uid)
                self.held.append(uid)
                self._reopen()
        over = [uid for uid in broke if good and uid in before]  # a server that gives nothing at all is out of order
        self.held = [uid for uid in self.held if uid not in over]
        self.cursor = replace(self.cursor, failed=tuple(self.held))
        yield self._batch(uids[-1] + 1, 0, (), [Skipped(uid, self.heads.get(uid, b""), _BREAKS % uid) for uid in over])

    def _reopen(self) -> None:
        if self.mailbox.reopen() != self.cursor.validity:
            raise UnreachableError(f"{self.mailbox.server.host} has given its mails new numbers meanwhile")

    def _batch(self, following: int, seen: int, mails: Sequence[Arrived], skipped: Sequence[Skipped]) -> Batch:
        self.cursor = replace(self.cursor, next=min(following, *self.held, _MAX_UID + 1))
        return Batch(self.cursor, seen, tuple(mails), tuple(skipped))

    def batches(self, uids: list[int]) -> Iterator[Batch]:
        """Yield the batches of some mails."""
        entries = _entries(self.mailbox, uids)
        self.heads = {entry.uid: entry.head for entry in entries} | {uid: self.heads.get(uid, b"") for uid in self.held}
        wanted = _wanted(self.mailbox, entries, self.judge, alone=len(uids) == 1)
        large = [entry for entry in wanted if entry.size > MAX_MAIL]
        parts = list(_parts(entry for entry in wanted if entry.size <= MAX_MAIL))
        for part in parts[:-1]:
            yield self._batch(part[-1].uid + 1, len(part), *_whole(self.mailbox, part))
        mails, missing = _whole(self.mailbox, parts[-1]) if parts else ((), ())
        seen = len(entries) - sum(map(len, parts[:-1]))
        yield self._batch(uids[-1] + 1, seen, mails, [*map(_too_large, large), *missing])


def _too_large(entry: _Entry) -> Skipped:
    return Skipped(entry.uid, entry.head, f"its {entry.size >> 20} MiB are too many to fetch: ask for the turn alone")


def _since(day: date) -> tuple[bytes, bytes]:
    return b"SINCE", f"{day:%d-%b-%Y}".encode("ascii")


def newest_heads(mailbox: Mailbox, since: date, number_of: int) -> list[bytes]:
    """Return the headers of the newest mails, at most so many. Raises UnreachableError."""
    mailbox.select()
    uids = sorted(mailbox.search(*_since(since)))[-number_of:]
    return [entry.head for entry in _entries(mailbox, uids)] if uids else []


def _entries(mailbox: Mailbox, uids: list[int]) -> list[_Entry]:
    """Return size and header of mails, without mails that are gone."""
    answers = mailbox.fetch(uids, b"RFC822.SIZE", b"BODY.PEEK[HEADER]<0.%d>" % MAX_HEADER)
    heads = {uid: answer.get(b"BODY[HEADER]<0>") for uid, answer in answers.items()}
    return [
        _Entry(uid, number(answers[uid].get(b"RFC822.SIZE")), head if isinstance(head, bytes) else b"")
        for uid, head in sorted(heads.items())
    ]


def _wanted(mailbox: Mailbox, entries: list[_Entry], judge: Judge, *, alone: bool) -> list[_Entry]:
    """Return the mails to fetch. One that is asked for ``alone`` is not searched: that may break the connection."""
    verdicts = {entry.uid: judge(entry.head) if entry.head.strip() else True for entry in entries}
    doubtful = [entry for entry in entries if verdicts[entry.uid] is None]
    small = {entry.uid for entry in doubtful if entry.size <= MAX_UNKNOWN}
    chosen = {uid for uid, verdict in verdicts.items() if verdict}
    if alone:
        chosen |= small
    elif doubtful:
        chosen |= mailbox.containing([entry.uid for entry in doubtful], _WORD) & {entry.uid for entry in doubtful}
        left = sorted(small - chosen)
        for start in range(0, len(left), _STRUCTURES):
            some = left[start : start + _STRUCTURES]
            answers = mailbox.fetch(some, b"BODYSTRUCTURE", limit=MAX_STRUCTURES)
            chosen |= {uid for uid in some if has_files(answers.get(uid, {}).get(b"BODYSTRUCTURE"))}
    return [entry for entry in entries if entry.uid in chosen]


def has_files(structure: Any) -> bool:
    """Return whether a mail of this structure has another attachment than pictures, sounds and films."""
    left = [structure]
    while left:
        part = left.pop()
        if not isinstance(part, tuple | list) or not part:
            return True
        if isinstance(part[0], tuple | list):
            parts = part[0] if isinstance(part[0], list) else [one for one in part if isinstance(one, tuple | list)]
            left += parts
            continue
        kind = part[0].decode("latin-1").lower() if isinstance(part[0], bytes) else ""
        if kind not in (*_MEDIA, "text") or (kind == "text" and b"name" in repr(part).lower().encode("utf-8")):
            return True
    return False


def _parts(entries: Iterable[_Entry]) -> Iterator[list[_Entry]]:
    """Yield mails in parts of a size that is fetched at once."""
    part, spent = list[_Entry](), 0
    for entry in entries:
        if part and (spent + entry.size > MAX_BATCH_BYTES or len(part) >= MAX_BATCH):
            yield part
            part, spent = [], 0
        part.append(entry)
        spent += entry.size
    if part:
        yield part


def _whole(mailbox: Mailbox, part: list[_Entry]) -> tuple[tuple[Arrived, ...], tuple[Skipped, ...]]:
    """Return some mails whole, and the mails that the server did not give."""
    answers = mailbox.fetch([entry.uid for entry in part], b"BODY.PEEK[]", b"INTERNALDATE")
    mails, missing = list[Arrived](), list[Skipped]()
    for entry in part:
        answer = answers.get(entry.uid, {})
        raw, when = answer.get(b"BODY[]"), answer.get(b"INTERNALDATE")
        if isinstance(raw, bytes) and 0 < len(raw) <= MAX_MAIL:
            internal = when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(when, datetime) else ""
            mails.append(Arrived(entry.uid, raw, internal))
        else:
            why = "the server did not give it, or it is gone: look at it with your mail program, and save its turn"
            missing.append(Skipped(entry.uid, entry.head, why))
    return tuple(mails), tuple(missing)


def find_game(mailbox: Mailbox, game: str) -> list[bytes]:
    """Return the first mails whose subject or thread names a game, by the first digits of its id.

    Raises UnreachableError.
    """
    mailbox.select()
    subject, thread = f'"kursk {game[:8]}"'.encode("ascii"), f"k1.game.{game[:32]}".encode("ascii")
    uids = sorted(mailbox.search(b"OR", b"SUBJECT", subject, b"HEADER", b"References", thread))[:MAX_BATCH]
    entries = [entry for entry in _entries(mailbox, uids) if entry.size <= MAX_MAIL] if uids else []
    first = next(_parts(entries), [])
    return [mail.raw for mail in _whole(mailbox, first)[0]] if first else []
