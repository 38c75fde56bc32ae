"""9.3: ratings in whole numbers."""

from __future__ import annotations

import math

import pytest
from helpers.ledger import Ledger, key_of

from kursk_pbem.tournament.score import rating
from kursk_pbem.tournament.score.rating import expected, rounded

PEOPLE = ["anna", "boris", "carla", "dmitri"]


@pytest.mark.parametrize("lead", range(0, 1500, 7))
def test_the_expectation_is_elo_to_the_per_mille(lead):
    exact = 1000 / (1 + math.pow(10, -lead / 400))
    assert abs(expected(lead) - exact) <= 0.5 + 1e-6
    assert expected(-lead) == 1000 - expected(lead)


def test_expectations_that_are_known():
    assert [expected(lead) for lead in (0, 100, 200, 400, 800, 9999)] == [500, 640, 760, 909, 990, 1000]


@pytest.mark.parametrize(
    ("dividend", "divisor", "right"), [(5, 2, 3), (-5, 2, -3), (4, 3, 1), (-4, 3, -1), (0, 7, 0), (7, 2, 4)]
)
def test_halves_are_rounded_away_from_zero(dividend, divisor, right):
    assert rounded(dividend, divisor) == right


def of(ledger):
    found = rating.ratings(ledger.book)
    return {ledger.book.entrant(number).name: worth for number, worth in found.items()}


def test_area_takes_a_hundred_and_a_share_of_the_lead():
    """Equals: 100. An outsider 1,000 below takes 150, a favourite 50; at most 200, at least 1; a draw moves 5 %."""
    known = [{"key": key_of("anna").public, "rating": "6000"}]
    form = {"rating": {"method": "area", "start": "5000", "known": known}}
    for winner, right in (("anna", 50), ("other", -150), ("draw", -50)):
        ledger = Ledger("round-robin", form=form).begin(PEOPLE)
        board = next(b for b in ledger.book.boards.values() if ledger.of("anna").number in b.numbers)
        side = board.side_of(ledger.of("anna").number)
        foe = next(each for each in board.sides if each != side)
        ledger.result(board.name, {"anna": side, "other": foe, "draw": "draw"}[winner])
        found = of(ledger)
        assert found["anna"] == 6000 + right
        assert sum(found.values()) == 21_000


def test_area_has_bounds():
    known = [{"key": key_of("anna").public, "rating": "9999"}]
    ledger = Ledger("round-robin", form={"rating": {"method": "area", "start": "5000", "known": known}}).begin(PEOPLE)
    board = next(b for b in ledger.book.boards.values() if ledger.of("anna").number in b.numbers)
    ledger.result(board.name, board.side_of(ledger.of("anna").number))
    assert of(ledger)["anna"] == 10_000
    other = Ledger("round-robin", form={"rating": {"method": "area", "start": "5000", "known": known}}).begin(PEOPLE)
    board = next(b for b in other.book.boards.values() if other.of("anna").number in b.numbers)
    other.result(board.name, next(s for s in board.sides if s != board.side_of(other.of("anna").number)))
    assert of(other)["anna"] == 9999 - 200


def test_elo_of_a_round_counts_from_the_ratings_before_it():
    """A mirrored meeting won twice among equals: 10 + 10 with K 20, though the second game follows the first."""
    form = {"mirror": "yes", "rating": {"method": "elo", "start": "1500", "k": "20"}}
    ledger = Ledger("round-robin", form=form).begin(PEOPLE)
    board = ledger.book.boards["1-1a"]
    best = board.numbers[0]
    for name in ("1-1a", "1-1b"):
        ledger.result(name, ledger.book.boards[name].side_of(best))
    assert rating.ratings(ledger.book)[best] == 1520


def test_forfeits_are_not_rated_and_numbers_may_go_by_rating():
    known = [{"key": key_of(name).public, "rating": str(5000 + at)} for at, name in enumerate(PEOPLE)]
    form = {"order": "rating", "rating": {"method": "area", "start": "5000", "known": known}}
    ledger = Ledger("round-robin", form=form).begin(PEOPLE)
    assert [ledger.book.entrant(number).name for number in "1234"] == PEOPLE[::-1]
    ledger.result("1-1", "german", "forfeit")
    assert sorted(of(ledger).values()) == [5000, 5001, 5002, 5003]


def test_without_a_rating_there_is_none():
    assert rating.ratings(Ledger().begin(PEOPLE).book) == {}
