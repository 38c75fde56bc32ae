"""What a mailbox that referees does for a tournament: terms by its log, reminders of draws and boards, what waits.

The log says how long an answer has (docs/directors.md 6.5), so the days in ``referee.toml`` count for no game of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.errors import DiskError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.words import plural
from kursk_pbem.post.mailbox import events, people
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.referee import deadlines, timing
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.round import notes
from kursk_pbem.post.round.notes import Note
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.post.tournaments import held
from kursk_pbem.tournament import boards, keeping, status, unsettled
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament.book import clocks, draws, outcomes
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import Board, Entrant
from kursk_pbem.tournament.office import decisions, post
from kursk_pbem.tournament.office import office as offices
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.unsettled import Missed


def board(event: Event, game: str) -> Board | None:
    """The board that a game is, None if the log does not say so yet."""
    return next((board for board in event.book.boards.values() if board.game == game), None)


def granted(event: Event, head: Mapping[str, Any], side: str, term: Running) -> str:
    """When an answer is due with everything that the log has granted, in the game of the board that message 0 names.

    An extension in the game only carries that: what it gives is not given twice.
    """
    place = event.book.boards.get(str(head[boards.FIELD]["board"]))
    said = clocks.term(event.book, place.sides.get(side, ""), term.received, term.first) if place is not None else ""
    return max(term.due, said)


def received(home: Path, desk: Desk, seq: int, turn: str) -> str:
    """When a message came (timing.of_turn); in a game that goes on as another not before the log says that it does.

    It may have come days before, with an offer: nobody owed an answer to it.
    """
    came_at, chain = timing.of_turn(home, desk, seq, turn), desk.game.chain
    if "continues" not in chain.head or not came_at:
        return came_at
    event = events.of_head(home, chain.head)
    logged = board(event, chain.game) if event is not None else None
    if event is None or logged is None:
        return came_at
    return max(came_at, event.book.log[logged.games[-1][1]].text("time"))


def due(home: Path, game: Game, seq: int) -> str:
    """When the answer to a message is due, in a tournament with what its log has granted; '' without a receipt."""
    signed = deadlines.signed(game, seq)
    return due_with_log(home, game, signed) if signed is not None else ""


def by_log(home: Path, game: Game) -> tuple[str, str]:
    """Return how a game's board was judged ('' if it was not), and when its next message is due ('' for never).

    Whoever plays in a tournament has a copy of its log; where that cannot be read the papers of the game count.
    """
    if game.over:
        return "", ""
    with suppress(DiskError):
        event = events.timed(home, game.chain.head)
        if event is not None and (told := boards.judged(event.book, game.chain.game)):
            return told, ""
        return "", due(home, game, game.chain.next_seq - 1)
    return "", game.papers.due(game.chain.next_seq - 1)


def due_with_log(home: Path, game: Game, term: Running) -> str:
    """When an answer is due whose term is known, in a tournament with what its log has granted."""
    event, head = events.timed(home, game.chain.head), game.chain.head
    return granted(event, head, game.chain.writer(term.seq + 1), term) if event is not None else term.due


def running(home: Path, seat: Seat) -> Running | None:
    """The term that runs in a game, in a tournament with what its log has granted; None where nobody owes anything."""
    term, event = deadlines.running(seat), events.timed(home, seat.known.head)
    if term is None or event is None:
        return term
    if boards.closed(event.book, seat.game):
        return None
    return replace(term, due=granted(event, seat.known.head, seat.known.writer, term))


def term(home: Path, head: Mapping[str, Any], usual: Term) -> Term:
    """What a receipt says: as usual, and in a tournament what its rules and log say. UsageError.

    The director's receipts are signed as papers are taken, and name the log then.
    """
    if (event := events.of_head(home, head)) is not None:
        most = clocks.most(event.book, head[boards.FIELD])
        return Term(usual.received, days=event.book.rules.terms.days, late=True, most=most)
    keeper = keeping.find(head.get("tournament", {}), home, keeping.RECEIPT)
    return usual if keeper is None else keeper.term(Term(usual.received, late=True))


def log(home: Path, seat: Seat, game: Game) -> dict[str, str]:
    """What an assistant's forfeit names of the log, nothing outside of one. UsageError before the term is over."""
    keeper = keeping.find(seat.known.head.get("tournament", {}), home, keeping.FORFEIT)
    if keeper is None:
        return {}
    keeping.check_over(keeper.book, keeper.board, game, clock.now())
    return keeper.log


