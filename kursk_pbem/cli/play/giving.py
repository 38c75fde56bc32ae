"""--option and --give: the options of a new game, as typed."""

from __future__ import annotations

from types import SimpleNamespace

import click

from kursk_pbem.cli.common import pairs
from kursk_pbem.errors import UsageError
from kursk_pbem.game import pins
from kursk_pbem.kernel import given

give_option = click.option(
    "--give", metavar="SIDE=N", default="", help="N victory points for SIDE at the end; a tie goes to the other side."
)


def read_options(asked: SimpleNamespace) -> dict[str, str]:
    """Return the options of a new game, with the points given. Raises UsageError for two words about them."""
    if asked.give and given.KEY in pairs(asked.options):
        raise UsageError(f"'--give' and '--option {given.KEY}=...' say the same: type one of them")
    points = pairs(filter(None, [asked.give]))
    return pairs(asked.options) | {key: value for each in points.items() for key, value in pins.give(*each).items()}
