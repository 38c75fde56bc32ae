"""Fetching (RFC 3501, 2177): what is new, looked at without marking it as read, kept before the cursor moves.

New is a UID from the cursor on, under the same UIDVALIDITY; with another one headers are gone through once, and what
was dealt with is known by its header. Nothing is deleted. The server is not believed in anything that costs more than
a look.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.errors import UNFORESEEN, DiskError, FileError, KurskError, Where
from kursk_pbem.kernel.words import plural
from kursk_pbem.post import arrival, place, spool
from kursk_pbem.post.envelope import MAX_MAIL, Mail
from kursk_pbem.post.referee import findings
from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers import asking, choosing, searching
from kursk_pbem.post.servers import cursor as cursors
from kursk_pbem.post.servers.account import Account, Server
from kursk_pbem.post.servers.choosing import Entry, number_of
from kursk_pbem.post.servers.line import Line, library
from kursk_pbem.post.servers.password import Secret
from kursk_pbem.post.servers.searching import NO_UID
from kursk_pbem.post.servers.smtp import TIMEOUT, UnreachableError

MOST_MAILS, MOST_BYTES = 50, 16 * 1024 * 1024
"""Mails, and bytes of them, that are fetched at once."""
_HEADERS = 200
"""Mails whose headers are asked for at once."""
_TOLD = 5
"""Mails that were not kept and that an error names."""
_LEAST = 5
"""Seconds that pass before the next round, whatever a server says: it may answer IDLE with news each time."""
_IDLE = 9 * 60
"""Seconds after which IDLE is begun anew: some servers drop a connection after ten minutes."""


@dataclass
class Fetched:
    """What a fetch came to: how many mails were looked at, how many kept, what could not be, and whose that may be.

    ``whole``: it came to the end of the mailbox; ``broke``: the line broke off before. ``players``: the addresses of
    those whose mails are told first. ``found``: why mails could not be kept. ``held``: how many bytes all mails have
    that are here and not dealt with.
    """

    seen: int = 0
    kept: int = 0
    whole: bool = True
    broke: bool = False
    found: findings.Findings = field(default_factory=findings.Findings)
    players: Collection[str] = ()
    held: int = 0

    def complain(self, why: str, head: bytes, place: str, parts: bytes = b"") -> None:
        """Put down of the mail with this header why it could not be kept; ``parts``: what is known of its parts."""
        mail = Mail(head.rstrip() + b"\r\n\r\n" + parts if head.strip() else head, place)
        self.found.put(FileError(why, Where(mail.name)), *findings.kind(mail, self.players))

    @property
    def faults(self) -> list[KurskError]:
        """What is told of what could not be kept."""
        return self.found.told

    @property
    def mails(self) -> str:
        """How many were new, in words."""
        return plural(self.seen, "new mail")


@contextmanager
def connected(account: Account, server: Server, secret: Secret) -> Iterator[Any]:
    """An IMAPClient over TLS, logged in. MissingError without the extra, UnreachableError where it does not work."""
    client, connect = None, library()
    try:
        secure = server.tls == accounts.TLS
        context = account.context() if secure else None
        client = connect(server.host, server.port, ssl=secure, ssl_context=context, timeout=TIMEOUT)
        line = Line(client, server.host, secret.washed)
        if server.tls == accounts.STARTTLS:
            client.starttls(account.context())
        if secret.token:
            client.oauth2_login(server.user, secret.text)
        else:
            client.login(server.user, secret.text)
    except Exception as error:  # noqa: BLE001  a server chooses what the library stumbles over
        _close(client)
        why = secret.why(error)
        raise UnreachableError(f"{server.host}:{server.port} cannot be reached for fetching: {why}") from None
    try:
        yield line
    finally:
        _close(client)


def _close(client: Any) -> None:
    if client is not None:
        with suppress(Exception):
            client.shutdown()


def fetch(
    home: Path, account: Account, client: Any, known: Collection[str] = (), *, everything: bool = False
) -> Fetched:
    """Keep every new mail that may be ours in the spool; ``known``: addresses of people. UsageError.

    ``everything``: look into each new mail, whatever its header says. Where the line is cut behind mails that could not
    be kept the error names them, and each fetch does before ``named``.
    """
    result = Fetched(found=findings.read(place.load(_unnamed(home, account))), players=known, held=spool.held(home))
    try:
        _fetch_all(home, account, client, {*known}, result, everything=everything)
    except (UnreachableError, DiskError) as error:
        result.whole, result.broke = False, isinstance(error, UnreachableError)
        here = spool.holds_any(home)
        if not (here or isinstance(error, spool.AlmostFullError)):
            if result.broke:
                error = UnreachableError("; before that, ".join([error.message, *result.found.few(_TOLD)]))
            raise error from None
        # what is taken makes room: otherwise mails that fill a disk would stop all rounds, and so would a line that
        # strangers' mails outlast (T49)
        result.found.put(FileError(f"{error.message}{'; what was fetched is taken first' if here else ''}"))
    return result


def _unnamed(home: Path, account: Account) -> Path:
    """Where it stands why mails were passed by, as long as nobody has been told of them."""
    return place.root(home) / "in" / account.name / "unnamed"


def named(home: Path, account: Account) -> None:
    """Everybody has been told of the mails that were passed by."""
    _unnamed(home, account).unlink(missing_ok=True)


def _fetch_all(
    home: Path, account: Account, client: Any, known: set[str], result: Fetched, *, everything: bool
) -> None:
    cursor = cursors.load(home, account)
    selected = client.select_folder(account.folder, readonly=True)
    validity = number_of(selected.get(b"UIDVALIDITY"))
    following = number_of(selected.get(b"UIDNEXT"))
    fresh = not (cursor.next and validity == cursor.validity > 0)  # where a server gives none, its numbers say nothing
    fresh = fresh or 0 < following < cursor.next  # it was set back to a copy of before, and gives numbers once more
    since = cursor.begins(account.days)
    uids, end = searching.new(client, 0 if fresh else cursor.next, since)
    result.whole = end
    if fresh:  # put down before a line can break off: otherwise the days move on, past a mail that was never fetched
        cursor = cursor.moved(validity, uids[0] if uids else following if 0 < following < NO_UID else 1, since)
    numbers = numbers_of(account, validity)
    asked = asking.begin(home, account, validity, 0 if fresh else cursor.next)
    while uids:
        some = asked.together(uids, _HEADERS)
        uids = uids[len(some) :]
        with asked.among(some):
            why = asked.passed(some[0])
            batch = [Entry(some[0], 0, asked.head)] if why else choosing.entries(client, some)
            result.seen += len(batch)
            asked.head = batch[0].head if batch else b""
            if why:
                result.complain(why, asked.head, account.folder)
            else:
                every = everything or asked.alone(some[0])
                inside = {entry.uid for entry in batch} if every or not batch else choosing.inside(client, batch)
                chosen = choosing.wanted(client, batch, inside, known)
                _keep(home, account, client, sorted(chosen, key=lambda entry: entry.uid), result, numbers)
            if result.faults:  # whoever is killed behind this has told nobody
                place.put(_unnamed(home, account), result.found.written)
            moves = cursor.ended if end and not uids else cursor.moved
            cursor = moves(validity, some[-1] + 1)
    if end:
        asked.over()


def numbers_of(account: Account, validity: int) -> str:
    """What a UID is a number of: it names another mail elsewhere, or once a server has begun anew."""
    return f"{account.name} {account.folder} {validity}"


def _keep(home: Path, account: Account, client: Any, entries: Iterable[Entry], result: Fetched, numbers: str) -> None:
    """Fetch mails whole, and keep them; those that are too large are named."""
    batch, spent = list[Entry](), 0
    for entry in entries:
        if entry.head.strip() and spool.knows(home, entry.head):
            continue
        if entry.size > MAX_MAIL:
            why = f"{entry.size // 1024 // 1024} MiB are more than is fetched; ask for the turn alone"
            result.complain(why, entry.head, account.folder, entry.parts)
            continue
        if batch and (spent + entry.size > MOST_BYTES or len(batch) >= MOST_MAILS):
            _fetch(home, account, client, batch, result, numbers)
            batch, spent = [], 0
        batch.append(entry)
        spent += entry.size
    if batch:
        _fetch(home, account, client, batch, result, numbers)


def _fetch(home: Path, account: Account, client: Any, batch: list[Entry], result: Fetched, numbers: str) -> None:
    spool.has_room(home, result.held, [entry.size for entry in batch])
    answers = client.fetch([entry.uid for entry in batch], [b"BODY.PEEK[]", b"INTERNALDATE"])
    for entry in batch:
        raw = answers.get(entry.uid, {}).get(b"BODY[]")
        if not isinstance(raw, bytes) or not raw or len(raw) > MAX_MAIL:
            gave = "did not give it as it said" if entry.uid in answers else "did not give it, or it is gone"
            why = f"the server {gave}; look at it with your mail program, and save the turn in it"
            result.complain(why, entry.head, account.folder, entry.parts)
            continue
        spool.has_room(home, 0, [len(raw)])  # a server may have said that it is smaller
        noted, came = answers[entry.uid].get(b"INTERNALDATE"), ""
        with suppress(*UNFORESEEN):  # otherwise it came when it was fetched
            came = arrival.of(Mail(raw, ""), account.arrival, clock.written(noted) if noted else "")
        where = {"folder": account.folder, "numbers": numbers, "uid": str(entry.uid)}
        spool.put(home, raw, **where, fetched=clock.now(), arrived=came)
        result.kept += 1
        result.held += len(raw)


def wait(account: Account, client: Any, seconds: int) -> bool:
    """Wait for something new by IDLE, at most so long; whether something came. UnreachableError if the line was cut.

    An empty answer before the time is over means that there is no line any more.
    """
    client.select_folder(account.folder, readonly=True)
    if not client.has_capability("IDLE"):
        clock.rest(seconds)
        client.noop()
        return True
    client.idle()
    limit = min(seconds, _IDLE)
    began = clock.ticking()
    news = client.idle_check(timeout=limit)
    if not news and clock.ticking() - began < limit - 1:
        raise UnreachableError("the server has closed the line")
    client.idle_done()
    client.noop()
    clock.rest(max(0.0, _LEAST - (clock.ticking() - began)))
    return bool(news)
