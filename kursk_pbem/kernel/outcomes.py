"""Outcomes of dice: combinations with equal result and text become one outcome, and chances are added up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from kursk_pbem.kernel.branches import Groups, list_throws
from kursk_pbem.kernel.outlook import Outcome


def merge_outcomes(ways: Iterable[tuple[Fraction, Groups, Outcome]], rolled: str = "") -> tuple[Outcome, ...]:
    """Return the outcomes of all dice. Outcomes with equal result and text become one, and their chances are added.

    ``rolled``: the throw to show for an outcome without dice, because its die was rolled earlier.
    """
    alike: dict[tuple[str, tuple[str, ...]], list[tuple[Fraction, Groups, Outcome]]] = {}
    for way in ways:
        alike.setdefault((way[2].result, way[2].text), []).append(way)
    return tuple(
        replace(
            same[0][2],
            chance=sum((chance for chance, _way, _outcome in same), Fraction(0)),
            faces=list_throws([way for _chance, way, _outcome in same]) or ((rolled,) if rolled else ()),
        )
        for same in alike.values()
    )


def chance(outcomes: Iterable[Outcome], key: str, value: str = "yes") -> Fraction:
    """Return the chance of an outcome whose figure ``key`` has this value."""
    return sum((outcome.chance for outcome in outcomes if outcome.figures[key] == value), Fraction(0))


def mean(outcomes: Iterable[Outcome], key: str) -> Fraction:
    """Return the mean of a figure over all outcomes."""
    return sum((outcome.chance * int(outcome.figures[key]) for outcome in outcomes), Fraction(0))
