"""Files what came into its games: verified, adjudicated, in the order of each game. Twice is no harm.

Everything is taken by the same calls as ``kursk adjudicate``. What comes before its predecessor waits, if a key of the
game has signed it; a proposal waits for ``kursk accept``; one bad turn stops no other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk import desks, elsewhere, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import director, timekeeper
from kursk_pbem.desk.shelf import register
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import UNFORESEEN, DiskError, KurskError, RulesError, TrustError, UsageError
from kursk_pbem.game import journal, reports
from kursk_pbem.game.histories import History
from kursk_pbem.post import came, place, proposals, waiting
from kursk_pbem.post import seat as seats
from kursk_pbem.post.outcome import (
    HERE,
    REFUSED,
    TAKEN,
    VOID,
    WAITS,
    GameTaken,
    Outcome,
    is_ours,
    note,
    note_signed,
    seen,
    signed,
    verify,
)
from kursk_pbem.post.sorting import Piece, Sorted, in_order
from kursk_pbem.post.tournaments import events, taking
from kursk_pbem.post.tournaments.taking import Hand
from kursk_pbem.tournament import any_here, boards
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import FORFEIT, Paper


@dataclass
class Intake:
    """Where things are taken: the private folder, where folders of games lie, the key of a director or a new player.

    ``open``: games that were verified before, by id; they are led on and not verified again. ``late``: why a message
    that is next is not taken in, '' if it is; asked at a referee's mailbox. ``known``: how the games begin that may be
    here, as :func:`seats.beginnings` gives them; found out in each ``take``. ``admit``: entries of a tournament are
    acknowledged as they come. ``host``: takes what is proposed in this round.
    """

    home: Path
    here: Path
    key: Path | None = None
    open: dict[str, History] = field(default_factory=dict)
    late: Callable[[Desk, Message], str] | None = None
    admit: bool = False
    host: proposals.Host | None = None
    known: set[str] | None = None

    @property
    def hand(self) -> Hand:
        """Who takes papers of tournaments here."""
        return Hand(self.home, self.open, self.admit)

    def take(self, sorted_mail: Sorted) -> Iterator[GameTaken]:
        """Take everything, game by game; with it what has waited for those games, and for a proposal's acceptance."""
        asleep, self.host = set(waiting.games(self.home)), None
        self.known = seats.beginnings(self.home, self.here)
        for game in _elders_first(sorted_mail.games):
            taken = self.game(game, sorted_mail.games[game])
            if taken.desk is not None:  # otherwise it may be a stranger's whose id begins alike
                asleep.discard(game[:16])
            yield taken
        here = {game.game[:16]: game.game for game in self._relayed()} if asleep else {}
        for short in sorted(asleep):
            if game := journal.game_called(self.home, f"game-{short}") or here.get(short, ""):
                yield self.game(game, [])

    def circle(self) -> set[str]:
        """The keys of the people who are known here; looked for once in a round."""
        return self._host().circle

    def _host(self) -> proposals.Host:
        self.host = self.host or proposals.Host(self.home, self.here, self.key, self.open)
        return self.host

    def _relayed(self) -> tuple[Known, ...]:
        """The games at hand, with or without a private record: looked for once, not for each game that waits (T49)."""
        return (*register.at_hand(self.here), *(game for game, _key in events.games(self.home)))

    def game(self, game: str, pieces: list[Piece]) -> GameTaken:
        """Take what came of one game, and what has waited for it."""
        result = GameTaken(game)
        own = True  # as long as this is true it is files of this desk that stand in the way
        try:
            pieces = self._with_waiting(game, pieces, 0, 0)
            strange = self.known is not None and game[:16] not in self.known and not seats.wrote(self.home, game)
            folder = None if strange else seats.folder_of(self.home, self.here, game)
            if folder is None:
                own = False
                folder = self._paired(pieces)
            if folder is None and not strange and (hidden := self._unknown(game, pieces)):
                raise DiskError(f"{hidden}; what comes of this game waits")
            if folder is None:
                result.outcomes += proposals.sort(self._host(), pieces)
                return result
            own = True
            result.desk = desks.sit(folder, self.home, self.open.get(game))
            due = waiting.next_up(self.home, game, result.desk.seq, {piece.turn.seq for piece in pieces})
            pieces = self._with_waiting(game, pieces, 1, sys.maxsize if result.desk.game.over else due)
        except (KurskError, OSError, *UNFORESEEN) as bad:
            error = place.fault(bad)
            again, result.here = own or isinstance(error, DiskError), seats.ours(self.home, self.here, game)
            arrived = (piece for piece in pieces if piece.mail is not None)
            result.outcomes += [Outcome(piece, REFUSED, error=error, again=again) for piece in arrived]
            return result
        self._each(pieces, result)
        self.open[game] = result.desk.history
        return result

    def _each(self, pieces: list[Piece], result: GameTaken) -> None:
        """Take pieces of a game, one after the other."""
        result.turns = tuple(piece.turn for piece in pieces)
        for piece in pieces:
            outcome = self._piece(piece, result)
            if piece.mail is not None or outcome.state not in (WAITS, HERE):  # what waited and waits on is not told
                result.outcomes.append(outcome)
            try:
                if outcome.state != WAITS and not outcome.again:
                    self._settled(result.game, outcome)
            except (DiskError, OSError) as error:  # it waits on
                result.outcomes.append(Outcome(piece, REFUSED, error=place.fault(error), again=True))

    def _with_waiting(self, game: str, pieces: list[Piece], first: int, last: int) -> list[Piece]:
        """These pieces, in order, with what waits of a game from one number to another."""
        woken = waiting.turns(self.home, game, lambda number, _sender: first <= number <= last) if game else ()
        return in_order(pieces, [Piece(turn) for turn in woken])

    def _settled(self, game: str, outcome: Outcome) -> None:
        """What is dealt with waits no longer; of what is refused nothing is kept, unless another copy of it waits."""
        turn = outcome.piece.turn
        if outcome.piece.mail is None:
            if isinstance(turn, Message) and turn.seq == 0:
                proposals.settled(self.home, turn)
            waiting.drop(self.home, game, turn)
        if outcome.state in (REFUSED, VOID):
            self._forgotten(game, turn)

    def _forgotten(self, game: str, turn: Message | Paper) -> None:
        """When a turn came that is not taken is forgotten, unless a copy of it waits."""
        if not waiting.path_of(self.home, game, turn).exists():
            came.drop(self.home, game, turn.seq, turn.id)

    def _unknown(self, game: str, pieces: list[Piece]) -> str:
        """Why a game without a folder may be here all the same, in words; '' if it is not."""
        heads = [piece.turn.content for piece in pieces if isinstance(piece.turn, Message) and piece.turn.seq == 0]
        outside = bool(heads) and not any(head.get(boards.FIELD) for head in heads)
        return seats.closed(self.home, self.here, game) or seats.hidden(self.home, game, outside=outside)

    def _paired(self, pieces: list[Piece]) -> Path | None:
        """The folder that a proposal gets which is for a board of a tournament directed from here; None without one.

        KurskError where none holds: a copy with a false signature keeps no genuine one out.
        """
        wrong: list[KurskError] = []
        for piece in pieces:
            if not (isinstance(piece.turn, Message) and piece.turn.seq == 0 and any_here(self.home)):
                continue
            if events.of_head(self.home, piece.turn.content) is None:
                continue
            try:
                note(self.home, piece)  # before its folder is there: its receipt rests on when it came
                return taking.begin(self.home, piece.turn)
            except DiskError:  # it is looked at again, and may have its folder already
                raise
            except KurskError as error:
                self._forgotten(piece.game, piece.turn)
                wrong.append(error)
        for fault in wrong:
            raise fault
        return None

    def _piece(self, piece: Piece, result: GameTaken) -> Outcome:
        desk = _desk(result)
        try:
            if isinstance(piece.turn, Paper):
                return self._paper(piece, piece.turn, result)
            return self._message(piece, piece.turn, result)
        except RulesError as error:
            return Outcome(piece, VOID, error=error)
        except (KurskError, OSError, *UNFORESEEN) as bad:
            fault = place.fault(bad)
            return Outcome(piece, REFUSED, error=fault, again=signed(desk, piece.turn) and is_ours(fault, piece))

    def _message(self, piece: Piece, message: Message, result: GameTaken) -> Outcome:
        desk = _desk(result)
        if message.seq > desk.seq:
            return self._wait(piece, desk)
        ids = desk.game.chain.ids
        here = message.seq < desk.seq and ids[message.seq] == message.id
        if here and message.seq + 1 < desk.seq:
            if message.seq + 2 == desk.seq:  # it is the newest of its side
                seen(self.home, piece, desk)
                if director.sits(desk):
                    play.tidy(desk)  # the referee's answer was signed; its report may have been cut off
            return Outcome(piece, HERE)
        if not here:
            if why := events.closed(self.home, desk.game.chain.head, desk.game.chain.game):
                raise UsageError(why)
            note_signed(self.home, piece, desk)
            owed = message.seq == desk.seq and not desk.game.over  # a second one for an older number is evidence
            if self.late is not None and owed and (why := self.late(desk, message)):
                return self._wait(piece, desk, why)
        got = play.take(desk, message, beside=result.turns)
        if here or got.result is not None:
            seen(self.home, piece, desk)
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
        if any(other.id == paper.id for other in desk.game.papers.all):
            return Outcome(piece, HERE)
        if paper.seq >= desk.seq:
            return self._wait(piece, desk)
        about = sum(other.seq == paper.seq for other in desk.game.papers.all)
        if about >= waiting.MOST and paper.type != FORFEIT:  # a referee could fill the disk, too (T49)
            raise UsageError(f"{about} papers about message {paper.seq} are here: 'kursk adjudicate' takes one more")
        got = timekeeper.receive(paper, self.home, desk.folder, desk)
        result.desk = got.desk
        return Outcome(piece, TAKEN, (reports.of_paper(got.desk.game.chain, paper),))

    def _wait(self, piece: Piece, desk: Desk, why: str = "") -> Outcome:
        """Keep a turn whose predecessor is not here, or that is not to be taken, if a key of the game has signed it."""
        turn, chain = piece.turn, desk.game.chain
        if desk.game.over:
            raise TrustError("order", "the game is over; no message is valid any more", turn.where("seq"))
        verify(desk, turn)
        if isinstance(turn, Message):
            elsewhere.note(desk.own, chain, turn)
        if full := waiting.keep(self.home, chain.game, turn, first=lambda: note(self.home, piece)):
            raise TrustError(
                "chain", f"{why or f'message {desk.seq} is missing before it'}, and {full}", turn.where("seq")
            )
        return Outcome(piece, WAITS, (why or waiting.told(turn, desk.seq, own=desk.mine),))


def _desk(result: GameTaken) -> Desk:
    if result.desk is None:
        raise AssertionError("a game without a desk")
    return result.desk


def _elders_first(games: Mapping[str, list[Piece]]) -> list[str]:
    """The order in which games are taken: whatever goes on with another behind that, the last of them last.

    What it continues may have come with it, and of several that came the last is kept.
    """
    last = [game for game, pieces in games.items() if any(_goes_on(piece.turn) for piece in pieces)]
    return [*sorted(games.keys() - {*last}), *last]


def _goes_on(turn: Message | Paper) -> bool:
    return isinstance(turn, Message) and turn.seq == 0 and bool(turn.content.get("continues"))
