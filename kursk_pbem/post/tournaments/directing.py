"""Tournaments in a referee's mailbox: deadlines by the log, reminders of draws and boards, open decisions.

The log contains the deadlines (docs/directors.md 6.5), so the days in ``referee.toml`` do not apply to tournaments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.referee.timekeeper import Log, Term
from kursk_pbem.errors import DiskError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.words import some
from kursk_pbem.post.mailbox import events, people
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.round import deadlines, notes
from kursk_pbem.post.round.deadlines import Running
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.round.notes import Note
from kursk_pbem.post.tournaments import entries
from kursk_pbem.tournament import boards, entrant_steps, open_papers, status, steps, timekeeping
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament.book import clocks, draws, outcomes
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.director import asking, decisions, mailing
from kursk_pbem.tournament.director import desk as director_desks
from kursk_pbem.tournament.records import Book, Entrant
from kursk_pbem.tournament.steps import Step


def granted(home: Path, head: Mapping[str, Any], side: str, term: Running) -> str:
    """Return the deadline of an answer, with all time granted by the tournament's log. Raises DiskError.

    An extension in the game only repeats a grant of the log, so the extension is not added again.
    """
    event = events.find_tournament(home, head)
    place = event.book.boards.get(str(head[boards.FIELD]["board"])) if event is not None else None
    if event is None or place is None:
        return term.due
    return max(term.due, clocks.compute_due(event.book, place.sides.get(side, ""), term.received, term.first))


def find_deadline(home: Path, game: Game) -> str:
    """Return the deadline of a game's next message, or '' if the newest message has no receipt."""
    signed = deadlines.signed_term(game, game.chain.next_seq - 1)
    return granted(home, game.chain.head, game.chain.writer(game.chain.next_seq), signed) if signed is not None else ""


def by_log(home: Path, game: Game) -> tuple[str, str]:
    """Return two texts, perhaps '': the log's decision on a game, and the deadline of the game's next message.

    Each entrant has a copy of the log. If the log is unreadable, the deadline comes from the game's own papers.
    """
    if game.over:
        return "", ""
    with suppress(DiskError):
        event = events.find_tournament(home, game.chain.head)
        if event is not None and (told := boards.explain_closed(event.book, game.chain.game)):
            return told, ""
        return "", find_deadline(home, game)
    return "", game.papers.due(game.chain.next_seq - 1)


def find_running_term(home: Path, seat: GameMail) -> Running | None:
    """Return the time limit that runs in a game, with time granted in a log, or None if no limit runs."""
    term, event = deadlines.running_term(seat), events.find_tournament(home, seat.known.head)
    if term is None or event is None:
        return term
    place = event.book.board_of(seat.game)
    agreed = place is not None and outcomes.find_agreement(event.book, place)
    if agreed or boards.explain_closed(event.book, seat.game):
        return None  # a reminded player would play past the signed end
    return replace(term, due=granted(home, seat.known.head, seat.known.writer, term))


def make_term(home: Path, head: Mapping[str, Any], usual: Term) -> Term:
    """Return the contents of a receipt. In a tournament, the rules and the log decide. Raises UsageError.

    A director's receipt is signed after accepting a paper, and names the newest log paper at this time.
    """
    if (event := events.find_directed(home, head)) is not None:
        most = clocks.latest_due(event.book, head[boards.FIELD])
        return Term(usual.received, days=event.book.rules.terms.days, late=True, most=most)
    keeper = timekeeping.find_keeper(head.get("tournament", {}), home)
    return usual if keeper is None else keeper.term(Term(usual.received, late=True))


def find_log_papers(home: Path, seat: GameMail, game: Game) -> Log:
    """Return the log paper that an assistant must name to forfeit a game. Raises UsageError before the deadline."""
    keeper = timekeeping.find_keeper(seat.known.head.get("tournament", {}), home)
    if keeper is None:
        return {}
    timekeeping.check_time_over(keeper.book, keeper.board, game, {"declared": clock.now()})
    return keeper.date


def make_end_command(event: Event, game: str, silent: str, *, bound: bool) -> str:
    """Return the command with which the director ends a game that ``silent`` (a side) delays, or its earliest time."""
    place = event.book.board_of(game)
    name = place.name if place is not None else "BOARD"
    if place is not None and not bound and clock.now() <= (until := clocks.begin_by(event.book, place)):
        return f"board {name} has until {times.tell(until)} to begin; only then can you judge the silence"
    other = next((side for side in place.sides if side != silent), "SIDE") if place is not None else "SIDE"
    said = f"forfeit {name}" if bound else f"judge {name} silence {other}"
    return f"'kursk tournament {said} --in {shell_word(event.folder)}'"


