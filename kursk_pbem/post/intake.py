"""Process turns into their games: verified and adjudicated, in order of arrival. Repetition is harmless.

``kursk inbox`` uses the same calls. An early turn waits if a key of its game has signed it. A bad turn stops no other
turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from kursk_pbem.desk.deals import director
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks, register
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import DiskError, KurskError, TrustError, UsageError, VoidError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import reports
from kursk_pbem.game.histories import History
from kursk_pbem.post.mailbox import arrival, events, people, quotas, task_guard
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.round import early_turns, game_mail, proposals, repeats
from kursk_pbem.post.round.outcome import HERE, TAKEN, VOID, WAITS, GameTaken, Outcome, Received, Turn, refuse_turn
from kursk_pbem.post.tournaments import acceptance
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.director import games
from kursk_pbem.trust import earlier
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import FORFEIT, RECEIPT, Paper

_Tell = Callable[[KurskError], None]


@dataclass
class Intake:
    """How to take turns: the private folder, the folder for new games, a signing key (a director's or a new player's).

    ``open``: game id -> verified game, so that only new messages are verified. ``late``: a function that returns why a
    referee refuses the game's next message as late, or ''. ``admit``: acknowledge tournament entries on arrival.
    ``signs``: sign the referee's answers; False until the folder of sent mails is read.
    """

    home: Path
    here: Path
    key: Path | None = None
    open: dict[str, History] = field(default_factory=dict)
    late: Callable[[Desk, Message], str] | None = None
    admit: bool = False
    signs: bool = True

    def take(self, pieces: Iterable[Received], tell: Callable[[KurskError], None]) -> Iterator[GameTaken]:
        """Process the turns of some mails game by game, and earlier turns that waited for the new turns.

        Successor games come last. ``tell``: a function called with the message of each unexpected error.
        """
        whole_first = sorted(pieces, key=lambda piece: not piece.turn.is_whole)
        copies = {(piece.turn.id, piece.turn.armour or ""): piece for piece in reversed(whole_first)}
        by_game, last = dict[str, list[Received]](), set[str]()
        for piece in reversed(copies.values()):
            by_game.setdefault(piece.game, []).append(piece)
            last |= {piece.game} if piece.turn.seq == 0 and piece.turn.content.get("continues") else set()
        return self._take_all({game: by_game[game] for game in sorted(by_game, key=last.__contains__)}, tell)

    def take_waiting(self, tell: Callable[[KurskError], None]) -> Iterator[GameTaken]:
        """Process the turns waiting in the player's games, for example after the director extended a deadline."""
        if not (waits := set(early_turns.list_games(self.home))):
            return iter(())
        known = (*register.every(self.home, self.here), *(game for game, _key in events.list_games(self.home)))
        return self._take_all({game.game: [] for game in known if game.game[:16] in waits}, tell)

    def _take_all(self, by_game: Mapping[str, list[Received]], tell: _Tell) -> Iterator[GameTaken]:
        for game, pieces in by_game.items():
            taken, raw = GameTaken(game), b"\n".join(piece.mail.raw for piece in pieces if piece.mail is not None)
            with task_guard.guard_task(self.home, f"game {game[:8]}", raw, tell):
                self._take_game(taken, sorted(pieces, key=_sort_key), tell)
            yield taken

    def _take_game(self, result: GameTaken, queue: list[Received], tell: Callable[[KurskError], None]) -> None:
        game, ours = result.game, True  # errors are now caused by files of this desk
        try:
            folder = game_mail.find_folder(self.home, self.here, game)
            if folder is None:
                ours = False
                queue = self._add_beginning(queue)
                folder = self._begin_board(queue)
            if folder is None:
                for piece in queue:
                    result.outcomes.append(proposals.sort_turn(self.home, self.here, self.key, self.open, piece))
                return
            ours = True
            result.desk = desk = desks.open_desk(folder, self.home, self.open.get(game))
        except (KurskError, OSError) as bad:
            result.outcomes += [refuse_turn(piece, bad, ours=ours) for piece in queue]
            return
        queue = sorted((*queue, *_open_blocks(queue, desk)), key=_sort_key)
        beside, tried = tuple(piece.turn for piece in queue), set[str]()
        while True:
            ready = (turn for turn in early_turns.list_turns(self.home, game) if turn.seq <= desk.seq or desk.game.over)
            queue = queue or [Received(turn) for turn in ready if turn.id not in tried]
            if not queue:
                break
            piece = queue.pop(0)
            tried.add(piece.turn.id)
            raw = piece.mail.raw if piece.mail is not None else piece.turn.document.raw
            with task_guard.guard_task(self.home, piece.came_by, raw, tell):
                outcome, desk = self._take_turn(piece, desk, beside)
                result.desk = desk
                stays = outcome.state == WAITS or outcome.again
                if piece.mail is None and not stays:
                    early_turns.delete_turn(self.home, game, piece.turn)
                if piece.mail is not None or not (stays or outcome.state == HERE):
                    result.outcomes.append(outcome)
        self.open[game] = desk.history
        self._note_writers(result.outcomes, desk)

    def _note_writers(self, outcomes: Sequence[Outcome], desk: Desk) -> None:
        """Record which people wrote fetched mails, who lacks the newest letter, and who has the end of the game."""
        game = desk.game.chain.game
        for outcome, mail, lacks, ended in _list_writers(outcomes, desk):
            turn = outcome.piece.turn
            mark = people.mark_of(desk.game.chain.keys[turn.sender])
            repeats.note_event(self.home, repeats.LETTER, game, mark)
            if ended:
                repeats.note_event(self.home, repeats.END, game, mark)
            elif lacks:
                first = arrival.load_arrival(self.home, game, turn.seq, turn.id).get("message")
                if outcome.state != HERE or mail.message_id != first:  # a server delivers a mail twice
                    repeats.note_event(self.home, repeats.LACKS, game, mark)

    def _add_beginning(self, queue: list[Received]) -> list[Received]:
        """Return the turns with the game from its beginning, for its referee. A player types 'kursk restore'."""
        for piece in sorted(queue, key=_sort_key, reverse=True):
            block = earlier.open_block(piece.turn)
            head = block[0] if block and not any(one.turn.seq == 0 for one in queue) else None
            if not isinstance(head, Message):
                continue
            refereed = events.find_directed(self.home, head.content) is not None
            keys = {side: str(key) for side, key in head.mapping("keys").items()}
            ours = refereed or keys.get(REFEREE) in proposals.own_keys(self.home, self.here, self.key)
            if ours and piece.is_signed(keys):
                known = {one.turn.id for one in queue}
                new = [Received(turn, piece.mail, below=True) for turn in block if turn.id not in known]
                return sorted((*queue, *new), key=_sort_key)
        return queue

    def _begin_board(self, pieces: Iterable[Received]) -> Path | None:
        """Return the new folder for the proposal of a board in a tournament directed here.

        None for other proposals. Raises KurskError if the proposal differs from the pairing.
        """
        wrong = None
        for turn in (piece.turn for piece in pieces if piece.turn.seq == 0 and isinstance(piece.turn, Message)):
            if (event := events.find_directed(self.home, turn.content)) is None:
                continue
            for piece in (piece for piece in pieces if piece.turn is turn):
                piece.note(self.home)  # before its folder exists: the receipt needs the time of arrival
            try:
                return acceptance.begin(self.home, event, turn)
            except DiskError:
                raise
            except KurskError as error:  # a forged copy must not shut out the genuine proposal
                arrival.delete_arrival(self.home, turn.id, 0, turn.id)
                wrong = wrong or error
        if wrong is not None:
            raise wrong
        return None

    def _take_turn(self, piece: Received, desk: Desk, beside: tuple[Turn, ...]) -> tuple[Outcome, Desk]:
        """Process one turn; return its result and the new desk."""
        try:
            piece.verify(desk.game.chain.keys)
            if isinstance(piece.turn, Paper):
                return self._take_paper(piece, piece.turn, desk)
            return self._take_message(piece, piece.turn, desk, beside)
        except (KurskError, OSError) as bad:
            return refuse_turn(piece, bad), desk

    def _take_message(
        self, piece: Received, message: Message, desk: Desk, beside: tuple[Turn, ...]
    ) -> tuple[Outcome, Desk]:
        chain, seq = desk.game.chain, message.seq
        new = seq >= desk.seq or (chain.ids[seq] != message.id and not desk.game.over)
        event = events.find_directed(self.home, chain.head) if new else None
        if event is not None and (why := boards.explain_full(event.book, chain.game, desk.folder)):
            raise UsageError("; ".join(filter(None, (why, games.keep_late(event.folder, chain, message)))))
        if seq > desk.seq:
            return self._keep_waiting(piece, desk)
        piece.note(self.home)
        if new:
            owed = seq == desk.seq and not desk.game.over
            followed = any(
                map(partial(_follows, chain.keys, message), (*beside, *early_turns.list_turns(self.home, chain.game)))
            )
            if self.late is not None and owed and not followed and (why := self.late(desk, message)):
                return self._keep_waiting(piece, desk, why)
        got = play.take_message(desk, message, beside=beside)
        if message.sender != desk.own_side:
            sender = arrival.load_arrival(self.home, chain.game, seq, message.id).get("sender", "")
            people.add_seen_address(self.home, chain.keys[message.sender], sender, f"sender of message {seq}")
            if piece.mail is not None and not piece.below:
                people.reopen_address(self.home, chain.keys[message.sender], piece.mail.sender)
        copied = any(turn.sender == got.desk.own_side and turn.seq == got.desk.seq for turn in beside)
        signs = self.signs and not copied  # an answer that was found is not signed again
        answered = director.sign_if_owed(got.desk, str(self.key) if self.key else None) if signs else None
        after = answered or got.resumed or got.desk
        if got.result is None and answered is None and not (got.unread or got.instead):
            return Outcome(piece, HERE), after
        told = tuple(_describe_effects(got, message, desk))
        return Outcome(piece, TAKEN, told, rolled=answered.last.seq if answered else -1), after

    def _take_paper(self, piece: Received, paper: Paper, desk: Desk) -> tuple[Outcome, Desk]:
        if any(other.id == paper.id for other in desk.game.papers.all):
            return Outcome(piece, HERE), desk
        if paper.seq >= desk.seq:
            return self._keep_waiting(piece, desk)
        got = timekeeper.receive_paper(paper, self.home, desk.folder, desk)
        after = got.desk
        several = after.game.papers.describe_receipts(paper.seq) if paper.type == RECEIPT else ""
        told = (got.late, reports.describe_paper(after.game.chain, paper), several)
        return Outcome(piece, TAKEN, tuple(filter(None, told))), after

    def _keep_waiting(self, piece: Received, desk: Desk, why: str = "") -> tuple[Outcome, Desk]:
        """Keep a late turn, or a turn without its predecessor."""
        turn, chain = piece.turn, desk.game.chain
        turn.check_position()
        if desk.game.over:
            raise TrustError("order", "the game is over; no further message is valid", turn.where("seq"))
        piece.note(self.home)
        if full := early_turns.keep_turn(self.home, chain.game, turn, quotas.TURNS):
            why = why or f"message {desk.seq} is missing"
            raise TrustError("chain", f"{why}, and {full}", turn.where("seq"))
        return Outcome(piece, WAITS, (why or _waiting_reason(turn, desk),)), desk


