"""Bids for sides: sealed by both, logged, then opened (docs/directors.md 8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book.openings import add_once
from kursk_pbem.tournament.book.records import Board, Book, Round
from kursk_pbem.tournament.faults import need, wrong
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import sshsig


@dataclass(frozen=True)
class Bid:
    """What one of two bids: a side and the victory points given away for it."""

    number: str
    side: str
    price: int
    salt: str


def wanted(book: Book, board: Board) -> bool:
    """Whether sides of a board are bid for: guests do not bid."""
    return book.rules.bids and not any(number.startswith("g") for number in board.numbers)


def seals(book: Book, board: Board) -> dict[str, str]:
    """Number -> the acknowledged paper that seals its bid; whoever signed two has sealed nothing."""
    return {number: papers[0].id for number, papers in _of(book, board, fields.BID).items() if len(papers) == 1}


def _of(book: Book, board: Board, kind: str) -> dict[str, list[Paper]]:
    by_number: dict[str, list[Paper]] = {}
    for paper in book.of_kind(kind, board.name):
        for number in board.numbers:
            if paper.sender == book.entrant(number).key:
                add_once(by_number.setdefault(number, []), paper)
    return by_number


def opened(book: Book, board: Board) -> dict[str, Paper]:
    """Number -> the paper that opens its bid: acknowledged after the seals were logged, and fitting its seal."""
    openings = {}
    for number, papers in _of(book, board, fields.BID_OPEN).items():
        sealed = book.papers.get(board.sealed.get(number, ""))
        good = [
            paper
            for paper in papers
            if sealed is not None and book.received[paper.id] > board.bids_seq and _fits(book, paper, sealed)
        ]
        if good:
            openings[number] = good[0]
    return openings


def _fits(book: Book, paper: Paper, sealed: Paper) -> bool:
    made = chance.seal(
        bytes.fromhex(book.id),
        sshsig.public_key(sealed.sender),
        paper.text("board"),
        bytes.fromhex(paper.text("salt")),
        paper.said("value"),
    )
    sides = book.rules.systems[book.boards[paper.text("board")].system - 1].sides
    return made.hex() == sealed.text("seal") and paper.said("value")["side"] in sides


def bids(book: Book, log: Paper) -> None:
    """``bids``: which seals count, or which openings; all that were acknowledged, and nobody is given up too early."""
    need(log.number("round") == book.round, log, "round", f"the newest round is {book.round}")
    need(("sealed" in log.content) != ("opened" in log.content), log, "", "it names seals or openings, one of them")
    kind = "sealed" if "sealed" in log.content else "opened"
    for place, said in enumerate(log.said(kind)):
        board = book.boards.get(said["board"])
        where = f"{kind}/{place}"
        if board is None or board.sides_known or board.round != book.round:
            wrong(log, where, f"nobody bids for board {said['board']}")
        if kind == "sealed":
            _sealed(book, log, where, board, said)
        else:
            _opened(book, log, where, board, said)


def _sealed(book: Book, log: Paper, where: str, board: Board, said: Mapping[str, Any]) -> None:
    need(board.bids_seq < 0, log, where, f"the seals of board {board.name} were logged before")
    there = seals(book, board)
    _same(log, where, said, there)
    if len(there) < 2:
        need(log.text("time") > until(book, board), log, where, f"bids may come until {until(book, board)}")
    board.sealed, board.bids_seq = there, log.seq
    board.sides_known = not there


def _opened(book: Book, log: Paper, where: str, board: Board, said: Mapping[str, Any]) -> None:
    need(board.bids_seq >= 0, log, where, f"the seals of board {board.name} are not logged yet")
    there = opened(book, board)
    _same(log, where, said, {number: paper.id for number, paper in there.items()})
    if len(there) < len(board.sealed):
        need(log.text("time") > until(book, board), log, where, f"openings may come until {until(book, board)}")
    opened_bids = [
        Bid(number, paper.said("value")["side"], int(paper.said("value")["price"]), paper.text("salt"))
        for number, paper in sorted(there.items())
    ]
    board.sides, board.paid = settle(book, board, opened_bids)
    board.sides_known, board.bids_seq = True, log.seq


def _same(log: Paper, where: str, said: Mapping[str, Any], there: Mapping[str, str]) -> None:
    right = sorted(there.values())
    need(
        said["papers"] == right,
        log,
        f"{where}/papers",
        f"acknowledged and good are {len(right)} of them: {', '.join(id_[:16] for id_ in right) or 'none'}",
    )


def until(book: Book, board: Board) -> str:
    """Until when bids for a board, or then openings, may come."""
    since = board.bids_seq if board.bids_seq >= 0 else board.seq
    return times.until(book.log[since].text("time"), book.rules.terms.answers)


def settle(book: Book, board: Board, bids_: list[Bid]) -> tuple[dict[str, str], dict[str, int]]:
    """The sides of a board, and who gives away how much. With no bid they stay as they were paired.

    Who opened nothing has bid 0, so the other one pays their own price: a director who drops an opening spares nobody
    a price (in version 1 it did).
    """
    if not bids_:
        return board.sides, {}
    one = bids_[0]
    if len(bids_) == 1:
        return _with(board, one), ({one.side: one.price} if one.price and not book.rules.former else {})
    other = bids_[1]
    if one.side != other.side:
        return _with(board, one), {}
    if one.price != other.price:
        won = max(bids_, key=lambda bid: bid.price)
    else:  # nobody knew the other's salt when they sealed theirs
        drawn = chance.lot(book.seed, "bid", board.name, one.salt, other.salt)
        won = bids_[drawn[0] % 2]
    return _with(board, won), ({won.side: won.price} if won.price else {})


def _with(board: Board, bid: Bid) -> dict[str, str]:
    """The sides with somebody on the side that they bid for."""
    against = board.against(bid.number)
    return {side: bid.number if side == bid.side else against for side in board.sides}


def waiting(book: Book, newest: Round) -> list[Board]:
    """The boards of a round whose sides are not known yet."""
    return [book.boards[name] for name in newest.boards if not book.boards[name].sides_known]
