"""setup: the draft file again, and what editors and shells need."""

from __future__ import annotations

from kursk_pbem.cli import cli
from kursk_pbem.cli.groups import LazyGroup

COMMANDS = {
    "draft": ("play.turn", "Write your draft again, with comments about your choices."),
    "schema": ("orders.schema", "Print the form of drafts for editors that complete and check YAML."),
    "completion": ("completing", "Print the script that lets a shell complete commands, games, units and hexes."),
}
"""Command -> (module of ``kursk_pbem.cli``, one line of help)."""


@cli.group(cls=LazyGroup, package="kursk_pbem.cli", table=COMMANDS)
def setup_group() -> None:
    """Write a draft again, and set up editors and shells."""
