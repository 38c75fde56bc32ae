"""Shared parts of the tournament commands: the tournament, the desk, and the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli.alone import alone
from kursk_pbem.cli.common import PATH, ask, home, may_ask, note, said_options, say, yes_option
from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import UsageError, shell_word
from kursk_pbem.tournament import letters, private, sights
from kursk_pbem.tournament.director import desk as offices
from kursk_pbem.tournament.director import mailing
from kursk_pbem.tournament.entrant import desk as seats
from kursk_pbem.tournament.papers import store

if TYPE_CHECKING:
    from kursk_pbem.tournament.director.desk import DirectorDesk
    from kursk_pbem.tournament.entrant.desk import EntrantDesk
    from kursk_pbem.tournament.private import Record
    from kursk_pbem.tournament.status import Status

folder_option = click.option(
    "--in", "folder", type=PATH, help="The tournament's folder, if you are in several.", envvar="KURSK_TOURNAMENT"
)
needless_yes = click.option("--yes", is_flag=True, expose_value=False, help="Not needed: the command asks nothing.")


def paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --in, --json and --quiet."""
    return folder_option(said_options(command))


def decision_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --in, --yes, --json and --quiet."""
    return folder_option(yes_option(said_options(command)))


def folder_argument() -> Callable[[Any], Any]:
    """Return the optional argument FOLDER."""
    return click.argument("folder", type=PATH, required=False)


def ask_person(question: str, *, yes: bool) -> None:
    """Ask a question at a terminal like :func:`ask`. A script continues without ``--yes``."""
    ask(question, yes=yes or not may_ask())


def found(folder: Path | None) -> Path:
    """Return the tournament's folder: as typed, or else of the only tournament of this player. Raises UsageError."""
    if folder is not None:
        if not store.is_tournament(folder):
            unsigned = (folder / "rules.yaml").is_file()
            how = f": 'kursk tournament new {shell_word(folder)}' signs the rules" if unsigned else ""
            raise UsageError(f"{folder} is no folder of a tournament: log/0000.yaml is missing{how}")
        return folder
    there = private.list_records(home())
    if len(there) == 1:
        return Path(there[0].folder)
    names = ", ".join(tournament.folder for tournament in there)
    none = "; you are in no tournament: 'kursk tournament new' begins one, 'kursk tournament enter' enters one"
    raise UsageError(f"type the tournament's folder{f': you are in {names}' if names else none}")


def record_of(folder: Path) -> Record | None:
    """Return the private record for a tournament's folder; None for a stranger, who can still look and verify."""
    return private.find_record(home(), store.read_paper(store.log_path(folder, 0)).id)


def office(folder: Path | None) -> DirectorDesk:
    """Return the director's desk. No mail round runs until the command ends. Raises UsageError.

    If the last mail round found the clock wrong, nothing is signed.
    """
    from kursk_pbem.post.mailbox import store as settings
    from kursk_pbem.post.round import server_clock

    click.get_current_context().with_resource(alone())
    if fault := settings.load_setting(home(), server_clock.FAULT):
        raise UsageError(fault)
    return looking(folder)


def looking(folder: Path | None) -> DirectorDesk:
    """Return the director's desk for looking only, without waiting for mail rounds. Nothing is signed there."""
    return offices.open_desk(found(folder), home())


def seat(folder: Path | None) -> EntrantDesk:
    """Return the entrant's desk for this tournament."""
    return seats.open_desk(found(folder), home())


def tell(lines: Iterable[str], *, quiet: bool) -> None:
    """Print lines, if any."""
    say(text := "\n".join(lines), quiet=quiet or not text)


def look(folder: Path) -> Status:
    """Return the state of the tournament in a folder, as this user sees the tournament."""
    from kursk_pbem.post.mailbox.events import Event
    from kursk_pbem.post.tournaments import directing
    from kursk_pbem.tournament import status as states
    from kursk_pbem.tournament.book import reading

    own = record_of(folder)
    mail = directing.list_mail_steps(home(), Event(own)) if own is not None else ()
    return states.make_status(reading.read_folder(folder), folder, own, clock.now(), mail)


def tell_next(folder: Path, *, quiet: bool, **facts: Any) -> None:
    """Print the open decisions and the next step; for an entrant, also the rank."""
    now = look(folder)
    tell((*now.own, *(line for step in (*now.waiting, *now.next) for line in step.lines)), quiet=quiet)
    note(next=[*map(str, now.next)], **facts)


def close_office(desk: DirectorDesk, *, quiet: bool) -> None:
    """End a director's command: print the signed papers, and write the letters."""
    tell((*desk.done, *sights.warn_ahead(desk.book.log, clock.now())), quiet=quiet)
    written = mailing.write_letters(desk)
    note(tournament=desk.book.id, did=desk.done, wrote=written)
    told = f"letters to send, in {desk.record.letters}: {len(written)}; 'kursk post' or 'kursk outbox'"
    say(told, quiet=quiet or not written)


def close_seat(desk: EntrantDesk, *, quiet: bool) -> None:
    """End an entrant's command: print the warnings and the written letters."""
    tell(desk.warnings, quiet=quiet)
    note(tournament=desk.book.id, folder=desk.folder, wrote=desk.written)
    for path in desk.written:
        who = mailing.reader_names(desk.book).get(letters.letter_digits(path), "the director")
        say(f"wrote {path}: mail the file to {who}, with 'kursk post' or 'kursk outbox'", quiet=quiet)
