"""A player's desk: the game, the player's own record of it, and what that player alone can compute from the two.

Openings, salts and the plain text of seals come from the private record; whoever has none is an auditor and sees
what the files show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk import elsewhere
from kursk_pbem.errors import NoRecordError, TrustError, UsageError, Where, shell_word
from kursk_pbem.formats.canonical import REFEREE, apart
from kursk_pbem.game import folders, games, histories, journal, verified
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.game.journal import OWN, SIGNED, Record, Slot
from kursk_pbem.kernel.adjudicate import Adjudication, keep_position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.trust import commit, keys, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.referee import Papers


@dataclass(frozen=True)
class Desk:
    """A game folder, the verified game in it, and the private record of the player who sits here (None: an auditor).

    ``lock`` says why nothing may be signed here before the player has confirmed what they sent last ('': nothing does).
    """

    folder: Path
    history: History
    own: Record | None
    lock: str = ""

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return self.history.game

    @property
    def seq(self) -> int:
        """The number of the message that is due."""
        return self.game.chain.next_seq

    def is_of(self, game: str, near: Path | None) -> bool:
        """Whether this is the desk at which a message of a game, from a file in ``near``, is taken."""
        return self.game.chain.game == game and (self.own is not None or self.folder in folders.near(near, game))

    @property
    def last(self) -> Message:
        """The last message of the game."""
        return self.history.last

    @property
    def newest(self) -> Path:
        """Where the last message lies."""
        return folders.message_path(self.folder, self.last.seq)

    @property
    def own_side(self) -> str:
        """The side of the player at this desk, or the referee; '' for an auditor."""
        return self.own.side if self.own is not None else ""

    @property
    def mine(self) -> bool:
        """Whether the player at this desk writes the message that is due."""
        return self.own is not None and not self.game.over and self.game.chain.writer(self.seq) == self.own.side

    @property
    def unwritten(self) -> Slot | None:
        """The message that is due here, where it is signed and its file is missing: a crash, a file deleted."""
        slot = self.own.slot(self.seq) if self.own is not None and self.mine else None
        return slot if slot is not None and slot.kind in OWN else None

    def need_unsigned(self) -> None:
        """UsageError where the message that is due is signed: nothing can be ordered or said in its place."""
        if self.unwritten is not None:
            game = self.game.chain.game[:8]
            raise UsageError(
                f"message {self.seq} is signed and in your journal, and its file is not here: 'kursk sign {game}' "
                "writes it again. Nothing else can be said in its place"
            )

    def record_of_writer(self, *, replying: bool = False) -> Record:
        """The record needed to write the next message. UsageError says why it cannot be written here.

        Where an offer waits only a reply may be written (``replying``), and only there.
        """
        if self.game.over:
            raise UsageError("the game is over; nothing more is to be written")
        if self.own is None:
            first = (
                f". If the proposal was sent to you, take it with 'kursk accept {shell_word(self.newest)} --key FILE'"
            )
            raise NoRecordError(
                f"this machine has no private record of {folders.folder_name(self.game.chain.game)}: only the folder "
                "in which the game was proposed or accepted (KURSK_HOME) can write its messages. If that is lost, "
                f"'kursk restore' makes it anew from your mails and your key{first if self.seq == 1 else ''}"
            )
        writer = self.game.chain.writer(self.seq)
        if writer != self.own.side:
            whose = "the referee's" if writer == REFEREE else f"the {writer} side's"
            raise UsageError(f"message {self.seq} is {whose} to write; wait for it")
        if self.game.chain.offer and not replying and writer != REFEREE:
            raise UsageError(f"message {self.seq} is your reply to an offer: {self.how_to_reply}")
        if replying and not self.game.chain.offer:
            raise UsageError(f"there is nothing to reply to: message {self.seq - 1} is no offer")
        return self.own

    def unlocked(self, *, replying: bool = False) -> Record:
        """The record needed to sign the next message. UsageError also where signing is locked (protocol 2.6)."""
        own = self.record_of_writer(replying=replying)
        if self.lock:
            raise UsageError(self.lock)
        return own

    @property
    def how_to_reply(self) -> str:
        """What is typed to answer the offer that is open."""
        proposal = " 0000.yaml (the proposal mailed with it)" if "game" in self.game.chain.offer else ""
        game = self.game.chain.game[:8]  # no path: the private folder knows where it lies
        return f"'kursk reply {game} decline', or 'kursk reply {game} accept{proposal}'"

    @property
    def to_mail(self) -> str:
        """In words, to whom the player mails an own message once it is written."""
        chain = self.game.chain
        if chain.refereed:
            return "mail it to both players" if self.own_side == REFEREE else "mail it to the referee"
        return "mail it to your opponent and the referee" if REFEREE in chain.keys else "mail it"


class TakenError(TrustError):
    """Another message has the number already; ``first`` is its id."""

    def __init__(self, fault: str, message: str, *, first: str) -> None:
        super().__init__(fault, message)
        self.first = first


class LostSealError(UsageError):
    """The plain text of what the player sealed is not known at this desk, so their next message cannot be written."""


def sit(folder: Path, home: Path, known: History | None = None) -> Desk:
    """Open a game folder at this machine: verify it whole, find the private record, compare the two. KurskError.

    ``known``: messages that were verified before; where the folder holds the same they are not verified again.
    """
    held = known.in_memory if known is not None else ()
    history = histories.load(folder, held) if held else verified.load(folder, home)
    own = journal.find(home, history.game.chain.game)
    if own is None:
        return Desk(folder, history, own)
    if folders.proposal_path(folder).suffix == ".json":
        raise UsageError(f"{folder} is an archive of this game, for auditors; you play it in {own.folder}")
    return Desk(folder, history, own, compare(folder, history.game, own))


def compare(folder: Path, game: Game, own: Record) -> str:
    """TrustError if the folder contradicts the journal: another message in a slot. Why nothing may be signed, or ''.

    That is so where the folder holds an own message that the journal does not know, or that was put into it again
    after a loss: a player without a record may have sent more than there is here (T11, T37).
    """
    unsure, older = -1, ""
    for seq, mid in enumerate(game.chain.ids):
        slot, path = own.slot(seq), folders.message_path(folder, seq)
        if slot is not None and slot.id != mid:
            if slot.kind in OWN:
                raise TrustError("chain", elsewhere.two(seq, slot.id, mid), Where(str(path)))
            raise TrustError(
                "chain",
                f"another message {seq} than the one you accepted ({', here '.join(apart(slot.id, mid))}); keep both "
                "files: they are evidence",
                Where(str(path)),
            )
        if slot is None and game.chain.writer(seq) == own.side:
            older = older or (
                f"{path}: your journal does not know your own message {seq}: it is older than this folder, and signing "
                "from it could give away two messages for one number. Use the machine and KURSK_HOME you played from, "
                f"or if they are lost 'kursk restore {shell_word(folder)}'"
            )
        if slot is not None and slot.kind != SIGNED and game.chain.writer(seq) == own.side:
            unsure = seq
    older = older or ("" if game.over else elsewhere.lock(own, game.chain.next_seq))
    if older or max(unsure, own.restored) <= own.confirmed:
        return older
    return (
        f"your record of this game was made anew from mail copies, and nothing is signed until you confirm that the "
        f"newest message you ever sent is among them, by 'kursk restore {shell_word(folder)} --confirm SEQ' with its "
        "number"
    )


def opening(desk: Desk, own: Record) -> bytes | None:
    """The opening r_k of the message that is due, for its writer at this desk; None where it opens nothing made before.

    That of message 1 is drawn when it is signed; where a referee rolls the players open none.
    """
    chain = desk.game.chain
    opens = own.side == REFEREE if chain.refereed else desk.seq > 1
    return opening_of(chain, own.secret, desk.seq) if opens else None


def opening_of(chain: Chain, secret: bytes, k: int) -> bytes:
    """r_k from 2 on, of the side with this secret; message k-2 must be in the chain."""
    if k == 2:
        return commit.next_opening(secret, 2, commit.NO_PREV, chain.nonce)
    before = chain.openings[k - 2]
    if before is None:
        raise AssertionError(f"message {k - 2} opens nothing")
    prev = bytes.fromhex(chain.ids[k - 3])
    return commit.next_opening(secret, k, prev, before)


def reveals(desk: Desk, own: Record) -> Mapping[str, Any]:
    """What the next message must open: label -> {salt, value}, from the journal. LostSealError if it lacks one."""
    due = desk.game.chain.outstanding_seals(own.side)
    if not due:
        return {}
    slot = own.slot(desk.game.chain.seals[own.side].seq)
    if slot is None or any(label not in slot.seals for label in due):
        raise LostSealError(
            f"the journal of {own.path} does not hold the plain text of {', '.join(sorted(due))}, and without it your "
            f"next message cannot be written: 'kursk restore {shell_word(desk.folder)} --sealed FILE' takes it"
        )
    return {label: slot.seals[label] for label in sorted(due)}


def duties(desk: Desk, own: Record) -> Adjudication:
    """What the next message does before its writer chooses anything: reveals and dice (a filing that resigns)."""
    if desk.game.hands_on:
        return keep_position(desk.game.state)
    values = {label: entry["value"] for label, entry in reveals(desk, own).items()}
    orders = Filing(desk.seq, own.side, reveal=values, resigns=True)
    return games.preview(desk.game, opening(desk, own), orders)


def signer(own: Record, key: str | None) -> keys.Signer:
    """The key that signs for this player: ``--key``, or the one named at proposal or acceptance."""
    return keys.load_key(Path(key or own.key))


def derive_secret(signer_: keys.Signer, nonce: bytes) -> bytes:
    """The player's secret of a game, from that player's key and the game's nonce (protocol 3.7)."""
    armoured = signer_.sign(commit.SECRET_NAMESPACE, nonce)
    return commit.derive_secret(sshsig.verify(signer_.public, commit.SECRET_NAMESPACE, nonce, armoured))


def enter(desk: Desk, slot: Slot) -> None:
    """Journal a slot; TakenError if another message holds it already."""
    if desk.own is None:
        return
    held = desk.own.enter(slot)
    if held.id != slot.id:
        verb = "signed" if held.kind in OWN else "accepted"
        one, two = apart(held.id, slot.id)
        why = f"you have {verb} another message {slot.seq} already ({one}, now {two})"
        raise TakenError("chain", why, first=held.id)


def with_message(desk: Desk, message: Message) -> Desk:
    """The same desk, one message on. Raises as :func:`kursk_pbem.game.games.extend`; nothing is written."""
    return replace(desk, history=desk.history.extend(message))


def with_papers(desk: Desk, papers: Papers) -> Desk:
    """The same desk with these papers of a referee."""
    return replace(desk, history=replace(desk.history, papers=papers))
