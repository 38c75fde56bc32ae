"""``bracket/1`` and ``snake/1``: places of a knock-out, and the distribution into pods (docs/directors.md 8.4)."""

from __future__ import annotations

from collections.abc import Sequence

NOBODY = ""
SMALLEST, LARGEST = 3, 5
"""The limits of a pod's size."""


def count_rounds(entrants: int) -> int:
    """Return how many rounds a knock-out has."""
    return (entrants - 1).bit_length()


def bracket_places(entrants: int) -> list[int]:
    """Return the places of the usual bracket, from top to bottom. Places 1 and 2 can meet only in the last round."""
    bracket = [1]
    while len(bracket) < 1 << count_rounds(entrants):
        size = 2 * len(bracket) + 1
        bracket = [place for seed in bracket for place in (seed, size - seed)]
    return bracket


def first_ties(order: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of the first round. ``order``: entrants, best first. The best meet NOBODY for empty places."""
    seats = [order[place - 1] if place <= len(order) else NOBODY for place in bracket_places(len(order))]
    return list(zip(seats[::2], seats[1::2], strict=True))


def deal_pods(order: Sequence[str], size: int) -> list[list[str]]:
    """Deal entrants in a snake (1, 2, 3, 3, 2, 1, ...) into groups (pods) of about ``size``; return the pods."""
    number = max(1, (len(order) + size // 2) // size)
    while -(-len(order) // number) > LARGEST:
        number += 1
    while number > 1 and len(order) // number < SMALLEST:
        number -= 1
    dealt: list[list[str]] = [[] for _ in range(number)]
    for place, entrant in enumerate(order):
        turn, at = divmod(place, number)
        dealt[number - 1 - at if turn % 2 else at].append(entrant)
    return dealt
