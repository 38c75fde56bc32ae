"""The house rules that ruff and mypy do not know, looked at by ``make lint``: sizes, and circles of imports.

Every breach is printed as ``file:line: what``; status 1 if there is one. A limit is a promise to whoever reads the
code: raise none without a word in docs/decisions.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import import_graph  # noqa: E402

FUNCTION = 50
"""Lines of a function, decorators and docstring included."""
LONG_FUNCTIONS = {"kursk_pbem/formats/strictyaml.py": {"consume"}}
"""One loop that is clearer in one piece: the reader."""
FILES = {"kursk_pbem": 350, "tests": 400, "tools": 400}
"""Lines of a file, by the folder it lies in."""
SPINE, HEXES, ACCOUNT, PLANE = 2_120, 1_100, 310, 350
RULESET = 4_500
RULESETS = {"battle_for_kursk": 5_700, "juggernauts": 5_200, "kursk_1971": 4_700}
"""Lines of a whole ruleset, where it may be longer than others: it was there first."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def python(folder: Path) -> list[Path]:
    """Every module below a folder."""
    return sorted(folder.rglob("*.py"))


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(root: Path, path: Path) -> Iterator[str]:
    """Functions of a module that are too long; ruff's C90 looks at their complexity."""
    name = path.relative_to(root).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, FUNCTIONS) or node.name in LONG_FUNCTIONS.get(name, ()):
            continue
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        size = (node.end_lineno or first) - first + 1
        if size > FUNCTION:
            yield f"{name}:{first}: {node.name} has {size} lines, at most {FUNCTION}"


def files(root: Path) -> Iterator[str]:
    """Files that are too long."""
    for folder, most in FILES.items():
        for path in python(root / folder):
            if (size := lines(path)) > most:
                yield f"{path.relative_to(root).as_posix()}:{most + 1}: the file has {size} lines, at most {most}"


def parts(root: Path) -> Iterator[str]:
    """Parts of the package that are too long: the spine, hexes, the table top, what is told, each ruleset."""
    package = root / "kursk_pbem"
    plane = package / "kernel" / "plane.py"
    sizes = [("kernel", sorted({*(package / "kernel").glob("*.py")} - {plane}), SPINE)]
    sizes.append(("kernel/hexes", python(package / "kernel" / "hexes"), HEXES))
    sizes.append(("kernel/plane", [plane] if plane.exists() else [], PLANE))
    sizes.append(("kernel/account", python(package / "kernel" / "account"), ACCOUNT))
    systems = sorted(path.parent for path in (package / "rulesets").glob("*/__init__.py"))
    sizes += [(f"rulesets/{each.name}", python(each), RULESETS.get(each.name, RULESET)) for each in systems]
    for part, paths, most in sizes:
        if (size := sum(map(lines, paths))) > most:
            yield f"kursk_pbem/{part}/__init__.py:1: all of {part} has {size} lines, at most {most}"


def circles(root: Path) -> Iterator[str]:
    """Modules of the package that import each other, one line for each circle, at the first import of it."""
    package = root / "kursk_pbem"
    found = {path.relative_to(package).as_posix(): path.read_text(encoding="utf-8") for path in python(package)}
    links = import_graph.inner(found)
    for first, second, *others in import_graph.circles(found):
        line = next(line for line, target in links[first] if target == second)
        yield f"kursk_pbem/{first}:{line}: a circle of imports: {' -> '.join((first, second, *others))}"


def breaches(root: Path = ROOT) -> list[str]:
    """Everything that is too long or goes in a circle."""
    found = [each for path in python(root / "kursk_pbem") for each in functions(root, path)]
    return [*found, *files(root), *parts(root), *circles(root)]


def main() -> int:
    """Print all breaches."""
    found = breaches()
    for each in found:
        print(each)
    print(f"house: {len(found)} breaches" if found else "house: in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
