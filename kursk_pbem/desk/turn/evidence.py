"""A second message for a number: refused, and saved if valid, because it proves fraud (T9).

Exception: if the referee confirms the second message and nothing depends on the first message, the second replaces the
first (decision 72).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.own import desks, elsewhere
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import DiskError, KurskError, TrustError, shell_word
from kursk_pbem.formats.canonical import REFEREE, shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, games
from kursk_pbem.game.journal import Record
from kursk_pbem.trust import messages, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

Turns = Iterable[Message | Paper]


@frozen
class GaveWay:
    """The desk before a message that was replaced, and the report to the player (``told``)."""

    desk: Desk
    told: str


def make_evidence_path(folder: Path, message: Message) -> Path:
    """Return the file name for a second message."""
    return folder / f"evidence-{message.seq:04d}-{message.id[:16]}.yaml"


def handle_second(desk: Desk, message: Message, beside: Turns) -> GaveWay:
    """Handle a message whose number another message already has. Raises TrustError if the message is refused.

    A valid second message is saved as evidence, but not before the game is bound (protocol 2.3). ``beside``: the other
    messages and papers of the same mail.
    """
    try:
        desk.game.chain.extend(message)
    except TrustError as error:
        if error.fault != "signature" and (own := _find_yielding_record(desk, message, beside)) is not None:
            return _put_aside(desk, own)
        if error.fault == "signature":  # the genuine message is here already
            why = f"message {message.seq} is already here, and this copy differs from the signed text"
            raise TrustError(error.fault, f"{why}: a damaged copy proves nothing", error.where) from None
        if message.sender == desk.own_side:
            told = elsewhere.describe_conflict(message.seq, desk.game.chain.ids[message.seq], message.id)
            raise TrustError(error.fault, told, message.where("seq")) from None
        if message.seq < desk.game.chain.bound or not _is_valid(desk, message):
            raise
        refuse_valid(desk, message, desk.game.chain.ids[message.seq], error.fault)
    raise AssertionError(f"message {message.seq} is not taken")


def refuse_valid(desk: Desk, message: Message, first: str, fault: str = "chain") -> NoReturn:
    """Save a valid second message as evidence and raise TrustError.

    ``first``: the id of the accepted message. Nothing is saved before the game is bound.
    """
    bound = desk.game.chain.bound
    two = ", now ".join(shorten(first, message.id))
    said = f"another message {message.seq} was accepted before this message ({two})"
    if message.seq < bound:
        then = f"two messages prove no fraud before message {bound} binds the game; the first message counts here"
        raise TrustError(fault, f"{said}; {then}", message.where("seq")) from None
    path = make_evidence_path(desk.folder, message)
    if folders.evidence_wanted(path):
        folders.write(path, messages.emit_message(message.content, message.armour))
    kept = f"kept as {path}" if path.exists() else f"not kept, because {folders.MAX_EVIDENCE} others are here"
    raise TrustError(
        fault,
        f"{said}; {message.sender} has signed two valid messages: that is fraud. The second message is {kept}; "
        f"type 'kursk prove {shell_word(desk.folder)}' to make the proof",
        message.where("seq"),
    ) from None


def _is_valid(desk: Desk, message: Message) -> bool:
    """Return whether the message would be valid without the other message."""
    try:
        games.extend(desk.history.step(message.seq - 1).after, message)
    except KurskError:
        return False
    return True


def _find_yielding_record(desk: Desk, message: Message, beside: Turns) -> Record | None:
    """Return the player's record if the last message must be replaced by this message, otherwise None.

    Conditions: the referee's receipt or dice in ``beside`` confirm the new message, and neither the referee nor this
    player has signed anything after the last message. Without this rule, a player could lock the opponent out by
    mailing different messages to referee and opponent.
    """
    own, last, chain = desk.own, desk.last, desk.game.chain
    fits = message.seq == last.seq > 0 and message.sender == last.sender
    if own is None or REFEREE not in chain.keys or not fits or last.sender in (own.side, REFEREE):
        return None
    signed = own.read_slot(desk.seq) is not None or any(paper.seq == last.seq for paper in desk.game.papers.all)
    return own if not signed and _is_confirmed_by_referee(chain, message, beside) and _is_valid(desk, message) else None


def _is_confirmed_by_referee(chain: Chain, message: Message, beside: Turns) -> bool:
    """Return whether the referee has signed a receipt or a message after this message."""
    for turn in beside:
        if turn.sender != REFEREE or turn.content.get("game") != chain.game:
            continue
        about = isinstance(turn, Paper) and (turn.seq, turn.content.get("id")) == (message.seq, message.id)
        behind = isinstance(turn, Message) and turn.seq == message.seq + 1 and turn.content.get("prev") == message.id
        with suppress(TrustError):
            if about or behind:
                sshsig.verify(chain.keys[REFEREE], sshsig.NAMESPACE, turn.signed, turn.armour or "")
                return True
    return False


def _put_aside(desk: Desk, own: Record) -> GaveWay:
    """Turn the last message into evidence and return the desk without it.

    The draft is renamed first, because it follows the removed message.
    """
    kept = ""
    seq, path = desk.last.seq, make_evidence_path(desk.folder, desk.last)
    told = f"another message {seq} was here. The new message {seq} counts, because the referee received it. "
    with locks.hold_lock(own.path):
        if own.read_slot(desk.seq) is not None:
            raise TrustError("chain", f"message {desk.seq} is being signed after another message {seq}")
        own.drop(seq)
        if (draft := folders.draft_path(desk.folder, desk.seq)).exists():
            kept = f"; your draft of message {desk.seq} is {folders.keep_aside(draft).name} now"
            _move_file(draft, None)
        if folders.evidence_wanted(path):
            _move_file(desk.newest, path)
            told += f"The first message is kept as {path}"
        else:
            _move_file(desk.newest, None)
            told += f"The first message is not kept, because {folders.MAX_EVIDENCE} others are here"
    two = f"'kursk prove {shell_word(desk.folder)}' proves that the writer signed two messages"
    bound = desk.game.chain.bound
    then = two if seq >= bound else f"two messages prove no fraud before message {bound} binds the game"
    return GaveWay(desks.open_desk(desk.folder, own.home), f"{told}{kept}; {then}.")


def _move_file(path: Path, to: Path | None) -> None:
    """Rename a file, or delete it if ``to`` is None."""
    try:
        path.replace(to) if to is not None else path.unlink()
    except OSError as error:
        raise DiskError(f"{path} cannot be moved: {error.strerror}") from None
