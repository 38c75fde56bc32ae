"""Who wins a scenario, in one sentence, by the page docs/balance.md."""

from __future__ import annotations

import re
from functools import cache

from kursk_pbem.formats import data

PAGE = "balance.md"
_ROW = re.compile(
    r"^\| ([a-z0-9-]+/[a-z0-9-]+) \| ([0-9]) \| ([0-9,]+) \| ([^|]+?) \| [^|]+ \| ([^|]+?) \|", re.MULTILINE
)


@cache
def _read_rows() -> dict[str, str]:
    """Return the sentence of each scenario; {} without the page."""
    try:
        text = (data.find_folder("docs") / PAGE).read_text(encoding="utf-8")
    except OSError:
        return {}
    return {scenario: _make_sentence(*cells) for scenario, *cells in _ROW.findall(text)}


def _make_sentence(level: str, games: str, wins: str, even: str) -> str:
    told = f"programs of level {level}: {wins} of {games}"
    how = "come nearest to even" if " or " in even else "make it even"
    return told if even == "-" else f"{told}; points given that {how}: {even}"


def find_sentence(scenario: str) -> str:
    """Return a sentence such as 'programs of level 1: German 4.5%, Russian 95.5% of 2,000', '' without figures.

    Where points can be given: also the points that make the game even, or the two nearest numbers.
    """
    return _read_rows().get(scenario, "")
