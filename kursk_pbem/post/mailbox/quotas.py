"""Quotas for signed mail waiting here: number and bytes of each kind.

Strangers use only two kinds, ``TO_REFEREE`` and ``PAPERS`` (decision 81).
"""

from __future__ import annotations

from typing import NamedTuple

from kursk_pbem.formats.canonical import MAX_BYTES


class Quota(NamedTuple):
    """Maximum number and total bytes at a time."""

    number: int
    size: int

    def is_full(self, number: int, size: int = 0) -> bool:
        """Return whether this number or size exceeds the quota."""
        return number > self.number or size > self.size


TURNS = Quota(64, 2 * 1024 * 1024)
"""Early turns of one side of a game played here; papers about one message."""
PROPOSED = Quota(64, 2 * MAX_BYTES)
"""Turns of one side of a proposed game, before acceptance."""
OF_CIRCLE = Quota(512, 512 * 2 * MAX_BYTES)
"""Proposed games from known people."""
TO_REFEREE = Quota(256, 256 * 2 * MAX_BYTES)
"""Games proposed by strangers, with this mailbox's key as referee."""
PAPERS = Quota(1000, 64 * 1024 * 1024)
"""Entries and offers to stand in, per tournament."""
IN_MAIL = Quota(64, 1024 * 1024)
"""Papers of strangers in one mail."""
ADMITTED = Quota(100, 1024 * 1024)
"""Entries acknowledged on arrival: each needs room in the letters to all entrants."""
LOGGED = Quota(1000, 64 * 1024)
"""Papers of one key, acknowledged without the director, while letters repeat them."""
