"""Automatic papers: revealed secrets, opened bids, secrets of the witness."""

from __future__ import annotations

from collections.abc import Container

from kursk_pbem.tournament import chance, letters
from kursk_pbem.tournament.book import bidding
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.entrant import desk as desks
from kursk_pbem.tournament.entrant.desk import EntrantDesk
from kursk_pbem.tournament.papers import fields, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Entrant


def sign_automatic(desk: EntrantDesk) -> None:
    """Sign the papers that leave the entrant no choice: due reveals for draws, and due openings of bids."""
    if desk.signer.public == desk.book.rules.witness:
        _sign_as_witness(desk)
    me = desk.me
    if me is None:
        return
    draw = find_open_draw(desk.book)
    due = draw is not None and draw.closed < 0 and me.entry in draw.entries and me.entry not in draw.openings
    if draw is not None and due and me.commits[draw.number][1] == me.key:
        mine = desks.sign_opening(desk, draw.number)
        if me.entry in draw.named and int(mine.said("seen")["seq"]) < draw.warned:
            about = str(draw.number)
            desk.sign(fields.SENT, about, {"draw": about}, f"reveal of lots {about} was sent", enclosed=[mine])
    elif (late := _find_unopened(desk, me)) >= 0:
        desks.sign_opening(desk, late)
    for board in desk.book.boards.values():
        if board.sealed and not board.sides_known and me.number in board.numbers:
            _open_bids(desk, board, me.number)


def _open_bids(desk: EntrantDesk, board: Board, number: str) -> None:
    """Open the own bid for director and opponent; pass on the opponent's opening if the log lacks it."""
    there, other = bidding.find_openings(desk.book, board), board.against(number)
    if number in board.sealed and number not in there:
        paper = desks.open_bid(desk, board)
        _mail_copies(desk, paper, f"{fields.BID_OPEN}-{board.name}", [desk.book.entrant(other).key])
    elif other not in there:
        for paper in store.read_evidence(desk.folder):
            if paper.type == fields.BID_OPEN and bidding.find_bidder(desk.book, board, paper) == other:
                said = {name: paper.content[name] for name in ("round", "board", "salt", "value")}
                words = f"revealed bid of number {other} for board {board.name}"
                desk.sign(fields.BID_OPEN, f"{board.name}-{other}", said, words)


def _mail_copies(desk: EntrantDesk, paper: Paper, name: str, keys: Container[str]) -> None:
    """Save a letter with a paper for each reader with one of the keys."""
    for digits, key in letters.reader_keys(desk.book).items():
        if key in keys:
            desk.mail(f"{digits}-{name}", f"a copy of {name}", [paper], "entrants")


def _find_unopened(desk: EntrantDesk, me: Entrant) -> int:
    """Return the draw whose late opening commits to the next draw, or -1. Later draws need this opening."""
    book, key = desk.book, desk.signer.public
    if not desks.may_draw_again(book) or me.left >= 0 or me.out or book.next_draw in me.commits:
        return -1
    return max((number for number, (_commit, owner) in me.commits.items() if owner == key), default=-1)


def _sign_as_witness(desk: EntrantDesk) -> None:
    """Sign the witness's papers: the secret when a draw is closed, and a commitment if none is signed yet."""
    book = desk.book
    draw = find_open_draw(book)
    silent = (draw for draw in book.draws if draw.witness and draw.closed >= 0 and draw.reveal is None)
    # without a mail before the draw, the late secret tells in its sights when the papers came
    due = (each.number for each in silent if each is draw or not desk.record.entry(f"{fields.REVEAL}-{each.number}"))
    if (number := next(due, -1)) >= 0:
        opening = chance.derive_opening(desk.record.secret, number).hex()
        said = {"draw": str(number), "open": opening, **desks.next_commitment(desk, number)}
        paper = desk.sign(fields.REVEAL, str(number), said, f"the witness reveals lots {number}")
        readers = {entrant.key for entrant in book.entrants.values()}
        _mail_copies(desk, paper, f"{fields.REVEAL}-{number}", readers)
    elif draw is None and book.next_draw not in book.witness and desks.may_draw_again(book):
        commit = {"draw": str(book.next_draw), "commit": desks.make_commitment(desk, book.next_draw)}
        desk.sign(fields.WITNESS, commit["draw"], commit, f"the witness commits to lots {book.next_draw}")
