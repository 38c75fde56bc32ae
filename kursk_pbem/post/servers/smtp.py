"""Sending, step by step (RFC 5321): one envelope for each reader, and for each what the server answered.

A code from 400 on puts off, one from 500 on refuses; whatever happens behind the last byte of a letter without a clear
answer is **doubt**, never refusal: the server may have it. What is in doubt is sent again, the same bytes.
"""

from __future__ import annotations

import re
import smtplib
import ssl
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.text import show
from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers.account import Account, Server
from kursk_pbem.post.servers.password import Secret

SENT, LATER, REFUSED, DOUBT = "sent", "later", "refused", "doubt"
TIMEOUT = 60
_FOR_GOOD = range(64, 68)
"""Exit statuses of a sendmail program (sysexits) by which it will never take the letter; msmtp says a line that breaks,
an unknown host, greylisting and a wrong password by others."""
_SAYS_NO = re.compile(r"server message: 5[0-9][0-9]\b")
"""How msmtp repeats that a server refuses for good."""
_SAYS_LATER = re.compile(r"server message: 4[0-9][0-9]\b")
"""The same where it puts the letter off; without it the program may have reached none."""
_SERVER = "server message: "
"""The line of several in which it does."""
_DONE, _GO_ON = range(200, 300), (354,)
_MOST_REPLY = 65_536
"""Bytes of an answer, which may have many lines."""


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


def classified(code: int, words: str, *, over: bool) -> Answer:
    """What an answer of a server means; ``over``: the last byte of the letter had gone out."""
    if over and 200 <= code < 300:
        return Answer(SENT, code, words)
    if 400 <= code < 500:
        return Answer(LATER, code, words)
    if 500 <= code < 600:
        return Answer(REFUSED, code, words)
    return Answer(DOUBT if over else LATER, code, words)


class _Lines:
    """What a server says, to be read by lines; OSError where an answer never ends."""

    def __init__(self, file: Any) -> None:
        self.file, self.left = file, _MOST_REPLY

    def readline(self, most: int) -> bytes:
        """The next line, or as much of it as may be read."""
        line: bytes = self.file.readline(most)
        self.left -= len(line)
        if self.left < 0:
            raise OSError("the server says more than is listened to")
        return line

    def close(self) -> None:
        """Read no more."""
        self.file.close()


class _Bounded(smtplib.SMTP):
    """The library's client, but no answer is kept without end."""

    def getreply(self) -> tuple[int, bytes]:
        """The next answer: its code, and its words."""
        if self.file is None and self.sock is not None:
            self.file = _Lines(self.sock.makefile("rb"))
        if self.file is not None:
            self.file.left = _MOST_REPLY
        return super().getreply()


class _BoundedTLS(_Bounded, smtplib.SMTP_SSL):
    """The same where TLS begins with the first byte."""


@dataclass
class Mailer:
    """A connection to an SMTP server, logged in; ``reopen`` makes another one. UnreachableError.

    Many servers take some letters and then close the line: the letters behind were not put off.
    """

    smtp: smtplib.SMTP
    secret: Secret
    reopen: Callable[[], smtplib.SMTP]
    fresh: bool = True
    gone: bool = False

    def ready(self) -> bool:
        """Whether a letter can be tried now; a line that is gone is opened anew, and given up where that fails."""
        if self.fresh or self.gone:
            return not self.gone
        with suppress(OSError, smtplib.SMTPException):
            if self.smtp.noop()[0] in _DONE:
                return True
        self.smtp.close()
        try:
            self.smtp, self.fresh = self.reopen(), True
        except KurskError:
            self.gone = True
        return not self.gone

    def send(self, raw: bytes, sender: str, reader: str) -> Answer:
        """Send the bytes of a letter to one address; never raises."""
        over = self.fresh = False
        try:
            options = [f"size={len(raw)}"] if self.smtp.does_esmtp and self.smtp.has_extn("size") else []
            for code, words, good in self._envelope(sender, reader, options):
                if code not in good:
                    self._reset()
                    return classified(code, self._plain(words), over=False)
            self.smtp.send(_dotted(raw))
            over = True
            code, words = self.smtp.getreply()
            return classified(code, self._plain(words), over=True)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            return Answer(DOUBT if over else LATER, 0, self._plain(str(error)))

    def _envelope(self, sender: str, reader: str, options: list[str]) -> Iterator[tuple[int, bytes, Collection[int]]]:
        """Each answer before the letter itself, with the codes that let it go on; what follows is said after that."""
        yield *self.smtp.mail(sender, options), _DONE
        yield *self.smtp.rcpt(reader), _DONE
        yield *self.smtp.docmd("DATA"), _GO_ON

    def _reset(self) -> None:
        with suppress(OSError, smtplib.SMTPException):
            self.smtp.rset()

    def _plain(self, words: bytes | str) -> str:
        return self.secret.washed(words.decode("utf-8", "replace") if isinstance(words, bytes) else words)


