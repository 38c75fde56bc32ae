"""Randomness from the entrants' secrets: commitments, seeds and lots (docs/directors.md 7).

Each entrant commits to a secret before the field of a draw is closed. The director opens last, and cannot aim a draw.
The functions use bytes; the papers use hex. Every hash input has a separate prefix.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust.commit import check_32, u64

DS = b"kursk-tournament/v1/"
"""The first bytes of every hash input of this module, except canonical JSON, so that inputs never coincide."""


def compute_commitment(of: bytes, key: bytes, draw: int, secret: bytes) -> bytes:
    """Return the 32-byte commitment to a secret by a key's owner. ``of``: the tournament, or the director's nonce."""
    return hashlib.sha256(DS + b"commit\0" + check_32(of) + check_32(key) + u64(draw) + check_32(secret)).digest()


def compute_seed(opened: bytes, draw: int, openings: Iterable[tuple[str, str]]) -> bytes:
    """Return a draw's 32-byte seed from the director's secret and entrants' pairs (entry id, secret), in hex."""
    listed: list[list[str]] = [list(pair) for pair in sorted(openings)]
    inner = hashlib.sha256(canon(listed)).digest()
    return hmac.digest(check_32(opened), DS + b"draw\0" + u64(draw) + inner, "sha256")


def draw_lot(seed_: bytes, what: str, *about: str) -> bytes:
    """Return 32 bytes made from a seed. ``what``: the purpose. ``about``: ids or numbers of entrants or papers."""
    words = b"\0".join(word.encode("ascii") for word in (what, *about))
    return hmac.digest(check_32(seed_), DS + b"lot\0" + words, "sha256")


def order_by_lot(seed_: bytes, what: str, names: Iterable[str]) -> list[str]:
    """Return names in a random sequence that a seed determines. ``what``: the purpose."""
    return sorted(names, key=lambda name: (draw_lot(seed_, what, name), name))


def draw_pair(seed_: bytes, one: str, other: str) -> tuple[int, int]:
    """Return the random value of a possible pair (lower number first): 96 bits, and one bit for the sides."""
    drawn = int.from_bytes(draw_lot(seed_, "pair", one, other)[:13], "big")
    return drawn >> 8, drawn >> 7 & 1


# The functions below make this program's secrets. Other programs may use other functions, because secrets are random.


def derive_secret(signature: bytes) -> bytes:
    """Return a 32-byte secret made from the 64-byte signature over a tournament's id (for a director, its nonce)."""
    return hashlib.sha256(DS + b"secret\0" + signature).digest()


def derive_opening(secret: bytes, draw: int) -> bytes:
    """Return the 32 bytes that an entrant commits to and reveals for a draw. They come from the entrant's secret."""
    return hmac.digest(check_32(secret), b"draw\0" + u64(draw), "sha256")


def derive_fresh(secret: bytes, what: str, *about: str) -> bytes:
    """Return 32 bytes for a game's nonce or a bid's salt. The same secret and purpose give the same bytes."""
    words = b"\0".join(word.encode("ascii") for word in (what, *about))
    return hmac.digest(check_32(secret), b"fresh\0" + words, "sha256")


def compute_seal(of: bytes, key: bytes, board: str, salt: bytes, value: dict[str, str]) -> bytes:
    """Return the 32-byte seal of a bid. ``of``: the tournament. ``key``: the bidder's key. ``salt``: 16 bytes."""
    head = DS + b"bid\0" + check_32(of) + check_32(key) + board.encode("ascii") + b"\0"
    return hashlib.sha256(head + salt + canon(value)).digest()
