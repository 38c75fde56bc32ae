"""The connection to a mailbox (RFC 3501, 2177, 4315), through IMAPClient.

No mail is deleted, moved or changed, except for surplus copies of the program's own letters (``remove``).
"""

from __future__ import annotations

import imaplib
import socket
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from kursk_pbem.desk.ground import clock
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.password import Secret
from kursk_pbem.post.wire.smtp import TIMEOUT, RefusedError, UnreachableError

_MIN_WAIT = 5
"""Minimum seconds between rounds, because a server may answer every IDLE with news."""
_MAX_IDLE = 9 * 60
"""Maximum seconds of one IDLE: some servers close a connection after ten minutes."""
_LOOK = 30
"""Seconds between looks at the commands of other windows."""
_FAILURES = (imaplib.IMAP4.error, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors of IMAPClient for a server's answers."""


class Mailbox:
    """A connection to the folder of an account. Each call raises UnreachableError on any failure."""

    def __init__(self, account: Account, server: Server, secret: Secret) -> None:
        self.account, self.server, self.secret = account, server, secret
        self.client: Any = None
        self._sent: str | None = None
        from imapclient import IMAPClient  # noqa: PLC0415  slow to load

        try:
            context = account.tls_context() if server.tls == accounts.TLS else None
            self.client = IMAPClient(
                server.host, server.port, timeout=TIMEOUT, ssl=context is not None, ssl_context=context
            )
            self.client.normalise_times = False
            # a command goes in small pieces: without this option each waits until the server confirms the one before
            self.client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if server.tls == accounts.STARTTLS:
                self.client.starttls(account.tls_context())
        except _FAILURES as error:
            self.close()
            where = f"{server.host}:{server.port}"
            raise UnreachableError(
                f"{where} cannot be reached for fetching: {secret.describe_failure(server, error)}"
            ) from None
        try:
            (self.client.oauth2_login if secret.token else self.client.login)(server.user, secret.text)
        except _FAILURES as error:
            self.close()
            raise RefusedError(secret.describe_refusal(server, error)) from None

    def close(self) -> None:
        """Close the connection, whatever its state."""
        if self.client is not None:
            with suppress(*_FAILURES):
                self.client.shutdown()

    def _call(self, method: Callable[..., Any], *given: Any, **more: Any) -> Any:
        try:
            return method(*given, **more)
        except _FAILURES as error:
            raise UnreachableError(f"{self.server.host} broke the connection: {self.secret.why(error)}") from None

    def select(self, folder: str = "", *, readonly: bool = True) -> tuple[int, int]:
        """Select a folder, '' for the account's first folder. Return its UIDVALIDITY and its next UID (0: unknown)."""
        said = self._call(self.client.select_folder, folder or self.account.folders[0], readonly=readonly)
        return said.get(b"UIDVALIDITY", 0), said.get(b"UIDNEXT", 0)

    def find_sent(self) -> str:
        """Return the account's folder of sent mails, otherwise the server's folder of sent mails, or ''."""
        if self.account.sent:
            return self.account.sent
        if self._sent is None:
            self._sent = str(self._call(self.client.find_special_folder, b"\\Sent") or "")
        return self._sent

    def list_folders(self) -> list[str]:
        """Return the names of readable folders, without the folder of drafts."""
        there = self._call(self.client.list_folders)
        hidden = {b"\\noselect", b"\\nonexistent", b"\\drafts"}
        return [str(name) for flags, _part, name in there if not hidden & {flag.lower() for flag in flags}]

    def append(self, folder: str, raw: bytes) -> str:
        """Save a mail in a folder, marked as read. Return '', or why the server refuses the mail."""
        try:
            self.client.append(folder, raw, [b"\\Seen"])
        except _FAILURES as error:
            if isinstance(error, imaplib.IMAP4.error) and not isinstance(error, imaplib.IMAP4.abort):
                return self.secret.why(error)  # a full folder, a folder without the right to write
            raise UnreachableError(f"{self.server.host} broke the connection: {self.secret.why(error)}") from None
        return ""

    def remove(self, folder: str, uids: Collection[int]) -> None:
        """Delete mails of a folder. Without UIDPLUS, only mark the mails, because EXPUNGE would delete others, too."""
        self.select(folder, readonly=False)
        self._call(self.client.add_flags, list(uids), [b"\\Deleted"], silent=True)
        if self._call(self.client.has_capability, "UIDPLUS"):
            self._call(self.client.uid_expunge, list(uids))

    def search(self, *criteria: bytes) -> list[int]:
        """Return the sorted UIDs of mails that match IMAP criteria. A criterion with a blank needs quotes."""
        found: list[int] = self._call(self._search, criteria)
        return found

    def _search(self, criteria: tuple[bytes, ...]) -> list[int]:
        lines = self.client._raw_command_untagged(b"SEARCH", criteria)  # noqa: SLF001  search() reads one line only
        return sorted(int(uid) for line in lines for uid in (line or b"").partition(b"(")[0].split())

    def fetch(self, uids: Collection[int], *items: bytes) -> dict[int, dict[bytes, Any]]:
        """Return the wanted data items of mails, by UID. A mail that no longer exists is left out."""
        answers: dict[int, dict[bytes, Any]] = self._call(self.client.fetch, list(uids), list(items))
        return answers

    def wait(self, seconds: int, called: Callable[[], bool] = lambda: False) -> None:
        """Wait for new mails by IDLE, at most some seconds. Raises UnreachableError if the connection breaks.

        ``called``: a function that runs twice a minute. The wait ends when the function returns True.
        """
        self.select()
        idles, began, news = self._call(self.client.has_capability, "IDLE"), clock.read_monotonic(), False
        left = min(seconds, _MAX_IDLE) if idles else seconds
        if idles:
            self._call(self.client.idle)
        while left > 0 and not news and not called():
            part = min(left, _LOOK)
            left -= part
            if idles:
                news = bool(self._call(self.client.idle_check, timeout=part))
            else:
                clock.sleep(part)
        if idles:
            self._call(self.client.idle_done)
        self._call(self.client.noop)
        if idles:
            clock.sleep(max(0.0, _MIN_WAIT - (clock.read_monotonic() - began)))
