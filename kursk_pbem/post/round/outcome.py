"""What became of each turn that came, for whoever tells it: the terminal, the board, a referee's log."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.desk.desks import Desk
from kursk_pbem.errors import DiskError, FileError, KurskError, TrustError
from kursk_pbem.formats import files
from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import came, people
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import FORFEIT, Paper

TAKEN, HERE, WAITS, PROPOSED = "taken", "here already", "waits", "proposed"
VOID, REFUSED, UNKNOWN = "void", "refused", "unknown game"

Turn = Message | Paper


@dataclass(frozen=True)
class Piece:
    """A turn or paper of a game, and the mail that brought it; None where it has waited here."""

    turn: Turn
    mail: Mail | None = field(default=None, repr=False)

    @property
    def game(self) -> str:
        """The id of its game, as it says itself; '' if it does not."""
        return self.turn.id if self.turn.type == "propose" else str(self.turn.content.get("game", ""))

    @property
    def title(self) -> str:
        """What it is, in words: ``message 7 of the russian side``."""
        if isinstance(self.turn, Paper):
            return f"the referee's {self.turn.type} about message {self.turn.seq}"
        return f"message {self.turn.seq} of {self.turn.sender}"

    @property
    def came_by(self) -> str:
        """The mail that brought it, in words."""
        return self.mail.name if self.mail is not None else "it has waited here"

    @property
    def raw(self) -> bytes:
        """The bytes of the mail, as far as it is at hand."""
        return self.mail.raw if self.mail is not None else self.turn.document.raw

    @property
    def rank(self) -> tuple[int, int]:
        """Its place among what one mail holds: a paper stands behind the message that it is about."""
        late = isinstance(self.turn, Paper)
        return self.turn.seq + (self.turn.type == FORFEIT), int(late)


@dataclass(frozen=True)
class Outcome:
    """What became of a piece: ``told`` in words for its reader, ``error`` where it was refused.

    ``rolled``: the number of the message that a referee who rolls has signed behind it, -1 without one. ``again``:
    files of this desk stood in the way, so its mail is looked at again in the next round.
    """

    piece: Piece
    state: str
    told: tuple[str, ...] = ()
    error: KurskError | None = None
    rolled: int = -1
    again: bool = False

    def without_body(self) -> Outcome:
        """Return the same with the header of the mail alone: many are kept until they are told."""
        mail = self.piece.mail.without_body if self.piece.mail is not None else None
        return replace(self, piece=Piece(self.piece.turn, mail))

    @property
    def lines(self) -> list[str]:
        """What became of it, for whoever sees which game it is of: its title first, then what is told."""
        if self.state == UNKNOWN:
            about = f"of game {show(self.piece.game[:16])}, which is not known here ({self.piece.came_by})"
            return [f"{self.piece.title} {about}"]
        if self.error is not None:
            return [f"{self.piece.title} is {self.state}: {self.error}", f"({self.piece.came_by})"]
        return [f"{self.piece.title}{'' if self.state == TAKEN else f' ({self.state})'}", *self.told]

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"game {show(self.piece.game[:8])}: {'; '.join(self.lines)}"


@dataclass
class GameTaken:
    """What came of one game: ``outcomes`` in order, and its ``desk`` as it is then, None if there is none here.

    ``turns``: what one mail brought, which may show what the referee had.
    """

    game: str
    outcomes: list[Outcome] = field(default_factory=list)
    desk: Desk | None = None
    turns: tuple[Turn, ...] = ()


def refused(piece: Piece, bad: KurskError | OSError, *, again: bool) -> Outcome:
    """Return that a piece is refused; ``again``: because of files of this desk."""
    error = bad if isinstance(bad, KurskError) else DiskError(f"{bad.filename}: {bad.strerror}")
    return Outcome(piece, REFUSED, error=error, again=again)


def is_ours(error: Exception, piece: Piece) -> bool:
    """Return whether a file of this desk is at fault, a standing policy say, and not what came."""
    if isinstance(error, DiskError | OSError):
        return True
    named = error.where.file if isinstance(error, FileError) and error.where is not None else ""
    return named not in ("", piece.turn.document.name) and files.is_there(Path(named))


def verify(desk: Desk, turn: Turn) -> None:
    """TrustError unless the key of its sender has signed a turn."""
    sshsig.verify(desk.game.chain.keys.get(turn.sender, ""), sshsig.NAMESPACE, turn.signed, turn.armour or "")


def signed(desk: Desk, turn: Turn) -> bool:
    """Return whether the key of its sender has signed a turn. The time of an unsigned copy counts for nothing (T51)."""
    try:
        verify(desk, turn)
    except TrustError:
        return False
    return True


def note(home: Path, piece: Piece) -> None:
    """Store by which mail a message came, and when; the first mail counts."""
    if piece.mail is not None and isinstance(piece.turn, Message):
        came.note(home, piece.game, piece.turn.seq, piece.turn.id, **piece.mail.said)


def notice_sender(home: Path, piece: Piece, desk: Desk) -> None:
    """Store the address from which a fresh turn came. It is not used before the owner of this desk agrees.

    Nothing is stored of an address at which another one of the game is reached, such as a referee who sent it on.
    """
    sender, keys = piece.turn.sender, desk.game.chain.keys
    address = came.sender(home, piece.game, piece.turn.seq, piece.turn.id)
    others = {people.known(home, key).reached.lower() for side, key in keys.items() if side != sender}
    if sender != desk.own_side and address and address.lower() not in others:
        people.noticed(home, keys[sender], address, f"message {piece.turn.seq} came from there")
