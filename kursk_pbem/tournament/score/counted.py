"""What counts: every decided game in points, and what a round without a game gives (docs/directors.md 9.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kursk_pbem.tournament.book import records
from kursk_pbem.tournament.book.records import Board, Book, Outcome
from kursk_pbem.tournament.rules import DRAW, PODS, ROUND_ROBIN, WIN, Rules

Lone: TypeAlias = Mapping[str, Mapping[int, int]]
"""Number -> round -> points of a round without a game."""


@dataclass(frozen=True)
class Game:
    """One game that counts, from the first side's place: numbers, points, who won ('' for nobody).

    ``lost_by_both``: without a winner, and no draw.

    ``margin``: victory points of the first side minus the other's, less what a bid gave away; None where the system
    has none or nothing was played.
    """

    board: str
    round: int
    system: int
    numbers: tuple[str, str]
    points: tuple[int, int]
    winner: str
    margin: int | None
    played: bool
    lost_by_both: bool = False

    def of(self, number: str) -> int:
        """Its points for one of the two."""
        return self.points[self.numbers.index(number)]

    def against(self, number: str) -> str:
        """The opponent of one of the two."""
        return self.numbers[1 - self.numbers.index(number)]

    @property
    def drawn(self) -> bool:
        """Whether it is a draw."""
        return not self.winner and not self.lost_by_both

    def lost_by(self, number: str) -> bool:
        """Return whether one of the two has lost it."""
        return self.lost_by_both or self.winner == self.against(number)

    def margin_of(self, number: str) -> int:
        """Its margin as one of the two sees it, 0 where there is none."""
        margin = self.margin or 0
        return margin if number == self.numbers[0] else -margin


@dataclass(frozen=True)
class Counted:
    """All that counts up to the end of a round: ``games`` in order of the boards, ``lone`` points, the last round."""

    games: tuple[Game, ...]
    lone: Lone
    round: int

    def of(self, number: str) -> list[Game]:
        """The games of an entrant."""
        return [game for game in self.games if number in game.numbers]

    def points(self, number: str) -> int:
        """All points of an entrant."""
        return sum(game.of(number) for game in self.of(number)) + sum(self.lone.get(number, {}).values())


def points_of(rules: Rules, board: Board, outcome: Outcome) -> tuple[int, int]:
    """What an outcome gives: first side, second side."""
    if outcome.winner == records.NOBODY:
        return 0, 0
    if outcome.winner == records.DRAWN_GAME:
        one, other = rules.award[DRAW]
        return one, other
    won, lost = rules.award.get(outcome.how, rules.award[WIN])
    return (won, lost) if outcome.winner == next(iter(board.sides)) else (lost, won)


def margin_of(board: Board, outcome: Outcome) -> int | None:
    """The tournament's margin: that of the game, first side minus second, less what a bid gave away."""
    if outcome.margin is None or not outcome.counts_as_played:
        return None
    first, second = board.sides
    return outcome.margin - board.paid.get(first, 0) + board.paid.get(second, 0)


def count(book: Book, upto: int | None = None) -> Counted:
    """Everything that counts up to and with a round (None: the newest)."""
    last = book.round if upto is None else upto
    gone = struck(book)
    games = [
        _game(book.rules, board, board.outcome)
        for board in book.boards.values()
        if board.round <= last and board.outcome is not None and not gone & {*board.sides.values()}
    ]
    return Counted(tuple(games), _lone(book, last, gone), last)


def _game(rules: Rules, board: Board, outcome: Outcome) -> Game:
    winner = board.sides.get(outcome.winner, "")
    points, margin = points_of(rules, board, outcome), margin_of(board, outcome)
    played, both = outcome.counts_as_played, outcome.winner == records.NOBODY
    return Game(board.name, board.round, board.system, board.numbers, points, winner, margin, played, both)


def _lone(book: Book, last: int, gone: set[str]) -> dict[str, dict[int, int]]:
    rules = book.rules
    worth = {
        records.BYE: rules.points(records.BYE),
        records.ASKED: rules.points(records.ASKED),
        records.WALKOVER: rules.award[records.FORFEIT][0],
    }
    worth[records.LATE] = rules.late[1] if rules.late else 0
    lone: dict[str, dict[int, int]] = {}
    for round_ in book.rounds:
        if round_.number > last:
            continue
        for number, how in round_.spent.items():
            met = round_.walkovers.get(number, "")
            if points := 0 if met in gone else worth.get(how, 0):
                lone.setdefault(number, {})[round_.number] = points
    for entrant in book.ranked():
        for before in range(1, min(entrant.joined, last + 1)):
            lone.setdefault(entrant.number, {})[before] = worth[records.LATE]
    return lone


def struck(book: Book) -> set[str]:
    """In a round robin: who withdrew before half of their games were finished. None of these games counts."""
    if book.rules.format not in (ROUND_ROBIN, PODS):
        return set()
    numbers = set()
    for entrant in book.ranked():
        if entrant.left >= 0:
            played, due = _finished(book, entrant.number)
            if 2 * played < due:
                numbers.add(entrant.number)
    return numbers


def _finished(book: Book, number: str) -> tuple[int, int]:
    """Games that somebody has finished on the board, and all that their table holds for them."""
    outcomes = (board.outcome for board in book.boards.values() if number in board.sides.values())
    played = sum(outcome is not None and outcome.counts_as_played for outcome in outcomes)
    due = book.scheduled.get(number, 0)
    return played, due * (2 if book.rules.mirror else 1)


def spent(book: Book, number: str, round_: int) -> str:
    """How somebody spent a round: records.PLAYED or one of the others."""
    entrant = book.entrant(number)
    if round_ < entrant.joined:
        return records.LATE
    for recorded in book.rounds:
        if recorded.number == round_ and number in recorded.spent:
            return recorded.spent[number]
    return records.PLAYED


def history(book: Book, number: str, system: int) -> Iterator[str]:
    """The sides that somebody has had in a system so far, oldest first, as their places: 0 or 1."""
    for board in book.boards.values():
        if board.system == system and number in board.sides.values():
            yield "FS"[board.numbers.index(number)]
