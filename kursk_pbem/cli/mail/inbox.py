"""inbox: take every turn of every game from a mailbox, a folder, saved mails, or what was fetched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, jsonlines
from kursk_pbem.cli.common import PATH, complain, home, keyed_options, note, page_width, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.errors import KurskError
    from kursk_pbem.post.intake import Intake
    from kursk_pbem.post.round.outcome import GameTaken, Outcome
    from kursk_pbem.post.told.day import Day

_HERE = 3
"""Turns that are here already and that are named."""
_FEW = 4
"""New turns in one run of which every headline is told; of more, the first of each but the last of a game."""


@cli.command()
@click.argument("places", metavar="[MBOX|MAILDIR|FOLDER|FILE]...", type=PATH, nargs=-1)
@keyed_options
def inbox(places: tuple[Path, ...], key: Path | None, quiet: bool) -> int:
    """Take all that came: every turn and paper of every game, in any order, whatever mail programs did to it.

    Each is filed into its game, verified and adjudicated, with a headline. What is not ours is left alone; what is
    damaged is named with sender and subject; what comes too early waits; a proposal waits for 'kursk accept'. What was
    taken before is left as it is. At the desk of a referee who rolls the dice, their own messages are signed at once.

    Without a place it takes what 'kursk post fetch' has brought.
    """
    from kursk_pbem.post import clerk, errand
    from kursk_pbem.post.mailbox import boxes, place
    from kursk_pbem.post.mailbox.spool import Spool

    with place.locked(home()):
        intake, ear = errand.of_files(home(), key)
        sources = [boxes.Source(path, home()) for path in places]
        day = clerk.work(intake, sources or [Spool(home())], None if places else ear)
        for path in places if day.games else ():
            boxes.remember_place(home(), path)
        tell(intake, day, quiet=quiet)
    return day.status


def complain_of(faults: Iterable[KurskError]) -> int:
    """Print each of several faults; return the exit status of the worst, 0 without one."""
    status = 0
    for fault in faults:
        complain(fault)
        status = max(status, fault.exit_status)
    return status


def tell(intake: Intake, day: Day, *, quiet: bool) -> None:
    """Say what came, game by game; what is wrong goes to standard error."""
    from kursk_pbem.post.round.outcome import HERE

    brief = sum(outcome.state != HERE for game in day.games for outcome in game.outcomes) > _FEW
    turns = [_plain(game, outcome) for game in day.games for outcome in game.outcomes]
    note(mails=day.mails, turns=turns, cards=day.cards, returned=day.returned, done=day.done)
    for game in day.games:
        _tell_game(intake, game, brief=brief, quiet=quiet)
    for told in (*day.cards, *day.returned, *day.done):
        say(told, quiet=quiet)
    complain_of(day.faults)
    for told in day.rest:
        complain(told)
    if day.nothing:
        say(f"nothing new in {day.mails} mail{'' if day.mails == 1 else 's'}", quiet=quiet)


def _tell_game(intake: Intake, game: GameTaken, *, brief: bool, quiet: bool) -> None:
    """What came of one game; ``brief``: of each message but the last the first headline alone."""
    from kursk_pbem.post import clerk
    from kursk_pbem.post.round.outcome import HERE, TAKEN, UNKNOWN
    from kursk_pbem.report.layout import wrap

    name, next_step = clerk.todo(intake, game)
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
            complain("\n  ".join(outcome.lines), problems=jsonlines.of_error(outcome.error))
            continue
        say(f"  {title}", quiet=quiet)
        cut = brief and outcome.state == TAKEN and outcome is not known[-1]
        for line in told[: 1 if cut else None]:
            say("\n".join(wrap(line, "    ", "      ", page_width())), quiet=quiet)
        if outcome.rolled >= 0:
            say(f"  your message {outcome.rolled} is signed: 'kursk outbox' has it for both players", quiet=quiet)
    more = " and more" if len(here) > _HERE else ""
    say(f"  here already: {', '.join(here[:_HERE])}{more}", quiet=quiet or not here)
    say(f"  {next_step}", quiet=quiet or not next_step)


def _plain(game: GameTaken, outcome: Outcome) -> dict[str, object]:
    """What became of one turn, for machines."""
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
