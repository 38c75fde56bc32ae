"""The chain of messages of one game, checked link by link: protocol 2.6 steps 2, 4, 5 and 6, without any rules.

A :class:`Chain` is a value: :meth:`Chain.extend` returns a longer one and leaves the old as it was. What it holds has
passed, in this order: the game's id, the signature by the pinned key, number, predecessor, sender and type for the
slot, the opening against its commitment, the reveals against the seals; and no dice before seed_3. What the dice and
hashes of states must *be* only the rules know: the caller compares them, with :meth:`Chain.dice`.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from kursk_pbem.errors import TrustError
from kursk_pbem.formats.canonical import REFEREE, apart
from kursk_pbem.trust import checks, commit, sshsig
from kursk_pbem.trust.checks import refuse
from kursk_pbem.trust.messages import Message

_BOUND = {False: 2, True: 4}
"""The message that binds a game (protocol 2.3); where a referee rolls both players must have accepted."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Seals:
    """The hidden choices of one message: ``hashes`` is label -> 64 hex digits, ``seq`` the message that sealed them."""

    seq: int
    hashes: Mapping[str, str]


@dataclass(frozen=True)
class Chain:
    """A verified run of messages from M0 on; make one with :func:`start`.

    ``head`` is the content of M0. ``ids`` are hex, message k at position k; ``openings`` and ``commitments`` are bytes
    with r_k and c_k at position k, ``commitments`` reaching two further; where there is none stands None.
    ``reveals`` are those of the last message (label -> value), ``seals`` the outstanding ones by side.

    ``refereed``: the referee writes the even messages and rolls the dice (protocol 2.11); then ``writers`` are those of
    all messages, up to the one that is due if it is known, otherwise the proposer and the other side, in turn.

    ``offer`` is the offer that awaits its reply, empty if there is none, made by ``offerer``; ``declined`` the side
    whose offer has just been declined, '' if none has; ``agreed`` the offer that was accepted and ended the game.
    """

    head: Mapping[str, Any] = field(repr=False)
    nonce: bytes
    keys: Mapping[str, str] = field(repr=False)
    writers: tuple[str, ...]
    ids: tuple[str, ...]
    openings: tuple[bytes | None, ...] = field(repr=False)
    commitments: tuple[bytes | None, ...] = field(repr=False)
    seals: Mapping[str, Seals] = field(repr=False)
    reveals: Mapping[str, Any] = field(repr=False)
    refereed: bool = False
    ended: bool = False
    offer: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    offerer: str = ""
    declined: str = ""
    agreed: Mapping[str, str] = field(default_factory=lambda: _NOTHING)

    @property
    def game(self) -> str:
        """The game id: the id of M0, 64 hex digits."""
        return self.ids[0]

    @property
    def head_id(self) -> str:
        """The id of the last message, which fixes everything that happened (P6)."""
        return self.ids[-1]

    @property
    def next_seq(self) -> int:
        """The number of the message that is due."""
        return len(self.ids)

    def writer(self, k: int) -> str:
        """Return who writes message k, at most the one that is due; '' if the referee has named nobody for it."""
        if self.refereed:
            return self.writers[k] if k < len(self.writers) else ""
        return self.writers[k % 2]

    def may_write(self, k: int, sender: str) -> bool:
        """Whether message k can be this sender's at all, whatever the messages between say."""
        if self.refereed:
            return sender in self.keys and (sender == REFEREE) == (k % 2 == 0)
        return sender == self.writers[k % 2]

    @property
    def bound(self) -> int:
        """The number of the message that binds the game (protocol 2.3); before, anyone may walk away."""
        return _BOUND[self.refereed]

    @property
    def first_dice(self) -> int:
        """The first k whose seed may be rolled (protocol 2.3): r_1 is uncommitted, over seed_2 one may still leave."""
        return self.bound + (not self.refereed)

    @property
    def first_offer(self) -> int:
        """The first message that may be an offer or a resignation: before there is nothing to give up."""
        return self.bound + 1

    def rolls(self, k: int) -> bool:
        """Whether dice may fall in message k at all."""
        return k >= self.first_dice and (not self.refereed or self.writer(k) == REFEREE)

    def seed(self, k: int) -> bytes:
        """Return seed_k, 32 bytes. ValueError unless M_k is here and may roll: earlier seeds could be steered."""
        if not (k < self.next_seq and self.rolls(k)):
            raise ValueError(f"there is no seed {k} in a chain of {self.next_seq} messages")
        opening = self.openings[k]
        assert opening is not None  # noqa: S101  every message that may roll opens
        return commit.seed(opening, bytes.fromhex(self.ids[k - 1]))

    def seed_with(self, opening: bytes) -> bytes:
        """Return the seed of the message that is due, 32 bytes, from its ``opening`` (32). ValueError if none rolls."""
        if not self.rolls(self.next_seq):
            raise ValueError(f"message {self.next_seq} rolls nothing")
        return commit.seed(opening, bytes.fromhex(self.head_id))

    def dice(self, k: int, label: str, n: int) -> str:
        """Return the first n dice of a label under seed_k, as digits 1 to 6."""
        return commit.dice(self.seed(k), label, n)

    def outstanding(self, side: str) -> Mapping[str, str]:
        """Return the seals (label -> hash) that the side must open in its next message; empty if there are none."""
        return self.seals[side].hashes if side in self.seals else _NOTHING

    def extend(self, message: Message) -> Chain:
        """Return the chain with one more message. Raises TrustError for the first check of protocol 2.6 that fails."""
        checks.supported(message)
        self._game(message)
        self._signature(message)
        self._slot(message)
        checks.fields(message, refereed=self.refereed)
        opening = self._opening(message)
        revealed = self._reveals(message)
        if message.mapping("dice") and message.seq < self.first_dice:
            refuse(
                "dice",
                f"message {message.seq} rolls dice, and the first that may is message {self.first_dice}: "
                "until then one side could still choose them or leave (protocol 2.3)",
                message,
                "dice",
            )
        hands = self.refereed and message.sender == REFEREE
        if (hands or message.type in ("offer", "reply", "resign")) and (
            message.text("state-in") != message.text("state-out")
        ):
            who = "the referee" if hands else f"a message of type {message.type}"
            refuse("state", f"{who} chooses nothing: state-out must be state-in", message, "state-out")
        replies = message.type == "reply"
        seals = {side: seal for side, seal in self.seals.items() if replies or side != message.sender}
        if secret := message.mapping("secret"):
            seals[message.sender] = Seals(message.seq, dict(secret))
        committed = bytes.fromhex(message.text("commit")) if "commit" in message.content else None
        return replace(
            self,
            ids=(*self.ids, message.id),
            openings=(*self.openings, opening),
            commitments=(*self.commitments, committed),
            seals=seals,
            reveals=revealed,
            **(self._handed_on(message) if hands else self._agreed(message)),
        )

    def _agreed(self, message: Message) -> dict[str, Any]:
        """Protocol 2.9: what a player's message does to offers; and that the referee's turn comes."""
        answer = message.text("reply") if message.type == "reply" else ""
        return {
            "writers": (*self.writers, REFEREE) if self.refereed else self.writers,
            "ended": message.type == "resign" or answer == "accept",
            "offer": message.mapping("offer"),
            "offerer": message.sender if message.type == "offer" else "",
            "declined": self.offerer if answer == "decline" else "",
            "agreed": self.offer if answer == "accept" else _NOTHING,
        }

    def _handed_on(self, message: Message) -> dict[str, Any]:
        """Protocol 2.11: whom a referee's message names in ``next``; if nobody, the rules have ended the game."""
        named = message.content.get("next")
        first = self.writers[1] if len(self.writers) > 1 else ""
        if named is None and message.seq >= self.bound and not self.offer and not self.declined:
            return {"ended": True}
        if named is None:
            refuse("order", "it must name the side that writes next, in the field 'next'", message)
        if named not in self.keys or named == REFEREE:
            refuse("order", f"it names {named} to write next, and that is no side of this game", message, "next")
        if message.seq == 2 and named == first:
            refuse("order", f"{named} has accepted already; message 3 is the other side's", message, "next")
        if self.offer and named == self.offerer:
            refuse("order", f"the reply to an offer of {named} is the other side's", message, "next")
        if self.declined and named != self.declined:
            refuse("order", f"after a decline {self.declined} plays on", message, "next")
        return {"writers": (*self.writers, str(named))}

    def _game(self, message: Message) -> None:
        """Protocol 2.6 step 2."""
        game = message.content.get("game")
        if game is None and message.type == "propose":
            game = message.id  # the id of a proposal is its game
        if game != self.game:
            refuse(
                "chain",
                f"this message belongs to another game ({str(game)[:16]}, here is {self.game[:16]}); look "
                "for its folder",
                message,
                "game",
            )

    def _signature(self, message: Message) -> None:
        """Protocol 2.6 step 4. A copy that fails here accuses nobody: it may have been changed on its way."""
        if message.sender not in self.keys:
            refuse(
                "sender",
                f"it says it is from {message.sender}, who has no key in this game (there are {', '.join(self.keys)})",
                message,
                "from",
            )
        checks.signature(message, self.keys[message.sender])

    def _slot(self, message: Message) -> None:
        """Protocol 2.6 step 5: number, predecessor, sender and type."""
        due, seq = self.next_seq, message.seq
        if seq > due:
            missing = f"message {due} is" if seq == due + 1 else f"messages {due} to {seq - 1} are"
            refuse(
                "chain",
                f"this is message {seq}, but {missing} missing; look for it in your mail, or ask for it "
                "to be sent again",
                message,
                "seq",
            )
        if seq < due:
            if message.id == self.ids[seq]:
                refuse(
                    "chain", f"message {seq} is a copy of one that is here already; the next is {due}", message, "seq"
                )
            then = (
                "keep both files: they are evidence"
                if seq >= self.bound
                else (
                    f"before message {self.bound} the game is not bound, so two convict nobody; "
                    "the first one counts here"
                )
            )
            two = ", now ".join(apart(self.ids[seq], message.id))
            refuse("chain", f"another message {seq} was accepted before this one ({two}); {then}", message, "seq")
        if message.content.get("prev") != self.head_id:
            two = ", here ".join(apart(str(message.content.get("prev")), self.head_id))
            refuse("chain", f"it follows another message {due - 1} ({two}); compare both copies", message, "prev")
        if self.ended:
            refuse("order", f"the game ended with message {due - 1}; no message is valid after that", message, "type")
        if message.sender != self.writer(seq):
            refuse("sender", f"message {seq} is {self.writer(seq)}'s to write, not {message.sender}'s", message, "from")
        wanted = self._types(seq)
        if message.type not in wanted:
            refuse(
                "order", f"message {seq} is of type {message.type}, where {' or '.join(wanted)} is due", message, "type"
            )
        if message.type == "offer" and self.declined == message.sender:
            refuse("order", f"{message.sender}'s offer has just been declined; now it must play on", message, "type")

    def _types(self, seq: int) -> tuple[str, ...]:
        """Protocol 2.2, 2.9: which types message ``seq``, the one that is due, may have."""
        if seq in ((1, 3) if self.refereed else (1,)):  # with a referee both sides accept (protocol 2.3)
            return ("accept",)
        if self.refereed and self.writer(seq) == REFEREE:
            return ("turn",)
        if self.offer:
            return ("reply",)
        return ("turn", "offer", "resign") if seq >= self.first_offer else ("turn",)

    def _opening(self, message: Message) -> bytes | None:
        """Protocol 2.6 step 6, first half. r_1 is committed nowhere: it is chosen when the game's id is known."""
        if "open" not in message.content:  # a player's, where the referee rolls
            return None
        opening = bytes.fromhex(message.text("open"))
        committed = self.commitments[message.seq]
        if committed is None:
            return opening
        if not hmac.compare_digest(commit.commitment(self.nonce, message.seq, opening), committed):
            refuse(
                "opening",
                f"it opens another nonce than {message.sender} committed to in message {message.seq - 2}",
                message,
                "open",
            )
        return opening

    def _reveals(self, message: Message) -> Mapping[str, Any]:
        """Protocol 2.6 step 6, second half: all seals of the sender's last message are opened, no more and no less.

        A reply opens none: what it would show the offering side has still to choose without (no peeping, protocol 2.9).
        """
        given = message.mapping("reveal")
        if message.type == "reply":
            return _NOTHING
        sealed = self.seals.get(message.sender, Seals(0, _NOTHING))
        if missing := [label for label in sealed.hashes if label not in given]:
            refuse(
                "reveal", f"it does not open {', '.join(missing)}, sealed in message {sealed.seq}", message, "reveal"
            )
        if extra := [label for label in given if label not in sealed.hashes]:
            refuse(
                "reveal",
                f"it opens {', '.join(extra)}, which {message.sender}'s last message did not seal",
                message,
                "reveal",
                extra[0],
            )
        for label, opened in given.items():
            digest = commit.choice_hash(self.nonce, sealed.seq, label, bytes.fromhex(opened["salt"]), opened["value"])
            if digest.hex() != sealed.hashes[label]:
                refuse(
                    "reveal",
                    f"what it opens as {label} is not what was sealed in message {sealed.seq}",
                    message,
                    "reveal",
                    label,
                )
        return {label: opened["value"] for label, opened in given.items()}


