"""From mails to turns, game by game: every turn, paper and card of a run, whatever its order and whatever is around it.

What is not ours is left alone and not told; what is damaged is named with its sender and subject.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from kursk_pbem.errors import UNFORESEEN, FileError, KurskError, MissingError, Where
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import contents, findings, wrote
from kursk_pbem.post.referee.contents import game_of
from kursk_pbem.post.referee.damage import Concern, Damage, about, damage_of
from kursk_pbem.post.referee.findings import ANYBODY, Findings
from kursk_pbem.post.servers import reported
from kursk_pbem.post.servers.reported import Bounce
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
    digest of the mail that says so. ``damaged``: what the mails with a fault say of whose they are. ``silent``: what
    mails begin with that may be words.
    ``papers``: those of tournaments, each with its mail. ``room``: how many bytes more may be held; once
    it is used up, other mails are left (T49). ``doubted``: the header of the last mail that may be damaged, and whose
    it may be; ``doubtful``: the digests of such mails. ``unread``: by digest: those that people wrote.
    ``concerned``: gives the first digits of the games where that matters, ``senders`` the addresses of those who play
    them, ``players``, ``holds`` and ``own`` as in Concern. ``fresh``: the addresses that brought turns.
    """

    games: dict[str, list[Piece]] = field(default_factory=dict)
    cards: list[tuple[Slip, Mail]] = field(default_factory=list)
    found: Findings = field(default_factory=Findings)
    foreign: int = 0
    mails: int = 0
    held: set[str] = field(default_factory=set, repr=False)
    returned: list[tuple[Bounce, str]] = field(default_factory=list)
    damaged: set[Damage] = field(default_factory=set, repr=False)
    silent: list[Mail] = field(default_factory=list, repr=False)
    papers: list[tuple[EventPaper, Mail]] = field(default_factory=list)
    room: int = ROOM
    known: set[tuple[str, ...]] = field(default_factory=set, repr=False)
    doubted: tuple[Mail, Damage] | None = field(default=None, repr=False)
    doubtful: dict[str, None] = field(default_factory=dict, repr=False)
    unread: dict[str, Damage] = field(default_factory=dict, repr=False)
    concerned: Callable[[], Collection[str]] = field(default=tuple, repr=False)
    senders: Callable[[], Collection[str]] | None = field(default=None, repr=False)
    players: Callable[[], Collection[str]] | None = field(default=None, repr=False)
    holds: Callable[[Damage], bool] | None = field(default=None, repr=False)
    own: Callable[[Mail], bool] | None = field(default=None, repr=False)
    fresh: set[str] = field(default_factory=set, repr=False)

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

    def doubt(self, mail: Mail) -> None:
        """Put down whose a mail may be: that is looked for once, however much is wrong with it (T27)."""
        self.doubtful[mail.digest] = None
        self.damaged.add(self.whose(mail))

    def whose(self, mail: Mail) -> Damage:
        """What a mail says of whose it is; of one mail that is looked for once."""
        if self.doubted is None or self.doubted[0] is not mail.without_body:
            self.doubted = mail.without_body, damage_of(mail, self.concerned())
            self.room -= 4096 + 128 * len(self.doubted[1].games)
        return self.doubted[1]

    def settle(self, new: Mapping[str, Mapping[str, int]]) -> None:
        """That counts as damage if nothing ``new`` came by that mail: its writer has hardly sent what is here alone.

        ``new``: of which games something did, by mail, and up to which number. Other games of the same writer, or that
        it names, are in doubt all the same: two turns may have been in it. What people wrote counts for those, too.
        """
        for digest, damage in self.unread.items():
            self.damaged.add(replace(damage, besides=frozenset(new.get(digest, {}).items()), words=True))

    def complain(self, faults: Sequence[KurskError], mail: Mail) -> None:
        """Put down what is wrong with a mail: something of it may be lost."""
        for fault in faults:
            forget(fault)  # to find out whose the mail is needs room, too
        if faults:
            self.doubt(mail)
        for fault in faults:
            if self._new("fault", mail.digest, str(fault)):  # what is signed is looked for as a turn and as a paper
                self.tell(fault, mail)

    def tell(self, fault: KurskError, mail: Mail | None = None) -> None:
        """Put down what is to be told of a mail, or of one that cannot be opened."""
        self._put(fault, self._kind(mail))

    def _put(self, fault: KurskError, kind: tuple[int, str]) -> None:
        forget(fault)
        self.room -= 512  # one mail may hold hundreds
        self.found.put(fault, *kind)

    def _kind(self, mail: Mail | None) -> tuple[int, str]:
        """As what it is told what is wrong with a mail, and of which player; where nobody is known, all are alike."""
        return findings.kind(mail, self.players()) if mail and self.players is not None else (findings.NOBODYS, "")

    @property
    def faults(self) -> list[KurskError]:
        """What is told of what is wrong."""
        return self.found.told

    def near(self, mail: Mail) -> bool:
        """Whether a mail says that it is of a game, or is from somebody who plays one here where that matters."""
        return mail.ours or self.plays(mail) or (self.senders is not None and about(mail, self.concerned()))

    def plays(self, mail: Mail) -> bool:
        """Whether it is from such a one, as far as can be told."""
        return self.senders is not None and not {*mail.senders, ANYBODY}.isdisjoint(self.senders())


