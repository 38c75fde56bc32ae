"""Errors of a tournament, with the paper and field that prove them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from kursk_pbem.errors import EXIT_RULES, KurskError, TrustError, Where
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import Book


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


def need_papers(book: Book, log: Paper, path: str, said: Sequence[str], right: Sequence[str]) -> None:
    """Check that a list in a log paper has exactly the ``right`` papers (ids), in order."""
    for place, id_ in enumerate(said):
        if id_ not in right:
            why = f": {book.void[id_]}" if id_ in book.void else ""
            refuse(log, f"{path}/{place}", f"{_describe_paper(book, id_)} does not count here{why}")
    for id_ in right:
        if id_ not in said:
            refuse(log, path, f"{_describe_paper(book, id_)} is missing")
    need([*said] == [*right], log, path, "the papers must be in order of ids, without duplicates")


def _describe_paper(book: Book, id_: str) -> str:
    """Return a paper in words, with its writer and acknowledgment."""
    if id_ not in book.received:
        return f"the paper {id_[:16]}, which the log has not acknowledged,"
    writer = book.by_key(book.papers[id_].sender)
    of = f" of {writer.name}" if writer is not None else ""
    return f"the paper {id_[:16]}{of}, acknowledged by {book.log[book.received[id_]].name},"
