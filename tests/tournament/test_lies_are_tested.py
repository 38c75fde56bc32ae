"""Every numbered lie has a test. L: lies of a director, with the step of docs/directors.md 11; P: of players."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIES = {
    "L": {
        1: "e: opponents exchanged",
        2: "e: sides exchanged",
        3: "e: a meeting repeated, or a round too early",
        4: "g: a game left out",
        5: "f: a friendly game, or the better of two games, counted",
        6: "g: a result changed",
        7: "g: a game cut short and judged",
        8: "c: an entry dated back or slipped in",
        9: "c: an entrant left out",
        10: "d: lots drawn again",
        11: "d: a reveal changed or dropped",
        12: "e: a bye twice or to a friend",
        13: "a: rules changed",
        14: "g: a forfeit too early",
        15: "g: an extension in secret",
        16: "c: a withdrawal, a key or an agreement invented",
        17: "g: a judgement against the terms",
        18: "a, b: history rewritten",
        19: "a, b: two logs",
        20: "h: false sums or order",
    },
    "P": {
        2: "denying",
        3: "contradicting a signed paper",
        4: "not revealing",
        5: "claims",
        6: "silence",
        8: "a second entry",
        9: "old papers",
        11: "replacing a present player",
        12: "hostile names",
    },
}
"""P10 is L5 under another number."""


@pytest.mark.parametrize("kind", ["L", "P"])
def test_every_numbered_lie_has_a_test(kind):
    named = {
        int(number)
        for path in HERE.glob("test_*.py")
        for number in re.findall(rf"def test_{kind}([0-9]+)_", path.read_text(encoding="utf-8"))
    }
    assert named - set(LIES[kind]) <= {10}
    assert set(LIES[kind]) <= named