def _describe_effects(got: play.Received, message: Message, desk: Desk) -> Iterator[str]:
    """Yield the effects of a message: headlines, dice, a note, signed and prepared answers."""
    step = got.desk.history.steps[message.seq]
    yield from reports.detach_headlines(reports.make_headlines(step.before, step.after, step.message, step.result))
    yield from reports.tell_rolls(step.before, step.result) if step.result else ()
    yield from (*got.dice, reports.UNSENT_DICE) if got.dice else ()
    if message.content.get("note") and desk.own is not None:
        yield f"The message contains a note: 'kursk report {desk.game.chain.game[:8]}/{message.seq}' shows the note"
    yield from filter(None, (got.instead, got.stuck, *got.prepared))


def _open_blocks(queue: list[Received], desk: Desk) -> Iterator[Received]:
    """Yield what stands below turns whose predecessor the desk and the queue lack, the newest turn first."""
    turns, keys = [piece.turn for piece in queue], desk.game.chain.keys
    known = (*desk.game.chain.ids, *(paper.id for paper in desk.game.papers.all), *(turn.id for turn in turns))
    for turn, new in earlier.open_blocks(turns, known, lambda turn: Received(turn).is_signed(keys)):
        mail = next(piece.mail for piece in queue if piece.turn is turn)
        yield from (Received(each, mail, below=True) for each in new)


