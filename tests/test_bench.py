"""make bench-compare names the rules that became slower, and no others."""

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]
MOVEMENT = "kursk_pbem/rulesets/battle_for_kursk/movement.py"


@pytest.fixture
def tool(monkeypatch):
    """Return a function to load a module of the tools by name."""
    monkeypatch.setattr(sys, "argv", ["bench"])
    monkeypatch.setattr(sys, "path", [*sys.path])

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

    def measured(words, **_how):
        took = {"cpu": cpu, "wall": wall} if "new" in words else {"cpu": 1.0, "wall": 1.0}
        return SimpleNamespace(stdout=json.dumps([{"name": "a row", **took}]))

    monkeypatch.setattr(compare, "subprocess", SimpleNamespace(run=measured))
    asked = argparse.Namespace(ruleset="all", only="", rounds=2, parts="", commit="HEAD")
    assert compare.compare_trees(asked, {"old": "old", "new": "new"}) == slower
    assert ("SLOWER" in capsys.readouterr().out) == bool(slower)


def test_a_missed_target_is_said_and_a_ratio_may_meet_it(tool, capsys):
    targets = tool("targets")
    took = {"quick": (0.5, 0.6), "slow": (2.0, 2.1), "slow, but near its floor": (2.0, 2.1)}
    rows = [targets.Row(name, 1.0, lambda s=sample: s, lambda: (0.5, 0.5)) for name, sample in took.items()]
    rows[2].ratio = 4.5
    for row in rows:
        row.measure()
    targets.print_table([row.summarize() for row in rows])
    ends = [line.split("|")[-2].strip() for line in capsys.readouterr().out.splitlines()[2:]]
    assert ends == ["met", "MISSED", "met"]


@pytest.mark.parametrize("name", ["targets", "bench_compare"])
def test_the_tools_say_what_they_take(name):
    words = [sys.executable, ROOT / f"tools/{name}.py", "--help"]
    assert "--only ONLY" in subprocess.run(words, capture_output=True, check=True, text=True).stdout
