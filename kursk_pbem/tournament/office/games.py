"""Games at the director's desk: proposals, messages, receipts, added time and results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.audit import played as accounts
from kursk_pbem.audit.played import Played
from kursk_pbem.desk import desks, play
from kursk_pbem.desk.referee import director, grants, kept, successor_terms, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.desk.referee.timekeeper import Opened, Term
from kursk_pbem.errors import KurskError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, histories, receipts, reports
from kursk_pbem.game.histories import History
from kursk_pbem.tournament import boards, chance
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.book.records import Board, Book
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import messages
from kursk_pbem.trust import papers as referees
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import BANK, EXTENSION, FORFEIT, HOLIDAY, PAUSE, RECEIPT

_FIRST = (RECEIPT, EXTENSION, FORFEIT)
"""Referees' papers, in the order in which one requires another."""


@dataclass
class Taken:
    """The results of incoming games: written files by game, and refusals."""

    written: dict[Path, list[Path]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def wrote(self, game: Path, paths: Sequence[Path]) -> None:
        """Add written files of a game."""
        self.written.setdefault(game, []).extend(paths)


def folder_of(office: Office, game: str) -> Path:
    """Return the folder of a game."""
    return office.games / folders.folder_name(game)


def proposals(office: Office) -> dict[str, Message]:
    """Return message 0 of each board with a game folder."""
    by_board: dict[str, Message] = {}
    places = sorted(office.games.glob("game-*")) if office.games.is_dir() else []
    for place in places:
        try:
            first = folders.read_message(folders.proposal_path(place))
        except KurskError:
            continue  # the folder has no message 0 yet
        named = first.mapping(boards.FIELD)
        if named.get("id") == office.book.id:
            by_board.setdefault(str(named["board"]), first)
    return by_board


def propose(office: Office, board: Board) -> Message:
    """Propose the game of a board as the referee who rolls. A repeated call writes equal bytes."""
    book, rules = office.book, office.book.rules
    system = rules.systems[board.system - 1]
    seq = max(board.seq, board.bids_seq)
    more: dict[str, Any] = {
        boards.FIELD: boards.said(book, board, seq),
        "nonce": chance.fresh(office.record.secret, "game", board.name).hex(),
        "ruleset": {"id": system.ruleset, "version": system.version},
    }
    keys = boards.keys(book, board, len(book.log))
    match = director.Match(system.scenario, keys, boards.names(book, board), system.options, more, system.sha256)
    folders.make(office.games)
    return director.propose_game(match, Path(office.record.key), office.games, office.home).last


def take(office: Office, incoming: Sequence[Message], taken: Taken) -> None:
    """Accept messages in the order of each game; answer at once if the referee must answer."""
    first = (message for message in incoming if message.seq == 0)
    for message in sorted(first, key=lambda proposal: proposal.id):
        _kept(taken, message.document.name, lambda message=message: take_proposal(office, message, taken))
    rest: dict[str, list[Message]] = {}
    for message in incoming:
        if message.seq:
            rest.setdefault(str(message.content.get("game", "")), []).append(message)
    for game, later in sorted(rest.items()):
        place = folder_of(office, game)
        if not folders.proposal_path(place).is_file():
            taken.refused.append(f"{later[0].document.name}: no game {game[:16]} of this tournament is here")
            continue
        _kept(taken, str(place), lambda place=place, later=later: _go_on(office, place, later, taken))


def _kept(taken: Taken, name: str, work: Any) -> None:
    """Call a function and note a refusal: one bad mail must not stop the others."""
    try:
        work()
    except KurskError as error:
        taken.refused.append(str(error) if error.where else f"{name}: {error}")


def take_proposal(office: Office, message: Message, taken: Taken) -> None:
    """Accept a player's proposal for a board."""
    place = folder_of(office, message.id)
    if folders.proposal_path(place).is_file():
        return
    board = wanted(office.book, message)
    if (first := proposals(office).get(board.name)) is not None:
        raise _has_one(board, first.id)
    folders.make(place)
    path = folders.message_path(place, 0)
    folders.write(path, messages.emit_for_mail(message.content, message.armour or "", message.state))
    taken.wrote(place, [path])


def wanted(book: Book, message: Message) -> Board:
    """Return the board of a player's proposal, after checking the proposal against the board."""
    named = message.mapping(boards.FIELD)
    board = book.boards.get(str(named.get("board", "")))
    if named.get("id") != book.id or board is None:
        raise UsageError(f"{message.document.name} is no game of this tournament")
    histories.begin(message)  # first, to report a malformed proposal before other errors
    for misfit in boards.misfits(book, board, message.content):
        raise TrustError("head", misfit.found, message.where(*misfit.field.split("/")))
    if board.game not in ("", message.id):
        raise _has_one(board, board.game)
    return board


def _has_one(board: Board, game: str) -> UsageError:
    return UsageError(f"board {board.name} has its game already: {folders.folder_name(game)}")


def _go_on(office: Office, place: Path, later: Sequence[Message], taken: Taken) -> None:
    """Accept later messages of a game; sign the answers of a referee who rolls."""
    desk = desks.open_desk(place, office.home)
    why = boards.closed(office.book, desk.game.chain.game)
    if why and any(message.seq >= desk.seq for message in later):
        raise UsageError(why)
    for message in sorted(later, key=lambda message: message.seq):
        got = play.take_message(desk, message, bare=True)
        desk = got.desk
        taken.wrote(place, got.written)
        if (answered := director.sign_if_owed(desk, office.record.key)) is not None:
            desk = answered
            taken.wrote(place, [desk.newest])


def receive(office: Office, place: Path, received: str, taken: Taken, history: History | None = None) -> None:
    """Sign the receipt of the newest message, unless the message has or needs none.

    The last message needs a receipt.
    """
    history = history or histories.load(place)
    game, over = history.game, history.game.over
    if REFEREE not in game.chain.keys or game.chain.keys[REFEREE] != office.book.rules.key:
        return
    if game.chain.next_seq - 1 in game.papers.receipts or (over and game.chain.refereed):
        return
    if not over and game.chain.writer(game.chain.next_seq) == REFEREE:
        return
    if not successor_terms.is_message_owed(place, history, office.home):
        return
    book, log = office.book, office.book.log_head()
    if (said := kept.read_times(kept.make_kept_path(office.home, game.chain, game.chain.next_seq - 1))) is not None:
        term = Term(*said, late=True, log=log)  # saved before a crash: sign the same times again
    else:
        most = clocks.most(book, game.chain.head.get(boards.FIELD, {}))
        term = Term(received=received, days=0 if over else book.rules.terms.days, late=True, log=log, most=most)
    issued = timekeeper.sign_receipt(Opened(place, history, home=office.home), Path(office.record.key), term)
    taken.wrote(place, [issued.path])


def give_time(office: Office, granted: Paper) -> None:
    """Copy the time added by a ``clock`` paper into the games with a present deadline, as extensions."""
    now = office.now()
    for board in office.book.boards.values():
        place = folder_of(office, board.game)
        if not board.game or not folders.proposal_path(place).is_file():
            continue
        game = histories.load(place).game
        last = game.chain.next_seq - 1
        number, receipt = board.sides.get(game.chain.writer(last + 1), ""), game.papers.receipts.get(last)
        if game.over or receipt is None or granted.text("who") not in (clocks.ALL, number):
            continue
        due = clocks.term(office.book, number, receipt.text("received"), receipt.text("due"))
        if now > (over := game.papers.due(last)):
            office.done.append(f"board {board.name}: its term was over {over}, and this does not reach back")
        if not now <= over < due or game.chain.keys[REFEREE] != office.book.rules.key:
            continue
        away = PAUSE if granted.text("who") == clocks.ALL else HOLIDAY
        grant = Grant(0, due, away if due == granted.said("until") else BANK, now, office.book.log_head())
        issued = grants.extend_deadline(place, Path(office.record.key), grant)
        office.done.append(f"board {board.name}: {reports.of_paper(issued.game.chain, issued.paper)}")


def take_papers(office: Office, papers: Sequence[referees.Paper], taken: Taken) -> None:
    """Add an assistant's papers to the folders of their games, a forfeit after its receipt."""
    for paper in sorted(papers, key=lambda paper: _FIRST.index(paper.type)):
        place = folder_of(office, paper.text("game"))
        _kept(taken, paper.document.name, lambda place=place, paper=paper: _take_paper(place, paper, taken))


def _take_paper(place: Path, paper: referees.Paper, taken: Taken) -> None:
    history = histories.load(place)
    got = receipts.take(place, history.game.chain, history.papers, paper, over=history.game.played_out)
    taken.wrote(place, [got.wrote] if got.wrote else [])


def played(office: Office, board: Board) -> Played | None:
    """Return the result by the files of a board's game, or None before the game begins."""
    place = folder_of(office, board.game)
    if not board.game or not folders.proposal_path(place).is_file():
        return None
    return accounts.of(histories.load(place))


def log_games(office: Office) -> None:
    """Log the game of every board with a game folder and no logged game."""
    there = proposals(office)
    for board in office.book.going():
        first = there.get(board.name)
        if first is not None and not board.games and not any(boards.misfits(office.book, board, first.content)):
            said = {"board": board.name, "game": first.id}
            office.sign(fields.GAME, said, f"board {board.name} is {folders.folder_name(first.id)}")
