"""A small vocabulary for tests, like ``signing_desk``: the messages of a game with a referee's dice."""

from __future__ import annotations

from helpers import signing_desk
from helpers.signing_desk import SIGNERS, VECTORS, load_vectors, propose

from kursk_pbem.trust import chains

FOLDER = VECTORS / "sample-referee"
V = load_vectors()
P = V["sample-referee"]
LENGTH = 10
KEYS = {side: SIGNERS[side].public for side in ("german", "russian", "referee")}
OTHER_STATE = "cd" * 32
DRAW = {"kind": "draw"}
VALUE = {"posture": "pause", "reaction": "no"}


def make_proposal(**changes):
    """Return the content of an ordinary M0 of a referee; the German accepts first."""
    return propose(**{"from_": "referee", "keys": KEYS, "dice_from": "referee", "next_": "german", **changes})


def game(length: int) -> chains.Chain:
    return signing_desk.game(length, make_proposal())


def opened(value, label: str = "posture/turn-1", salt: bytes = bytes(16)):
    return {label: {"salt": salt.hex(), "value": value}}
