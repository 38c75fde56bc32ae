"""Rated games of a tournament (9.3): without forfeits, substitutes' games and boards with other points given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.ratings import Event, Result
from kursk_pbem.kernel import given
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.records import WORD, Board, Book
from kursk_pbem.tournament.score.counted import count_games


def make_event(book: Book, findings: Mapping[str, Finding]) -> Event:
    """Return a verified tournament that has ended, as an event of a ladder, without the director's own judgements."""
    hidden = {entrant.entry for entrant in book.entrants.values() if not entrant.shown}
    told = [book.papers[id_] for id_ in book.received if book.papers[id_].type in (fields.ENTRY, fields.STAND_IN)]
    names = {paper.sender: "" if paper.id in hidden else paper.text("name") for paper in told}
    changes = [book.papers[log.text("paper")] for log in book.log if log.type == fields.KEY]
    changed = tuple((paper.sender, paper.text("new")) for paper in changes)
    end = next(log.text("time") for log in book.log if log.type == fields.END)
    results = tuple(result for _board, result in rate_games(book, findings))
    return Event(book.id, book.rules.title, end, results, changed, names)


def rate_games(book: Book, findings: Mapping[str, Finding]) -> Iterator[tuple[Board, Result]]:
    """Yield the rated boards of a verified tournament, with the results."""
    ranked, differ = {entrant.number for entrant in book.ranked()}, len({one.given for one in book.rules.systems}) > 1
    for game in count_games(book).games:
        board = book.boards[game.board]
        proved = board.outcome and board.outcome.by != WORD and game.played and not game.lost_by_both
        played = findings[board.game].played if board.game in findings else None
        if differ and book.rules.systems[board.system - 1].given != given.NOTHING:
            continue
        if played and proved and ranked.issuperset(game.numbers):
            one, other = (str(played.head["keys"][side]) for side in board.sides)
            halves = 1 if not game.winner else 2 if game.winner == game.numbers[0] else 0  # of the first side
            yield board, (one, other, halves, find_time(book, board))


def find_time(book: Book, board: Board) -> str:
    """Return the time of the log paper that has a board's result. A correction keeps the first time."""
    assert board.outcome is not None  # noqa: S101  a decided board
    log = book.log[board.outcome.seq]
    first = book.log[log.number("corrects")] if log.type == fields.CORRECT else log
    return first.text("time")
