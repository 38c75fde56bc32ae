"""The line to an IMAP server: what it says costs no more than a round of post may, and stops nothing but that round.

A library reads it, and keeps what was said until a command is answered. So there are bounds from the first byte on,
before TLS and a password, too. Whatever the library makes of what a server says, of too much of it, or of a line that
is cut, is one error here. A line that is longer than the library reads, and one that costs more than a look, is read to
its end and given as one that it cannot understand: a stranger's mail may have such a structure, and the next command
must find its own answer. A search would take that for nothing found, so whoever searches is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kursk_pbem.errors import KurskError, MissingError
from kursk_pbem.post.servers.smtp import UnreachableError

MOST_KEPT, MOST_READ = 64 * 1024 * 1024, 256 * 1024 * 1024
"""Bytes of an answer to one command that are kept, and that are read."""
MOST_WORDS, _A_LINE = 16 * 1024 * 1024, 256
"""What the lines of an answer may cost, outside mails and headers: their bytes, and for each what a line costs more."""
MOST_OF_ONE = 1_000_000
"""The same of one line that goes on behind literals: the library takes half a second for as much.

What the literals hold counts, too, where structures are asked for: one that a stranger has written may hold 50 MB.
"""
_STRUCTURES = [b"BODYSTRUCTURE"]
"""What structures are asked for by."""
_A_PIECE = 65_536
"""Bytes of a literal that is passed over, at once."""
_TAIL = 100
"""Bytes of too long a line that are given: they say whether a literal follows."""
_LITERAL = re.compile(rb"\{([0-9]{1,10})\}\r\n\Z")
"""At the end of a line: so many bytes follow, and behind them the line goes on."""


class TooLongError(UnreachableError):
    """A server has found more than a line holds that the library reads."""


class Bounds:
    """How much a server has said since the last command, as a library reads it. UnreachableError for too much.

    ``search``: whether something is searched for; ``cut``: whether a line of the answer was too long to be given.
    """

    def __init__(self, host: str) -> None:
        self.host = host
        self.kept = self.read = self.words = self.of_one = 0
        self.structures = self.search = self.cut = False

    def begin(self, *, structures: bool = False, search: bool = False) -> None:
        """A command begins. UnreachableError behind too long an answer: the rest of it would count as the next one.

        ``structures``: it asks for those of mails, and so not for what they hold. ``search``: it finds mails.
        """
        self._count(0, 0)
        self.kept = self.read = self.words = self.of_one = 0
        self.structures, self.search, self.cut = structures, search, False

    def bind(self, imap: Any) -> None:
        """Count what a client of the standard library reads from now on."""
        lines = self._lines(imap.readline, imap.error, imap.abort)
        imap.read, imap.readline = self._literal(imap.read), self._short(lines, self._passed(imap.read))

    def _count(self, kept: int, read: int, words: int = 0) -> None:
        self.kept, self.read, self.words = self.kept + kept, self.read + read, self.words + words
        if self.kept > MOST_KEPT or self.read > MOST_READ or self.words > MOST_WORDS:
            raise UnreachableError(f"{self.host} broke off: it says more than is listened to")

    def _literal(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def bounded(size: int) -> bytes:
            self._count(size, size)
            return read(size)

        return bounded

    def _passed(self, read: Callable[[int], bytes]) -> Callable[[int], None]:
        """Read a literal in pieces, of which none is kept."""

        def passed(size: int) -> None:
            while size > 0:
                self._count(0, min(size, _A_PIECE))
                if not (piece := read(min(size, _A_PIECE))):
                    return  # the line was cut, which the library finds
                size -= len(piece)

        return passed

    def _lines(
        self, readline: Callable[[], bytes], too_long: type[Exception], cut: type[Exception]
    ) -> Callable[[], bytes]:
        def one() -> bytes | None:
            try:
                line = readline()
            except cut:
                raise
            except too_long:
                self._count(0, 1_000_000)
                self.cut = True
                return None
            self._count(len(line), len(line), len(line) + _A_LINE)
            return line

        def whole() -> bytes:
            line = one()
            if line is not None:
                return line
            while (line := one()) is None:
                continue
            # the library keeps what belongs to another command for that one
            return (b"* OK " if self.search else b"* 0 FETCH (") + line[-_TAIL:]

        return whole

    def _short(self, readline: Callable[[], bytes], passed: Callable[[int], None]) -> Callable[[], bytes]:
        """A line that goes on behind its literals is read to its end once it costs too much, and breaks off there."""

        def short() -> bytes:
            line, of_one = readline(), self.of_one
            while goes_on := _LITERAL.search(line):
                size = int(goes_on[1])
                of_one += len(line) + _A_LINE + (size if self.structures else 0)
                if of_one <= MOST_OF_ONE:
                    break
                passed(size)
                line = readline()
            self.of_one = of_one if goes_on else 0
            return b"* 0 FETCH (\r\n" if of_one > MOST_OF_ONE else line

        return short


def library() -> Any:
    """What talks to the server. MissingError without the extra: to be known before anybody is asked for a password."""
    try:
        from imapclient import IMAPClient, imap4, tls  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingError(
            "fetching from a server ('kursk inbox' takes any mailbox that lies on this machine)", "mail"
        ) from None

    class Client(IMAPClient):  # type: ignore[misc]  # the extra has no types
        """The library's client; what it is told while it connects is counted already."""

        def _create_IMAP4(self) -> Any:  # noqa: N802  the library's own name
            bounds = self.bounds = Bounds(self.host)

            class Heard(tls.IMAP4_TLS if self.ssl else imap4.IMAP4WithTimeout):  # type: ignore[misc]
                def _connect(self) -> None:
                    bounds.bind(self)
                    super()._connect()

            secure = [self.ssl_context] if self.ssl else []
            return Heard(self.host, self.port, *secure, self._timeout.connect)

    return Client


class Line:
    """A client of the library: its methods, with bounds. UnreachableError for whatever goes wrong.

    ``washed`` gives words of a server in plain letters, without the secret.
    """

    def __init__(self, client: Any, host: str, washed: Callable[[str], str]) -> None:
        self.client, self.host, self.washed = client, host, washed

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.client, name)

        def bounded(*given: Any, **more: Any) -> Any:
            structures, search = name == "fetch" and _STRUCTURES in given, name == "search"
            self.client.bounds.begin(structures=structures, search=search)
            try:
                answer = method(*given, **more)
            except KurskError:
                raise
            except Exception as error:  # noqa: BLE001  a server chooses what the library stumbles over
                raise UnreachableError(
                    f"{self.host} broke off: {self.washed(str(error)) or type(error).__name__}"
                ) from None
            if search and self.client.bounds.cut:
                raise TooLongError(f"{self.host} has found more than is read in one line")
            return answer

        return bounded
