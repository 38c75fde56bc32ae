"""--option and --give: the options of a new game, as typed."""

from __future__ import annotations

from types import SimpleNamespace

import click

from kursk_pbem.cli.common import fit_question, may_ask, pairs, release
from kursk_pbem.errors import UsageError
from kursk_pbem.game import pins
from kursk_pbem.rulebook import balance

give_option = click.option(
    "--give", metavar="SIDE=N", default="", help="N victory points for SIDE at the end; a tie goes to the other side."
)


def read_options(asked: SimpleNamespace) -> dict[str, str]:
    """Return the options of a new game, with the points for a side. Raises UsageError if points are given twice."""
    options, points = pairs(asked.options), pairs(filter(None, [asked.give]))
    given = {key: value for each in points.items() for key, value in pins.give(*each).items()}
    for key in sorted(given.keys() & options.keys()):
        raise UsageError(f"'--give' and '--option {key}=...' set the same option: type only one of the two")
    return options | given


def agree_options(asked: SimpleNamespace, *, yes: bool = False) -> dict[str, str]:
    """Return the options of a new game. At a terminal, offer the points that make the scenario even."""
    options, row = read_options(asked), balance.find_row(asked.scenario)
    given = pins.give("", "").keys() & options.keys()
    if given or yes or not may_ask() or row is None or not row.even:
        return options
    even = " or ".join(f"{side.lower()}={number}" for side, number in row.even)
    how = "come nearest to an even game" if len(row.even) > 1 else "make the game even"
    release()
    question = f"By {row.by}, the points {even} {how}. Points to give, or Enter for none"
    asked.give = click.prompt(fit_question(question), default="", show_default=False).strip()
    return read_options(asked)
