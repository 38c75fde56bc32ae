"""The servers of an account: connections to them, how each did in a round, and when it worked last."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire import imap, password, smtp
from kursk_pbem.post.wire.account import Account, Served
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.password import Ask, Secret
from kursk_pbem.post.wire.smtp import Command, Transport, UnreachableError

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

    def states(self) -> list[Served]:
        """Return the state of each server of the account. Raises DiskError."""
        account, there = self.account, dict[str, str]()
        if account.imap is not None:
            there[FETCHING] = f"{account.imap.host}:{account.imap.port}"
        if account.sendmail:
            there[SENDING] = account.sendmail[0]
        elif account.smtp is not None:
            there[SENDING] = f"{account.smtp.host}:{account.smtp.port}"
        return [
            Served(task, name, self.faults.get(task, ""), store.setting(self.home, f"good {task}"))
            for task, name in there.items()
        ]

    def secret(self, which: str) -> Secret:
        """The secret for ``imap`` or ``smtp``; a password is asked once, and once for both if the user is the same.

        UsageError, UnreachableError where it could be had before.
        """
        server = self.account.imap if which == "imap" else self.account.smtp
        if server is None:
            raise AssertionError(which)
        if self.account.token_command or server.user not in self.secrets:  # a token is soon out of date
            try:
                self.secrets[server.user] = password.of(self.account, server, self.ask)
            except UsageError as error:
                if server.user not in self.secrets:
                    raise
                raise UnreachableError(error.message) from None  # it was had before: the network is down, say
        return self.secrets[server.user]

    @contextmanager
    def mailbox(self) -> Iterator[Mailbox]:
        """A connection to the mailbox. UsageError, UnreachableError."""
        if self.account.imap is None:
            raise UsageError(f"{accounts.path_of(self.home)} has no [imap]: 'kursk inbox' takes mails from files")
        try:
            mailbox = imap.Mailbox(self.account, self.account.imap, self.secret("imap"))
        except UnreachableError as error:
            self.note(FETCHING, error)
            raise
        try:
            yield mailbox
        finally:
            mailbox.close()

    @contextmanager
    def transport(self) -> Iterator[Transport]:
        """What sends letters. UsageError, UnreachableError."""
        if self.account.sendmail:
            yield Command(self.account.sendmail)
        elif self.account.smtp is None:
            why = f"{accounts.path_of(self.home)} has neither [smtp] nor sendmail"
            raise UsageError(f"{why}: 'kursk outbox --eml DIR' writes drafts for your mail program")
        else:
            try:
                mailer = smtp.connect(self.account, self.account.smtp, self.secret("smtp"))
            except UnreachableError as error:
                self.note(SENDING, error)
                raise
            try:
                yield mailer
            finally:
                mailer.close()
        self.note(SENDING, None)
