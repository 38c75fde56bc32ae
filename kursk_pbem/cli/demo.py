"""demo: the opening of a real game between two keys, every step a command that a player would type."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli


@cli.command()
def demo() -> None:
    """Not written yet."""
    click.echo("")
