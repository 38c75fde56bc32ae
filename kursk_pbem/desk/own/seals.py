"""The fields of a player's message that follow from the secret and the choices, and the way back (protocol 3.7)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust import commit
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

ADDED = frozenset(("commit", "mix", "reveal", "dice", "pending", "state-in", "state-out", "next", "secret", "kept"))
"""The fields added to a draft by signing, apart from ``prev`` and ``open``."""
LENGTH = 1008
"""The length, in bytes, of a sealed value in ``kept`` if the rules set no other length."""


def hash_choices(content: Mapping[str, Any], hidden: Mapping[str, Any]) -> bytes:
    """Return the SHA-256 of the ``hidden`` values and of a draft that already has the fields ``prev`` and ``open``."""
    drafted = {name: value for name, value in content.items() if name not in ADDED}
    return hashlib.sha256(canon({**drafted, "seal": dict(hidden)})).digest()


def seal_values(
    chain: Chain, content: Mapping[str, Any], hidden: Mapping[str, Any], secret: bytes, lengths: Mapping[str, int]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return sealed values for the journal (label -> {salt, value}), and the message fields ``secret`` and ``kept``.

    ``chain``: the earlier messages. ``content``: the message with ``open`` or ``mix``. ``lengths``: the first word of a
    label -> the length of such a value in ``kept``.
    """
    seals: dict[str, Any] = {}
    fields: dict[str, dict[str, Any]] = {}
    for label, salt in _derive_salts(chain, content, hidden, secret).items():
        value = hidden[label]
        seal = commit.choice_hash(chain.nonce, chain.next_seq, label, salt, value)
        seals[label] = {"salt": salt.hex(), "value": value}
        fields.setdefault("secret", {})[label] = seal.hex()
        if chain.keeps:
            length = lengths.get(label.partition("/")[0], LENGTH)
            fields.setdefault("kept", {})[label] = commit.keep_value(secret, seal, value, length)
    return seals, fields


def read_kept(chain: Chain, message: Message, secret: bytes) -> dict[str, Any]:
    """Return a player's own sealed values from a message: label -> {salt, value}; {} if none, or if a value is lost.

    ``chain``: messages of the game. Values are lost if the message has no ``kept``, or if a value does not fit.
    """
    kept, sealed = message.mapping("kept"), message.mapping("secret")
    try:
        hidden = {label: commit.open_kept(secret, bytes.fromhex(sealed[label]), kept[label]) for label in kept}
        salts = _derive_salts(chain, message.content, hidden, secret)
        for label, salt in salts.items():
            if commit.choice_hash(chain.nonce, message.seq, label, salt, hidden[label]).hex() != sealed[label]:
                return {}
    except (ValueError, TypeError, RecursionError):  # the texts were made with another secret
        return {}
    return {label: {"salt": salt.hex(), "value": hidden[label]} for label, salt in salts.items()}


def _derive_salts(
    chain: Chain, content: Mapping[str, Any], hidden: Mapping[str, Any], secret: bytes
) -> dict[str, bytes]:
    if chain.keeps:
        choices = hash_choices(content, hidden)
        return {label: commit.derive_choice_salt(secret, choices, label) for label in sorted(hidden)}
    prev, opened = bytes.fromhex(content["prev"]), bytes.fromhex(content.get("open") or content["mix"])
    seq = int(content["seq"])
    return {label: commit.derive_salt(secret, chain.nonce, seq, prev, opened, label) for label in sorted(hidden)}