def start(message: Message) -> Chain:
    """Begin a chain with M0, the proposal. It pins the keys that sign all later messages, so it is checked by its own.

    Whether they are the right people's keys no file can tell: compare fingerprints out of band (T15). Raises TrustError
    (head, signature, chain, sender, order), or FileError for what this version does not do.
    """
    checks.supported(message)
    if message.type != "propose" or message.seq != 0:
        refuse(
            "chain",
            f"a game begins with message 0, a proposal; this is message {message.seq}, {message.type}",
            message,
            "seq",
        )
    if "keys" not in message.content or "commit" not in message.content or "nonce" not in message.content:
        checks.fields(message, refereed=message.content.get("dice-from") == REFEREE)  # says what is missing
    keys = _pinned(message)
    refereed = message.content.get("dice-from") == REFEREE
    if refereed and (REFEREE not in keys or message.sender != REFEREE):
        refuse(
            "head",
            "with the referee's dice the referee proposes, and the referee's key stands among the keys",
            message,
            "from",
        )
    if message.sender not in keys or (message.sender == REFEREE and not refereed):
        refuse("sender", f"{message.sender} proposes, but is no side of this game", message, "from")
    checks.signature(message, keys[message.sender])
    checks.fields(message, refereed=refereed)
    other = next(side for side in keys if side not in (REFEREE, message.sender))
    if refereed:
        other = message.text("next")
        if other not in keys or other == REFEREE:
            refuse("head", f"it names {other} to accept first, and that is no side of this game", message, "next")
    return Chain(
        head=message.content,
        nonce=bytes.fromhex(message.text("nonce")),
        keys=keys,
        writers=(message.sender, other),
        ids=(message.id,),
        openings=(None,),
        commitments=(None, None, bytes.fromhex(message.text("commit"))),
        seals={},
        reveals={},
        refereed=refereed,
    )


def _pinned(message: Message) -> dict[str, str]:
    """Two sides, perhaps a referee; keys that pass protocol 3.4, all different (T16)."""
    keys = {str(side): str(key) for side, key in message.mapping("keys").items()}
    sides = [side for side in keys if side != REFEREE]
    if len(sides) != 2:
        refuse(
            "head",
            f"it names the keys of {', '.join(keys)}; there must be two sides, and at most a referee beside them",
            message,
            "keys",
        )
    for side, key in keys.items():
        try:
            sshsig.public_key(key)
        except TrustError as error:
            refuse("head", f"key of {side}: {error.message}", message, "keys", side)
    if len(set(keys.values())) != len(keys):
        refuse("head", "one key stands there twice; everybody needs a key of their own", message, "keys")
    return keys
