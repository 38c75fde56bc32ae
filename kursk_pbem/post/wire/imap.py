"""The connection to a mailbox (RFC 3501, 2177). IMAPClient talks to the server; bounds keep its answers small.

No mail is deleted or changed, but for the flag or the folder that the owner of the account wants (``mark``).
"""

from __future__ import annotations

import imaplib
import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.errors import MissingError
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.password import Secret
from kursk_pbem.post.wire.smtp import TIMEOUT, UnreachableError

MAX_ANSWER, MAX_STRUCTURES = 64 * 1024 * 1024, 1_000_000
"""Bytes of an answer to one command, and to one about structures, which cost IMAPClient two seconds."""
_A_LINE = 256
"""Bytes that each line counts more than it has."""
_MAX_REOPENED = 25
"""Connections that one round makes after breaks."""
_MIN_WAIT = 5
"""Seconds before the next round, because a server may answer IDLE with news each time."""
_MAX_IDLE = 9 * 60
"""Seconds of one IDLE: some servers close a connection after ten minutes."""
_KEYWORD = b"$KurskTaken"
_ODD = (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError)
_FAILURES = (*_ODD, OSError, EOFError, imaplib.IMAP4.error)
"""How IMAPClient fails at what a server says."""


def library() -> Any:
    """Return IMAPClient with bounded answers. Raises MissingError without the extra."""
    try:
        from imapclient import IMAPClient, imap4, tls  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingError(
            "fetching from a server ('kursk inbox' takes any mailbox that lies on this machine)", "mail"
        ) from None

    class Bounded(imaplib.IMAP4):
        left = MAX_ANSWER

        def _spend(self, size: int) -> None:
            self.left -= size
            if self.left < 0:
                raise UnreachableError(f"{self.host} broke off: its answer is too long")

        def read(self, size: int) -> bytes:
            self._spend(size)
            return super().read(size)

        def readline(self) -> bytes:
            line = super().readline()
            self._spend(len(line) + _A_LINE)
            return line

    class BoundedTLS(Bounded, tls.IMAP4_TLS):  # type: ignore[misc]  # the extra has no types
        pass

    class BoundedPlain(Bounded, imap4.IMAP4WithTimeout):  # type: ignore[misc]
        pass

    class Client(IMAPClient):  # type: ignore[misc]
        def _create_IMAP4(self) -> Any:  # noqa: N802  the library's own name
            if self.ssl:
                return BoundedTLS(self.host, self.port, self.ssl_context, self._timeout.connect)  # type: ignore[call-arg]
            return BoundedPlain(self.host, self.port, self._timeout.connect)

        def limit(self, size: int) -> None:
            self._imap.left = size

        def search(self, *criteria: bytes) -> list[int]:
            """Return the numbers that a search finds; a server may answer in several lines."""
            self._imap.untagged_responses.clear()
            lines = self._raw_command_untagged(b"SEARCH", list(criteria))
            return [int(word) for line in lines if line for word in re.findall(rb"(?<!\S)\d{1,10}(?!\S)", line)]

    return Client


