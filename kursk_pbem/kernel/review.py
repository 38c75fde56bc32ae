"""Findings about the data of a scenario: what is wrong or doubtful, in which line, and which paragraph says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kursk_pbem.errors import Where
from kursk_pbem.formats import schema, strictyaml

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


def review(parts: Mapping[str, strictyaml.Document], schema_name: str, check: Check) -> list[Finding]:
    """Every finding about the four files of a scenario, each with its line, in the order of files and lines.

    ``check`` is the ruleset's own; it sees only data whose form the schema has accepted.
    """
    data: dict[str, Any] = {part: document.data for part, document in parts.items()}
    found = [Finding(ERROR, "", words, path) for path, words in schema.problems(data, schema_name)]
    return placed(found or check(data), parts)


def placed(findings: list[Finding], parts: Mapping[str, strictyaml.Document]) -> list[Finding]:
    """The same findings with file and line, in order."""
    order = list(parts)
    found = []
    for each in findings:
        part = str(each.path[0])
        where = parts[part].where(each.path[1:])
        found.append((order.index(part), where.line, replace(each, where=where)))
    return [finding for _number, _line, finding in sorted(found, key=lambda item: item[:2])]
