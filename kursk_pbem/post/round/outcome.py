"""The result of each received turn, for the terminal, the board and a referee's log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import DiskError, FileError, KurskError, RulesError, TrustError, VoidError
from kursk_pbem.formats import files
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.post.mailbox import arrival, post_folder
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

TAKEN, HERE, WAITS, PROPOSED = "taken", "here already", "waits", "proposed"
VOID, REFUSED, UNKNOWN = "void", "refused", "unknown game"

Turn = Message | Paper


@frozen
class Received:
    """A received turn or paper of a game, and its mail (None if the turn waited here).

    ``below``: the turn was quoted in the block below another turn, so the mail of this turn is unknown.
    """

    turn: Turn
    mail: Mail | None = field(default=None, repr=False)
    below: bool = False

    @property
    def game(self) -> str:
        """The id of the game as written in the turn, or ''."""
        return self.turn.game

    @property
    def title(self) -> str:
        """A title for the turn, such as ``message 7 of the russian side``."""
        if isinstance(self.turn, Paper):
            return f"the referee's {self.turn.type} about message {self.turn.seq}"
        return f"message {self.turn.seq} of {self.turn.sender}"

    @property
    def came_by(self) -> str:
        """A phrase about the mail that contained the turn."""
        return self.mail.name if self.mail is not None else "kept from an earlier mail"

    def verify(self, keys: Mapping[str, str]) -> None:
        """Raise TrustError unless the turn has a valid signature by its claimed sender."""
        turn = self.turn
        sshsig.verify(keys.get(turn.sender, ""), sshsig.NAMESPACE, turn.signed, turn.armour or "")

    def is_signed(self, keys: Mapping[str, str]) -> bool:
        """Return whether the turn has a valid signature by its claimed sender."""
        try:
            self.verify(keys)
        except TrustError:
            return False
        return True

    def note(self, home: Path) -> None:
        """Save a message's mail and its times. If the message came twice, the first mail counts. Raises DiskError."""
        if self.mail is not None and isinstance(self.turn, Message):
            said = self.mail.times if self.below else self.mail.said
            arrival.save_arrival(home, self.game, self.turn.seq, self.turn.id, **said)


@frozen
class Outcome:
    """The result of processing a turn: ``told`` in words, or ``error`` if refused.

    ``rolled``: the number of the referee's message signed after it, or -1. ``again``: files of this desk caused the
    failure, so the next round reads the mail again.
    """

    piece: Received
    state: str
    told: tuple[str, ...] = ()
    error: KurskError | None = None
    rolled: int = -1
    again: bool = False

    @property
    def dull(self) -> bool:
        """True for an error or a repeated turn. Many such results are only counted."""
        return self.error is not None or self.state in (HERE, UNKNOWN)

    def without_body(self) -> Outcome:
        """Return the result with only the header of the mail, to save memory."""
        mail = self.piece.mail.without_body if self.piece.mail is not None else None
        return replace(self, piece=Received(self.piece.turn, mail))

    @property
    def lines(self) -> list[str]:
        """The result in lines for a reader who knows the game. The first line is a title."""
        if self.state == UNKNOWN:
            about = f"of game {show(self.piece.game[:16])}, unknown here ({self.piece.came_by})"
            how = "; if you play the game, 'kursk restore . MAILS' brings the game here"
            how = how if self.piece.turn.seq else "; 'kursk verify FILE' judges the game of other players"
            return [f"{self.piece.title} {about}{how}"]
        if self.error is not None:
            return [f"{self.piece.title} is {self.state}: {self.error}", f"({self.piece.came_by})"]
        return [f"{self.piece.title}{'' if self.state == TAKEN else f' ({self.state})'}", *self.told]

    @property
    def line(self) -> str:
        """The result in one line of text."""
        return f"game {show(self.piece.game[:8])}: {'; '.join(self.lines)}"


@dataclass
class GameTaken:
    """The results of one game's turns: ``outcomes`` in order, and the new ``desk`` or None."""

    game: str
    outcomes: list[Outcome] = field(default_factory=list)
    desk: Desk | None = None


def refuse_turn(piece: Received, bad: KurskError | OSError, *, ours: bool = False) -> Outcome:
    """Return the result for a refused turn. ``ours``: True if the player's own files caused the refusal."""
    error = post_folder.as_fault(bad)
    named = error.where.file if isinstance(error, FileError) and error.where is not None else ""
    ours |= isinstance(error, DiskError)
    ours |= named not in ("", piece.turn.document.name) and files.is_there(Path(named))
    state = VOID if isinstance(error, RulesError | VoidError) else REFUSED
    return Outcome(piece, state, error=error, again=ours and state == REFUSED)
