"""The referee's part of a round: automatic work after the mails, and decisions for the director.

The mailbox signs receipts by arrival times, reminds players, and answers in words. All else is listed for the director.
No game is ended automatically (decision 77).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from kursk_pbem.desk.deals import director
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.referee import grants, successor_terms, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.desk.referee.timekeeper import Opened
from kursk_pbem.errors import KurskError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import in_header
from kursk_pbem.game import keyring, reports
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.mailbox import events, people, store, task_guard
from kursk_pbem.post.mailbox.letter import MESSAGE, Item
from kursk_pbem.post.mailbox.outbox import Box
from kursk_pbem.post.referee import absences, answers, lateness, overdue
from kursk_pbem.post.referee.lateness import Judge
from kursk_pbem.post.referee.mail_commands import CommandHandler
from kursk_pbem.post.referee.overdue import Overdue
from kursk_pbem.post.referee.terms import AUTOMATIC, Terms
from kursk_pbem.post.round import deadlines, game_mail, notes, proposals, writing
from kursk_pbem.post.round.deadlines import Running
from kursk_pbem.post.round.due import Due
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.round.writing import Desks
from kursk_pbem.post.tournaments import directing
from kursk_pbem.report.layout import wrap
from kursk_pbem.tournament import letters
from kursk_pbem.trust import referee
from kursk_pbem.trust.papers import PAUSE

MOST_PAUSED = 60
"""Maximum days of a pause, so that a forgotten pause ends by itself."""

_LISTED = ("list seen", "list mailed", "list")
"""Settings: the days when the director's list was made and mailed, and its lines."""
_WEEK, _SUBJECT = 7 * times.DAY, 90


