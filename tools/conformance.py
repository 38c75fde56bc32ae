"""Make the cases of the conformance suite out of the finished games. ``make conformance`` runs the tool.

A case is a message of a finished game: the position, the message, the reveals and the dice, with the changes that both
players have signed. Messages that the chain alone decides (replies, a referee without dice) are no cases.

``--check``: write nothing; exit with status 1 if the files differ from the games.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from kursk_pbem.audit import conformance  # noqa: E402
from kursk_pbem.game import histories  # noqa: E402
from kursk_pbem.game.histories import Step  # noqa: E402

SUITE = ROOT / "conformance"
ASKED = ("seq", "from", "type", "choice", "waive", "orders", "policy", "decisions", "secret")
"""Fields of a message that the rules read."""


def list_cases(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the cases of a finished game."""
    history = histories.load(folder)
    head = history.steps[0].message.content
    for step in history.steps[1:]:
        if step.message.type != "reply" and not step.before.hands_on:
            yield make_case(f"{folder.parent.name}/{folder.name}/{step.message.seq}", head, step)


def make_case(name: str, head: dict[str, Any], step: Step) -> dict[str, Any]:
    """Return the case of a message. ``head``: message 0."""
    result, content = step.result, step.message.content
    if result is None:
        raise AssertionError(f"{name} has no result")
    question = {
        "id": name,
        "system": head["ruleset"]["id"],
        "level": "play",
        "since": f"adjudication {head['ruleset']['version']}",
        "scenario": head["scenario"],
        "options": head["options"],
        "dice-from": head["dice-from"],
        "position": result.before.to_plain(),
        "message": {key: content[key] for key in ASKED if key in content},
        "reveal": dict(step.after.chain.reveals),
        "dice": dict(result.dice),
        "rules": sorted({event.rule for event in result.events}),
    }
    return {**question, "expect": conformance.describe_result(question, result)}


def make_files() -> dict[Path, str]:
    """Return the lines of each file of cases."""
    files: dict[Path, str] = {}
    for system in sorted(path for path in (ROOT / "tests" / "games").iterdir() if (path / "referee").is_dir()):
        cases = [case for folder in sorted(system.iterdir()) if folder.is_dir() for case in list_cases(folder)]
        lines = [json.dumps(case, sort_keys=True, separators=(",", ":")) for case in cases]
        files[SUITE / system.name / "games.jsonl.gz"] = "".join(f"{line}\n" for line in lines)
    return files


def read_file(path: Path) -> str:
    """Return the unpacked lines of a file of cases; '' without a file."""
    return gzip.decompress(path.read_bytes()).decode("ascii") if path.exists() else ""


def main(arguments: list[str]) -> int:
    """Write or check the files; print the number of cases and of paragraphs of each system."""
    status = 0
    for path, text in make_files().items():
        if text != read_file(path):
            status = 1
            if "--check" not in arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(gzip.compress(text.encode("ascii"), mtime=0))
        cases = [json.loads(line) for line in text.splitlines()]
        rules = {rule for case in cases for rule in case["rules"]}
        print(f"{path.parent.name}: {len(cases)} cases, {len(rules)} paragraphs")
    return status if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
