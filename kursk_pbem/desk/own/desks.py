"""A player's desk: a game, the player's private record, and values that only this player can compute.

Openings, salts and the plain text of seals come from the private record. An auditor has no record and sees only the
files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import clock, machine
from kursk_pbem.desk.own import decided, mailed, missing, register, seals
from kursk_pbem.errors import KurskError, LostError, TrustError, UsageError, shell_word
from kursk_pbem.formats.canonical import REFEREE, shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, games, histories, journal, verified
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.game.journal import OWN, Record, Slot
from kursk_pbem.kernel.adjudicate import Adjudication, keep_position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.trust import commit, earlier, keys, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

SECOND = "second-seat"
"""Name of the private folder of a second player (seat) at one machine, inside the first player's private folder."""


@frozen
class Desk:
    """A game folder with the verified game and the player's private record (None for an auditor).

    ``lock``: why the player can sign nothing: a tournament's log has decided the game; otherwise ''.
    """

    folder: Path
    history: History
    own: Record | None
    lock: str = ""

    @property
    def game(self) -> Game:
        """The current state of the game."""
        return self.history.game

    @property
    def seq(self) -> int:
        """The number of the next message."""
        return self.game.chain.next_seq

    def is_of(self, game: str, near: Path | None) -> bool:
        """Return whether a message belongs to this desk's game. ``near``: the folder with the message's file."""
        return self.game.chain.game == game and (
            self.own is not None or self.folder in folders.find_candidates(near, game)
        )

    @property
    def last(self) -> Message:
        """The last message of the game."""
        return self.history.last

    @property
    def newest(self) -> Path:
        """The path of the last message's file."""
        return folders.message_path(self.folder, self.last.seq)

    def add_earlier(self, text: str, seq: int) -> str:
        """Return a message's text, followed by a block of the earlier messages (formats.md 3.1). Raises FileError."""
        if self.game.what_if is not None:
            return text
        steps = self.history.in_memory[:seq]
        before = [step.message for step in steps] or folders.read_before(self.folder, seq)
        return earlier.attach(text, before, [paper for paper in self.game.papers.all if paper.seq < seq])

    @property
    def own_side(self) -> str:
        """The side of this desk's player, or 'referee'; '' for an auditor."""
        return self.own.side if self.own is not None else ""

    @property
    def mine(self) -> bool:
        """Whether this desk's player writes the next message."""
        return self.own is not None and not self.game.over and self.game.chain.writer(self.seq) == self.own.side

    @property
    def unwritten(self) -> Slot | None:
        """The next message if it is signed but its file is missing, for example after a crash; otherwise None."""
        slot = self.own.read_slot(self.seq) if self.own is not None and self.mine else None
        return slot if slot is not None and slot.kind in OWN else None

    @property
    def lost(self) -> str:
        """A sentence about later messages that are in the journal but not in the folder, with the remedy; or ''.

        Always '' against a program or a second player here. A signed next message is in ``unwritten``, not here.
        """
        if self.own is None or self.hot_seat or self.practice:
            return ""
        lost = missing.list_missing(self.folder, self.own, self.seq)
        return missing.describe_missing(self.folder, self.own, lost) if any(not slot.text for slot in lost) else ""

    def need_record(self) -> Record:
        """Return the private record of the game. Raises UsageError if it is not on this machine."""
        if self.own is None:
            raise UsageError(f"{machine.get_machine().here} has no private record of the game")
        return self.own

    def need_unsigned(self) -> None:
        """Raise UsageError if the next message is already signed."""
        if self.unwritten is not None:
            game = self.game.chain.game[:8]
            raise UsageError(
                f"message {self.seq} is signed and in your journal, but the file is missing: 'kursk sign {game}' "
                f"writes the file again. No other message can replace message {self.seq}"
            )

    def record_of_writer(self, *, replying: bool = False) -> Record:
        """Return the private record of the player who writes the next message.

        ``replying``: the caller writes a reply to an offer. Raises UsageError if this player cannot write the message.
        """
        if self.game.over:
            raise UsageError("the game is over; no message is due")
        if self.own is None:
            first = f"if you are the invited player, type 'kursk accept {shell_word(self.newest)} --key FILE'; "
            raise missing.make_no_record_error(self.folder, first if self.seq == 1 else "")
        if self.lost:
            raise LostError(self.lost)
        writer = self.game.chain.writer(self.seq)
        if writer != self.own.side:
            who = "the referee" if writer == REFEREE else f"the {writer} side"
            raise UsageError(f"{who} writes message {self.seq}: wait for the mail")
        if self.game.chain.offer and not replying and writer != REFEREE:
            raise UsageError(f"message {self.seq} is your reply to an offer: {self.how_to_reply}")
        if replying and not self.game.chain.offer:
            raise UsageError(f"message {self.seq - 1} is no offer, and only offers need a reply")
        return self.own

    def unlocked(self, *, replying: bool = False) -> Record:
        """Return the private record like `record_of_writer`. Raises UsageError if signing is locked (protocol 2.6)."""
        own = self.record_of_writer(replying=replying)
        if self.lock:
            raise UsageError(self.lock)
        return own

    @property
    def how_to_reply(self) -> str:
        """A text with the commands that answer the open offer."""
        proposal = " 0000.yaml (the proposal from the same mail)" if "game" in self.game.chain.offer else ""
        game = self.game.chain.game[:8]  # an id instead of a path, because the private folder knows the path
        return f"'kursk reply {game} decline', or 'kursk reply {game} accept{proposal}'"

    @property
    def hot_seat(self) -> bool:
        """Whether both sides of the game play on this machine, without mail."""
        return self.own is not None and _has_both_seats(self.own)

    @property
    def practice(self) -> bool:
        """Whether the player plays the game against the program."""
        return self.own is not None and register.is_inside(self.own.home, self.folder, (register.PRACTICE,))

    @property
    def against(self) -> str:
        """A text about the opponent of a practice game, such as the program's level."""
        if self.game.what_if is not None:
            return f"what if, after message {self.game.what_if}"
        return self.own.opponent if self.own is not None and self.practice else "hot seat"

    @property
    def to_mail(self) -> str:
        """A text that tells the player where to mail a new message."""
        chain = self.game.chain
        if self.practice:
            return "'kursk practice' brings the answer"
        if chain.refereed:
            return "mail it to both players" if self.own_side == REFEREE else "mail it to the referee"
        return "mail it to your opponent and the referee" if REFEREE in chain.keys else "mail it"


