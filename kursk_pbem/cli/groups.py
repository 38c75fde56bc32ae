"""Groups of commands: with lazy imports, and with whole sentences in their lists."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli.common import fit_lines, on_terminal, page_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class _Help(click.HelpFormatter):
    """Help that fits a narrow terminal: long names then have their own line."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.width = min(self.width, page_columns() - 2) if on_terminal() else self.width  # click: at least 50

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names and texts in two columns."""
        super().write_dl(rows, col_max if self.width >= 50 else 12, col_spacing)

    def getvalue(self) -> str:
        """Return the text, folded for the terminal."""
        text = super().getvalue()
        return fit_lines(text, page_columns()) if on_terminal() else text


class _Context(click.Context):
    formatter_class = _Help


class _Command(click.Command):
    context_class = _Context


class LazyGroup(click.Group):
    """A group that imports commands when they run, because players notice the start-up time.

    ``table``: command -> (module of ``package``, one line of help).
    """

    context_class, command_class = _Context, _Command

    def __init__(self, *given: Any, package: str, table: Mapping[str, tuple[str, str]], **rest: Any) -> None:
        super().__init__(*given, **rest)
        self.package, self.table = package, table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command with this name and return it."""
        if cmd_name in self.table and cmd_name not in self.commands:
            import_module(f"{self.package}.{self.table[cmd_name][0]}")
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands with their lines of help, without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_module, line) in self.table.items()])


class Group(click.Group):
    """A group whose list shows the whole first sentence about each command."""

    context_class, command_class = _Context, _Command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, with the first sentence of every command's help."""
        told = [(name, " ".join((command.help or "").split())) for name, command in sorted(self.commands.items())]
        with formatter.section("Commands"):
            formatter.write_dl([(name, f"{text.partition('. ')[0].removesuffix('.')}.") for name, text in told])


class ListingGroup(Group):
    """A group of commands. If no command is typed, the group runs its command ``list``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command ``list`` before arguments that name no command."""
        if not {*self.commands, "-h", "--help"}.intersection(args):
            if len(args) > 1 and not any(word.startswith("-") for word in args[:2]):
                known = "', '".join(sorted(self.commands))
                ctx.fail(f"No such command {args[0]!a}; did you mean one of '{known}'?")
            args = ["list", *args]
        return super().parse_args(ctx, args)
