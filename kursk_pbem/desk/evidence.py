"""A second message for a number that is taken: refused, and kept if it is good, because it convicts its sender (T9).

Where a referee had the second one, and nothing was signed here behind the first, the first gives way (decision 72).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from kursk_pbem.desk import desks, elsewhere, locks
from kursk_pbem.desk.desks import Desk
from kursk_pbem.errors import DiskError, KurskError, TrustError, shell_word
from kursk_pbem.formats.canonical import REFEREE, apart
from kursk_pbem.game import folders, games
from kursk_pbem.game.journal import Record
from kursk_pbem.trust import messages, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

Turns = Iterable[Message | Paper]


@dataclass(frozen=True)
class GaveWay:
    """The desk before a message that gave way to the one that the referee had, and what is told of it."""

    desk: Desk
    told: str


def path_of(folder: Path, message: Message) -> Path:
    """Where such a message is kept; it is never one of the game's own files."""
    return folder / f"evidence-{message.seq:04d}-{message.id[:16]}.yaml"


def second(desk: Desk, message: Message, beside: Turns) -> GaveWay:
    """What a message does whose number another one has in the game at this desk; TrustError where it is refused.

    One that is good in every respect goes into the game folder beside the other. Before the game is bound two messages
    convict nobody (protocol 2.3), and nothing is kept. ``beside``: what came with it, see :func:`_gives_way`.
    """
    try:
        desk.game.chain.extend(message)
    except TrustError as error:
        if error.fault != "signature" and (own := _gives_way(desk, message, beside)) is not None:
            return _put_aside(desk, own)
        if error.fault == "signature":  # nobody needs to send again what is here
            why = f"message {message.seq} is here already, and this copy of it is not what was signed: it counts for"
            raise TrustError(error.fault, f"{why} nothing and accuses nobody", error.where) from None
        if message.sender == desk.own_side:
            told = elsewhere.two(message.seq, desk.game.chain.ids[message.seq], message.id)
            raise TrustError(error.fault, told, message.where("seq")) from None
        if message.seq < desk.game.chain.bound or not _is_good(desk, message):
            raise
        refuse_good(desk, message, desk.game.chain.ids[message.seq], error.fault)
    raise AssertionError(f"message {message.seq} is not taken")


def refuse_good(desk: Desk, message: Message, first: str, fault: str = "chain") -> NoReturn:
    """Keep a second good message for the number that the message with the id ``first`` has, and refuse it: TrustError.

    Where the game is not bound yet nothing is kept.
    """
    bound = desk.game.chain.bound
    said = f"another message {message.seq} was accepted before this one ({', now '.join(apart(first, message.id))})"
    if message.seq < bound:
        then = f"before message {bound} the game is not bound, so two convict nobody; the first one counts here"
        raise TrustError(fault, f"{said}; {then}", message.where("seq")) from None
    path = path_of(desk.folder, message)
    if folders.evidence_wanted(path):
        folders.write(path, messages.emit_message(message.content, message.armour))
    kept = f"is kept as {path}" if path.exists() else f"is one of more than {folders.MOST_EVIDENCE}, and not kept"
    raise TrustError(
        fault,
        f"{said}, and both are good and signed by {message.sender}: that is fraud. This one {kept}; 'kursk prove "
        f"{shell_word(desk.folder)}' makes the proof",
        message.where("seq"),
    ) from None


def _is_good(desk: Desk, message: Message) -> bool:
    """Whether it would have been accepted, had it come first."""
    try:
        games.extend(desk.history.step(message.seq - 1).after, message)
    except KurskError:
        return False
    return True


def _gives_way(desk: Desk, message: Message, beside: Turns) -> Record | None:
    """The record of the player here if the last message gives way to this one of the same writer; otherwise None.

    The referee had this one: their receipt of it is ``beside`` it, or their dice that follow it. Of the other one they
    have signed nothing, and nobody here anything behind it. So nothing is given away, and the game goes on where the
    referee is; otherwise whoever mails one here and another there would lock the player here out of it.
    """
    own, last, chain = desk.own, desk.last, desk.game.chain
    fits = message.seq == last.seq > 0 and message.sender == last.sender
    if own is None or REFEREE not in chain.keys or not fits or last.sender in (own.side, REFEREE):
        return None
    signed = own.slot(desk.seq) is not None or any(paper.seq == last.seq for paper in desk.game.papers.all)
    return own if not signed and _had(chain, message, beside) and _is_good(desk, message) else None


def _had(chain: Chain, message: Message, beside: Turns) -> bool:
    """Whether the referee has signed that they had this message."""
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
    """Make the last message evidence. Whoever is cut off here has it still, or a game that waits for its number.

    The draft goes before it, since nothing else takes that away: it follows a message that would be gone.
    """
    seq, path = desk.last.seq, path_of(desk.folder, desk.last)
    told = f"another message {seq} was here: this one counts, because the referee had it. "
    with locks.held(own.path):
        if own.slot(desk.seq) is not None:
            raise TrustError("chain", f"message {desk.seq} is being signed behind another message {seq}")
        own.drop(seq)
        if (draft := folders.draft_path(desk.folder, desk.seq)).exists():
            _move(draft, _free(draft.with_suffix(".former")))
        if folders.evidence_wanted(path):
            _move(desk.newest, path)
            told += f"The other is kept as {path}"
        else:
            _move(desk.newest, None)
            told += f"The other is one of more than {folders.MOST_EVIDENCE}, and not kept"
    return GaveWay(desks.sit(desk.folder, own.home), f"{told}{_beside(desk, seq)}")


def left(desk: Desk, message: Message) -> str:
    """What is told with a message that is next, where another one of its number is kept here; '' where none is.

    It gave way, and the program died before this one was taken.
    """
    if not (paths := sorted(desk.folder.glob(f"evidence-{message.seq:04d}-*.yaml"))):
        return ""
    kept = ", ".join(map(str, paths))
    return f"another message {message.seq} was here before; it is kept as {kept}{_beside(desk, message.seq)}"


def _beside(desk: Desk, seq: int) -> str:
    """What is told, too, of two messages for one number: where a draft is that was begun, and who is convicted."""
    former = sorted(desk.folder.glob(f"{folders.draft_path(desk.folder, seq + 1).stem}.former*"))
    draft = f"; your draft of message {seq + 1} is {' and '.join(path.name for path in former)} now" if former else ""
    two = f"'kursk prove {shell_word(desk.folder)}' makes the proof that its writer signed two"
    bound = desk.game.chain.bound
    return f"{draft}; {two if seq >= bound else f'before message {bound} two convict nobody'}."


def _free(path: Path) -> Path:
    """A name for what is put aside, this one or one like it: what was put aside before a crash stays."""
    name, number = path, 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}-{number}")
    return name


def _move(path: Path, to: Path | None) -> None:
    """Call a file by another name, or take it away."""
    try:
        path.replace(to) if to is not None else path.unlink()
    except OSError as error:
        raise DiskError(f"{path} cannot be moved: {error.strerror}") from None
