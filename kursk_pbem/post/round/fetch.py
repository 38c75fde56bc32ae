"""Save new mails of the mailbox in the spool, before the cursor of the folder advances."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import DiskError, FileError, KurskError, Where
from kursk_pbem.kernel.words import plural
from kursk_pbem.post.mailbox import arrival, spool, store, task_guard
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.wire import fetching
from kursk_pbem.post.wire.account import Account
from kursk_pbem.post.wire.fetching import Arrived, Batch, Cursor, Entry
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.smtp import UnreachableError


@dataclass
class Fetched:
    """The result of a fetch: mails seen, mails kept, errors of skipped mails, and the reason of an early end.

    ``newest``: the server's time of the newest mail.
    """

    seen: int = 0
    kept: int = 0
    faults: list[KurskError] = field(default_factory=list)
    stopped: KurskError | None = None
    newest: str = ""

    @property
    def mails(self) -> str:
        """The number of new mails in words."""
        return plural(self.seen, "new mail")


def fetch_mails(
    home: Path, account: Account, mailbox: Mailbox, known: Collection[str], *, everything: bool = False
) -> Fetched:
    """Save every new mail possibly meant for the program. Raises UsageError.

    ``known``: addresses of people. ``everything``: fetch all new mails.
    """
    result = Fetched()
    for folder in account.folders:
        if result.stopped is None:
            _fetch_folder(home, account, folder, mailbox, (known, everything), result)
    return result


def _fetch_folder(
    home: Path, account: Account, folder: str, mailbox: Mailbox, asked: tuple[Collection[str], bool], result: Fetched
) -> None:
    (known, everything), today = asked, date.fromisoformat(clock.now()[:10])
    cursor, yesterday = load_cursor(home, account, folder), today - timedelta(days=1)

    def wanted(mail: Entry) -> bool | None:
        verdict: bool | None = True
        with task_guard.guard_task(home, folder, mail.head, result.faults.append):
            numbers = uid_scope(account, cursor.validity, folder)
            here = spool.is_known(home, mail.head, mail.size, mail.uid, numbers)
            verdict = False if here else True if everything else _is_wanted(mail.head, known)
        return verdict  # noqa: RET504  failing mails are fetched

    try:
        first = today - timedelta(days=account.days)
        for batch in fetching.fetch_batches(mailbox, folder, cursor, first, wanted, yesterday):
            cursor = batch.cursor
            with store.open_writing(home):
                _save_mail(home, account, folder, batch, result)
                save_cursor(home, account, cursor, folder)
            result.seen += batch.seen
    except (UnreachableError, DiskError) as error:
        result.stopped = error
        result.faults.append(error)


def _save_mail(home: Path, account: Account, folder: str, batch: Batch, result: Fetched) -> None:
    """Save the mail of a batch, or report the skip. Raises DiskError."""
    mail = batch.mail
    if mail is not None and not mail.why:
        said = describe_mail(mail, account, folder, batch.cursor.validity)
        result.kept += spool.add_mail(home, mail.raw, **said)
        result.newest = max(result.newest, mail.internal)
    elif mail is not None:
        result.faults.append(FileError(mail.why, Where(Mail(mail.raw, folder).name)))


def _is_wanted(head: bytes, known: Collection[str]) -> bool | None:
    """Return whether a mail is wanted by its header; None if undecided."""
    mail = Mail(head, "")
    return mail.ours or mail.by_server or mail.sender.lower() in known or None


def uid_scope(account: Account, validity: int, folder: str) -> str:
    """Return account, folder and UIDVALIDITY as one text. A server's UID is unique only within this scope."""
    return f"{account.name} {folder} {validity}"


def describe_mail(mail: Arrived, account: Account, folder: str, validity: int) -> dict[str, str]:
    """Return the folder and the times of a fetched mail, as fields to be saved."""
    came = arrival.arrival_time(Mail(mail.raw, ""), account.arrival, mail.internal)
    where = {"folder": folder, "uid": str(mail.uid), "numbers": uid_scope(account, validity, folder)}
    return {**where, "fetched": clock.now(), "arrived": came}


def load_cursor(home: Path, account: Account, folder: str) -> Cursor:
    """Return the cursor of a folder: how far the mails were read. Raises DiskError."""
    data = json.loads(store.load_setting(home, _cursor_name(account, folder)) or "{}")
    since = date.fromisoformat(data["since"]) if data.get("since") else None
    return Cursor(int(data.get("uidvalidity", 0)), int(data.get("next", 0)), since, int(data.get("failed") or 0))


def save_cursor(home: Path, account: Account, cursor: Cursor, folder: str) -> None:
    """Save the cursor of a folder: how far the mails were read. Raises DiskError."""
    since = cursor.since.isoformat() if cursor.since else ""
    said = {"uidvalidity": cursor.validity, "next": cursor.next, "since": since, "failed": cursor.failed}
    store.save_setting(home, _cursor_name(account, folder), json.dumps(said))


def _cursor_name(account: Account, folder: str) -> str:
    return f"cursor {account.name} {folder}"
