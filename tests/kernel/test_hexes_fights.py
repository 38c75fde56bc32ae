"""Odds by exact fractions, ladders of all kinds, and payments against every way to pay."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.kernel.hexes import fights
from kursk_pbem.kernel.hexes.fights import Purse

WHOLE = [f"1:{n}" for n in range(9, 1, -1)] + [f"{n}:1" for n in range(1, 10)]
LADDER = ("1:5", "1:4", "1:3", "1:2", "2:3", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1")

strengths = st.fractions(min_value=0, max_value=60, max_denominator=4)


@given(strengths.filter(bool), st.integers(1, 40))
def test_a_level_is_the_best_ratio_of_whole_numbers_that_the_attacker_reaches(attack, defence):
    level = fights.level_of(attack, defence)
    one, other = map(int, fights.odds_text(level).split(":"))
    assert attack * other >= one * defence
    one, other = map(int, fights.odds_text(level + 1).split(":"))
    assert attack * other < one * defence


@given(strengths, st.integers(1, 40))
def test_a_printed_ladder_is_read_column_by_column(attack, defence):
    place = fights.column_of(attack, defence, LADDER)
    for number, text in enumerate(LADDER):
        one, other = map(int, text.split(":"))
        assert (attack * other >= one * defence) == (number <= place)


@given(strengths.filter(bool), st.integers(1, 40))
def test_a_ladder_of_whole_numbers_agrees_with_the_level(attack, defence):
    level = fights.level_of(attack, defence)
    place = fights.column_of(attack, defence, WHOLE)
    assert place == max(-1, min(level + 7, len(WHOLE) - 1))


@pytest.mark.parametrize(
    ("value", "text"), [(10, "10"), (0, "0"), (Fraction(15, 2), "7 1/2"), (Fraction(1, 4), "1/4"), (Fraction(4), "4")]
)
def test_strength_points_as_a_person_writes_them(value, text):
    assert fights.fraction_text(value) == text


# Payments


@st.composite
def lines(draw):
    """Return one to four participants of up to three steps, with values of steps."""
    line = []
    for number in range(draw(st.integers(1, 4))):
        a, b, c = draw(st.tuples(*[st.integers(0, 6)] * 3))
        line.append(Purse(f"u{number}", draw(st.integers(1, 3)), (0, a, a + b, a + b + c)))
    return tuple(line)


purses = lines()


def worth(line, payment):
    return sum(purse.worth(lost) for purse, lost in zip(line, payment, strict=True))


def plainly(line, due):
    """Return every sufficient payment without a superfluous step."""
    found = []
    for payment in product(*(range(purse.steps + 1) for purse in line)):
        less = [(*payment[:n], lost - 1, *payment[n + 1 :]) for n, lost in enumerate(payment) if lost]
        if worth(line, payment) >= due and all(worth(line, other) < due for other in less):
            found.append(payment)
    return found


@given(purses, st.integers(1, 30))
def test_payments_are_all_the_tight_ones(line, due):
    everything = tuple(purse.steps for purse in line)
    tight = plainly(line, due) if worth(line, everything) >= due else [everything]
    assert sorted(fights.list_payments(line, due)) == sorted(tight)


@given(purses, st.integers(1, 30), st.lists(st.sampled_from(["u0", "u1", "u2", "u3", "x"])).map(tuple))
def test_the_chosen_payment_is_tight_and_by_wish_or_cheapest(line, due, wishes):
    lost = fights.choose_exchange(line, due, wishes)
    assert all(lost.values())
    order = fights.order_purses(line, wishes)
    chosen = tuple(lost.get(purse.unit, 0) for purse in order)
    tight = fights.list_payments(order, due)
    assert chosen in tight
    if any(purse.unit in wishes for purse in line):
        assert chosen == max(tight)  # the first unit loses most
    else:
        assert worth(order, chosen) == min(worth(order, payment) for payment in tight)
