"""The names in CONTRIBUTING.md, docs/recipes.md and docs/architecture.md exist: files, functions, classes, tables."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("CONTRIBUTING.md", "docs/recipes.md", "docs/architecture.md")
FILLED = {"<id>": "battle_for_kursk", "<ruleset>": "battle-for-kursk", "<name>": "citadel"}
"""Examples for the placeholders of a page."""
TEMPLATE = ROOT / "kursk_pbem" / "_template"
HILL = TEMPLATE / "ridge_toy" / "scenarios" / "ridge-toy" / "hill"
BASES = (
    *(ROOT, ROOT / "docs", ROOT / "kursk_pbem", ROOT / "kursk_pbem" / "rulesets" / "battle_for_kursk"),
    *(TEMPLATE, TEMPLATE / "ridge_toy", HILL),
)
"""The folders for relative paths in a page."""
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
A_CITATION = re.compile(r"\b[Dd]ecisions?(?: |/0*)((?:[1-9][0-9]*(?:, | and )?)+)")
A_PATH = re.compile(r"[\w./-]+(?:/|\.(?:py|md|ya?ml|json|toml|txt))")
A_MEMBER = re.compile(r"([a-z]\w+)\.(\w+)(?:\(.*\))?")
A_NAME = re.compile(r"[A-Z]\w+(?:\(.*\))?")
NO_NAME_OF_OURS = {"TYPE_CHECKING", "None"}


def find_spans(page):
    """Return all code spans of a page, with placeholders filled in."""
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for word, value in FILLED.items():
        text = text.replace(word, value)
    return re.findall(r"`([^`]+)`", text)


def list_texts():
    """Return the texts of the sources, without generated folders and scenario data."""
    for name in ("app", "docs", "kursk_pbem", "schemas", "tests", "tools", "conformance"):
        for path in (ROOT / name).rglob("*"):
            if (
                path.suffix in (".py", ".md", ".yml", ".js", ".html", ".css", ".toml")
                and "node_modules" not in path.parts
            ):
                yield path
    yield from (ROOT / name for name in ("CONTRIBUTING.md", "README.md", "SECURITY.md", "Makefile", "pyproject.toml"))


@cache
def find_defined(path):
    """Return the functions, classes, tables, methods and fields defined in a module."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                found |= {each.id} if isinstance(each, ast.Name) else set()
                found |= {each.attr} if isinstance(each, ast.Attribute) else set()
    return found


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def list_modules():
    folders = (ROOT / "kursk_pbem", ROOT / "tests" / "helpers", ROOT / "tests" / "rulesets" / "battle_for_kursk")
    return [path for folder in folders for path in folder.rglob("*.py")]


def is_defined(name):
    """Return whether a module defines a name. Modules with a likely definition are read first."""
    begins = re.compile(rf"(class|def) {name}\b|^\s*{name}\b.*[:=]", re.MULTILINE)
    held = [path for path in list_modules() if name in text_of(path)]
    return any(
        name in find_defined(path) for path in sorted(held, key=lambda path: begins.search(text_of(path)) is None)
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = [span for span in find_spans(page) if A_PATH.fullmatch(span)]
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert len(paths) > (5 if page == "CONTRIBUTING.md" else 30)
    assert [path for path in paths if not any((base / path).exists() for base in BASES)] == []
    assert [link for link in links if not ((ROOT / page).parent / link).is_file()] == []


@pytest.mark.parametrize(
    ("page", "least"), [("CONTRIBUTING.md", 3), ("docs/recipes.md", 6), ("docs/architecture.md", 10)]
)
def test_every_function_that_is_named_by_its_module_exists(page, least):
    members = [
        found.groups() for span in find_spans(page) if not A_PATH.fullmatch(span) if (found := A_MEMBER.fullmatch(span))
    ]
    assert len(members) >= least
    named = {module for module, _name in members}
    known = {(path.stem, name) for path in list_modules() if path.stem in named for name in find_defined(path)}
    known |= {(path.stem, "js") for path in (ROOT / "kursk_pbem" / "board" / "static").glob("*.js")}
    assert [f"{module}.{name}" for module, name in members if (module, name) not in known] == []


@pytest.mark.parametrize(("page", "least"), [("docs/recipes.md", 20), ("docs/architecture.md", 20)])
def test_every_class_and_table_that_is_named_exists(page, least):
    names = [span.partition("(")[0] for span in find_spans(page) if A_NAME.fullmatch(span)]
    assert len(names) >= least
    assert [name for name in names if name not in NO_NAME_OF_OURS and not is_defined(name)] == []


def test_the_table_names_what_its_files_define():
    """Each row names a file, and functions, classes or tables in the file."""
    section = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8").split("## Where is", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    assert len(rows) >= 20
    for _what, file, names in rows:
        missing = set(re.findall("`([^`]+)`", names)) - find_defined(ROOT / file.strip("`"))
        assert missing == set(), file
    for asked in (
        "9.3 Stand Fast",
        "where a die is made",
        "where a stage is declared",
        "where an option is declared",
        "where an event is put into words",
    ):
        assert any(f"**{asked}**" in what for what, *_rest in rows), asked


def test_every_file_that_a_decision_names_exists():
    found = [
        (path.name, span)
        for path in DECISIONS
        for span in re.findall("`([^`]+)`", path.read_text(encoding="utf-8"))
        if A_PATH.fullmatch(span) and "/" in span.rstrip("/")
    ]
    assert len(found) > 15
    assert [each for each in found if not any((base / each[1]).exists() for base in BASES)] == []


def test_every_decision_is_listed_under_its_title():
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\* ([0-9]+): \[(.*?)\]\((.*?)\)$", index, re.MULTILINE)
    titles = [(path.read_text(encoding="utf-8").split("\n")[0], path.name) for path in DECISIONS]
    assert sorted((f"# {number}. {title}", file) for number, title, file in listed) == sorted(titles)
    assert len(titles) <= 40


def test_nothing_cites_a_decision_that_is_gone():
    kept = {int(path.name[:4]) for path in DECISIONS}
    cited = {
        (path.relative_to(ROOT).as_posix(), int(number))
        for path in list_texts()
        for numbers in A_CITATION.findall(path.read_text(encoding="utf-8"))
        for number in re.findall("[0-9]+", numbers)
    }
    assert len(cited) > 30
    assert {each for each in cited if each[1] not in kept} == set()
