"""``berger/1``: the tables by which everybody meets everybody once (FIDE C.05, annex 1), for 2 entrants and more."""

from __future__ import annotations

from collections.abc import Sequence

NOBODY = ""
"""Who stands in for the last place where the number is odd."""


def rounds(entrants: int) -> int:
    """How many rounds it takes until so many entrants have all met."""
    return entrants - 1 if entrants % 2 == 0 else entrants


def table(places: int, round_: int) -> list[tuple[int, int]]:
    """The pairs of a round (from 1) for an even number of places (from 1): (first side, second side), in order.

    The last place meets one after the other, half a circle further each time, with the second side in odd rounds; the
    others sit around the one it meets, whoever sits after that one with the first side.
    """
    turn = places - 1
    met = (round_ - 1) * (places // 2) % turn + 1
    pairs = [(met, places) if round_ % 2 else (places, met)]
    for step in range(1, places // 2):
        after, before = (met + step - 1) % turn + 1, (met - step - 1) % turn + 1
        pairs.append((after, before))
    return pairs


def pairs(order: Sequence[str], round_: int) -> tuple[list[tuple[str, str]], str]:
    """The pairs of a round among these numbers, and who is free ('' where nobody is)."""
    seats = [*order, NOBODY] if len(order) % 2 else list(order)
    seated = [(seats[first - 1], seats[second - 1]) for first, second in table(len(seats), round_)]
    free = next((one or other for one, other in seated if NOBODY in (one, other)), NOBODY)
    return [pair for pair in seated if NOBODY not in pair], free