def ends(event: Event, game: str, silent: str, *, bound: bool) -> str:
    """What the director types to end a game whose term the ``silent`` side has missed, before or after it is bound."""
    place = board(event, game)
    name = place.name if place is not None else "BOARD"
    other = next((side for side in place.sides if side != silent), "SIDE") if place is not None else "SIDE"
    said = f"forfeit {name}" if bound else f"judge {name} silence {other}"
    return f"'kursk tournament {said} --in {shell_word(event.folder)}'"


def elsewhere(home: Path, seat: Seat) -> bool:
    """Whether a game is of a tournament that is directed elsewhere: here sits an assistant, perhaps. DiskError."""
    return bool(seat.known.head.get(boards.FIELD)) and events.of_head(home, seat.known.head) is None


def agreed(event: Event | None, game: str) -> bool:
    """Whether both players of a board have signed how it ended: who is reminded of a message would play past that."""
    place = board(event, game) if event is not None else None
    return event is not None and place is not None and outcomes.agreement(event.book, place) is not None


def against(home: Path, seat: Seat, running: Running) -> Iterator[str]:
    """Yield what the log of its tournament says against ending a game by a missed term."""
    if elsewhere(home, seat):
        yield "its tournament is directed elsewhere: the log may have granted time that is not known here"
    event, late = events.of_head(home, seat.known.head), seat.known.writer
    if event is not None and (place := board(event, seat.game)) is not None:
        missed = Missed(late, running.received, running.due, seat.keys)
        yield from filter(None, [unsettled.why(event.book, place, missed)])


def gives(home: Path, seats: Iterable[Seat], game: str, mark: str, until: str) -> str:
    """What gives somebody time, in words: in a tournament its log does, which may be elsewhere, otherwise an extension.

    ``game``, ``mark``: the first 16 digits of both.
    """
    heads = [seat.known.head for seat in seats if seat.game.startswith(game)]
    for event in events.directed(home):
        here = any(dict(head.get(boards.FIELD, {})).get("id") == event.game for head in heads)
        if here or any(board.game.startswith(game) for board in event.book.boards.values()):
            who = (entrant.number for entrant in event.book.entrants.values() if people.mark(entrant.key)[:16] == mark)
            given = f"grant {next(who, 'WHO')} DAYS WHY --holiday"
            return f"'kursk tournament {given} --in {shell_word(event.folder)}' gives them that time"
    if any(head.get(boards.FIELD) for head in heads):
        return "the director of its tournament, who is not told of it by this mailbox, gives them that time"
    return f"'kursk extend game-{game} --until {until}' gives them that time"


def not_paused(home: Path) -> Iterator[str]:
    """Which tournaments have games under way, and how they get time where other games are paused; a line each."""
    for event in events.directed(home):
        if any(board.game for board in event.book.going()):
            gives = f"'kursk tournament grant WHO DAYS WHY --holiday --in {shell_word(event.folder)}'"
            yield f"{event.book.rules.title}: its games are not paused; its log gives time: {gives}"


def forfeit(home: Path, event: Event, game: str, declared: str) -> str:
    """End a game for the side that has missed its term, at this time; what was done, in words. KurskError."""
    place = board(event, game)
    if place is None:
        raise UsageError(f"game {game[:8]} is no board of {event.book.rules.title} yet")
    told = decisions.forfeit(offices.sit(event.folder, home), place.name, declared)
    return f"board {place.name} is lost for the side that has not answered; {told}"


@dataclass(frozen=True)
class _Owed:
    """What somebody owes the director: ``what``, ``until`` which day, its ``term``, and the ``lines`` of the letter."""

    entrant: Entrant
    what: str
    until: str
    term: Running
    lines: tuple[str, ...]


