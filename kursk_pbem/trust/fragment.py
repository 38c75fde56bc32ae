"""A run of messages from the middle of a game, and the lies provable without rules (protocol 2.8).

Message 0 gives keys and nonce. Every further message is signed and names its predecessor by its hash, so the last
signer has signed the whole run. The last message can then be compared with its sender's commitments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.trust import commit
from kursk_pbem.trust.chains import Chain, Seals
from kursk_pbem.trust.messages import Message


def follow_run(first: Chain, run: Sequence[Message]) -> Chain:
    """Return a chain of message 0 and a run of later messages, without the messages between message 0 and the run.

    ``first``: the chain of message 0, which is the result for an empty run. The commitments for the first two messages
    of a run are not in the run, so their openings and reveals are not checked. Raises TrustError, FileError.
    """
    chain = first
    known: set[str] = set()
    for message in run:
        if message is run[0] and message.seq > 1:
            chain = _chain_before(first, message)
        if run[0].seq > 1 and message.sender not in known:
            chain = _add_fitting_seals(chain, message)
        chain = chain.extend(message)
        known.add(message.sender)
    return chain


def _chain_before(first: Chain, message: Message) -> Chain:
    """Return a chain for ``message`` as its next message. Only ``prev`` is known of the messages before ``message``."""
    seq = message.seq
    between = ("",) * (seq - 2)
    writers = first.writers
    if first.refereed:  # only the writers of the referee's messages are known here, and only these are needed
        here = REFEREE if seq % 2 == 0 else message.sender
        writers = (*(REFEREE if k % 2 == 0 else "" for k in range(seq)), here)
    return replace(
        first,
        writers=writers,
        ids=(first.game, *between, str(message.content.get("prev", ""))),
        openings=(None,) * seq,
        commitments=(None,) * (seq + 2),
    )


def _add_fitting_seals(chain: Chain, message: Message) -> Chain:
    """Return the chain with seals to fit the reveals of ``message``. The real seals lie before the run."""
    sealed = message.seq - 2
    hashes = {
        label: commit.choice_hash(chain.nonce, sealed, label, bytes.fromhex(opened["salt"]), opened["value"]).hex()
        for label, opened in message.mapping("reveal").items()
    }
    return replace(chain, seals={**chain.seals, message.sender: Seals(sealed, hashes)})


def find_lie(chain: Chain, message: Message) -> tuple[str, str]:
    """Return the kind of the false claim in a ``message`` that follows ``chain``, and a sentence about the claim.

    The kinds are 'opening', 'reveal' and 'dice', checked in this order. ('', '') means: no claim is false. A missing or
    surplus value is no lie, because the receiver's program refuses the message.
    """
    seq = message.seq
    opening = bytes.fromhex(message.text("open")) if "open" in message.content else None
    committed = chain.commitments[seq]
    if opening and committed and commit.commit_to_opening(chain.nonce, seq, opening) != committed:
        return "opening", f"the opening does not fit the commitment in message {seq - 2}"
    sealed = chain.seals.get(message.sender, Seals(0, {}))
    for label, opened in sorted(message.mapping("reveal").items()):
        digest = commit.choice_hash(chain.nonce, sealed.seq, label, bytes.fromhex(opened["salt"]), opened["value"])
        if sealed.hashes.get(label, digest.hex()) != digest.hex():
            return "reveal", f"{label}, revealed here, differs from the {label} sealed in message {sealed.seq}"
    if opening is None:
        return "", ""
    if seq < chain.first_dice and message.mapping("dice"):
        return "dice", f"the message rolls dice, but the first dice can fall in message {chain.first_dice}"
    seed = commit.derive_seed(opening, bytes.fromhex(chain.head_id))
    for label, digits in sorted(message.mapping("dice").items()):
        right = commit.roll_dice(seed, label, len(digits))
        if digits != right:
            return "dice", f"the die {label} is {digits} here; by the opening and message {seq - 1} the die is {right}"
    return "", ""
