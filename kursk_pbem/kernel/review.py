"""Findings about the data of a scenario: what is wrong or doubtful, in which line, and which paragraph says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kursk_pbem.errors import Where

ERROR, WARNING = "error", "warning"

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Finding:
    """One remark. An error makes the data unplayable or breaks a rule; a warning is something to look at.

    ``path``: the part of the scenario (``map``), then keys and list positions; ``where`` is found from it. ``rule`` is
    a paragraph of the rulebook, '' where it is a matter of form.
    """

    severity: str
    rule: str
    text: str
    path: Path
    where: Where | None = None

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.where}: {self.severity}: {self.text}{rule}"


Check = Callable[[Mapping[str, Any]], list[Finding]]
