"""A table as text, JSON, CSV, and TRF16 for other programs."""

from __future__ import annotations

import csv as csv_
import io
from typing import Any

from kursk_pbem.formats.text import isolated
from kursk_pbem.tournament.book.records import Book
from kursk_pbem.tournament.pairing.sides import order
from kursk_pbem.tournament.score.counted import count
from kursk_pbem.tournament.score.rating import ratings
from kursk_pbem.tournament.score.table import Row, Table


def name(book: Book, row: Row) -> str:
    """What a table calls somebody: the name as they wrote it, or the number where they wish so."""
    entrant = book.entrants[row.entry]
    return entrant.name if entrant.shown else f"number {row.number}"


def when(book: Book, round_: int) -> str:
    """When a table stands so: 'after round 2', or 'so far in round 2' as long as boards of it are not decided."""
    return f"{'after' if all(board.decided for board in book.of_round(round_)) else 'so far in'} round {round_}"


def text(book: Book, table: Table) -> str:
    """The table for a terminal."""
    breaks = book.rules.breaks
    head = ["", "No.", "Name", "Points", "Games", "+", "=", "-", *breaks]
    lines = [head, *([str(cell) for cell in _cells(book, row)] for row in table.rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    out = [f"{book.rules.title}: standings {when(book, table.round)}"]
    for line in lines:
        cells = [
            f"{cell:<{width}}" if at == 2 else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        out.append("  ".join(cells).rstrip())
    return "\n".join([*map(isolated, out), f"hash of the table: {table.sha256}", ""])


def _cells(book: Book, row: Row) -> list[str | int]:
    return [
        row.place,
        row.number,
        name(book, row),
        row.points,
        row.games,
        row.won,
        row.drawn,
        row.lost,
        *(row.breaks[tie_break] for tie_break in book.rules.breaks),
    ]


def to_json(book: Book, table: Table) -> dict[str, Any]:
    """The table for other programs: what is hashed, and names and ratings beside it."""
    rated = ratings(book, table.round)
    plain = table.to_plain()
    for row, said in zip(table.rows, plain["rows"], strict=True):
        said["name"] = name(book, row)
        if row.number in rated:
            said["rating"] = str(rated[row.number])
    return {**plain, "sha256": table.sha256, "title": book.rules.title}


def csv(book: Book, table: Table) -> str:
    """The table as comma-separated values, with a line of headings. A cell that a spreadsheet would compute is text."""
    out = io.StringIO()
    writer = csv_.writer(out, lineterminator="\n")
    writer.writerow(["place", "number", "name", "points", "games", "won", "drawn", "lost", *book.rules.breaks])
    for row in table.rows:
        writer.writerow([_harmless(str(cell)) for cell in _cells(book, row)])
    return out.getvalue()


def _harmless(cell: str) -> str:
    """A name that begins as a formula does gets a quote before it (P12); a negative number stays one."""
    return f"'{cell}" if cell[:1] in "=+-@" and not cell.removeprefix("-").replace("/", "").isdigit() else cell


def trf(book: Book, table: Table) -> str:
    """TRF16: one line a player, points in halves of a game. Awards of other sizes are told as won, drawn, lost."""
    lines = [f"012 {_ascii(book.rules.title)}", f"062 {len(table.rows)}", f"092 {book.rules.format}"]
    place = {row.number: row.place for row in table.rows}
    for row in sorted(table.rows, key=lambda row: order(row.number)):
        rating = ratings(book, table.round).get(row.number, 0)
        halves = 2 * row.won + row.drawn
        points = f"{halves // 2}.{halves % 2 * 5}"
        who = f"001 {row.number:>4}      {_ascii(name(book, row)):<33.33} {rating or '':>4}"
        head = f"{who}{'':26}{points:>4} {place[row.number]:>4}"
        lines.append(head + _rounds(book, row.number, table.round))
    return "\n".join([*lines, ""])


def _rounds(book: Book, number: str, last: int) -> str:
    """The rounds of a player, ten columns each; of a mirrored meeting the first game."""
    counted = count(book, last)
    cells = []
    for round_ in range(1, last + 1):
        game = next((game for game in counted.of(number) if game.round == round_), None)
        if game is None:
            bye = bool(counted.lone.get(number, {}).get(round_))
            cells.append(f"  0000 - {'U' if bye else 'Z'}")
            continue
        colour = "w" if game.numbers[0] == number else "b"
        won, drawn = ("1", "=") if game.played else ("+", "=")
        lost = "0" if game.played else "-"
        result = won if game.winner == number else drawn if game.drawn else lost
        opponent = game.against(number)
        cells.append(f"  {opponent if opponent.isdigit() else '0000':>4} {colour} {result}")
    return "".join(cells)


def _ascii(words: str) -> str:
    return words.encode("ascii", "replace").decode("ascii")
