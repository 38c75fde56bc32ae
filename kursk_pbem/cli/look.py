"""report, map, rule: looking at a game and its rules."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import say
from kursk_pbem.cli.games import game_argument


@cli.command()
@game_argument()
def report(path: Path) -> None:
    """Print the report of one message FILE, or of every message of a game folder."""
    from kursk_pbem.game import history, reports

    if not path.is_dir():
        say(reports.of_step(history.at(path).steps[-1]))
        return
    steps = []
    for step in history.walk(path):
        say(reports.of_step(step))
        steps.append(step)
    found = history.with_papers(path, steps)
    if found.papers.all:
        say(reports.of_papers(found.game))
