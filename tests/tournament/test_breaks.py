"""9.2: tie-breaks by a second implementation over random tournaments, and by hand-made tables."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, groupby

import pytest
from helpers import sweeps
from helpers.ledger import Ledger

from kursk_pbem.tournament import chance
from kursk_pbem.tournament.records import DRAWN_GAME
from kursk_pbem.tournament.score import table
from kursk_pbem.tournament.score.breaks import Values, split_direct
from kursk_pbem.tournament.score.counted import Counted, Game, count_games

ALL = ["direct", "buchholz", "buchholz-1", "berger", "wins", "weak", "margin", "par", "first-loss", "lot"]
PEOPLE = [f"player-{number:02d}" for number in range(1, 14)]


def game(round_, first, second):
    """Return a game that the first side won."""
    return Game(f"{round_}-{first}", round_, 1, (first, second), (4, 1), first, None, True)


def values_of(games, **form):
    ledger = Ledger(form={"tie-breaks": ALL, **form}).begin(PEOPLE[:4])
    return Values(ledger.book, Counted(tuple(games), {}, max(each.round for each in games)))


def test_a_mirrored_meeting_counts_an_opponent_once_and_draws_twice():
    """2 leaves after round 1: for opponents, 2 has two draws in round 2."""
    values = values_of([game(1, "1", "2"), game(1, "2", "1"), game(1, "3", "4"), game(2, "1", "3")], mirror="yes")
    values.book.entrant("2").left = 1
    assert values.of("buchholz", "1") == (5 + 4) + 5


def test_direct_needs_everybody_to_have_met_equally_often_and_goes_on_inside():
    """1, 2, 3 beat each other in a circle and all beat 4: the circle stays level, 4 is last."""
    circle = [game(1, "1", "2"), game(2, "2", "3"), game(3, "3", "1")]
    values = values_of(circle + [game(4, each, "4") for each in "123"])
    assert split_direct(values, ["1", "2", "3", "4"]) == [["1", "2", "3"], ["4"]]
    values = values_of(circle)  # 4 has met no opponent
    assert split_direct(values, ["1", "2", "3", "4"]) == [["1", "2", "3", "4"]]
    assert split_direct(values, ["1", "2"]) == [["1"], ["2"]]
    assert split_direct(values, ["1", "4"]) == [["1", "4"]]


def second_order(values):
    """Compute the order of a table by a second method: each part of a level is split by the next break."""
    counted = values.counted
    points = {
        n: sum(g.points[g.numbers.index(n)] for g in counted.games if n in g.numbers)
        + sum(counted.lone.get(n, {}).values())
        for n in values.numbers
    }

    def split(level, worth):
        return [list(part) for _worth, part in groupby(sorted(level, key=lambda n: -worth[n]), key=worth.get)]

    def by_direct(level):
        games = [g for g in counted.games if {*g.numbers} <= {*level}]
        often = Counter(frozenset(g.numbers) for g in games)
        if len({often[frozenset(pair)] for pair in combinations(level, 2)}) > 1:
            return [level]
        parts = split(level, {n: sum(g.points[g.numbers.index(n)] for g in games if n in g.numbers) for n in level})
        return parts if len(parts) == 1 else [small for part in parts for small in by_direct(part)]

    parts = split(values.numbers, points)
    for name in values.book.rules.breaks:
        if name == "direct":
            parts = [small for part in parts for small in by_direct(part)]
        else:
            parts = [
                small for part in parts for small in split(part, {n: second(values, name, n, points) for n in part})
            ]
    return [n for part in parts for n in part]


def second(values, name, number, points):
    """Compute the tie-breaks a second time, by the words of the page."""
    book, games, rounds = values.book, values.counted.games, range(1, values.counted.round + 1)
    own = [g for g in games if number in g.numbers]
    other = {g.board: g.numbers[g.numbers.index(number) ^ 1] for g in own}
    worth = {
        n: points[n] + (max(0, values.counted.round - book.entrant(n).left) * 2 if book.entrant(n).left >= 0 else 0)
        for n in points
    }
    met = {g.round: other[g.board] for g in own}
    opponents = [worth[met[r]] if r in met and met[r] in worth else points[number] for r in rounds]
    mine = [(g, 1 if g.numbers[0] == number else -1) for g in own]
    with_margin = [g.margin for g in games if g.margin is not None]
    mean = Fraction(sum(with_margin), max(1, len(with_margin)))
    firsts = sum(g.points[0] for g in games if g.played)
    seconds = sum(g.points[1] for g in games if g.played)
    weak = None if firsts == seconds else 0 if firsts < seconds else 1
    won = [g for g in own if g.played and g.winner == number]
    lost = [g.round for g in own if g.winner and g.winner != number]
    drawn = chance.order_by_lot([d.seed for d in book.draws if d.seed][-1], "place", [book.numbers[n] for n in points])
    return {
        "buchholz": lambda: sum(opponents),
        "buchholz-1": lambda: sum(sorted(opponents)[1:]),
        "berger": lambda: sum(g.points[g.numbers.index(number)] * worth.get(other[g.board], 0) for g in own),
        "wins": lambda: len(won),
        "weak": lambda: sum(g.numbers.index(number) == weak for g in won),
        "margin": lambda: sum(sign * max(-3, min(3, sign * sign * (g.margin or 0))) for g, sign in mine),
        "par": lambda: sum((sign * (g.margin - mean) for g, sign in mine if g.margin is not None), Fraction(0)),
        "first-loss": lambda: min([*lost, values.counted.round + 1]),
        "lot": lambda: -drawn.index(book.numbers[number]),
    }[name]()


@pytest.mark.parametrize("seed", sweeps.some(range(12), 4))
def test_a_second_implementation_gives_the_same_order(seed):
    rng = random.Random(seed)
    breaks = [*rng.sample(ALL[:-1], 5), "lot"]
    ledger = Ledger(rounds_=4, form={"tie-breaks": breaks, "cap": "3"}).begin(PEOPLE[: rng.randrange(8, 14)])

    def choose(board):
        if rng.random() < 0.3:
            return DRAWN_GAME, 0
        side = rng.choice(list(board.sides))
        return side, rng.randrange(0, 6) * (1 if side == "german" else -1)

    for round_ in range(4):
        for name, board in list(ledger.book.boards.items()):
            if not board.decided:
                if rng.random() < 0.1:
                    ledger.result(name, rng.choice(list(board.sides)), "forfeit")
                else:
                    ledger.result(name, *choose(board)[:1], margin=choose(board)[1])
        if round_ == 1:
            number = rng.choice(sorted(ledger.book.numbers))
            ledger.withdraw(number)
        values = Values(ledger.book, count_games(ledger.book))
        for name in ALL[1:-1]:
            found = {number: values.of(name, number) for number in values.numbers}
            assert found == {number: second(values, name, number, values.points) for number in found}, name
        assert [row.number for row in table.compute_standings(ledger.book).rows] == second_order(values)
        if round_ < 3:
            ledger.next_round()
        else:
            ledger.announce()


def test_the_table_is_hashed_as_text():
    ledger = Ledger().begin(PEOPLE[:4])
    ledger.results()
    plain = table.compute_standings(ledger.book).to_plain()
    assert plain["rows"][0]["points"] == "4"
    assert plain["round"] == "1"
    assert all(isinstance(value, str | dict) for row in plain["rows"] for value in row.values())
