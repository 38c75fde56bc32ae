"""lab: programs play a scenario against each other."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import LEVELS, PATH, json_option, note, say, warn
from kursk_pbem.cli.games import completion_of
from kursk_pbem.cli.handing import force_option, hand_over
from kursk_pbem.cli.many import share_options, track
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.game.scenario_files import Contents
    from kursk_pbem.practice.lab import Played


@cli.command()
@click.argument("scenario", shell_complete=completion_of("scenarios"))
@click.option("--games", "number", type=click.IntRange(1, 100_000), default=100, show_default=True)
@click.option("--seed", default="1", show_default=True, help="Another seed plays other games.")
@click.option("--level", type=click.Choice(LEVELS), default="1", show_default=True, help="The level of both sides.")
@click.option("--change", type=PATH, help="The folder of another version of the scenario, to compare with equal dice.")
@click.option("-o", "--output", type=PATH, help="The file to write; otherwise print the page.")
@share_options
@force_option
@json_option
def lab_command(
    scenario: str,
    number: int,
    seed: str,
    level: str,
    change: Path | None,
    output: Path | None,
    jobs: int,
    scheduler: str,
    force: bool,
) -> None:
    """Let programs play SCENARIO (an id or a folder) against each other, and write a page: who wins, and by how much.

    The page has wins with 95 % intervals, margins, ends, lost units, and the points that would make the game even
    ('kursk propose --give'). The same seed gives the same bytes. Programs are no people.
    """
    from kursk_pbem.practice import lab

    strength = LEVELS.index(level)
    share = partial(_play, seed=seed, level=strength, jobs=jobs, address=scheduler)
    contents = lab.read_scenario(scenario)
    changed = lab.read_scenario(str(change)) if change is not None else contents
    rules, other = (lab.open_scenario(each)[0] for each in (contents, changed))
    if rules is not other:
        raise UsageError(f"{change} is a scenario of {other.title}: compare two scenarios of {rules.title}")
    games = share(contents, number)
    page = lab.write_page(contents, strength, seed, games)
    note(games=number, seed=seed, level=strength, figures=lab.make_facts(games, rules.sides))
    if change is not None:
        others = share(changed, number)
        page += f"\n{lab.write_comparison(games, others, rules.sides)}"
        note(change=lab.describe_effect(games, others, rules.sides))
    note(wrote=[output] if output else [])
    if output is None:
        say(page.removesuffix("\n"))
    else:
        hand_over(page, output, force=force)


def _play(contents: Contents, number: int, *, seed: str, level: int, jobs: int, address: str) -> list[Played]:
    """Return the games in order."""
    from kursk_pbem.audit import batch
    from kursk_pbem.practice import lab

    played = batch.run_jobs(lab.list_jobs(contents, level, seed, number), batch.Way(jobs, address, None, warn))
    return [*map(lab.read_result, track(played, number, "playing"))]
