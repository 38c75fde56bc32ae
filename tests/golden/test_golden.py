"""Every case of tests/golden: turn in; report, next turn and position out, to the letter."""

import difflib

import pytest
from helpers import registry

from golden.golden_case import EXPECTED, Case, folders_of_cases

CASES = folders_of_cases()


def advice(case):
    """Return advice about a difference."""
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


@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_the_cases_show_every_kind_of_message(kit):
    """Each stage of the usual sequence of play has a golden report, because people read only golden reports."""
    cases = folders_of_cases(kit.id)
    assert len(cases) >= len(kit.usual) > 0
    assert {Case(folder).game.state.stage for folder in cases} >= kit.usual


def test_every_case_is_of_a_ruleset_that_is_played():
    assert {folder.parent.name for folder in CASES} <= registry.KITS.keys()
