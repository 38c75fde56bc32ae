"""The referee's chair: what a mailbox does by itself after each round of post, and what waits for the director's word.

It signs receipts by the rule of ``timing``, reminds, answers in words, and ends a game only where the director has said
once for all that a missed term does. Everything else it lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.referee import director, onward, timekeeper
from kursk_pbem.desk.referee.timekeeper import Opened
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import keyring, reports
from kursk_pbem.post import people, place, proposals
from kursk_pbem.post import seat as seats
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.people import Person
from kursk_pbem.post.referee import absent, deadlines, lastcall, lateness, lost, notes, pauses, reminders, timing, wrote
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.referee.ear import Ear
from kursk_pbem.post.referee.lastcall import Call
from kursk_pbem.post.referee.lateness import Judge
from kursk_pbem.post.referee.terms import AUTOMATIC, Terms
from kursk_pbem.post.referee.timing import Watch
from kursk_pbem.post.seat import Seat
from kursk_pbem.post.told import untold
from kursk_pbem.post.tournaments import events, presiding
from kursk_pbem.post.tournaments.events import Event
from kursk_pbem.post.writing import Desks
from kursk_pbem.trust import referee

MOST_PAUSED = 60
"""Days that a pause may last, so that none is forgotten."""
_DOUBTS = (deadlines.doubts, wrote.doubts)
_STUCK = f"{deadlines.WAITS}; 'kursk referee run --once' says why"


@dataclass
class Chair:
    """Who referees: their key, terms, own address, the intake whose games are open, and the watch over the clock.

    Who only looks may have no address.
    ``ear``: what hears and answers mails in words.
    """

    intake: Intake
    key: Path
    terms: Terms
    address: str
    watch: Watch
    ear: Ear = field(init=False)
    judge: Judge = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.intake.home
        self.desks = Desks(self.home, self.intake.open)
        self.ear = Ear(self.home, self.address, self.seats, self.desks.at, self.watch.doubt)
        self.intake.refused = partial(deadlines.note_damage, self.home)
        self.intake.damaged = lost.concern(self.home, self.seats)
        self.intake.doubt = self.watch.doubt
        self.judges_by(self.terms)

    def judges_by(self, terms: Terms) -> None:
        """From now on."""
        self.terms, self.judge = terms, Judge(self.home, self.key, terms, self.watch)
        self.intake.late, self.intake.admit = self.judge.late, terms.entries == AUTOMATIC

    def seats(self) -> list[Seat]:
        """The games that are refereed here. UsageError."""
        return [seat for seat in seats.every(self.home, self.intake.here, self.key) if seat.side == REFEREE]

    def person(self, seat: Seat, side: str) -> Person:
        """Who plays a side."""
        return people.known(self.home, seat.keys[side])

    def work(self, *, complete: bool) -> list[str]:
        """Sign receipts, remind, end games where the terms say so, list the rest for the director; what was done.

        ``complete``: the mailbox was fetched to its end. UsageError.
        """
        told, self.ear.told = [*self.ear.told], []
        doubt = self.watch.doubt()
        told += [doubt + timing.SILENT] if doubt else []
        for event in events.directed(self.home) if self.terms.remind and not doubt else ():
            told += self._done(event.book.rules.title, presiding.remind, self.home, event, self.address, clock.now())
        try:
            games = self.seats()
        except (KurskError, OSError) as error:
            return [*told, f"no game is looked after: {error}"]
        try:
            if not doubt:
                lost.look(self.home, games)
        except (KurskError, OSError) as error:
            complete, told = False, [*told, f"no game ends by itself: {error}"]
        for seat in games if not doubt else ():
            if doubt := self.watch.doubt():  # it was set meanwhile
                told.append(doubt + timing.SILENT)
                break
            told += self._done(
                f"game {seat.game[:8]}", lost.watched, self.home, seat, partial(self._game, seat, complete=complete)
            )
        try:
            if not doubt:
                self._list()
                if not self.watch.away():
                    notes.tidy(self.home)
        except (KurskError, OSError) as error:
            told.append(str(error))
        return told

    def _done(self, what: str, work: Callable[..., Iterable[str]], *of: object) -> Iterator[str]:
        """What some work tells, put down as it is done: whoever dies behind it has told nobody."""
        return untold.noted(self.home, place.each(what, work, *of))

    def _list(self) -> None:
        """Write down the list of what waits, once a day; it costs a look into every game, so not before it is due."""
        day = clock.now()[:10]
        if not self.terms.director or notes.known(self.home, day, notes.NOBODY, f"list {day}"):
            return
        if pending := self.pending():
            note = notes.Note(notes.NOBODY, self.terms.director, "kursk: what waits for you", notes.listed(pending))
            notes.write(self.home, note, self.address, day, f"list {day}")

    def _game(self, seat: Seat, *, complete: bool) -> Iterator[str]:
        """What is due in one game. A tournament's receipts are signed as its papers are taken."""
        if seat.known.writer == REFEREE and seat.rolled:
            yield from self._answer(seat)
            seat = replace(seat, known=replace(seat.known))  # as it is now
        event = events.of_head(self.home, seat.known.head)
        if event is None:
            yield from self._receipts(seat)
        if not seat.known.head.get("tournament"):  # a log holds all time
            yield from pauses.extend(self.home, self.key, seat, pauses.said(self.home), clock.now())
        running = presiding.running(self.home, seat)
        if running is None:
            return
        if self.terms.remind and not presiding.agreed(event, seat.game):
            yield from self._remind(seat, running, event)
        if self.terms.forfeit == AUTOMATIC and complete and not self._held_back(seat, running):
            yield from self._last_call(seat, running, event)

    def _answer(self, seat: Seat) -> Iterator[str]:
        """Roll what is still owed: a key may have been away as the message was taken, or its game not agreed to."""
        if answered := director.answer_if_owed(self.desks.at(seat), str(self.key)):
            self.intake.open[seat.game] = answered.history
            yield f"game {seat.game[:8]}: message {answered.last.seq} is rolled, which was still owed"

    def _receipts(self, seat: Seat) -> Iterator[str]:
        """Sign what can be signed: a receipt for each message that came, or for one's own that is to be answered."""
        for seq in deadlines.without_receipt(seat):
            desk = self.desks.at(seat)
            if not onward.owed(seat.folder, desk.history, self.home):
                return
            term = self.judge.term(desk, seq)
            if not term.received:
                return
            issued = timekeeper.receipt(Opened(seat.folder, desk.history, seq, self.home), self.key, term, seq)
            yield f"game {seat.game[:8]}: {reports.of_paper(issued.game.chain, issued.paper)}"

    def pause(self, until: str) -> Iterator[str]:
        """Nothing is due in any game before a time: the terms that run are extended, later ones begin with that.

        What was done, a line each. UsageError; while the clock is in doubt too.
        """
        if doubt := self.watch.doubt():
            raise UsageError(doubt)
        if not clock.now() < until <= times.after(clock.now(), MOST_PAUSED):
            raise UsageError(f"a pause ends in the next {MOST_PAUSED} days, and can be made longer later")
        pauses.begin(self.home, until)
        for seat in self.seats():
            if events.of_head(self.home, seat.known.head) is None:
                yield from place.each(f"game {seat.game[:8]}", pauses.extend, self.home, self.key, seat, until)
        yield from presiding.not_paused(self.home)

    def _remind(self, seat: Seat, running: Running, event: Event | None) -> Iterator[str]:
        """Remind whoever owes a message. In a tournament the letter with the pairing may be what was lost."""
        side = seat.known.writer
        if side not in seat.keys or side == REFEREE:
            return
        person, desk = self.person(seat, side), partial(self.desks.at, seat)
        more = partial(presiding.lacking, event, person.key) if event is not None else None
        yield from reminders.write(self.home, self.address, seat, running, person, desk, more)

    def _held_back(self, seat: Seat, running: Running) -> str:
        """What is against it that a missed term ends a game by itself, in words; '' if nothing is known."""
        now = clock.now()
        if times.between(running.due, now) <= self.terms.grace * 3600:
            return "the term runs"
        paused = pauses.of(self.home, seat.known.head)
        if running.due < paused and times.between(paused, now) <= self.terms.grace * 3600:
            return f"nothing is due before {paused}, for a pause"  # no paper extends a term that was over already
        if seat.known.writer not in seat.keys or seat.known.writer == REFEREE:
            return "the referee owes the message"
        if unsettled := presiding.held_back(self.home, seat, running):
            return unsettled
        if unbegun := lateness.unbegun(seat, bound=self._bound(seat)):
            return unbegun
        stuck = seat.game in self.intake.stuck
        if stuck or deadlines.answered(self.home, seat.game, seat.known.newest + 1, seat.known.writer):
            return _STUCK if stuck else deadlines.WAITS
        if away := self.watch.away():
            return away
        person = self.person(seat, seat.known.writer)
        unread = person.question(f"the {seat.known.writer} side") if person.newer else ""
        if doubt := next((told for of in _DOUBTS for told in of(self.home, seat, running.received)), unread):
            return doubt
        sent = reminders.sent(self.home, seat.game, running, person)
        if lay := self.judge.short(self.desks.at(seat), running, sent):
            return lay
        return reminders.lacking(running, person, sent)

    def _call(self, seat: Seat, running: Running) -> Call:
        """Who is told that a game ends by itself."""
        found = {side: self.person(seat, side) for side in seat.keys if side != REFEREE}
        return lastcall.about(seat, running, pauses.of(self.home, seat.known.head), found, self.terms.director)

    def _last_call(self, seat: Seat, running: Running, event: Event | None) -> Iterator[str]:
        """Tell everybody that a game ends by itself, once; end it if nobody answers. All was looked through."""
        call = self._call(seat, running)
        yield from lastcall.write(self.home, call, self.desks.at(seat), self.address)
        if not lastcall.held_back(self.home, call, look=True) and (now := self.watch.now()):
            yield from self._forfeit(seat, running, event, now)

    def _bound(self, seat: Seat) -> bool:
        """Whether somebody loses a game who does not answer the newest message (protocol 2.3)."""
        return seat.known.newest >= referee.binding(self.desks.at(seat).game.chain)

    def _forfeit(self, seat: Seat, running: Running, event: Event | None, now: str) -> Iterator[str]:
        untold.add(
            self.home, f"game {seat.game[:8]}: it was to end by itself, because its term was missed {running.due}"
        )
        if event is not None:
            yield f"{event.book.rules.title}: {presiding.forfeit(self.home, event, seat.game, now)}"
            return
        issued = timekeeper.forfeit(
            seat.folder, self.key, now, presiding.log(self.home, seat, self.desks.at(seat).game)
        )
        yield f"game {seat.game[:8]}: {reports.of_paper(issued.game.chain, issued.paper)}, due {running.due}"

    def pending(self, doubt: str = "") -> list[str]:
        """What waits for the director, a line each. UsageError."""
        lines = [doubt + timing.SILENT] if doubt else []
        sure = not (doubt or self.watch.away())
        games = self.seats()
        gives = partial(presiding.gives, self.home, games)
        lines += absent.listed(self.home, clock.now()[:10], gives, games, sure=sure)
        proposed = proposals.to_referee(
            self.home, keyring.public_of(self.key), [seat.game for seat in games], self.intake.circle
        )
        lines += [*proposed, *map(str, seats.faults(self.home, self.intake.here))]
        lines += lost.gone(self.home, self.intake.here, games) if self.address else ()
        for event in events.directed(self.home):
            lines += place.each(event.book.rules.title, presiding.pending, self.home, event, clock.now())
        for seat in games:
            name = f"game {seat.game[:8]}"
            watched = lost.watched(self.home, seat, partial(self._pending, seat, doubt))  # it may be clock.json
            lines += place.each(name, map, f"{name}: {{}}".format, self._pending(seat, doubt) if doubt else watched)
        return lines

    def _pending(self, seat: Seat, doubt: str) -> Iterator[str]:
        event = events.of_head(self.home, seat.known.head)
        asked = (side for side in seat.keys if side != REFEREE and event is None and self.address)
        yield from filter(None, (self.person(seat, side).question(f"the {side} side") for side in asked))
        due = seat.known.newest + 1
        yield from filter(None, [_STUCK if seat.game in self.intake.stuck else "", deadlines.evidence(seat.folder)])
        if (
            event is None
            and "continues" in seat.known.head
            and not onward.owed(seat.folder, self.desks.at(seat).history, self.home)
        ):
            yield "it would continue another game, and nobody owes a message before that is agreed to"
            return
        if seat.known.writer == REFEREE and self.desks.at(seat).mine:
            yield f"message {due} is yours: 'kursk status {seat.game[:8]}' says what to do"
        if late := deadlines.late(self.home, seat):
            unknown = self.judge.unknown(self.desks.at(seat), late, sure=not doubt)
            yield lateness.told(seat.game, due, len(late), self._ends(seat, event), unknown)
        running, now = presiding.running(self.home, seat), clock.now()
        if running is None:
            if event is None and seat.known.writer:
                yield from self.judge.unsigned(self.desks.at(seat), seat, sure=not doubt)
            return
        if times.between(running.due, now) > self.terms.grace * 3600:
            ends = self._ends(seat, event)
            why = self._against(seat, running) if self.terms.forfeit == AUTOMATIC and ends else ""
            told = f" ({why})" if why not in ("", ends, deadlines.evidence(seat.folder)) else ""
            yield f"message {running.seq + 1} was due {clock.term(running.due)}{told}{ends and f': {ends}'}"

    def _against(self, seat: Seat, running: Running) -> str:
        """Why a missed term has not ended a game by itself, in words."""
        return self._held_back(seat, running) or lastcall.held_back(self.home, self._call(seat, running), look=False)

    def _ends(self, seat: Seat, event: Event | None) -> str:
        """What the director types to end a game by a missed term; that nobody loses it yet; '' if something waits."""
        if seat.game in self.intake.stuck:
            return ""
        bound = self._bound(seat)
        if event is not None:
            return presiding.ends(event, seat.game, seat.known.writer, bound=bound)
        return "'kursk forfeit'" if bound else lateness.UNBOUND