def _list_writers(outcomes: Sequence[Outcome], desk: Desk) -> Iterator[tuple[Outcome, Mail, bool, bool]]:
    """Yield the newest turn of each fetched mail; whether its writer lacks this desk's newest letter, or has the end.

    A side lacks the letter if the newest turn of a mail is old, void or unconnected. After the term a referee repeats a
    paper to ask for the game, and an old message is the answer. A mail with the last message of an ended game shows
    that its sender has the end.
    """
    end = desk.game.chain.ids[-1] if desk.game.over else ""
    ended = {one.piece.mail.digest for one in outcomes if one.piece.mail is not None and one.piece.turn.id == end}
    due = desk.game.papers.due(desk.seq - 1)
    asks = bool(due) and due < clock.now()
    answers = asks and desk.own_side in ("", REFEREE)
    newest: dict[tuple[str, str], tuple[Outcome, Mail]] = {}
    for outcome in sorted(outcomes, key=lambda one: (one.piece.turn.seq, one.state != HERE)):
        mail, sender = outcome.piece.mail, outcome.piece.turn.sender
        own = sender == desk.own_side or outcome.piece.below
        fits = outcome.error is None or isinstance(outcome.error, VoidError)
        if fits and mail is not None and not mail.asked and not own:
            newest[mail.digest, sender] = outcome, mail
    for outcome, mail in newest.values():
        seq, paper = outcome.piece.turn.seq, isinstance(outcome.piece.turn, Paper)
        old = (paper and asks) or (seq < desk.seq - 1 and not answers)
        apart = seq + paper > desk.seq
        lacks = {HERE: old, WAITS: apart}.get(outcome.state, outcome.state == VOID)
        yield outcome, mail, lacks and mail.digest not in ended, mail.digest in ended


def _follows(keys: Mapping[str, str], message: Message, turn: Turn) -> bool:
    """Return whether the other side has answered a message, so that the message is not late."""
    answers = turn.sender != message.sender and turn.content.get("prev") == message.id
    return answers and Received(turn).is_signed(keys)


def _sort_key(piece: Received) -> tuple[int, bool]:
    """Return the sort key among turns of one round: a paper is after its message."""
    return piece.turn.seq + (piece.turn.type == FORFEIT), isinstance(piece.turn, Paper)


def _waiting_reason(turn: Turn, desk: Desk) -> str:
    """Return the reason for waiting."""
    if desk.lost:
        return f"waits: {desk.lost}"
    first, last = desk.seq, turn.seq - isinstance(turn, Message)
    missing = f"message {last}, which has" if first >= last else f"messages {first} to {last}, which have"
    twice = f"if you signed your message {desk.seq} elsewhere, do not sign a second message"
    also = f": {twice}; 'kursk restore GAME MAILS' restores your message from a copy of the mail" if desk.mine else ""
    return f"waits for {missing} not come yet{also}"
