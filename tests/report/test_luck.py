"""Luck: exact chances against counting, and conversion to plain data."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from kursk_pbem.kernel.events import Rolled
from kursk_pbem.report import odds
from kursk_pbem.report.luck import Luck, Throws, count_throws, show_mixed, show_per_cent


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_chances_are_those_of_counting(dice):
    sums = Counter(map(sum, product(range(1, 7), repeat=dice)))
    for total in range(dice - 1, 6 * dice + 1):
        assert count_throws(dice, total) == sum(number for found, number in sums.items() if found <= total)
    for total in range(dice, 6 * dice + 1):
        above = sum(number for found, number in sums.items() if found >= total)
        assert Throws(dice, total).chance == Fraction(above, 6**dice)


def test_many_dice_stay_exact():
    assert Throws(400, 400).chance == 1
    assert Throws(400, 2400).chance == Fraction(1, 6**400)


def rolled(digits, whose="german", good="high"):
    return Rolled("9.0-4", "b/combat", digits, whose, good)


def test_only_dice_that_are_somebodys_luck_count():
    luck = Luck().add([rolled("4"), rolled("1", ""), rolled("6")])
    assert luck.throws == {"german": Throws(2, 10)}
    assert luck.throws["german"].expected == 7
    assert luck.to_plain() == {"german": "2/10"}
    assert Luck.from_plain(luck.to_plain()) == luck
    assert Luck.from_plain({}) == Luck()


def test_where_low_is_lucky_dice_are_turned_over():
    assert Luck().add([rolled("123", good="low"), rolled("66", "russian")]).throws == {
        "german": Throws(3, 15),
        "russian": Throws(2, 12),
    }


@pytest.mark.parametrize("text", ["2", "2-10", "a/b", "2/", "/4", "\u0662/4"])
def test_what_is_no_luck_is_refused(text):
    with pytest.raises(ValueError, match="dice/sum"):
        Luck.from_plain({"german": text})


def test_numbers_in_words():
    assert show_per_cent(Fraction(1, 2)) == "50.0%"
    assert show_per_cent(Fraction(1, 16)) == "6.3%"
    assert show_per_cent(Fraction(1)) == "100.0%"
    assert show_mixed(Fraction(35, 2)) == "17 1/2"
    assert show_mixed(Fraction(42)) == "42"


def test_numbers_that_are_long_or_nearly_nothing():
    """Bug: odds of eight shots had fractions of 100 digits, and a chance of one in a million was '0.0%'."""
    assert show_per_cent(Fraction(0)) == "0.0%"
    assert show_per_cent(Fraction(1, 2000)) == "0.1%"
    assert show_per_cent(Fraction(1, 2001)) == "<0.1%"
    assert show_per_cent(Fraction(1999, 2000)) == ">99.9%"
    assert show_per_cent(Fraction(9994, 10000)) == "99.9%"
    assert odds.show_fraction(Fraction(1, 3)) == "2/6 = 33.3%"
    assert odds.show_fraction(Fraction(16807, 46656)) == "16807/46656 = 36.0%"
    assert (odds.show_chance(Fraction(5**8, 6**8)), odds.show_fraction(Fraction(5**8, 6**8))) == ("", "23.3%")
    assert odds.show_fraction(Fraction(1, 6561)) == "1/6561 <0.1%"
    assert show_mixed(Fraction(16 * 10**20 + 1, 3 * 10**20)) == "about 5.33"
    assert show_mixed(Fraction(1, 6**12)) == "less than 0.01"
