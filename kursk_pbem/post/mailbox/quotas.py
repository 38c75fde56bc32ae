"""Quotas for signed mail waiting here: number and bytes of each kind, in one table.

Strangers use only two kinds, ``TO_REFEREE`` and ``PAPERS`` (decision 81).
"""

from __future__ import annotations

from typing import NamedTuple

from kursk_pbem.formats.canonical import MAX_BYTES


class Quota(NamedTuple):
    """Maximum number and total bytes at a time."""

    number: int
    size: int


TURNS, PROPOSED, OF_CIRCLE, TO_REFEREE = "turns", "proposed", "of-circle", "to-referee"
PAPERS, IN_MAIL, ADMITTED, LOGGED = "papers", "in-mail", "admitted", "logged"
TABLE = {
    # early turns of one side of a game played here; papers about one message
    TURNS: Quota(64, 2 * 1024 * 1024),
    # turns of one side of a proposed game, before acceptance
    PROPOSED: Quota(64, 2 * MAX_BYTES),
    # proposed games from known people
    OF_CIRCLE: Quota(512, 512 * 2 * MAX_BYTES),
    # games proposed by strangers, with this mailbox's key as referee
    TO_REFEREE: Quota(256, 256 * 2 * MAX_BYTES),
    # entries and offers to stand in, per tournament
    PAPERS: Quota(1000, 64 * 1024 * 1024),
    # papers of strangers in one mail
    IN_MAIL: Quota(64, 1024 * 1024),
    # entries acknowledged on arrival: each needs room in the letters to all entrants
    ADMITTED: Quota(100, 1024 * 1024),
    # papers of one key, acknowledged without the director, while letters repeat them
    LOGGED: Quota(1000, 64 * 1024),
}


def is_full(kind: str, number: int, size: int = 0) -> bool:
    """Return whether this number or size exceeds the quota of a kind."""
    return number > TABLE[kind].number or size > TABLE[kind].size
