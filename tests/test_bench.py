"""make bench measures every row, and make bench-compare names the rows that became slower, and no others."""

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import registry

ROOT = Path(__file__).parents[1]
MOVEMENT = "kursk_pbem/rulesets/battle_for_kursk/movement.py"


@pytest.fixture
def tool(monkeypatch):
    """Return a function to load a module of the tools by name."""
    monkeypatch.setattr(sys, "argv", ["bench"])
    monkeypatch.setattr(sys, "path", [str(ROOT / "tools"), *sys.path])

    def load(name):
        spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.mark.long
@pytest.mark.parametrize("waste", ["sleep(0.002)", "sum(range(10_000))"], ids=["waits", "works"])
def test_a_rule_that_became_slower_is_named(tool, tmp_path, capsys, waste):
    slow = tmp_path / "slow"
    shutil.copytree(ROOT / "kursk_pbem", slow / "kursk_pbem", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("tests", "schemas", "scenarios", "docs"):
        (slow / name).symlink_to(ROOT / name)
    path = slow / MOVEMENT
    found = "    return ways.find_reach(make_march(pos, uid, how))\n"
    assert path.read_text("ascii").count(found) == 1
    wasted = f"    from time import sleep  # noqa\n    {waste}\n{found}"
    path.write_text(path.read_text("ascii").replace(found, wasted), "ascii")
    asked = argparse.Namespace(ruleset="battle-for-kursk", only="kursk: reach", rounds=2, parts="rules", commit="HEAD")
    assert tool("bench_compare").compare_trees(asked, {"old": ROOT, "new": slow}) == 1
    assert "SLOWER" in capsys.readouterr().out


@pytest.mark.parametrize(("cpu", "wall", "slower"), [(1.3, 1.3, 1), (1.2, 1.2, 0), (1.0, 1.6, 1), (0.5, 1.4, 0)])
def test_slower_is_a_quarter_more_cpu_or_half_as_much_again_on_the_clock(tool, capsys, monkeypatch, cpu, wall, slower):
    compare = tool("bench_compare")

    old, new = [{"name": "a row", "cpu": 1.0, "wall": 1.0}], [{"name": "a row", "cpu": cpu, "wall": wall}]
    assert compare_rows(compare, monkeypatch, old, new) == slower
    assert ("SLOWER" in capsys.readouterr().out) == bool(slower)


def compare_rows(compare, monkeypatch, old, new):
    """Compare two trees with the given rows; return the exit status."""
    measured = SimpleNamespace(check_output=lambda words, **_how: json.dumps(new if "new" in words else old))
    monkeypatch.setattr(compare, "subprocess", measured)
    asked = argparse.Namespace(ruleset="all", only="", rounds=2, parts="", commit="HEAD~9")
    return compare.compare_trees(asked, {"old": "old", "new": "new"})


def test_a_row_that_the_other_commit_lacks_is_named_and_nothing_to_compare_fails(tool, capsys, monkeypatch):
    old, new = ({"name": name, "cpu": 1.0, "wall": 1.0} for name in ("an old row", "a new row"))
    compare = tool("bench_compare")
    assert compare_rows(compare, monkeypatch, [old], [old, new]) == 0
    assert "| a new row | left out: HEAD~9 does not support it |" in capsys.readouterr().out
    assert compare_rows(compare, monkeypatch, [], [new]) == 1


@pytest.mark.parametrize("page", [False, True])
def test_a_missed_target_is_said_and_a_peer_has_no_target(tool, capsys, page):
    targets = tool("targets")
    rows = [
        targets.Row("quick", 1.0, lambda: (0.5, 0.6), lambda: (0.5, 0.5)),
        targets.Row("slow", 1.0, lambda: (2.0, 2.1), lambda: (0.5, 0.5)),
        targets.Row("a peer", 0, lambda: (2.0, 2.1), lambda: (0.5, 0.5)),
    ]
    assert all(row.measure() for row in rows)
    targets.print_table([row.summarize() for row in rows], page=page)
    lines = capsys.readouterr().out.splitlines()[-5:]
    assert len({line.count("|") for line in lines}) == 1
    assert [line.split("|")[-2].strip() for line in lines[2:]] == ["met", "MISSED", ""]


GONE = {
    "armor-commander: who sees whom": "rulesets.armor_commander.position.Field.can_see",
    "kursk-1971: reach of a unit": "rulesets.kursk_1971.seen.outlook.find_reach",
    "juggernauts: reach of a unit": "rulesets.juggernauts.movement.find_ends",
    "a short game": "audit.verify.verify_game",
}
"""Beginning of a row -> the function that the row measures."""


@pytest.fixture
def measure(monkeypatch, capsys):
    """Return a function that measures the rows of a system; it returns their names, and the errors."""

    def run(targets, system="battle-for-kursk"):
        monkeypatch.setattr(sys, "argv", ["targets", "--json", "--rounds", "1", "--ruleset", system])
        assert targets.main() == 0
        said = capsys.readouterr()
        return [line["name"] for line in json.loads(said.out)], said.err

    return run


@pytest.mark.some(2)
@pytest.mark.parametrize("row", GONE)
def test_a_row_whose_function_is_gone_fails_and_is_left_out_of_another_tree(tool, measure, monkeypatch, tmp_path, row):
    """In November 2026 four rows were measured no more, because functions had new names."""
    targets, system = tool("targets"), row.partition(":")[0]
    part = "rules" if system in registry.KITS else "many"
    other = targets.Row("another", 1, lambda: (0.5, 0.5), lambda: (0.5, 0.5))
    monkeypatch.setattr(targets, "PARTS", {part: targets.PARTS[part], "other": lambda _kit, _folder: [other]})
    monkeypatch.delattr(f"kursk_pbem.{GONE[row]}")
    given = (targets, *([system] if part == "rules" else []))
    with pytest.raises(Exception, match=GONE[row].rpartition(".")[2]):
        measure(*given)
    monkeypatch.setattr(targets, "HERE", tmp_path)
    names, errors = measure(*given)
    assert "another" in names
    assert not [name for name in names if name.startswith(row)]
    assert "is left out: " in errors


def test_a_command_that_another_tree_refuses_is_left_out_by_name(tool, measure, monkeypatch, tmp_path):
    """The program of that tree runs, not the program of the current folder."""
    (tmp_path / "kursk_pbem").mkdir()
    (tmp_path / "kursk_pbem/__init__.py").touch()
    main = "import sys\n\n\ndef main():\n    sys.exit('old' not in sys.argv)\n"
    (tmp_path / "kursk_pbem/cli.py").write_text(main, "ascii")
    targets = tool("targets")

    def make_rows(_kit, _folder):
        for word in ("old", "new"):
            yield targets.Row(word, 1, targets.time_process([*targets.KURSK, word]), targets.BARE)

    monkeypatch.setattr(targets, "PARTS", {"some": make_rows})
    with pytest.raises(AssertionError, match="'old'"):
        measure(targets)
    monkeypatch.setattr(targets, "ROOT", tmp_path)
    names, errors = measure(targets)
    assert names == ["old"]
    assert "new is left out: AssertionError" in errors


@pytest.mark.parametrize("name", ["targets", "bench_compare"])
def test_the_tools_say_what_they_take(name):
    words = [sys.executable, ROOT / f"tools/{name}.py", "--help"]
    assert "--only ONLY" in subprocess.run(words, capture_output=True, check=True, text=True).stdout
