"""Check the house rules that ruff and mypy do not know: sizes, and circular imports. ``make lint`` runs the check.

The size of Python code is counted in statements; the rules of a ruleset are also counted in lines. Pages (scripts,
styles with a declaration per line, templates) are counted in lines.

The tool prints each breach as ``file:line: text``, and exits with status 1 if it finds a breach. A limit is a promise
to the reader of the code: give a reason in docs/decisions before you raise a limit.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import import_graph  # noqa: E402

TOP = 19
"""Maximum number of tracked entries at the top of the tree."""
FUNCTION = 40
"""Maximum number of statements of a function, including the function and its docstring."""
PAGES = {".js": 200, ".css": 320, ".html": 70}
"""Maximum number of lines of a script, a style or a template."""
LONG_PAGES = {"kursk_pbem/board/static/board.css": 470}
"""Maximum number of lines of the common style of the pages."""
WIDTH = {".js": 120, ".css": 120}
"""Maximum number of columns. Templates have no maximum, because the text of a page decides."""
LONG_FUNCTIONS = {"kursk_pbem/formats/strictyaml.py": {"consume"}}
"""The reader: a loop that is clearer as a whole."""
FILES = {"kursk_pbem": 250, "tests": 290, "tools": 250}
"""Maximum number of statements of a file, by folder."""
LONG_FILES = {"tests/helpers/second_auditor.py", "tools/fuzz_adjudicate.py"}
"""A program that is independent of the package and read as a whole; a table of wrong orders."""
MODULES = 25
"""Maximum number of modules of a folder of the package."""
SPINE, HEXES, USUAL, ACCOUNT, PLANE = 1_679, 1_356, 1_028, 230, 240
RULES, SEEN = 1_950, 1_459
"""Maximum number of statements of a ruleset: the rules, and the display."""
LONG_RULES, LONG_SEEN = {"juggernauts": 2_553}, {"battle_for_kursk": 2_057, "kursk_1971": 1_645, "juggernauts": 1_622}
"""Higher limits: the longest rulebook; the displays with the most pages or with wishes for retreats."""
LINES = {"battle_for_kursk": 3_015, "kursk_1971": 2_660, "juggernauts": 3_480, "armor_commander": 2_150}
"""Maximum number of lines of the rules of a ruleset in ruff's layout, because an auditor must read the rules."""
IDEAS = 350
"""Maximum number of lines of what the practice opponent of a ruleset thinks about. Ideas decide nothing."""
ROOMS = {
    "kursk_pbem": 88_780,
    "kursk_pbem/audit": 3_245,
    "kursk_pbem/board": 1_804,
    "kursk_pbem/cli": 7_919,
    "kursk_pbem/demo": 606,
    "kursk_pbem/desk": 11_734,
    "kursk_pbem/formats": 2_260,
    "kursk_pbem/game": 4_640,
    "kursk_pbem/kernel": 7_166,
    "kursk_pbem/post": 7_461,
    "kursk_pbem/practice": 982,
    "kursk_pbem/report": 3_910,
    "kursk_pbem/rulebook": 522,
    "kursk_pbem/rulesets": 23_135,
    "kursk_pbem/testing": 320,
    "kursk_pbem/tournament": 9_538,
    "kursk_pbem/trust": 3_362,
}
"""Maximum number of lines of Python of a room. Budgets fall. A commit that raises a budget names the new capability."""
MAIL_HELPERS = {
    "boards_by_mail",
    "cup_by_mail",
    "intake",
    "mail_servers",
    "mail_weeks",
    "mailbags",
    "mails",
    "postal",
    "postmen",
    "real_servers",
    "refereed_mail",
    "returned",
    "strangers",
}
MAIL_TESTS = 10_984
"""Maximum number of lines of tests/post, tests/trust and the helpers of games by mail together."""

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_TWO = re.compile(r"[{;}][^{;}]*[^\s{;}]")  # text after the first brace or semicolon of a line
_IMPORT = re.compile(r'^import [^"]*"\./([^"]+)";$', re.MULTILINE)
WORDS = {
    "CONTRIBUTING.md": 1_705,
    "README.md": 900,
    "docs/architecture.md": 1_600,
    "docs/auditors.md": 6_000,
    "docs/directors.md": 4_500,
    "docs/formats.md": 4_811,  # 5.5, 5.6 and 6.2, the forms of version 0.3, have 1,190 words
    "docs/performance.md": 1_000,
    "docs/players.md": 5_000,
    "docs/referees.md": 1_060,  # 170 of them moved from the handbook
    "tests/README.md": 300,
}
"""Maximum number of words of a page, without code blocks."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def list_modules(folder: Path) -> list[Path]:
    """Return the modules below a folder."""
    return sorted(folder.rglob("*.py"))


def count_statements(tree: ast.AST) -> int:
    """Count the statements of a tree. The layout of the code has no influence."""
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree))


def measure_module(path: Path) -> int:
    """Return the number of statements of a module."""
    return count_statements(ast.parse(path.read_text(encoding="utf-8")))


def find_long_functions(root: Path, path: Path) -> Iterator[str]:
    """Yield the functions of a module that are too long. The complexity is checked by C90 of ruff."""
    name = path.relative_to(root).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, FUNCTIONS) or node.name in LONG_FUNCTIONS.get(name, ()):
            continue
        if (long := count_statements(node)) > FUNCTION:
            yield f"{name}:{node.lineno}: {node.name} has {long} statements, at most {FUNCTION}"


def find_long_files(root: Path) -> Iterator[str]:
    """Yield the files that are too long."""
    for folder, most in FILES.items():
        for path in list_modules(root / folder):
            name = path.relative_to(root).as_posix()
            if name not in LONG_FILES and (long := measure_module(path)) > most:
                yield f"{name}:1: the file has {long} statements, at most {most}"


def find_long_pages(root: Path) -> Iterator[str]:
    """Yield pages that are too long or too wide, and styles with two declarations in a line."""
    for path in sorted(each for each in (root / "kursk_pbem").rglob("*") if each.suffix in PAGES):
        name, lines = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8").splitlines()
        most, wide = LONG_PAGES.get(name, PAGES[path.suffix]), WIDTH.get(path.suffix)
        if len(lines) > most:
            yield f"{name}:1: the page has {len(lines)} lines, at most {most}"
        for number, line in enumerate(lines, 1):
            if wide and len(line) > wide:
                yield f"{name}:{number}: the line has {len(line)} columns, at most {wide}"
            if path.suffix == ".css" and _TWO.search(line):
                yield f"{name}:{number}: one declaration a line"


def find_wordy_pages(root: Path) -> Iterator[str]:
    """Yield each page of the documentation that has more words than its limit."""
    for name, most in WORDS.items():
        path = root / name
        text = _FENCED.sub("", path.read_text(encoding="utf-8")) if path.exists() else ""
        if (long := sum(any(map(str.isalnum, word)) for word in text.split())) > most:
            yield f"{name}:1: the page has {long} words, at most {most}"


def find_script_circles(root: Path) -> Iterator[str]:
    """Yield a line for each circle of imports between scripts."""
    paths = (root / "kursk_pbem").rglob("*.js")
    links = {path.name: _IMPORT.findall(path.read_text(encoding="utf-8")) for path in sorted(paths)}
    settled: set[str] = set()
    while free := {name for name in links if name not in settled and settled.issuperset(links[name])}:
        settled |= free
    if left := sorted(set(links) - settled):
        yield f"{left[0]}:1: scripts that import each other, or what is not there: {', '.join(left)}"


def find_full_folders(root: Path) -> Iterator[str]:
    """Yield the folders of the package with too many modules."""
    package = root / "kursk_pbem"
    for folder in sorted({path.parent for path in list_modules(package)}):
        modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        if len(modules) > MODULES:
            name = folder.relative_to(root).as_posix()
            yield f"{name}/__init__.py:1: the folder has {len(modules)} modules, at most {MODULES}"


def find_full_top(root: Path) -> Iterator[str]:
    """Yield a line if the top of the tree has too many entries. Without git no entry counts."""
    command = ["git", "-C", str(root), "ls-files"]
    tracked = subprocess.run(command, check=False, capture_output=True, text=True).stdout.splitlines()
    if (many := len({name.split("/")[0] for name in tracked})) > TOP:
        yield f".:1: the top of the tree has {many} entries, at most {TOP}"


def find_long_parts(root: Path) -> Iterator[str]:
    """Yield the parts of the package that are too long: parts of the kernel, rules and displays of rulesets."""
    package = root / "kursk_pbem"
    plane = package / "kernel" / "plane.py"
    sizes = [("kernel", sorted({*(package / "kernel").glob("*.py")} - {plane}), SPINE)]
    usual = list_modules(package / "kernel" / "hexes" / "usual")
    shared = [path for path in list_modules(package / "kernel" / "hexes") if path not in usual]
    sizes += [("kernel/hexes", shared, HEXES), ("kernel/hexes/usual", usual, USUAL)]
    sizes.append(("kernel/plane", [plane] if plane.exists() else [], PLANE))
    sizes.append(("kernel/account", list_modules(package / "kernel" / "account"), ACCOUNT))
    for system in sorted(path.parent for path in (package / "rulesets").glob("*/__init__.py")):
        seen = list_modules(system / "seen")
        rules = [path for path in list_modules(system) if path not in (*seen, system / "ideas.py")]
        sizes.append((f"rulesets/{system.name}", rules, LONG_RULES.get(system.name, RULES)))
        sizes.append((f"rulesets/{system.name}/seen", seen, LONG_SEEN.get(system.name, SEEN)))
    for part, paths, most in sizes:
        if (long := sum(map(measure_module, paths))) > most:
            yield f"kursk_pbem/{part}/__init__.py:1: all of {part} has {long} statements, at most {most}"


def find_long_rules(root: Path) -> Iterator[str]:
    """Yield the rulesets with too many lines of rules: the modules outside ``seen``."""
    for system, most in LINES.items():
        folder = root / "kursk_pbem" / "rulesets" / system
        rules = [path for path in list_modules(folder) if folder / "seen" not in path.parents]
        if folder / "ideas.py" in rules:
            rules.remove(folder / "ideas.py")
            if (long := len((folder / "ideas.py").read_text(encoding="utf-8").splitlines())) > IDEAS:
                yield f"kursk_pbem/rulesets/{system}/ideas.py:1: the ideas have {long} lines, at most {IDEAS}"
        if (long := sum(len(path.read_text(encoding="utf-8").splitlines()) for path in rules)) > most:
            yield f"kursk_pbem/rulesets/{system}/__init__.py:1: the rules have {long} lines, at most {most}"


def find_full_rooms(root: Path) -> Iterator[str]:
    """Yield the rooms of the package, and the tests of mail, that exceed their budget."""
    for room, most in ROOMS.items():
        if (
            long := sum(len(path.read_text(encoding="utf-8").splitlines()) for path in list_modules(root / room))
        ) > most:
            yield f"{room}/__init__.py:1: the room has {long} lines, at most {most}"
    tests = [*list_modules(root / "tests/post"), *list_modules(root / "tests/trust")]
    tests += [path for path in list_modules(root / "tests/helpers") if path.stem in MAIL_HELPERS]
    if (long := sum(len(path.read_text(encoding="utf-8").splitlines()) for path in tests)) > MAIL_TESTS:
        yield f"tests/post/__init__.py:1: the tests of mail have {long} lines, at most {MAIL_TESTS}"


def find_circles(root: Path) -> Iterator[str]:
    """Yield a line for each circle of imports in the package, at the first import of the circle."""
    package = root / "kursk_pbem"
    found = {path.relative_to(package).as_posix(): path.read_text(encoding="utf-8") for path in list_modules(package)}
    links = import_graph.map_imports(found)
    for first, second, *others in import_graph.find_circles(found):
        line = next(line for line, target in links[first] if target == second)
        yield f"kursk_pbem/{first}:{line}: a circle of imports: {' -> '.join((first, second, *others))}"


def find_breaches(root: Path = ROOT) -> list[str]:
    """Return a line for each breach of a house rule."""
    found = [each for path in list_modules(root / "kursk_pbem") for each in find_long_functions(root, path)]
    looks = (
        find_long_files,
        find_full_folders,
        find_full_top,
        find_long_parts,
        find_long_rules,
        find_full_rooms,
        find_circles,
        find_long_pages,
        find_wordy_pages,
        find_script_circles,
    )
    return [*found, *(each for look in looks for each in look(root))]


def main() -> int:
    """Print the breaches; return 1 if a breach exists."""
    found = find_breaches()
    for each in found:
        print(each)
    print(f"house: {len(found)} breaches" if found else "house: in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
