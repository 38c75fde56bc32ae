"""Rename functions, classes and constants of one module in all files, by syntax tree.

python tools/rename.py kursk_pbem/post/spool.py held=pending_bytes knows=is_known
python tools/rename.py --dry-run kursk_pbem/post/spool.py held=pending_bytes

Renames the definition, uses in the module, ``module.name`` in files that import the module, names imported from the
module, and ``setattr(module, "name")``. Prints each changed file, and each line of code and pages with an old name in
backquotes, or with ``"module.name"``. Methods and attributes keep their names: rename them by hand, and mypy finds the
rest. Ends with status 2, and changes nothing, if the module is no file here or has no such name.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

FOLDERS = ("kursk_pbem", "tests", "tools", "app", "docs", "conformance")
DEFINITIONS = {ast.FunctionDef: len("def "), ast.AsyncFunctionDef: len("async def "), ast.ClassDef: len("class ")}
Edit = tuple[int, int, str, str]
"""Line, column in bytes, old name, new name."""


def find_edits(tree: ast.Module, module: str, names: Mapping[str, str], *, inside: bool) -> Iterator[Edit]:
    """Yield the places in a file with a name of the module. ``inside``: the file is the module."""
    package, _dot, last = module.rpartition(".")
    aliases, direct = set[str](), set[str](names) if inside else set[str]()
    for node in ast.walk(tree):
        for each in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            whole = isinstance(node, ast.Import) and each.name == module
            if whole or (isinstance(node, ast.ImportFrom) and node.module == package and each.name == last):
                aliases.add(each.asname or each.name)
            elif isinstance(node, ast.ImportFrom) and node.module == module and each.name in names:
                yield each.lineno, each.col_offset, each.name, names[each.name]
                if each.asname is None:
                    direct.add(each.name)
    local = _find_shadowed(tree, direct)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in direct and id(node) not in local:
            yield node.lineno, node.col_offset, node.id, names[node.id]
        elif isinstance(node, ast.Attribute) and _is_name(node.value, aliases) and node.attr in names:
            column = (node.end_col_offset or 0) - len(node.attr.encode())
            yield node.end_lineno or 0, column, node.attr, names[node.attr]
        elif isinstance(node, ast.Call) and len(node.args) > 1 and ast.unparse(node.func).endswith("setattr"):
            name = node.args[1]
            if _is_name(node.args[0], aliases) and isinstance(name, ast.Constant) and name.value in names:
                yield name.lineno, name.col_offset + 1, str(name.value), names[str(name.value)]
        elif inside and node in tree.body and (node_name := getattr(node, "name", "")) in names:
            column = getattr(node, "col_offset", 0) + DEFINITIONS[type(node)]  # type: ignore[index]
            yield getattr(node, "lineno", 0), column, node_name, names[node_name]


def _is_name(node: ast.expr, names: set[str]) -> bool:
    """Return whether an expression is one of the names."""
    return isinstance(node, ast.Name) and node.id in names


def _find_shadowed(tree: ast.Module, names: set[str]) -> set[int]:
    """Return the ids of nodes in functions with a parameter or local variable of an equal name."""
    found = set[int]()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        bound = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
        uses = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        bound |= {node.id for node in uses if isinstance(node.ctx, ast.Store)}
        found |= {id(node) for node in uses if node.id in bound & names}
    return found


def rename(path: Path, module: str, names: Mapping[str, str], *, inside: bool, dry_run: bool) -> int:
    """Rename in one file, unless it is a dry run; return the number of changes."""
    source = path.read_text(encoding="utf-8")
    lines = source.encode().split(b"\n")
    edits = sorted(set(find_edits(ast.parse(source), module, names, inside=inside)), reverse=True)
    for line, column, old, new in edits:
        text, end = lines[line - 1], column + len(old.encode())
        if text[column:end] != old.encode():
            sys.exit(f"{path}:{line}: expected {old!r}")
        lines[line - 1] = text[:column] + new.encode() + text[end:]
    if edits and not dry_run:
        path.write_bytes(b"\n".join(lines))
    return len(edits)


def main() -> int:
    """Rename in all files; return 0, or exit with status 2 before a change."""
    parser = argparse.ArgumentParser(description="Rename names of one module in all files.")
    parser.add_argument("module", type=Path, help="the file of the module, such as kursk_pbem/post/spool.py")
    parser.add_argument("names", nargs="+", metavar="OLD=NEW")
    parser.add_argument("--dry-run", action="store_true")
    asked = parser.parse_args()
    names = dict(each.partition("=")[::2] for each in asked.names)
    paths = [path for folder in FOLDERS for path in sorted(Path(folder).rglob("*.py"))]
    if asked.module not in paths:
        parser.error(f"{asked.module} is no module here; write its path, such as kursk_pbem/post/spool.py")
    parts = asked.module.with_suffix("").parts
    module = ".".join(parts[1:] if parts[0] in ("tests", "tools") else parts)
    tree = ast.parse(asked.module.read_text(encoding="utf-8"))
    found = {old for _line, _column, old, _new in find_edits(tree, module, names, inside=True)}
    if wrong := [old for old, new in names.items() if old not in found or not new.isidentifier()]:
        parser.error(f"{', '.join(wrong)}: write OLD=NEW; {asked.module} must have a function, class or constant OLD")
    for path in paths:
        if count := rename(path, module, names, inside=path == asked.module, dry_run=asked.dry_run):
            print(f"{path}: {count}")
    old = "|".join(map(re.escape, names))
    mention = re.compile(rf'`[\w.]*\b(?:{old})`|"[\w.]*\b{asked.module.stem}\.(?:{old})"')
    for path in [*paths, *Path().glob("*.md"), *(path for folder in FOLDERS for path in Path(folder).rglob("*.md"))]:
        for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if mention.search(text):
                print(f"look at {path}:{number}: {text.strip()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
