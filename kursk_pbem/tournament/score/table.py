"""The standings after a round, and the hash announced in the log (docs/directors.md 9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.rules import KNOCK_OUT, LOT
from kursk_pbem.tournament.score import stages
from kursk_pbem.tournament.score.breaks import DIRECT, Values, split_direct, split_level
from kursk_pbem.tournament.score.counted import count_games, make_groups


@frozen
class Row:
    """An entrant's row. ``breaks``: values of the tie-breaks as text; ``stage``: progress in the finals, or 0."""

    place: int
    number: str
    entry: str
    points: int
    games: int
    won: int
    drawn: int
    lost: int
    breaks: dict[str, str]
    stage: int = 0

    def to_plain(self) -> dict[str, Any]:
        """Return the row as texts. The hash covers these texts, and exports contain them."""
        words = ("place", "points", "games", "won", "drawn", "lost", "stage")
        numbers = {name: str(getattr(self, name)) for name in words}
        return {**numbers, "number": self.number, "entry": self.entry, "breaks": self.breaks}


@frozen
class Table:
    """The standings of a tournament after a round."""

    tournament: str
    round: int
    rows: tuple[Row, ...]

    def to_plain(self) -> dict[str, Any]:
        """Return the table as plain data for its hash."""
        rows = [row.to_plain() for row in self.rows]
        return {"tournament": self.tournament, "round": str(self.round), "rows": rows}

    @cached_property
    def sha256(self) -> str:
        """The hash of the table as canonical JSON, 64 hex digits. The director announces this hash."""
        return sha256_hex(canon(self.to_plain()))


def compute_standings(book: Book, round_: int | None = None) -> Table:
    """Return the table after a round. ``round_``: the round, None for the newest."""
    last = book.round if round_ is None else round_
    if isinstance(there := book.announced.get(last), Table):
        return there
    values = Values(book, count_games(book, last))
    stage, met = _final_progress(book, last), _direct_places(values) if DIRECT in book.rules.breaks else {}
    order = enumerate(_rank_numbers(values, stage), 1)
    rows = [_make_row(values, number, place, stage.get(number, 0), met.get(number, "-")) for place, number in order]
    return Table(book.id, last, tuple(rows))


def _rank_numbers(values: Values, stage: dict[str, int]) -> list[str]:
    """Return the numbers, best first: by progress in finals, by points, then by each tie-break."""
    level = split_level(values.numbers, lambda number: (stage.get(number, 0), values.points[number]))
    for name in values.book.rules.breaks:
        if name == DIRECT:
            level = [part for group in level for part in split_direct(values, group)]
        else:
            level = [part for group in level for part in split_level(group, partial(values.of, name))]
    return [number for group in level for number in group]


def _make_row(values: Values, number: str, place: int, stage: int, met: str) -> Row:
    games = values.games[number]
    won = sum(game.winner == number for game in games)
    lost = sum(game.lost_by(number) for game in games)
    points = values.points[number]
    breaks = {
        name: met if name == DIRECT else str(values.drawn[number] if name == LOT else values.of(name, number))
        for name in values.book.rules.breaks
    }
    entry = values.book.numbers[number]
    return Row(place, number, entry, points, len(games), won, len(games) - won - lost, lost, breaks, stage)


def _direct_places(values: Values) -> dict[str, str]:
    """Return the places by direct encounter among numbers with equal points, if direct encounter separates them."""
    levels = split_level(values.numbers, values.points.__getitem__)
    parted = [parts for parts in (split_direct(values, level) for level in levels) if len(parts) > 1]
    return {number: str(place) for parts in parted for place, part in enumerate(parts, 1) for number in part}


def _final_progress(book: Book, last: int) -> dict[str, int]:
    """Return the progress by number: rounds survived in a knock-out, or 1 and more in the finals."""
    if book.begun is None:
        return {}
    if book.rules.format == KNOCK_OUT:
        return _count_survived(book, [entrant.number for entrant in book.ranked()], 1, last)
    start = stages.first_final_round(book)
    if not start or last < start:
        return {}
    final = find_finalists(book)
    if book.rules.pods.get("final") == stages.POD:
        inside = count_games(book, last)
        points = {number: [game.of(number) for game in inside.of(number) if game.round >= start] for number in final}
        return {number: 1 + sum(games) for number, games in points.items()}
    return {number: 1 + rounds for number, rounds in _count_survived(book, final, start, last).items()}


def find_finalists(book: Book) -> list[str]:
    """Return the finalists in order: as paired, or before the pairing by the results of the pods or the Swiss."""
    if book.finalists:
        return book.finalists
    if book.rules.finals:
        rows = compute_standings(book, book.rules.rounds).rows
        there = [row.number for row in rows if not book.entrant(row.number).gone(book.rules.rounds + 1)]
        return there[: book.rules.finals]
    pods = make_groups(book)
    order = _rank_numbers(Values(book, count_games(book, stages.count_pod_rounds(pods))), {})
    return stages.pod_finalists(book, [sorted(pod, key=order.index) for pod in pods])


def _count_survived(book: Book, order: Sequence[str], start: int, last: int) -> dict[str, int]:
    """Return the ties won by each number up to a round; a bye counts as a win."""
    won = dict.fromkeys(order, 0)
    for ties in stages.knock_out_ties(book, order, start)[: max(0, last - start + 1)]:
        for tie in ties:
            if tie.winner:
                won[tie.winner] += 1
    return won
