"""The state of a tournament for the commands and the board's home page: boards and next steps.

Games are not verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from pathlib import Path

from kursk_pbem.desk.ground import machine
from kursk_pbem.errors import KurskError
from kursk_pbem.formats import times
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import entrant_steps, letters, open_papers, pace, private, sights, steps
from kursk_pbem.tournament.book import bidding, clocks, reading
from kursk_pbem.tournament.papers.store import GAMES
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import GONE, SPENT, Board, Book
from kursk_pbem.tournament.steps import Line, Step
from kursk_pbem.trust import keys


@frozen
class Status:
    """The state of a tournament for one person. ``role``: director, entrant, or '' for a spectator."""

    title: str
    role: str
    book: Book | None = field(default=None, repr=False)
    head: str = ""
    lines: tuple[str, ...] = ()  # facts
    rows: tuple[Line, ...] = ()
    waiting: tuple[Step, ...] = ()  # steps for the director's decision
    next: tuple[Step, ...] = ()
    fault: str = ""
    now: str = ""

    @property
    def own(self) -> tuple[str, ...]:
        """Sentences about the part that the owner plays in the tournament."""
        return self.lines if self.role == private.ENTRANT else ()

    def on_screen(self) -> Iterator[str]:
        """Yield the lines for a terminal. Each command has its own line."""
        yield self.head
        width = max((len(row.players) for row in self.rows), default=0)
        for row in self.rows:
            due = f"; {'LATE: ' if row.late else ''}due {row.term}" if row.due else ""
            yield f"  {row.board:7} {row.players:{width}}  {row.stands}{due}"
        yield from self.lines
        for step in (*self.waiting, *self.next):
            yield from step.lines


def list_statuses(home: Path, now: str, mail: Callable[[Record], Iterable[Step]] = lambda _own: ()) -> list[Status]:
    """Return the state of all tournaments in a private folder. ``mail``: function for the steps about mail."""
    records, faults = private.survey_records(home)
    found = [Status("A tournament", "", fault=str(fault)) for fault in faults]
    for own in records:
        try:
            if own.role == private.DIRECTOR:
                machine.refuse_officials()
            book = reading.read_folder(Path(own.folder))
            found.append(make_status(book, Path(own.folder), own, now, mail(own), all_boards=False))
        except KurskError as error:
            found.append(Status(Path(own.folder).name, own.role, fault=str(error)))
    return found


def make_status(
    book: Book, folder: Path, own: Record | None, now: str, mail: Iterable[Step] = (), *, all_boards: bool = True
) -> Status:
    """Return a tournament's state for the owner of a record, or a spectator. ``mail``: the steps about mail."""
    role, title = own.role if own is not None else "", book.rules.title
    rows = list_boards(book, folder, now)
    head, lines = _format_head(book), tuple(_list_facts(book, now))
    if own is None or role == private.DIRECTOR:
        waiting = (*mail, *steps.list_decisions(book, folder, now, rows)) if own is not None else ()
        lines += tuple(f"  {line}" for line in open_papers.describe_useless(book)) if own is not None else ()
        then = (*_list_unsent(own), steps.next_step(book, folder, now, rows))
        return Status(title, role, book, head, lines, tuple(rows), waiting, then, now=now)
    key = keys.read_public(Path(f"{own.key}.pub"))
    me = book.by_key(key)
    if not all_boards:
        rows = [row for row in rows if me is not None and me.number in book.boards[row.board].numbers]
    told = entrant_steps.list_facts(book, me, key)
    told += open_papers.describe_useless(book, key) if me is not None else []
    steps_ = (
        entrant_steps.list_steps(book, me, folder, own) if me else entrant_steps.list_way_in(book, key, folder, own)
    )
    unsent = () if book.ended else _list_unsent(own)
    then = (*mail, *unsent, *steps_, *entrant_steps.list_unlogged(own, book))
    return Status(title, role, book, head, (*lines, *told), tuple(rows), (), then, now=now)


def _list_unsent(own: Record | None) -> Iterator[Step]:
    if own is not None and (there := letters.list_unsent(own.letters)):
        letters_ = plural(len(there), "unsent letter")
        yield Step(f"{letters_}; 'kursk post' sends letters; to list them", "kursk outbox")


def _format_head(book: Book) -> str:
    entrants = len(book.ranked()) or sum(not entrant.out for entrant in book.entrants.values())
    log = f"log paper {book.head.seq}, head {book.head.id[:32]}"
    return f"{book.rules.title}: {book.rules.format}, {plural(entrants, 'entrant')}, round {book.round}; {log}"


def _list_facts(book: Book, now: str) -> Iterator[str]:
    """Yield papers ahead of the clock, entrants without a game in the newest round, and holidays."""
    yield from (f"  {warning}" for warning in sights.warn_ahead(book.log, now))
    idle = book.rounds[-1].spent if book.rounds else {}
    if without := [f"{book.entrant(number).name} ({SPENT[how]})" for number, how in idle.items() if how != GONE]:
        yield f"  no game in round {book.round}: {', '.join(without)}"[:300]
    for clock in book.clocks:
        if clock.until > now:
            named = f"{book.entrant(clock.who).name} (number {clock.who})" if clock.who != clocks.ALL else "everybody"
            yield f"  on holiday until {times.tell(clock.until)}: {named}"


def list_boards(book: Book, folder: Path, now: str) -> list[Line]:
    """Return the undecided boards: boards after their deadline first, then by deadline."""
    going = (_board_line(book, folder, board, now) for board in book.going())
    return sorted(going, key=lambda line: (not line.late, line.due or "9"))


def _board_line(book: Book, folder: Path, board: Board, now: str) -> Line:
    """Return the state of a board: position, player to move, and deadline."""
    players = " - ".join(f"{book.entrant(number).name_at(board.seq)} ({side})" for side, number in board.sides.items())
    owes, over, place = "", False, folder / GAMES / folders.folder_name(board.game)
    if not board.sides_known:
        bids = "bids" if board.bids_seq < 0 else "reveals of bids"
        stands, due = f"waits for {bids}", bidding.bids_until(book, board)
    elif not board.game:
        stands, due = "has not begun", clocks.begin_by(book, board)
    elif not folders.proposal_path(place).is_file():
        stands, due = f"has begun: game {board.game[:8]}", clocks.round_due(book, board.round)
    else:
        try:
            now_ = pace.measure_board(book, folder, board, {})
        except KurskError as error:
            return Line(board.name, players, f"cannot be read: {error}", now=now)
        over = now_.what == pace.ENDED
        owes = "" if over else pace.name_of(book, now_.owes)
        since = f" since {times.tell(now_.since)}" if now_.since else ""
        newest = f"{'adjourned, ' if board.outcome else ''}message {len(folders.message_files(place)) - 1}"
        stands = f"{newest}, over" if over else f"{newest}, {owes} {now_.what}{since}"
        due = clocks.answer_due(book, now_.owes, now_.since) if now_.since and not over else ""
    return Line(board.name, players, stands, owes, due, late=bool(due) and now > due, over=over, now=now)
