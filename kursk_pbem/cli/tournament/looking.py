"""status, standings, times: where a tournament stands, for anybody who has its folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli.common import in_json, json_option, say, say_json
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import folder_argument, found, record_of, tell
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.tournament.book.records import Book
    from kursk_pbem.tournament.private import Record


@tournament.command()
@folder_argument()
@json_option
def status(folder: Path | None) -> None:
    """Every board on a screen: who is due, late, on holiday; what waits for the director; what to type next."""
    from kursk_pbem.desk import clock
    from kursk_pbem.tournament import glance, private, reader
    from kursk_pbem.tournament import status as states

    place, now = found(folder), clock.now()
    book, own = reader.book(place), record_of(place)
    if in_json():
        say_json("tournament status", _plain(book, place, own, now))
        return
    tell(states.lines(book, place, now), quiet=False)
    if own is not None and own.role == private.ENTRANT:
        tell(glance.of_entrant(own, book), quiet=False)
        return
    if own is not None:
        tell((f"  waits for you: {what}" for what in states.waiting(book, now)), quiet=False)
    tell(states.next_lines(book, place), quiet=False)


def _plain(book: Book, place: Path, own: Record | None, now: str) -> dict[str, Any]:
    """Where a tournament stands, as plain data: ``next`` is for whoever looks."""
    from dataclasses import asdict

    from kursk_pbem.tournament import glance, private
    from kursk_pbem.tournament import status as states

    head = {"tournament": book.id, "title": book.rules.title, "kind": book.rules.format, "round": book.round}
    paper = {"paper": book.head.seq, "head": book.head.id, "role": own.role if own is not None else ""}
    boards = [asdict(line) for line in states.boards(book, place, now)]
    holidays = [{"who": clock.who, "until": clock.until} for clock in book.clocks if clock.until > now]
    entrant = own is not None and own.role == private.ENTRANT
    waiting = list(states.waiting(book, now)) if own is not None and not entrant else []
    then = glance.of_entrant(own, book) if own is not None and entrant else states.next_lines(book, place)
    return {**head, **paper, "boards": boards, "holidays": holidays, "waiting": waiting, "next": list(then)}


@tournament.command()
@folder_argument()
@click.option("--round", "round_", type=click.IntRange(1, 999), help="After which round; otherwise the newest.")
@click.option("--csv", "as_csv", is_flag=True, help="As comma-separated values.")
@click.option("--trf", "as_trf", is_flag=True, help="As TRF16, for other programs.")
@json_option
def standings(folder: Path | None, round_: int | None, as_csv: bool, as_trf: bool) -> None:
    """The table after a round, computed from the log. 'kursk tournament verify' proves it from the games."""
    from kursk_pbem.tournament import reader
    from kursk_pbem.tournament.score import listing, table

    book = reader.book(found(folder))
    if round_ is not None and round_ > book.round:
        paired = f"the newest is round {book.round}" if book.round else "none is paired"
        raise UsageError(f"there is no round {round_} yet: {paired}")
    rows = table.standings(book, round_)
    if in_json():
        say_json("tournament standings", listing.to_json(book, rows))
    elif as_csv:
        say(listing.csv(book, rows).rstrip("\n"))
    elif as_trf:
        say(listing.trf(book, rows).rstrip("\n"))
    else:
        say(listing.text(book, rows).rstrip("\n"))


@tournament.command()
@folder_argument()
@json_option
def times(folder: Path | None) -> None:
    """Reply times, by the director's receipts: answers, median, slowest; and whose move it is.

    A reply takes from the receipt of a message to the receipt of its answer.
    """
    from dataclasses import asdict

    from kursk_pbem.tournament import pace, reader

    book = reader.book(found(folder))
    paces = pace.measure_boards(book, found(folder))
    if in_json():
        table = pace.collect_replies(book, paces)
        moves = [{"board": name, "number": now.owes, "since": now.since} for name, now in paces.items() if now.owes]
        head = {"tournament": book.id, "title": book.rules.title}
        say_json("tournament times", {**head, "players": [asdict(row) for row in table], "moves": moves})
        return
    tell(pace.describe(book, paces), quiet=False)
