"""Lies on the samples of the protocol, in addition to the tampered samples: a referee's dice, proposals, papers.

The rules of the samples do not exist, so the program judges only their chain.
"""

from __future__ import annotations

import json
from typing import Any

from helpers.signing_desk import SIGNERS, VECTORS

from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import folders
from kursk_pbem.trust import commit
from trust.lies import (
    LIES,
    NOTHING,
    PLAYERS,
    PROGRAM,
    REFEREE,
    REFEREED,
    SHORT,
    Desk,
    Found,
    Leaves,
    Lie,
    Verdict,
    file_of,
    lie,
)

HASH = "ab" * 32
WHOLE = "not a matter of the chain: the same lie is told on a whole game"
AGREED = "what is offered is a matter of the rules; that an accepted offer ends the game is checked"
PAPERS = "receipts and forfeits: only the signature and the message named"


def expect_unreadable(k: int) -> Verdict:
    """Return the verdict on an unreadable message: its schema does not allow the words."""
    return Found(file_of(k), "canonical")


def claim(name: str, k: int, fault: str, but: dict[str, Verdict] | None = None, **changes: Any) -> None:
    """Change message k of the referee's sample; delete the later messages."""

    def tell(desk: Desk) -> None:
        before = desk.said[k]
        desk.forge(k, **changes)
        assert desk.said[k] != before

    LIES.append(Lie(name, REFEREE, tell, Found(file_of(k), fault), but or {}))


claim("a proposal names its proposer next", 0, "order", {PROGRAM: Found(file_of(0), "head")}, next="referee")
claim("a proposal names nobody next", 0, "order", next=None)
claim("named next is who has accepted already", 2, "order", next="german")
claim("nobody is named who is to accept", 2, "order", next=None)
claim("named next is no side", 4, "order", next="nobody")
claim("a referee reveals", 4, "order", reveal={})
claim("a referee orders", 4, "order", orders={})
claim("a referee resigns", 4, "order", type="resign")
claim("a referee who hands on moves", 4, "state", state_out=HASH)
claim("a player rolls", 5, "order", dice={"battle-1/combat": "4"})
claim("a player names the next", 5, "order", next="german")
claim("a short mix", 5, "canonical", mix="ab")
claim("an offer of peace", 7, "order", {PROGRAM: expect_unreadable(7), SHORT: Leaves(AGREED)}, offer={"kind": "peace"})
claim("a short successor", 7, "canonical", {SHORT: Leaves(AGREED)}, offer={"kind": "successor", "game": "ab"})
claim("an offer that moves", 7, "state", state_out=HASH)
claim("named for a reply is who has offered", 8, "order", next="russian")
claim("nobody is named for a reply", 8, "order", next=None)
claim("an offer handed on that moves", 8, "state", {PROGRAM: Leaves(WHOLE)}, state_in=HASH, state_out=HASH)
claim("a reply of another word", 9, "order", {PROGRAM: expect_unreadable(9)}, reply="perhaps")
claim("a reply that reveals", 9, "order", reveal={})
claim("a reply that moves", 9, "state", {PROGRAM: Leaves(WHOLE)}, state_in=HASH, state_out=HASH)


def a_die(desk: Desk, k: int) -> dict[str, str]:
    """Return a correct die for its seed."""
    seed = commit.derive_seed(bytes.fromhex(desk.said[k]["open"]), bytes.fromhex(desk.said[k]["prev"]))
    return {"battle-2/combat": commit.roll_dice(seed, "battle-2/combat", 1)}


@lie(8, "dice", REFEREE, program=Leaves(WHOLE))
def an_offer_handed_on_with_dice(desk):
    desk.forge(8, dice=a_die(desk, 8))


@lie(10, "dice", REFEREED)
def an_offer_handed_on_with_dice_in_a_whole_game(desk):
    assert desk.said[9]["type"] == "offer"
    desk.forge(10, dice=a_die(desk, 10))


