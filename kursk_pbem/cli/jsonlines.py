"""``--json``: what a command has done as plain data, an object a line (decision 67).

A command either prints a record of its own for each thing it tells of (``common.say_json``), or it notes facts while it
talks (``common.say``), and they are printed as one record at its end. What went wrong stands in a last one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.errors import KurskError, RulesError, Violation, Where

if TYPE_CHECKING:
    from kursk_pbem.desk.desks import Desk

VERSION = 1
"""Of every record. It grows when a field goes or means something else, and not when one is added."""
FORMAT, PROBLEMS = "format", "problems"
FLAG = "--json"
VOID = "the message is void, and its writer may send another in its place"


class Told:
    """What the command that runs has told so far; ``on``: it is asked for JSON.

    ``command``: its words without 'kursk'; ``words``: what a person would read, in pieces. (No dataclass: making one
    costs every start a millisecond.)
    """

    def __init__(self, on: bool = False, command: str = "") -> None:  # noqa: FBT002
        self.on = on
        self.command = command
        self.facts: dict[str, Any] = {}
        self.words: list[str] = []
        self.problems: list[dict[str, str | int]] = []


_now = [Told()]


def now() -> Told:
    """What is told now."""
    return _now[0]


def begin(arguments: list[str]) -> None:
    """Before a command line is read: nothing is told yet."""
    _now[0] = Told(FLAG in (arguments[: arguments.index("--")] if "--" in arguments else arguments))


def command(ctx: click.Context, _param: click.Parameter | None = None, _value: object = None) -> None:
    """The option ``--json`` of a command: which one it is."""
    now().command = ctx.command_path.partition(" ")[2]


def named(kind: str) -> str:
    """The format of a record."""
    return f"kursk {kind} {VERSION}"


def note(facts: dict[str, Any]) -> None:
    """Take down facts: lists go on, everything else is as it was said last."""
    told = now().facts
    for name, value in facts.items():
        key, plain = name.replace("_", "-"), _plain(value)
        told[key] = [*told.get(key, []), *plain] if isinstance(plain, list) else plain


def _plain(value: Any) -> Any:
    """Paths are text."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def problem(text: str, where: Where | None = None, **more: str) -> dict[str, str | int]:
    """Something that is wrong, as ``problems`` lists it."""
    place: dict[str, str | int] = {"file": where.file if where else "", "line": where.line if where else 0}
    return {**place, "rule": "", "order": "", "fault": "", "text": text, "remedy": "", **more}


def of_error(error: KurskError) -> list[dict[str, str | int]]:
    """What an error says is wrong: of orders every breach of the rules."""
    if isinstance(error, RulesError):
        return [of_violation(violation, VOID if error.received else "") for violation in error.violations]
    return [problem(error.message, error.where, fault=getattr(error, "fault", ""), remedy=error.remedy)]


def of_violation(violation: Violation, remedy: str = "") -> dict[str, str | int]:
    """A breach of the rules."""
    return problem(violation.message, violation.where, rule=violation.rule, order=violation.order, remedy=remedy)


def wrong(problems: list[dict[str, str | int]]) -> None:
    """Take down what is wrong."""
    now().problems += problems


def remedy(text: str) -> None:
    """What can be done about what was taken down last."""
    if now().problems:
        now().problems[-1]["remedy"] = text


def signed(desk: Desk, *, again: bool = False) -> dict[str, Any]:
    """What is to be known of the message that was signed last, as plain data; ``again``: it was signed before."""
    last = desk.last
    which = {"game": desk.game.chain.game, "seq": last.seq, "id": last.id, "type": last.type}
    return {**which, "wrote": [str(desk.newest)], "again": again}


def records(status: int) -> list[dict[str, Any]]:
    """What is to be printed at the end: the facts, if any were noted, then what went wrong, if anything did.

    Nothing of it is told a second time.
    """
    told, lines = now(), []
    _now[0] = Told(told.on, told.command)
    if told.facts:
        lines.append({FORMAT: named(told.command), "told": told.words, **told.facts})
    if told.problems:
        head = {FORMAT: named(PROBLEMS), "command": told.command, "status": status}
        lines.append({**head, PROBLEMS: told.problems})
    return lines
