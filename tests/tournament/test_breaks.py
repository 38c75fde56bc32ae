"""9.2: tie-breaks by hand-made tables, and by a second implementation over random tournaments."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import groupby

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


def game(round_, first, second, winner="", margin=None, played=True, points=None):
    worth = points or ((2, 2) if not winner else (4, 1) if winner == first else (1, 4))
    return Game(f"{round_}-{first}", round_, 1, (first, second), worth, winner, margin, played)


class Hand:
    """A hand-made table: only games and points of rounds without a game."""

    def __init__(self, games, numbers="1234", lone=None, left=None, mirror=False, cap=9999):
        ledger = Ledger(form={"tie-breaks": ALL, "cap": str(cap), "mirror": "yes" if mirror else "no"})
        ledger.begin([f"player-{number}" for number in numbers])
        for number, at in (left or {}).items():
            ledger.book.entrant(number).left = at
        last = max(each.round for each in games)
        self.values = Values(ledger.book, Counted(tuple(games), lone or {}, last))

    def of(self, name):
        return {number: self.values.of(name, number) for number in self.values.numbers}


def test_buchholz_counts_opponents_and_ones_own_points_for_a_round_alone():
    """1 beats 2 and 3; 2 beats 3. 4 has a bye in round 1 and beats 3 in round 2."""
    hand = Hand(
        [game(1, "1", "2", "1"), game(2, "1", "3", "1"), game(2, "2", "4", "2")], lone={"4": {1: 4}, "3": {1: 0}}
    )
    assert hand.values.points == {"1": 8, "2": 5, "3": 1, "4": 5}
    assert hand.of("buchholz") == {"1": 5 + 1, "2": 8 + 5, "3": 8 + 1, "4": 5 + 5}
    assert hand.of("buchholz-1") == {"1": 5, "2": 8, "3": 8, "4": 5}


def test_an_opponent_who_left_counts_with_draws_from_then_on():
    """2 left after round 1: for opponents, 2 has 1 point and two draws."""
    games = [game(1, "1", "2", "1"), game(1, "3", "4", "3"), game(2, "1", "3", "1"), game(3, "1", "4", "1")]
    hand = Hand(games, left={"2": 1})
    assert hand.values.adjusted["2"] == 1 + 2 * 2
    assert hand.of("buchholz")["1"] == 5 + 5 + 2


def test_a_mirrored_meeting_counts_an_opponent_once_and_draws_twice():
    games = [game(1, "1", "2", "1"), game(1, "2", "1", "1"), game(1, "3", "4", "3"), game(2, "1", "3", "1")]
    hand = Hand(games, left={"2": 1}, mirror=True)
    assert hand.of("buchholz")["1"] == (2 + 4) + 5


def test_berger_multiplies_what_was_won_with_what_the_opponent_has():
    hand = Hand([game(1, "1", "2", "1"), game(2, "1", "3"), game(2, "2", "4", "4")])
    assert hand.values.points == {"1": 6, "2": 2, "3": 2, "4": 4}
    assert hand.of("berger") == {"1": 4 * 2 + 2 * 2, "2": 1 * 6 + 1 * 4, "3": 2 * 6, "4": 4 * 2}


def test_wins_weak_margin_par_and_first_loss():
    """The first side has 4+4+1 points, the second 1+1+4: the second side is weak. The mean margin is (6+2-5)/3 = 1."""
    games = [game(1, "1", "2", "1", 6), game(2, "3", "1", "3", 2), game(3, "2", "3", "3", -5)]
    hand = Hand(games, cap=4)
    assert hand.of("wins") == {"1": 1, "2": 0, "3": 2, "4": 0}
    assert hand.of("weak") == {"1": 0, "2": 0, "3": 1, "4": 0}
    assert hand.of("margin") == {"1": 4 - 2, "2": -4 - 4, "3": 2 + 4, "4": 0}
    assert hand.of("par") == {"1": 5 - 1, "2": -5 - 6, "3": 1 + 6, "4": 0}
    assert hand.of("first-loss") == {"1": 2, "2": 1, "3": 4, "4": 4}


def test_a_forfeit_is_no_win_on_the_board_and_has_no_margin():
    hand = Hand([game(1, "1", "2", "1", played=False, points=(4, 0)), game(1, "3", "4", "3", 7)])
    assert hand.of("wins") == {"1": 0, "2": 0, "3": 1, "4": 0}
    assert hand.of("par") == {"1": 0, "2": 0, "3": 0, "4": 0}
    assert hand.values.usual == {1: Fraction(7)}


def test_direct_needs_everybody_to_have_met_equally_often_and_goes_on_inside():
    """1, 2, 3 beat each other in a circle and all beat 4: the circle stays level, 4 is last."""
    circle = [game(1, "1", "2", "1"), game(2, "2", "3", "2"), game(3, "3", "1", "3")]
    below = [game(4, each, "4", each) for each in "123"]
    hand = Hand(circle + below)
    assert split_direct(hand.values, ["1", "2", "3", "4"]) == [["1", "2", "3"], ["4"]]
    hand = Hand(circle)  # 4 has met no opponent
    assert split_direct(hand.values, ["1", "2", "3", "4"]) == [["1", "2", "3", "4"]]
    assert split_direct(hand.values, ["1", "2"]) == [["1"], ["2"]]
    assert split_direct(hand.values, ["1", "4"]) == [["1", "4"]]


def second_order(values):
    """Compute the order of a table by a second method: one sort key, and direct encounter by splitting runs."""
    counted = values.counted
    numbers = values.numbers
    points = {
        n: sum(sum(p for p, who in zip(g.points, g.numbers, strict=True) if who == n) for g in counted.games)
        + sum(counted.lone.get(n, {}).values())
        for n in numbers
    }

    def meetings(level):
        return [g for g in counted.games if g.numbers[0] in level and g.numbers[1] in level]

    def by_direct(level):
        games = meetings(level)
        often = {frozenset((a, b)): 0 for a in level for b in level if a < b}
        for g in games:
            often[frozenset(g.numbers)] += 1
        if len(level) < 2 or len({*often.values()}) > 1:
            return [level]
        own = {n: sum(g.points[g.numbers.index(n)] for g in games if n in g.numbers) for n in level}
        parts = [list(part) for _worth, part in groupby(sorted(level, key=lambda n: -own[n]), key=lambda n: own[n])]
        return parts if len(parts) == 1 else [small for part in parts for small in by_direct(part)]

    level = [list(part) for _worth, part in groupby(sorted(numbers, key=lambda n: -points[n]), key=lambda n: points[n])]
    for name in values.book.rules.breaks:
        new = []
        for part in level:
            if name == "direct":
                new += by_direct(part)
            else:
                worth = {n: second(values, name, n, points) for n in part}
                new += [list(p) for _w, p in groupby(sorted(part, key=lambda n: -worth[n]), key=lambda n: worth[n])]
        level = new
    return [n for part in level for n in part]


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
        rows = table.compute_standings(ledger.book).rows
        assert [row.number for row in rows] == second_order(Values(ledger.book, count_games(ledger.book)))
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
