"""Send letters (RFC 5321): one envelope for each reader, and the server's answer.

Codes from 400 postpone a letter, codes from 500 refuse a letter. Without a clear answer the letter is in **doubt**: the
server may have received it, and the next round sends the same bytes again.
"""

from __future__ import annotations

import re
import smtplib
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.password import Secret

SENT, LATER, REFUSED, DOUBT = "sent", "later", "refused", "doubt"
TIMEOUT = 60
_FOR_GOOD = range(64, 68)
"""Exit statuses of a sendmail program (sysexits) for permanent failures."""
_SAID = re.compile(r"server message: ([45][0-9][0-9])\b.*")
"""The server's answer in msmtp's output, for any exit status. Without it, the program may not have reached a server."""
_DONE = 250
_MAX_WORDS = 65_536


class UnreachableError(KurskError):
    """The server cannot be reached as required, and nothing was sent. Try again later, or change the account."""

    exit_status = 2


class RefusedError(UnreachableError):
    """The server refuses the login: the password or the token is wrong, or of the wrong kind."""


@frozen
class Answer:
    """The result of one envelope: a state, with the server's code (or a sendmail program's status) and words."""

    state: str
    code: int = 0
    words: str = ""


@dataclass
class Mailer:
    """A logged-in SMTP connection. ``reopen``: connects again, because many servers close after some letters."""

    smtp: smtplib.SMTP
    secret: Secret
    reopen: Callable[[], smtplib.SMTP]
    gone: bool = False

    def ready(self) -> bool:
        """Return whether a letter can be sent now. A lost connection is reopened once."""
        with suppress(OSError, smtplib.SMTPException):
            if self.gone or self.smtp.noop()[0] == _DONE:
                return not self.gone
        self.smtp.close()
        try:
            self.smtp = self.reopen()
        except KurskError:
            self.gone = True
        return not self.gone

    def send(self, raw: bytes, sender: str, reader: str) -> Answer:
        """Send the bytes of a letter to one address. Errors become part of the result, never exceptions."""
        try:
            self.smtp.sendmail(sender, [reader], raw)
        except smtplib.SMTPRecipientsRefused as error:
            code, words = error.recipients[reader]
            return self._make_answer(code, words)
        except smtplib.SMTPResponseException as error:
            return self._make_answer(error.smtp_code, error.smtp_error)
        except (OSError, smtplib.SMTPException, ValueError) as error:  # the server may have received the letter
            return Answer(DOUBT, 0, self.secret.why(error))
        return Answer(SENT, _DONE)

    def close(self) -> None:
        """Close the connection."""
        with suppress(OSError, smtplib.SMTPException):
            self.smtp.quit()  # the letters are sent; ignore errors from here on
        self.smtp.close()

    def _make_answer(self, code: int, words: bytes | str) -> Answer:
        text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
        state = REFUSED if 500 <= code < 600 else LATER if 400 <= code < 500 else DOUBT
        return Answer(state, code, self.secret.remove_secret(text))


def connect_smtp(account: Account, server: Server, secret: Secret) -> Mailer:
    """Return a logged-in connection over TLS. Raises UnreachableError."""
    return Mailer(_log_in(account, server, secret), secret, lambda: _log_in(account, server, secret))


def _log_in(account: Account, server: Server, secret: Secret) -> smtplib.SMTP:
    smtp: smtplib.SMTP | None = None
    try:
        if server.tls == accounts.TLS:
            smtp = smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=account.tls_context())
        else:
            smtp = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
        smtp.ehlo_or_helo_if_needed()
        if server.tls == accounts.STARTTLS:
            smtp.starttls(context=account.tls_context())  # raises if the server refuses
            smtp.ehlo()  # words before TLS do not count (T47)
        if not smtp.has_extn("auth") and server.tls == accounts.NONE:
            return smtp  # a helper on this machine without a password
        if secret.token:
            said = f"user={server.user}\1auth=Bearer {secret.text}\1\1"
            smtp.auth("XOAUTH2", lambda challenge=None: said if challenge is None else "", initial_response_ok=True)
        else:
            smtp.login(server.user, secret.text)
    except (OSError, smtplib.SMTPException, ValueError) as error:  # the host name may be invalid
        if smtp is not None:
            smtp.close()
        if isinstance(error, smtplib.SMTPAuthenticationError):
            raise RefusedError(secret.describe_refusal(server, error)) from None
        why = secret.describe_failure(server, error)
        raise UnreachableError(f"{server.host}:{server.port} cannot be reached for sending: {why}") from None
    return smtp


@frozen
class Command:
    """A sendmail program such as ``msmtp``, called with one letter for one reader."""

    words: tuple[str, ...]

    def ready(self) -> bool:
        """Return True, because the command runs anew for each letter."""
        return True

    def send(self, raw: bytes, sender: str, reader: str) -> Answer:
        """Send the bytes of a letter to one address. Errors become part of the result, never exceptions."""
        arguments = [word for word in self.words if word != "-t"]
        try:
            with tempfile.TemporaryFile() as told:  # a child process of the program could keep a pipe open
                done = subprocess.run(
                    [*arguments, "-f", sender, "--", reader],
                    input=raw.replace(b"\r\n", b"\n"),
                    stdout=subprocess.DEVNULL,
                    stderr=told,
                    timeout=10 * TIMEOUT,
                    check=False,
                )
                told.seek(0)
                said = told.read(_MAX_WORDS).decode("utf-8", "replace").strip()
        except (OSError, ValueError) as error:
            return Answer(LATER, 0, f"{self.words[0]} could not be run: {type(error).__name__}")
        except subprocess.TimeoutExpired:
            return Answer(DOUBT, 0, f"{self.words[0]} did not end")
        if done.returncode < 0:
            return Answer(DOUBT, 0, f"{self.words[0]} was stopped")
        repeated = _SAID.search(said)
        for_good = repeated[1] >= "500" if repeated else done.returncode in _FOR_GOOD
        state = SENT if done.returncode == 0 else REFUSED if for_good else LATER
        words = show(repeated[0] if repeated else said)[1:-1]
        return Answer(state, int(repeated[1]) if repeated else done.returncode, words)


Transport = Mailer | Command
"""A way to send letters."""
