"""Games at the director's desk: proposals, messages, receipts, added time and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from kursk_pbem.audit import played as accounts
from kursk_pbem.audit.played import Played
from kursk_pbem.desk.deals import director
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.desk.referee.timekeeper import Opened, Term
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import KurskError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, histories, receipts, reports
from kursk_pbem.game.histories import History
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.director.desk import DirectorDesk
from kursk_pbem.tournament.papers import fields, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Board, Book
from kursk_pbem.trust import messages, sshsig
from kursk_pbem.trust import papers as referees
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import BANK, EXTENSION, FORFEIT, HOLIDAY, PAUSE, RECEIPT

_FIRST = (RECEIPT, EXTENSION, FORFEIT)
"""Referees' papers, in the order in which one requires another."""


@dataclass
class IntakeResult:
    """The results of an intake: acknowledged papers, written files by game, and refusals."""

    papers: list[Paper] = field(default_factory=list)
    written: dict[Path, list[Path]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def wrote(self, game: Path, paths: Sequence[Path]) -> None:
        """Add a game's files that were written."""
        self.written.setdefault(game, []).extend(paths)


def game_folder(desk: DirectorDesk, game: str) -> Path:
    """Return the path of a game's folder."""
    return desk.games / folders.folder_name(game)


def find_proposals(desk: DirectorDesk) -> dict[str, Message]:
    """Return message 0 of each board that has a game folder."""
    by_board: dict[str, Message] = {}
    for place in sorted(desk.games.glob("game-*")):
        try:
            first = folders.read_message(folders.proposal_path(place))
        except KurskError:
            continue  # the folder has no message 0 yet
        named = first.mapping(boards.FIELD)
        if named.get("id") == desk.book.id:
            by_board.setdefault(str(named["board"]), first)
    return by_board


def propose_missing(desk: DirectorDesk) -> None:
    """If the director rolls the dice, write lost proposals of logged games again, with equal bytes."""
    for board in desk.book.boards.values() if desk.book.rules.refereed else ():
        if board.game and not folders.proposal_path(game_folder(desk, board.game)).is_file():
            propose_game(desk, board, board.game_seq)


def propose_game(desk: DirectorDesk, board: Board, seq: int = -1) -> Message:
    """Propose a board's game as the referee who rolls the dice. A repeated call writes equal bytes.

    ``seq``: the log paper at which the players' keys were valid, or -1 for now.
    """
    book, rules = desk.book, desk.book.rules
    system = rules.systems[board.system - 1]
    more = boards.build_head(book, board, desk.record.secret)
    keys = boards.player_keys(book, board, seq if seq >= 0 else len(book.log))
    match = director.Match(system.scenario, keys, boards.player_names(book, board), system.options, more, system.sha256)
    folders.make(desk.games)
    return director.propose_game(match, Path(desk.record.key), desk.games, desk.home).last


def accept_messages(desk: DirectorDesk, incoming: Sequence[Message], taken: IntakeResult) -> None:
    """Accept messages, game by game and in order. If the referee must answer, answer at once."""
    first = (message for message in incoming if message.seq == 0)
    for message in sorted(first, key=lambda proposal: proposal.id):
        with _note_refusal(taken, message.document.name):
            accept_proposal(desk, message, taken)
    rest: dict[str, list[Message]] = {}
    for message in incoming:
        if message.seq:
            rest.setdefault(str(message.content.get("game", "")), []).append(message)
    for game, later in sorted(rest.items()):
        place = game_folder(desk, game)
        if not folders.proposal_path(place).is_file():
            taken.refused.append(f"{later[0].document.name}: the tournament has no game {game[:16]}")
            continue
        with _note_refusal(taken, str(place)):
            _continue_game(desk, place, later, taken)


@contextmanager
def _note_refusal(taken: IntakeResult, name: str) -> Iterator[None]:
    """Note a refusal inside: one bad mail must not stop the others."""
    try:
        yield
    except KurskError as error:
        taken.refused.append(str(error) if error.where else f"{name}: {error}")


def accept_proposal(desk: DirectorDesk, message: Message, taken: IntakeResult) -> None:
    """Accept a player's proposal for a board."""
    place = game_folder(desk, message.id)
    if folders.proposal_path(place).is_file():
        return
    board = find_wanted_board(desk.book, message)
    if (first := find_proposals(desk).get(board.name)) is not None:
        raise _refuse_second(board, first.id)
    folders.make(place)
    path = folders.message_path(place, 0)
    folders.write(path, messages.emit_for_mail(message.content, message.armour or "", message.state))
    taken.wrote(place, [path])


def find_wanted_board(book: Book, message: Message) -> Board:
    """Return the board that a player's proposal names. The proposal is checked against the board first."""
    named = message.mapping(boards.FIELD)
    board = book.boards.get(str(named.get("board", "")))
    if named.get("id") != book.id or board is None:
        raise UsageError(f"the game of {message.document.name} does not belong to the tournament")
    histories.begin(message)  # first, to report a malformed proposal before other errors
    for field_, found in boards.find_misfits(book, board, message.content):
        raise TrustError("head", found, message.where(*field_.split("/")))
    if board.game not in ("", message.id):
        raise _refuse_second(board, board.game)
    return board


def _refuse_second(board: Board, game: str) -> UsageError:
    return UsageError(f"board {board.name} has a game already: {folders.folder_name(game)}")


def _continue_game(desk: DirectorDesk, place: Path, later: Sequence[Message], taken: IntakeResult) -> None:
    """Accept later messages of a game; sign the answers of a referee who rolls."""
    at_game = desks.open_desk(place, desk.home)
    why = boards.explain_full(desk.book, at_game.game.chain.game, place)
    if why and any(message.seq >= at_game.seq for message in later):
        kept = [keep_late(desk.folder, at_game.game.chain, message) for message in later]
        raise UsageError(f"{why}; {'; '.join(filter(None, kept))}")
    for message in sorted(later, key=lambda message: message.seq):
        got = play.take_message(at_game, message, bare=True)
        at_game = got.desk
        taken.wrote(place, got.written)
        if (answered := director.sign_if_owed(at_game, desk.record.key)) is not None:
            at_game = answered
            taken.wrote(place, [at_game.newest])


def keep_late(folder: Path, chain: Chain, message: Message) -> str:
    """Keep as evidence a signed message that came after its board was decided. Return a sentence, or ''."""
    if message.seq < chain.next_seq or message.sender not in chain.keys:
        return ""
    sshsig.verify(chain.keys[message.sender], sshsig.NAMESPACE, message.signed, message.armour or "")
    path = folder / store.EVIDENCE / f"message-{chain.game[:16]}-{message.seq:04d}-{message.id[:16]}.yaml"
    if folders.evidence_wanted(path):
        folders.make(path.parent)
        folders.write(path, messages.emit_message(message.content, message.armour))
    return f"message {message.seq} came later, and is kept as {path}" if path.exists() else ""


def sign_receipt(
    desk: DirectorDesk, place: Path, received: str, taken: IntakeResult, history: History | None = None
) -> None:
    """Sign the receipt of the newest message, unless it has a receipt or the referee must answer it now.

    The last message of a game needs a receipt.
    """
    history = history or histories.load(place)
    game, over = history.game, history.game.over
    if REFEREE not in game.chain.keys or game.chain.keys[REFEREE] != desk.book.rules.key:
        return
    if game.chain.next_seq - 1 in game.papers.receipts or (over and game.chain.refereed):
        return
    if not over and game.chain.writer(game.chain.next_seq) == REFEREE:
        return
    book, named = desk.book, game.chain.head.get(boards.FIELD, {})
    log = partial(clocks.date_paper, book, named)
    most = clocks.latest_due(book, named)
    term = Term(received=received, days=0 if over else book.rules.terms.days, late=True, log=log, most=most)
    issued = timekeeper.sign_receipt(Opened(place, history, home=desk.home), Path(desk.record.key), term)
    taken.wrote(place, [issued.path])


def give_time(desk: DirectorDesk, granted: Paper) -> None:
    """Sign extensions in games with a running deadline, for the time granted by a ``clock`` paper."""
    now = desk.now()
    for board in desk.book.boards.values():
        place = game_folder(desk, board.game)
        if not board.game or not folders.proposal_path(place).is_file():
            continue
        game = histories.load(place).game
        last = game.chain.next_seq - 1
        number, receipt = board.sides.get(game.chain.writer(last + 1), ""), game.papers.receipts.get(last)
        if game.over or receipt is None or granted.text("who") not in (clocks.ALL, number):
            continue
        due = clocks.compute_due(desk.book, number, receipt.text("received"), receipt.text("due"))
        if now > (over := game.papers.due(last)):
            desk.done.append(f"board {board.name}: the deadline {over} was over; added time has no effect on the past")
        if not now <= over < due or game.chain.keys[REFEREE] != desk.book.rules.key:
            continue
        away = PAUSE if granted.text("who") == clocks.ALL else HOLIDAY
        grant = Grant(0, due, away if due == granted.said("until") else BANK, now, desk.book.log_head())
        issued = grants.extend_deadline(place, Path(desk.record.key), grant)
        desk.done.append(f"board {board.name}: {reports.describe_paper(issued.game.chain, issued.paper)}")


def accept_papers(desk: DirectorDesk, papers: Sequence[referees.Paper], taken: IntakeResult) -> None:
    """Add an assistant's papers to the folders of the games: first the receipt, then the forfeit."""
    for paper in sorted(papers, key=lambda paper: _FIRST.index(paper.type)):
        place = game_folder(desk, paper.text("game"))
        with _note_refusal(taken, paper.document.name):
            history = histories.load(place)
            got = receipts.take(place, history.game.chain, history.papers, paper, over=history.game.played_out)
            taken.wrote(place, [got.wrote] if got.wrote else [])


def read_result(desk: DirectorDesk, board: Board) -> Played | None:
    """Return the result of a board's game by its files, or None if the game has not begun."""
    place = game_folder(desk, board.game)
    if not board.game or not folders.proposal_path(place).is_file():
        return None
    return accounts.collect_facts(boards.load_game(board, place))


def time_after(desk: DirectorDesk, played: Played | None) -> str:
    """Return the time for a decision on a board: now, but not before the director's papers about its game."""
    if played is None or played.head["keys"].get(REFEREE) != desk.book.rules.key:
        return desk.now()
    lost = (played.forfeit.declared,) if played.forfeit is not None else ()
    return max(desk.now(), *lost, *(timed.received for timed in played.receipts))


def last_message(played: Played | None) -> dict[str, str]:
    """Return a judgement's fields that name the last message of a board's game. Before the game begins return {}."""
    return {"game": played.ids[0], "head": played.ids[-1]} if played is not None else {}


def log_games(desk: DirectorDesk) -> None:
    """Log each game that has a folder and a board, but is not in the log yet."""
    there = find_proposals(desk)
    for board in desk.book.going():
        first = there.get(board.name)
        if first is not None and not board.game and not any(boards.find_misfits(desk.book, board, first.content)):
            said = {"board": board.name, "game": first.id}
            desk.sign(fields.GAME, said, f"board {board.name} is {folders.folder_name(first.id)}")
