"""An entrant's games: proposals, and checks against the board before a game is accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import register
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import folders, inbox, journal
from kursk_pbem.tournament import boards, private
from kursk_pbem.tournament.entrant import desk as desks
from kursk_pbem.tournament.entrant.desk import EntrantDesk
from kursk_pbem.tournament.records import Board
from kursk_pbem.trust.messages import Message


def propose_games(desk: EntrantDesk, called: str, parent: Path) -> list[tuple[str, Path]]:
    """Propose a board's game, or for '' all due games; return (board, file of message 0). Repeats give equal bytes."""
    me = desk.me
    if desk.book.rules.refereed:
        raise UsageError("in this tournament, the director rolls the dice and proposes the games")
    wanted = [boards.find_board(desk.book, called)] if called else desk.book.undecided()
    number = me.number if me is not None else ""
    mine = [board for board in wanted if number in board.sides.values() and board.sides_known]
    if called and not mine:
        raise UsageError(f"you do not play on board {called}, or the sides are not known yet")
    due = [board for board in mine if not board.game and boards.find_proposer(desk.book, board) == number]
    return [(board.name, _propose_game(desk, board, parent)) for board in due]


def _propose_game(desk: EntrantDesk, board: Board, parent: Path) -> Path:
    book, number = desk.book, boards.find_proposer(desk.book, board)
    system = book.rules.systems[board.system - 1]
    side, other = board.side_of(number), board.side_of(board.against(number))
    keys, names = boards.player_keys(book, board, len(book.log)), boards.player_names(book, board)
    more = boards.build_head(book, board, desk.record.secret)
    relay = next(key for key in book.rules.keepers() if key not in keys.values())  # an assistant, if the director plays
    proposal = begin.Proposal(
        system.scenario, side, keys[other], names, system.options, relay, more=more, sha256=system.sha256
    )
    return begin.propose_game(proposal, Path(desk.record.key), parent, desk.home).newest


def check_proposal(message: Message, home: Path) -> None:
    """Check a proposal against its board before it is accepted. Raises UsageError for an unknown tournament."""
    named = message.mapping(boards.FIELD)
    if not named:
        return
    record = private.find_record(home, str(named["id"]))
    if record is None:
        raise UsageError(
            f"you have no copy of the tournament {str(named['id'])[:16]} of this game: enter the tournament, "
            "or type 'kursk tournament inbox' with the director's mails first"
        )
    if record.role != private.ENTRANT:
        return
    desk = desks.open_desk(Path(record.folder), home)
    board = desk.book.boards.get(str(named["board"]))
    if board is None:
        raise UsageError(f"your copy has no board {named['board']}: read the director's newest mail first")
    for field, found in boards.find_misfits(desk.book, board, message.content):
        raise TrustError("head", found, message.where(*field.split("/")))
    if why := boards.explain_closed(desk.book, message.id, board.name):
        raise UsageError(why)
    check_only_game(message, home)


def check_only_game(message: Message, home: Path, waiting: Iterable[Message] = ()) -> None:
    """Raise UsageError if the board has another game here, or if a second proposal for the board is ``waiting``."""
    named = message.mapping(boards.FIELD)
    rivals = (other for other in waiting if other.mapping("keys") == message.mapping("keys"))
    there: list[tuple[str, Mapping[str, object], str]]
    there = [(other.id, other.content, "a waiting proposal") for other in rivals]
    there += [(known.game, known.head, f"in {known.folder}") for known in register.list_games(home, Path())]
    for game, head, place in there:
        about = head.get(boards.FIELD)
        same = isinstance(about, dict) and all(about.get(key) == named.get(key, 0) for key in ("id", "board"))
        if same and game != message.id:
            why = f"you have game {game[:8]} for board {named['board']} already, {place}"
            raise UsageError(f"{why}: a board has only one game; ask the director if the proposer disagrees")


def check_proposal_text(text: str, home: Path) -> None:
    """Check the text of a proposal that a web page has sent back."""
    message = inbox.read(text.encode("utf-8", "replace"), "the proposal")
    if message.seq == 0:
        check_proposal(message, home)


def find_newest(desk: EntrantDesk, board: Board) -> tuple[str, str]:
    """Return a board's game, and its newest message on this machine. Raises UsageError without a game here."""
    known = None if board.game else boards.find_own_games(desk.book, desk.home).get(board.name)
    game = known.game if known else board.game
    own = journal.find(desk.home, game) if game else None
    if own is None:
        raise UsageError(f"you have no game of board {board.name} here: accept it, or take the director's newest mail")
    return game, folders.read_message(folders.message_files(Path(own.folder))[-1]).id
