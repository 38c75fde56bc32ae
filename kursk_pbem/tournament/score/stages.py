"""Knock-out and pods: who has won a tie, who plays the finals (docs/directors.md 8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book import records
from kursk_pbem.tournament.book.records import Board, Book
from kursk_pbem.tournament.pairing import berger, bracket
from kursk_pbem.tournament.pairing.bracket import NOBODY
from kursk_pbem.tournament.rules import KNOCK_OUT, PODS, ROUND_ROBIN
from kursk_pbem.tournament.score.counted import Counted, count, margin_of, points_of

POD = "pod"


@dataclass(frozen=True)
class Tie:
    """One meeting of a knock-out: ``winner`` '' while it is open; ``level``: played, and only a decider is left.

    ``lost_by_both``: decided without a winner, so whoever should meet the winner has a walkover.
    """

    one: str
    other: str
    winner: str = ""
    level: bool = False
    lost_by_both: bool = False


def knock_out(book: Book, order: Sequence[str], start: int) -> list[list[Tie]]:
    """The ties round by round as far as they are known; ``order`` are the seeds, ``start`` the first round of it."""
    by_round: list[list[Tie]] = []
    pairs = bracket.first(order)
    while True:
        round_ = start + len(by_round)
        pairs = book.ties.get(round_, pairs)  # a pairing stands, also where an earlier result is corrected later
        ties = [_tie(book, one, other, round_) for one, other in pairs]
        by_round.append(ties)
        if len(ties) == 1 or not all(tie.winner or tie.lost_by_both for tie in ties):
            return by_round
        pairs = bracket.following([tie.winner for tie in ties])


def _tie(book: Book, one: str, other: str, round_: int) -> Tie:
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
    lost = not book.rules.former and any(
        some and all(board.outcome is not None and board.outcome.winner == records.NOBODY for board in some)
        for some in (usual, deciders)
    )
    if lost:
        return Tie(one, other, lost_by_both=True)
    winner = _better(book, usual, one, other)
    if winner or not deciders:
        return Tie(one, other, winner, level=not winner)
    drawn = one if chance.lot(book.seed, "tie", str(round_), one, other)[0] % 2 else other
    return Tie(one, other, _better(book, deciders, one, other) or drawn)


def _better(book: Book, boards: Sequence[Board], one: str, other: str) -> str:
    """Who has more points in these boards, then the greater margin; '' if they are level."""
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


def pod_rounds(pods: Sequence[Sequence[str]]) -> int:
    """How many rounds the pods take: those of the largest."""
    return max(berger.rounds(len(pod)) for pod in pods)


def pods(book: Book) -> list[list[str]]:
    """The pods of a tournament, by numbers."""
    return bracket.pods([entrant.number for entrant in book.ranked()], int(book.rules.pods["size"]))


def final_start(book: Book) -> int:
    """Return the first round of the finals, 0 where there are none."""
    if book.rules.finals:
        return book.rules.rounds + 1
    return pod_rounds(pods(book)) + 1 if book.rules.format == PODS else 0


def finalists(book: Book, ranked: Sequence[Sequence[str]]) -> list[str]:
    """Who plays the finals, in their order: the best of each pod, then the best seconds, and so on.

    ``ranked`` are the pods, each in the order of its table. Within a place points per game decide, as exact fractions,
    then the lot.
    """
    counted = count(book, pod_rounds(ranked))
    lots = chance.in_order(book.seed, "final", [number for pod in ranked for number in pod])
    queue: list[str] = []
    for place in range(max(map(len, ranked))):
        level = [pod[place] for pod in ranked if place < len(pod)]
        queue += sorted(level, key=lambda number: (-per_game(counted, number), lots.index(number)))
    start = pod_rounds(ranked) + 1
    there = [number for number in queue if not book.entrant(number).gone(start)]
    return there[: int(book.rules.pods["places"])]


def per_game(counted: Counted, number: str) -> Fraction:
    """Points of somebody divided by their games; 0 without any."""
    games = counted.of(number)
    return Fraction(counted.points(number), max(1, len(games)))


def total(book: Book) -> int:
    """How many rounds the whole tournament has, as far as is known once there are numbers."""
    rules, entrants = book.rules, len(book.ranked())
    if rules.format == KNOCK_OUT:
        return bracket.rounds(entrants)
    if rules.format == ROUND_ROBIN:
        return berger.rounds(entrants)
    if rules.format == PODS:
        places = min(int(rules.pods["places"]), entrants)
        final = berger.rounds(places) if rules.pods["final"] == POD else bracket.rounds(places)
        return pod_rounds(pods(book)) + final
    return rules.rounds + (bracket.rounds(min(rules.finals, entrants)) if rules.finals else 0)
