"""Nonces, commitments, seeds, dice and hidden choices: the derivations of protocol 3.2 and 3.7.

Everything here is bytes in, bytes out, except labels and dice (text) and revealed values (plain data); hex belongs to
the messages. Every input begins with a prefix of its own, so no value of one kind can pass for another.
"""

from __future__ import annotations

import hashlib
import hmac

from kursk_pbem.formats.canonical import DS, Plain, canon

SECRET_NAMESPACE = "kursk-pbem-secret"  # noqa: S105  the name of a namespace
"""Signature namespace of the signature from which a player's secret is made (protocol 3.7)."""

HASH_BYTES = 32
SALT_BYTES = 16

_DIGITS = bytes(ord(str(b % 6 + 1)) for b in range(256))
_SKIPPED = bytes(range(252, 256))  # 252 = 42 * 6: with these four, small faces would come up more often


def commitment(nonce: bytes, k: int, opening: bytes) -> bytes:
    """c_k: the 32-byte hash of r_k (32 bytes) that its sender puts into M_{k-2}; ``nonce`` is M0's, 32 bytes."""
    return hashlib.sha256(DS + b"commit\0" + of_32(nonce) + u64(k) + of_32(opening)).digest()


def seed(opening: bytes, previous_id: bytes) -> bytes:
    """seed_k, 32 bytes, from r_k and id_{k-1} (32 bytes each)."""
    return _hmac(of_32(opening), DS + b"seed\0" + of_32(previous_id))


def block(seed_k: bytes, label: str, j: int) -> bytes:
    """Block j (from 0), 32 bytes, of the dice stream of one label."""
    return _hmac(seed_k, DS + b"dice\0" + label.encode("ascii") + b"\0" + j.to_bytes(4, "big"))


def dice(seed_k: bytes, label: str, n: int) -> str:
    """Return the first ``n`` dice of a label as digits 1 to 6. Longer requests begin with the same dice."""
    result = b""
    j = 0
    while len(result) < n:
        result += block(seed_k, label, j).translate(_DIGITS, _SKIPPED)
        j += 1
    return result[:n].decode("ascii")


def choice_hash(nonce: bytes, seq: int, label: str, salt_: bytes, value: Plain) -> bytes:
    """Return the seal of a hidden choice, 32 bytes: message ``seq`` seals it, ``salt_`` is 16 bytes (ValueError)."""
    if len(salt_) != SALT_BYTES:
        msg = f"a salt has {SALT_BYTES} bytes, not {len(salt_)}"
        raise ValueError(msg)
    head = DS + b"choice\0" + of_32(nonce) + u64(seq) + label.encode("ascii") + b"\0"
    return hashlib.sha256(head + salt_ + canon(value)).digest()


# What follows is how this program makes its own secrets. Nobody verifies it, and other programs may do otherwise.


def secret(signature: bytes) -> bytes:
    """Return a player's secret of one game, 32 bytes, from the 64-byte signature of that player over the nonce.

    The signature is made in :data:`SECRET_NAMESPACE`. Ed25519 is deterministic, so the key alone brings it back.
    ValueError unless it has 64 bytes.
    """
    if len(signature) != 64:
        msg = f"an Ed25519 signature has 64 bytes, not {len(signature)}"
        raise ValueError(msg)
    return hashlib.sha256(DS + b"secret\0" + signature).digest()


def next_opening(secret_: bytes, k: int, prev: bytes, opening: bytes) -> bytes:
    """r_k for k >= 2, from ``prev`` and ``open`` of M_{k-2} (32 bytes each); for k = 2 see :data:`NO_PREV`.

    r_1 is 32 fresh random bytes, and feeds r_3, r_5, ...: a replayed proposal leads to unrelated ones (T13).
    Since they depend on ``prev``, openings on one branch of a fork tell nothing about another (P8).
    """
    return _hmac(of_32(secret_), DS + b"nonce\0" + u64(k) + of_32(prev) + of_32(opening))


NO_PREV = bytes(HASH_BYTES)
"""What stands for ``prev`` of M0 in :func:`next_opening`; its ``open`` is then the game's nonce."""


def salt(secret_: bytes, nonce: bytes, seq: int, prev: bytes, opening: bytes, label: str, attempt: int = 0) -> bytes:
    """Return the 16-byte salt of a hidden choice in message ``seq`` with these ``prev`` and ``open``.

    ``attempt`` is one more each time a void message is replaced in its slot: one salt never covers two values (T34).
    """
    head = DS + b"salt\0" + of_32(nonce) + u64(seq) + of_32(prev) + of_32(opening) + attempt.to_bytes(4, "big")
    return _hmac(of_32(secret_), head + label.encode("ascii"))[:SALT_BYTES]


def desk_key(secret_: bytes) -> bytes:
    """The 32-byte key by which a desk knows again what it has put down for itself; it never leaves the desk."""
    return _hmac(of_32(secret_), DS + b"desk\0")


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def u64(n: int) -> bytes:
    """A whole number as 8 bytes, the highest first. OverflowError for one that has none."""
    return n.to_bytes(8, "big")


def of_32(value: bytes) -> bytes:
    """The same 32 bytes; ValueError for any other number of them.

    Fields are joined without separators: a field of another length would let two inputs coincide.
    """
    if len(value) != HASH_BYTES:
        msg = f"this field has {HASH_BYTES} bytes, not {len(value)}"
        raise ValueError(msg)
    return value
