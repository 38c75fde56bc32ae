"""How much of what others have signed may wait here: number and bytes of each kind, in one table.

Strangers take no place but in two kinds, ``TO_REFEREE`` and ``PAPERS`` (decision 81).
"""

from __future__ import annotations

from typing import NamedTuple

from kursk_pbem.formats.canonical import MAX_BYTES


class Quota(NamedTuple):
    """At most so many at a time, of so many bytes together."""

    number: int
    size: int


TURNS, PROPOSED, OF_CIRCLE, TO_REFEREE = "turns", "proposed", "of-circle", "to-referee"
PAPERS, IN_MAIL, ADMITTED, LOGGED = "papers", "in-mail", "admitted", "logged"
TABLE = {
    # turns of one side of a game that is played here and that lacks the one before them; papers about one message
    TURNS: Quota(64, 2 * 1024 * 1024),
    # turns of one side of a game that is proposed and not accepted
    PROPOSED: Quota(64, 2 * MAX_BYTES),
    # games that are proposed, where somebody who is known here proposes one more
    OF_CIRCLE: Quota(512, 512 * 2 * MAX_BYTES),
    # the same, where a stranger proposes one, with this mailbox's key as their referee
    TO_REFEREE: Quota(256, 256 * 2 * MAX_BYTES),
    # entries, and offers to stand in, for one tournament
    PAPERS: Quota(1000, 64 * 1024 * 1024),
    # papers of strangers in one mail
    IN_MAIL: Quota(64, 1024 * 1024),
    # entries that are acknowledged as they come: each one costs room in the letters to all others
    ADMITTED: Quota(100, 1024 * 1024),
    # what one key has signed that is acknowledged without the director, for as long as letters repeat it
    LOGGED: Quota(1000, 64 * 1024),
}


def full(kind: str, number: int, size: int = 0) -> bool:
    """Whether so many, of so many bytes, are more than may wait of a kind."""
    return number > TABLE[kind].number or size > TABLE[kind].size
