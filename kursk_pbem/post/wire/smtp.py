"""Sending (RFC 5321): one envelope for each reader, and what the server answered.

A code from 400 on puts off, one from 500 on refuses. Without a clear answer a letter is in **doubt**: the server may
have it, and the same bytes are sent again.
"""

from __future__ import annotations

import re
import smtplib
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.text import show
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.password import Secret

SENT, LATER, REFUSED, DOUBT = "sent", "later", "refused", "doubt"
TIMEOUT = 60
_FOR_GOOD = range(64, 68)
"""Exit statuses of a sendmail program (sysexits) by which it will never take the letter."""
_SAID = re.compile(r"server message: ([45])[0-9][0-9]\b.*")
"""How msmtp repeats a server's answer, whatever its status is. Without it the program may have reached none."""
_DONE = 250
_MAX_WORDS = 65_536


class UnreachableError(KurskError):
    """The server cannot be reached, or not as it must be; nothing was tried. Try again later, or change the account."""

    exit_status = 2


@dataclass(frozen=True)
class Answer:
    """What came of one envelope: one of the four words, with the server's code (0 without one) and words.

    ``reached``: whether a server may have been asked; a program without a network has asked none.
    """

    state: str
    code: int = 0
    words: str = ""
    reached: bool = True


class Transport(Protocol):
    """What sends letters."""

    def ready(self) -> bool:
        """Whether a letter can be tried now; a line that is gone is opened anew, once."""

    def send(self, raw: bytes, sender: str, reader: str) -> Answer:
        """Send the bytes of a letter to one address; never raises."""


@dataclass
class Mailer:
    """A connection to an SMTP server, logged in; ``reopen`` makes another: many close after some letters."""

    smtp: smtplib.SMTP
    secret: Secret
    reopen: Callable[[], smtplib.SMTP]
    gone: bool = False

    def ready(self) -> bool:
        """Return whether a letter can be tried now. A line that is gone is opened again once."""
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
        """Send the bytes of a letter to one address."""
        try:
            self.smtp.sendmail(sender, [reader], raw)
        except smtplib.SMTPRecipientsRefused as error:
            code, words = error.recipients[reader]
            return self._answer(code, words)
        except smtplib.SMTPResponseException as error:
            return self._answer(error.smtp_code, error.smtp_error)
        except (OSError, smtplib.SMTPException, ValueError) as error:  # the server may have the letter
            return Answer(DOUBT, 0, self.secret.why(error))
        return Answer(SENT, _DONE)

    def close(self) -> None:
        """Close the connection."""
        with suppress(OSError, smtplib.SMTPException):
            self.smtp.quit()  # what is sent is sent, whatever comes of this
        self.smtp.close()

    def _answer(self, code: int, words: bytes | str) -> Answer:
        text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
        state = REFUSED if 500 <= code < 600 else LATER if 400 <= code < 500 else DOUBT
        return Answer(state, code, self.secret.washed(text))


def connect(account: Account, server: Server, secret: Secret) -> Mailer:
    """Return a connection over TLS, logged in. Raises UnreachableError."""
    return Mailer(_logged_in(account, server, secret), secret, lambda: _logged_in(account, server, secret))


def _logged_in(account: Account, server: Server, secret: Secret) -> smtplib.SMTP:
    smtp: smtplib.SMTP | None = None
    try:
        if server.tls == accounts.TLS:
            smtp = smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=account.context())
        else:
            smtp = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
        smtp.ehlo_or_helo_if_needed()
        if server.tls == accounts.STARTTLS:
            smtp.starttls(context=account.context())  # it raises if the server refuses
            smtp.ehlo()  # nothing that was said before TLS counts (T47)
        if not smtp.has_extn("auth") and server.tls == accounts.NONE:
            return smtp  # a helper on this machine that wants no password
        if secret.token:
            said = f"user={server.user}\1auth=Bearer {secret.text}\1\1"
            smtp.auth("XOAUTH2", lambda challenge=None: said if challenge is None else "", initial_response_ok=True)
        else:
            smtp.login(server.user, secret.text)
    except (OSError, smtplib.SMTPException, ValueError) as error:  # its name may be none
        if smtp is not None:
            smtp.close()
        if isinstance(error, smtplib.SMTPAuthenticationError):
            raise UnreachableError(secret.refused(server, error)) from None
        why = secret.why(error)
        raise UnreachableError(f"{server.host}:{server.port} cannot be reached for sending: {why}") from None
    return smtp


@dataclass(frozen=True)
class Command:
    """A sendmail program, such as ``msmtp``; it is given one letter for one reader."""

    words: tuple[str, ...]

    def ready(self) -> bool:
        """Each letter is a run of its own."""
        return True

    def send(self, raw: bytes, sender: str, reader: str) -> Answer:
        """Send the bytes of a letter to one address; never raises."""
        arguments = [word for word in self.words if word != "-t"]
        try:
            with tempfile.TemporaryFile() as told:  # a pipe would be kept open by what the program leaves running
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
            why = f"{self.words[0]} could not be run: {type(error).__name__}"
            return Answer(LATER, 0, why, reached=False)
        except subprocess.TimeoutExpired:
            return Answer(DOUBT, 0, f"{self.words[0]} did not end")
        if done.returncode < 0:
            return Answer(DOUBT, 0, f"{self.words[0]} was stopped")
        repeated = _SAID.search(said)
        for_good = repeated[1] == "5" if repeated else done.returncode in _FOR_GOOD
        state = SENT if done.returncode == 0 else REFUSED if for_good else LATER
        words = show(repeated[0] if repeated else said)[1:-1]
        return Answer(state, done.returncode, words, reached=state != LATER or repeated is not None)
