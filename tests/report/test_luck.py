"""Luck: exact chances against counting, and the way through a mapping of words."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from kursk_pbem.kernel.events import Attacker, Fought, Rolled
from kursk_pbem.report.luck import Luck, Throws, at_most, per_cent, whole_or_half


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_chances_are_those_of_counting(dice):
    sums = Counter(map(sum, product(range(1, 7), repeat=dice)))
    for total in range(dice - 1, 6 * dice + 1):
        assert at_most(dice, total) == sum(number for found, number in sums.items() if found <= total)
    for total in range(dice, 6 * dice + 1):
        above = sum(number for found, number in sums.items() if found >= total)
        assert Throws(dice, total).chance == Fraction(above, 6**dice)


def test_many_dice_stay_exact():
    assert Throws(400, 400).chance == 1
    assert Throws(400, 2400).chance == Fraction(1, 6**400)


def fought(die):
    line = (Attacker("g-1", "2015", 5, (), "5"),)
    return Fought("9.0", "b", "2116", "r-1", line, (), "", "5", "4", "1:1", (), "1:1", die, "", "")


def rolled(die):
    return Rolled("9.0-4", "b/combat", die)


def test_only_battles_with_a_die_count_for_their_attacker():
    events = [rolled("4"), fought("4"), fought(""), rolled("6"), fought("6")]
    luck = Luck().add(events, lambda uid: {"g": "german"}[uid[0]])
    assert luck.throws == {"german": Throws(2, 10)}
    assert luck.throws["german"].expected == 7
    assert luck.to_plain() == {"german": "2/10"}
    assert Luck.from_plain(luck.to_plain()) == luck
    assert Luck.from_plain({}) == Luck()


def test_a_battle_that_waited_for_a_decision_does_not_count_its_die_twice():
    luck = Luck().add([rolled("5"), fought("5")], lambda _uid: "german")
    assert luck.add([fought("5"), rolled("2"), fought("2")], lambda _uid: "german").throws == {"german": Throws(2, 7)}


@pytest.mark.parametrize("text", ["2", "2-10", "a/b", "2/", "/4", "\u0662/4"])
def test_what_is_no_luck_is_refused(text):
    with pytest.raises(ValueError, match="dice/sum"):
        Luck.from_plain({"german": text})


def test_numbers_in_words():
    assert per_cent(Fraction(1, 2)) == "50.0%"
    assert per_cent(Fraction(1, 16)) == "6.3%"
    assert per_cent(Fraction(1)) == "100.0%"
    assert whole_or_half(Fraction(35, 2)) == "17 1/2"
    assert whole_or_half(Fraction(42)) == "42"
