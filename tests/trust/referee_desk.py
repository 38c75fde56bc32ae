"""A small vocabulary for tests, like ``signing_desk``: the messages of a game with a referee's dice."""

from __future__ import annotations

import hashlib

from helpers.signing_desk import SIGNERS, VECTORS, following, load_vectors, propose, refused, signed

from kursk_pbem.errors import TrustError
from kursk_pbem.trust import chains, commit

FOLDER = VECTORS / "sample-referee"
V = load_vectors()
P = V["sample-referee"]
LENGTH = 10
KEYS = {side: SIGNERS[side].public for side in ("german", "russian", "referee")}
OTHER_STATE = "cd" * 32
DRAW = {"kind": "draw"}
VALUE = {"posture": "pause", "reaction": "no"}


def make_mix(k: int) -> str:
    return hashlib.sha256(b"mix %d" % k).hexdigest()


def make_proposal(**changes):
    """Return the content of an ordinary M0 of a referee; the German accepts first."""
    return propose(**{"from_": "referee", "keys": KEYS, "dice_from": "referee", "next_": "german", **changes})


def follow(before: chains.Chain, **changes):
    """Return the content of an ordinary next message; a referee names the side that did not write last."""
    k = before.next_seq
    kind = "accept" if k in (1, 3) else "turn"
    more = {"type": kind, "from_": before.writer(k) or "referee"}
    if k % 2:
        more |= {"mix": make_mix(k), "open": None, "commit": None}
    else:
        more["next_"] = "russian" if before.writers[k - 1] == "german" else "german"
    return following(before, **more | changes)


def after(before: chains.Chain, **changes) -> chains.Chain:
    return before.extend(signed(follow(before, **changes)))


def game(length: int) -> chains.Chain:
    """Return an uneventful game; the sides take turns."""
    result = chains.start_chain(signed(make_proposal()))
    while result.next_seq < length:
        result = after(result)
    return result


def refused_next(before: chains.Chain, fault: str, *words: str, by: str = "", **changes) -> TrustError:
    found = signed(follow(before, **changes), by)
    return refused(lambda: before.extend(found), fault, *words)


def seal(before: chains.Chain, value, label: str = "posture/turn-1", salt: bytes = bytes(16)):
    return {label: commit.choice_hash(before.nonce, before.next_seq, label, salt, value).hex()}


def opened(value, label: str = "posture/turn-1", salt: bytes = bytes(16)):
    return {label: {"salt": salt.hex(), "value": value}}