def is_elsewhere(home: Path, seat: GameMail) -> bool:
    """Return whether another machine directs a game's tournament. Raises DiskError."""
    return bool(seat.known.head.get(boards.FIELD)) and events.find_directed(home, seat.known.head) is None


def objections(home: Path, seat: GameMail, running: Running) -> Iterator[str]:
    """Yield the tournament log's reasons against ending a game because of a missed deadline."""
    if is_elsewhere(home, seat):
        yield "another machine directs the tournament: its log may give the player more time"
    event, late = events.find_directed(home, seat.known.head), seat.known.writer
    if event is not None and (place := event.book.board_of(seat.game)) is not None:
        term = (running.received, running.due)
        yield from filter(None, [open_papers.find_objection(event.book, place, seat.keys, late, term)])


def make_grant_command(home: Path, seats: Iterable[GameMail], game: str, until: str) -> str:
    """Return the command that gives a player more time, in a tournament or not. ``game``: its first 16 digits."""
    boards_ = [seat for seat in seats if seat.known.head.get(boards.FIELD) and seat.game.startswith(game)]
    if any(is_elsewhere(home, seat) for seat in boards_):
        return "the director of the tournament can give the time"
    extend = f"kursk referee extend game-{game} --until {until}"
    way = "kursk tournament grant WHO DAYS WHY --holiday" if boards_ else extend
    return f"'{way}' gives the time"


def not_paused(home: Path) -> Iterator[str]:
    """Yield a line for each tournament with running games. Only the log grants time, so a pause has no effect."""
    for event in events.list_directed(home):
        if any(board.game for board in event.book.going()):
            gives = f"'kursk tournament grant WHO DAYS WHY --holiday --in {shell_word(event.folder)}'"
            yield f"a pause does not extend the deadlines of {event.book.rules.title}; type {gives}"


def forfeit(home: Path, event: Event, game: str, declared: str) -> str:
    """End a game because a player missed the deadline. Return a line about the result. Raises KurskError."""
    place = event.book.board_of(game)
    if place is None:
        raise UsageError(f"game {game[:8]} does not belong to {event.book.rules.title} yet")
    told = decisions.forfeit_game(director_desks.open_desk(event.folder, home), place.name, declared)
    return f"board {place.name} is lost for the silent side; {told}"


def ask_for_log(home: Path, book: Book, key: str) -> None:
    """Ask a person once a day for a tournament's log. The mail contains a log paper; the person's program answers."""
    person, now = people.person_of(home, key), clock.now()
    name, text = mailing.bundle_news(book, book.head.seq)
    title = drafts.format_subject(book.id, f"please send the log of {book.rules.title}")
    lost = f"The log of {book.rules.title} ends here with paper {book.head.seq}; newer papers may be lost."
    how = "Without 'kursk post': mail a zip of the folders 'log' and 'papers' of your copy."
    parts = (f"{lost} 'kursk post' answers this mail with your copy of the log.",)
    lines = drafts.format_note(person.name, parts, ("kursk post",), how)
    note = Note(person.mark, person.reached, title, lines, game=book.id, files=((name, text.encode("ascii")),))
    if person.reached and not notes.is_written(home, now[:10], person.mark, asked := f"ask for the log {book.id}"):
        notes.write_note(home, note, people.load_own(home).address, now[:10], asked)


_Owed = tuple[Entrant, str, Running, list[str]]
"""An entrant's debt to the director: in words before its deadline, its term, and the lines of the letter."""


def remind_all(home: Path, event: Event, address: str, now: str) -> Iterator[str]:
    """Send entrants two reminders to reveal their secrets for a draw and to begin their games."""
    for entrant, what, term, lines in _list_debts(event):
        which, due, person = term.reminder(now), term.due, people.person_of(home, entrant.key)
        key = f"remind {event.game} {term.seq} {which} {what}"
        if not which or not person.reached or notes.is_written(home, due[:10], person.mark, key):
            continue
        title = drafts.format_subject(event.game, f"Reminder: {what} {times.tell_short(due)}")
        files = (event.bundle_log(entrant.key),)
        note = Note(person.mark, person.reached, title, lines, game=event.game, files=files)
        notes.write_note(home, note, address, due[:10], key)
        yield f"{event.book.rules.title}: reminded {entrant.name}: {what} {times.tell(due)}"


