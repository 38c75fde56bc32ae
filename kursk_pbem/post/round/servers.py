"""The servers of an account: connections to them, how each did in a round, and when it worked last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from kursk_pbem.desk import clock
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
    """The servers; ``ask``: how a password is asked. ``faults``: why a server did not work in this round, by task."""

    home: Path
    account: Account
    ask: Ask
    secrets: dict[str, Secret] = field(default_factory=dict, repr=False)
    faults: dict[str, str] = field(default_factory=dict)

    def note(self, task: str, error: KurskError | None) -> None:
        """Note how a server did. Raises DiskError."""
        self.faults[task] = str(error or "")
        if error is None:
            store.set_setting(self.home, f"good {task}", clock.now())

    def states(self) -> list[dict[str, str]]:
        """Return of each server of the account how it did in this round, and when it worked last. Raises DiskError."""
        account, there = self.account, dict[str, str]()
        if account.imap is not None:
            there[FETCHING] = f"{account.imap.host}:{account.imap.port}"
        if account.sendmail:
            there[SENDING] = account.sendmail[0]
        elif account.smtp is not None:
            there[SENDING] = f"{account.smtp.host}:{account.smtp.port}"
        last = {task: store.setting(self.home, f"good {task}") for task in there}
        return [
            {"task": task, "server": name, "fault": self.faults.get(task, ""), "last-good": last[task]}
            for task, name in there.items()
        ]

    def secret(self, server: Server) -> Secret:
        """Return what one logs in with; a password is asked once, and once for two servers if the user is the same.

        UsageError, UnreachableError where it could be had before.
        """
        if self.account.token_command or server.user not in self.secrets:  # a token is soon out of date
            try:
                self.secrets[server.user] = password.of(self.account, server, self.ask)
            except UsageError as error:
                if server.user not in self.secrets:
                    raise
                raise UnreachableError(error.message) from None  # it was had before: the network is down, say
        return self.secrets[server.user]

    def mailbox(self) -> closing[Mailbox]:
        """A connection to the mailbox. UsageError, UnreachableError."""
        server = self.account.imap
        if server is None:
            raise UsageError(f"{accounts.path_of(self.home)} has no [imap]: 'kursk inbox' takes mails from files")
        return self._noted(FETCHING, lambda: imap.Mailbox(self.account, server, self.secret(server)))

    @contextmanager
    def transport(self) -> Iterator[Transport]:
        """What sends letters. UsageError, UnreachableError."""
        server = self.account.smtp
        if self.account.sendmail:
            yield Command(self.account.sendmail)
        elif server is None:
            why = f"{accounts.path_of(self.home)} has neither [smtp] nor sendmail"
            raise UsageError(f"{why}: 'kursk outbox --eml DIR' writes drafts for your mail program")
        else:
            with self._noted(SENDING, lambda: smtp.connect(self.account, server, self.secret(server))) as mailer:
                yield mailer
        self.note(SENDING, None)

    def _noted(self, task: str, connect: Callable[[], _Connection]) -> closing[_Connection]:
        try:
            return closing(connect())
        except UnreachableError as error:
            self.note(task, error)
            raise
