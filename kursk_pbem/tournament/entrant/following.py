"""Automatic papers: openings of draws and bids, secrets of the witness."""

from __future__ import annotations

from collections.abc import Container

from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book import bidding
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import Board, Entrant
from kursk_pbem.tournament.entrant import seat as seats
from kursk_pbem.tournament.entrant.seat import Seat
from kursk_pbem.tournament.office import post
from kursk_pbem.tournament.papers import fields, store
from kursk_pbem.tournament.papers.forms import Paper


def follow(seat: Seat) -> None:
    """Sign the openings of draws and bids that are due. The entrant has no choice in these papers."""
    if seat.signer.public == seat.book.rules.witness:
        _bear_witness(seat)
    me = seat.me
    if me is None:
        return
    draw = open_draw(seat.book)
    due = draw is not None and draw.closed < 0 and me.entry in draw.entries and me.entry not in draw.openings
    if draw is not None and due and me.commits[draw.number][1] == me.key:
        mine = seats.opening(seat, draw.number)
        if me.entry in draw.named and int(mine.said("seen")["seq"]) < draw.warned:
            about = str(draw.number)
            seat.sign(fields.SENT, about, {"draw": about}, f"opening of draw {about} was sent", enclosed=[mine])
    elif (late := _unopened(seat, me)) >= 0:
        seats.opening(seat, late)
    for board in seat.book.boards.values():
        if board.sealed and not board.sides_known and me.number in board.numbers:
            _open_bids(seat, board, me.number)


def _open_bids(seat: Seat, board: Board, number: str) -> None:
    """Open the own bid for director and opponent; pass on the opponent's opening if the log lacks it."""
    there, other = bidding.opened(seat.book, board), board.against(number)
    if number in board.sealed and number not in there:
        paper = seats.reveal(seat, board)
        _copy(seat, paper, f"{fields.BID_OPEN}-{board.name}", [seat.book.entrant(other).key])
    elif other not in there:
        for paper in store.evidence(seat.folder):
            if paper.type == fields.BID_OPEN and bidding.whose(seat.book, board, paper) == other:
                said = {name: paper.content[name] for name in ("round", "board", "salt", "value")}
                words = f"opened bid of number {other} for board {board.name}"
                seat.sign(fields.BID_OPEN, f"{board.name}-{other}", said, words)


def _copy(seat: Seat, paper: Paper, name: str, keys: Container[str]) -> None:
    """Save a letter with a paper for each reader with one of the keys."""
    for digits, key in post.readers_of(seat.book).items():
        if key in keys:
            seat.mail(f"{digits}-{name}", f"a copy of {name}", [paper], "entrants")


def _unopened(seat: Seat, me: Entrant) -> int:
    """Return the draw whose late opening commits to the next draw, or -1. Later draws need this opening."""
    book, key = seat.book, seat.signer.public
    if not seats.draws_again(book) or me.left >= 0 or me.out or book.next_draw in me.commits:
        return -1
    return max((number for number, (_commit, owner) in me.commits.items() if owner == key), default=-1)


def _bear_witness(seat: Seat) -> None:
    """Sign the witness's papers: a secret after a draw is closed, and a missing commitment."""
    book = seat.book
    draw = open_draw(book)
    if draw is not None and draw.witness and draw.closed >= 0 and draw.reveal is None:
        said = {"open": chance.opening(seat.record.secret, draw.number).hex(), **seats.following(seat, draw.number)}
        words = f"the witness opens draw {draw.number}"
        paper = seat.sign(fields.REVEAL, str(draw.number), {"draw": str(draw.number), **said}, words)
        _copy(seat, paper, f"{fields.REVEAL}-{draw.number}", {*post.readers_of(book).values()} - {paper.sender})
    elif draw is None and book.next_draw not in book.witness and seats.draws_again(book):
        number = str(book.next_draw)
        commit = {"draw": number, "commit": seats.commitment(seat, book.next_draw)}
        seat.sign(fields.WITNESS, number, commit, f"the witness commits to draw {number}")