def remind(home: Path, event: Event, address: str, now: str) -> Iterator[str]:
    """Remind whoever has not opened in a draw, and whose board has not begun: twice, as of a turn, once each."""
    for owed in (*_openings(event), *_beginnings(event)):
        which = owed.term.reminder(now)
        due, person = owed.term.due, people.known(home, owed.entrant.key)
        key = f"{owed.term.key(event.game, which)} {owed.what}"
        if not which or not person.reached or notes.known(home, due[:10], person.mark, key):
            continue
        title = drafts.subject(event.game, f"a reminder: {owed.what} {owed.until} {times.said(due)}")
        body = notes.listed([f"Dear {owed.entrant.name},", "", *owed.lines])
        files = (lacking(event, owed.entrant.key),)
        note = Note(person.mark, person.reached, title, body, game=event.game, files=files)
        notes.write(home, note, address, due[:10], key)
        yield f"{event.book.rules.title}: reminded {owed.entrant.name} of {owed.what}"


def _openings(event: Event) -> Iterator[_Owed]:
    """The openings of the draw under way that have not come."""
    book, draw = event.book, open_draw(event.book)
    if draw is None:
        return
    term = Running(draw.seq, book.log[draw.seq].text("time"), draws.answers_until(book, draw))
    lines = (
        f"your opening of draw {draw.number} of {book.rules.title} is due",
        f"{clock.term(term.due)}.",
        "Your program opens by itself: 'kursk post' takes this mail and sends",
        "what it signs, or 'kursk tournament inbox FILE' does.",
    )
    for entrant in _missing(event):
        yield _Owed(entrant, f"draw {draw.number}", "is open until", term, lines)


def _beginnings(event: Event) -> Iterator[_Owed]:
    """The games that are to be proposed, and of which nothing has come here: nothing else asks for a lost proposal."""
    book = event.book
    for board in book.undecided():
        number = boards.proposer(book, board) if board.sides_known and not board.games else ""
        if not number:
            continue
        term = Running(board.seq, clocks.paired(book, board), clocks.begin_by(book, board))
        lines = (
            f"the game of board {board.name} of {book.rules.title} has not come here.",
            "It is yours to propose, and must have begun by",
            f"{clock.term(term.due)}.",
            f"'kursk tournament propose {board.name}' writes it, 'kursk post' sends it.",
            "If you have sent it, it was lost: 'kursk outbox --again GAME/0', with the",
            "first eight digits of the game for GAME, and then 'kursk post'.",
        )
        yield _Owed(book.entrant(number), f"board {board.name}", "must have begun by", term, lines)


def lacking(event: Event, key: str) -> tuple[str, str, bytes]:
    """The log papers that the owner of a key has not shown to have, as a file of a letter."""
    name, text = post.news(event.book, post.newest_seen(event.book).get(key, -1) + 1)
    return name, letters.YAML, text.encode("ascii")


def _missing(event: Event) -> list[Entrant]:
    """Who is still to open in the draw under way."""
    draw = open_draw(event.book)
    listed = draw.entries if draw is not None else ()
    return [event.book.entrants[entry] for entry in listed if draw is not None and entry not in draw.openings]


def pending(home: Path, event: Event, now: str) -> Iterator[str]:
    """What waits for the director, a line each."""
    title = event.book.rules.title
    if there := [paper for paper in held.every(home, event.game) if paper.type in fields.STRANGERS]:
        who, number = held.listed(there), plural(len(there), "paper")
        takes = f"'kursk tournament inbox --in {shell_word(event.folder)}' takes all, with a NAME that one"
        yield f"{title}: {number} of strangers: {who}; {takes}"
    for key, name in event.called():
        if asked := people.known(home, key).question(name):
            yield f"{title}: {asked}"
    yield from (f"{title}: {line}" for line in (*status.waiting(event.book, now), *_next(event)))


def _next(event: Event) -> list[str]:
    return status.next_lines(event.book, event.folder) if not event.book.ended else []
