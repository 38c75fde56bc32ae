"""--option and --give: the options of a new game, as typed."""

from __future__ import annotations

from types import SimpleNamespace

import click

from kursk_pbem.cli.common import pairs
from kursk_pbem.errors import UsageError
from kursk_pbem.game import pins

give_option = click.option(
    "--give", metavar="SIDE=N", default="", help="N victory points for SIDE at the end; a tie goes to the other side."
)


def read_options(asked: SimpleNamespace) -> dict[str, str]:
    """Return the options of a new game, with the points given. Raises UsageError for two words about them."""
    options, points = pairs(asked.options), pairs(filter(None, [asked.give]))
    given = {key: value for each in points.items() for key, value in pins.give(*each).items()}
    for key in sorted(given.keys() & options.keys()):
        raise UsageError(f"'--give' and '--option {key}=...' say the same: type one of them")
    return options | given
