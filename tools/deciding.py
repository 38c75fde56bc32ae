"""The code that decides a game between programs, as a hash that stays when only words for people change.

The hash is of the syntax trees without docstrings, comments and layout, and equal in every Python: ``ast.dump`` prints
empty fields and new fields of a version, so this module writes the trees itself.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNSEEN = {"kind", "type_comment"}
"""Fields of a node that decide nothing."""
LEVELS = ("levels", "play", "search", "systems")
"""Modules of the practice opponent for all systems."""
ROW = re.compile(r"^\| ([a-z0-9/-]+) \|.* ([0-9a-f]{8}) \|$", re.MULTILINE)
"""A row of a page with figures: its scenario or system, and its hash."""


def list_files(ruleset: str) -> Iterator[Path]:
    """Yield the files that decide: the kernel without its words for people, the levels, the system and its ideas."""
    package, name = ROOT / "kursk_pbem", ruleset.replace("-", "_")
    yield from (path for path in sorted((package / "kernel").rglob("*.py")) if path.parent.name != "account")
    yield from (package / "practice" / f"{module}.py" for module in LEVELS)
    for room in ("practice", "rulesets"):
        yield from sorted((package / room / name).rglob("*.py"))


def digest(ruleset: str, more: str = "") -> str:
    """Return the hash of a system's code, and of ``more``."""
    return sha256(f"{more}\n{_write_trees(ruleset)}".encode("ascii")).hexdigest()[:8]


@cache
def _write_trees(ruleset: str) -> str:
    return "\n".join(line for path in list_files(ruleset) for line in walk(ast.parse(path.read_bytes())))


def walk(node: ast.AST) -> Iterator[str]:
    """Yield the words of a tree: kinds of nodes, names of fields, and values; without strings that are statements."""
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                if not _is_docstring(each):
                    yield f" {name}"
                    yield from walk(each)
            elif isinstance(value, list) or (each is not None and name not in UNSEEN):
                yield f" {name} {type(each).__name__} {each!a}"
    yield "."


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def find_stale(page: Path, find_code: Callable[[str], str]) -> dict[str, tuple[str, str]]:
    """Return the hashes of a page that are of other code: old -> (scenario or system, new).

    ``find_code``: returns the hash of a scenario or system.
    """
    find, rows = cache(find_code), ROW.findall(page.read_text(encoding="utf-8"))
    return {old: (name, find(name)) for name, old in rows if find(name) != old}


def renew(page: Path, kept: Path, find_code: Callable[[str], str]) -> None:
    """Write new hashes into the rows of a page and the keys of its kept games, without a game."""
    for old, (name, new) in find_stale(page, find_code).items():
        page.write_text(page.read_text(encoding="utf-8").replace(f"| {old} |", f"| {new} |"), encoding="utf-8")
        if kept.exists():
            games = re.sub(f"^{old}/", f"{new}/", kept.read_text(encoding="utf-8"), flags=re.MULTILINE)
            kept.write_text(games, encoding="utf-8")
        print(f"{page.name}: {name}: {old} is now {new}")


def check(page: Path, find_code: Callable[[str], str], command: str) -> int:
    """Print the rows of a page that are of other code; return the status. ``command``: plays them again."""
    stale = find_stale(page, find_code)
    for old, (name, new) in stale.items():
        print(f"{page.name}: the figures of {name} are of other code ({old}, now {new}): '{command}'", file=sys.stderr)
    return int(bool(stale))
