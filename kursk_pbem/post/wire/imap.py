"""The connection to a mailbox (RFC 3501, 2177). IMAPClient talks to the server.

No mail is deleted, moved or changed, but for the flag that says that it was taken (``mark``).
"""

from __future__ import annotations

import imaplib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.errors import MissingError
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.password import Secret
from kursk_pbem.post.wire.smtp import TIMEOUT, UnreachableError

_MIN_WAIT = 5
"""Seconds before the next round, because a server may answer IDLE with news each time."""
_MAX_IDLE = 9 * 60
"""Seconds of one IDLE: some servers close a connection after ten minutes."""
_KEYWORD = b"$KurskTaken"
_FAILURES = (imaplib.IMAP4.error, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""How IMAPClient fails at what a server says."""


def library() -> Any:
    """Return IMAPClient. Raises MissingError without the extra."""
    try:
        from imapclient import IMAPClient  # noqa: PLC0415  an extra
    except ImportError:
        what = "fetching from a server ('kursk inbox' takes any mailbox that lies on this machine)"
        raise MissingError(what, "mail") from None
    return IMAPClient


class Mailbox:
    """A connection to the folder of an account. Each call raises UnreachableError if anything goes wrong."""

    def __init__(self, account: Account, server: Server, secret: Secret) -> None:
        self.account, self.server, self.secret = account, server, secret
        self.client: Any = None
        connect = library()
        try:
            context = account.context() if server.tls == accounts.TLS else None
            self.client = connect(
                server.host, server.port, timeout=TIMEOUT, ssl=context is not None, ssl_context=context
            )
            self.client.normalise_times = False
            if server.tls == accounts.STARTTLS:
                self.client.starttls(account.context())
        except _FAILURES as error:
            self.close()
            where = f"{server.host}:{server.port}"
            raise UnreachableError(f"{where} cannot be reached for fetching: {secret.why(error)}") from None
        try:
            (self.client.oauth2_login if secret.token else self.client.login)(server.user, secret.text)
        except _FAILURES as error:
            self.close()
            raise UnreachableError(secret.refused(server, error)) from None

    def close(self) -> None:
        """Close the connection, whatever its state is."""
        if self.client is not None:
            with suppress(*_FAILURES):
                self.client.shutdown()

    def _call(self, method: Callable[..., Any], *given: Any, **more: Any) -> Any:
        try:
            return method(*given, **more)
        except _FAILURES as error:
            raise UnreachableError(f"{self.server.host} broke off: {self.secret.why(error)}") from None

    def select(self, *, readonly: bool = True) -> tuple[int, int]:
        """Select the folder of the account; return its UIDVALIDITY and its next UID, 0 if the server does not say."""
        said = self._call(self.client.select_folder, self.account.folder, readonly=readonly)
        return said.get(b"UIDVALIDITY", 0), said.get(b"UIDNEXT", 0)

    def search(self, *criteria: bytes) -> list[int]:
        """Return the UIDs that a search finds, in order."""
        return sorted(self._call(self.client.search, criteria))

    def fetch(self, uids: Collection[int], *items: bytes) -> dict[int, dict[bytes, Any]]:
        """Return items of mails by UID, without mails that are gone."""
        answers: dict[int, dict[bytes, Any]] = self._call(self.client.fetch, list(uids), list(items))
        return answers

    def mark(self, uids: Iterable[int], validity: int) -> None:
        """Flag mails that were taken, if the account wants that. A failure does not matter."""
        listed = sorted({*uids})
        if not listed or self.account.after == accounts.NOTHING:
            return
        with suppress(UnreachableError):
            if self.select(readonly=False)[0] == validity:  # otherwise the numbers are those of other mails now
                self._call(self.client.add_flags, listed, [_KEYWORD], silent=True)

    def wait(self, seconds: int) -> None:
        """Wait by IDLE until something new comes, at most so long. Raises UnreachableError if the line was cut."""
        self.select()
        if not self._call(self.client.has_capability, "IDLE"):
            clock.rest(seconds)
            self._call(self.client.noop)
            return
        began = clock.ticking()
        self._call(self.client.idle)
        self._call(self.client.idle_check, timeout=min(seconds, _MAX_IDLE))
        self._call(self.client.idle_done)
        self._call(self.client.noop)
        clock.rest(max(0.0, _MIN_WAIT - (clock.ticking() - began)))