@lie(10, "state", REFEREED)
def an_offer_handed_on_that_moves_in_a_whole_game(desk):
    desk.forge(10, state_in=HASH, state_out=HASH)


@lie(11, "state", REFEREED)
def a_reply_that_moves_in_a_whole_game(desk):
    assert desk.said[11]["type"] == "reply"
    desk.forge(11, state_in=HASH, state_out=HASH)


@lie(10, "order", REFEREE)
def a_message_after_an_accepted_offer(desk):
    mid = sha256_hex((desk.folder / "0009.json").read_bytes())
    desk.said.append({**desk.said[8], "seq": "10", "prev": mid})
    desk.put(10)


@lie(7, "order", REFEREE, short=Found("0007.json", "sender"))
def a_message_after_nobody_was_named(desk):
    desk.cut(7)
    mid = desk.put(6, next=None, pending=None)
    desk.said[7].update(prev=mid)
    desk.put(7)


def propose(
    name: str, fault: str, but: dict[str, Verdict] | None = None, *, sample: str = PLAYERS, **changes: Any
) -> None:
    """Register a proposal that differs from a sample's."""
    said = {name.replace("_", "-"): value for name, value in changes.items()}

    def tell(desk: Desk) -> None:
        desk.said = [{**read_proposal(sample), **said}]
        desk.put(0)

    LIES.append(Lie(name, NOTHING, tell, Found(file_of(0), fault), but or {}))


def read_proposal(sample: str) -> dict[str, Any]:
    """Return message 0 of a sample."""
    found: dict[str, Any] = json.loads((VECTORS / sample / "0000.json").read_bytes())
    return found


KEYS = {side: SIGNERS[side].public for side in ("german", "russian")}
propose("a referee without a key", "head", sample=REFEREE, keys=KEYS)
propose("one side", "head", {PROGRAM: expect_unreadable(0)}, keys={"russian": KEYS["russian"]})
propose("three sides", "head", {PROGRAM: expect_unreadable(0)}, keys={side: SIGNERS[side].public for side in SIGNERS})
propose("a key of zeros", "head", keys={**KEYS, "german": "ssh-ed25519 " + "A" * 68})
propose("dice from nobody", "canonical", {SHORT: Found(file_of(0), "head")}, dice_from="nobody")
propose("a short nonce", "canonical", nonce="ab")
propose("players who name the next", "order", next="german")


def add_receipt_lie(name: str, fault: str, but: dict[str, Verdict] | None = None, **changes: Any) -> None:
    """Change the sample's receipt, signed by the referee."""
    file = "receipt-0010.json"

    def tell(desk: Desk) -> None:
        said = {**json.loads((desk.folder / file).read_bytes()), **changes}
        desk.sign(desk.folder / file, said, "referee")

    LIES.append(Lie(name, PLAYERS, tell, Found(file, fault), but or {}))


add_receipt_lie("a receipt for another message", "chain", seq="9")
add_receipt_lie("a receipt for a message to come", "chain", seq="99")
add_receipt_lie("a receipt of another game", "chain", game=HASH)
add_receipt_lie("a receipt from a player", "sender", {SHORT: Leaves(PAPERS)}, **{"from": "german"})
add_receipt_lie(
    "a receipt named forfeit",
    "order",
    {PROGRAM: Found("receipt-0010.json", "canonical"), SHORT: Leaves(PAPERS)},
    type="forfeit",
)


@lie(12, "order", PLAYERS)
def a_turn_after_the_resignation(desk):
    """A turn of the opponent, with a correct signature."""
    mid = sha256_hex(folders.archive_path(desk.folder, 11).read_bytes())
    last, before = desk.said[11], desk.said[10]
    content = {**before, "seq": "12", "prev": mid, "type": "turn", "state-in": last["state-out"]}
    for name in ("reveal", "dice", "secret"):
        content.pop(name, None)
    desk.said.append(content)
    desk.put(12)
