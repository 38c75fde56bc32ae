"""help: how a command is used, for those who look for it in this place."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli, order_words
from kursk_pbem.cli.common import say


@cli.command("help")
@click.argument("command", default="")
@click.pass_context
def help_(ctx: click.Context, command: str) -> None:
    """Say how a COMMAND is used, or list all of them."""
    name = "order" if command in order_words() else command
    found = cli.get_command(ctx, name) if name else cli
    if found is None:
        ctx.fail(f"No such command {command!a}; 'kursk help' lists them")
    parent = ctx.parent if name else None
    with click.Context(found, parent=parent, info_name=name or "kursk", **cli.context_settings) as about:
        say(found.get_help(about))
