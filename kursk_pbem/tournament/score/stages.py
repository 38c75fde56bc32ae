"""Knock-outs and pods: winners of ties (knock-out meetings), and finalists (docs/directors.md 8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kursk_pbem.frozen import frozen
from kursk_pbem.tournament import chance, records
from kursk_pbem.tournament.pairing import berger, bracket
from kursk_pbem.tournament.pairing.bracket import NOBODY
from kursk_pbem.tournament.records import Board, Book
from kursk_pbem.tournament.rules import KNOCK_OUT, PODS, ROUND_ROBIN
from kursk_pbem.tournament.score.counted import Counted, count_games, make_groups, margin_of, points_of

POD, FINAL = "pod", "the final"


@frozen
class Tie:
    """A meeting in a knock-out. ``winner``: '' if open. ``level``: all games ended, but a deciding game is needed."""

    one: str
    other: str
    winner: str = ""
    level: bool = False
    lost_by_both: bool = False  # the next opponent has a walkover


def knock_out_ties(book: Book, order: Sequence[str], start: int) -> list[list[Tie]]:
    """Return the known pairs by round. ``order``: entrants by seed. ``start``: the first knock-out round."""
    by_round: list[list[Tie]] = []
    pairs = bracket.first_ties(order)
    while True:
        round_ = start + len(by_round)
        pairs = book.ties.get(round_, pairs)  # a pairing stays, even if an earlier result is corrected later
        ties = [_make_tie(book, one, other, round_) for one, other in pairs]
        by_round.append(ties)
        if len(ties) == 1 or not all(tie.winner or tie.lost_by_both for tie in ties):
            return by_round
        pairs = [(one.winner, other.winner) for one, other in zip(ties[::2], ties[1::2], strict=True)]


def list_beaten(book: Book) -> dict[str, int]:
    """Return the round in which each entrant was knocked out. In other formats than a knock-out, return {}."""
    if book.rules.format != KNOCK_OUT or book.begun is None:
        return {}
    by_round = knock_out_ties(book, [entrant.number for entrant in book.ranked()], 1)
    ended = [(tie, at) for at, ties in enumerate(by_round, 1) for tie in ties if tie.winner or tie.lost_by_both]
    pairs = ((number, tie, at) for tie, at in ended for number in (tie.one, tie.other))
    return {number: at for number, tie, at in pairs if tie.lost_by_both or number != tie.winner}


def name_places(book: Book, number: str) -> str:
    """Return the possible places of an entrant who was knocked out, such as 'place 5 to 8'."""
    ahead = 2 ** (count_rounds(book) - list_beaten(book)[number])
    last = min(2 * ahead, len(book.ranked()))
    return f"place {ahead + 1}" + (f" {'or' if last == ahead + 2 else 'to'} {last}" if last > ahead + 1 else "")


def name_stage(book: Book, round_: int) -> str:
    """Return 'the final' or 'a semi-final' for such a round of a knock-out, otherwise ''."""
    left = count_rounds(book) - round_ if book.rules.format == KNOCK_OUT else 2
    return (FINAL, "a semi-final", "")[min(left, 2)]


def name_fates(book: Book, round_: int) -> tuple[str, ...]:
    """Return what happens in a knock-out to the loser and to the winner of a game; () if one game decides nothing."""
    if book.rules.format != KNOCK_OUT or book.rules.mirror:
        return ()
    if name_stage(book, round_) == FINAL:
        return "you are second", "the cup is yours"
    return "you are out; the director's letter says your place", "you play on; the director's letter says against whom"


def _make_tie(book: Book, one: str, other: str, round_: int) -> Tie:
    if NOBODY in (one, other):
        return Tie(one, other, one or other, lost_by_both=one == other)
    boards = [board for board in book.of_round(round_) if {*board.sides.values()} == {one, other}]
    if not boards:
        gone = [number for number in (one, other) if book.entrant(number).gone(round_)]
        walked = (other if one in gone else one) if gone else ""
        return Tie(one, other, walked)
    if not all(board.outcome is not None and board.outcome.final for board in boards):
        return Tie(one, other)
    deciders = [board for board in boards if board.name.endswith("c")]
    usual = [board for board in boards if board not in deciders]
    lost = any(
        some and all(board.outcome is not None and board.outcome.winner == records.NOBODY for board in some)
        for some in (usual, deciders)
    )
    if lost:
        return Tie(one, other, lost_by_both=True)
    winner = _better_number(book, usual, one, other)
    if winner or not deciders:
        return Tie(one, other, winner, level=not winner)
    drawn = one if chance.draw_lot(book.seed, "tie", str(round_), one, other)[0] % 2 else other
    return Tie(one, other, _better_number(book, deciders, one, other) or drawn)


def _better_number(book: Book, boards: Sequence[Board], one: str, other: str) -> str:
    """Return the number with more points in the boards, then with the larger margin; '' if equal."""
    points = margin = 0
    for board in boards:
        outcome = board.outcome
        assert outcome is not None  # noqa: S101  asked for by the caller
        sign = 1 if board.numbers[0] == one else -1
        first, second = points_of(book.rules, board, outcome)
        points += sign * (first - second)
        margin += sign * (margin_of(board, outcome) or 0)
    tilt = points or margin
    return "" if not tilt else one if tilt > 0 else other


def count_pod_rounds(pods: Sequence[Sequence[str]]) -> int:
    """Return how many rounds the largest pod (group) needs."""
    return max(berger.count_rounds(len(pod)) for pod in pods)


def first_final_round(book: Book) -> int:
    """Return the number of the finals' first round, or 0 without finals."""
    if book.rules.finals:
        return book.rules.rounds + 1
    return count_pod_rounds(make_groups(book)) + 1 if book.rules.format == PODS else 0


def pod_finalists(book: Book, ranked: Sequence[Sequence[str]]) -> list[str]:
    """Return the finalists by points per game: the best of each pod, then the second of each pod, and so on."""
    counted = count_games(book, count_pod_rounds(ranked))
    lots = chance.order_by_lot(book.seed, "final", [number for pod in ranked for number in pod])
    queue: list[str] = []
    for place in range(max(map(len, ranked))):
        level = [pod[place] for pod in ranked if place < len(pod)]
        queue += sorted(level, key=lambda number: (-points_per_game(counted, number), lots.index(number)))
    start = count_pod_rounds(ranked) + 1
    there = [number for number in queue if not book.entrant(number).gone(start)]
    return there[: int(book.rules.pods["places"])]


def points_per_game(counted: Counted, number: str) -> Fraction:
    """Return an entrant's points per game, or 0 without a game."""
    games = counted.of(number)
    return Fraction(counted.points(number), max(1, len(games)))


def count_rounds(book: Book) -> int:
    """Return how many rounds the tournament has. The number is known after the first draw."""
    rules, entrants = book.rules, len(book.ranked())
    if rules.format == KNOCK_OUT:
        return bracket.count_rounds(entrants)
    if rules.format == ROUND_ROBIN:
        return berger.count_rounds(entrants)
    if rules.format == PODS:
        places = min(int(rules.pods["places"]), entrants)
        final = berger.count_rounds(places) if rules.pods["final"] == POD else bracket.count_rounds(places)
        return count_pod_rounds(make_groups(book)) + final
    return rules.rounds + (bracket.count_rounds(min(rules.finals, entrants)) if rules.finals else 0)
