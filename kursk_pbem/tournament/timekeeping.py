"""Checks before the referee of a board's game signs a receipt or a forfeit (docs/directors.md 6.1, 6.5).

The director signs with the commands of tournaments. An assistant keeps time in the director's own games with the
commands of single games and a copy of the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game.games import Game
from kursk_pbem.tournament import private
from kursk_pbem.tournament.book import clocks, reading
from kursk_pbem.tournament.records import Board, Book


@frozen
class Keeper:
    """An assistant who is the referee of a board's game, with a copy of the tournament's log."""

    book: Book
    board: Board
    named: Mapping[str, Any]  # the field ``tournament`` of message 0

    def date(self, time: str) -> tuple[str, dict[str, str]]:
        """Return the time for a referee's paper, and the paper's field ``log``."""
        return clocks.date_paper(self.book, self.named, time)

    def term(self, said: Term) -> Term:
        """Return the contents of a receipt by the rules (paper 0). Raises UsageError if an assistant sets own terms."""
        days = self.book.rules.terms.days
        if said.due or said.days not in (0, days):
            raise UsageError(f"paper 0 of the tournament gives {days} days for an answer: leave --days and --due out")
        return replace(said, days=days, log=self.date, most=clocks.latest_due(self.book, self.named))


def find_keeper(named: Mapping[str, Any], home: Path) -> Keeper | None:
    """Return the assistant who signs a paper in a game, or None outside tournaments."""
    if not named:
        return None
    record = private.find_record(home, str(named["id"]))
    place = f"the game is board {named['board']} of the tournament {str(named['id'])[:16]}"
    if record is None:
        raise UsageError(
            f"{place}, but this machine has no copy of the tournament's log: type 'kursk tournament enter'. If you "
            "are the director, type 'kursk tournament restore FOLDER'"
        )
    if record.role == private.DIRECTOR:
        ends = f"'kursk tournament forfeit {named['board']}' ends the game"
        raise UsageError(f"{place}, and you are the director: 'kursk tournament inbox FILE' signs receipts, {ends}")
    book = reading.read_folder(Path(record.folder))
    board = book.boards.get(str(named["board"]))
    if board is None:
        raise UsageError(f"{place}, but your copy lacks this board: read the director's newest mail first")
    return Keeper(book, board, named)


def check_time_over(book: Book, board: Board, game: Game, said: Mapping[str, str]) -> None:
    """Raise UsageError if a forfeit was ``declared`` while the late side still had time, including granted time."""
    receipt = game.papers.receipts.get(game.chain.next_seq - 1)
    if receipt is None:
        return
    number = board.sides[game.chain.writer(game.chain.next_seq)]
    due = clocks.compute_due(book, number, receipt.text("received"), receipt.text("due"))
    if said["declared"] <= due:
        raise UsageError(f"entrant number {number} has time until {due}, with all added time")
