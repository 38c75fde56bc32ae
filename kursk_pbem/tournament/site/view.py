"""The public data of a tournament for all pages: book, table, and public games.

The time of every page is the time of the newest log paper, so equal folders give equal pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.game import fights, pins
from kursk_pbem.game import folders as game_folders
from kursk_pbem.game.fights import Fight
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, pace
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.store import GAMES
from kursk_pbem.tournament.records import ADJOURNED, DRAWN_GAME, NOBODY, Board, Book
from kursk_pbem.tournament.score.counted import Counted, Game, count_games, margin_of
from kursk_pbem.tournament.score.table import Table, compute_standings
from kursk_pbem.tournament.site import layout

AT_ONCE, AFTER_TURN = "at-once", "after-turn"
"""Values of ``publish``; otherwise games are public after their round."""
_PARAGRAPH = re.compile(r" \(\d+\.\d[\w.-]*\)$")


@frozen
class View:
    """The data that a tournament's pages show.

    ``histories``: the available public games by id. ``app``: the address of a web page that verifies archives, or ''.
    ``pictures``: whether the site has turns and games as pictures. ``address``: the address of the site, or ''.
    """

    book: Book = field(repr=False)
    folder: Path
    histories: Mapping[str, History] = field(default_factory=dict, repr=False)
    app: str = ""
    address: str = ""
    pictures: bool = False

    @property
    def now(self) -> str:
        """The time of the log's newest paper."""
        return self.book.head.text("time")

    @cached_property
    def counted(self) -> Counted:
        """The games and points that count for the table."""
        return count_games(self.book)

    @cached_property
    def table(self) -> Table:
        """The standings after the newest round."""
        return compute_standings(self.book)

    @cached_property
    def places(self) -> dict[str, int]:
        """Each entrant's place in the table, by entrant number."""
        return {row.number: row.place for row in self.table.rows}

    def name(self, number: str) -> str:
        """Return the public name of the entrant with a number."""
        return self.book.entrant(number).called

    @cached_property
    def paces(self) -> dict[str, pace.Pace]:
        """The player to move and the reply times of each board, by board name."""
        return pace.measure_boards(self.book, self.folder)

    @cached_property
    def replies(self) -> dict[str, pace.Replies]:
        """The reply times of each entrant, by entrant number."""
        return {each.number: each for each in pace.collect_replies(self.book, self.paces)}

    @cached_property
    def titles(self) -> list[str]:
        """The titles of the tournament's systems (scenarios)."""
        return [pins.make_title(system.scenario) for system in self.book.rules.systems]

    @cached_property
    def scored(self) -> dict[str, Game]:
        """The game of each board that counts, by board name."""
        return {game.board: game for game in self.counted.games}

    @cached_property
    def matches(self) -> dict[str, Match]:
        """The row of each board in lists of games, by board name."""
        return {board.name: _make_match(self, board) for board in self.book.boards.values()}

    @cached_property
    def fights(self) -> dict[str, Fight]:
        """The decisive fight of each board's public game, by board name."""
        played = ((board.name, self.game(board)) for board in self.book.boards.values())
        found = ((name, fights.find_decisive_fight(game)) for name, game in played if game is not None)
        return {name: fight for name, fight in found if fight is not None}

    @cached_property
    def corrections(self) -> dict[int, list[int]]:
        """The numbers of the log papers that correct a log paper, in order, by the number of the corrected paper."""
        by: dict[int, list[int]] = {}
        for paper in self.book.log:
            if paper.type == fields.CORRECT:
                by.setdefault(paper.number("corrects"), []).append(paper.seq)
        return by

    def of_round(self, number: int) -> list[Match]:
        """Return the rows of lists of games for a round's boards."""
        return [self.matches[board.name] for board in self.book.of_round(number)]

    def game(self, board: Board) -> History | None:
        """Return the public game of a board, or None if it is not public."""
        return self.histories.get(board.game)


@frozen
class Player:
    """A player of a board. ``side``: '' during bids; ``color``: 0 or 1; ``page``: the player's page, or ''."""

    number: str
    name: str
    side: str
    color: int
    page: str
    points: str
    won: bool


