"""Ratings in whole numbers: the hobby's own, or Elo by an exact table (docs/directors.md 9.3).

All games of a round count from the ratings before it, so their order does not matter. Forfeits and games of a
substituted number are not rated.
"""

from __future__ import annotations

from functools import lru_cache

from kursk_pbem.tournament.book.records import Book
from kursk_pbem.tournament.rules import Rating
from kursk_pbem.tournament.score.counted import Game, count

LEAST, MOST, USUAL, PER_CENT = 1, 200, 100, 5
"""Of ``area``: what the winner takes, at least, at most, and among equals; how much of a lead it moves."""


def ratings(book: Book, round_: int | None = None) -> dict[str, int]:
    """The ratings of all numbers after a round (None: the newest); empty where paper 0 has none."""
    rating = book.rules.rating
    if rating is None:
        return {}
    now = {entrant.number: rating.known.get(entrant.keys[0][1], rating.start) for entrant in book.ranked()}
    counted = count(book, round_)
    for number in range(1, counted.round + 1):
        change = dict.fromkeys(now, 0)
        for game in counted.games:
            if game.round == number and rated(book, game) and set(game.numbers) <= set(now):
                one, other = game.numbers
                moved = _moved(rating, now[one], now[other], _score(game))
                change[one] += moved
                change[other] -= moved
        now = {who: worth + change[who] for who, worth in now.items()}
    return now


def rated(book: Book, game: Game) -> bool:
    """Whether a game is rated: played, by those who began it, and not lost by both."""
    return game.played and not (game.lost_by_both and not book.rules.former) and len(book.boards[game.board].games) < 2


def _score(game: Game) -> int:
    """Halves of a point for the first side: 2, 1 or 0."""
    return 1 if not game.winner else 2 if game.winner == game.numbers[0] else 0


def _moved(rating: Rating, one: int, other: int, score: int) -> int:
    """What the first of two gains and the other loses."""
    if rating.method == "elo":
        return rounded(rating.k * (1000 * score - 2 * expected(one - other)), 2000)
    if score == 1:
        return rounded(PER_CENT * (other - one), 100)
    lead = other - one if score == 2 else one - other
    taken = max(LEAST, min(MOST, USUAL + rounded(PER_CENT * lead, 100)))
    return taken if score == 2 else -taken


def rounded(dividend: int, divisor: int) -> int:
    """A quotient rounded to a whole number, halves away from zero; ``divisor`` is above 0."""
    whole, rest = divmod(abs(dividend), divisor)
    whole += 2 * rest >= divisor
    return whole if dividend >= 0 else -whole


@lru_cache(maxsize=4096)
def expected(lead: int) -> int:
    """Elo's expectation of whoever leads by so many points, in whole per mille, exactly rounded: 500 for no lead.

    p is rounded up to where 1000 / (1 + 10^(-lead/400)) reaches p - 1/2, that is 10^lead >= ((2p-1)/(2001-2p))^400.
    """
    if lead < 0:
        return 1000 - expected(-lead)
    low, high = 500, 1000
    while low < high:  # the greatest p that is reached
        middle = (low + high + 1) // 2
        if 10**lead * (2001 - 2 * middle) ** 400 >= (2 * middle - 1) ** 400:
            low = middle
        else:
            high = middle - 1
    return low
