"""File what came into its games: verified and adjudicated, in the order in which it came. Twice does no harm.

Everything is taken by the same calls as ``kursk adjudicate``. A turn that comes before its predecessor waits, if a key
of its game has signed it. A bad turn stops no other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk import desks, elsewhere, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import director, kept, timekeeper
from kursk_pbem.desk.shelf import register
from kursk_pbem.errors import DiskError, KurskError, RulesError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import keyring, reports
from kursk_pbem.game.histories import History
from kursk_pbem.post.mailbox import came, events, quotas, shunt
from kursk_pbem.post.round import proposals, waiting
from kursk_pbem.post.round import seat as seats
from kursk_pbem.post.round.outcome import (
    HERE,
    TAKEN,
    VOID,
    WAITS,
    GameTaken,
    Outcome,
    Piece,
    Turn,
    is_ours,
    note,
    notice_sender,
    refused,
    signed,
    verify,
)
from kursk_pbem.post.tournaments import taking
from kursk_pbem.post.tournaments.taking import Hand
from kursk_pbem.tournament import any_here
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import FORFEIT, RECEIPT, Paper

_ELSEWHERE = (
    "This mailbox is refereed on another machine, too, or a backup was put back: the receipt was not signed here. Let "
    "one machine alone referee: end 'kursk referee run' on the other"
)


@dataclass
class Intake:
    """Where turns are filed: the private folder, where folders of games lie, the key of a director or a new player.

    ``open``: games that were verified before, by id; they are led on and not verified again. ``late``: says why a
    message that is next is not taken in, '' if it is; asked at a referee's mailbox. ``admit``: entries of a tournament
    are acknowledged as they come.
    """

    home: Path
    here: Path
    key: Path | None = None
    open: dict[str, History] = field(default_factory=dict)
    late: Callable[[Desk, Message], str] | None = None
    admit: bool = False

    @property
    def host(self) -> proposals.Host:
        """The desk to which games are proposed."""
        return proposals.Host(self.home, self.here, self.key, self.open)

    @property
    def hand(self) -> Hand:
        """Who takes papers of tournaments here."""
        return Hand(self.home, self.open, self.admit)

    def take(self, pieces: Iterable[Piece], tell: Callable[[KurskError], None]) -> Iterator[GameTaken]:
        """Take what some mails hold, game by game, with whatever has waited for that.

        A game that goes on with another one is taken last. ``tell``: is given what is set aside (shunt).
        """
        by_game, last, seen = dict[str, list[Piece]](), set[str](), set[tuple[str, str]]()
        for piece in pieces:
            if (copy := (piece.turn.id, piece.turn.armour or "")) not in seen:
                seen.add(copy)
                by_game.setdefault(piece.game, []).append(piece)
                last |= {piece.game} if piece.turn.seq == 0 and piece.turn.content.get("continues") else set()
        for game in sorted(by_game, key=lambda game: game in last):
            pieces = sorted(by_game[game], key=lambda piece: piece.rank)
            taken = GameTaken(game)
            with shunt.guarded(self.home, f"game {game[:8]}", b"\n".join(piece.raw for piece in pieces), tell):
                self._game(taken, pieces, tell)
            yield taken

    def take_waiting(self, tell: Callable[[KurskError], None]) -> Iterator[GameTaken]:
        """Take what waits of games at this desk and may be taken now: a term was extended, say."""
        waits = set(waiting.games(self.home))
        if waits:
            known = [*register.met(self.home, self.here), *(game for game, _key in events.games(self.home))]
            for game in sorted({game.game for game in known if game.game[:16] in waits}):
                taken = GameTaken(game)
                with shunt.guarded(self.home, f"game {game[:8]}", b"", tell):
                    self._game(taken, [], tell)
                yield taken

    def _game(self, result: GameTaken, pieces: list[Piece], tell: Callable[[KurskError], None]) -> None:
        game, ours = result.game, True  # what is wrong then is wrong with files of this desk
        try:
            folder = seats.folder_of(self.home, self.here, game)
            if folder is None:
                ours = False
                folder = self._begun_board(pieces)
            if folder is None and (why := seats.gone(self.home, game)):
                raise DiskError(f"{why}: put it back; what comes of this game waits")
            if folder is None:
                result.outcomes += proposals.sort(self.host, [*self._waiting(game), *pieces])
                return
            ours = True
            desk = desks.sit(folder, self.home, self.open.get(game))
        except (KurskError, OSError) as bad:
            result.outcomes += [
                refused(piece, bad, again=ours or isinstance(bad, DiskError | OSError)) for piece in pieces
            ]
            return
        result.desk, result.turns = desk, tuple(piece.turn for piece in pieces)
        tried = set[str]()
        pieces = pieces or list(map(Piece, self._ready(result)))
        while pieces:
            for piece in pieces:
                tried.add(piece.turn.id)
                with shunt.guarded(self.home, piece.came_by, piece.raw, tell):
                    self._piece(piece, result)
            pieces = [Piece(turn) for turn in self._ready(result) if turn.id not in tried]
        self.open[game] = _desk(result).history

    def _waiting(self, game: str) -> Iterator[Piece]:
        """Give the proposal that waits of a game, which pins its keys."""
        return (Piece(turn) for turn in waiting.turns(self.home, game) if turn.seq == 0)

    def _ready(self, result: GameTaken) -> Iterator[Turn]:
        """Give what waits of a game and is next, or is about something that is here."""
        desk = _desk(result)
        return (turn for turn in waiting.turns(self.home, result.game) if turn.seq <= desk.seq or desk.game.over)

    def _begun_board(self, pieces: Sequence[Piece]) -> Path | None:
        """Return the folder that a proposal gets which is for a board of a tournament directed from here.

        None for any other. KurskError where it is not as it was paired.
        """
        wrong = list[KurskError]()
        for piece in pieces:
            turn = piece.turn
            if not (isinstance(turn, Message) and turn.seq == 0 and any_here(self.home)):
                continue
            if events.of_head(self.home, turn.content) is None:
                continue
            note(self.home, piece)  # before its folder is there: its receipt rests on when it came
            try:
                return taking.begin(self.home, turn)
            except DiskError:
                raise
            except KurskError as error:  # a copy under a false signature keeps no genuine one out
                came.drop(self.home, piece.game, 0, turn.id)
                wrong.append(error)
        if wrong:
            raise wrong[0]
        return None

    def _piece(self, piece: Piece, result: GameTaken) -> None:
        """Take one piece, and let it wait no longer unless it has to."""
        try:
            if isinstance(piece.turn, Paper):
                outcome = self._paper(piece, piece.turn, result)
            else:
                outcome = self._message(piece, piece.turn, result)
        except RulesError as error:
            outcome = Outcome(piece, VOID, error=error)
        except (KurskError, OSError) as bad:
            outcome = refused(piece, bad, again=is_ours(bad, piece))
        if piece.mail is None:
            if outcome.state == WAITS or outcome.again:
                return  # it waits on, which was told before
            if isinstance(piece.turn, Message) and piece.turn.seq == 0:
                proposals.settled(self.home, piece.turn)
            waiting.drop(self.home, result.game, piece.turn)
        if piece.mail is not None or outcome.state != HERE:
            result.outcomes.append(outcome)

    def _message(self, piece: Piece, message: Message, result: GameTaken) -> Outcome:
        desk = _desk(result)
        if message.seq > desk.seq:
            return self._wait(piece, desk)
        here = message.seq < desk.seq and desk.game.chain.ids[message.seq] == message.id
        if signed(desk, message):
            note(self.home, piece)
        if not here:
            if why := events.closed(self.home, desk.game.chain.head, desk.game.chain.game):
                raise UsageError(why)
            owed = message.seq == desk.seq and not desk.game.over
            if self.late is not None and owed and (why := self.late(desk, message)):
                return self._wait(piece, desk, why)
        got = play.take(desk, message, beside=result.turns)
        notice_sender(self.home, piece, got.desk)
        answered = director.answer_if_owed(got.desk, str(self.key) if self.key else None)
        result.desk = answered or got.resumed or got.desk
        if got.result is None and answered is None and not got.unread:
            return Outcome(piece, HERE)
        step = got.desk.history.steps[message.seq]
        told = reports.apart(reports.headlines(step.before, step.after, step.message, step.result))
        if got.dice:
            told.append("Your dice have fallen; nobody else sees them before you mail your next message.")
        if message.content.get("note") and desk.own is not None:
            told.append(f"It holds a note: 'kursk report {desk.game.chain.game[:8]}/{message.seq}' shows it")
        told += [line for line in (got.instead, got.stuck) if line]
        return Outcome(piece, TAKEN, tuple(told), rolled=answered.last.seq if answered else -1)

    def _paper(self, piece: Piece, paper: Paper, result: GameTaken) -> Outcome:
        desk = _desk(result)
        about = [other for other in desk.game.papers.all if other.seq == paper.seq]
        if any(other.id == paper.id for other in about):
            return Outcome(piece, HERE)
        if paper.seq >= desk.seq:
            return self._wait(piece, desk)
        if quotas.full(quotas.TURNS, len(about) + 1) and paper.type != FORFEIT:
            why = f"{len(about)} papers about message {paper.seq} are here: 'kursk adjudicate' takes one more"
            raise UsageError(why)
        elsewhere_too = self._is_refereed_elsewhere(desk, paper)
        result.desk = timekeeper.receive(paper, self.home, desk.folder, desk).desk
        told = (reports.of_paper(_desk(result).game.chain, paper), *([_ELSEWHERE] if elsewhere_too else []))
        return Outcome(piece, TAKEN, told)

    def _is_refereed_elsewhere(self, desk: Desk, paper: Paper) -> bool:
        """Return whether a receipt has the key of this referee, and was not signed here."""
        chain = desk.game.chain
        if paper.type != RECEIPT or self.key is None or chain.keys.get(REFEREE) != keyring.public_of(self.key):
            return False
        return kept.said(kept.path_of(self.home, chain, paper.seq)) != (paper.text("received"), paper.text("due"))

    def _wait(self, piece: Piece, desk: Desk, why: str = "") -> Outcome:
        """Keep a turn whose predecessor is not here, or that came too late, if a key of the game has signed it."""
        turn, chain = piece.turn, desk.game.chain
        if desk.game.over:
            raise TrustError("order", "the game is over; no message is valid any more", turn.where("seq"))
        verify(desk, turn)
        if isinstance(turn, Message):
            elsewhere.note(desk.own, chain, turn)
        note(self.home, piece)
        if full := waiting.keep(self.home, chain.game, turn, quotas.TURNS):
            why = why or f"message {desk.seq} is missing before it"
            raise TrustError("chain", f"{why}, and {full}", turn.where("seq"))
        return Outcome(piece, WAITS, (why or _waits_for(turn, desk),))


def _waits_for(turn: Turn, desk: Desk) -> str:
    """Say for what a turn waits."""
    missing = f"messages {desk.seq} to {turn.seq - 1}, which have"
    if isinstance(turn, Paper) or turn.seq == desk.seq + 1:
        missing = f"message {turn.seq if isinstance(turn, Paper) else desk.seq}, which has"
    twice = f"if you signed your message {desk.seq} elsewhere, sign no second one"
    also = f": {twice}; 'kursk restore GAME MAILS' takes it from a copy of its mail" if desk.mine else ""
    return f"it waits for {missing} not come yet{also}"


def _desk(result: GameTaken) -> Desk:
    if result.desk is None:
        raise AssertionError("a game without a desk")
    return result.desk
