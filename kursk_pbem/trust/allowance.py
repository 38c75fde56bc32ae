"""How much may be spent on looking through a mail (T27): on copies of turns that fit, and on those that do not."""

from __future__ import annotations

from typing import NoReturn

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.formats.strictyaml import Document

MAX_READ = 12 * MAX_BYTES
"""What may be spent on the copies of one turn (see :func:`cost`): three tenths of a second; on those of all turns of
a file twice that, as far as their signatures do not fit."""

MAX_GOOD = 96 * MAX_BYTES
"""What may be spent on all turns of a mailbox whose signatures fit, with the papers of tournaments in it."""

MAX_MAIL = 64 * MAX_BYTES
"""The same of one mail, fetched or saved: a second and a quarter (T49)."""

_MAILBOX = b"From "
"""How a file begins that may hold many mails (mbox)."""


class Allowance:
    """How much may still be spent."""

    def __init__(self, name: str, damaged: int, good: int) -> None:
        self.name = name
        self.damaged = damaged
        self.good = good

    @classmethod
    def of_mail(cls, name: str) -> Allowance:
        """What may be spent on one mail, whatever is looked for in it."""
        return cls(name, 2 * MAX_READ, MAX_MAIL)

    @classmethod
    def of_file(cls, raw: bytes, name: str) -> Allowance:
        """The same of a file: somebody may have saved a whole mailbox in it."""
        return cls(name, 2 * MAX_READ, MAX_GOOD if raw.startswith(_MAILBOX) else MAX_MAIL)

    def anew(self) -> Allowance:
        """What is left for another search through the same mail; of damaged copies each search has its own."""
        return Allowance(self.name, 2 * MAX_READ, self.good)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.damaged < 0 or self.good < 0

    def take(self, cost: int) -> None:
        """Spend something on a copy that may fit or not."""
        self.damaged -= cost
        if self.damaged < 0:
            self._refuse("damaged copies")

    def fits(self, cost: int) -> None:
        """What was spent on a copy was not spent in vain."""
        self.damaged += cost
        self.take_good(cost)

    def take_good(self, cost: int) -> None:
        """Spend something on a copy that fits."""
        self.good -= cost
        if self.good < 0:
            self._refuse("turns")

    def _refuse(self, what: str) -> NoReturn:
        why = f"it holds too many {what} to look through; save the one mail with the turn by itself"
        raise FileError(why, Where(self.name))


def cost(raw: bytes) -> int:
    """What it costs to read a copy, in tenths of a microsecond: for its bytes, for each value, and anyway.

    A value that may hold others costs more; a list may hold mappings without braces. What is longer than any turn is
    not read.
    """
    if len(raw) > MAX_BYTES:
        return 4096 + len(raw)
    return 4096 + len(raw) + _guess(raw)


def _guess(raw: bytes) -> int:
    """What the values of a copy cost, as far as that is known before it is read."""
    commas, colons = raw.count(b","), raw.count(b":")
    values = min(raw.count(b"\n") + commas + colons, strictyaml.MAX_NODES)
    nests = sum(map(raw.count, (b"[", b"{", b"- -", b"-  ", b"-\n")), min(commas, colons))
    return 16 * values + 80 * min(nests, strictyaml.MAX_NODES)


def beyond(document: Document) -> int:
    """What it has cost beyond that to read a copy, and what it says: nobody knows before how much it holds."""
    return max(0, 24 * document.values + 80 * document.holders - _guess(document.raw))
