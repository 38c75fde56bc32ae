"""Where a tournament stands: every board at a glance, what waits for the director, what to type next.

Games are only read here, not verified: they were when they were taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import KurskError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.game import folders, receipts
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import unsettled
from kursk_pbem.tournament.book import bidding, clocks, draws, outcomes, plan
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import GONE, SPENT, Board, Book, Clock
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.store import GAMES
from kursk_pbem.tournament.rules import SWISS
from kursk_pbem.trust.papers import RECEIPT


@dataclass(frozen=True)
class Line:
    """One board: its name, who plays, where it stands, whom it waits for ('' for nobody), and until when ('').

    ``over``: its game has ended, and the log does not say so yet.
    """

    board: str
    players: str
    stands: str
    waits_for: str = ""
    due: str = ""
    late: bool = False
    over: bool = False


def boards(book: Book, folder: Path, now: str) -> list[Line]:
    """The boards that are not decided, the latest first that something is overdue on; then the others in order."""
    going = (_line(book, folder, board, now) for board in book.going())
    return sorted(going, key=lambda line: (not line.late, line.due or "9"))


def _line(book: Book, folder: Path, board: Board, now: str) -> Line:
    players = " - ".join(f"{book.entrant(number).name_at(board.seq)} ({side})" for side, number in board.sides.items())
    if not board.sides_known:
        until = bidding.until(book, board)
        what = "openings of bids" if board.bids_seq >= 0 else "bids"
        return Line(board.name, players, f"waits for {what}", due=until, late=now > until)
    if not board.game:
        until = clocks.begin_by(book, board)
        return Line(board.name, players, "has not begun", due=until, late=now > until)
    place = folder / GAMES / folders.folder_name(board.game)
    if not folders.proposal_path(place).is_file():  # an entrant's copy holds no games
        until = clocks.round_due(book, board.round)
        return Line(board.name, players, f"has begun: game {board.game[:8]}", due=until, late=now > until)
    try:
        return _running(book, place, board, players, now)
    except KurskError as error:
        return Line(board.name, players, f"cannot be read: {error}")


def _running(book: Book, place: Path, board: Board, players: str, now: str) -> Line:
    game = Known(board.game, place, None)
    folders.read_message(folders.message_path(place, game.newest))  # a file that cannot be read says nothing of the end
    adjourned = "adjourned, " if board.outcome is not None else ""
    stands, side = f"{adjourned}message {game.newest}", game.writer
    received = [paper for paper in receipts.of_folder(place) if paper.type == RECEIPT and paper.seq == game.newest]
    if not side:
        return Line(board.name, players, f"{stands}, over", over=True)
    if side not in board.sides:
        return Line(board.name, players, f"{stands}, {side} is to write", side)
    number = board.sides[side]
    due = ""
    for paper in received:
        due = clocks.term(book, number, paper.text("received"), paper.text("due"))
    return Line(board.name, players, stands, book.entrant(number).name, due, late=bool(due) and now > due)


def lines(book: Book, folder: Path, now: str) -> list[str]:
    """Every board for a screen."""
    rules = book.rules
    entrants = len(book.ranked()) or sum(not entrant.out for entrant in book.entrants.values())
    head = f"log paper {book.head.seq}, head {book.head.id[:32]}"
    told = [f"{rules.title}: {rules.format}, {entrants} entrants, round {book.round}; {head}"]
    shown = boards(book, folder, now)
    width = max((len(line.players) for line in shown), default=0)
    for line in shown:
        waits = f"; {line.waits_for} writes" if line.waits_for else ""
        told.append(f"  {line.board:7} {line.players:{width}}  {line.stands}{waits}{_due(line, now)}")
    idle = book.rounds[-1].spent if book.rounds else {}
    if without := [f"{book.entrant(number).name} ({SPENT[how]})" for number, how in idle.items() if how != GONE]:
        told.append(f"  no game in round {book.round}: {', '.join(without)}"[:300])
    away = (clock for clock in book.clocks if clock.until > now)
    return told + [f"  on holiday until {times.said(clock.until)}: {_who(book, clock)}" for clock in away]


def _who(book: Book, clock: Clock) -> str:
    return "everybody" if clock.who == clocks.ALL else f"{book.entrant(clock.who).name} (number {clock.who})"


def _due(line: Line, now: str) -> str:
    if not line.due:
        return ""
    return f"; {'LATE: ' if line.late else ''}due {times.term(line.due, now)}"


def waiting(book: Book, now: str) -> Iterator[str]:
    """What only the director can decide, and is to be decided now."""
    for claim in unsettled.claims(book):
        what = f"claim {claim.id[:8]} about board {claim.text('board')}: {claim.text('note')!a}"
        yield f"{what}; decide it, or say why not: refuse {claim.id[:8]} WHY"
    for entrant, paper in unsettled.absences(book, now):
        days = -(-times.between(now, paper.text("last")) // times.DAY)
        away = f"{entrant.name} is absent from {paper.text('first')} to {paper.text('last')}"
        yield f"{away}: once that begins, grant {entrant.number} DAYS WHY --holiday ({days} from today)"
    for entrant in (*book.ranked(), *book.guests()):
        if entrant.left < 0 and unsettled.withdrawal(book, entrant) is not None:
            yield f"number {entrant.number} ({entrant.name}) has signed a withdrawal: withdraw {entrant.number}"
        if not entrant.substituted and (offers := unsettled.offers(book, entrant)):
            names = dict.fromkeys(paper.text("name") for paper in offers)
            said = f"substitute {entrant.number} WHY{' --name NAME' if len(names) > 1 else ''}"
            yield f"{', '.join(names)} would stand in for number {entrant.number}: {said}"[:300]
        if any(paper.sender == entrant.key for paper in book.of_entrant(fields.NEW_KEY, entrant)):
            yield f"number {entrant.number} has signed a new key: key {entrant.number}"
    for board in book.going():
        if outcomes.agreement(book, board) is not None:
            signed = f"both players of board {board.name} have signed how it ended"
            yield f"{signed}: judge {board.name} agree, unless it went on since"
    for board in book.undecided():
        if board.sides_known and not board.games and now > clocks.begin_by(book, board):
            yield f"board {board.name} has not begun in time: judge {board.name} silence"
        elif board.games and now > clocks.round_due(book, board.round):
            yield f"the time of board {board.name} is over: judge {board.name}, by {', '.join(book.rules.terms.ends)}"


def next_lines(book: Book, folder: Path) -> list[str]:
    """What comes next by itself, and what has to happen before."""
    if book.ended:
        return [f"the tournament has ended: 'kursk tournament publish {shell_word(folder)} -o site' writes its pages"]
    if not book.draws:
        return [f"next: 'kursk tournament close {shell_word(folder)}', once everybody has entered"]
    current = open_draw(book)
    if current is not None:
        missing = [book.entrants[entry].name for entry in current.entries if entry not in current.openings]
        if current.closed >= 0 and current.witness and current.reveal is None:
            until = times.said(draws.witness_until(book, current))
            return [f"draw {current.number} waits for the witness, until {until}"]
        if not missing or current.closed >= 0:
            return [f"next: 'kursk tournament pair {shell_word(folder)}' draws"]
        until = times.said(draws.closes_at(book, current))
        waits = f"draw {current.number} waits for {plural(len(missing), 'opening')}, until {until}"
        return [f"{waits}: {', '.join(missing)}"[:300]]
    if over := [line.board for line in boards(book, folder, "") if line.over]:
        return [f"next: 'kursk tournament pair {shell_word(folder)}' logs how {', '.join(over)} ended"[:300]]
    going = book.going()
    if left := [board.name for board in going if book.absent_from(board)]:
        return [
            f"next: 'kursk tournament pair {shell_word(folder)}' judges {', '.join(left)}: a player has withdrawn"[:300]
        ]
    if open_ := book.undecided():
        return [f"before what comes next: {plural(len(open_), 'undecided board')}, the first is {open_[0].name}"]
    why = plan.hindrance(book)
    if why == plan.NO_ROUND and going:
        return [f"before the end: adjourned boards, the first is {going[0].name}"]
    if why == plan.NO_ROUND:
        return [f"next: 'kursk tournament end {shell_word(folder)}'"]
    if book.rules.format == SWISS and not draws.may_close(book):
        why = ""
    return [f"before what comes next: {why}"] if why else [f"next: 'kursk tournament pair {shell_word(folder)}'"]