@dataclass
class RefereeRound:
    """A referee's part of a mail round: receipts, reminders, open decisions. ``intake`` has the open games.

    ``address``: the mailbox's; it may be '' if the director only looks. ``commands``: the handler of mailed commands.
    """

    intake: Intake
    key: Path
    terms: Terms
    address: str
    commands: CommandHandler = field(init=False)
    judge: Judge = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.intake.home
        self.desks = Desks(self.home, self.intake.open)
        self.commands = CommandHandler(self.home, self.address, self.refereed_games, self.desks.at)
        self.use_terms(self.terms)

    def use_terms(self, terms: Terms) -> None:
        """Use other terms from now on."""
        self.terms, self.judge = terms, Judge(self.home, self.key, terms)
        self.intake.late, self.intake.admit = self.judge.late, terms.entries == AUTOMATIC

    def refereed_games(self) -> list[GameMail]:
        """Return the games that this mailbox's owner referees. Raises UsageError."""
        return [seat for seat in game_mail.list_games(self.home, self.intake.here, self.key) if seat.side == REFEREE]

    def work(self) -> list[str]:
        """Sign receipts, send reminders and list the director's open decisions; return lines. Raises UsageError."""
        told = self._remind_entrants() if self.terms.remind else []
        try:
            games = self.refereed_games()
        except (KurskError, OSError) as error:
            return [*told, f"no receipts and reminders are written: {error}"]
        for seat in games:
            told += task_guard.run_task(self.home, f"game {seat.game[:8]}", self._work_on_game, seat)
        return [*told, *task_guard.run_task(self.home, "the list for the director", self._mail_list)]

    def _remind_entrants(self) -> list[str]:
        """Remind entrants of openings and proposals; return lines."""
        told, now = list[str](), clock.now()
        for event in events.list_directed(self.home):
            name = event.book.rules.title
            told += task_guard.run_task(self.home, name, directing.remind_all, self.home, event, self.address, now)
        return told

    def remind_directed(self) -> list[str]:
        """Send the reminders of tournaments if the director has no referee's mailbox; return lines."""
        told = self._remind_entrants()
        for known, _director in events.list_games(self.home):
            told += task_guard.run_task(self.home, f"game {known.short}", self._remind, GameMail(known, REFEREE))
        return told

    def _mail_list(self) -> Iterator[str]:
        """Write the director's list when it changes, at most once a day, or each week: the list reads every game."""
        day, (seen, mailed, before) = clock.now()[:10], (store.load_setting(self.home, name) for name in _LISTED)
        if self.terms.director and seen != day:
            pending = self.list_pending(mail=True)
            listed = "\n".join(pending)
            old = times.seconds_between(f"{mailed or day}T00:00:00Z", clock.now()) >= _WEEK
            if pending and (listed != before or old):
                more = f"; {len(pending) - 1} more" if pending[1:] else ""
                first = pending[0].splitlines()[0].partition(". ")[0].replace(": ", ", ", 1)
                title = f"kursk: {in_header(first, _SUBJECT)}{more}"
                note = notes.Note(notes.NOBODY, self.terms.director, title, [*_format_list(pending)])
                notes.write_note(self.home, note, self.address, day, f"list {day}")
                mailed = day
            for name, value in zip(_LISTED, (day, mailed, listed), strict=True):
                store.save_setting(self.home, name, value)
        yield from ()

    def _work_on_game(self, seat: GameMail) -> Iterator[str]:
        """Do the due work in one game. A tournament's receipts are signed with its papers."""
        if seat.known.writer == REFEREE and seat.rolled:
            if answered := director.sign_if_owed(self.desks.at(seat), str(self.key)):  # the key may have been missing
                self.intake.open[seat.game] = answered.history
                yield f"game {seat.game[:8]}: you have rolled the dice in your overdue message {answered.last.seq}"
            seat = replace(seat, known=replace(seat.known))  # the current state
        event = events.find_directed(self.home, seat.known.head)
        if event is None:
            yield from self._sign_receipts(seat)
        if not seat.known.head.get("tournament"):  # a log contains all times
            yield from self._extend_term(seat, store.load_setting(self.home, lateness.PAUSE), clock.now())
        if self.terms.remind:
            yield from self._remind(seat)
        if (running := directing.find_running_term(self.home, seat)) is not None:
            overdue.ask_players(self.home, seat, running)

    def _remind(self, seat: GameMail) -> Iterator[str]:
        """Remind the player due to write: at half of the term and one day before its end, once each.

        At half of the term the reminder waits until a day after a letter to the player, or three after a repetition.
        Attachments: the last message with the game before it, and the papers about it.
        """
        running, side = directing.find_running_term(self.home, seat), seat.known.writer
        if running is None or side not in seat.keys or side == REFEREE:
            return
        event, which = events.find_directed(self.home, seat.known.head), running.reminder(clock.now())
        person, key = people.person_of(self.home, seat.keys[side]), f"remind {seat.game} {running.seq} {which}"
        if not which or not person.reached or notes.is_written(self.home, running.due[:10], person.mark, key):
            return
        box = Box(self.home, seat.game)
        at, copy = max(((box.delivery_of(one, person.mark).at, one.edition) for one in box.letters()), default=("", 0))
        if which == "half" and at and times.seconds_between(at, clock.now()) < (3 if copy else 1) * times.DAY:
            return
        desk = self.desks.at(seat)
        ends = event is not None or self._is_bound(seat)
        about = Due(seat, (side,), (Item(MESSAGE, running.seq, desk.game.chain.ids[running.seq]),), ())
        lines = writing.write_reminder(about, desk, self.home, running.due, ends=ends)
        what = f"Reminder: your message {running.seq + 1} is due {times.tell_short(running.due)}"
        subject = writing.write_subject(desk, what)
        files = answers.attach_files(desk, seat, running.seq)
        if seat.newest_of(side) < 0 < running.seq:  # message 0 may be lost
            files = (*answers.attach_files(desk, seat, 0), *files)
        files += () if event is None else (event.bundle_log(person.key),)
        note = notes.Note(person.mark, person.reached, subject, lines, game=seat.game, files=files)
        notes.write_note(self.home, note, self.address, running.due[:10], key)
        yield f"game {seat.game[:8]}: reminded {person.name or side}"

    def _sign_receipts(self, seat: GameMail) -> Iterator[str]:
        """Sign the possible receipts: for each received message, or for our own answered message."""
        for seq in deadlines.list_unreceipted(seat):
            desk = self.desks.at(seat)
            owed = successor_terms.is_message_owed(seat.folder, desk.history, self.home)
            if not owed or not (term := self.judge.term(desk, seq)).received:
                return
            issued = timekeeper.sign_receipt(Opened(seat.folder, desk.history, seq, self.home), self.key, term, seq)
            yield f"game {seat.game[:8]}: {reports.describe_paper(issued.game.chain, issued.paper)}"

    def pause(self, until: str) -> Iterator[str]:
        """Start a pause in all games: move the running deadlines, and yield a line for each. Raises UsageError.

        A deadline set during the pause is moved, too.
        """
        if not clock.now() < until <= times.add_days(clock.now(), MOST_PAUSED):
            raise UsageError(f"a pause can end at most {MOST_PAUSED} days from now; you can extend the pause later")
        if until < (before := store.load_setting(self.home, lateness.PAUSE)):
            raise UsageError(f"the pause ends on {before}, as you ordered; a pause can only be made longer")
        store.save_setting(self.home, lateness.PAUSE, until)
        for seat in self.refereed_games():
            if events.find_directed(self.home, seat.known.head) is None:
                yield from task_guard.run_task(self.home, f"game {seat.game[:8]}", self._extend_term, seat, until)
        yield from directing.not_paused(self.home)

    def _extend_term(self, seat: GameMail, until: str, since: str = "") -> Iterator[str]:
        """Extend the running term to the end of a pause, unless the term ended before ``since``.

        Every round does so, because a receipt may contain a time before the pause.
        """
        running = deadlines.running_term(seat)
        if running is not None and seat.known.writer != REFEREE and since <= running.due < until:
            issued = grants.extend_deadline(seat.folder, self.key, Grant(until=until, cause=PAUSE))
            yield f"game {seat.game[:8]}: {reports.describe_paper(issued.game.chain, issued.paper)}"

    def list_overdue(self) -> Iterator[Overdue]:
        """Yield the missed deadlines at which the director may end a game. Raises KurskError."""
        for seat in self.refereed_games():
            term = directing.find_running_term(self.home, seat)
            missed = self._missed_term(seat, term) if term is not None and self._is_bound(seat) else None
            if missed is not None and not overdue.explain_wait(self.home, seat):
                yield missed

    def _missed_term(self, seat: GameMail, term: Running) -> Overdue | None:
        """Return a player's missed term, or None if the term runs or the referee must write."""
        side, grace = seat.known.writer, self.terms.grace
        if side not in seat.keys or side == REFEREE or times.seconds_between(term.due, clock.now()) <= grace * 3600:
            return None
        log = " and the log of the tournament" if seat.known.head.get("tournament") else ""
        rule = f"the receipt of message {term.seq}{log}, with {grace} hours of grace"
        said = (*directing.objections(self.home, seat, term), *overdue.list_objections(self.home, seat, term.received))
        return Overdue(seat, term, rule, self._forfeit_command(seat), said)

    def forfeit(self, missed: Overdue) -> str:
        """End a game because of a missed deadline, on the director's command; return a line. Raises KurskError."""
        seat, now = missed.seat, clock.now()
        if (event := events.find_directed(self.home, seat.known.head)) is not None:
            return f"{event.book.rules.title}: {directing.forfeit(self.home, event, seat.game, now)}"
        log = directing.find_log_papers(self.home, seat, self.desks.at(seat).game)
        issued = timekeeper.forfeit(seat.folder, self.key, now, log)
        return f"game {seat.game[:8]}: {reports.describe_paper(issued.game.chain, issued.paper)}, due {missed.term.due}"

    def _is_bound(self, seat: GameMail) -> bool:
        """Return whether silence now loses the game (protocol 2.3)."""
        return seat.known.newest >= referee.binding_seq(self.desks.at(seat).game.chain)

    def list_pending(self, *, mail: bool = False) -> list[str]:
        """Return a line for each open decision; ``mail``: for a letter. Raises UsageError."""
        games = self.refereed_games()
        lines = [
            *absences.list_absences(self.home, games),
            *proposals.list_to_referee(self.home, keyring.find_public_key(self.key), [seat.game for seat in games]),
            *map(str, game_mail.list_faults(self.home, self.intake.here)),
        ]
        for event in events.list_directed(self.home):
            work = partial(directing.list_pending, self.home, event, clock.now(), mail=mail)
            lines += task_guard.run_task(self.home, event.book.rules.title, work)
        for seat in games:
            name = f"game {seat.game[:8]}"
            lines += task_guard.run_task(self.home, name, map, f"{name}: {{}}".format, self._list_pending(seat))
        return lines

    def _list_pending(self, seat: GameMail) -> Iterator[str]:
        event, due = events.find_directed(self.home, seat.known.head), seat.known.newest + 1
        asked = (side for side in seat.keys if side != REFEREE and event is None and self.address)
        questions = (people.person_of(self.home, seat.keys[side]).question(f"the {side} side") for side in asked)
        yield from filter(None, questions)
        goes_on = event is None and "continues" in seat.known.head
        if goes_on and not successor_terms.is_message_owed(seat.folder, self.desks.at(seat).history, self.home):
            yield "this game continues another game: both players must agree first"
            return
        if seat.known.writer == REFEREE and self.desks.at(seat).mine:
            yield f"message {due} is yours: 'kursk status {seat.game[:8]}' lists the commands"
        if deadlines.list_late(self.home, seat):
            yield f"message {due} is late: type 'kursk referee pass {seat.game[:8]}', or {self._forfeit_command(seat)}"
        running = directing.find_running_term(self.home, seat)
        if running is None:
            if event is None and seat.known.writer:
                yield from self.judge.describe_unsigned(self.desks.at(seat), seat)
        elif (missed := self._missed_term(seat, running)) is not None:
            yield f"{missed.told}: {overdue.explain_wait(self.home, seat) or missed.ends}"
            yield from (f"  but {line}" for line in missed.against)

    def _forfeit_command(self, seat: GameMail) -> str:
        """Return the command to end a game by a missed term, or a note that the game is not bound yet."""
        bound = self._is_bound(seat)
        if (event := events.find_directed(self.home, seat.known.head)) is not None:
            return directing.make_end_command(event, seat.game, seat.known.writer, bound=bound)
        return f"'kursk referee forfeit {shell_word(seat.folder)}'" if bound else lateness.UNBOUND


def _format_list(pending: list[str]) -> Iterator[str]:
    """Yield the lines of the letter to the director: a paragraph for each decision, with its command."""
    for line in pending:
        words, _break, command = line.partition("\n")
        yield from (*wrap(f"{words}:" if command else words, width=letters.WIDTH, cut_words=False), "")
        yield from (f"    {command}", "") if command else ()
    yield from ("-- ", "'kursk referee' lists your decisions, and what waits without you.")