def _dotted(raw: bytes) -> bytes:
    """A letter as it goes over the wire: dots doubled at the beginning of lines, and the last dot."""
    body = raw if raw.endswith(b"\r\n") else raw + b"\r\n"
    doubled = body.replace(b"\r\n.", b"\r\n..")
    return (b"." if doubled.startswith(b".") else b"") + doubled + b".\r\n"


@contextmanager
def connected(account: Account, server: Server, secret: Secret) -> Iterator[Mailer]:
    """A connection over TLS, logged in; UnreachableError where that does not come about."""
    mailer = Mailer(_logged_in(account, server, secret), secret, lambda: _logged_in(account, server, secret))
    try:
        yield mailer
    finally:
        _close(mailer.smtp)


def _logged_in(account: Account, server: Server, secret: Secret) -> smtplib.SMTP:
    try:
        smtp = _open(account, server)
    except (OSError, smtplib.SMTPException, ssl.SSLError, ValueError) as error:  # its name may be none
        why = secret.why(error)
        raise UnreachableError(f"{server.host}:{server.port} cannot be reached for sending: {why}") from None
    try:
        _login(smtp, server, secret)
    except BaseException:
        _close(smtp)
        raise
    return smtp


def _close(smtp: smtplib.SMTP) -> None:
    with suppress(OSError, smtplib.SMTPException):
        smtp.quit()  # what is sent is sent, whatever comes of this
    smtp.close()


def _open(account: Account, server: Server) -> smtplib.SMTP:
    if server.tls == accounts.TLS:
        smtp: smtplib.SMTP = _BoundedTLS(server.host, server.port, timeout=TIMEOUT, context=account.context())
        smtp.ehlo_or_helo_if_needed()
        return smtp
    smtp = _Bounded(server.host, server.port, timeout=TIMEOUT)
    try:
        smtp.ehlo_or_helo_if_needed()
        if server.tls == accounts.STARTTLS:
            smtp.starttls(context=account.context())  # it raises if the server refuses
            smtp.ehlo()  # nothing that was said before TLS counts (T47)
    except BaseException:
        smtp.close()
        raise
    return smtp


def _login(smtp: smtplib.SMTP, server: Server, secret: Secret) -> None:
    if not smtp.has_extn("auth") and server.tls == accounts.NONE:
        return  # a helper on this machine that wants no password
    try:
        if secret.token:
            said = f"user={server.user}\1auth=Bearer {secret.text}\1\1"
            smtp.auth("XOAUTH2", lambda challenge=None: said if challenge is None else "", initial_response_ok=True)
        else:
            smtp.login(server.user, secret.text)
    except (OSError, smtplib.SMTPException, ValueError) as error:  # a challenge may be no base64
        raise UnreachableError(
            f"{server.host} lets {server.user} not log in for sending: {secret.why(error)}"
        ) from None


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
                said = told.read(_MOST_REPLY).decode("utf-8", "replace").strip()
        except (OSError, ValueError) as error:
            why = f"{self.words[0]} could not be run: {type(error).__name__}"
            return Answer(LATER, 0, why, reached=False)
        except subprocess.TimeoutExpired:
            return Answer(DOUBT, 0, f"{self.words[0]} did not end")
        if done.returncode < 0:
            return Answer(DOUBT, 0, f"{self.words[0]} was stopped")
        for_good = done.returncode in _FOR_GOOD or _SAYS_NO.search(said) is not None
        state = SENT if done.returncode == 0 else REFUSED if for_good else LATER
        words = show(next((line for line in said.splitlines() if _SERVER in line), said))[1:-1]
        return Answer(state, done.returncode, words, reached=state != LATER or _SAYS_LATER.search(said) is not None)
