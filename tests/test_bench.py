"""make bench-compare: a rule that became slower is named, and one that did not is not."""

import argparse
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools/targets.py"
MOVEMENT = "kursk_pbem/rulesets/battle_for_kursk/movement.py"


@pytest.fixture
def targets(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["targets.py"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = importlib.util.spec_from_file_location("targets", TOOL)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "targets", module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("waste", ["sleep(0.002)", "sum(range(100_000))"], ids=["waits", "works"])
def test_a_rule_that_became_slower_is_named(targets, tmp_path, capsys, waste):
    slow = tmp_path / "slow"
    shutil.copytree(ROOT / "kursk_pbem", slow / "kursk_pbem", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("tests", "schemas", "scenarios", "docs"):
        (slow / name).symlink_to(ROOT / name)
    path = slow / MOVEMENT
    found = "    return ways.reach(march(pos, uid, how))\n"
    assert path.read_text("ascii").count(found) == 1
    wasted = f"    from time import sleep  # noqa\n    {waste}\n{found}"
    path.write_text(path.read_text("ascii").replace(found, wasted), "ascii")
    asked = argparse.Namespace(ruleset="battle-for-kursk", only="kursk: reach", rounds=2, parts="rules", compare="HEAD")
    assert targets._compare(asked, {"old": ROOT, "new": slow}) == 1
    assert "SLOWER" in capsys.readouterr().out


def test_a_missed_target_is_said_and_a_ratio_may_meet_it(targets, capsys):
    took = {"quick": (0.5, 0.6), "slow": (2.0, 2.1), "slow, but near its floor": (2.0, 2.1)}
    rows = [targets.Row(name, 1.0, lambda s=sample: s, lambda: (0.5, 0.5)) for name, sample in took.items()]
    rows[2].ratio = 4.5
    for row in rows:
        row.measure()
    targets.show([row.told() for row in rows])
    ends = [line.split("|")[-2].strip() for line in capsys.readouterr().out.splitlines()[2:]]
    assert ends == ["met", "MISSED", "met"]


def test_the_tool_says_what_it_takes():
    said = subprocess.run([sys.executable, TOOL, "--help"], capture_output=True, check=True, text=True).stdout
    assert "--compare COMMIT" in said
