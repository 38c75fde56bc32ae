"""An entrant's results, place, next games and commands, for the screen and for the director's letters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.formats import times
from kursk_pbem.game import pins
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, letters, open_papers
from kursk_pbem.tournament.book import bidding, clocks, draws, people
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.entrant import desk
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import SPENT, Board, Book, Entrant
from kursk_pbem.tournament.rules import KNOCK_OUT
from kursk_pbem.tournament.score import listing
from kursk_pbem.tournament.score.counted import count_games
from kursk_pbem.tournament.score.stages import count_rounds, list_beaten, name_places
from kursk_pbem.tournament.score.table import Table, compute_standings
from kursk_pbem.tournament.steps import Step, format_command

_WITNESS = "You are the witness: your program reveals your secret after the reveals for the lots are closed."
_NOT_YET = "Your entry is not acknowledged yet."


def list_facts(book: Book, me: Entrant | None, key: str, table: Table | None = None) -> list[str]:
    """Return sentences about a key's owner: the place in the tournament, or why the owner takes no part."""
    if me is None and (paper := open_papers.list_outsiders(book).get(key)) is not None:
        if (way_in := find_way_in(book, paper)) is not None:
            return [way_in.words]
        useless = open_papers.describe_useless(book, key, 0)[-1:]
        return useless or [f"The director has your {fields.NOUNS.get(paper.type, paper.type)}."]
    if me is None:
        return [_WITNESS if key == book.rules.witness else _NOT_YET]
    return list(describe_place(book, me, table))


def find_way_in(book: Book, entry: Paper) -> Step | None:
    """Return the step by which the writer of a late entry can enter the next draw, or None for other papers."""
    if entry.type != fields.ENTRY or entry.id in book.refused:
        return None
    if why := people.find_late_obstacle(book, book.next_draw + 1):
        lack = f"Sorry, you have no game in {book.rules.title}: your entry has come, but no yes in time ({why})"
        return Step(f"{lack}. If you had answered yes before, ask the director about your mail.")
    late = f"Your entry came after the lots of round {book.round or 1}, so you are not entered yet."
    by = f"by {times.tell(open_papers.answer_until(book, entry.sender))}"
    can = f"Type 'kursk post' {by} and answer yes: then you play from {_next_round(book)}."
    return Step(f"{late} {can} A later yes counts only if round {book.round} has not ended.", mails=True)


def _next_round(book: Book) -> str:
    """Return the next round, with the points for missed rounds."""
    points = (book.rules.late or (0, 0))[1] if book.round else 0
    missed = f", with {plural(points, 'point')} for each round before" if points else ""
    return f"round {book.round + 1} on{missed}"


def list_way_in(book: Book, key: str, folder: Path, own: Record) -> Iterator[Step]:
    """Yield the command with which the writer of an entry without effect can enter the next draw."""
    if desk.find_late_entry(book, own, key) is not None:
        yield Step(f"To enter round {book.round + 1}, sign a new entry", format_command("enter", folder))


def describe_place(book: Book, me: Entrant, table: Table | None = None) -> Iterator[str]:
    """Yield sentences about an entrant: the end of the tournament, the place, the reason for having no game."""
    if not me.number:
        start = _next_round(book)
        if not book.draws or me.entry in book.draws[0].entries:
            yield f"Welcome to {book.rules.title}: you have entered."
        elif any(me.entry in draw.entries for draw in book.draws):
            yield f"Round {book.round} has ended, so you can play in {book.rules.title} from {start}."
        else:
            yield f"Welcome to {book.rules.title}: you can play from {start}."
            begins = f"round {book.round} ends" if book.round else "its lots begin"
            yield f"When {begins}, a letter asks you to confirm."
        return
    last, idle = listing.newest_round(book), describe_idle(book, me)
    if idle and last < book.round:
        yield idle
    table = table or compute_standings(book, last)
    rows = [row for row in table.rows if row.number == me.number] if last else []
    stands = next((f"place {row.place} of {len(table.rows)} with {plural(row.points, 'point')}" for row in rows), "")
    if book.ended:
        yield _describe_end(book, me, table, stands)
    elif me.number in list_beaten(book):
        yield f"You are out of {book.rules.title}, {name_places(book, me.number)}; the next letter comes at the end."
    elif not stands:
        yield f"You are number {me.number}."
    elif book.rules.format != KNOCK_OUT:
        yield f"You are in {stands} {listing.describe_time(book, last)}."
    if me.left >= 0:
        yield "You have withdrawn."
    if idle and last == book.round:
        yield idle


def _describe_end(book: Book, me: Entrant, table: Table, stands: str) -> str:
    """Return who has won, and an entrant's place, in a knock-out without points. ``stands``: the place, or ''."""
    cup, first = book.rules.format == KNOCK_OUT, book.entrant(table.rows[0].number) if stands else None
    if first is me:
        return f"Congratulations: you have won{' the cup' if cup else f', {stands}'}."
    if cup and first is not None:
        return f"{first.called} has won the cup; you are in {name_places(book, me.number)}."
    told = f"{first.called} has won; you are in {stands}" if first is not None else "you have no place"
    return f"{book.rules.title} has ended: {told}."


