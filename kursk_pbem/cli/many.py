"""Shared parts of commands that verify many games: the options, and a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kursk_pbem.cli.common import PATH, is_dumb, warn
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.audit.batch import Way

T = TypeVar("T")
_OPTIONS = (
    click.option("--jobs", default=1, type=click.IntRange(min=1), help="How many processes share the games."),
    click.option(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="A dask cluster to share the games. Use only a trusted cluster: the workers can run code here.",
    ),
    click.option("--results", type=PATH, help="A file for verdicts; a second run continues after the last verdict."),
    click.option("--again", is_flag=True, help="Verify the games in --results again, and name different verdicts."),
)


def share_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --jobs and --scheduler to a command."""
    return _OPTIONS[0](_OPTIONS[1](command))


def many_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --jobs, --scheduler, --results and --again to a command, which gives their values to :func:`way`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@contextmanager
def way(*, jobs: int, scheduler: str, results: Path | None, again: bool) -> Iterator[Way]:
    """Open the file of saved verdicts; yield the means to verify games, such as processes or a cluster."""
    from kursk_pbem.audit.batch import Way

    if results is None:
        if again:
            raise UsageError("--again computes saved verdicts again: give their file with --results FILE")
        yield Way(jobs, scheduler, None, warn)
        return
    from kursk_pbem.audit.results import Results

    with closing(Results(results, warn, again=again)) as kept:
        yield Way(jobs, scheduler, kept, warn)


def can_show_bar() -> bool:
    """Return whether standard error is a terminal that can show a progress bar."""
    return sys.stderr is not None and sys.stderr.isatty() and not is_dumb()


def track(items: Iterator[T], number: int, doing: str) -> Iterator[T]:
    """Yield the items; if there are several, with a progress bar on a terminal."""
    if number < 2 or not can_show_bar():
        yield from items
        return
    with click.progressbar(items, number, doing, show_pos=True, width=0, file=sys.stderr) as shown_bar:
        yield from shown_bar


@contextmanager
def bar(*, shown: bool) -> Iterator[Callable[..., None]]:
    """Yield a function to call after every game, with the number of games and a function that prints the result.

    The progress bar makes room for the printed text. One game alone, or output without a terminal, has no bar.
    """
    bars: list[Any] = []

    def step(number: int, tell: Callable[[], object] = lambda: None) -> None:
        if number > 1 and not bars and shown and can_show_bar():
            bars.append(click.progressbar(length=number, label="verifying", show_pos=True, width=0, file=sys.stderr))
        if bars:
            click.echo("\r\x1b[K", nl=False, err=True)
        tell()
        for shown_bar in bars:
            shown_bar.update(1)

    try:
        yield step
    finally:
        for shown_bar in bars:
            shown_bar.render_finish()
