"""The director's choices that could influence a pairing, in sentences (docs/directors.md 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import comb

from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament.book import bidding
from kursk_pbem.tournament.book.outcomes import METHODS
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Draw


def list_choices(book: Book, kept: list[Paper]) -> list[str]:
    """Return sentences about missing reveals and the director's choices. ``kept``: papers without acknowledgment."""
    told = [line for draw in book.draws for line in _describe_draw(book, draw, kept)]
    told += [line for board in book.boards.values() for line in _describe_bids(book, board, kept)]
    told += [_CHOSEN[paper.type](book, paper) for paper in book.log if paper.type in _CHOSEN]
    told += _list_complaints(book)
    return [line for line in told if line]


def count_seeds(entrants: int, left_out: int) -> int:
    """Return how many seeds a director can choose from by leaving out at most ``left_out`` reveals."""
    return sum(comb(entrants, number) for number in range(left_out + 1))


def _describe_draw(book: Book, draw: Draw, kept: list[Paper]) -> Iterator[str]:
    called = f"lots {draw.number}"
    if draw.missing:
        yield f"{called}: {', '.join(book.entrants[entry].name for entry in draw.missing)} did not reveal"
    if draw.drawn < 0:
        return
    if not draw.witness and draw.missing:
        among = plural(count_seeds(len(draw.entries), len(draw.missing)), "seed")
        of = f"{len(draw.missing)} of {len(draw.entries)}"
        yield f"{called} have no witness: by leaving out up to {of} reveals, the director could choose among {among}"
    if draw.witness and draw.reveal is None:
        yield f"{called}: the witness did not reveal, so the director could choose one of two seeds"
        for paper in kept:
            if paper.type == fields.REVEAL and paper.number("draw") == draw.number:
                dated = f"{paper.name}: the witness revealed lots {draw.number} at {paper.text('time')}"
                late = paper.text("time") > book.log[draw.drawn].text("time")
                yield dated + (", after the lots" if late else ", before the lots: the director left out the secret")


def _describe_bids(book: Book, board: Board, kept: list[Paper]) -> Iterator[str]:
    """Yield the unopened bids of a board, with late or omitted openings."""
    for number in board.unopened:
        yield f"board {board.name}: {book.entrant(number).name_at(board.seq)} did not reveal the sealed bid"
        for paper in (*kept, *book.of_kind(fields.BID_OPEN, board.name)):
            if paper.type == fields.BID_OPEN and bidding.find_bidder(book, board, paper) == number:
                yield f"{paper.name}: the bid was revealed at {paper.text('time')}, by the writer's clock"


def _list_complaints(book: Book) -> Iterator[str]:
    """Yield the entrants with a signed complaint about an uncounted opening."""
    for paper in (book.papers[id_] for id_ in book.received):
        number, entrant = paper.number("draw") if paper.type == fields.SENT else -1, book.by_key(paper.sender)
        if 0 <= number < len(book.draws) and entrant is not None and entrant.entry in book.draws[number].missing:
            sent = min((said["time"] for said in paper.said("unlogged") or ()), default="a time unknown")
            yield f"lots {number}: by the signed {paper.name}, {entrant.name} sent the reveal at {sent}"


def _describe_refused(book: Book, log: Paper) -> str:
    entrant = book.entrants.get(log.text("paper"))
    return f"{log.name}: the entry of {entrant.name} was refused" if entrant is not None else ""


def _describe_withdrawn(book: Book, log: Paper) -> str:
    own = len(log.texts("papers")) == 1
    return "" if own else f"{log.name}: {book.entrant(log.text('number')).name} was taken out: {log.text('why')}"


def _describe_judged(_book: Book, log: Paper) -> str:
    by = log.text("by")
    return f"{log.name}: board {log.text('board')} was judged by {by}" if METHODS[by].chosen else ""


def _describe_corrected(book: Book, log: Paper) -> str:
    old = book.log[log.number("corrects")]
    chosen = old.type in (fields.RESULT, fields.JUDGED, fields.ROUND)
    return f"{log.name}: {old.name} ({old.type}) was corrected" if chosen else ""


_CHOSEN: Mapping[str, Callable[[Book, Paper], str]] = {
    fields.REFUSED: _describe_refused,
    fields.WITHDRAWN: _describe_withdrawn,
    fields.JUDGED: _describe_judged,
    fields.SUBSTITUTE: lambda book, log: (
        f"{log.name}: number {log.text('number')} was given to {book.papers[log.text('paper')].text('name')}"
    ),
    fields.CORRECT: _describe_corrected,
}
