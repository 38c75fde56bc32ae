"""Tie-breaks as defined in docs/directors.md 9.2, in whole numbers and exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.rules import DRAW
from kursk_pbem.tournament.score.counted import Counted, Game

DIRECT = "direct"


@frozen
class Values:
    """The values of the tie-breaks, except ``direct``; larger is better. Computed once for a table."""

    book: Book
    counted: Counted

    @cached_property
    def numbers(self) -> list[str]:
        """The entrant numbers in the table, without guests."""
        return [entrant.number for entrant in self.book.ranked()]

    @cached_property
    def points(self) -> dict[str, int]:
        """Each entrant's points, by entrant number."""
        return {number: self.counted.points(number) for number in self.numbers}

    @cached_property
    def games(self) -> dict[str, list[Game]]:
        """Each entrant's games that count, by entrant number."""
        return {number: self.counted.of(number) for number in self.numbers}

    @cached_property
    def adjusted(self) -> dict[str, int]:
        """Each entrant's points as opponents' tie-breaks count them, by number: games after a withdrawal are draws."""
        draw = self.book.rules.award[DRAW][0] * (2 if self.book.rules.mirror else 1)
        left = {entrant.number: entrant.left for entrant in self.book.ranked()}
        after = {number: max(0, self.counted.round - at) if at >= 0 else 0 for number, at in left.items()}
        return {number: points + draw * after[number] for number, points in self.points.items()}

    def of(self, name: str, number: str) -> Fraction:
        """Return the value of a tie-break for the entrant with a number. ``name``: the name of the tie-break."""
        return Fraction(_BREAKS[name](self, number))

    @cached_property
    def weak(self) -> dict[int, int]:
        """The side (0 first, 1 second) with fewer points in all games, by system. Equal sides have no entry."""
        weaker: dict[int, int] = {}
        for system in range(1, len(self.book.rules.systems) + 1):
            played = [game.points for game in self.counted.games if game.system == system and game.played]
            first, second = (sum(points[place] for points in played) for place in (0, 1))
            if first != second:
                weaker[system] = int(second < first)
        return weaker

    @cached_property
    def usual(self) -> dict[int, Fraction]:
        """The average margin of finished games, seen from the first side, by system."""
        margins: dict[int, list[int]] = {}
        for game in self.counted.games:
            if game.margin is not None:
                margins.setdefault(game.system, []).append(game.margin)
        return {system: Fraction(sum(of_system), len(of_system)) for system, of_system in margins.items()}

    @cached_property
    def drawn(self) -> dict[str, int]:
        """The place (from 1) in a random sequence made by the last seed, by entrant number."""
        entries = {self.book.numbers[number]: number for number in self.numbers}
        ordered = chance.order_by_lot(self.book.seed, "place", entries)
        return {entries[entry]: place for place, entry in enumerate(ordered, 1)}


def _opponent_points(values: Values, number: str) -> list[int]:
    """Return the adjusted points of each round's opponent; the own points for a round without an opponent."""
    met = {game.round: game.against(number) for game in values.games[number]}
    own = values.points[number]
    return [values.adjusted.get(met.get(round_, ""), own) for round_ in range(1, values.counted.round + 1)]


def _buchholz_cut(values: Values, number: str) -> int:
    points = _opponent_points(values, number)
    return sum(points) - min(points, default=0)


def _won_games(values: Values, number: str) -> list[Game]:
    return [game for game in values.games[number] if game.played and game.winner == number]


def _weak_wins(values: Values, number: str) -> int:
    return sum(game.numbers.index(number) == values.weak.get(game.system) for game in _won_games(values, number))


def _margin_sum(values: Values, number: str) -> int:
    cap = values.book.rules.cap
    return sum(max(-cap, min(cap, game.margin_of(number))) for game in values.games[number])


def _above_par(values: Values, number: str) -> Fraction:
    total = Fraction(0)
    for game in values.games[number]:
        if game.margin is not None:
            beyond = game.margin - values.usual[game.system]
            total += beyond if number == game.numbers[0] else -beyond
    return total


def _first_loss(values: Values, number: str) -> int:
    games = values.games[number]
    lost = [game.round for game in games if game.lost_by(number)]
    return min(lost, default=values.counted.round + 1)


_BREAKS: Mapping[str, Callable[[Values, str], int | Fraction]] = {
    "buchholz": lambda values, number: sum(_opponent_points(values, number)),
    "buchholz-1": _buchholz_cut,
    "berger": lambda values, number: sum(
        game.of(number) * values.adjusted.get(game.against(number), 0) for game in values.games[number]
    ),
    "wins": lambda values, number: len(_won_games(values, number)),
    "weak": _weak_wins,
    "margin": _margin_sum,
    "par": _above_par,
    "first-loss": _first_loss,
    "lot": lambda values, number: -values.drawn[number],
}


def split_level(level: Sequence[str], worth: Callable[[str], Any]) -> list[list[str]]:
    """Return entrant numbers in groups of equal value, the best group first."""
    groups: dict[Any, list[str]] = {}
    for number in level:
        groups.setdefault(worth(number), []).append(number)
    return [groups[value] for value in sorted(groups, reverse=True)]


def split_direct(values: Values, level: Sequence[str]) -> list[list[str]]:
    """Split entrants of equal value by the points of games among them, if all pairs met equally often."""
    games = [game for game in values.counted.games if {*game.numbers} <= {*level}]
    often = Counter(frozenset(game.numbers) for game in games)
    if len(often) < len(level) * (len(level) - 1) // 2 or len(set(often.values())) > 1:
        return [list(level)]
    points = {number: sum(game.of(number) for game in games if number in game.numbers) for number in level}
    parts = split_level(level, points.__getitem__)
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in (split_direct(values, part) if len(part) > 1 else [part])]
