"""--option and --give: the options of a new game, as typed."""

from __future__ import annotations

from types import SimpleNamespace

import click

from kursk_pbem.cli.common import pairs
from kursk_pbem.kernel import given

give_option = click.option(
    "--give", metavar="SIDE=N", default="", help="N victory points for SIDE at the end; a tie goes to the other side."
)


def read_options(asked: SimpleNamespace) -> dict[str, str]:
    """Return the options of a new game, with the points given."""
    points = [given.make_value(side, number) for side, number in pairs(filter(None, [asked.give])).items()]
    return pairs(asked.options) | ({given.KEY: points[0]} if points else {})
