"""The servers of an account: connections, results of the present round, and times of the last success."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire import imap, password, smtp
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.password import Ask, Secret
from kursk_pbem.post.wire.smtp import Command, Mailer, Transport, UnreachableError

_Connection = TypeVar("_Connection", Mailbox, Mailer)
FETCHING, SENDING = "fetching", "sending"


@dataclass
class Servers:
    """The mail servers of an account. ``ask``: asks for a password. ``broken``: task -> error of this round."""

    home: Path
    account: Account
    ask: Ask
    secrets: dict[str, Secret] = field(default_factory=dict, repr=False, kw_only=True)
    broken: dict[str, str] = field(default_factory=dict, kw_only=True)

    @property
    def can_send(self) -> bool:
        """True if the account can send letters."""
        return bool(self.account.smtp or self.account.sendmail)

    def note(self, task: str, error: KurskError | None) -> None:
        """Record the result of a server's task. ``error``: None for a success. Raises DiskError."""
        self.broken[task] = str(error or "")
        if error is None:
            store.save_setting(self.home, f"good {task}", clock.now())

    def list_states(self) -> list[dict[str, str]]:
        """Return the results of the servers in this round, and the times of their last success. Raises DiskError."""
        account, servers = self.account, ((FETCHING, self.account.imap), (SENDING, self.account.smtp))
        there = {task: f"{server.host}:{server.port}" for task, server in servers if server is not None}
        there |= {SENDING: account.sendmail[0]} if account.sendmail else {}
        return [
            {
                "task": task,
                "server": name,
                "fault": self.broken.get(task, ""),
                "last-good": store.load_setting(self.home, f"good {task}"),
            }
            for task, name in there.items()
        ]

    def _ask_secret(self, server: Server) -> Secret:
        """Return the login secret; a password is asked once, also for two servers with one user.

        Raises UsageError, or UnreachableError if the secret was available before (perhaps the network is down).
        """
        if self.account.token_command or server.user not in self.secrets:  # a token expires soon
            try:
                self.secrets[server.user] = password.load_secret(self.account, server, self.ask)
            except UsageError as error:
                if server.user not in self.secrets:
                    raise
                raise UnreachableError(error.message) from None
        return self.secrets[server.user]

    def mailbox(self) -> closing[Mailbox]:
        """Return a connection to the mailbox. Raises UsageError, UnreachableError."""
        server = self.account.imap
        if server is None:
            raise UsageError(f"{accounts.account_path(self.home)} has no [imap] server: 'kursk inbox FILE' reads mails")
        return self._connect(FETCHING, lambda: imap.Mailbox(self.account, server, self._ask_secret(server)))

    @contextmanager
    def transport(self) -> Iterator[Transport]:
        """Yield the object that sends letters. Raises UsageError, UnreachableError."""
        server = self.account.smtp
        if self.account.sendmail:
            yield Command(self.account.sendmail)
        elif server is None:
            why = f"{accounts.account_path(self.home)} has neither [smtp] nor sendmail"
            raise UsageError(f"{why}: 'kursk outbox --eml DIR' writes drafts for your mail program")
        else:
            with self._connect(
                SENDING, lambda: smtp.connect_smtp(self.account, server, self._ask_secret(server))
            ) as mailer:
                yield mailer
        self.note(SENDING, None)

    def _connect(self, task: str, connect: Callable[[], _Connection]) -> closing[_Connection]:
        try:
            return closing(connect())
        except UnreachableError as error:
            self.note(task, error)
            raise