class Mailbox:
    """A connection to the folder of an account, which can be opened again after a break.

    Each call of the library raises UnreachableError if anything goes wrong.
    """

    def __init__(self, account: Account, server: Server, secret: Secret) -> None:
        self.account, self.server, self.secret, self.reopened = account, server, secret, 0
        self.client: Any = None
        self.open()

    def open(self) -> None:
        """Connect over TLS and log in. Raises UnreachableError."""
        account, server, connect = self.account, self.server, library()
        context = account.context() if server.tls == accounts.TLS else None
        where = f"{server.host}:{server.port}"
        try:
            secure = {"ssl": context is not None, "ssl_context": context}
            self.client = connect(server.host, server.port, timeout=TIMEOUT, **secure)
            self.client.normalise_times = False
            if server.tls == accounts.STARTTLS:
                self.client.starttls(account.context())
        except _FAILURES as error:
            self.close()
            raise UnreachableError(f"{where} cannot be reached for fetching: {self.secret.why(error)}") from None
        try:
            login = self.client.oauth2_login if self.secret.token else self.client.login
            self._call(login, server.user, self.secret.text)
        except UnreachableError as error:
            self.close()
            refused = isinstance(error.__cause__, imaplib.IMAP4.error) and not isinstance(
                error.__cause__, imaplib.IMAP4.abort
            )
            raise (UnreachableError(self.secret.refused(server)) if refused else error) from None

    def reopen(self) -> int:
        """Connect again after a break and select the folder; return its UIDVALIDITY. Raises UnreachableError."""
        self.close()
        self.reopened += 1
        if self.reopened > _MAX_REOPENED:
            raise UnreachableError(f"{self.server.host} broke off {self.reopened} times in one round")
        self.open()
        return self.select()[0]

    def close(self) -> None:
        """Close the connection, whatever its state is."""
        if self.client is not None:
            with suppress(*_FAILURES):
                self.client.shutdown()

    def _call(self, method: Callable[..., Any], *given: Any, limit: int = MAX_ANSWER, **more: Any) -> Any:
        self.client.limit(limit)
        try:
            return method(*given, **more)
        except UnreachableError:
            raise
        except _FAILURES as error:
            raise UnreachableError(f"{self.server.host} broke off: {self.secret.why(error)}") from error

    def select(self, *, readonly: bool = True) -> tuple[int, int]:
        """Select the folder of the account; return its UIDVALIDITY and its next UID, 0 for what is not given."""
        said = self._call(self.client.select_folder, self.account.folder, readonly=readonly)
        return number(said.get(b"UIDVALIDITY")), number(said.get(b"UIDNEXT"))

    def search(self, *criteria: bytes) -> set[int]:
        """Return the UIDs that a search finds."""
        return {*self._call(self.client.search, *criteria)}

    def containing(self, uids: Collection[int], word: bytes) -> set[int]:
        """Return the mails with a word in their text; all of them if the server does not search."""
        try:
            return self.search(b"UID", b"%d:%d" % (min(uids), max(uids)), b"BODY", word)
        except UnreachableError:
            self._call(self.client.noop)  # the connection may be closed
            return {*uids}

    def fetch(self, uids: Collection[int], *items: bytes, limit: int = MAX_ANSWER) -> dict[int, dict[bytes, Any]]:
        """Return items of mails by UID, without mails that are gone."""
        answers: dict[int, dict[bytes, Any]] = self._call(self.client.fetch, list(uids), list(items), limit=limit)
        return answers

    def mark(self, uids: Iterable[int], validity: int) -> None:
        """Flag mails that were taken, or move them to a folder, as the account says. A failure does not matter."""
        after, listed = self.account.after, sorted({*uids})
        if not listed or after == accounts.NOTHING:
            return
        with suppress(UnreachableError):
            if self.select(readonly=False)[0] != validity:  # the numbers are those of other mails now
                return
            if not after.startswith(accounts.FOLDER):
                self._call(self.client.add_flags, listed, [_KEYWORD], silent=True)
                return
            folder = after.removeprefix(accounts.FOLDER)
            if not self._call(self.client.folder_exists, folder):
                self._call(self.client.create_folder, folder)
            moves = self._call(self.client.has_capability, "MOVE")
            self._call(self.client.move if moves else self.client.copy, listed, folder)

    def wait(self, seconds: int) -> None:
        """Wait by IDLE until something new comes, at most so long. Raises UnreachableError if the line was cut."""
        self.select()
        if not self._call(self.client.has_capability, "IDLE"):
            clock.rest(seconds)
            self._call(self.client.noop)
            return
        limit, began = min(seconds, _MAX_IDLE), clock.ticking()
        self._call(self.client.idle)
        news = self._call(self.client.idle_check, timeout=limit)
        if not news and clock.ticking() - began < limit - 1:
            raise UnreachableError(f"{self.server.host} has closed the connection")
        self._call(self.client.idle_done)
        self._call(self.client.noop)
        clock.rest(max(0.0, _MIN_WAIT - (clock.ticking() - began)))


def number(said: Any) -> int:
    """Return a number that a server says, 0 for anything else."""
    text = said if isinstance(said, bytes) else str(said).encode("ascii", "replace")
    return int(text) if text.isdigit() and len(text) <= 10 else 0
