"""Counted games and points of rounds without a game (docs/directors.md 9.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from kursk_pbem.frozen import frozen
from kursk_pbem.tournament import records
from kursk_pbem.tournament.pairing import bracket
from kursk_pbem.tournament.records import Board, Book, Outcome
from kursk_pbem.tournament.rules import DRAW, PODS, ROUND_ROBIN, WIN, Rules


@frozen
class Game:
    """A counted game from the view of the first side. ``winner``: a number or ''; ``margin``: after paid points."""

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
        """Return the points of the player with an entrant number."""
        return self.points[self.numbers.index(number)]

    def against(self, number: str) -> str:
        """Return the entrant number of a player's opponent."""
        return self.numbers[1 - self.numbers.index(number)]

    @property
    def drawn(self) -> bool:
        """Whether the game is a draw."""
        return not self.winner and not self.lost_by_both

    def lost_by(self, number: str) -> bool:
        """Return whether a player lost the game. ``number``: the entrant number."""
        return self.lost_by_both or self.winner == self.against(number)

    def margin_of(self, number: str) -> int:
        """Return the margin of the game, seen from a player. A game without a margin gives 0."""
        margin = self.margin or 0
        return margin if number == self.numbers[0] else -margin


@frozen
class Counted:
    """The games that count up to a round's end. ``lone``: points for rounds without a game, for example a bye."""

    games: tuple[Game, ...]
    lone: Mapping[str, Mapping[int, int]]  # by number and round
    round: int

    def of(self, number: str) -> list[Game]:
        """Return the games that count for the entrant with a number."""
        return [game for game in self.games if number in game.numbers]

    def byes(self, number: str) -> int:
        """Return in how many rounds the entrant with a number got points without a game."""
        return len(self.lone.get(number, {}))

    def forfeits(self, number: str) -> int:
        """Return how many games the entrant with a number has won by forfeit."""
        return sum(game.winner == number and not game.played for game in self.of(number))

    def points(self, number: str) -> int:
        """Return the points of the entrant with a number."""
        return sum(game.of(number) for game in self.of(number)) + sum(self.lone.get(number, {}).values())


def points_of(rules: Rules, board: Board, outcome: Outcome) -> tuple[int, int]:
    """Return the points that an outcome gives to the two sides, as (first side, second side)."""
    if outcome.winner == records.NOBODY:
        return 0, 0
    if outcome.winner == records.DRAWN_GAME:
        one, other = rules.award[DRAW]
        return one, other
    won, lost = rules.award.get(outcome.how, rules.award[WIN])
    return (won, lost) if outcome.winner == next(iter(board.sides)) else (lost, won)


def margin_of(board: Board, outcome: Outcome) -> int | None:
    """Return a game's margin (first side minus second side) without the points of a bid, or None without a margin."""
    if outcome.margin is None or not outcome.counts_as_played:
        return None
    first, second = board.sides
    return outcome.margin - board.paid.get(first, 0) + board.paid.get(second, 0)


def count_games(book: Book, upto: int | None = None) -> Counted:
    """Return the games and points up to and including a round. ``upto``: the round, None for the newest."""
    last = book.round if upto is None else upto
    gone = find_struck(book)
    games = [
        _count_game(book.rules, board, board.outcome)
        for board in book.boards.values()
        if board.round <= last and board.outcome is not None and not gone & {*board.sides.values()}
    ]
    return Counted(tuple(games), _count_lone(book, last, gone), last)


def _count_game(rules: Rules, board: Board, outcome: Outcome) -> Game:
    winner = board.sides.get(outcome.winner, "")
    points, margin = points_of(rules, board, outcome), margin_of(board, outcome)
    played, both = outcome.counts_as_played, outcome.winner == records.NOBODY
    return Game(board.name, board.round, board.system, board.numbers, points, winner, margin, played, both)


def _count_lone(book: Book, last: int, gone: set[str]) -> dict[str, dict[int, int]]:
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


def make_groups(book: Book) -> list[list[str]]:
    """Return the entrant numbers in each pod, or in the one table of a round robin."""
    order = [entrant.number for entrant in book.ranked()]
    return bracket.deal_pods(order, int(book.rules.pods["size"])) if book.rules.format == PODS else [order]


def find_struck(book: Book) -> set[str]:
    """Return the entrants who left a round robin before half of their games were finished. No such game counts."""
    if book.rules.format not in (ROUND_ROBIN, PODS):
        return set()
    ended = [board for board in book.boards.values() if board.outcome is not None and board.outcome.counts_as_played]
    played = Counter(number for board in ended for number in board.numbers)
    games = 2 if book.rules.mirror else 1  # of a meeting
    scheduled = {number: games * (len(group) - 1) for group in make_groups(book) for number in group}
    left = [entrant.number for entrant in book.ranked() if entrant.left >= 0]
    return {number for number in left if 2 * played[number] < scheduled[number]}


def find_spent(book: Book, number: str, round_: int) -> str:
    """Return how an entrant spent a round, for example with a bye, as a constant of ``records``."""
    entrant = book.entrant(number)
    if round_ < entrant.joined:
        return records.LATE
    for recorded in book.rounds:
        if recorded.number == round_ and number in recorded.spent:
            return recorded.spent[number]
    return records.PLAYED


def list_sides(book: Book, number: str, system: int) -> Iterator[str]:
    """Yield an entrant's past sides in a system (scenario), the oldest first. F means first side, S second side."""
    for board in book.boards.values():
        if board.system == system and number in board.sides.values():
            yield "FS"[board.numbers.index(number)]
