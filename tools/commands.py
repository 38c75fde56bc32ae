"""List every command that a message names: ``'kursk ...'`` in the strings of the package, its templates and scripts.

``python tools/commands.py`` prints ``file:line: command``. The tool writes ``{name}`` for a value of an f-string.
``python tools/commands.py --draw 40 --seed 22`` prints a random choice.
"""

import argparse
import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "kursk_pbem"
COMMAND = re.compile(r"'(kursk [^'\n]+)'")
PAGES = (".html", ".js")


class NamedCommand(NamedTuple):
    """A command in a message. ``text``: the command without quotation marks, with ``{}`` for values."""

    file: str
    line: int
    text: str


def list_commands() -> list[NamedCommand]:
    """Return the commands of the messages, in the order of the files. Docstrings are no messages."""
    found = [each for path in sorted(PACKAGE.rglob("*.py")) for each in _find_in_module(path)]
    pages = (path for path in sorted(PACKAGE.rglob("*")) if path.suffix in PAGES)
    return found + [each for path in pages for each in _find_in_page(path)]


def _find_in_module(path: Path) -> Iterator[NamedCommand]:
    text = path.read_text(encoding="utf-8")
    if "'kursk" not in text:  # parsing is slow, and few modules name a command
        return
    nodes, name = [*ast.walk(ast.parse(text))], path.relative_to(ROOT).as_posix()
    silent = {id(node) for node in nodes if _is_docstring(node)}
    inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if id(node) in silent or id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            for match in COMMAND.finditer(_render_string(node)):
                yield NamedCommand(name, node.lineno, match[1])


def _render_string(node: ast.expr) -> str:
    """Return the text of a string, with ``{expression}`` for the values of an f-string."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_render_string, node.values))
    if isinstance(node, ast.FormattedValue):
        return "{" + ast.unparse(node.value).replace("'", '"') + "}"
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _find_in_page(path: Path) -> Iterator[NamedCommand]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for match in COMMAND.finditer(line):
            yield NamedCommand(path.relative_to(ROOT).as_posix(), number, match[1])


def main() -> None:
    """Print the commands, or a random choice of commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    commands = list_commands()
    if asked.draw:
        commands = random.Random(asked.seed).sample(commands, asked.draw)
    for each in commands:
        print(f"{each.file}:{each.line}: {each.text}")


if __name__ == "__main__":
    main()
