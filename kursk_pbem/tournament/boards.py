"""Checks of a game against its board: message 0 and the result (docs/directors.md 11, steps f and g)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.audit.played import Played
from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.desk.own import decided, register
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, histories, journal
from kursk_pbem.game import pins as systems
from kursk_pbem.game.histories import History
from kursk_pbem.tournament import chance, records
from kursk_pbem.tournament.book.outcomes import METHODS
from kursk_pbem.tournament.records import Board, Book
from kursk_pbem.tournament.score.counted import margin_of

FIELD = "tournament"
_HOW = {how: f"by {how}" for how in (records.FORFEIT, "resignation", records.POINTS)}
_HOW["agreed draw"] = "by agreement of the players"
"""Ends of a game in words."""
_USUAL = ("win", "normal", records.DRAWN_GAME)
"""Ends of a game that add nothing to the result."""


def find_board(book: Book, called: str) -> Board:
    """Return the board named ``called``. Raises UsageError that lists the newest round's boards if it is unknown."""
    if called not in book.boards:
        there = ", ".join(board.name for board in book.of_round(book.round)) or "none"
        raise UsageError(f"no board is called {called!r}; the boards of round {book.round} are {there}")
    return book.boards[called]


def player_names(book: Book, board: Board) -> dict[str, str]:
    """Return the names of a board's players by side, as shown in reports."""
    there = {side: book.entrant(number) for side, number in board.sides.items()}
    return {side: one.name_at(board.seq) if one.shown else f"number {one.number}" for side, one in there.items()}


def player_keys(book: Book, board: Board, seq: int) -> dict[str, str]:
    """Return the keys of a board's players at log paper ``seq``, by side. A later substitute's key does not count."""
    entrants = {side: book.entrant(number) for side, number in board.sides.items()}
    late = {side for side, entrant in entrants.items() if entrant.substituted > board.seq}
    time = {side: entrant.substituted - 1 if side in late else seq for side, entrant in entrants.items()}
    return {side: entrant.key_at(min(seq, time[side])) for side, entrant in entrants.items()}


def find_own_games(book: Book, home: Path) -> dict[str, Known]:
    """Return the games of this private folder's player in a tournament, by board."""
    found = dict[str, Known]()
    for known in register.every(home, home):
        said = known.head.get(FIELD)
        if known.own is not None and isinstance(said, dict) and said.get("id") == book.id:
            found[str(said.get("board"))] = known
    return found


def explain_closed(book: Book, game: str, called: str = "") -> str:
    """Return why a game accepts no more messages, or ''. ``called``: the board that message 0 names."""
    board = book.board_of(game) or book.boards.get(called)
    if board is None or board.outcome is None or not board.outcome.final:
        return ""
    ended = describe_result(book, board).removesuffix(".")
    return f"board {board.name} was decided: {ended}; its game is over (log paper {board.outcome.seq})"


def explain_full(book: Book, game: str, place: Path) -> str:
    """Return why a game's folder needs no more messages, or ''. Raises KurskError.

    A restored folder may still need the last messages of a decided game.
    """
    board = book.board_of(game)
    lacks = board is not None and board.outcome is not None and board.outcome.head and find_end(board, place) is None
    return "" if lacks else explain_closed(book, game)


def mark_decided(book: Book, home: Path) -> None:
    """Forbid the player to sign in each game whose board the log has decided. Other games stay open (6.4)."""
    for board in book.boards.values():
        own = journal.find(home, board.game) if board.game else None
        if own is not None and (why := explain_closed(book, board.game)) != decided.explain_decided(own):
            jsonfiles.write_object(own.path / decided.DECIDED, {"why": why})


def find_end(board: Board, place: Path) -> int | None:
    """Return the number of the last message that counts in a decided board's game, or None. Raises KurskError."""
    if board.outcome is None or not board.outcome.final or not board.outcome.head:
        return None
    for path in reversed(folders.message_files(place)):
        if (message := folders.read_message(path)).id == board.outcome.head:
            return message.seq
    return None


def load_game(board: Board, place: Path) -> History:
    """Return a board's game up to the last message that counts. Raises KurskError."""
    return histories.load(place, end=find_end(board, place))


def find_proposer(book: Book, board: Board) -> str:
    """Return the number of the entrant who must propose a board's game, or '' if the director does."""
    if book.rules.refereed:
        return ""
    system = book.rules.systems[board.system - 1]
    return board.sides[systems.find_proposer(system.scenario, system.options, system.sha256)]


def describe_manner(by: str, how: str) -> str:
    """Return in words how a board ended, such as 'by resignation'. ``by``: the judging method. ``how``: the end."""
    if by in METHODS:
        return METHODS[by].told
    return _HOW.get(how) or ("" if how in _USUAL else f"({how})")