def forget(fault: KurskError) -> None:
    """Keep nothing of a fault but its words: its traceback holds the whole mail, and what was read of it (T49)."""
    fault.__traceback__ = fault.__context__ = None


def read(
    incoming: Iterable[Mail | FileError],
    *,
    words: Callable[[Mail], bool] | None = None,
    events: bool = False,
    concern: Concern | None = None,
    found: Findings | None = None,
) -> Sorted:
    """What mails hold, as far as there is room. One bad mail stops no other.

    Of a mail with something of ours the header is kept. ``words``: whether what a mail asks in words matters, so that a
    stranger's take no room; None: none does. ``events``: papers of tournaments matter, too. ``concern``: where it
    matters whose a damaged mail may be; None: nowhere. ``found``: what was wrong with other mails of the same run.
    """
    result = Sorted(room=ROOM, found=found if found is not None else Findings())
    if concern is not None:
        result.concerned = cache(concern.games)
        result.senders = cache(concern.senders) if concern.senders is not None else None
        result.players = cache(concern.players) if concern.players is not None else result.senders
        result.holds, result.own = concern.holds, concern.own
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
    """Put down that a library has failed at a mail; where it fails at the header, too, that one came."""
    why = f"nobody foresaw it ({over}): ask for the turn in a mail of its own, as plain text"
    try:
        result.complain([FileError(why, Where(mail.name))], mail)
    except UNFORESEEN:
        result.doubt(Mail(b"", mail.place))
        result.tell(FileError(why, Where(mail.place)))


def _sort(mail: Mail, result: Sorted, words: Callable[[Mail], bool] | None, *, events: bool) -> None:
    """Put to the rest what one mail holds."""
    if mail.fault:
        result.complain([FileError(mail.fault, Where(mail.name))], mail)
        return
    named = result.add_bounce(mail)
    back = named and mail.reports  # what comes back is often cut off
    near = result.senders is not None and (result.near(mail) or not result.fresh.isdisjoint(mail.senders))
    told = Sorted(senders=lambda: (ANYBODY,)) if back else result
    turns, papers, whole = contents.read(mail, told)
    papers = papers if events else []
    for paper in papers:
        result.add_paper(paper, mail.without_body)
    for turn in turns:
        if isinstance(turn, Slip):
            result.add_card(turn, mail.without_body)
        else:
            result.add(Piece(turn, mail.without_body))
    if named and told.damaged:
        result.doubt(mail)
    if turns or papers or named:
        result.held.add(mail.digest)
    if turns:
        result.fresh |= mail.senders
    returned = named and (mail.by_server or mail.to_nobody)  # others may be a person's
    aside = not near or returned or wrote.aside(mail, whole=whole and bool(turns or papers))
    if not (aside or (result.own is not None and result.own(mail))):
        result.unread[mail.digest] = result.whose(mail)
    begins = mail if len(mail.raw) <= WORDS else replace(mail, raw=mail.raw[:WORDS])  # words stand above pictures
    if words is not None and not (named or mail.as_a_desk_wrote_it) and words(begins):
        result.silent.append(begins)
        result.room -= len(begins.raw) + 4096
    result.foreign += not (turns or papers or named)
