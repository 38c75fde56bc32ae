"""inbox: take turns and papers from files, folders, mailboxes, or the fetched mails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, jsonlines
from kursk_pbem.cli.common import PATH, bare_option, complain, home, keyed_options, note, say, say_wrapped, seq_option
from kursk_pbem.cli.mail import turn_files
from kursk_pbem.errors import SeveralError, UsageError
from kursk_pbem.game import folders, inbox, things
from kursk_pbem.game.inbox import Paper
from kursk_pbem.post.mailbox import boxes, post_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.errors import KurskError
    from kursk_pbem.post.intake import Intake
    from kursk_pbem.post.round.digest import Digest
    from kursk_pbem.post.round.outcome import GameTaken, Outcome

_HERE = 3
"""Number of old turns to name."""
_FEW = 4
"""With more new turns, print only the first headline of each but the last turn of a game."""


@cli.command()
@click.argument("places", metavar="[FILE|LINK|FOLDER|MBOX|MAILDIR]...", type=PATH, nargs=-1)
@click.option("--report", is_flag=True, help="Print the whole report of every message.")
@click.option("--sign", "sign_it", is_flag=True, help="Sign your next message at once if the message has no choice.")
@bare_option
@seq_option
@keyed_options
def inbox_command(
    places: tuple[Path, ...], report: bool, sign_it: bool, bare: bool, seq: int | None, key: Path | None, quiet: bool
) -> int:
    """Take turns and papers of all your games: verify and resolve them, write reports and the next drafts.

    'kursk adjudicate' only judges. This command also saves the games, and prepares your next message.

    A FILE is a turn file, a referee's paper, a whole mail as your mail program saves it, a zip or tar of such files, or
    - for standard input. A LINK is a message in the form of a link: type it in quotation marks. A folder of saved
    mails, a Maildir or an mbox can hold mails of any kind, in any order.

    The command names each damaged mail by its sender and subject. An early turn waits for the turn before. A proposal
    waits for 'kursk accept'. Turns taken before do not change. If a file has no turn, the exit status is 2.

    If you are a referee who rolls the dice, the command signs your own messages at once.

    Without FILE or LINK the command takes the mails of 'kursk post fetch'. If you have no mail account, the command
    looks again in the places that you named last.
    """
    named = bool(places)
    places = places or _find_last(quiet=quiet)
    if not places or not (report or sign_it or bare or seq is not None or Path("-") in places):
        return _take_all(places, key, named=named, report=report, quiet=quiet)
    for file in places:
        if str(file) != "-" and not inbox.is_link(str(file)) and not file.exists():
            folders.read_bytes(file)  # raises FileError before the first file is taken
    desk = None  # it stays open from one message of a game to the next
    for file in places:
        how = turn_files.TakeOptions(key, bare, sign_it and file == places[-1], seq, quiet)
        try:
            if inbox.is_link(str(file)) or not file.is_dir():
                desk = turn_files.take_file(file, how, desk)
            elif status := _take_all((file,), key, report=True, quiet=quiet):
                return status
        except SeveralError:
            if seq is not None or not things.is_mbox(file):
                raise
            return _take_all((file,), key, report=True, quiet=quiet)  # turns of several games
    boxes.remember_places(home(), (file for file in places if str(file) != "-"), taken=True)
    return 0


def _find_last(*, quiet: bool) -> tuple[Path, ...]:
    """Return the places of the last mails, or nothing if mails are fetched. Raises UsageError if no place is known."""
    from kursk_pbem.post.mailbox import spool
    from kursk_pbem.post.wire import account

    if account.account_path(home()).exists():
        return ()
    last = boxes.last_places(home())
    if not last and spool.holds_any(home()):
        return ()
    if not last:
        raise UsageError(
            "type 'kursk inbox FILE' to read one mail, or 'kursk inbox .' to read all mails in this folder. Later, "
            "'kursk inbox' alone reads the same place. 'kursk post setup' sets up a mailbox"
        )
    for place in last:
        if not place.exists():
            raise UsageError(f"{place}, where your last mails were, is gone: type a new place, as in 'kursk inbox .'")
        say(f"looking in {place}", quiet=quiet)
    return tuple(last)


def _take_all(
    places: tuple[Path, ...], key: Path | None, *, named: bool = True, report: bool = False, quiet: bool
) -> int:
    """Take everything from some places, or from the fetched mails. Return the exit status."""
    from kursk_pbem.post import inbox_round, mail_session
    from kursk_pbem.post.mailbox.spool import Spool

    with post_folder.lock_post(home()):
        intake, commands = mail_session.open_files(home(), key)
        sources = [boxes.Source(path, home(), named=named) for path in places]
        digest = inbox_round.run_round(intake, sources or [Spool(home())], None if places else commands)
        boxes.remember_places(home(), places, taken=bool(digest.games))
        where = f" in {' and '.join(map(str, places))}" if places else " among the fetched mails"
        if places and not digest.mails and not any(source.seen for source in sources):
            where += ": no mail is there; hidden files, drafts and folders of games are not read, so name a file itself"
        print_results(intake, digest, report=report, quiet=quiet, where=where)
    return digest.status


def print_faults(faults: Iterable[KurskError]) -> int:
    """Print several errors; return the worst exit status, 0 without errors."""
    status = 0
    for fault in faults:
        complain(fault)
        status = max(status, fault.exit_status)
    return status


def print_results(
    intake: Intake, digest: Digest, *, report: bool = False, quiet: bool, by_owner: bool = True, where: str = ""
) -> None:
    """Print the results game by game; ``report``: with whole reports. Errors go to standard error.

    ``by_owner``: a player plays the games, so the program of ``on-turn`` runs. ``where``: where the mails were found.
    """
    from kursk_pbem.post.round.outcome import HERE

    brief = sum(outcome.state != HERE for game in digest.games for outcome in game.outcomes) > _FEW
    turns = [_plain_turn(game, outcome) for game in digest.games for outcome in game.outcomes]
    note(mails=digest.mails, turns=turns, cards=digest.cards, returned=digest.returned, done=digest.done)
    for game in digest.games:
        _print_game(intake, game, brief=brief, report=report, quiet=quiet)
    for told in (*digest.cards, *digest.returned, *digest.done):
        say(told, quiet=quiet)
    print_faults(digest.faults)
    for told in digest.rest:
        complain(told)
    turn_files.call_programs(digest.games if by_owner else ())
    if digest.nothing:
        say(f"{digest.talked if digest.talk else 'nothing new'}{where}", quiet=quiet)


def _print_game(intake: Intake, game: GameTaken, *, brief: bool, report: bool, quiet: bool) -> None:
    """Print the results of one game; ``brief``: only the first headline of each message but the last."""
    from kursk_pbem.post import inbox_round
    from kursk_pbem.post.round.outcome import HERE, TAKEN, UNKNOWN

    name, next_step = inbox_round.describe_next_step(intake, game)
    known = [outcome for outcome in game.outcomes if outcome.state not in (HERE, UNKNOWN)]
    here = [outcome.piece.title for outcome in game.outcomes if outcome.state == HERE]
    for outcome in game.outcomes:
        if outcome.state == UNKNOWN:
            say(outcome.lines[0], quiet=quiet)
    if not known and not here:
        return
    say(name, quiet=quiet)
    for outcome in known:
        title, *told = outcome.lines
        if outcome.error is not None:
            complain("\n  ".join(outcome.lines), problems=jsonlines.problems_of_error(outcome.error))
            continue
        say(f"  {title}", quiet=quiet)
        cut = brief and outcome.state == TAKEN and outcome is not known[-1]
        for line in told[: 1 if cut else None]:
            say_wrapped(line, "    ", "      ", quiet=quiet)
        if report and outcome.state == TAKEN and game.desk is not None:
            path = folders.report_path(game.desk.folder, outcome.piece.turn.seq)
            if not isinstance(outcome.piece.turn, Paper) and path.exists():
                say(folders.read_bytes(path).decode("ascii"), quiet=quiet)
        if outcome.rolled >= 0:
            say(f"  your message {outcome.rolled} is signed: 'kursk outbox' lists its letter", quiet=quiet)
    more = " and more" if len(here) > _HERE else ""
    say(f"  here already: {', '.join(here[:_HERE])}{more}", quiet=quiet or not here)
    say(f"  {next_step}", quiet=quiet or not next_step)


def _plain_turn(game: GameTaken, outcome: Outcome) -> dict[str, object]:
    """Return the result of one turn as plain data."""
    turn, mail = outcome.piece.turn, outcome.piece.mail
    return {
        "game": game.game,
        "seq": turn.seq,
        "type": turn.type,
        "from": turn.sender,
        "id": turn.id,
        "state": outcome.state,
        "told": list(outcome.told),
        "error": str(outcome.error or ""),
        "mail": mail.name if mail is not None else "",
        "signed": outcome.rolled if outcome.rolled >= 0 else None,
    }