def _list_debts(event: Event) -> Iterator[_Owed]:
    """Yield the missing openings and proposals, because nothing else asks for a lost paper."""
    book, draw = event.book, find_open_draw(event.book)
    if draw is not None and draw.closed < 0:
        term = Running(draw.seq, book.log[draw.seq].text("time"), draws.closes_at(book, draw))
        for entrant in (book.entrants[entry] for entry in draw.entries if entry not in draw.openings):
            act = next(step.words for step in entrant_steps.list_steps(book, entrant) if step.mails)
            words = [f"Your answer for round {book.round + 1} of {book.rules.title} has not come."]
            lines = drafts.format_note(entrant.name, words, ("kursk post",), drafts.BY_HAND, f"{act}:")
            yield entrant, f"type 'kursk post' for round {book.round + 1} by", term, lines
    for board in book.undecided():
        number = boards.find_proposer(book, board) if board.sides_known and not board.game else ""
        if not number:
            continue
        term = Running(board.seq, clocks.pairing_time(book, board), clocks.begin_by(book, board))
        about = f"board {board.name} of {book.rules.title}, against {book.entrant(board.against(number)).called}"
        due = f"Your game on {about}, must begin by {times.tell(term.due)}. You propose it, and it has not arrived."
        again = (
            "If you have mailed the proposal, 'kursk outbox --again GAME' with the game's first digits mails it again."
        )
        commands = ("kursk post", f"kursk tournament propose {board.name}", "kursk post")
        lines = drafts.format_note(book.entrant(number).name, (due, again), commands)
        yield book.entrant(number), f"board {board.name} must have begun by", term, lines


def list_debtors(event: Event) -> set[str]:
    """Return the keys of entrants who owe the director a paper: a revealed secret or a proposal."""
    return {entrant.key for entrant, *_debt in _list_debts(event)}


def list_mail_steps(home: Path, event: Event) -> Iterator[Step]:
    """Yield the next steps about mail: of a director for received mails, of an entrant for unsent copies."""
    if not event.directed:
        yield from _list_uncopied(home, event)
        return
    if there := list(entries.list_papers(home, event.game)):
        names, former = some([show(paper.text("name")) for paper in there], 8), open_papers.list_outsiders(event.book)
        ask = "ask" if len(there) > 1 else "asks again" if there[0].sender in former else "asks"
        now, many = event.book.round, len(there) > 1
        start, until = (f" from round {now + 1} on", f"round {now} ends") if now else ("", "you close the field")
        accepts = f"{'invites' if now else 'accepts'} {'all (with NAME after inbox: only one)' if many else names}"
        yes = f" (round {now + 1} then waits up to {open_papers.PATIENCE} days for a yes)" * bool(now)
        what = f"{names} {ask} to take part{start}. Before {until}, this {accepts}{yes}"
        yield Step(what, steps.format_command("inbox", "--in", event.folder))
    known = ((name, people.person_of(home, key)) for key, name in event.list_recipients())
    if named := [name for name, person in known if person.asked and not person.reached]:
        why = f"no letter goes to {some(named, 8)} before you confirm the address; this command lists addresses"
        yield Step(why, "kursk people confirm --all")


def _list_uncopied(home: Path, event: Event) -> Iterator[Step]:
    """Yield the entrants who got no copy of an own paper, because their address is unknown."""
    waiting = {event.reader(path.stem) for path in drafts.list_unsent(event.record.letters)}
    others = [(key, name) for key, name in event.list_recipients() if key in waiting and key != event.book.rules.key]
    lost = [name for key, name in others if not people.person_of(home, key).reached]
    if lost and not event.book.ended:
        why = f"No copy of your paper went to {some(lost, 8)}: the director has passed on no card of theirs"
        yield Step(f"{why}. If you know an address", "kursk people add NAME ADDRESS")


def list_pending(home: Path, event: Event, now: str, *, mail: bool = False) -> Iterator[str]:
    """Yield a line for each open decision. ``mail``: for a letter, without waits."""
    book, title = event.book, event.book.rules.title
    asked = (people.person_of(home, key).question(name) for key, name in event.list_recipients())
    open_ = (Step(line) for line in (asking.explain_wait(event.record, book), *asked) if line)
    useless = (Step(line, waits=True) for line in open_papers.describe_useless(book))
    rows = status.list_boards(book, event.folder, now)
    then = [] if book.ended else [steps.next_step(book, event.folder, now, rows)]
    there = (*open_, *list_mail_steps(home, event), *useless, *steps.list_decisions(book, event.folder, now), *then)
    for step in there:
        if not mail:
            yield f"{title}: {step}"
        elif not step.waits:
            yield "\n".join([f"{title}: {step.words}", *([step.command] if step.command else [])])
