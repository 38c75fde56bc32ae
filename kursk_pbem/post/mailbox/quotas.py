"""Quotas for signed papers and turns that wait at this desk: number and bytes of each kind.

Strangers use only two kinds, ``TO_REFEREE`` and ``PAPERS`` (decision 81).
"""

from __future__ import annotations

from typing import NamedTuple

from kursk_pbem.formats.canonical import MAX_BYTES


class Quota(NamedTuple):
    """A limit for waiting papers or turns: maximum number and total bytes."""

    number: int
    size: int

    def is_full(self, number: int, size: int = 0) -> bool:
        """Return whether a number of items, or their total size in bytes, exceeds the quota."""
        return number > self.number or size > self.size


TURNS = Quota(64, 2 * 1024 * 1024)
"""Limit for early turns of one side in a game played here, and for papers about one message."""
PROPOSED = Quota(64, 2 * MAX_BYTES)
"""Limit for the turns of one side of a proposed game before acceptance."""
OF_CIRCLE = Quota(512, 512 * 2 * MAX_BYTES)
"""Limit for proposed games from people known here."""
TO_REFEREE = Quota(256, 256 * 2 * MAX_BYTES)
"""Limit for games that strangers propose with this mailbox's key as referee."""
PAPERS = Quota(1000, 64 * 1024 * 1024)
"""Limit for a tournament's waiting entries and offers to stand in."""
ADMITTED = Quota(100, 1024 * 1024)
"""Limit for entries acknowledged on arrival, because each needs room in the letters to all entrants."""
LOGGED = Quota(1000, 64 * 1024)
"""Limit for papers of one key acknowledged without the director, while letters repeat the papers."""
