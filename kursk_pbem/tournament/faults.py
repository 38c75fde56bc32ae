"""What can be wrong with a tournament, each with the paper and the field that show it."""

from __future__ import annotations

from typing import NoReturn

from kursk_pbem.errors import EXIT_RULES, KurskError, TrustError, Where
from kursk_pbem.tournament.papers.forms import Paper


class FalsePaperError(TrustError):
    """A paper says what cannot be: ``paper`` is its file, ``field`` the place in it, as ``pairs/3``."""

    def __init__(self, paper: str, field: str, message: str, where: Where | None = None, fault: str = "order") -> None:
        super().__init__(fault, message, where)
        self.paper = paper
        self.field = field

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.field}: {self.message}" if self.field else f"{place}{self.message}"


class IncompleteError(KurskError):
    """Something is missing, and nobody is accused: what it is, and whom to ask for it."""

    exit_status = EXIT_RULES


def wrong(paper: Paper, path: str, why: str) -> NoReturn:
    """Refuse a paper: ``path`` is the field, further steps behind slashes (list positions from 0)."""
    steps = tuple(int(step) if step.isdigit() else step for step in path.split("/") if step)
    raise FalsePaperError(paper.name, path, why, paper.where(*steps))


def need(holds: object, paper: Paper, path: str, why: str) -> None:
    """Go on only if something holds."""
    if not holds:
        wrong(paper, path, why)
