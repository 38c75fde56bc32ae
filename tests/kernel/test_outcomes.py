"""Ways in which dice fall, brought together as outcomes."""

from fractions import Fraction

from kursk_pbem.kernel.outcomes import chance, mean, merge_outcomes
from kursk_pbem.kernel.outlook import Outcome


def ended(result, lost):
    figures = {"lost": str(lost), "left": "yes" if lost else "no"}
    return Outcome(Fraction(0), (), result, (f"{lost} lost",), figures)


WAYS = [
    (Fraction(1, 6), ("1",), ended("A", 0)),
    (Fraction(1, 2), ("2", "135"), ended("B", 1)),
    (Fraction(1, 6), ("3",), ended("A", 0)),
    (Fraction(1, 6), ("4",), ended("A", 2)),
]


def test_what_is_told_alike_is_one_outcome_with_all_its_throws():
    outcomes = merge_outcomes(WAYS)
    assert [(one.result, one.text, one.chance, one.faces) for one in outcomes] == [
        ("A", ("0 lost",), Fraction(1, 3), ("1", "3")),
        ("B", ("1 lost",), Fraction(1, 2), ("21", "23", "25")),
        ("A", ("2 lost",), Fraction(1, 6), ("4",)),
    ]
    assert chance(outcomes, "left") == Fraction(2, 3)
    assert chance(outcomes, "lost", "2") == Fraction(1, 6)
    assert mean(outcomes, "lost") == Fraction(5, 6)


def test_a_die_that_fell_before_stands_where_none_falls():
    assert [one.faces for one in merge_outcomes([(Fraction(1), (), ended("A", 0))], "5")] == [("5",)]
    assert [one.faces for one in merge_outcomes([(Fraction(1), (), ended("A", 0))])] == [()]
