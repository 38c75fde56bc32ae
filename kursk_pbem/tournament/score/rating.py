"""Ratings in whole numbers: the hobby's own, or Elo by an exact table (docs/directors.md 9.3).

All games of a round count from the ratings before it, so their order does not matter. Forfeits and games of a
substituted number are not rated.
"""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.ratings import Event, expected, rounded
from kursk_pbem.tournament.book.records import WORD, Book
from kursk_pbem.tournament.papers import fields
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


def event(book: Book, findings: Mapping[str, Finding]) -> Event:
    """Return an ended and verified tournament as an event: what its director alone decided is left out."""
    ranked = {entrant.number for entrant in book.ranked()}
    results = []
    for game in count(book).games:
        board = book.boards[game.board]
        proved = board.outcome and board.outcome.by != WORD and not game.lost_by_both
        played = findings[board.game].played if board.game in findings else None
        if played and proved and rated(book, game) and ranked.issuperset(game.numbers):
            one, other = (str(played.head["keys"][side]) for side in board.sides)
            results.append((one, other, _score(game)))
    hidden = {entrant.entry for entrant in book.entrants.values() if not entrant.shown}
    told = [book.papers[id_] for id_ in book.received if book.papers[id_].type in (fields.ENTRY, fields.STAND_IN)]
    names = {paper.sender: "" if paper.id in hidden else paper.text("name") for paper in told}
    changes = [book.papers[log.text("paper")] for log in book.log if log.type == fields.KEY]
    changed = tuple((paper.sender, paper.text("new")) for paper in changes)
    end = next(log.text("time") for log in book.log if log.type == fields.END)
    return Event(book.id, book.rules.title, end, tuple(results), changed, names)
