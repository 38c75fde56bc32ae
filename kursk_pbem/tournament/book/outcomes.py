"""Boards: games, results and judgements (docs/directors.md 6.4).

This module checks the log for consistency; ``proof/games.py`` compares the log with the files of the games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from kursk_pbem.frozen import frozen
from kursk_pbem.tournament import records
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.faults import need, refuse
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book, Outcome
from kursk_pbem.tournament.score.counted import margin_of


def apply_game(book: Book, log: Paper) -> None:
    """Check a ``game`` paper, and log the game that belongs to a board."""
    board, id_ = _named_board(book, log), log.text("game")
    need(board.sides_known, log, "board", f"the sides of board {board.name} are not known yet")
    need(not (board.outcome and board.outcome.final), log, "board", f"board {board.name} is decided")
    taken = next((board.name for board in book.boards.values() if board.game == id_), "")
    need(not taken, log, "game", f"the game is board {taken} already")
    why = f"board {board.name} has the game {board.game[:16] or 'none'}, and only one game"
    need(not board.game, log, "game", why)
    board.game, board.game_seq = id_, log.seq


def apply_result(book: Book, log: Paper) -> None:
    """Check a ``result`` paper, and log the result of a finished game."""
    board = _undecided_board(book, log)
    need(log.text("game") == board.game, log, "game", _describe_game(board))
    winner, how = log.text("winner"), log.text("how")
    need(winner in (*board.sides, records.DRAWN_GAME), log, "winner", f"the winner is {', '.join(board.sides)} or draw")
    need(how != records.FORFEIT or winner != records.DRAWN_GAME, log, "winner", "a forfeit is no draw")
    board.outcome = _make_outcome(log, "")


def apply_judged(book: Book, log: Paper) -> None:
    """Check a ``judged`` paper: it decides an unfinished game by the first possible method of the rules (paper 0)."""
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


def _check_withdrew(book: Book, log: Paper, board: Board) -> None:
    gone = book.absent_from(board)
    need(gone, log, "by", f"no player of board {board.name} has withdrawn")
    left = [side for side in board.sides if side not in gone]
    right = left[0] if left else records.NOBODY
    need(log.text("winner") == right, log, "winner", f"the remaining player wins: {right}")


def _check_silence(book: Book, log: Paper, board: Board) -> None:
    """Check a judgement for a game not begun in time. Without a game the director decides who was silent."""
    due = clocks.begin_by(book, board)
    need(log.text("time") > due, log, "time", f"the game has until {due} to begin")
    need(log.text("winner") != records.DRAWN_GAME, log, "winner", "a judgement by silence cannot be a draw")


def _check_agreed(book: Book, log: Paper, board: Board) -> None:
    pair = find_agreement(book, board, log.text("head"))
    named = sorted(log.texts("papers"))
    why = "the log has no equal papers of both players"
    need(pair is not None and named == sorted(paper.id for paper in pair), log, "papers", why)
    assert pair is not None  # noqa: S101  asked for
    for name in ("winner", "head", "game", "margin"):
        right = pair[0].said(name)
        need(log.said(name) == right, log, name, f"the players agreed on {right or 'no ' + name}")


def find_agreement(book: Book, board: Board, head: str = "") -> tuple[Paper, Paper] | None:
    """Return both players' papers that agree on a board's end, or None. ``head``: the last message, if given."""
    players = {book.entrant(number).key for number in board.numbers}
    signed = (paper for paper in book.of_kind(fields.AGREE, board.name) if head in ("", paper.said("head")))
    for one, other in combinations(signed, 2):
        same = all(one.said(name) == other.said(name) for name in ("game", "head", "winner", "margin"))
        if same and {one.sender, other.sender} == players:
            return one, other
    return None


def _check_points(book: Book, log: Paper, board: Board) -> None:
    """Check a judgement by points: a margin above the threshold wins. ``proof/games.py`` checks the margin itself."""
    _check_turn(book, log, board, records.POINTS)
    need("margin" in log.content, log, "margin", "a judgement by points must name the margin")
    right = winner_by_points(book, board, int(log.text("margin")))
    need(log.text("winner") == right, log, "winner", f"by the margin the winner is {right}")


def winner_by_points(book: Book, board: Board, margin: int | None) -> str | None:
    """Return the winner by a margin (first side minus second side), a draw within the threshold, None without margin.

    Without a threshold, a margin of 0 is a win for the side that gave points by an option of the game.
    """
    if margin is None:
        return None
    counted = margin_of(board, Outcome(records.DRAWN_GAME, records.POINTS, margin, "", "", records.POINTS, 0)) or 0
    first, second = board.sides
    threshold = book.rules.terms.threshold
    if not counted and not threshold:
        return book.rules.systems[board.system - 1].giver or records.DRAWN_GAME
    return first if counted > threshold else second if counted < -threshold else records.DRAWN_GAME


def _check_word(book: Book, log: Paper, board: Board) -> None:
    _check_turn(book, log, board, records.WORD)
    players = {book.entrant(number).key for number in board.numbers}
    if book.rules.key in players:  # a player must not judge the own game: an assistant signs the judgement
        judges = {*book.rules.assistants} - players
        equal = {
            paper.id
            for paper in book.of_kind(fields.RULING, board.name)
            if paper.sender in judges and all(paper.said(name) == log.said(name) for name in ("game", "head", "winner"))
        }
        why = "the director plays on the board, and no assistant has signed an equal judgement"
        need(equal & {*log.texts("papers")}, log, "papers", why)
    need(log.text("winner") != records.NOBODY, log, "winner", "a judgement names a side or a draw")


def _check_draw(book: Book, log: Paper, board: Board) -> None:
    _check_turn(book, log, board, "draw")
    need(log.text("winner") == records.DRAWN_GAME, log, "winner", "this is a draw")


def _check_adjourned(book: Book, log: Paper, board: Board) -> None:
    need(book.rules.terms.adjourn, log, "by", "paper 0 adjourns no games")
    need(board.outcome is None, log, "by", f"board {board.name} is adjourned already")
    _check_round_over(book, log, board)
    need(log.text("winner") == records.DRAWN_GAME, log, "winner", "an adjourned board counts as a draw")


def _check_turn(book: Book, log: Paper, board: Board, by: str) -> None:
    """Check that paper 0 allows a method, its time has come, and no earlier method of paper 0 applies."""
    ends = book.rules.terms.ends
    need(by in ends, log, "by", f"paper 0 decides unfinished games by {', '.join(ends)}")
    _check_round_over(book, log, board)
    before = ends[: ends.index(by)]
    if records.AGREED in before and find_agreement(book, board, str(log.said("head"))) is not None:
        refuse(log, "by", "the players have agreed on the result, and an agreement comes first")
    if records.POINTS in before and "margin" in log.content:
        refuse(log, "by", f"the game has a margin, and points come before {by}")


def _check_round_over(book: Book, log: Paper, board: Board) -> None:
    due = clocks.round_due(book, board.round)
    need(log.text("time") > due, log, "time", f"round {board.round} ends at {due}")


@frozen
class Method:
    """A method of judgement. The values of ``by`` are also in schemas/tournament.schema.json.

    ``winner``: '' if the director names the winner, None if the players or the margin decide.
    """

    told: str  # the words after a result
    check: Callable[[Book, Paper, Board], None]  # raises FalsePaperError for a log paper against the rules
    winner: str | None = None
    position: bool = True  # a message of the game is judged; otherwise the loss is a forfeit
    chosen: bool = True  # by the director, so that verify names the judgement


METHODS: Mapping[str, Method] = {
    records.SILENCE: Method("because the game did not begin in time", _check_silence, "", position=False),
    records.AGREED: Method("by agreement of the players", _check_agreed, chosen=False),
    records.POINTS: Method("by points", _check_points),
    records.WORD: Method("by the director's word", _check_word, ""),
    "draw": Method("because the time was over", _check_draw, records.DRAWN_GAME),
    records.ADJOURNED: Method("(adjourned)", _check_adjourned, records.DRAWN_GAME),
    records.WITHDREW: Method("because a player has withdrawn", _check_withdrew, position=False, chosen=False),
}
"""Every method of judgement, one row each (docs/directors.md 6.4)."""


def find_winner(book: Book, board: Board, by: str, margin: int | None) -> str | None:
    """Return the winner by a method, '' if the director names the winner, None if the method does not decide."""
    return winner_by_points(book, board, margin) if by == records.POINTS else METHODS[by].winner


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
