"""``--json``: the results of a command as plain data, one object a line (decision 67).

A command prints one record for each result (``common.say_json``), or saves facts while printing (``common.say``) for
one record at the end. The last record lists the problems.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.errors import KurskError, RulesError, Violation, Where

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.desk.own.desks import Desk
    from kursk_pbem.game.games import Game
    from kursk_pbem.game.inbox import Message, Paper

VERSION = 1
"""Version of every record. The version grows if a field disappears or changes its meaning, not for a new field."""
FORMAT, PROBLEMS = "format", "problems"
FLAG = "--json"
VOID = "the message is void, and the writer may send a new message instead"


class Results:
    """The results of the current command. ``on``: the user wants JSON.

    ``command``: the command as typed, without 'kursk'. ``words``: the text printed so far, in pieces. (No dataclass, to
    save a millisecond at each start.)
    """

    def __init__(self, on: bool = False, command: str = "") -> None:  # noqa: FBT002
        self.on = on
        self.command = command
        self.facts: dict[str, Any] = {}
        self.words: list[str] = []
        self.problems: list[dict[str, str | int]] = []


_now = [Results()]


def current_results() -> Results:
    """Return the facts and problems that the current command has saved for ``--json``."""
    return _now[0]


def begin_results(arguments: list[str]) -> None:
    """Begin a command line with empty results."""
    _now[0] = Results(FLAG in (arguments[: arguments.index("--")] if "--" in arguments else arguments))


def save_command(ctx: click.Context, _param: click.Parameter | None = None, _value: object = None) -> None:
    """Save the words of the command line, as the callback of ``--json``."""
    current_results().command = ctx.command_path.partition(" ")[2]


def record_format(kind: str) -> str:
    """Return the format of a JSON record: its kind and version."""
    return f"kursk {kind} {VERSION}"


def make_plain(value: Any) -> Any:
    """Return plain data: paths become text."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, list | tuple):
        return [make_plain(item) for item in value]
    return {key: make_plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def make_problem(text: str, where: Where | None = None, **more: str) -> dict[str, str | int]:
    """Return a problem as an entry of the JSON field ``problems``."""
    place: dict[str, str | int] = {"file": where.file if where else "", "line": where.line if where else 0}
    return {**place, "rule": "", "order": "", "fault": "", "text": text, "remedy": "", **more}


def problems_of_error(error: KurskError) -> list[dict[str, str | int]]:
    """Return the problems of an error; if orders are illegal, one problem for each violation."""
    if isinstance(error, RulesError):
        return [problem_of_violation(violation, VOID if error.received else "") for violation in error.violations]
    return [make_problem(error.message, error.where, fault=getattr(error, "fault", ""), remedy=error.remedy)]


def problem_of_violation(violation: Violation, remedy: str = "") -> dict[str, str | int]:
    """Return a violation of the rules as a problem."""
    return make_problem(violation.message, violation.where, rule=violation.rule, order=violation.order, remedy=remedy)


def signed_facts(desk: Desk, *, again: bool = False) -> dict[str, Any]:
    """Return facts about the message signed last. ``again``: the message was signed before this command."""
    last = desk.last
    which = {"game": desk.game.chain.game, "seq": last.seq, "id": last.id, "type": last.type}
    return {**which, "wrote": [str(desk.newest)], "again": again}


def judged_facts(game: Game, turn: Message | Paper, wrote: Iterable[Path], *, new: bool) -> dict[str, Any]:
    """Return facts about a judged message or referee's paper, and which side writes next."""
    chain = game.chain
    facts = {"game": chain.game, "seq": turn.seq, "from": turn.sender, "id": turn.id, "new": new}
    return {**facts, "wrote": [str(path) for path in wrote], "next": "" if game.over else chain.writer(chain.next_seq)}


def take_records(status: int) -> list[dict[str, Any]]:
    """Return a command's JSON records at its end, first the facts, then the problems. Then forget these records."""
    told, lines = current_results(), []
    _now[0] = Results(told.on, told.command)
    if told.facts:
        lines.append({FORMAT: record_format(told.command), "told": told.words, **told.facts})
    if told.problems:
        head = {FORMAT: record_format(PROBLEMS), "command": told.command, "status": status}
        lines.append({**head, PROBLEMS: told.problems})
    return lines


_logging = [False]
"""Whether the command writes a log: each line begins with time in UTC and level."""


def switch_log(*, on: bool) -> None:
    """Set whether the current command prints log lines."""
    _logging[0] = on


def log_line(level: str, text: str, usual: str) -> str:
    """Return a line for the log, or the ``usual`` text if the command writes no log."""
    if not _logging[0]:
        return usual
    from kursk_pbem.desk.ground import clock  # an umpire without a log reads no clock

    return f"{clock.now()} {level}: {text}"
