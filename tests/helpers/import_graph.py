"""The imports between modules of the package, read from the syntax; for the law of imports and make lint.

Every import counts, even in functions, under conditions and for type checkers only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import kursk_pbem

ROOT = Path(kursk_pbem.__file__).resolve().parent
PACKAGE = "kursk_pbem"

Sources = Mapping[str, str]
"""Module file below the package, such as ``kernel/state.py``, -> its text."""


def read_sources() -> dict[str, str]:
    """Return the files of the package, without the package that ``kursk ruleset new`` writes."""
    paths = sorted(path for path in ROOT.rglob("*.py") if ROOT / "_template" not in path.parents)
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def list_imports(source: str) -> tuple[tuple[int, str, str], ...]:
    """Return (line, module, name) of every import; the name is '' if the statement imports only the module."""
    return tuple(_find_imports(source))


def _find_imports(source: str) -> Iterator[tuple[int, str, str]]:
    for node in _walk_statements(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((node.lineno, module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, "") for alias in node.names)


def _walk_statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements, outer statements first. Expressions hold no imports, so the walk skips them."""
    level = [tree]
    while level:
        yield from level
        level = [inner for node in level for block in _BLOCKS for inner in getattr(node, block, ())]


_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


def module_of(file: str) -> str:
    """Convert ``kernel/state.py`` to ``kernel.state``, and a package's file to the package; '' for the root."""
    return file.removesuffix(".py").removesuffix("__init__").rstrip("/").replace("/", ".")


def map_imports(files: Sources) -> dict[str, list[tuple[int, str]]]:
    """Return the imported files of each file with their lines.

    Modules that a package's ``__init__`` loads do not count, only the named modules.
    """
    known = {module_of(file): file for file in files}
    found: dict[str, list[tuple[int, str]]] = {}
    for file, source in files.items():
        found[file] = []
        for line, module, name in list_imports(source):
            if module.partition(".")[0] != PACKAGE:
                continue
            below = module.partition(".")[2]
            target = known.get(f"{below}.{name}".strip(".")) if name else None
            target = target or known.get(below)
            if target is not None:
                found[file].append((line, target))
    return found


def find_circles(files: Sources) -> list[list[str]]:
    """Return every set of files in a circle of imports, the smallest first, as a path around the circle."""
    return _find_circles({file: {target for _line, target in found} for file, found in map_imports(files).items()})


def find_turns(files: Sources) -> list[list[str]]:
    """Return the circles between the parts of each folder. The parts are the folder's own folders and modules."""
    graphs: dict[str, dict[str, set[str]]] = {}
    pairs = ((file, target) for file, found in map_imports(files).items() for _line, target in found if file != target)
    for file, target in pairs:
        ours, theirs = file.split("/"), target.split("/")
        depth = next(at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other)
        graph = graphs.setdefault("/".join(ours[:depth]), {})
        part, used = ("/".join(names[: depth + 1]) for names in (ours, theirs))
        graph.setdefault(part, set()).add(used)
        graph.setdefault(used, set())
    return [way for folder in sorted(graphs) for way in _find_circles(graphs[folder])]


def _find_circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return every set of nodes in a circle of a graph, the smallest first, as a path around the circle."""
    reach = {file: _find_reached(graph, file) for file in graph}
    turning = [file for file in graph if file in reach[file]]
    rounds = {frozenset(other for other in reach[file] if file in reach[other]) for file in turning}
    return sorted((_find_path_around(graph, members) for members in rounds), key=lambda way: (len(way), way))


def _find_reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    todo = [start]
    while todo:
        for target in graph[todo.pop()]:
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def _find_path_around(graph: Mapping[str, set[str]], members: frozenset[str]) -> list[str]:
    """Return a shortest path from the first member back to itself, then the remaining members."""
    first = min(members)
    ways = [[first]]
    while True:
        way = ways.pop(0)
        for target in sorted(graph[way[-1]] & members):
            if target == first:
                return [*way, first, *sorted(members - {*way})]
            if target not in way:
                ways.append([*way, target])
