"""8.2: assignment of sides."""

import pytest

from kursk_pbem.tournament.pairing.sides import FIRST, SECOND, Candidate, first_side


def one(number="1", points=0, sides=""):
    return Candidate(number, points, {}, sides)


@pytest.mark.parametrize(
    ("sides", "balance", "run", "needs", "leans"),
    [
        ("", 0, 0, "", ""), ("F", 1, 1, "", SECOND), ("S", -1, -1, "", FIRST), ("FS", 0, -1, "", FIRST),
        ("FF", 2, 2, SECOND, SECOND), ("SS", -2, -2, FIRST, FIRST), ("SFF", 1, 2, SECOND, SECOND),
        ("FSS", -1, -2, FIRST, FIRST), ("FSFSFF", 2, 2, SECOND, SECOND), ("SSFF", 0, 2, SECOND, SECOND),
    ],
)  # fmt: skip
def test_what_a_history_asks_for(sides, balance, run, needs, leans):
    found = one(sides=sides)
    assert (found.balance, found.run, found.needs, found.leans) == (balance, run, needs, leans)


@pytest.mark.parametrize(
    ("mine", "theirs", "first", "why"),
    [
        ("FF", "F", "2", "who needs a side gets it"),
        ("SS", "F", "1", "the other way round"),
        ("FF", "SS", "2", "both get what they need"),
        ("F", "S", "2", "the smaller balance gets the first side"),
        ("FSS", "SFSS", "2", "both need the first side: the smaller balance"),
        ("SFFS", "FSSF", "1", "level balances: against the run"),
        ("FSFS", "SFFS", "1", "level runs: the other way round than the last time they differed"),
    ],
)
def test_the_first_rule_that_tells_two_apart_decides(mine, theirs, first, why):
    for bit in (0, 1):
        assert first_side(one("1", sides=mine), one("2", sides=theirs), bit) == first, why
        assert first_side(one("2", sides=theirs), one("1", sides=mine), bit) == first, why


def test_the_higher_gets_what_they_had_less_recently():
    assert first_side(one("1", 5, "FS"), one("2", 3, "FS"), 0) == "1"
    assert first_side(one("1", 3, "FS"), one("2", 5, "FS"), 0) == "2"
    assert first_side(one("1", 5, "SF"), one("2", 3, "SF"), 0) == "2"


def test_the_seed_decides_between_equals():
    assert first_side(one("1"), one("10"), 1) == "1"
    assert first_side(one("1"), one("10"), 0) == "10"
    assert first_side(one("10"), one("2"), 1) == "2"  # the lower number, not the lower text
