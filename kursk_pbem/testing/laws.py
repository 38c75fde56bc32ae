"""The laws of rules code: no clock, files, chance or floats, a fixed order, and imports of the kernel alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.formats import packages

FORBIDDEN_MODULES = {"random", "time", "datetime", "os", "secrets", "uuid", "threading", "subprocess"}
FORBIDDEN_CALLS = {"print", "float", "input", "open", "hash", "id"}
ORDER_FREE = {"sorted", "set", "frozenset", "sum", "min", "max", "any", "all", "len"}


def find_breaches(folder: Path) -> list[str]:
    """Return which laws the rules code of a package breaks: forbidden actions, and imports beyond the kernel."""
    own, found = ("kursk_pbem.kernel", "kursk_pbem.errors", folder.name), list[str]()
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text("utf-8")
        foreign = (f"{each}; rules may import {own[0]} and {own[1]}" for each in packages.find_foreign(source, own))
        found += [f"{path.name}:{each}" for each in (*find_trespasses(source), *foreign)]
    return found


def find_trespasses(source: str) -> Iterator[str]:
    """Yield forbidden actions in rules code: clocks, files, random numbers, output, floats, unsorted iteration."""
    tree = ast.parse(source)
    free = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDER_FREE:
            free |= {id(argument) for argument in node.args}
    for node in ast.walk(tree):
        yield from (f"{getattr(node, 'lineno', 0)}: {what}" for what in _find_trespasses_of_node(node, free))


def _find_trespasses_of_node(node: ast.AST, free: set[int]) -> Iterator[str]:
    """Yield the forbidden actions of a node."""
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    iterated: list[ast.expr] = []
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        yield from (f"imports {name}" for name in names if name.split(".")[0] in FORBIDDEN_MODULES)
    elif called in FORBIDDEN_CALLS:
        yield f"calls {called}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
        yield f"the float {node.value}"
    elif isinstance(node, ast.For):
        iterated = [node.iter]
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp) and id(node) not in free:
        iterated = [each.iter for each in node.generators]
    elif isinstance(node, ast.List | ast.Tuple):
        iterated = [each.value for each in node.elts if isinstance(each, ast.Starred)]
    elif isinstance(node, ast.Call) and called in ("list", "tuple"):
        iterated = node.args
    yield from ("takes a set in no fixed order" for each in iterated if _is_visibly_unordered(each))


def _is_visibly_unordered(node: ast.expr) -> bool:
    """Return whether a node is visibly a set: a display, a comprehension, ``set(...)``, or a union of sets."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return _is_visibly_unordered(node.left) or _is_visibly_unordered(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("set", "frozenset")
    return isinstance(node, ast.Set | ast.SetComp)