class LostSealError(UsageError):
    """The next message must reveal a sealed choice of the player, but its plain text is unknown."""


def leave_out_unmailed(history: History, home: Path) -> History:
    """Return a history without the player's newest message, unless the message was sent or answered.

    Other people may not know an unsent message yet. Message 0 always stays.
    """
    own, last = journal.find(home, history.game.chain.game), history.last
    if own is None or own.side != last.sender or own.what_if is not None or _has_one_place(Path(own.folder), own):
        return history
    answered = folders.message_path(Path(own.folder), last.seq + 1).exists()
    known = answered or last.seq == 0 or mailed.was_sent(own.home, own.game, last.seq, last.id)
    return history if known else History(history.steps[:-1])


def open_desk(folder: Path, home: Path, known: History | None = None, *, plays: bool = True) -> Desk:
    """Return the desk of a game folder; verify the messages and compare them with the private record.

    ``known``: messages already verified, to save time. ``plays``: the desk is for a player. A folder of saved mails
    may lack messages without a fault. Raises KurskError.
    """
    held = known.in_memory if known is not None else ()
    try:
        what_if = held[0].after.what_if if held else None
        history = histories.load(folder, held, what_if=what_if) if held else verified.load(folder, home)
    except KurskError as error:
        raise missing.explain_error(error, home, folder, plays=plays) from None
    own = journal.find(home, history.game.chain.game)
    if own is None:
        return Desk(folder, history, own)
    if own.side == REFEREE and own.what_if is None:
        machine.refuse_officials()
    if folders.proposal_path(folder).suffix == ".json":
        raise UsageError(f"{folder} is an archive for auditors; your own folder of the game is {own.folder}")
    compare_journal(folder, history.game, own)
    return Desk(folder, history, own, "" if history.game.over else decided.explain_decided(own))


def reopen(desk: Desk) -> Desk:
    """Open a desk again, because its files have changed. Raises KurskError."""
    if desk.own is not None:
        return open_desk(desk.folder, desk.own.home)
    return replace(desk, history=histories.load(desk.folder))


def compare_journal(folder: Path, game: Game, own: Record) -> None:
    """Raise LostError if the files of a game contradict the player's journal, because a person has moved files."""
    for seq, mid in enumerate(game.chain.ids):
        slot, path = own.read_slot(seq), folders.message_path(folder, seq)
        if slot is not None and slot.id != mid:
            two = ", here ".join(shorten(slot.id, mid))
            told = f"your journal has another message {seq} ({two}): 'kursk restore {own.game[:8]}' puts one aside"
            raise LostError(f"{path}: {told}; this is no fraud")