def describe_idle(book: Book, me: Entrant) -> str:
    """Return why an entrant has no game in the newest round, and the points for this; '' with a game."""
    if not book.rounds or not (how := book.rounds[-1].spent.get(me.number)):
        return ""
    points = count_games(book).lone.get(me.number, {}).get(book.round, 0)
    worth = f"no game in round {book.round}: {SPENT[how]}" + (f", {plural(points, 'point')}." if points else ".")
    if all(board.decided for board in book.of_round(book.round)):
        return f"You had {worth}"
    return f"You have {worth} The next letter comes when round {book.round} ends."


def list_steps(book: Book, me: Entrant, folder: Path | None = None, own: Record | None = None) -> Iterator[Step]:
    """Yield an entrant's tasks, and the events to wait for. ``folder``, ``own``: None in a letter from the director."""
    draw = find_open_draw(book)
    if draw is not None and me.entry in draw.openings:
        yield Step(f"You take part in the lots of round {book.round + 1}.")
    elif draw is not None and me.entry in draw.entries and draw.closed >= 0:
        yield Step(f"Your part in the lots of round {book.round + 1} did not come in time: you have no game there.")
    elif draw is not None and me.entry in draw.entries:
        until = times.tell(draws.closes_at(book, draw))
        of = f" of {count_rounds(book)}" if book.round or book.rules.rounds else ""
        typed, command = ("this", letters.POST) if folder is None else (f"'{letters.POST}'", "")
        play = f"To play in round {book.round + 1}{of}, type {typed} by {until}"
        lost = "you are not in the knock-out" if book.rules.format == KNOCK_OUT else "you have no game in that round"
        yield Step(f"{play} (without it {lost})", command, mails=True)
    for paper in open_papers.list_agreements(book, me):
        board, won = book.boards[paper.text("board")], paper.text("winner")
        said = f"{book.entrant(board.against(me.number)).called} has signed the result of board {board.name}: {won}"
        here = ("--in", folder) if folder is not None else ()
        yield Step(f"{said}. If you agree, sign the same", format_command("agree", board.name, won, *here))
    there = boards.find_own_games(book, own.path.parent.parent) if own is not None else {}
    for board in book.going():
        if me.number not in board.sides.values():
            continue
        if (known := there.get(board.name)) is not None:
            told = f"Board {board.name} against {book.entrant(board.against(me.number)).called}"
            if known.waits:
                yield Step(f"{told}: your move", f"kursk status {known.short}")
            else:
                yield Step(f"{told}: {known.writer or 'nobody'} writes the next message.")
        elif not board.game:
            yield _begin_board(book, board, me, folder, own)


def describe_pairing(book: Book, board: Board, me: Entrant) -> str:
    """Return the opponent and scenario of a board. If the sides are known, add the side and the deadlines."""
    other, system = book.entrant(board.against(me.number)), book.rules.systems[board.system - 1]
    against = f"{other.called} (number {other.number})" if other.shown else other.called
    side = f"{board.side_of(me.number).capitalize()} " if board.sides_known else ""
    told = f"Board {board.name}: you play {side}against {against} in {pins.make_title(system.scenario)}."
    begin, ends = times.tell(clocks.begin_by(book, board)), times.tell(clocks.round_due(book, board.round))
    term = f" The game must {'' if board.game else f'begin by {begin} and '}end by {ends}."
    return told + term * board.sides_known


def _begin_board(book: Book, board: Board, me: Entrant, folder: Path | None, own: Record | None) -> Step:
    """Return the step before a board's game begins: opponent, side, deadline and command."""
    here, told = ("--in", folder) if folder is not None else (), describe_pairing(book, board, me)
    if not board.sides_known:
        until, side = times.tell(bidding.bids_until(book, board)), board.side_of(me.number)
        if board.bids_seq >= 0:
            logged = me.number in bidding.find_openings(book, board)
            there = "your bid is open" if logged else f"'kursk post' opens your bid; it must have come by {until}"
            return Step(f"{told} The bids are closed; {there}.")
        if bid := own.entry(f"value-{board.name}") if own is not None else "":
            return Step(f"{told} You have bid {bid}.")
        words = f"{told} Bid for a side until {until}; change side and victory points as you like"
        return Step(words, format_command("bid", board.name, side, 0, *here))
    number = boards.find_proposer(book, board)
    if number == me.number:
        return Step(f"{told} Propose it, if you have not yet", format_command("propose", board.name, *here))
    who = book.entrant(number).called if number else "The director"
    words = f"{told} {who} proposes the game; type 'kursk post', or 'kursk accept FILE' with the mail."
    return Step(words, mails=True)


def list_unlogged(own: Record, book: Book) -> Iterator[Step]:
    """Yield the signed papers that the log does not acknowledge."""
    for paper in desk.list_unlogged(own, book):
        about = f" of lots {paper.text('draw')}" if "draw" in paper.content else ""
        what = fields.NOUNS.get(paper.type, paper.type) + about
        signed = f"signed {times.tell(paper.text('time'))}"
        yield Step(f"Not in the log yet: your {what}, {signed}. 'kursk post' mails the paper again.")
