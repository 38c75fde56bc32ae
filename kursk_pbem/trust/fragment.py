"""A run of messages that need not begin at message 0, and the lies that show in it without any rules (protocol 2.8).

Message 0 gives keys and nonce; each further message names its predecessor by its hash and is signed, so the signer of
the last one has signed for them all. That is enough to check the last one against what its sender committed to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.trust import commit
from kursk_pbem.trust.chains import Chain, Seals
from kursk_pbem.trust.messages import Message


def follow(first: Chain, run: Sequence[Message]) -> Chain:
    """The chain that ends with the last message of a contiguous run, known from the run and message 0 alone.

    ``first`` holds message 0; an empty run gives it back. Of the run's first message and the one after it the opening
    and the reveals are taken as they are: what they were committed to lies before the run. TrustError, FileError.
    """
    chain = first
    known: set[str] = set()
    for message in run:
        if message is run[0] and message.seq > 1:
            chain = _as_if_before(first, message)
        if run[0].seq > 1 and message.sender not in known:
            chain = _with_seals(chain, message)
        chain = chain.extend(message)
        known.add(message.sender)
    return chain


def _as_if_before(first: Chain, message: Message) -> Chain:
    """A chain to which ``message`` is the next: of what lies between message 0 and it, only its ``prev`` is known."""
    seq = message.seq
    between = ("",) * (seq - 2)
    writers = first.writers
    if first.refereed:  # only the writers of the referee's messages are known here, and no others are needed
        here = REFEREE if seq % 2 == 0 else message.sender
        writers = (*(REFEREE if k % 2 == 0 else "" for k in range(seq)), here)
    return replace(
        first,
        writers=writers,
        ids=(first.game, *between, str(message.content.get("prev", ""))),
        openings=(None,) * seq,
        commitments=(None,) * (seq + 2),
    )


def _with_seals(chain: Chain, message: Message) -> Chain:
    """The same chain with seals that fit whatever ``message`` opens: what its sender sealed lies before the run."""
    sealed = message.seq - 2
    hashes = {
        label: commit.choice_hash(chain.nonce, sealed, label, bytes.fromhex(opened["salt"]), opened["value"]).hex()
        for label, opened in message.mapping("reveal").items()
    }
    return replace(chain, seals={**chain.seals, message.sender: Seals(sealed, hashes)})


def lie(chain: Chain, message: Message) -> tuple[str, str]:
    """What is false in ``message``, which follows ``chain``: the claim (opening, reveal, dice) and a sentence; or ''.

    The opening is checked first. What is merely missing or too much is refused when it arrives, but is no lie.
    """
    seq = message.seq
    opening = bytes.fromhex(message.text("open")) if "open" in message.content else None
    committed = chain.commitments[seq]
    if opening and committed and commit.commitment(chain.nonce, seq, opening) != committed:
        return "opening", f"its opening is not the one that message {seq - 2} committed to"
    sealed = chain.seals.get(message.sender, Seals(0, {}))
    for label, opened in sorted(message.mapping("reveal").items()):
        digest = commit.choice_hash(chain.nonce, sealed.seq, label, bytes.fromhex(opened["salt"]), opened["value"])
        if sealed.hashes.get(label, digest.hex()) != digest.hex():
            return "reveal", f"what it opens as {label} is not what message {sealed.seq} sealed"
    if opening is None:
        return "", ""
    if seq < chain.first_dice and message.mapping("dice"):
        return "dice", f"it rolls dice, and before message {chain.first_dice} none may fall"
    seed = commit.seed(opening, bytes.fromhex(chain.head_id))
    for label, digits in sorted(message.mapping("dice").items()):
        right = commit.dice(seed, label, len(digits))
        if digits != right:
            return "dice", f"the die {label} is given as {digits}; its opening and message {seq - 1} make it {right}"
    return "", ""