def describe_result(book: Book, board: Board, reader: str = "") -> str:
    """Return who won a decided board, and how. ``reader``: an entrant number, to whom the sentence says "you"."""
    outcome, called = board.outcome, player_names(book, board)
    if outcome is None:
        return ""
    how = describe_manner(outcome.by, outcome.how)
    margin = margin_of(board, outcome)
    ended = "".join(f", {each}" for each in (how, f"margin {abs(margin)}" if margin else "") if each) + "."
    first, second = called if not reader else (board.side_of(reader), board.side_of(board.against(reader)))
    if outcome.winner == second and not reader:
        first, second = second, first
    one = "you" if reader else f"{called[first]} ({first.capitalize()})"
    other = f"{called[second]} ({second.capitalize()})"
    if not outcome.final:
        return f"{one} and {other} have adjourned; the board counts as a draw for now."
    if outcome.winner == records.NOBODY:
        return f"{one} and {other} have lost both{ended}"
    if outcome.winner == records.DRAWN_GAME:
        return f"{one} drew with {other}{ended}"
    return f"{one} {'won' if outcome.winner == first else 'lost'} against {other}{ended}"


def build_head(book: Book, board: Board, secret: bytes) -> dict[str, Any]:
    """Return the fields of message 0 that the log fixes, and a nonce made from the writer's ``secret``."""
    nonce, system = chance.derive_fresh(secret, "game", board.name), book.rules.systems[board.system - 1]
    return {FIELD: build_field(book, board), "nonce": nonce.hex(), "ruleset": system.pin}


def build_field(book: Book, board: Board) -> dict[str, Any]:
    """Return the field ``tournament`` of message 0, with the log paper that fixed the players' sides."""
    seq = max(board.seq, board.bids_seq)
    field: dict[str, Any] = {"id": book.id, "board": board.name, "seq": str(seq), "head": book.log[seq].id}
    if board.paid:
        field["handicap"] = {side: str(price) for side, price in sorted(board.paid.items())}
    return field


def find_misfits(book: Book, board: Board, head: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the differences between a message 0 and the board that it names: the field, and a sentence about it."""
    named = head.get(FIELD)
    if not isinstance(named, Mapping):
        yield FIELD, "message 0 names no tournament: the game was played outside the tournament"
        return
    if named.get("id") != book.id or named.get("board") != board.name:
        yield FIELD, f"message 0 names board {named.get('board')} of the tournament {str(named.get('id'))[:16]}"
        return
    seq = int(named["seq"])
    if named["head"] in book.others:
        seq = max(board.seq, board.bids_seq)  # a void paper of equal matter has paired the board
    elif seq >= len(book.log):
        yield f"{FIELD}/seq", f"message 0 names log paper {seq}, and the log here ends with {len(book.log) - 1}"
        return
    elif book.log[seq].id != named["head"]:
        yield f"{FIELD}/head", f"message 0 names a different log paper {seq}: two logs exist"
        return
    if seq < max(board.seq, board.bids_seq):
        yield f"{FIELD}/seq", f"message 0 was written before board {board.name} was paired"
    if "continues" in head:
        yield "continues", "a board has one game, without a successor game"
    if not board.sides_known:
        yield f"{FIELD}/board", f"the sides of board {board.name} are not known yet"
        return
    yield from _find_disagreements(book, board, head, seq)


def _find_disagreements(book: Book, board: Board, head: Mapping[str, Any], seq: int) -> Iterator[tuple[str, str]]:
    system = book.rules.systems[board.system - 1]
    pinned = head.get("keys", {})
    for side, key in player_keys(book, board, seq).items():
        if pinned.get(side) != key:
            yield f"keys/{side}", f"the {side} side is number {board.sides[side]}'s, but a different key plays"
    keepers = [key for key in book.rules.keepers() if key not in [pinned.get(side) for side in board.sides]]
    if pinned.get(REFEREE, "") not in keepers:
        yield f"keys/{REFEREE}", "the timekeeper must be the director, or an assistant if the director plays"
    right = {
        "dice-from": REFEREE if book.rules.refereed else "players",
        "ruleset": system.pin,
        "scenario": {"id": system.scenario, "sha256": system.sha256},
        "options": dict(system.options),
    }
    for name, value in right.items():
        if head.get(name) != value:
            yield name, f"paper 0 has {_format_value(value)}, message 0 {_format_value(head.get(name))}"
    paid = build_field(book, board).get("handicap")
    if head[FIELD].get("handicap") != paid:
        yield f"{FIELD}/handicap", f"it must be {_format_value(paid) or 'left out'}"


def _format_value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_format_value(inner)}" for key, inner in value.items()) or "none"
    return str(value or "")[:40]


def result_margin(played: Played) -> int | None:
    """Return the margin of victory in a game, or None after a forfeit."""
    return None if played.how == records.FORFEIT else played.margin


def build_result(board: Board, played: Played) -> dict[str, str]:
    """Return the fields of a ``result`` paper. They come from the files of a game."""
    outcome = {"board": board.name, "game": played.ids[0], "head": played.ids[-1]}
    outcome |= {"winner": played.winner or records.DRAWN_GAME, "how": played.how}
    if (by := result_margin(played)) is not None:
        outcome["margin"] = str(by)
    return outcome
