"""The line to an IMAP server: what it says costs no more than a round of post may, and stops nothing but that round.

A library reads it. Whatever the library makes of what a server says, of too much of it, or of a line that is cut, is
one error here. A line that is longer than the library reads is read to its end and given as one that it cannot
understand: a stranger's mail may have such a structure, and the next command must find its own answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kursk_pbem.errors import KurskError
from kursk_pbem.post.servers.smtp import UnreachableError

MOST_KEPT, MOST_READ = 64 * 1024 * 1024, 256 * 1024 * 1024
"""Bytes of an answer to one command that are kept, and that are read."""
_TAIL = 100
"""Bytes of too long a line that are given: they say whether a literal follows."""


class Line:
    """A client of the library: its methods, with bounds. UnreachableError for whatever goes wrong.

    ``washed`` gives words of a server in plain letters, without the secret.
    """

    def __init__(self, client: Any, host: str, washed: Callable[[str], str]) -> None:
        self.client, self.host, self.washed = client, host, washed
        self.kept = self.read = 0
        imap = client._imap  # noqa: SLF001  the library has no bounds of its own, and no other door to them
        imap.read, imap.readline = self._literal(imap.read), self._words(imap.readline, imap.error, imap.abort)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.client, name)

        def bounded(*given: Any, **more: Any) -> Any:
            self.kept = self.read = 0
            try:
                return method(*given, **more)
            except KurskError:
                raise
            except Exception as error:  # noqa: BLE001  a server chooses what the library stumbles over
                raise UnreachableError(
                    f"{self.host} broke off: {self.washed(str(error)) or type(error).__name__}"
                ) from None

        return bounded

    def _count(self, kept: int, read: int) -> None:
        self.kept, self.read = self.kept + kept, self.read + read
        if self.kept > MOST_KEPT or self.read > MOST_READ:
            raise UnreachableError(f"{self.host} broke off: it says more than is listened to")

    def _literal(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def bounded(size: int) -> bytes:
            self._count(size, size)
            return read(size)

        return bounded

    def _words(
        self, readline: Callable[[], bytes], too_long: type[Exception], cut: type[Exception]
    ) -> Callable[[], bytes]:
        def one() -> bytes | None:
            try:
                line = readline()
            except cut:
                raise
            except too_long:
                self._count(0, 1_000_000)
                return None
            self._count(len(line), len(line))
            return line

        def whole() -> bytes:
            line = one()
            if line is not None:
                return line
            while (line := one()) is None:
                continue
            return b"* 0 FETCH (" + line[-_TAIL:]

        return whole
