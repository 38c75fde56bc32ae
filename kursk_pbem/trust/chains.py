"""The chain of messages of one game: checks of protocol 2.6 steps 2, 4, 5 and 6, without rules.

A :class:`Chain` is immutable: :meth:`Chain.extend` returns a longer chain. Every message has passed, in this order: the
game's id, the signature by the pinned key, number, predecessor, sender, type, opening, reveals, and no dice before
seed_3. Only the rules know the right dice and hashes of states: the caller compares them.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.formats.canonical import REFEREE, shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import checks, commit, sshsig
from kursk_pbem.trust.checks import refuse
from kursk_pbem.trust.messages import Message

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@frozen
class Seals:
    """The sealed choices of message ``seq``. ``hashes``: the label of a choice -> its hash, 64 hex digits."""

    seq: int
    hashes: Mapping[str, str]


@frozen
class Chain:
    """The verified messages of a game from message 0 (M0) on; made by :func:`start_chain`.

    ``head``: the content of M0. ``ids``: hex, message k at position k. ``openings`` and ``commitments``: bytes, r_k and
    c_k at position k, or None; ``commitments`` has two more. ``reveals``: the reveals of the last message (label ->
    value). ``seals``: the outstanding seals by side.

    ``refereed``: the referee writes the even messages and rolls the dice (protocol 2.11); ``writers`` then lists the
    writers of all messages, with the next writer if known. Otherwise ``writers`` is the proposer and the opponent.

    ``offer``: the offer awaiting a reply, or empty; ``offerer``: its side; ``declined``: the side of a just declined
    offer, or ''; ``agreed``: the accepted offer, after it ended the game. ``contents``: the hashes of messages without
    ``commit``, b"" in a game without ``kept``; openings follow from these hashes (protocol 3.7).
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
    contents: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def game(self) -> str:
        """The id of the game: the id of message 0, 64 hex digits."""
        return self.ids[0]

    @property
    def head_id(self) -> str:
        """The id of the last message. The id determines all earlier messages of the game."""
        return self.ids[-1]

    @property
    def next_seq(self) -> int:
        """The number of the next message."""
        return len(self.ids)

    @property
    def keeps(self) -> bool:
        """Whether messages with sealed choices have the field ``kept`` (protocol 2.5), as message 0 decides."""
        return "seals" in self.head

    def writer(self, k: int) -> str:
        """Return the side that writes message k (at most the next), or '' if the referee has not named the side yet."""
        if self.refereed:
            return self.writers[k] if k < len(self.writers) else ""
        return self.writers[k % 2]

    def may_write(self, k: int, sender: str) -> bool:
        """Return whether ``sender`` may write message k, as far as the messages so far decide."""
        if self.refereed:
            return sender in self.keys and (sender == REFEREE) == (k % 2 == 0)
        return sender == self.writers[k % 2]

    @property
    def bound(self) -> int:
        """The number of the message that binds both players (protocol 2.3). Earlier, each player may leave the game.

        If the referee rolls the dice, the game binds when both players have accepted.
        """
        return 4 if self.refereed else 2

    @property
    def first_dice(self) -> int:
        """The first message that may roll dice (2.3). Earlier, a player could influence dice: by r_1, or by leaving."""
        return self.bound + (not self.refereed)

    @property
    def first_offer(self) -> int:
        """The first message that may be an offer or a resignation. Earlier, a player can simply leave the game."""
        return self.bound + 1

    def may_roll(self, k: int) -> bool:
        """Return whether message k may roll dice."""
        return k >= self.first_dice and (not self.refereed or self.writer(k) == REFEREE)

    def seed(self, k: int) -> bytes:
        """Return the seed of message k's dice (2.3), 32 bytes. Raises ValueError without message k, or without dice."""
        if not (k < self.next_seq and self.may_roll(k)):
            raise ValueError(f"seed {k} is missing in a chain of {self.next_seq} messages")
        opening = self.openings[k]
        assert opening is not None  # noqa: S101  every rolling message opens
        return commit.derive_seed(opening, bytes.fromhex(self.ids[k - 1]))

    def seed_with(self, opening: bytes) -> bytes:
        """Return the seed of the next message's dice from its ``opening``. Raises ValueError without dice."""
        if not self.may_roll(self.next_seq):
            raise ValueError(f"message {self.next_seq} rolls no dice")
        return commit.derive_seed(opening, bytes.fromhex(self.head_id))

    def outstanding_seals(self, side: str) -> Mapping[str, str]:
        """Return the hashes of the sealed choices that a side must reveal in its next message, by label."""
        return self.seals[side].hashes if side in self.seals else _NOTHING

    def extend(self, message: Message) -> Chain:
        """Return the chain of messages with one more message. Raises TrustError for the first failed check (2.6)."""
        self._check_game(message)
        self._check_signature(message)
        self._check_slot(message)
        checks.check_fields(message, refereed=self.refereed)
        checks.check_kept(message, keeps=self.keeps)
        opening = self._check_opening(message)
        revealed = self._check_reveals(message)
        if message.mapping("dice") and message.seq < self.first_dice:
            refuse(
                "dice",
                f"message {message.seq} rolls dice, but the first dice can fall in message {self.first_dice}: "
                "before, one side could still choose the dice or leave (protocol 2.3)",
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
            contents=(*self.contents, commit.hash_content(message.content, keeps=self.keeps)),
            openings=(*self.openings, opening),
            commitments=(*self.commitments, committed),
            seals=seals,
            reveals=revealed,
            **(self._apply_next_writer(message) if hands else self._apply_offer(message)),
        )

    def _apply_offer(self, message: Message) -> dict[str, Any]:
        """Return the changes by a player's message: offers (protocol 2.9), and the referee as next writer."""
        answer = message.text("reply") if message.type == "reply" else ""
        return {
            "writers": (*self.writers, REFEREE) if self.refereed else self.writers,
            "ended": message.type == "resign" or answer == "accept",
            "offer": message.mapping("offer"),
            "offerer": message.sender if message.type == "offer" else "",
            "declined": self.offerer if answer == "decline" else "",
            "agreed": self.offer if answer == "accept" else _NOTHING,
        }

    def _apply_next_writer(self, message: Message) -> dict[str, Any]:
        """Return the changes by a referee's message (protocol 2.11): the next writer, or the end of the game."""
        named = message.content.get("next")
        first = self.writers[1] if len(self.writers) > 1 else ""
        if named is None and message.seq >= self.bound and not self.offer and not self.declined:
            return {"ended": True}
        if named is None:
            refuse("order", "the field 'next' must name the side of the next message", message)
        if named not in self.keys or named == REFEREE:
            refuse("order", f"next writer is {named}, but this game has no side {named}", message, "next")
        if message.seq == 2 and named == first:
            refuse("order", f"{named} has accepted already; message 3 is the other side's", message, "next")
        if self.offer and named == self.offerer:
            refuse("order", f"the reply to an offer of {named} is the other side's", message, "next")
        if self.declined and named != self.declined:
            refuse("order", f"after a decline {self.declined} plays on", message, "next")
        return {"writers": (*self.writers, str(named))}

    def _check_game(self, message: Message) -> None:
        """Check the game's id (protocol 2.6 step 2)."""
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

    def _check_signature(self, message: Message) -> None:
        """Check the signature (protocol 2.6 step 4). A failure accuses no player: the copy may be damaged."""
        if message.sender not in self.keys:
            refuse(
                "sender",
                f"the message names {message.sender} as sender, but this game has keys of {', '.join(self.keys)} only",
                message,
                "from",
            )
        message.check_signature(self.keys[message.sender])

    def _check_slot(self, message: Message) -> None:
        """Check number, predecessor, sender and type (protocol 2.6 step 5)."""
        due, seq = self.next_seq, message.seq
        if seq > due:
            missing = f"message {due} is" if seq == due + 1 else f"messages {due} to {seq - 1} are"
            refuse(
                "chain",
                f"this is message {seq}, but {missing} missing; search your mail for the missing message, or ask the "
                "sender for a copy",
                message,
                "seq",
            )
        if seq < due:
            if message.id == self.ids[seq]:
                refuse("chain", f"message {seq} is here already; the next message is {due}", message, "seq")
            two = ", now ".join(shorten(self.ids[seq], message.id))
            refuse(
                "chain", f"another message {seq} was accepted before this message ({two}), and counts", message, "seq"
            )
        if message.content.get("prev") != self.head_id:
            two = ", here ".join(shorten(str(message.content.get("prev")), self.head_id))
            refuse("chain", f"message {seq} follows another message {due - 1} ({two}); compare both", message, "prev")
        if self.ended:
            refuse("order", f"the game ended with message {due - 1}; no message is valid after that", message, "type")
        if message.sender != self.writer(seq):
            refuse("sender", f"message {seq} is {self.writer(seq)}'s to write, not {message.sender}'s", message, "from")
        wanted = self._allowed_types(seq)
        if message.type not in wanted:
            refuse(
                "order", f"message {seq} is of type {message.type}, where {' or '.join(wanted)} is due", message, "type"
            )
        if message.type == "offer" and self.declined == message.sender:
            refuse("order", f"{message.sender}'s offer has just been declined; now it must play on", message, "type")

    def _allowed_types(self, seq: int) -> tuple[str, ...]:
        """Return the allowed types of message ``seq``, the next message (protocol 2.2, 2.9)."""
        if seq in ((1, 3) if self.refereed else (1,)):  # with a referee both sides accept (protocol 2.3)
            return ("accept",)
        if self.refereed and self.writer(seq) == REFEREE:
            return ("turn",)
        if self.offer:
            return ("reply",)
        return ("turn", "offer", "resign") if seq >= self.first_offer else ("turn",)

    def _check_opening(self, message: Message) -> bytes | None:
        """Check and return the opening (protocol 2.6 step 6). r_1 has no commitment: its sender knows the game's id."""
        if "open" not in message.content:  # a player's message, with the referee's dice
            return None
        opening = bytes.fromhex(message.text("open"))
        committed = self.commitments[message.seq]
        if committed is None:
            return opening
        if not hmac.compare_digest(commit.commit_to_opening(self.nonce, message.seq, opening), committed):
            refuse(
                "opening",
                f"its opening is not what {message.sender} committed to in message {message.seq - 2}",
                message,
                "open",
            )
        return opening

    def _check_reveals(self, message: Message) -> Mapping[str, Any]:
        """Check the reveals: exactly the seals of the sender's last message (protocol 2.6 step 6).

        A reply reveals nothing: the offering side must choose without seeing reveals (no peeping, protocol 2.9).
        """
        given = message.mapping("reveal")
        if message.type == "reply":
            return _NOTHING
        sealed = self.seals.get(message.sender, Seals(0, _NOTHING))
        if missing := [label for label in sealed.hashes if label not in given]:
            refuse("reveal", f"it reveals no {', '.join(missing)}, sealed in message {sealed.seq}", message, "reveal")
        if extra := [label for label in given if label not in sealed.hashes]:
            refuse(
                "reveal",
                f"the message reveals {', '.join(extra)}, but {message.sender}'s last message sealed no such choice",
                message,
                "reveal",
                extra[0],
            )
        for label, opened in given.items():
            digest = commit.choice_hash(self.nonce, sealed.seq, label, bytes.fromhex(opened["salt"]), opened["value"])
            if digest.hex() != sealed.hashes[label]:
                refuse(
                    "reveal",
                    f"{label}, revealed here, differs from the {label} sealed in message {sealed.seq}",
                    message,
                    "reveal",
                    label,
                )
        return {label: opened["value"] for label, opened in given.items()}


