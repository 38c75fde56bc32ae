"""One message file alone, as an auditor sees it: form, signature, its own position. Needs no rules, and loads none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kursk_pbem.errors import FileError, KurskError, TrustError, UsageError, Where
from kursk_pbem.formats.canonical import REFEREE, state_hash
from kursk_pbem.game import folders, inbox
from kursk_pbem.game.reply_times import Times
from kursk_pbem.kernel.state import from_plain
from kursk_pbem.trust import chains, referee, sshsig
from kursk_pbem.trust.papers import Paper

if TYPE_CHECKING:
    from kursk_pbem.audit.played import Played
    from kursk_pbem.game.histories import History


@dataclass(frozen=True)
class Finding:
    """The verdict on one game or file: ``status`` as an exit status, ``text`` one line for people.

    ``continues``: the id of the game that this one goes on from by agreement, '' for all others. ``winner`` and ``how``
    say how a game has ended ('' if it goes on). ``times``: how long each side has taken, by a referee's receipts.
    ``scenario``, ``names`` (by side), ``turn`` and ``points`` (victory points of the first side less the other's, None
    where the rules count none) say how a game stands.
    ``kept``: the history of a game that is to be held against another one, where it is still at hand. ``played``: what
    a tournament asks of it, where that was wanted.
    """

    path: str
    status: int
    text: str
    game: str = ""
    head: str = ""
    messages: int = 0
    fault: str = ""
    continues: str = ""
    winner: str = ""
    how: str = ""
    times: Mapping[str, Times] = field(default_factory=dict)
    scenario: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    turn: str = ""
    points: int | None = None
    kept: History | None = field(default=None, repr=False, compare=False)
    played: Played | None = field(default=None, repr=False, compare=False)


def failed(path: str, error: KurskError) -> Finding:
    """The verdict where something was refused."""
    fault = error.fault if isinstance(error, TrustError) else ""
    return Finding(path, error.exit_status, str(error), fault=fault)


def verify_file(path: Path, key: str = "", head: str = "", seq: int | None = None) -> Finding:
    """One file alone: its form, its signature, its own snapshot against ``state-out``. A refusal is the verdict.

    ``key`` is a public key text; without it the key comes from the 0000.yaml beside the file, or from itself. ``head``
    is the id (or its first 32 digits) that the message must have, ``seq`` chooses among the messages of a mail.
    """
    try:
        message = inbox.read_any_file(path, seq)
        if isinstance(message, Paper):
            return _paper(path, message, key, head)
        pinned = key or _key_beside(path, message.sender)
        if message.type == "propose" and not key:
            chains.start_chain(message)
        else:
            try:
                sshsig.verify(pinned, sshsig.NAMESPACE, message.signed, message.armour or "")
            except TrustError as error:
                raise TrustError(error.fault, error.message, message.where("signature")) from None
        if head and not message.id.startswith(head):
            raise TrustError("head", f"its id is {message.id[:32]}, not {head[:32]}", Where(str(path)))
        shown = "no position with it"
        if message.state is not None:
            from_plain(message.state, str(path))
            if state_hash(message.state) != message.content.get("state-out"):
                why = "the position written under the signature is not the one that was signed; it can be deleted"
                raise TrustError("state", why, message.where("state"))
            shown = "its position is the one that was signed"
        return Finding(
            str(path),
            0,
            f"{path}: message {message.seq} ({message.type}) of {message.sender}: the signature holds, {shown}; id "
            f"{message.id[:32]}. Order, dice and legality take the whole folder",
            str(message.content.get("game", message.id)),
            message.id,
            1,
        )
    except OSError as error:
        return failed(str(path), FileError(f"cannot be read: {error.strerror}", Where(str(path))))
    except KurskError as error:
        return failed(str(path), error)


def _paper(path: Path, paper: Paper, key: str, head: str) -> Finding:
    """A referee's paper alone: its signature, and whether it contradicts itself."""
    pinned = key or _key_beside(path, REFEREE)
    try:
        sshsig.verify(pinned, sshsig.NAMESPACE, paper.signed, paper.armour)
    except TrustError as error:
        raise TrustError(error.fault, error.message, paper.where("signature")) from None
    if head and not paper.id.startswith(head):
        raise TrustError("head", f"its id is {paper.id[:32]}, not {head[:32]}", Where(str(path)))
    referee.check_paper_alone(paper)
    text = (
        f"{path}: {paper.type} about message {paper.seq}: the referee's signature holds. Times are the referee's "
        "word; what it means for the game takes the whole folder"
    )
    return Finding(str(path), 0, text, paper.text("game"), paper.id, 1)


def _key_beside(path: Path, sender: str) -> str:
    first = folders.proposal_path(path.parent)
    if not first.is_file():
        raise UsageError(f"{path}: no 0000.yaml lies beside it to name the keys; give the sender's with --key")
    keys = chains.start_chain(folders.read_message(first)).keys
    if sender not in keys:
        raise TrustError("sender", f"it says it is from {sender}, who has no key in this game", Where(str(path)))
    return keys[sender]
