"""Which mails of a folder are new, by their UIDs, however many there are (T49).

A server names all that it finds in one line. Where that is longer than the library reads, it is asked about the lower
half of the numbers, and so on, until enough are known for one round: the next one finds the others.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from kursk_pbem.post.servers.line import TooLongError
from kursk_pbem.post.servers.smtp import UnreachableError

NO_UID = 2**32 - 1
"""No mail has this number or a higher one: behind it a folder would be full."""
_ENOUGH, _MOST_ASKED = 100_000, 200
"""Mails after which a round asks no further; questions, of which an honest server needs fifty."""


def new(client: Any, first: int, since: date) -> tuple[list[int], bool]:
    """The UIDs to be looked at, in order: from ``first`` on, or if that is 0 ``since`` a day; whether these are all.

    A server with nothing new may give its last mail for ``n:*``; whatever lies before the cursor is dropped.
    """
    end, least = True, max(first, 1)
    try:
        found = client.search([b"UID", f"{first}:*".encode("ascii")] if first else ["SINCE", since])
    except TooLongError:
        found, end = _lowest(client, least, [] if first else ["SINCE", since])
    return sorted({uid for uid in found if isinstance(uid, int) and least <= uid < NO_UID}), end


def _lowest(client: Any, first: int, more: list[Any]) -> tuple[set[int], bool]:
    """The lowest UIDs from one on, of mails of which ``more`` holds; whether these are all. UnreachableError."""
    found, left = set[int](), [(first, NO_UID - 1)]
    for _asked in range(_MOST_ASKED):
        low, high = left.pop()
        try:
            found.update(client.search([b"UID", f"{low}:{high}".encode("ascii"), *more]))
        except TooLongError:
            if low == high:
                raise
            middle = (low + high) // 2
            left += [(middle + 1, high), (low, middle)]
        if not left or len(found) >= _ENOUGH:
            return found, not left
    raise UnreachableError(f"{client.host} broke off: it says more than is listened to")
