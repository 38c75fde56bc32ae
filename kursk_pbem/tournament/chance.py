"""Chance from the entrants' secrets: commitments, seeds, and what is drawn from a seed (docs/directors.md 7).

Everybody commits to a secret before the field of a draw is closed, opens it then, and the director opens last; so
nobody can aim a draw. Bytes in, bytes out; hex belongs to the papers. Every input begins with a prefix of its own.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust.commit import check_32, u64

DS = b"kursk-tournament/v1/"
"""Domain separation: the beginning of every hash input here that is not canonical JSON."""


def commitment(of: bytes, key: bytes, draw: int, secret: bytes) -> bytes:
    """The 32-byte commitment of a key (32 bytes) to its secret of a draw.

    ``of`` is the tournament, 32 bytes; for the director, whose first one stands in paper 0, the nonce of that.
    """
    return hashlib.sha256(DS + b"commit\0" + check_32(of) + check_32(key) + u64(draw) + check_32(secret)).digest()


def seed(opened: bytes, draw: int, openings: Iterable[tuple[str, str]]) -> bytes:
    """The seed of a draw, 32 bytes: from the director's secret (32) and everybody's (entry id, secret), in hex."""
    listed: list[list[str]] = [list(pair) for pair in sorted(openings)]
    inner = hashlib.sha256(canon(listed)).digest()
    return hmac.digest(check_32(opened), DS + b"draw\0" + u64(draw) + inner, "sha256")


def lot(seed_: bytes, what: str, *about: str) -> bytes:
    """32 bytes that a seed gives to something: ``what`` says for which purpose, ``about`` to whom."""
    words = b"\0".join(word.encode("ascii") for word in (what, *about))
    return hmac.digest(check_32(seed_), DS + b"lot\0" + words, "sha256")


def in_order(seed_: bytes, what: str, names: Iterable[str]) -> list[str]:
    """Names in the order that a seed gives them."""
    return sorted(names, key=lambda name: (lot(seed_, what, name), name))


def of_pair(seed_: bytes, one: str, other: str) -> tuple[int, int]:
    """What a seed gives to a possible pair of numbers, the lower first: 96 bits, and one bit more for the sides."""
    drawn = int.from_bytes(lot(seed_, "pair", one, other)[:13], "big")
    return drawn >> 8, drawn >> 7 & 1


# What follows is how this program makes its own secrets. Nobody verifies it, and other programs may do otherwise.


def own_secret(signature: bytes) -> bytes:
    """A secret for one tournament, 32 bytes, from the 64-byte signature over its name (a director's: its nonce)."""
    if len(signature) != 64:
        msg = f"an Ed25519 signature has 64 bytes, not {len(signature)}"
        raise ValueError(msg)
    return hashlib.sha256(DS + b"secret\0" + signature).digest()


def opening(secret: bytes, draw: int) -> bytes:
    """The 32 bytes to which the owner of a secret commits for a draw."""
    return hmac.digest(check_32(secret), b"draw\0" + u64(draw), "sha256")


def fresh(secret: bytes, what: str, *about: str) -> bytes:
    """32 bytes that nobody else can foresee, always the same: the nonce of a game for a board, the salt of a bid."""
    words = b"\0".join(word.encode("ascii") for word in (what, *about))
    return hmac.digest(check_32(secret), b"fresh\0" + words, "sha256")


def seal(of: bytes, key: bytes, board: str, salt: bytes, value: dict[str, str]) -> bytes:
    """The seal of a bid, 32 bytes; ``of`` is the tournament (32), ``key`` the bidder's (32), ``salt`` has 16."""
    head = DS + b"bid\0" + check_32(of) + check_32(key) + board.encode("ascii") + b"\0"
    return hashlib.sha256(head + salt + canon(value)).digest()
