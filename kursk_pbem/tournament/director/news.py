"""The log papers that are news for a reader of the director's letters. Other papers wait for the next letter.

News are the reader's own result, pairing, deadline, standing and due acts, and what the reader must see before the next
step. The table at the end of a round is news for every entrant who is still in the tournament.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursk_pbem.formats import times
from kursk_pbem.tournament import open_papers
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book, Entrant
from kursk_pbem.tournament.score.stages import list_beaten

_PATIENCE = 2 * times.DAY
"""Seconds before an acknowledgment alone is mailed: the reader's program repeats a paper after three days.

A reveal of the lots is acknowledged with the next letter.
"""


def is_letter_due(book: Book, reader: Entrant | None, new: Sequence[Paper], now: str) -> bool:
    """Return whether new log papers require a letter to a reader. ``reader``: None for the witness."""
    old = [paper for paper in new if times.seconds_between(paper.text("time"), now) >= _PATIENCE]
    waited = any(own.type != fields.OPEN for own in list_acknowledged(book, reader, old))
    return waited or any(_is_news(book, reader, paper) for paper in new)


def list_acknowledged(book: Book, reader: Entrant | None, new: Sequence[Paper]) -> Iterator[Paper]:
    """Yield those papers of a reader that new log papers acknowledge."""
    key = book.rules.witness if reader is None else reader.key
    for id_ in (id_ for paper in new if paper.type == fields.RECEIVED for id_ in paper.texts("papers")):
        if id_ in book.papers and book.papers[id_].sender == key:
            yield book.papers[id_]


def _is_news(book: Book, reader: Entrant | None, paper: Paper) -> bool:
    """Return whether one log paper is news for a reader, or calls a paper void that the reader may have."""
    kind = paper.type
    if kind == fields.END or paper.texts(fields.VOID):
        return True
    if reader is None:
        return kind in (fields.CLOSED, fields.DRAWN)  # its sights are evidence
    if kind in (fields.CLOSED, fields.DRAWN, fields.ROUND) and _comes_with_game(book, reader, paper):
        return False
    if kind == fields.CORRECT:
        return _is_news(book, reader, book.log[paper.number("corrects")])
    if kind in (fields.FIELD, fields.CLOSED, fields.DRAWN):
        return reader.entry in book.draws[paper.number("draw")].entries
    if kind == fields.MISSING:
        return reader.entry in paper.texts("entrants")
    if kind == fields.REFUSED:
        return book.papers[paper.text("paper")].sender == reader.key
    if kind == fields.RECEIVED:
        ids = paper.texts("papers")
        agreed = any(signed.id in ids for signed in open_papers.list_agreements(book, reader))
        # the reader's program passes on the opponent's opening that the log lacks
        opened = any(own.type == fields.BID_OPEN for own in list_acknowledged(book, reader, [paper]))
        return reader.entry in ids or agreed or opened
    return bool(reader.number) and _concerns(book, reader, paper)


def _comes_with_game(book: Book, reader: Entrant, paper: Paper) -> bool:
    """Return whether a pairing of the reader brings a paper: message 0 of a director who rolls has the log."""
    mine = (board for board in book.boards.values() if reader.number in board.numbers and board.sides_known)
    return book.rules.refereed and any(board.seq >= paper.seq for board in mine)


def _concerns(book: Book, reader: Entrant, paper: Paper) -> bool:
    """Return whether a paper about rounds, boards or numbers concerns an entrant with a number."""
    kind, mine = paper.type, [board for board in book.boards.values() if reader.number in board.numbers]
    if kind in (fields.ROUND, fields.STANDINGS):
        number = paper.number("round")
        if kind == fields.STANDINGS:
            return reader.left < 0 and reader.number not in list_beaten(book)
        free = any(reader.number in each.spent for each in book.rounds if each.number == number)
        return any(board.round == number for board in mine) or (free and reader.left < 0)
    if kind == fields.BIDS:
        named = {str(said["board"]) for said in (*paper.said("sealed"), *paper.said("opened"))}
        return any(board.name in named for board in mine)
    if kind in (fields.RESULT, fields.JUDGED):
        return any(board.name == paper.text("board") for board in mine)
    if kind == fields.CLOCK:
        going = (board for board in mine if not board.decided)
        return paper.text("who") in (reader.number, clocks.ALL, *(board.against(reader.number) for board in going))
    return kind in (fields.WITHDRAWN, fields.SUBSTITUTE, fields.KEY) and paper.text("number") == reader.number
