"""status, standings: where a tournament stands, for anybody who has its folder."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli.common import json_option, say, say_json
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import folder_argument, found, record_of, tell


@tournament.command()
@folder_argument()
def status(folder: Path | None) -> None:
    """Every board on a screen: who is due, late, on holiday; what waits for the director; what to type next."""
    from kursk_pbem.desk import clock
    from kursk_pbem.tournament import glance, private, reader
    from kursk_pbem.tournament import status as states

    place, now = found(folder), clock.now()
    book, own = reader.book(place), record_of(place)
    tell(states.lines(book, place, now), quiet=False)
    if own is not None and own.role == private.ENTRANT:
        tell(glance.of_entrant(own, book), quiet=False)
        return
    if own is not None:
        tell((f"  waits for you: {what}" for what in states.waiting(book, now)), quiet=False)
    tell(states.next_lines(book, place), quiet=False)


@tournament.command()
@folder_argument()
@click.option("--round", "round_", type=click.IntRange(1, 999), help="After which round; otherwise the newest.")
@click.option("--csv", "as_csv", is_flag=True, help="As comma-separated values.")
@click.option("--trf", "as_trf", is_flag=True, help="As TRF16, for other programs.")
@json_option
def standings(folder: Path | None, round_: int | None, as_csv: bool, as_trf: bool, as_json: bool) -> None:
    """The table after a round, computed from the log. 'kursk tournament verify' proves it from the games."""
    from kursk_pbem.tournament import reader
    from kursk_pbem.tournament.score import listing, table

    book = reader.book(found(folder))
    rows = table.standings(book, round_)
    if as_json:
        say_json(listing.to_json(book, rows))
    elif as_csv:
        say(listing.csv(book, rows).rstrip("\n"))
    elif as_trf:
        say(listing.trf(book, rows).rstrip("\n"))
    else:
        say(listing.text(book, rows).rstrip("\n"))
