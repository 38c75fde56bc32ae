"""Tables as text, JSON, CSV and TRF16."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.formats import csvtext
from kursk_pbem.formats.text import isolated
from kursk_pbem.tournament.pairing.sides import number_order
from kursk_pbem.tournament.records import BYE, Book
from kursk_pbem.tournament.rules import WIN
from kursk_pbem.tournament.score.counted import Counted, count_games, find_spent
from kursk_pbem.tournament.score.stages import count_rounds
from kursk_pbem.tournament.score.table import Table, compute_standings


def describe_time(book: Book, round_: int) -> str:
    """Return the words 'after round 2', or 'so far in round 2' if the round has undecided boards."""
    return f"{'after' if all(board.decided for board in book.of_round(round_)) else 'so far in'} round {round_}"


def newest_round(book: Book) -> int:
    """Return the last round that has a decided board, or 0."""
    return max((board.round for board in book.boards.values() if board.decided), default=0)


def format_text(book: Book, table: Table) -> str:
    """Return the table as text for a terminal."""
    out = [f"{book.rules.title}: standings {describe_time(book, table.round)}", *format_grid(book, table)]
    return "\n".join([*out, f"hash of the table: {table.sha256}", ""])


def format_grid(book: Book, table: Table, most: int = 1_000, *, breaks: bool = True) -> list[str]:
    """Return a table as lines of at most ``most`` columns. If space is short, omit the last tie-breaks.

    If an entrant has a bye, byes have a column. ``breaks``: whether to show the tie-breaks.
    """
    head = ["Place", "No.", "Name", "Points", "Games", "+", "=", "-", "Bye", *book.rules.breaks]
    plain = len(head) - len(book.rules.breaks)
    rows = ([f"{cell!s:.{most // 2}}" for cell in cells] for cells in _list_cells(book, table))
    lines = [line if breaks else line[:plain] for line in (head, *rows)]
    if all(line[plain - 1] == "0" for line in lines[1:]):
        plain -= 1
        lines = [[*line[:plain], *line[plain + 1 :]] for line in lines]
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    while sum(widths) + 2 * len(widths) > most + 2 and len(widths) > plain:
        widths.pop()
    places = [f"{{:{'<' if at == 2 else '>'}{width}}}" for at, width in enumerate(widths)]
    return [isolated("  ".join(places).format(*line).rstrip()) for line in lines]


def _list_cells(book: Book, table: Table) -> Iterator[list[str | int]]:
    """Yield the cells of each row, in the order of the heading of CSV."""
    counted = count_games(book, table.round)
    for row in table.rows:
        breaks = [row.breaks[tie_break] for tie_break in book.rules.breaks]
        results = [row.games, row.won, row.drawn, row.lost, counted.byes(row.number)]
        yield [row.place, row.number, book.entrant(row.number).called, row.points, *results, *breaks]


def to_json(book: Book, table: Table) -> dict[str, Any]:
    """Return the table as JSON data: the fields that the hash covers, names and byes."""
    plain, counted = table.to_plain(), count_games(book, table.round)
    for row, said in zip(table.rows, plain["rows"], strict=True):
        said |= {"name": book.entrant(row.number).called, "byes": str(counted.byes(row.number))}
    return {**plain, "sha256": table.sha256, "title": book.rules.title}


def format_csv(book: Book, table: Table) -> str:
    """Return the table as CSV (comma-separated values)."""
    head = ["place", "number", "name", "points", "games", "won", "drawn", "lost", "byes", *book.rules.breaks]
    return csvtext.format_rows(head, _list_cells(book, table))


WORTH = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1}
"""Half points of TRF16 results; other results give none."""


def format_trf(book: Book, table: Table) -> str:
    """Return a table in the format TRF16, up to the last round whose boards are all decided.

    Points are 1, 0.5 or 0 by the game's result, because reading programs add up the rounds.
    """
    last = table.round
    while not all(board.decided for board in book.of_round(last)):
        last -= 1
    rows = {row.number: row for row in compute_standings(book, last).rows}
    players = [*sorted(rows, key=number_order), *(guest.number for guest in book.guests())]
    starts = {number: f"{start:>4}" for start, number in enumerate(players, 1)}
    counted = count_games(book, last)
    lines = [f"012 {book.rules.title}", f"062 {len(players)}", "072 0", f"092 {book.rules.format}"]
    for number in players:
        rounds = [cell for round_ in range(1, last + 1) for cell in _trf_round(book, counted, number, round_, starts)]
        halves = sum(WORTH.get(cell[-1], 0) for cell in rounds)
        place = str(rows[number].place) if number in rows else ""  # a guest has no place
        who = f"001 {starts[number]}      {book.entrant(number).called:<33.33}     "
        points = f"{halves // 2}.{halves % 2 * 5}"
        lines.append("  ".join([f"{who}{'':28}{points:>4} {place:>4}", *rounds]))
    if rows:  # bbpPairings pairs no round without the number of all rounds
        lines.append(f"XXR {len(rounds) + (count_rounds(book) - last) * (2 if book.rules.mirror else 1)}")
    return "\n".join([*lines, ""])


def _trf_round(book: Book, counted: Counted, number: str, round_: int, starts: Mapping[str, str]) -> list[str]:
    """Return a player's columns of a round: opponent, color, result. Each player has an equal number of columns."""
    cells = []
    for game in counted.of(number):
        if game.round == round_:
            won, lost = "10" if game.played else "+-"
            result = won if game.winner == number else "=" if game.drawn else lost
            cells.append(f"{starts[game.against(number)]} {'w' if game.numbers[0] == number else 'b'} {result}")
    meeting = 2 if book.rules.mirror else 1
    if not cells:
        points, full = counted.lone.get(number, {}).get(round_, 0), meeting * book.rules.points(WIN)
        best = "U" if find_spent(book, number, round_) == BYE else "F"
        cells = [f"0000 - {'Z' if points <= 0 else best if points >= full else 'H'}"] * meeting
    games = Counter(who for board in book.of_round(round_) for who in board.numbers)
    return cells + ["0000 - Z"] * (max(games.values(), default=meeting) - len(cells))
