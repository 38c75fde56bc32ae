"""Errors of a tournament, with the paper and field that prove them."""

from __future__ import annotations

from typing import NoReturn

from kursk_pbem.errors import EXIT_RULES, KurskError, TrustError, Where
from kursk_pbem.tournament.papers.forms import Paper


class FalsePaperError(TrustError):
    """A paper makes a false statement. ``paper``: its file. ``field``: the place in the paper, such as ``pairs/3``."""

    def __init__(self, paper: str, field: str, message: str, where: Where | None = None) -> None:
        super().__init__("order", message, where)
        self.paper = paper
        self.field = field

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.field}: {self.message}" if self.field else f"{place}{self.message}"


class IncompleteError(KurskError):
    """Papers or files are missing. The message names them and the people who can supply them."""

    exit_status = EXIT_RULES


def refuse(paper: Paper, path: str, why: str) -> NoReturn:
    """Raise FalsePaperError about a paper. ``path``: field names and list positions, separated by slashes."""
    steps = tuple(int(step) if step.isdigit() else step for step in path.split("/") if step)
    raise FalsePaperError(paper.name, path, why, paper.where(*steps))


def need(holds: object, paper: Paper, path: str, why: str) -> None:
    """Raise FalsePaperError about a paper unless a condition is true."""
    if not holds:
        refuse(paper, path, why)
