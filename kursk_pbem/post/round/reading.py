"""The contents of one mail: turns, cards, papers of tournaments, a bounce; and its errors."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.errors import EarlyError, FileError, KurskError, Where
from kursk_pbem.frozen import frozen
from kursk_pbem.post.mailbox.envelope import PLACE, Mail
from kursk_pbem.post.round.outcome import Received
from kursk_pbem.post.wire import reported
from kursk_pbem.post.wire.reported import Bounce
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.tournament.papers.forms import Paper as EventPaper
from kursk_pbem.trust import reader
from kursk_pbem.trust.allowance import Allowance
from kursk_pbem.trust.card import Card
from kursk_pbem.trust.invitation import Invitation

_EVENT = "a paper of a tournament, and you play in no tournament here: 'kursk tournament enter RULES' enters one"
MOST_PROPOSED = 16
"""Maximum number of proposals read from one mail, because a stranger may write thousands."""


@frozen
class Contents:
    """The contents of a mail. ``bounce``: the letter that a server has returned, or None.

    ``reasons``: if the mail has no contents for this program, why not, and what the mail is instead. ``words``: the
    mail has only words of a person. ``may_hide``: the mail is a file of another kind, perhaps a turn.
    """

    mail: Mail
    pieces: tuple[Received, ...] = ()
    cards: tuple[Card, ...] = ()
    papers: tuple[EventPaper, ...] = ()
    faults: tuple[FileError, ...] = ()
    bounce: Bounce | None = None
    invitations: tuple[Invitation, ...] = ()
    reasons: tuple[FileError, ...] = ()
    words: bool = False
    may_hide: bool = False

    @property
    def anything(self) -> bool:
        """True if the mail contains a turn, paper or card for this program."""
        return bool(self.pieces or self.cards or self.papers or self.bounce or self.invitations)


def read_contents(mail: Mail, *, events: bool) -> Contents:
    """Return the turns, papers and cards in a mail. ``events``: whether to read papers of tournaments."""
    if mail.fault:
        why = (_name_fault(FileError(mail.fault), mail),)
        return Contents(mail, reasons=why, may_hide=True) if mail.asked == PLACE else Contents(mail, faults=why)
    bounce = reported.read_bounce(mail.raw) if mail.by_server else None
    if bounce is not None:
        return Contents(mail, bounce=bounce)
    allowance = Allowance.of_file(mail.raw, mail.name)
    try:
        reading = reader.read_thing(mail.raw, mail.name, allowance)
    except FileError as error:  # the mail exceeds a limit
        return Contents(mail, faults=(_name_fault(error, mail),))
    early = [fault for fault in reading.event_faults if isinstance(fault, EarlyError)]
    papers, event_faults = bundles.parse_papers(reading, allowance) if events else ([], early)
    turns = [*reading.turns]
    # automatic replies may quote damaged turns
    faults = [] if mail.replied else [*event_faults, *reading.faults]
    if sum(turn.type == "propose" for turn in turns) > MOST_PROPOSED:
        faults.append(FileError(f"more than {MOST_PROPOSED} proposals in one mail: ask for separate mails"))
        turns = [turn for turn in turns if turn.type != "propose"]
    named = tuple(_name_fault(fault, mail) for fault in faults)
    pieces = tuple(Received(turn, mail) for turn in turns)
    strange = [FileError(_EVENT)] if reading.papers and not events else reading.reasons
    reasons = tuple(_name_fault(fault, mail) for fault in strange)
    others = (None, reading.invitations, reasons, reading.words, reading.may_hide)
    return Contents(mail, pieces, reading.cards, tuple(papers), named, *others)


def list_turns(there: Iterable[Mail], game: str) -> list[Received]:
    """Return the turns of one game in some mails. ``game``: the first digits of the game's id."""
    pieces = (piece for mail in there for piece in read_contents(mail, events=False).pieces)
    return [piece for piece in pieces if piece.game.startswith(game)]


def _name_fault(fault: KurskError, mail: Mail) -> FileError:
    """Return the fault with the sender, subject and date of the mail."""
    if isinstance(fault, FileError) and str(fault).startswith(mail.name):
        return fault
    return FileError(fault.message, Where(mail.name, fault.where.line if fault.where else 0))
