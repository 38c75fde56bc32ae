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
    """A problem in the data of a scenario. An error makes the data unplayable or breaks a rule. A warning needs a look.

    ``path``: the part of the scenario (``map``), then keys and list positions. ``where``: the path as text. ``rule``: a
    paragraph of the rulebook, '' for an error of form.
    """

    severity: str
    rule: str
    text: str
    path: Path
    where: Where | None = None

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.where}: {self.severity}: {self.text}{rule}"


def check_limit(what: str, number: int, most: int, path: Path, shown: Callable[[int], str] = str) -> Iterator[Finding]:
    """Yield an error if ``number`` is greater than ``most``. The limit keeps the data cheap for readers (T27)."""
    if number > most:
        why = "limits bound the cost of reading a stranger's file"
        yield Finding(ERROR, "", f"{what}: {shown(number)}, and {shown(most)} is the most; {why}", path)


Check = Callable[[Mapping[str, Any]], list[Finding]]
