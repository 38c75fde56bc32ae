"""Check the house rules that ruff and mypy do not know: sizes, words of pages, circular imports.

python tools/house.py          print each breach as ``file:line: text``; exit with status 1 if a breach exists
python tools/house.py --rooms  print a new table ROOMS: the present sizes and 3 % more

The size of a function or file is counted in statements, the size of a room or page of the board in lines, the size of
a page of documentation in words, as ``wc -w`` counts. A limit is a promise to the reader of the code: only a decision
in docs/decisions raises a limit.
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
FUNCTION, NODES = 40, 600
"""Maximum number of statements of a function, including the function, without docstrings, and of nodes of its tree."""
PAGES = {".js": 200, ".css": 320, ".html": 70}
"""Maximum number of lines of a script, a style or a template."""
LONG_PAGES = {"kursk_pbem/board/static/board.css": 467}
"""Maximum number of lines of the common style of the pages."""
WIDTH = {".js": 120, ".css": 120}
"""Maximum number of columns. Templates have no maximum, because the text of a page decides."""
LONG_FUNCTIONS = {"kursk_pbem/formats/strictyaml.py": {"consume"}}
"""The reader: a loop that is clearer as a whole."""
FILES = {"kursk_pbem": 250, "tests": 290, "tools": 250}
"""Maximum number of statements of a file, by folder."""
LONG_FILES = {"tests/trust/second_auditor.py", "tools/fuzz_adjudicate.py"}
"""A program that is independent of the package and read as a whole; a table of wrong orders."""
MODULES = 25
"""Maximum number of modules of a folder of the package."""
ROOMS = {
    "kursk_pbem": 101_232,  # the end that goes back; cards; news in letters; large functions in parts; unreadable files
    "kursk_pbem/audit": 4_432,  # cards: one reader and one writer of cases
    "kursk_pbem/board": 1_837,
    "kursk_pbem/cli": 8_954,  # the days of a round by figures; conformance show; refusals that name a command
    "kursk_pbem/demo": 624,
    "kursk_pbem/desk": 12_680,  # refusals without a record, restored referees, advice; large functions in parts
    "kursk_pbem/film": 353,
    "kursk_pbem/formats": 2_310,
    "kursk_pbem/game": 5_005,  # a desk that supplies messages, forfeits, blocks; unreadable kinds of files
    "kursk_pbem/kernel": 7_830,
    "kursk_pbem/post": 8_749,  # returned letters, all folders, providers, clocks; news; unreadable kinds of files
    "kursk_pbem/practice": 4_000,  # a German who chooses a posture
    "kursk_pbem/report": 5_337,  # large functions in parts
    "kursk_pbem/rulebook": 670,  # mails and weeks of a game
    "kursk_pbem/rulesets": 22_147,
    "kursk_pbem/testing": 344,
    "kursk_pbem/tournament": 10_563,  # letters with news: own results first, late entrants, byes, finals, winners
    "kursk_pbem/trust": 3_683,  # unreadable kinds of files; one verdict on a changed position
    "tests": 100_811,  # rules of four systems are on cards; accounts, clocks, new addresses, files beside a game
    "tests/helpers": 7_755,
    "tests/rulesets/armor_commander": 3_785,
    "tests/rulesets/battle_for_kursk": 8_064,
    "tests/rulesets/juggernauts": 5_403,
    "tests/rulesets/kursk_1971": 4_701,
    "tools": 8_203,  # a hash of what decides, functions by nodes
}
"""Maximum number of lines of Python of a room. A room may grow by 3 % before a decision raises its number."""
_TWO = re.compile(r"[{;}][^{;}]*[^\s{;}]")  # text after the first brace or semicolon of a line
_IMPORT = re.compile(r'^import [^"]*"\./([^"]+)";$', re.MULTILINE)
PAGE = 1_000
"""Maximum number of words of a page without a number of its own."""
WORDS = {
    "CONTRIBUTING.md": 1_500,
    "README.md": 900,
    "SECURITY.md": 400,
    "docs/agents.md": 1_200,
    "docs/architecture.md": 2_100,
    "docs/auditors.md": 6_400,  # the faults of things, for all commands
    "docs/counts.md": 1_500,
    "docs/directors.md": 4_200,
    "docs/formats.md": 5_370,
    "docs/games/armor-commander.md": 1_100,
    "docs/games/battle-for-kursk.md": 1_500,
    "docs/games/juggernauts.md": 1_650,
    "docs/balance.md": 1_100,  # the tables that make balance writes
    "docs/games/kursk-1971.md": 1_200,
    "docs/performance.md": 1_350,
    "docs/players.md": 4_500,
    "docs/practice-games.md": 2_220,
    "docs/practice.md": 2_250,  # the tables that make practice writes
    "docs/recipes.md": 1_450,
    "docs/referees.md": 1_200,
}
"""Maximum number of words of a page, code included, as ``wc -w`` counts. Rulings and decisions have no maximum."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
REMEDY = "shorten it, or raise its row of {} in tools/house.py by a decision in docs/decisions"


def list_modules(folder: Path) -> list[Path]:
    """Return the modules below a folder."""
    return sorted(folder.rglob("*.py"))


def count_statements(tree: ast.AST) -> int:
    """Count the statements of a tree without docstrings. The layout of the code has no influence."""
    counted = (node for node in ast.walk(tree) if isinstance(node, ast.stmt))
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in counted)


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
        if name.startswith("kursk_pbem/") and (nodes := sum(1 for _node in ast.walk(node))) > NODES:
            yield f"{name}:{node.lineno}: {node.name} has {nodes} nodes in its syntax tree, at most {NODES}"


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
    for path in sorted(path for folder in ("", "docs", "docs/games", "tests") for path in (root / folder).glob("*.md")):
        name, long = path.relative_to(root).as_posix(), len(path.read_text(encoding="utf-8").split())
        if long > (most := WORDS.get(name, PAGE)):
            yield f"{name}:1: the page has {long} words, at most {most}: {REMEDY.format('WORDS')}"


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


def measure_room(root: Path, room: str) -> int:
    """Return the number of lines of Python of a room."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in list_modules(root / room))


def find_full_rooms(root: Path) -> Iterator[str]:
    """Yield the rooms that exceed their budget."""
    for room, most in ROOMS.items():
        if (long := measure_room(root, room)) > most:
            text = f"the room, with all folders below, has {long} lines, at most {most}"
            yield f"{room}:1: {text}: {REMEDY.format('ROOMS')}"


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
        find_full_rooms,
        find_circles,
        find_long_pages,
        find_wordy_pages,
        find_script_circles,
    )
    return [*found, *(each for look in looks for each in look(root))]


def main() -> int:
    """Print the breaches; return 1 if a breach exists. With ``--rooms`` print a new table ROOMS."""
    if sys.argv[1:] == ["--rooms"]:
        print("".join(f'    "{room}": {measure_room(ROOT, room) * 103 // 100:_},\n' for room in ROOMS), end="")
        return 0
    found = find_breaches()
    for each in found:
        print(each)
    print(f"house: {len(found)} breaches" if found else "house: in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
