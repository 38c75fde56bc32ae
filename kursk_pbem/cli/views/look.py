"""report: the reports of messages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import home, in_json, json_option, say, say_json
from kursk_pbem.cli.games import game_argument
from kursk_pbem.game import chapters, histories, reports, verified

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.game.histories import Step


@cli.command()
@game_argument()
@click.option("--turn", help="Only this game turn, such as 2: all its messages, with headlines of the whole turn.")
@click.option("--story", is_flag=True, help="Prose to be read aloud instead, without ids and paragraph numbers.")
@click.option("--proof", is_flag=True, help="With every die, how anybody recomputes it.")
@json_option
def report_command(path: Path, turn: str | None, story: bool, proof: bool) -> None:
    """Print the report of every message of GAME, of one message (boris/3, or its file), or of one game turn."""
    whole = path.is_dir()
    steps: Iterable[Step] = histories.walk(path) if whole else _of_file(path, turn)
    if turn:
        steps = chapters.of_turn(tuple(steps), turn)
    if story and not in_json():
        say(chapters.story(tuple(steps)).rstrip("\n"))
        return
    if turn and not in_json():
        say(chapters.summary(tuple(steps)))
    told = []
    for step in steps:  # one by one, so that the steps before a fault are printed
        say_json("report", chapters.to_plain(step)) if in_json() else say(reports.of_step(step, proof=proof))
        told.append(step)
    if whole and not (turn or in_json()):
        history = histories.with_papers(path, told)
        if history.papers.all:
            say(reports.of_papers(history.game))


def _of_file(path: Path, turn: str | None) -> tuple[Step, ...]:
    """Return the step of a message file; with ``turn`` also all earlier steps."""
    return histories.at(path).steps if turn else (verified.at(path, home()).last_step,)
