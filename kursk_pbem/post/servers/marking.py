"""What becomes of mails in the mailbox once they were taken: they get a flag, or go to a folder. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers import choosing, imap
from kursk_pbem.post.servers.account import Account
from kursk_pbem.post.servers.smtp import UnreachableError

_KEYWORD = b"$KurskTaken"


def mark(account: Account, client: Any, taken: Collection[Mapping[str, str]]) -> None:
    """Flag what was ``taken``, or move it to a folder, as the account says; where that fails it is no matter.

    Nothing whose number may be that of another mail by now: it was fetched from elsewhere, or before others were given.
    """
    if not taken or account.after == accounts.NOTHING:
        return
    with suppress(UnreachableError):
        selected = client.select_folder(account.folder, readonly=False)
        numbers = imap.numbers_of(account, choosing.number_of(selected.get(b"UIDVALIDITY")))
        listed = sorted({choosing.number_of(said.get("uid")) for said in taken if said.get("numbers") == numbers} - {0})
        if listed and account.after.startswith(accounts.FOLDER):
            _move(client, listed, account.after.removeprefix(accounts.FOLDER))
        elif listed:
            client.add_flags(listed, [_KEYWORD], silent=True)


def _move(client: Any, uids: list[int], folder: str) -> None:
    """Move mails to a folder, which is made if need be; where the server cannot move, copy them. Nothing is deleted."""
    if not client.folder_exists(folder):
        client.create_folder(folder)
    if client.has_capability("MOVE"):
        client.move(uids, folder)
    else:
        client.copy(uids, folder)
