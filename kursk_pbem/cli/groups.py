"""Groups of commands: those that are imported when they run, and lists that say whole sentences."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run: start-up is felt fifty times an evening.

    ``table``: command -> (module of ``package``, one line of help).
    """

    def __init__(self, *given: Any, package: str, table: Mapping[str, tuple[str, str]], **rest: Any) -> None:
        super().__init__(*given, **rest)
        self.package, self.table = package, table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, its module imported now."""
        if cmd_name in self.table and cmd_name not in self.commands:
            import_module(f"{self.package}.{self.table[cmd_name][0]}")
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their lines, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_module, line) in self.table.items()])


class Group(click.Group):
    """A group whose list says the first sentence about each command, whole."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their lines."""
        told = [(name, " ".join((command.help or "").split())) for name, command in sorted(self.commands.items())]
        with formatter.section("Commands"):
            formatter.write_dl([(name, f"{text.partition('. ')[0].removesuffix('.')}.") for name, text in told])
