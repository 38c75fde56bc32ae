"""Make cases of the conformance suite out of the rule tests: positions and messages that the tests adjudicate.

python tools/conformance_rules.py [--check] [RULESET ...]

The tool runs the tests of a ruleset, and keeps the last messages that each test adjudicates: illegal messages become
cases of level judge, legal messages become cases of level play. No case is made of a message with an option, with other
than shipped scenario data, or in a position that no game reaches: the case would not say what the test saw. Neither is
a message that equals another case up to position and wording, such as the empty message without its seal. ``--check``
writes nothing; the exit status is 1 if a file differs from the tests.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import suite_files  # noqa: E402
from helpers import registry  # noqa: E402

from kursk_pbem.audit import conformance  # noqa: E402
from kursk_pbem.game import entropy, questions  # noqa: E402
from kursk_pbem.kernel import adjudicate as kernel  # noqa: E402
from kursk_pbem.kernel.adjudicate import Adjudication  # noqa: E402
from kursk_pbem.rulesets import ruleset as find_ruleset  # noqa: E402

KEPT = 2
"""Maximum number of cases of a level from one test."""
RANDOM = ("random", "freshness", "properties", "ideas", "hostile", "bench", "chances", "outdated")
"""Parts of names of test files whose positions are random or foreign to the rules."""
PARTS = ("choice", "orders", "policy", "decisions", "secret")


class Recorder:
    """A pytest plugin that records adjudications. ``cases``: (test, level) -> cases, each with setting and result."""

    def __init__(self) -> None:
        self.cases: dict[tuple[str, str], list[tuple[dict[str, Any], Any, Adjudication]]] = {}
        self.test = ""
        self.real = kernel.adjudicate

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out random and long tests."""
        items[:] = [
            item
            for item in items
            if not getattr(item.function, "is_hypothesis_test", False) and not item.get_closest_marker("long")
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, Any, Any]:
        """Run a test with fixed random bytes, so that the cases are always the same."""
        with entropy.fix_random_bytes(item.nodeid):
            return (yield)

    def pytest_runtest_setup(self, item: Any) -> None:
        """Remember the test."""
        self.test = f"{Path(item.fspath).stem}/{item.name}"

    def adjudicate(self, ruleset: Any, setting: Any, before: Any, filing: Any, dice: Any) -> Adjudication:
        """Adjudicate, and record the message."""
        result = self.real(ruleset, setting, before, filing, dice)
        level = "play" if result.legal else "judge"
        kept = self.cases.setdefault((self.test, level), [])
        case = make_case(ruleset, setting, filing, result, level)
        if case not in (other for other, *_rest in kept):
            kept.append((case, setting, result))
        return result


def make_case(ruleset: Any, setting: Any, filing: Any, result: Adjudication, level: str) -> dict[str, Any]:
    """Return the case of an adjudicated message, still without an id and an expectation."""
    message: dict[str, Any] = {"seq": str(filing.seq), "from": filing.writer}
    message["type"] = "resign" if filing.resigns else "turn"
    message |= {part: getattr(filing, part) for part in PARTS if getattr(filing, part)}
    if filing.waive:
        message["waive"] = filing.waive
    rules = {event.rule for event in result.events} | {fault.rule for fault in result.violations}
    return {
        "system": ruleset.id,
        "level": level,
        "since": f"adjudication {ruleset.version}",
        "scenario": {"id": setting.scenario.id, "sha256": setting.scenario.sha256},
        "options": {},
        "dice-from": "referee" if setting.refereed else "players",
        "position": result.before.to_plain(),
        "message": message,
        "reveal": dict(filing.reveal),
        "dice": dict(result.dice),
        "rules": sorted(rules),
    }


def replace_function(old: Any, new: Any) -> None:
    """Replace a function in every loaded module; modules that a test loads later import from the kernel."""
    for module in [*sys.modules.values()]:
        if vars(module).get("adjudicate") == old:
            module.adjudicate = new  # type: ignore[attr-defined]


def record_tests(system: str) -> Recorder:
    """Run the tests of a ruleset and return the recorder."""
    recorder = Recorder()
    replace_function(recorder.real, recorder.adjudicate)
    folder = ROOT / "tests" / "rulesets" / system.replace("-", "_")
    files = [str(path) for path in sorted(folder.glob("test_*.py")) if not any(word in path.stem for word in RANDOM)]
    pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *files], plugins=[recorder])
    replace_function(recorder.adjudicate, recorder.real)
    return recorder


def list_cases(recorder: Recorder) -> list[dict[str, Any]]:
    """Return the cases that say what their tests have seen: the last cases of each test and level."""
    return [
        {**case, "id": f"{case['system']}/{test}/{level}-{number}", "expect": said}
        for (test, level), cases in sorted(recorder.cases.items())
        for number, (case, said) in enumerate([*answer_cases(cases)][-KEPT:], 1)
    ]


def answer_cases(cases: Iterable[tuple[dict[str, Any], Any, Adjudication]]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield cases with the answers of our runner, if data, position and result are those of the test."""
    for case, setting, result in cases:
        said = conformance.answer_question(json.loads(json.dumps(case))).get("answer")
        if said is None or find_changed_data(questions.load_setting(case), setting):
            continue
        breaches = find_ruleset(case["system"]).play.invariants(setting, result.before)
        seen = questions.describe_result(case, result) if result.legal else questions.describe_faults(result)
        if not breaches and json.loads(json.dumps(seen)) == said:
            yield case, said


def find_changed_data(loaded: Any, setting: Any) -> list[str]:
    """Return the fields of a setting that differ from those that its scenario loads without options."""
    names = [field.name for field in fields(loaded) if field.name != "board"]  # boards are equal by identity
    changed = [name for name in names if getattr(loaded, name) != getattr(setting, name)]
    return changed + ["data"] * (loaded.scenario.data != setting.scenario.data)  # scenarios are equal by id


def main(arguments: list[str]) -> int:
    """Write or check the files of the systems."""
    check, status = "--check" in arguments, 0
    for system in [word for word in arguments if word != "--check"] or sorted(registry.KITS):
        others = [case for name in ("hand", "games") for case in suite_files.read_cases(f"{system}/{name}")]
        own = [case for case in list_cases(record_tests(system)) if case["system"] == system]
        cases = [*suite_files.drop_equal(own, others)]
        same = suite_files.save_cases(f"{system}/rules", cases, check=check)
        status |= check and not same
    return int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
