"""Every case of tests/golden: turn in; report, next turn and position out, to the letter."""

import difflib

import pytest

from golden.golden_case import EXPECTED, Case, folders_of_cases
from kursk_pbem.rulesets import RULESETS

CASES = folders_of_cases()


def advice(case):
    """What to do about a difference."""
    if case.version != case.current_version():
        return (
            f"written by version {case.version} of the ruleset, which now has {case.current_version()}: run make "
            "golden and read the difference"
        )
    return "adjudication changed: raise the version, or run make golden if only words changed"


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_golden(folder):
    case = Case(folder)
    made, expected = case.made(), case.expected()
    changes = []
    for name in EXPECTED:
        old, new = expected.get(name, ""), made.get(name, "")
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), f"{name} expected", f"{name} now", lineterm="")
        changes += list(lines)
    assert not changes, "\n".join([f"{folder.name}: {advice(case)}", *changes[:60]])
    assert case.version == case.current_version(), advice(case)


def test_there_are_cases_of_every_ruleset():
    """Discovery finds what lies there: a ruleset without a case is one whose reports nobody has read."""
    assert {folder.parent.name for folder in CASES} == {ruleset.id for ruleset in RULESETS}
    assert len(CASES) >= 8


def test_the_cases_show_every_kind_of_message():
    """Each stage of the usual sequence of play has its golden report."""
    shown = {Case(folder).game.state.stage for folder in CASES}
    assert shown >= {
        "opening", "posture", "reveal", "german-orders", "german-answer", "german-dice", "russian-orders",
        "russian-answer", "russian-dice",
    }  # fmt: skip
