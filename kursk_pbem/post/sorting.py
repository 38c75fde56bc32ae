"""From mails to turns, game by game: every turn, paper and card of a run, whatever its order and whatever is around it.

What is not ours is left alone and not told; what is damaged is named with its sender and subject.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from kursk_pbem.errors import UNFORESEEN, FileError, KurskError, MissingError, Where
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import contents, findings
from kursk_pbem.post.referee.contents import game_of
from kursk_pbem.post.referee.findings import Findings
from kursk_pbem.post.wire import reported
from kursk_pbem.post.wire.reported import Bounce
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper as EventPaper
from kursk_pbem.trust.allowance import cost
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import FORFEIT, Paper
from kursk_pbem.trust.slip import Slip


@dataclass(frozen=True)
class Piece:
    """A turn or paper that came, and the mail it came by; without a mail it has waited here."""

    turn: Message | Paper
    mail: Mail | None = field(default=None, repr=False)

    @property
    def game(self) -> str:
        """The id of its game, as it says itself."""
        return game_of(self.turn)

    @property
    def copied(self) -> tuple[str, str | None]:
        """What its copies share. Another signature makes no copy: it may be false."""
        return self.turn.id, self.turn.armour

    @property
    def rank(self) -> tuple[int, int]:
        """Its place in the order of the game: papers behind the message they are about.

        A forfeit stands beside the message that it misses, which counts if it came first: it undoes nothing (2.10).
        """
        forfeit = self.turn.type == FORFEIT
        return self.turn.seq + forfeit, int(isinstance(self.turn, Paper) and not forfeit)


def in_order(arrived: Sequence[Piece], waited: Sequence[Piece]) -> list[Piece]:
    """Pieces of a game in its order: of two in one place the one that came first, of copies the waiting one last."""
    first = dict[tuple[str, str | None], int]()
    for number, piece in enumerate((*waited, *arrived)):
        first.setdefault(piece.copied, number)
    return sorted((*arrived, *waited), key=lambda piece: (piece.rank, first[piece.copied], piece.mail is None))


WORDS = 256 * 1024
"""Bytes of a mail that are kept to be read for words."""

ROOM = 8 * 1024 * 1024
"""Bytes of turns, papers and words, 4 KiB for each, after which no more mails are read before that is dealt with."""


@dataclass
class Sorted:
    """All that mails held: ``games``, by id, with the pieces of each; ``cards`` with their mails.

    ``found``: what is wrong with them. ``foreign``: mails with nothing of ours in them. ``mails``: how many were looked
    through. ``held``: the digests of those with something of ours. ``returned``: letters that came back, each with the
    digest of the mail that says so. ``silent``: what mails begin with that may be words. ``papers``: those of
    tournaments, each with its mail. ``room``: how many bytes more may be held; once it is used up, other mails are left
    (T49). ``players``: gives the addresses of those who play here.
    """

    games: dict[str, list[Piece]] = field(default_factory=dict)
    cards: list[tuple[Slip, Mail]] = field(default_factory=list)
    found: Findings = field(default_factory=Findings)
    foreign: int = 0
    mails: int = 0
    held: set[str] = field(default_factory=set, repr=False)
    returned: list[tuple[Bounce, str]] = field(default_factory=list)
    silent: list[Mail] = field(default_factory=list, repr=False)
    papers: list[tuple[EventPaper, Mail]] = field(default_factory=list)
    room: int = ROOM
    known: set[tuple[str, ...]] = field(default_factory=set, repr=False)
    players: Callable[[], Collection[str]] = field(default=tuple, repr=False)

    def add(self, piece: Piece) -> None:
        """Put a piece to its game; the same turn with the same signature counts once.

        The position below it is not signed: a copy with another one, from whoever has the turn, takes no place of it.
        """
        below = sha256_hex(repr(getattr(piece.turn, "state", None)).encode("utf-8"))
        if self._new(piece.game, piece.turn.id, piece.turn.armour or "", below):
            self.games.setdefault(piece.game, []).append(piece)
            self.room -= cost(
                piece.turn.document.raw
            )  # with the position, which is not signed; lists take more than bytes

    def add_paper(self, paper: EventPaper, mail: Mail) -> None:
        """Put down a paper of a tournament; the same with the same signature counts once.

        A stranger's counts once in each mail: of a mail with many not all are looked at, and it may stand in another.
        """
        if self._new(paper.type, paper.id, paper.armour, mail.digest if paper.type in fields.STRANGERS else ""):
            self.papers.append((paper, mail))
            self.room -= len(paper.signed) + 4096

    def add_card(self, card: Slip, mail: Mail) -> None:
        """Put down a card; the same with the same signature counts once."""
        if self._new(card.type, card.id, card.armour):
            self.cards.append((card, mail))
            self.room -= len(card.signed) + 4096

    def add_bounce(self, mail: Mail) -> bool:
        """Return whether a mail says that a letter came back. Several reports that say the same count once."""
        try:
            bounce = reported.read(mail.raw) if mail.by_server or mail.without_path else None
        except MissingError as error:
            self.tell(error, mail)
            return False
        if bounce is not None and self._new("bounce", bounce.digest, str(bounce.edition), *bounce.readers):
            self.returned.append((bounce, mail.digest))
            self.room -= 4096 + 512 * len(bounce.readers)
        return bounce is not None

    def _new(self, *which: str) -> bool:
        there = which in self.known
        self.known.add(which)
        return not there

    def complain(self, faults: Sequence[KurskError], mail: Mail) -> None:
        """Put down what is wrong with a mail: something of it may be lost."""
        for fault in faults:
            if self._new("fault", mail.digest, str(fault)):  # what is signed is looked for as a turn and as a paper
                self.tell(fault, mail)

    def tell(self, fault: KurskError, mail: Mail | None = None) -> None:
        """Put down what is to be told of a mail, or of one that cannot be opened."""
        forget(fault)
        self.room -= 512  # one mail may hold hundreds
        self.found.put(fault, *(findings.kind(mail, self.players()) if mail else ()))

    @property
    def faults(self) -> list[KurskError]:
        """What is told of what is wrong."""
        return self.found.told


def forget(fault: KurskError) -> None:
    """Keep nothing of a fault but its words: its traceback holds the whole mail, and what was read of it (T49)."""
    fault.__traceback__ = fault.__context__ = None


def read(
    incoming: Iterable[Mail | FileError],
    *,
    words: Callable[[Mail], bool] | None = None,
    events: bool = False,
    players: Callable[[], Collection[str]] = tuple,
    found: Findings | None = None,
) -> Sorted:
    """Return what mails hold, as far as there is room. One bad mail stops no other.

    Of a mail with something of ours the header is kept. ``words``: whether what a mail asks in words matters, so that a
    stranger's take no room; None: none does. ``events``: papers of tournaments matter, too. ``players``: gives the
    addresses of those who play here. ``found``: what was wrong with other mails of the same run.
    """
    result = Sorted(found=found if found is not None else Findings(), players=cache(players))
    for mail in incoming:
        result.mails += 1
        if isinstance(mail, FileError):
            result.tell(mail)
            continue
        try:
            _sort(mail, result, words, events=events)
        except UNFORESEEN as error:
            _stumbled(mail, result, type(error).__name__)
        if result.room <= 0:
            break
    return result


def _stumbled(mail: Mail, result: Sorted, over: str) -> None:
    """Put down that a library has failed at a mail; if it fails at the header, too, that the mail came."""
    why = f"nobody foresaw it ({over}): ask for the turn in a mail of its own, as plain text"
    try:
        result.complain([FileError(why, Where(mail.name))], mail)
    except UNFORESEEN:
        result.tell(FileError(why, Where(mail.place)))


def _sort(mail: Mail, result: Sorted, words: Callable[[Mail], bool] | None, *, events: bool) -> None:
    """Put to the rest what one mail holds."""
    if mail.fault:
        result.complain([FileError(mail.fault, Where(mail.name))], mail)
        return
    named = result.add_bounce(mail)
    told = Sorted() if named and mail.reports else result  # a letter that comes back is often cut off
    turns, papers = contents.read(mail, told)
    papers = papers if events else []
    for paper in papers:
        result.add_paper(paper, mail.without_body)
    for turn in turns:
        if isinstance(turn, Slip):
            result.add_card(turn, mail.without_body)
        else:
            result.add(Piece(turn, mail.without_body))
    if turns or papers or named:
        result.held.add(mail.digest)
    begins = mail if len(mail.raw) <= WORDS else replace(mail, raw=mail.raw[:WORDS])  # words stand above pictures
    if words is not None and not (named or mail.as_a_desk_wrote_it) and words(begins):
        result.silent.append(begins)
        result.room -= len(begins.raw) + 4096
    result.foreign += not (turns or papers or named)
