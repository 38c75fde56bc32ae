"""Boards: games, results and judgements (docs/directors.md 6.4).

This module checks the log for consistency; ``proof/games.py`` compares the log with the files of the games.
"""

from __future__ import annotations

from kursk_pbem.tournament import records
from kursk_pbem.tournament.book.methods import METHODS
from kursk_pbem.tournament.faults import need, refuse
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Outcome


def apply_game(book: Book, log: Paper) -> None:
    """``game``: check and log the game of a board."""
    board, id_ = _named_board(book, log), log.text("game")
    need(board.sides_known, log, "board", f"the sides of board {board.name} are not known yet")
    need(not (board.outcome and board.outcome.final), log, "board", f"board {board.name} is decided")
    taken = next((board.name for board in book.boards.values() if board.game == id_), "")
    need(not taken, log, "game", f"the game is board {taken} already")
    why = f"board {board.name} has the game {board.game[:16] or 'none'}, and only one game"
    need(not board.game, log, "game", why)
    board.game, board.game_seq = id_, log.seq


def apply_result(book: Book, log: Paper) -> None:
    """Check and log the result of a finished game."""
    board = _undecided_board(book, log)
    need(log.text("game") == board.game, log, "game", _describe_game(board))
    winner, how = log.text("winner"), log.text("how")
    need(winner in (*board.sides, records.DRAWN_GAME), log, "winner", f"the winner is {', '.join(board.sides)} or draw")
    need(how != records.FORFEIT or winner != records.DRAWN_GAME, log, "winner", "a forfeit is no draw")
    board.outcome = _make_outcome(log, "")


def apply_judged(book: Book, log: Paper) -> None:
    """``judged``: check an unfinished game's judgement. Of the methods in paper 0 the first possible one decides."""
    board = _undecided_board(book, log)
    winner = log.text("winner")
    among = (*board.sides, records.DRAWN_GAME, records.NOBODY)
    need(winner in among, log, "winner", f"the winner is {', '.join(board.sides)}, draw or 'nobody'")
    by = log.text("by")
    method = METHODS[by]
    if method.position:
        need("head" in log.content and log.said("game") == board.game != "", log, "game", _describe_game(board))
    else:
        need("head" not in log.content or log.said("game") == board.game, log, "game", _describe_game(board))
    method.check(book, log, board)
    board.outcome = _make_outcome(log, by, by if method.position else records.FORFEIT)


def _make_outcome(log: Paper, by: str, how: str = "") -> Outcome:
    margin = int(log.text("margin")) if "margin" in log.content else None
    head, game_ = str(log.said("head")), str(log.said("game"))
    return Outcome(log.text("winner"), how or log.text("how"), margin, game_, head, by, log.seq)


def _named_board(book: Book, log: Paper) -> Board:
    board = book.boards.get(log.text("board"))
    if board is None:
        refuse(log, "board", f"the log has no board {log.text('board')}")
    return board


def _undecided_board(book: Book, log: Paper) -> Board:
    board = _named_board(book, log)
    if board.outcome is not None and board.outcome.final:
        decided = book.log[board.outcome.seq].name
        refuse(log, "board", f"board {board.name} was decided by {decided}; only a correction can change the result")
    return board


def _describe_game(board: Board) -> str:
    return f"board {board.name} is game {board.game[:16]}" if board.game else f"board {board.name} has no game yet"
