"""How much may be spent on the turns and papers of one mail (T27)."""

from __future__ import annotations

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.formats.strictyaml import Document

MAX_MAIL = 64 * MAX_BYTES
"""What may be spent on one mail (see :func:`cost`): a second and a quarter (T49)."""
MAX_MAILBOX = 2 * MAX_MAIL
"""The same for a saved mailbox (mbox)."""


class Allowance:
    """How much may still be spent on the mail ``name``."""

    def __init__(self, name: str, left: int) -> None:
        self.name, self.left = name, left

    @classmethod
    def of_file(cls, raw: bytes, name: str) -> Allowance:
        """Return what may be spent on a mail, or on a saved mailbox."""
        return cls(name, MAX_MAILBOX if raw.startswith(b"From ") else MAX_MAIL)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left < 0

    def take(self, cost: int) -> None:
        """Spend something. FileError if nothing is left."""
        self.left -= cost
        if self.left < 0:
            why = "it holds too many turns to look through; save the one mail with the turn by itself"
            raise FileError(why, Where(self.name))


def cost(raw: bytes) -> int:
    """Return what it costs to read a turn, in tenths of a microsecond: for its bytes, for each value, and anyway."""
    if len(raw) > MAX_BYTES:  # it is not read
        return 4096 + len(raw)
    return 4096 + len(raw) + _guess(raw)


def _guess(raw: bytes) -> int:
    """Return what the values of a turn cost, as far as that is known before it is read."""
    commas, colons = raw.count(b","), raw.count(b":")
    values = min(raw.count(b"\n") + commas + colons, strictyaml.MAX_NODES)
    nests = sum(map(raw.count, (b"[", b"{", b"- -", b"-  ", b"-\n")), min(commas, colons))
    return 16 * values + 80 * min(nests, strictyaml.MAX_NODES)


def beyond(document: Document) -> int:
    """Return what a turn has cost beyond its guess: nobody knows before how much it holds."""
    return max(0, 24 * document.values + 80 * document.holders - _guess(document.raw))
