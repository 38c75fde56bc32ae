"""status, standings, times: the state of a tournament, for every reader of its folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli.common import PATH, in_json, json_option, say, say_json
from kursk_pbem.cli.handing import force_option, hand_over
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import folder_argument, found, look, tell
from kursk_pbem.errors import UsageError
from kursk_pbem.tournament import pace
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.score import listing, table

if TYPE_CHECKING:
    from kursk_pbem.tournament.status import Status


@tournament.command()
@folder_argument()
@json_option
def status(folder: Path | None) -> None:
    """Show every board: due and late players, holidays, the director's open decisions, the next command.

    Each command is on its own line, to copy and paste. 'kursk tournament' alone is the same.
    """
    now = look(found(folder))
    if in_json():
        say_json("tournament status", _plain(now))
    else:
        tell(now.on_screen(), quiet=False)


def _plain(now: Status) -> dict[str, Any]:
    """Return the state of a tournament as plain data; ``next`` is for the reader."""
    assert now.book is not None  # noqa: S101  it was read
    book, rows = now.book, map(asdict, now.rows)
    boards = [{name: value for name, value in row.items() if name != "now"} for row in rows]
    holidays = [{"who": each.who, "until": each.until} for each in book.clocks if each.until > now.now]
    head = {"tournament": book.id, "title": now.title, "kind": book.rules.format, "round": book.round}
    paper = {"paper": book.head.seq, "head": book.head.id, "role": now.role, "boards": boards, "holidays": holidays}
    return {**head, **paper, "waiting": [*map(str, now.waiting)], "next": [*now.own, *map(str, now.next)]}


@tournament.command()
@folder_argument()
@click.option("--round", "round_", type=click.IntRange(1, 999), help="The number of the round; otherwise the newest.")
@click.option("--csv", "as_csv", is_flag=True, help="As comma-separated values.")
@click.option("--trf", "as_trf", is_flag=True, help="As TRF16, for tournament programs.")
@click.option("-o", "--output", type=PATH, help="The file to write, with --csv or --trf; otherwise print the data.")
@force_option
@json_option
def standings(
    folder: Path | None, round_: int | None, as_csv: bool, as_trf: bool, output: Path | None, force: bool
) -> None:
    """Print the table after a round, computed from the log. 'kursk tournament verify' proves the table."""
    if output is not None and (as_csv == as_trf or in_json()):
        raise click.UsageError("-o writes one table into a file: add --csv or --trf, and leave --json out")
    book = reading.read_folder(found(folder))
    if round_ is not None and round_ > book.round:
        paired = f"the newest is round {book.round}" if book.round else "no round is paired"
        raise UsageError(f"no round {round_} yet: {paired}")
    rows = table.compute_standings(book, round_)
    if in_json():
        say_json("tournament standings", listing.to_json(book, rows))
    elif as_csv:
        hand_over(listing.format_csv(book, rows), output, force=force)
    elif as_trf:
        hand_over(listing.format_trf(book, rows), output, force=force)
    else:
        say(listing.format_text(book, rows).rstrip("\n"))


@tournament.command()
@folder_argument()
@json_option
def times(folder: Path | None) -> None:
    """Print how fast players reply (answers, median, slowest), and who must move now.

    A reply time runs from the director's receipt of a message to the director's receipt of its answer.
    """
    book = reading.read_folder(found(folder))
    paces = pace.measure_boards(book, found(folder))
    if in_json():
        table = pace.collect_replies(book, paces)
        moves = [{"board": name, "number": now.owes, "since": now.since} for name, now in paces.items() if now.owes]
        head = {"tournament": book.id, "title": book.rules.title}
        say_json("tournament times", {**head, "players": [asdict(row) for row in table], "moves": moves})
        return
    tell(pace.describe_paces(book, paces), quiet=False)
