"""Compare the targets of another commit and of this tree, as ratios: ``make bench-compare OLD=COMMIT``.

    python tools/bench_compare.py COMMIT [--ruleset RULESET] [--rounds 5] [--only WORDS] [--parts PARTS]

The other commit is checked out into a temporary folder. The rows of this tree measure both trees in turn. Rows that the
older commit does not support are named. The exit status is 1 if a row has become slower, or without any row.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SLOWER = 1.25
"""Limit for CPU time: a row with a higher ratio is slower. For wall time, the allowed excess is twice as large."""
TURNS = 2


def compare_commit(asked: argparse.Namespace) -> int:
    """Compare this tree with another commit; return 1 if a row has become slower."""
    with tempfile.TemporaryDirectory() as name:
        old = Path(name) / "old"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "--detach", "--quiet", old, asked.commit], check=True)
        try:
            return compare_trees(asked, {"old": old, "new": HERE})
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", old], check=True)


def compare_trees(asked: argparse.Namespace, trees: dict[str, Path]) -> int:
    """Compare the trees ``old`` and ``new`` in turn; return 1 if a row of the new tree is slower."""
    best: dict[str, dict[str, tuple[float, float]]] = {"old": {}, "new": {}}
    for _turn in range(TURNS):
        for which, tree in trees.items():
            words = [sys.executable, HERE / "tools/targets.py", "--json", "--root", tree, "--ruleset", asked.ruleset]
            words += ["--only", asked.only, "--rounds", asked.rounds, "--parts", asked.parts]
            for line in json.loads(subprocess.check_output([*map(str, words)], text=True)):
                cpu, wall = best[which].get(line["name"], (line["cpu"], line["wall"]))
                best[which][line["name"]] = min(cpu, line["cpu"]), min(wall, line["wall"])
    slower = 0
    print(f"| what | {asked.commit}, CPU | now | x CPU | x wall | |\n| --- | ---: | ---: | ---: | ---: | --- |")
    for name, (cpu, wall) in best["new"].items():
        if name not in best["old"]:
            print(f"| {name} | left out: {asked.commit} does not support it | | | | |")
            continue
        was, wall_was = best["old"][name]
        by_cpu, by_wall = cpu / max(was, 1e-6), wall / max(wall_was, 1e-6)
        worse = by_cpu > SLOWER or by_wall > 2 * SLOWER - 1
        slower += worse
        print(f"| {name} | {was:.3g} | {cpu:.3g} | {by_cpu:.2f} | {by_wall:.2f} | {'SLOWER' if worse else ''} |")
    return 1 if slower or not best["old"] else 0


def main() -> int:
    """Parse the arguments and compare; return 1 if a row has become slower."""
    parser = argparse.ArgumentParser(description="What has become slower since another commit.")
    parser.add_argument("commit", metavar="COMMIT")
    parser.add_argument("--ruleset", default="all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows with these words in their names")
    parser.add_argument("--parts", default="", help="of many,archives,rules,commands; all without it")
    return compare_commit(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
