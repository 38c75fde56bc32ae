"""verify: a game from its files alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, complain, json_option, quiet_option, say, say_json, seq_option
from kursk_pbem.cli.games import completes, each_of
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.audit.one_file import Finding


@cli.command()
@click.argument("typed", metavar="[GAME | PATH]...", nargs=-1, shell_complete=completes("games"))
@click.option("--head", default="", help="The id the last message must have (32 or 64 hex digits, from a report).")
@click.option("--key", "key", type=PATH, help="For one file: the sender's public key.")
@seq_option
@click.option("--jobs", default=1, type=click.IntRange(min=1), help="How many processes share the games.")
@json_option
@quiet_option
def verify(
    typed: tuple[str, ...], head: str, key: Path | None, seq: int | None, jobs: int, as_json: bool, quiet: bool
) -> int:
    """Verify games: signatures, chain, openings, dice, legality, every position. One line a game.

    Of a folder, every game in and below it is verified. A game that continues another is compared with it if both are
    named. Of one file alone, the signature, the form and its own position are verified.
    """
    from kursk_pbem.audit import batch

    head = _head(head)
    work = batch.tasks(each_of(typed), head, _public(key), seq)
    with _progress(len(work), shown=not (as_json or quiet)) as done:
        found = batch.verify_all(work, jobs, done)
    for finding in found:
        if as_json:
            say_json(_plain(finding))
        elif finding.status:
            complain(finding.text)
        else:
            say(finding.text, quiet=quiet)
    return max(finding.status for finding in found)


@contextmanager
def _progress(number: int, *, shown: bool) -> Iterator[Callable[[], object]]:
    """A bar of so many games, for a person who waits at a terminal; what is to be called after each."""
    if not shown or number < 2 or sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=number, label="verifying", show_pos=True, file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def _plain(found: Finding) -> dict[str, object]:
    return {
        "path": found.path,
        "status": found.status,
        "text": found.text,
        "game": found.game,
        "head": found.head,
        "messages": found.messages,
        "fault": found.fault,
        "continues": found.continues,
        "scenario": found.scenario,
        "names": dict(found.names),
        "turn": found.turn,
        "points": found.points,
        "winner": found.winner,
        "how": found.how,
        "times": {side: asdict(each) for side, each in found.times.items()},
    }


def _public(key: Path | None) -> str:
    """The public text of a key file, '' where none is named."""
    if key is None:
        return ""
    from kursk_pbem.game import keyring

    return keyring.public(key)


def _head(head: str) -> str:
    """An id or its beginning as reports show it; a shorter one would fit by chance."""
    if head and not re.fullmatch("[0-9a-f]{32}|[0-9a-f]{64}", head.lower()):
        raise UsageError(f"--head {head!r} is no id: 32 or 64 hex digits, as reports and 'kursk status' show it")
    return head.lower()
