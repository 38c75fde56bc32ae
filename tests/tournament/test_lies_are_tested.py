"""The lies of the handbook (docs/directors.md 11) and the tests have equal numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HANDBOOK = HERE.parents[1] / "docs" / "directors.md"


@pytest.mark.parametrize("kind", ["L", "P"])
def test_every_numbered_lie_has_a_test(kind):
    lies = HANDBOOK.read_text(encoding="utf-8").partition("## 11.")[2]
    told = {int(number) for number in re.findall(rf"\b{kind}([0-9]+)\b", lies)}
    named = {
        int(number)
        for path in HERE.glob("test_*.py")
        for number in re.findall(rf"def test_{kind}([0-9]+)_", path.read_text(encoding="utf-8"))
    }
    assert named - told <= {10}  # P10 is L5
    assert told <= named
    assert len(told) >= (20 if kind == "L" else 9)
