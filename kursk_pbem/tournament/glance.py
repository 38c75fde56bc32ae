"""The tournaments of a private folder at a glance: what stands and what waits for a director, an entrant's place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.errors import KurskError
from kursk_pbem.formats import times
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, private, reader, status
from kursk_pbem.tournament.book import bidding, clocks
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import SPENT, Board, Book, Entrant
from kursk_pbem.tournament.entrant import seat
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.score import listing
from kursk_pbem.tournament.score.table import standings
from kursk_pbem.tournament.site import view
from kursk_pbem.trust import keys

_WITNESS = "You are the witness: your program opens your secret once the openings of a draw are closed."
_NOT_YET = "Your entry is not acknowledged yet."


@dataclass(frozen=True)
class Row:
    """One board: its name, who plays, how it stands, when something is due ('' for nothing), whether that is over."""

    board: str
    players: str
    stands: str
    due: str = ""
    late: bool = False


@dataclass(frozen=True)
class Glance:
    """One tournament. ``role``: director or entrant; ``lines``: where it stands; ``next``: what comes.

    ``fault``: why nothing else can be said, '' otherwise.
    """

    title: str
    role: str
    lines: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    next: tuple[str, ...] = ()
    fault: str = ""


def every(home: Path, now: str) -> list[Glance]:
    """All tournaments of a private folder; one that cannot be read says why and hides no other."""
    records, faults = private.survey(home)
    glances = [Glance("A tournament", "", fault=str(fault)) for fault in faults]
    for own in records:
        try:
            book = reader.book(Path(own.folder))
            glances.append(
                _of_director(own, book, now) if own.role == private.DIRECTOR else _of_entrant(own, book, now)
            )
        except KurskError as error:
            glances.append(Glance(Path(own.folder).name, own.role, fault=str(error)))
    return glances


def _of_director(own: Record, book: Book, now: str) -> Glance:
    folder = Path(own.folder)
    rows = tuple(
        Row(line.board, line.players, _whose(line), _due(line.due, now), line.late)
        for line in status.boards(book, folder, now)
    )
    waiting = tuple(f"waits for you: {what}" for what in status.waiting(book, now))
    head = f"round {book.round}, log paper {book.head.seq}, head {book.head.id[:32]}"
    return Glance(book.rules.title, own.role, (head,), rows, (*waiting, *status.next_lines(book, folder)))


def _whose(line: status.Line) -> str:
    return f"{line.stands}; {line.waits_for} writes" if line.waits_for else line.stands


def _due(due: str, now: str) -> str:
    """Until when, in words; '' where nothing is due."""
    return times.term(due, now) if due else ""


def of_entrant(own: Record, book: Book) -> list[str]:
    """What an entrant is to know when they look: their place, and what they have to do."""
    key = keys.read_public(Path(f"{own.key}.pub"))
    me = book.by_key(key)
    if key == book.rules.witness:
        return [_WITNESS, *_unlogged(own, book)]
    return [*_place(book, me), *_next(book, me), *_unlogged(own, book)] if me is not None else [_NOT_YET]


def _unlogged(own: Record, book: Book) -> Iterator[str]:
    """Say which papers the log has not acknowledged."""
    for paper in seat.unlogged(own, book):
        what = f"{paper.type} of draw {paper.text('draw')}" if "draw" in paper.content else paper.type
        yield f"Not in the log yet: your {what}, signed {times.said(paper.text('time'))}. 'kursk post' mails it again."


def _of_entrant(own: Record, book: Book, now: str) -> Glance:
    me = book.by_key(keys.read_public(Path(f"{own.key}.pub")))
    if me is None:
        return Glance(book.rules.title, own.role, tuple(of_entrant(own, book)))
    rows, to_do = tuple(_rows(book, me, now)), (*_next(book, me), *_unlogged(own, book))
    return Glance(book.rules.title, own.role, tuple(_place(book, me)), rows, to_do)


def _place(book: Book, me: Entrant) -> Iterator[str]:
    """Where somebody stands."""
    if not me.number:
        yield "You have entered; numbers come with the first draw."
        return
    row = next((row for row in standings(book).rows if row.number == me.number), None)
    if row is None or not book.round:
        yield f"You are number {me.number}."
        return
    places = len(book.ranked())
    place = f"place {row.place} of {places} with {plural(row.points, 'point')}"
    yield f"You are number {me.number}, {place} {listing.when(book, book.round)}."
    if how := book.rounds[-1].spent.get(me.number):
        yield f"You have no game in round {book.round}: {SPENT[how]}."


def _rows(book: Book, me: Entrant, now: str) -> Iterator[Row]:
    """One's own boards, the newest first."""
    for board in reversed(list(book.boards.values())):
        if me.number in board.sides.values():
            side = board.side_of(me.number) if board.sides_known else "sides are bid for"
            due = "" if board.decided else _due(clocks.round_due(book, board.round), now)
            against = book.entrant(board.against(me.number)).called
            yield Row(board.name, f"against {against}, {side}", view.result(board), due)


def _to_begin(book: Book, board: Board, me: Entrant) -> str:
    """What begins one's own game of a board."""
    if not board.sides_known:
        if board.bids_seq >= 0:
            until = times.said(bidding.until(book, board))
            there = "is in the log" if me.number in bidding.opened(book, board) else f"is not in the log; due {until}"
            return f"the bids are sealed, and your opening {there}"
        return f"'kursk tournament bid {board.name} SIDE PRICE' seals your bid for a side"
    number = boards.proposer(book, board)
    if number == me.number:
        other = book.entrant(board.against(me.number)).called
        writes = "mail what 'kursk tournament propose' writes"
        return f"you propose it: if you have not yet, {writes} to {other} and to the director"
    who = book.entrant(number).called if number else "the director"
    return f"{who} proposes it, and you take their mail with 'kursk accept FILE'"


def _next(book: Book, me: Entrant) -> Iterator[str]:
    """What somebody has to do."""
    draw = open_draw(book)
    if draw is not None and me.entry in draw.openings:
        (paper, *_more) = draw.openings[me.entry]
        yield f"Your opening of draw {draw.number} is in the log: paper {book.received[paper.id]}."
    elif draw is not None and me.entry in draw.entries and draw.closed >= 0:
        yield f"Draw {draw.number} was closed without your opening: you sit out its round."
    elif draw is not None and me.entry in draw.entries:
        yield f"Draw {draw.number} is open: mail the opening that 'kursk tournament inbox' has written."
    for board in book.undecided():
        if me.number in board.sides.values() and not board.games:
            yield f"Board {board.name}: {_to_begin(book, board, me)}."
    if book.ended:
        yield "The tournament has ended."
