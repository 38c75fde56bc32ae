"""Nonces, commitments, seeds, dice and hidden choices: the derivations of protocol 3.2 and 3.7.

Inputs and results are bytes, except labels and dice (text) and revealed values (plain data). Messages convert to hex.
Every input begins with its own prefix, so a value of one kind never equals a value of another kind.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence

from kursk_pbem.formats.canonical import DS, Plain, canon

SECRET_NAMESPACE = "kursk-pbem-secret"  # noqa: S105  the name of a namespace
"""Signature namespace for a player's secret (protocol 3.7)."""

HASH_BYTES = 32
SALT_BYTES = 16
LINE_BYTES = 48
"""Bytes in each line of a kept value. In base64 these are 64 characters, so no mail program breaks the line."""

_DIGITS = bytes(ord(str(b % 6 + 1)) for b in range(256))
_SKIPPED = bytes(range(252, 256))  # 252 = 42 * 6: with these four values, small faces would be more frequent


def commit_to_opening(nonce: bytes, k: int, opening: bytes) -> bytes:
    """Return the hash (32 bytes) with which message k-2 commits to message k's opening r_k. ``nonce``: message 0's."""
    return hashlib.sha256(DS + b"commit\0" + check_32(nonce) + u64(k) + check_32(opening)).digest()


def derive_seed(opening: bytes, previous_id: bytes) -> bytes:
    """Return the seed of message k's dice from r_k and the id of message k-1. All three have 32 bytes."""
    return _hmac(check_32(opening), DS + b"seed\0" + check_32(previous_id))


def derive_block(seed_k: bytes, label: str, j: int) -> bytes:
    """Return a block of random bytes for the dice of one label: 32 bytes, blocks numbered from 0."""
    return _hmac(seed_k, DS + b"dice\0" + label.encode("ascii") + b"\0" + j.to_bytes(4, "big"))


def roll_dice(seed_k: bytes, label: str, n: int) -> str:
    """Return the first ``n`` dice of a label as digits 1 to 6. With a larger ``n`` the first dice stay equal."""
    result = b""
    j = 0
    while len(result) < n:
        result += derive_block(seed_k, label, j).translate(_DIGITS, _SKIPPED)
        j += 1
    return result[:n].decode("ascii")


def choice_hash(nonce: bytes, seq: int, label: str, salt: bytes, value: Plain) -> bytes:
    """Return the hash of a hidden choice in message ``seq``, 32 bytes. Raises ValueError for a malformed salt."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    head = DS + b"choice\0" + check_32(nonce) + u64(seq) + label.encode("ascii") + b"\0"
    return hashlib.sha256(head + salt + canon(value)).digest()


# The functions below make this program's own secrets. Auditors do not check them; other programs may differ.


def derive_secret(signature: bytes) -> bytes:
    """Return a player's secret for one game (32 bytes) from the player's 64-byte signature over the game's nonce.

    The namespace of the signature is :data:`SECRET_NAMESPACE`. Ed25519 is deterministic, so the key alone restores the
    secret. Raises ValueError unless the signature has 64 bytes.
    """
    if len(signature) != 64:
        raise ValueError(f"an Ed25519 signature has 64 bytes, not {len(signature)}")
    return hashlib.sha256(DS + b"secret\0" + signature).digest()


def next_opening(secret: bytes, k: int, prev: bytes, opening: bytes, content: bytes = b"") -> bytes:
    """Return message k's opening r_k for k >= 2, 32 bytes. ``prev``, ``open``: of message k-2, 32 bytes each.

    ``content``: :func:`hash_content` of message k-2. So two messages of one number lead to unrelated openings. If
    k = 2, ``prev`` is NO_PREV. r_1 is 32 fresh random bytes and feeds r_3, r_5, ...: a replayed proposal gives
    unrelated openings (T13).
    """
    return _hmac(check_32(secret), DS + b"nonce\0" + u64(k) + check_32(prev) + check_32(opening) + content)


def hash_content(content: Mapping[str, Plain], *, keeps: bool) -> bytes:
    """Return the SHA-256 of a message without ``commit``. This hash fixes the writer's next opening.

    ``keeps``: whether the game has ``kept``. Without ``kept`` the result is b"".
    """
    if not keeps:
        return b""
    return hashlib.sha256(canon({name: value for name, value in content.items() if name != "commit"})).digest()


NO_PREV = bytes(HASH_BYTES)
"""Value for ``prev`` of M0 in :func:`next_opening`; ``open`` is then the game's nonce."""


