"""``berger/1``: round-robin tables (FIDE C.05, annex 1) for two or more entrants."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.tournament.pairing.bracket import NOBODY


def count_rounds(entrants: int) -> int:
    """Return how many rounds a round robin has."""
    return entrants - 1 if entrants % 2 == 0 else entrants


def pair_places(places: int, round_: int) -> list[tuple[int, int]]:
    """Return the pairs (first side, second side) of a round for an even number of places; rounds and places begin at 1.

    The last place meets the other places in turn, half a circle further each round. It has the second side in odd
    rounds. The other places form a circle around its opponent. The places after the opponent have the first side.
    """
    turn = places - 1
    met = (round_ - 1) * (places // 2) % turn + 1
    pairs = [(met, places) if round_ % 2 else (places, met)]
    for step in range(1, places // 2):
        after, before = (met + step - 1) % turn + 1, (met - step - 1) % turn + 1
        pairs.append((after, before))
    return pairs


def pair_numbers(order: Sequence[str], round_: int) -> tuple[list[tuple[str, str]], str]:
    """Return a round's pairs of entrant numbers, and the number without opponent ('' if every number plays)."""
    seats = [*order, NOBODY] if len(order) % 2 else list(order)
    seated = [(seats[first - 1], seats[second - 1]) for first, second in pair_places(len(seats), round_)]
    free = next((one or other for one, other in seated if NOBODY in (one, other)), NOBODY)
    return [pair for pair in seated if NOBODY not in pair], free
