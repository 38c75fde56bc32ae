"""How a board's game goes on with a substitute in the place of a player who fell silent (protocol 2.10)."""

from __future__ import annotations

from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.game import successor
from kursk_pbem.game.histories import History
from kursk_pbem.game.successor import Terms
from kursk_pbem.kernel.state import State
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.book.records import Board, Book


def plan(book: Book, board: Board, history: History) -> tuple[str, dict[str, Any], State]:
    """Who proposes the game that goes on, what its message 0 pins, its first position. UsageError where none can.

    It begins from the latest position where nothing waits or is hidden, under the keys of those who play now.
    """
    seq = len(book.log) - 1
    keys = boards.keys(book, board, seq)
    if all(history.game.chain.keys[side] == key for side, key in keys.items()):
        raise UsageError(f"board {board.name} has its game already, and the same two play it")
    more = {boards.FIELD: boards.said(book, board, seq), "names": boards.names(book, board)}
    return successor.plan(history.games, Terms(keys=keys, at=successor.latest(history.games), more=more))
