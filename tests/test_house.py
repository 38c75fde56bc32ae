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
    """Return a small package in order, at every limit."""
    systems = ("rulesets/battle_for_kursk", "rulesets/juggernauts", "rulesets/other")
    folders = ("kernel/hexes", "kernel/account", *systems, "formats")
    for folder in folders:
        (tmp_path / "kursk_pbem" / folder).mkdir(parents=True)
    for part in ("kernel", "rulesets", *folders):
        (tmp_path / "kursk_pbem" / part / "__init__.py").touch()
    for folder in ("tests", "tools"):
        (tmp_path / folder).mkdir()
    return tmp_path


def write(root, file, text):
    (root / file).write_text(text, encoding="utf-8")


def make_function(size, name="f"):
    """Return a function of ``size`` statements."""
    return f"def {name}():\n" + "    pass\n" * (size - 1)


def indent_lines(text):
    return "".join(f"    {line}\n" for line in text.splitlines())


def fill(root, folder, size):
    """Write ``size`` statements in files of allowed length; blank lines and comments do not count."""
    (root / folder).mkdir(exist_ok=True)
    for number in range(0, size, 250):
        write(root, f"{folder}/m{number}.py", "# not counted\n\n" + "pass\n" * min(250, size - number))


def test_what_is_at_its_limit_is_in_order(root):
    write(root, "kursk_pbem/formats/strictyaml.py", make_function(80, "consume"))
    write(root, "kursk_pbem/formats/text.py", make_function(40) + "@x(\n  1,\n)\n" + make_function(40, "g"))
    write(root, "kursk_pbem/formats/long.py", "pass\n" * 250)
    write(root, "tests/long.py", "pass\n" * 290)
    write(root, "kursk_pbem/formats/text.js", 'import { y } from "./other.js";\n' + "x();\n" * 199)
    write(root, "kursk_pbem/formats/other.js", "/" * 120)
    write(root, "kursk_pbem/formats/text.css", "p {\n  margin: 0;\n}\n" * 83)
    write(root, "kursk_pbem/formats/text.html", "<p>\n" * 70)
    fill(root, "kursk_pbem/kernel", house.SPINE)
    fill(root, "kursk_pbem/kernel/hexes", house.HEXES)
    fill(root, "kursk_pbem/kernel/account", house.ACCOUNT)
    fill(root, "kursk_pbem/rulesets/juggernauts", house.LONG_RULES["juggernauts"])
    fill(root, "kursk_pbem/rulesets/other", house.RULES)
    fill(root, "kursk_pbem/rulesets/other/seen", house.SEEN)
    assert house.find_breaches(root) == []


@pytest.mark.parametrize(
    ("file", "text", "line", "words"),
    [
        ("kursk_pbem/formats/text.py", make_function(41), 1, "f has 41 statements"),
        ("kursk_pbem/formats/text.py", "class A:\n" + indent_lines(make_function(41)), 2, "f has 41 statements"),
        ("kursk_pbem/formats/text.py", make_function(41, "consume"), 1, "consume has 41 statements"),
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
        ("README.md", "```\nkursk sign\n```\n" + "A word, - " * 451, 1, "the page has 902 words"),
    ],
)
def test_a_breach_is_named_with_its_line(root, file, text, line, words):
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


@pytest.mark.parametrize(
    ("part", "size"),
    [
        ("kernel", house.SPINE + 1),
        ("kernel/hexes", house.HEXES + 1),
        ("kernel/hexes/usual", house.USUAL + 1),
        ("kernel/account", house.ACCOUNT + 1),
        ("rulesets/juggernauts", house.LONG_RULES["juggernauts"] + 1),
        ("rulesets/battle_for_kursk/seen", house.LONG_SEEN["battle_for_kursk"] + 1),
        ("rulesets/other", house.RULES + 1),
        ("rulesets/other/seen", house.SEEN + 1),
    ],
)
def test_a_part_that_has_grown_too_long_is_named(root, part, size):
    fill(root, f"kursk_pbem/{part}", size)
    (found,) = house.find_breaches(root)
    assert f"all of {part} has {size} statements, at most {size - 1}" in found


@pytest.mark.parametrize("system", house.LINES)
def test_rules_that_are_too_long_to_be_read_are_named(root, system):
    """Blank lines and docstrings count, too; the folder ``seen`` does not count."""
    rules, most = f"kursk_pbem/rulesets/{system}", house.LINES[system]
    (root / rules / "seen").mkdir(parents=True)
    write(root, f"{rules}/seen/many.py", "\n" * (most + 1))
    write(root, f"{rules}/many.py", "\n" * most)
    assert house.find_breaches(root) == []
    write(root, f"{rules}/more.py", '"""More."""\n')
    assert house.find_breaches(root) == [f"{rules}/__init__.py:1: the rules have {most + 1} lines, at most {most}"]


def test_a_room_that_has_outgrown_its_budget_is_named(root):
    most = house.ROOMS["kursk_pbem/board"]
    (root / "kursk_pbem" / "board").mkdir()
    write(root, "kursk_pbem/board/many.py", "\n" * (most + 1))
    assert house.find_breaches(root) == [
        f"kursk_pbem/board/__init__.py:1: the room has {most + 1} lines, at most {most}"
    ]


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


def test_the_table_top_is_counted_by_itself(root):
    """The table top does not belong to the spine and has its own limit."""
    write(root, "kursk_pbem/formats/text.js", 'import { y } from "./other.js";\n' + "x();\n" * 199)
    write(root, "kursk_pbem/formats/other.js", "/" * 120)
    write(root, "kursk_pbem/formats/text.css", "p {\n  margin: 0;\n}\n" * 83)
    write(root, "kursk_pbem/formats/text.html", "<p>\n" * 70)
    fill(root, "kursk_pbem/kernel", house.SPINE)
    write(root, "kursk_pbem/kernel/plane.py", "pass\n" * house.PLANE)
    assert house.find_breaches(root) == []
    write(root, "kursk_pbem/kernel/plane.py", "pass\n" * (house.PLANE + 1))
    assert [each for each in house.find_breaches(root) if "kernel/plane has" in each]