def derive_salt(
    secret: bytes, nonce: bytes, seq: int, prev: bytes, opening: bytes, label: str, attempt: int = 0
) -> bytes:
    """Return the 16-byte salt of a hidden choice in message ``seq`` with these ``prev`` and ``open``.

    ``attempt``: how many void messages this message replaces, because two values must never share a salt (T34).
    """
    head = DS + b"salt\0" + check_32(nonce) + u64(seq) + check_32(prev) + check_32(opening) + attempt.to_bytes(4, "big")
    return _hmac(check_32(secret), head + label.encode("ascii"))[:SALT_BYTES]


def derive_mix(secret: bytes, choices: bytes) -> bytes:
    """Return the field ``mix`` of a player's message, 32 bytes. ``choices``: the hash of the choices, 32 bytes."""
    return _hmac(check_32(secret), DS + b"mix\0" + check_32(choices))


def derive_choice_salt(secret: bytes, choices: bytes, label: str) -> bytes:
    """Return the 16-byte salt of a hidden choice in a game with ``kept``.

    ``choices``: the hash of all choices (T34). The input is always shorter than the input of :func:`derive_salt`.
    """
    return _hmac(check_32(secret), DS + b"salt\0" + check_32(choices) + label.encode("ascii"))[:SALT_BYTES]


def keep_value(secret: bytes, seal: bytes, value: Plain, length: int) -> list[str]:
    """Return a sealed value, encrypted for the writer alone, as lines in base64.

    ``seal``: the hash of the choice. A seal contains a salt, so each value has a fresh key. The seal also shows whether
    a value is right. Zeros fill the value up to a multiple of ``length`` bytes, to hide the length.
    """
    text = canon(value)
    masked = _mask(secret, seal, text + bytes(-len(text) % length))
    lines = (masked[at : at + LINE_BYTES] for at in range(0, len(masked), LINE_BYTES))
    return [base64.b64encode(line).decode("ascii") for line in lines]


def open_kept(secret: bytes, seal: bytes, kept: Sequence[str]) -> Plain:
    """Return the value encrypted by :func:`keep_value`. The caller checks the value by the seal. Raises ValueError."""
    masked = b"".join(base64.b64decode(line, validate=True) for line in kept)
    value: Plain = json.loads(_mask(secret, seal, masked).rstrip(b"\0"))
    return value


def _mask(secret: bytes, seal: bytes, text: bytes) -> bytes:
    key = _hmac(check_32(secret), DS + b"kept\0" + check_32(seal))
    stream = b"".join(_hmac(key, u64(j)) for j in range(-(-len(text) // HASH_BYTES)))
    return bytes(a ^ b for a, b in zip(text, stream, strict=False))


def desk_key(secret: bytes) -> bytes:
    """Return the 32-byte key for a player's private records. The key never leaves the player's machine."""
    return _hmac(check_32(secret), DS + b"desk\0")


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def u64(n: int) -> bytes:
    """Return a whole number as 8 bytes, most significant first. Raises OverflowError if the number is too large."""
    return n.to_bytes(8, "big")


def check_32(value: bytes) -> bytes:
    """Return a value that has 32 bytes. Raises ValueError for another length.

    Fields are joined without separators, so with other lengths two different inputs could coincide.
    """
    if len(value) != HASH_BYTES:
        raise ValueError(f"this field has {HASH_BYTES} bytes, not {len(value)}")
    return value
