"""An entrant's games: proposals, and checks against the board before a game is accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from kursk_pbem.desk import begin
from kursk_pbem.desk.games import register
from kursk_pbem.errors import KurskError, TrustError, UsageError
from kursk_pbem.game import folders, inbox, journal
from kursk_pbem.game import pins as systems
from kursk_pbem.tournament import boards, chance, private
from kursk_pbem.tournament.book.records import Board
from kursk_pbem.tournament.entrant import seat as seats
from kursk_pbem.tournament.entrant.seat import Seat
from kursk_pbem.trust.messages import Message


def propose(seat: Seat, called: str, parent: Path) -> list[tuple[str, Path]]:
    """Propose a board's game, or all due games (''), with repeatable bytes; return (board, file of message 0)."""
    me = seat.me
    if seat.book.rules.refereed:
        raise UsageError("in this tournament the director rolls, and proposes every game")
    wanted = [boards.find(seat.book, called)] if called else seat.book.undecided()
    number = me.number if me is not None else ""
    mine = [board for board in wanted if number in board.sides.values() and board.sides_known]
    if called and not mine:
        raise UsageError(f"board {called} is not yours, or its sides are not known yet")
    due = [board for board in mine if not board.games and boards.proposer(seat.book, board) == number]
    return [(board.name, _propose(seat, board, parent)) for board in due]


def _propose(seat: Seat, board: Board, parent: Path) -> Path:
    book = seat.book
    system = book.rules.systems[board.system - 1]
    side = systems.proposer(system.scenario, system.options, system.sha256)
    seq = max(board.seq, board.bids_seq)
    keys, names = boards.keys(book, board, len(book.log)), boards.names(book, board)
    other = next(other_side for other_side in board.sides if other_side != side)
    more = {
        boards.FIELD: boards.said(book, board, seq),
        "nonce": chance.fresh(seat.record.secret, "game", board.name).hex(),
        "ruleset": {"id": system.ruleset, "version": system.version},
    }
    relay = next(key for key in book.rules.keepers() if key not in keys.values())  # an assistant, if the director plays
    proposal = begin.Proposal(
        system.scenario, side, keys[other], names, system.options, relay, more=more, sha256=system.sha256
    )
    return begin.propose_game(proposal, Path(seat.record.key), parent, seat.home).newest


def guard(message: Message, home: Path) -> None:
    """Check a proposal against its board before acceptance. Raises UsageError for an unknown tournament."""
    named = message.mapping(boards.FIELD)
    if not named:
        return
    record = private.find(home, str(named["id"]))
    if record is None:
        raise UsageError(
            f"this game is for the tournament {str(named['id'])[:16]}, of which you have no copy: enter it, "
            "or take the director's mails with 'kursk tournament inbox' first"
        )
    if record.role != private.ENTRANT:
        return
    seat = seats.sit(Path(record.folder), home)
    board = seat.book.boards.get(str(named["board"]))
    if board is None:
        raise UsageError(
            f"there is no board {named['board']} in your copy of the tournament: take the director's newest mail first"
        )
    for misfit in boards.misfits(seat.book, board, message.content):
        raise TrustError("head", misfit.found, message.where(*misfit.field.split("/")))
    if why := boards.closed(seat.book, message.id, board.name):
        raise UsageError(why)
    only_game(message, home)


def only_game(message: Message, home: Path, waiting: Iterable[Message] = ()) -> None:
    """Raise UsageError if this desk has another game of the board, or a rival proposal is ``waiting``."""
    named = message.mapping(boards.FIELD)
    rivals = (other for other in waiting if other.mapping("keys") == message.mapping("keys"))
    there: list[tuple[str, Mapping[str, object], str]]
    there = [(other.id, other.content, "a proposal that waits") for other in rivals]
    there += [(known.game, known.head, f"in {known.folder}") for known in register.list_games(home, Path())]
    for game, head, place in there:
        about = head.get(boards.FIELD)
        same = isinstance(about, dict) and all(about.get(key) == named.get(key, 0) for key in ("id", "board"))
        if same and game != message.id:
            why = f"your desk has game {game[:8]} for board {named['board']} already, {place}"
            raise UsageError(f"{why}: a board is one game; tell the director if the proposer says otherwise")


def guard_text(text: str, home: Path) -> None:
    """Check a proposal returned by a page."""
    message = inbox.read(text.encode("utf-8", "replace"), "the proposal")
    if message.seq == 0:
        guard(message, home)


def head_of(seat: Seat, board: Board) -> str:
    """Return the last message of a board's game at this desk. Raises UsageError if the game is not here."""
    if not board.game:
        why = "your copy of the log does not say yet which game it is: take the director's newest mail first"
        raise UsageError(f"board {board.name}: {why}")
    own = journal.find(seat.home, board.game)
    if own is None:
        raise UsageError(f"you have no game of board {board.name}")
    try:
        return folders.read_message(folders.message_files(Path(own.folder))[-1]).id
    except KurskError as error:
        raise UsageError(f"the game of board {board.name} cannot be read: {error}") from None
