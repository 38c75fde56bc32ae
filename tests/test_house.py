"""tools/house.py: each limit is broken by one, in a package made for the test."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import house
from helpers import import_graph


@pytest.fixture
def root(tmp_path):
    """Return a small package in order."""
    for folder in ("kursk_pbem/formats", "tests", "tools"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "kursk_pbem" / "formats" / "__init__.py").touch()
    return tmp_path


def write(root, file, text):
    (root / file).write_text(text, encoding="utf-8")


def make_function(size, name="f"):
    """Return a function of ``size`` statements. Its docstring does not count."""
    return f"def {name}():\n    'Text.'\n" + "    pass\n" * (size - 1)


def indent_lines(text):
    return "".join(f"    {line}\n" for line in text.splitlines())


def test_what_is_at_its_limit_is_in_order(root):
    write(root, "kursk_pbem/formats/strictyaml.py", make_function(80, "consume"))
    write(root, "kursk_pbem/formats/text.py", make_function(40) + "@x(\n  1,\n)\n" + make_function(40, "g"))
    write(root, "kursk_pbem/formats/long.py", "pass\n" * 250)
    write(root, "tests/long.py", "pass\n" * 290)
    write(root, "kursk_pbem/formats/text.js", 'import { y } from "./other.js";\n' + "x();\n" * 199)
    write(root, "kursk_pbem/formats/other.js", "/" * 120)
    write(root, "kursk_pbem/formats/text.css", "p {\n  margin: 0;\n}\n" * 83)
    write(root, "kursk_pbem/formats/text.html", "<p>\n" * 70)
    write(root, "README.md", "```\n" + "word - " * (house.WORDS["README.md"] // 2 - 1) + "\n```\n")
    assert house.find_breaches(root) == []


@pytest.mark.parametrize(
    ("file", "text", "line", "words"),
    [
        ("kursk_pbem/formats/text.py", make_function(41), 1, "f has 41 statements"),
        ("kursk_pbem/formats/text.py", "class A:\n" + indent_lines(make_function(41)), 2, "f has 41 statements"),
        ("kursk_pbem/formats/text.py", make_function(41, "consume"), 1, "consume has 41 statements"),
        ("kursk_pbem/formats/text.py", f"def f():\n    return {'1 + ' * 300}1\n", 1, "f has 904 nodes"),
        ("kursk_pbem/formats/text.py", "pass\n" * 251, 1, "the file has 251 statements"),
        ("kursk_pbem/formats/text.py", "pass; " * 250 + "pass\n", 1, "the file has 251 statements"),
        ("tests/x.py", "pass\n" * 291, 1, "the file has 291 statements"),
        ("tools/x.py", "pass\n" * 251, 1, "the file has 251 statements"),
        (
            "kursk_pbem/formats/text.py",
            "x = 1\nimport kursk_pbem.formats.text\n",
            2,
            "formats/text.py -> formats/text.py",
        ),
        ("kursk_pbem/formats/text.js", "x();\n" * 201, 1, "the page has 201 lines"),
        ("kursk_pbem/formats/text.css", "\n" * 321, 1, "the page has 321 lines"),
        ("kursk_pbem/formats/text.html", "\n" * 71, 1, "the page has 71 lines"),
        ("kursk_pbem/formats/text.js", "\n" + "/" * 121, 2, "the line has 121 columns"),
        ("kursk_pbem/formats/text.css", "p {\n  margin: 0; color: red;\n}\n", 2, "one declaration a line"),
        ("kursk_pbem/formats/text.css", "p { margin: 0;\n}\n", 1, "one declaration a line"),
        ("README.md", "```\nsign\n```\n" + "- " * house.WORDS["README.md"], 1, f"at most {house.WORDS['README.md']}"),
        ("docs/other.md", "a " * (house.PAGE + 1), 1, "its row of WORDS in tools/house.py"),
    ],
)
def test_a_breach_is_named_with_its_line(root, file, text, line, words):
    (root / file).parent.mkdir(exist_ok=True)
    write(root, file, text)
    (found,) = house.find_breaches(root)
    assert found.startswith(f"{file}:{line}: ")
    assert words in found


def test_scripts_that_import_each_other_are_named(root):
    write(root, "kursk_pbem/formats/a.js", 'import { b } from "./b.js";\n')
    write(root, "kursk_pbem/formats/b.js", 'import { a } from "./a.js";\n')
    (found,) = house.find_breaches(root)
    assert found.startswith("a.js:1: ")
    assert "a.js, b.js" in found


def test_a_room_that_has_outgrown_its_budget_is_named(root):
    most = house.ROOMS["kursk_pbem/board"]
    (root / "kursk_pbem" / "board").mkdir()
    write(root, "kursk_pbem/board/many.py", "\n" * (most + 1))
    (found,) = house.find_breaches(root)
    assert found.startswith(f"kursk_pbem/board:1: the room, with all folders below, has {most + 1} lines")
    assert "ROOMS in tools/house.py" in found


def test_a_folder_in_which_one_no_longer_finds_anything_is_named(root):
    for number in range(house.MODULES):
        write(root, f"kursk_pbem/formats/m{number}.py", "")
    assert house.find_breaches(root) == []
    write(root, "kursk_pbem/formats/one_more.py", "")
    (found,) = house.find_breaches(root)
    assert found.startswith(f"kursk_pbem/formats/__init__.py:1: the folder has {house.MODULES + 1} modules")


def test_a_top_with_too_many_entries_is_named(root):
    """A visitor finds the program among files of tools, and gives up."""
    for number in range(house.TOP + 1):
        write(root, f"m{number}", "")
    assert house.find_breaches(root) == []  # not tracked
    subprocess.run(["git", "-C", root, "init", "--quiet"], check=True)
    subprocess.run(["git", "-C", root, "add", "m*"], check=True)
    assert house.find_breaches(root) == [f".:1: the top of the tree has {house.TOP + 1} entries, at most {house.TOP}"]


def test_lint_looks_at_the_house():
    makefile = (Path(house.__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    lint = makefile.partition("\nlint:")[2].partition("\n\n")[0]
    assert "tools/house.py" in lint
    assert "ruff format --check" in lint


AN_IMPORT = re.compile(r"(?:\bfrom\s+\S+\s+)?\bimport\b\s*(?:\([^)]*\)|(?:\\\n|[^\n])*)")


def test_no_test_module_is_imported_and_helpers_know_no_system():
    """Helpers are for code of two test modules; the registry is for helpers' needs of one system."""
    tests = Path(__file__).resolve().parent
    found = []
    for path in tests.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parent.name != "helpers" and not any("test_" in said for said in AN_IMPORT.findall(text)):
            continue  # most files; parsing takes seconds
        for line, module, name in import_graph.list_imports(text):
            words = f"{module}.{name}".split(".")
            system = path.parent.name == "helpers" and words[0] == "rulesets"
            if system or any(word.startswith("test_") for word in words[:-1]) or words[-1].startswith("test_"):
                found.append(f"{path.relative_to(tests).as_posix()}:{line}: {module} {name}")
    assert found == []
