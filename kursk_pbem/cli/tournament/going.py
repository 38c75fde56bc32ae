"""inbox, pair, letters, end: the regular commands of directors and entrants."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli.alone import time_option
from kursk_pbem.cli.common import PATH, complain, home, note, said_options, say
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import (
    ask_person,
    close_office,
    close_seat,
    folder_argument,
    folder_option,
    found,
    needless_yes,
    office,
    record_of,
    seat,
    tell,
    tell_next,
)
from kursk_pbem.errors import EXIT_RULES, EXIT_UNREADABLE, UsageError
from kursk_pbem.post.tournaments import acceptance
from kursk_pbem.tournament import letters, private
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.director import intake, mailing, rounds
from kursk_pbem.tournament.entrant import automatic
from kursk_pbem.tournament.entrant import desk as seats


@tournament.command()
@click.argument("paths", nargs=-1, type=PATH, metavar="[FILE | NAME]...")
@folder_option
@time_option("--received", "The time of arrival, in UTC, for receipts; otherwise now.")
@needless_yes
@said_options
def inbox(paths: tuple[Path, ...], folder: Path | None, received: str, quiet: bool) -> int:
    """Take papers and turns from files, mails, mailboxes and folders.

    At a director's desk the command acknowledges papers, and games go on and get their receipts. At an entrant's desk
    it computes the log again, and signs reveals for lots and bids.

    Without a FILE the director acknowledges the waiting papers of 'kursk post' or 'kursk inbox': entries of new people,
    and offers to stand in. With a NAME, or the first digits of an entry, only this entry is acknowledged. The
    command asks nothing, because a paper in the log is only an acknowledgment.
    """
    place = found(folder)
    own = record_of(place)
    if own is None:
        raise UsageError("you take no part in this tournament; 'kursk tournament verify' checks the tournament")
    called = () if own.role == private.ENTRANT or any(path.exists() for path in paths) else tuple(map(str, paths))
    there = intake.read_files(() if called else paths)
    if own.role == private.ENTRANT:
        if not paths:
            raise UsageError("type the FILE with the director's mail, or 'kursk post' to fetch mail from your mailbox")
        return _entrant(place, there, quiet=quiet)
    desk = office(place)
    take = bool(paths) and not called
    came = intake.accept_contents(desk, there, received) if take else acceptance.release(home(), desk, called)
    acceptance.put_received_away(home(), desk)
    for game, written in sorted(came.written.items()):
        note(took=written)
        if written:
            say(f"{game.name}: {', '.join(path.name for path in written)}", quiet=quiet)
    close_office(desk, quiet=quiet)
    say("no player's paper waits for your acknowledgement", quiet=quiet or bool(paths or came.papers or came.refused))
    return max(_refused(came.refused), EXIT_UNREADABLE if there.refused else 0)


def _entrant(place: Path, there: object, *, quiet: bool) -> int:
    desk = seat(place)
    papers, refused = getattr(there, "papers", []), getattr(there, "refused", [])
    took = seats.accept_papers(desk, papers)
    tell(took, quiet=quiet)
    automatic.sign_automatic(desk)
    close_seat(desk, quiet=quiet)
    tell_next(place, quiet=quiet, did=took)
    return max(_refused([*refused, *map(str, desk.refused)]), EXIT_UNREADABLE if refused else 0)


def _refused(why: list[str]) -> int:
    for reason in why:
        complain(reason)
    return EXIT_RULES if why else 0


@tournament.command()
@folder_argument()
@click.option("--ahead", is_flag=True, help="Pair the next round of a table before the last round ends.")
@needless_yes
@said_options
def pair(folder: Path | None, ahead: bool, quiet: bool) -> None:
    """Log results, announce standings, draw lots, pair and propose, as far as possible. Repeat the command to continue.

    The command asks nothing: each step follows from the log. 'kursk tournament status' lists the decisions that wait
    for you.
    """
    desk = office(folder)
    acceptance.catch_up(home(), desk)
    rounds.advance(desk, ahead=ahead)
    close_office(desk, quiet=quiet)
    tell_next(desk.folder, quiet=quiet)


@tournament.command("letters")
@folder_argument()
@click.option("--sent", is_flag=True, help="Mark every letter as sent.")
@said_options
def letters_(folder: Path | None, sent: bool, quiet: bool) -> None:
    """List the letters to send: drafts for any mail program. 'kursk post' and 'kursk outbox' send the letters."""
    place = found(folder)
    own = record_of(place)
    if own is None:
        raise UsageError("you take no part in this tournament")
    if sent:
        number = letters.mark_sent(own.letters)
        say(f"letters marked as sent: {number}", quiet=quiet, sent=number)
        return
    waiting = letters.list_unsent(own.letters)
    readers = mailing.reader_names(reading.read_folder(place))
    named = sorted((readers.get(letters.letter_digits(path), "the director"), path.name) for path in waiting)
    note(folder=own.letters, letters=[{"to": who, "file": name} for who, name in named])
    tell(
        [*(f"for {who}: {name}" for who, name in named), f"letters to send, in {own.letters}: {len(waiting)}"],
        quiet=quiet,
    )


@tournament.command()
@folder_argument()
@click.option("--yes", is_flag=True, help="Do not ask at a terminal.")
@said_options
def end(folder: Path | None, yes: bool, quiet: bool) -> None:
    """End the tournament: fix the last table. Only corrections can follow, so at a terminal the command asks."""
    ask_person("End the tournament? Only corrections can follow.", yes=yes)
    desk = office(folder)
    rounds.end_tournament(desk)
    close_office(desk, quiet=quiet)
