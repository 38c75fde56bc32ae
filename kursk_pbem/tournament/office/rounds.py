"""Automatic log papers: results, tables, draws, pairings, games (docs/directors.md 4).

Each step depends only on the book and the games, so a repeated command continues after a crash.
"""

from __future__ import annotations

from kursk_pbem.game.folders import folder_name
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, chance
from kursk_pbem.tournament.book import bidding, draws, plan, rounds
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import NOBODY, WITHDREW, Board, Draw
from kursk_pbem.tournament.office import games
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.rules import PODS, ROUND_ROBIN
from kursk_pbem.tournament.score import table
from kursk_pbem.trust import sshsig


def advance(office: Office, *, ahead: bool = False) -> None:
    """Do every possible step. ``ahead``: pair the next round of a table before the present round ends."""
    while step(office, ahead=ahead):
        pass


def step(office: Office, *, ahead: bool) -> bool:
    """Do the next automatic step; return whether there was a step."""
    before = len(office.book.log)
    for work in (games.log_games, results, announce, draw, pair, bids, propose):
        if work is pair and not ahead and office.book.rules.format in (ROUND_ROBIN, PODS) and office.book.undecided():
            continue  # a table's next round usually waits for the present round
        work(office)
        if len(office.book.log) > before:
            return True
    return False


def results(office: Office) -> None:
    """Log finished games, forfeits, and games of entrants who have left."""
    for board in office.book.going():
        played = games.played(office, board)
        if played is not None and played.over:
            _log_outcome(office, board, fields.RESULT, boards.result(board, played))
        elif gone := office.book.absent_from(board):
            _withdrawn(office, board, gone)


def _log_outcome(office: Office, board: Board, kind: str, said: dict[str, str]) -> None:
    office.sign(kind, said)
    office.done[-1] = f"board {board.name}: {boards.tell(office.book, board)}"


def _withdrawn(office: Office, board: Board, gone: list[str]) -> None:
    winner = next((side for side in board.sides if side not in gone), NOBODY)
    said = {"board": board.name, "by": WITHDREW, "winner": winner, "why": "the other side has withdrawn"}
    _log_outcome(office, board, fields.JUDGED, said)


def announce(office: Office) -> None:
    """Announce the table of a round after its last board is decided."""
    book = office.book
    if not book.round or book.round in book.tables or book.undecided() or plan.level(book):
        return
    sha256 = table.standings(book, book.round).sha256
    office.sign(fields.STANDINGS, {"round": str(book.round), "sha256": sha256}, f"standings after round {book.round}")


def draw(office: Office) -> None:
    """Do the next step of a draw: field, missing openings, close, seed."""
    book, now = office.book, office.now()
    current = open_draw(book)
    kind = draws.due(book, current, now) if current is not None else ""
    if current is not None and kind == fields.DRAWN:
        drawn(office, current)
    elif current is not None and kind == fields.CLOSED:
        close_draw(office, current)
    elif current is not None and kind == fields.MISSING:
        absent = sorted(set(current.entries) - set(current.opened()))
        said = {"draw": str(current.number), "entrants": absent}
        office.sign(fields.MISSING, said, f"draw {current.number}: {plural(len(absent), 'opening')} missing")
    elif current is None and book.draws and not draws.may_close(book):
        close(office)


def close(office: Office) -> None:
    """Close the field of the next draw; the entrants open next."""
    number, entries = office.book.next_draw, draws.due_field(office.book)
    words = f"field of draw {number} closed: {len(entries)} take part"
    office.sign(fields.FIELD, {"draw": str(number), "entrants": entries}, words)


def close_draw(office: Office, current: Draw) -> None:
    """Log all acknowledged openings of a draw."""
    opened = current.opened()
    absent = sorted(set(current.entries) - set(opened))
    said = {"draw": str(current.number), "openings": sorted(paper.id for paper in opened.values()), "absentees": absent}
    missing = f", {len(absent)} missing" if absent else ""
    office.sign(fields.CLOSED, said, f"draw {current.number} is closed: {plural(len(opened), 'opening')}{missing}")


def drawn(office: Office, current: Draw) -> None:
    """Draw: open the director's secret, name the witness's secret, commit to the next draw."""
    rules = office.book.rules
    secret, nonce = office.record.secret, bytes.fromhex(rules.paper.text("nonce"))
    number = current.number
    following = chance.opening(secret, number + 1)
    said = {
        "draw": str(number),
        "open": chance.opening(secret, number).hex(),
        "commit": chance.commitment(nonce, sshsig.public_key(rules.key), number + 1, following).hex(),
    }
    if current.reveal is not None:
        said["reveal"] = current.reveal.id
    silent = ", the witness is silent" if current.witness and current.reveal is None else ""
    office.sign(fields.DRAWN, said, f"draw {number} is drawn{silent}")


def pair(office: Office) -> None:
    """Pair the next round."""
    book = office.book
    if plan.hindrance(book):
        return
    given = plan.given(book)
    time = office.now()
    due = rounds.due(book, given, solving.solve(given), time)
    words = f"round {due.fields['round']} paired: {plural(len(due.fields['pairs']), 'board')}, due {due.fields['due']}"
    office.sign(fields.ROUND, due.fields, words, time)


def bids(office: Office) -> None:
    """Log the complete seals and openings of boards."""
    book = office.book
    for kind, entries in bidding.due(book, office.now()).items():
        if entries:
            words = f"bids for {plural(len(entries), 'board')} {kind}"
            office.sign(fields.BIDS, {"round": str(book.round), kind: entries}, words)


def propose(office: Office) -> None:
    """Propose and log every game that can begin, if the director rolls."""
    if not office.book.rules.refereed:
        return
    there = games.proposals(office)
    for board in office.book.boards.values():
        open_ = board.sides_known and not board.decided and not board.games
        if open_ and board.name not in there and not office.book.absent_from(board):
            first = games.propose(office, board)
            office.done.append(f"proposed board {board.name}: {folder_name(first.id)}")
    games.log_games(office)


def end(office: Office) -> Paper:
    """Log all due papers and end the tournament, once."""
    if office.book.ended:
        office.done.append("the tournament has ended already")
        return next(paper for paper in office.book.log if paper.type == fields.END)
    advance(office)
    played = sum(bool(board.games) for board in office.book.boards.values())
    sha256 = table.standings(office.book).sha256
    return office.sign(fields.END, {"sha256": sha256, "played": str(played)}, "the tournament has ended")
