"""Findings about the data of a scenario: the problem, its line, and its paragraph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kursk_pbem.errors import Where
from kursk_pbem.frozen import frozen

ERROR, WARNING = "error", "warning"

Path = tuple[str | int, ...]


@frozen
class Finding:
    """A problem in a scenario's data: a warning, or an error that makes the data unplayable or breaks a rule."""

    severity: str
    rule: str  # a paragraph of the rulebook, '' for an error of form
    text: str
    path: Path  # the part of the scenario, such as ``map``, then keys and list positions
    where: Where | None = None  # file and line, if known

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.where}: {self.severity}: {self.text}{rule}"


def check_limit(what: str, number: int, most: int, path: Path, shown: Callable[[int], str] = str) -> Iterator[Finding]:
    """Yield an error if ``number`` is greater than ``most``. The limit keeps the data cheap for readers (T27)."""
    if number > most:
        why = "limits bound the cost of reading a stranger's file"
        yield Finding(ERROR, "", f"{what}: {shown(number)}, and {shown(most)} is the most; {why}", path)


Check = Callable[[Mapping[str, Any]], list[Finding]]
