"""What became of each turn that came, for whoever tells it: the terminal, the board, a referee's log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.desk.desks import Desk
from kursk_pbem.errors import DiskError, FileError, KurskError, TrustError
from kursk_pbem.formats import files
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.post import came, people
from kursk_pbem.post.sorting import Piece
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

TAKEN, HERE, WAITS, PROPOSED = "taken", "here already", "waits", "proposed"
VOID, REFUSED, UNKNOWN = "void", "refused", "unknown game"


@dataclass(frozen=True)
class Outcome:
    """What became of a piece: ``told`` in words for its reader, ``error`` where it was refused.

    ``rolled``: the number of the message that a referee who rolls has signed behind it, -1 without one. ``again``:
    nothing is wrong with the piece, but with files of this desk.
    """

    piece: Piece
    state: str
    told: tuple[str, ...] = ()
    error: KurskError | None = None
    rolled: int = -1
    again: bool = False


@dataclass
class GameTaken:
    """What came of one game: ``outcomes`` in its order, and its ``desk`` as it is then, None if there is none here.

    ``here``: whether a game of this desk is meant, if it can be opened or not. ``turns``: what came together.
    """

    game: str
    outcomes: list[Outcome] = field(default_factory=list)
    desk: Desk | None = None
    here: bool = False
    turns: tuple[Message | Paper, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything in it is new."""
        return any(outcome.state in (TAKEN, WAITS, PROPOSED) for outcome in self.outcomes)


def note(home: Path, piece: Piece) -> None:
    """Put down by which mail a turn came, once it is worth it. DiskError."""
    if piece.mail is not None and isinstance(piece.turn, Message):
        came.note(home, piece.game, piece.turn.seq, piece.turn.id, **piece.mail.said)


def note_signed(home: Path, piece: Piece, desk: Desk) -> None:
    """Put down by which mail a message came that its sender has signed. DiskError."""
    if signed(desk, piece.turn):
        note(home, piece)


def seen(home: Path, piece: Piece, desk: Desk) -> None:
    """Put down from where a fresh turn came, the first time and now; it is not used before the owner here agrees.

    Of one that is here already, too: whoever was killed behind it has not put that down. DiskError.
    """
    message = piece.turn
    if message.sender == desk.own_side:
        return
    now = piece.mail.writer if piece.mail is not None else ""
    for address in dict.fromkeys((came.sender(home, piece.game, message.seq, message.id), now)):
        key = desk.game.chain.keys[message.sender]
        people.noticed(home, key, address, f"message {message.seq} came from there")


def verify(desk: Desk, turn: Message | Paper) -> None:
    """TrustError unless the key of its sender has signed a turn."""
    sshsig.verify(desk.game.chain.keys.get(turn.sender, ""), sshsig.NAMESPACE, turn.signed, turn.armour or "")


def signed(desk: Desk, turn: Message | Paper) -> bool:
    """Whether the key of its sender has signed a turn.

    The time of one that is not would count for its like that is signed later (T51).
    """
    try:
        verify(desk, turn)
    except TrustError:
        return False
    return True


def title(piece: Piece) -> str:
    """What a piece is, in words: ``message 7 of the russian side``."""
    turn = piece.turn
    if isinstance(turn, Paper):
        return f"the referee's {turn.type} about message {turn.seq}"
    return f"message {turn.seq} of {turn.sender}"


def unknown(piece: Piece) -> str:
    """A piece of a game that nobody plays here, with the mail it came by."""
    place = piece.mail.name if piece.mail is not None else "it has waited here"
    return f"{title(piece)} of game {show(piece.game[:16])}, which is not known here ({place})"


def here_once(outcomes: Iterable[Outcome], told: set[str]) -> Iterator[Outcome]:
    """Of the copies of a turn that is here one, without what stands below it: anybody may mail thousands (T49)."""
    for outcome in outcomes:
        turn = outcome.piece.turn
        if outcome.state != HERE:
            yield outcome
        elif turn.id not in told:
            told.add(turn.id)
            if isinstance(turn, Message):
                turn = replace(turn, state=None, document=Document({}, turn.document.name))
            yield replace(outcome, piece=replace(outcome.piece, turn=turn))


def is_ours(error: KurskError, piece: Piece) -> bool:
    """Whether a fault is of a file of this desk, a standing policy say, and not of what came."""
    named = error.where.file if isinstance(error, FileError) and error.where is not None else ""
    return isinstance(error, DiskError) or (named not in ("", piece.turn.document.name) and files.is_there(Path(named)))