def _has_one_place(folder: Path, own: Record) -> bool:
    """Return whether no second machine has the game: both seats are here, or the program plays."""
    plays = own.home.parent.name == register.PRACTICE and (own.home / register.OPPONENT).exists()
    return plays or _has_both_seats(own) or register.is_inside(own.home, folder, register.GAMES_INSIDE)


def _has_both_seats(own: Record) -> bool:
    return own.home.name == SECOND or journal.find(own.home / SECOND, own.game) is not None


def compute_opening(desk: Desk, own: Record) -> bytes | None:
    """Return the opening (a secret number r_k) to reveal in the next message, or None without such a number.

    Message 1 gets a random opening during signing. If a referee rolls the dice, players have no openings.
    """
    chain = desk.game.chain
    opens = own.side == REFEREE if chain.refereed else desk.seq > 1
    return derive_opening(chain, own.secret, desk.seq) if opens else None


def derive_opening(chain: Chain, secret: bytes, k: int) -> bytes:
    """Return the secret number r_k (k >= 2), derived from the side's secret. ``chain`` must include message k-2."""
    if k == 2:
        return commit.next_opening(secret, 2, commit.NO_PREV, chain.nonce, chain.contents[0])
    before = chain.openings[k - 2]
    if before is None:
        raise AssertionError(f"message {k - 2} opens nothing")
    prev = bytes.fromhex(chain.ids[k - 3])
    return commit.next_opening(secret, k, prev, before, chain.contents[k - 2])


def commit_to_next(chain: Chain, secret: bytes, opening: bytes, content: Mapping[str, Any]) -> str:
    """Return the next message's field ``commit``. ``content``: its other fields. ``opening``: its secret number."""
    k, whole = chain.next_seq + 2, commit.hash_content(content, keeps=chain.keeps)
    following = commit.next_opening(secret, k, bytes.fromhex(chain.head_id), opening, whole)
    return commit.commit_to_opening(chain.nonce, k, following).hex()


def list_reveals(desk: Desk, own: Record) -> Mapping[str, Any]:
    """Return the sealed values to reveal in the next message: label -> {salt, value}.

    Raises LostSealError if neither the journal nor the message that sealed a value tells this value.
    """
    due = desk.game.chain.outstanding_seals(own.side)
    if not due:
        return {}
    seq = desk.game.chain.seals[own.side].seq
    slot = own.read_slot(seq)
    values = slot.seals if slot is not None else {}
    if any(label not in values for label in due):
        values = seals.read_kept(desk.game.chain, desk.history.step(seq).message, own.secret)
    if any(label not in values for label in due):
        raise LostSealError(
            f"your next message must reveal {', '.join(sorted(due))}, but the journal of {own.path} lacks the plain "
            f"text: only the private folder that sealed it can reveal it"
        )
    return {label: values[label] for label in sorted(due)}


def preview_duties(desk: Desk, own: Record) -> Adjudication:
    """Return the effect of the next message before any choice: revealed values and dice."""
    if desk.game.hands_on:
        return keep_position(desk.game.state)
    values = {label: entry["value"] for label, entry in list_reveals(desk, own).items()}
    orders = Filing(desk.seq, own.side, reveal=values, resigns=True)
    return games.preview(desk.game, compute_opening(desk, own), orders)


def load_signer(own: Record, key: str | None) -> keys.Signer:
    """Return a signer for the key file ``key``; if None, for the key in the private record."""
    return keys.load_key(Path(key or own.key))


def derive_secret(signer_: keys.Signer, nonce: bytes) -> bytes:
    """Return a player's secret number for a game, derived from the player's key and the game's nonce (protocol 3.7)."""
    armoured = signer_.sign(commit.SECRET_NAMESPACE, nonce)
    return commit.derive_secret(sshsig.verify(signer_.public, commit.SECRET_NAMESPACE, nonce, armoured))


def record_slot(desk: Desk, slot: Slot, at: str | None = None) -> str:
    """Write a message to the journal; return the message's text there. ``at``: the time of the entry, '' if unknown."""
    if desk.own is None:
        return ""
    held = desk.own.enter(replace(slot, at=clock.now() if at is None else at))
    if held.id != slot.id:
        verb = "signed" if held.kind in OWN else "accepted"
        one, two = shorten(held.id, slot.id)
        why = f"you have {verb} another message {slot.seq} already ({one}, now {two})"
        raise TrustError("chain", why)
    return held.text


def add_message(desk: Desk, message: Message) -> Desk:
    """Return the desk after one more message; write no files. Raises KurskError for a wrong message."""
    return replace(desk, history=desk.history.extend(message))
