"""Mail accounts for typed commands: a mailbox at example.org for everybody, on servers in this process."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime

from helpers.mail_servers import PASSWORD, Imap, Smtp, write_certificates
from kursk_pbem.cli.mail import posting
from kursk_pbem.desk.ground import clock
from kursk_pbem.post.wire.providers import Provider


class Box(Imap):
    """A mailbox whose server has the time of the world, also in the threads of the server."""

    def __init__(self, folder, now):
        super().__init__(folder)
        self.sent, self.now = {}, now

    def add(self, raw, when="", uid=None, mails=None):
        told = datetime.fromisoformat(self.now()).strftime("%d-%b-%Y %H:%M:%S +0000")
        return super().add(raw, when or told, uid, mails)


class Mail:
    """The servers of a provider that the program knows. ``carried``: every mail, as (reader, bytes)."""

    def __init__(self, root, patch, now=clock.now):
        self.stack, self.boxes, self.carried, self.now = ExitStack(), {}, [], now
        self.folder = write_certificates(root)
        self.smtp = self.stack.enter_context(Smtp(self.folder))
        patch.setenv("SSL_CERT_FILE", str(self.folder / "ca.pem"))
        patch.setattr(posting, "ask_password", lambda _question: PASSWORD)
        patch.setattr("kursk_pbem.post.wire.providers.find_provider", self._find_provider)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.stack.close()

    def box(self, address):
        """Return a person's mailbox, which exists from its first use on."""
        if address not in self.boxes:
            self.boxes[address] = self.stack.enter_context(Box(self.folder, self.now))
        return self.boxes[address]

    def _find_provider(self, address, _host=""):
        there = f"localhost:{self.box(address).port}", f"localhost:{self.smtp.port}"
        return Provider("Example", ("example.org",), *there, "wants your password", "https://example.org")

    def carry(self):
        """Put the sent mails into the mailboxes of their readers; return the number of mails."""
        sent, self.smtp.post.mails = self.smtp.post.mails, []
        for _sender, reader, raw in sent:
            self.box(reader).add(raw)
            self.carried.append((reader, raw))
        return len(sent)
