"""The citations of paragraphs by functions of a ruleset, found in the source files.

A function cites a paragraph by id in a string, a docstring or a comment: ``9.3-stand-fast``, ``12.0 (2)`` for the
second step of 12.0, ``4.0 Phase 10``. For contributors, tests and ``make rules``; no rule depends on citations.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kursk_pbem.rulesets import ruleset

ID = r"[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:-[a-z0-9]+)*"
_WHOLE = re.compile(ID)
_PROSE = re.compile(rf"(?<![\w.:])({ID})(?: \(([0-9])\)| (Phase [0-9]+))?(?![\w-])")
SEEN = "seen"
_PACKAGES = Path(__file__).resolve().parents[2]


class Citation(NamedTuple):
    """A citation of a paragraph in the code: the file, and the function, class or table ('' for the module)."""

    file: Path
    name: str

    def __str__(self) -> str:
        """``kursk_pbem/rulesets/battle_for_kursk/combat.py: _apply``; a file elsewhere with the whole path."""
        inside = self.file.is_relative_to(_PACKAGES)
        path = (self.file.relative_to(_PACKAGES) if inside else self.file).as_posix()
        return f"{path}: {self.name}" if self.name else path

    @property
    def shows(self) -> bool:
        """Return whether the code only displays decisions of the rules: its file is in a ruleset's folder ``seen``."""
        return self.file.parent.name == SEEN


def find_in_ruleset(rid: str) -> dict[str, list[Citation]]:
    """Return the places in a ruleset's code that cite each paragraph. Raises UsageError for an unknown ruleset."""
    return find_in_folder(ruleset(rid).rulebook.parent)


def find_in_folder(folder: Path) -> dict[str, list[Citation]]:
    """Return the places in the code of a folder that cite each paragraph. Code that makes decisions comes first."""
    by_rule: dict[str, set[Citation]] = {}
    root = folder.resolve()
    for file in (*sorted(root.glob("*.py")), *sorted((root / SEEN).glob("*.py"))):
        for rule, line, owners in _find_citations(file.read_text(encoding="utf-8")):
            inside = [(start, name) for start, end, name in owners if start <= line <= end]
            by_rule.setdefault(rule, set()).add(Citation(file, max(inside)[1] if inside else ""))
    return {rule: sorted(places, key=lambda place: (place.shows, place)) for rule, places in by_rule.items()}


def _find_citations(source: str) -> Iterator[tuple[str, int, list[tuple[int, int, str]]]]:
    """Yield paragraph, line and possible owners of the line for every citation in a module."""
    tree = ast.parse(source)
    owners, prose = _find_owners(tree), _find_docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in prose:
                yield from ((rule, node.lineno, owners) for rule in _find_in_prose(node.value))
            elif _WHOLE.fullmatch(node.value):
                yield node.value, node.lineno, owners
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from ((rule, token.start[0], owners) for rule in _find_in_prose(token.string))


def _find_in_prose(text: str) -> Iterator[str]:
    for rule, step, phase in _PROSE.findall(text):
        yield f"{rule}-{step}" if step else f"{rule}-{phase.lower().replace(' ', '-')}" if phase else rule


def _find_docstrings(tree: ast.Module) -> set[int]:
    holders = (ast.Module, ast.FunctionDef, ast.ClassDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)
    }


def _find_owners(tree: ast.Module) -> list[tuple[int, int, str]]:
    """Return first line, last line and name of every function, class and table, without decorators."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    tables = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    named = [(node, node.name) for node in nodes] + [(node, ast.unparse(node.targets[0])) for node in tables]
    return [(node.lineno, node.end_lineno or node.lineno, name) for node, name in named]
