"""Parsing allowance for the turns and papers of one mail (T27)."""

from __future__ import annotations

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.formats.strictyaml import Document

MAX_MAIL = 64 * MAX_BYTES
"""Allowance of one mail, in the unit of :func:`reading_cost`: about 1.25 seconds (T49)."""
MAX_MAILBOX = 2 * MAX_MAIL
"""Allowance of a saved mailbox (mbox)."""


class Allowance:
    """What the program may still spend on parsing the mail ``name``. ``left``: tenths of a microsecond."""

    def __init__(self, name: str, left: int) -> None:
        self.name, self.left = name, left

    @classmethod
    def of_file(cls, raw: bytes, name: str) -> Allowance:
        """Return the full limit of work for reading a mail, or a saved mailbox (which begins with ``From ``)."""
        return cls(name, MAX_MAILBOX if raw.startswith(b"From ") else MAX_MAIL)

    @property
    def spent(self) -> bool:
        """True if the allowance (limit of work) is used up."""
        return self.left < 0

    def take(self, cost: int) -> None:
        """Subtract a cost from the allowance (limit of work). Raises FileError if it is used up."""
        self.left -= cost
        if self.left < 0:
            why = "the file has too many turns to read; save the mail with the turn alone"
            raise FileError(why, Where(self.name))


def reading_cost(raw: bytes) -> int:
    """Return the estimated time to read a turn, in tenths of a microsecond. It depends on bytes and values."""
    if len(raw) > MAX_BYTES:  # the reader refuses longer turns unread
        return 4096 + len(raw)
    return 4096 + len(raw) + _estimate_values(raw)


def _estimate_values(raw: bytes) -> int:
    """Return the estimated cost of a turn's values, before the turn is read."""
    commas, colons = raw.count(b","), raw.count(b":")
    values = min(raw.count(b"\n") + commas + colons, strictyaml.MAX_NODES)
    nests = sum(map(raw.count, (b"[", b"{", b"- -", b"-  ", b"-\n")), min(commas, colons))
    return 16 * values + 80 * min(nests, strictyaml.MAX_NODES)


def excess_cost(document: Document) -> int:
    """Return how much more the values of a turn cost to read than :func:`reading_cost` estimated; at least 0."""
    return max(0, 24 * document.values + 80 * document.holders - _estimate_values(document.raw))
