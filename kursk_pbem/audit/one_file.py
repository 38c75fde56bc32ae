"""One message file alone: form, signature and position. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from kursk_pbem.errors import FileError, KurskError, TrustError, UsageError, Where, shell_word
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, inbox
from kursk_pbem.game.reply_times import Times
from kursk_pbem.kernel.state import from_plain
from kursk_pbem.trust import chains, referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

if TYPE_CHECKING:
    from kursk_pbem.audit.played import Played
    from kursk_pbem.game.histories import History


@frozen
class Finding:
    """The verdict on a game or file."""

    path: str
    status: int  # the exit status
    text: str  # the verdict in one line
    game: str = ""
    head: str = ""
    messages: int = 0
    fault: str = ""
    continues: str = ""  # the id of the earlier game, or ''
    winner: str = ""  # the winning side, or ''
    how: str = ""  # the manner of the end, or ''
    times: Mapping[str, Times] = field(default_factory=dict)  # reply times by side
    scenario: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    turn: str = ""
    points: int | None = None  # victory points of the first side minus the other side
    kept: History | None = field(default=None, repr=False, compare=False)  # the history, for a comparison
    played: Played | None = field(default=None, repr=False, compare=False)  # facts for a tournament


def make_failure(path: str, error: KurskError) -> Finding:
    """Return the verdict on a file that the program refused with this error."""
    fault = error.fault if isinstance(error, TrustError) else ""
    return Finding(path, error.exit_status, str(error), fault=fault)


def verify_file(path: Path, key: str = "", head: str = "", seq: int | None = None) -> Finding:
    """Verify one file: form, signature, and position against the signed hash. Return the verdict.

    ``key``: the signer's public key; if '', the key from message 0, which is this file or 0000.yaml beside it.
    ``head``: the required id of the message, or the first 32 digits. ``seq``: in a mail, the number of the message to
    verify.
    """
    try:
        message = inbox.read_any_file(path, seq)
        if isinstance(message, Paper):
            return _verify_paper(path, message, key, head)
        shown = _check_position(message)
        if message.type == "propose" and not key:
            chains.start_chain(message)
        else:
            message.check_signature(key or _find_key(path, message.sender, message.game))
        if head and not message.id.startswith(head):
            raise TrustError("head", f"the id is {message.id[:32]}, not {head[:32]}", Where(str(path)))
        return Finding(
            str(path),
            0,
            f"{path}: message {message.seq} ({message.type}) of {message.sender}: the signature holds, {shown}; id "
            f"{message.id[:32]}. Only the whole folder shows order, dice and legality",
            message.game,
            message.id,
            1,
        )
    except OSError as error:
        return make_failure(str(path), FileError(f"cannot be read: {error.strerror}", Where(str(path))))
    except KurskError as error:
        return make_failure(str(path), error)


def _check_position(message: Message) -> str:
    """Compare the position below a message with the signed one; return the result in words. Raises TrustError."""
    if message.state is None:
        return "without a position"
    from_plain(message.state, message.document.name)
    message.check_position()
    return "the position is the signed position"


def _verify_paper(path: Path, paper: Paper, key: str, head: str) -> Finding:
    """Verify a referee's paper alone: signature and consistency."""
    paper.check_signature(key or _find_key(path, REFEREE, paper.text("game")))
    if head and not paper.id.startswith(head):
        raise TrustError("head", f"the id is {paper.id[:32]}, not {head[:32]}", Where(str(path)))
    referee.check_paper_alone(paper)
    text = (
        f"{path}: {paper.type} about message {paper.seq}: the referee's signature holds. Times are the referee's "
        "word; only the whole folder shows the effect on the game"
    )
    return Finding(str(path), 0, text, paper.text("game"), paper.id, 1)


def _find_key(path: Path, sender: str, game: str) -> str:
    first = folders.proposal_path(path.parent)
    if folders.read_game_id(path.parent, game) != game:
        why = f"{path}: no file in this folder has the keys of its game {game[:8]}: give the sender's key with --key"
        raise UsageError(f"{why}; if you play the game, type 'kursk inbox --report {shell_word(path)}'")
    keys = chains.start_chain(folders.read_message(first)).keys
    if sender not in keys:
        raise TrustError("sender", f"the sender {sender} has no key in the game", Where(str(path)))
    return keys[sender]