def start_chain(message: Message, what_if: int | None = None) -> Chain:
    """Return the chain of message 0, the proposal. Message 0 names the game's keys, so its own keys verify it.

    ``what_if``: for a what-if game the number in the private record, which message 0 must repeat; None for a real game.

    No file proves the owners of the keys: players compare fingerprints in another way (T15). Raises TrustError with the
    fault head, signature, chain, sender or order.
    """
    if message.type != "propose" or message.seq != 0:
        refuse(
            "chain",
            f"a game begins with message 0, a proposal; this is message {message.seq}, {message.type}",
            message,
            "seq",
        )
    if message.content.get("what-if") != (None if what_if is None else str(what_if)):
        why = "a what-if game counts nowhere; only the private record of its player opens it"
        raise FileError(why, message.where())
    if "keys" not in message.content or "commit" not in message.content or "nonce" not in message.content:
        checks.check_fields(message, refereed=message.content.get("dice-from") == REFEREE)  # reports the missing field
    keys = _check_keys(message)
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
    message.check_signature(keys[message.sender])
    checks.check_fields(message, refereed=refereed)
    other = next(side for side in keys if side not in (REFEREE, message.sender))
    if refereed:
        other = message.text("next")
        if other not in keys or other == REFEREE:
            refuse("head", f"next writer is {other}, but this game has no side {other}", message, "next")
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
        contents=(commit.hash_content(message.content, keeps="seals" in message.content),),
    )


def _check_keys(message: Message) -> dict[str, str]:
    """Return the keys of two sides and perhaps a referee: valid by protocol 3.4, all different (T16)."""
    keys = {str(side): str(key) for side, key in message.mapping("keys").items()}
    sides = [side for side in keys if side != REFEREE]
    if len(sides) != 2:
        refuse(
            "head",
            f"the message names the keys of {', '.join(keys)}; a game has two sides, and at most one referee",
            message,
            "keys",
        )
    for side, key in keys.items():
        try:
            sshsig.public_key(key)
        except TrustError as error:
            refuse("head", f"key of {side}: {error.message}", message, "keys", side)
    if len(set(keys.values())) != len(keys):
        refuse("head", "two people have the same key; every player needs a separate key", message, "keys")
    return keys