@frozen
class Match:
    """A board in a list. ``score``: '4-1' or ''; ``owes``: the player to move, or ''; ``picture``: its small map."""

    board: Board
    seats: tuple[Player, Player]
    score: str
    result: str
    picture: str
    owes: str
    what: str
    since: str

    @property
    def title(self) -> str:
        """The names of both players."""
        return " against ".join(seat.name for seat in self.seats)

    def seats_of(self, number: str) -> tuple[Player, Player]:
        """Return the board's player with an entrant number, then the opponent."""
        first, second = self.seats
        return (first, second) if first.number == number else (second, first)


def _make_match(view: View, board: Board) -> Match:
    names = boards.player_names(view.book, board)
    game, now = view.scored.get(board.name), view.paces[board.name]
    winner = board.outcome.winner if board.outcome is not None and board.outcome.final else ""
    first, second = (
        Player(
            number,
            names[side],
            side.capitalize() if board.sides_known else "",
            color,
            "" if number.startswith("g") else layout.PLAYER.format(number),
            str(game.points[color]) if game else "",
            winner == side,
        )
        for color, (side, number) in enumerate(board.sides.items())
    )
    score = f"{first.points}-{second.points}" if game else ""
    picture = layout.THUMB.format(board.name) if view.game(board) else ""
    owes = pace.name_of(view.book, now.owes) if now.owes else ""
    result = _read_verdict(view, board) or describe_result(board)
    return Match(board, (first, second), score, result, picture, owes, now.what, now.since)


def _read_verdict(view: View, board: Board) -> str:
    """Return the verdict of a public game that ended by its rules, without the paragraph; '' for other boards."""
    history, outcome = view.game(board), board.outcome
    if outcome is None or history is None or boards.describe_manner(outcome.by, outcome.how)[:1] not in ("", "("):
        return ""
    verdict = history.game.verdict
    return _PARAGRAPH.sub("", verdict.text) if verdict is not None else ""


def make_view(book: Book, folder: Path) -> View:
    """Return the public data of a tournament, without missing and unreadable games."""
    shown: dict[str, History] = {}
    for board in book.boards.values():
        if not board.game or not (_round_over(book, board) or book.rules.publish["games"] in (AT_ONCE, AFTER_TURN)):
            continue
        try:
            history = boards.load_game(board, folder / GAMES / game_folders.folder_name(board.game))
        except KurskError:
            continue
        if history.steps[0].message.id == board.game and _may_show(book, board, history):
            shown[board.game] = history
    return View(book, folder, shown)


def _round_over(book: Book, board: Board) -> bool:
    """Return whether the round of a board is over: before the end a public game could help an opponent."""
    return book.ended or all(other.outcome is not None and other.outcome.final for other in book.of_round(board.round))


def _may_show(book: Book, board: Board, history: History) -> bool:
    """Return whether paper 0 makes a game public now (docs/directors.md 12)."""
    publish = book.rules.publish
    if publish["games"] == AFTER_TURN and not _round_over(book, board):
        turns = dict.fromkeys(step.after.state.turn for step in history.steps)
        return history.game.over or len(turns) > int(publish.get("turn", "1"))
    return True


def describe_result(board: Board) -> str:
    """Return in a few words how a board ended, such as 'Germans win by resignation'."""
    outcome = board.outcome
    if outcome is None:
        if not board.sides_known:
            return "Sides are bid for"
        return "Under way" if board.game else "Not begun"
    if outcome.by == ADJOURNED:
        return "Adjourned, a draw for now"
    how = f" {boards.describe_manner(outcome.by, outcome.how)}".rstrip()
    if outcome.winner == NOBODY:
        return f"Both lose{how}"
    if outcome.winner == DRAWN_GAME:
        return f"Draw{how}"
    margin = margin_of(board, outcome) or 0
    ahead = margin if outcome.winner == next(iter(board.sides)) else -margin
    points = f", {plural(ahead, 'victory point')} ahead" if ahead > 0 and outcome.how != "resignation" else ""
    return f"{name_people(outcome.winner)} win{how}{points}"


def name_people(side: str) -> str:
    """Return the name for the people of a side, such as 'Germans'."""
    return f"{side.capitalize()}s"


def make_urn(paper_id: str, about: str = "") -> str:
    """Return a UUID for an entry or event, made from a paper's hash. The UUID never changes."""
    digits = sha256_hex(f"kursk-tournament/v1/urn\0{paper_id}\0{about}".encode("ascii"))
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"urn:uuid:{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"
